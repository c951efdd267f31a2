//! Who is asked to give buyers their money back when a panel cancels a sale.

use std::time::Duration;

use super::Variables;

/// Which adapter asks for refunds, as configuration spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundProvider {
    /// It speaks as any of the acquirers.
    Sandbox,
}

impl RefundProvider {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundsConfig {
    /// `RAZAO_REFUNDS`: `sandbox` (the default in development, and only there) or `none` (the default in production), by
    /// which requests wait while staff refund at the acquirer by hand; the acquirer's notice then ends them.
    pub through: Option<RefundProvider>,
    /// `RAZAO_REFUND_TIMEOUT_MS`, default 10000: how long the acquirer may take to answer a call. After that nobody knows
    /// whether it took the request, and it is asked.
    pub timeout: Duration,
    /// `RAZAO_REFUND_LATE_MINUTES`, default 30: a refund that has not ended after as long as this is shown to operators.
    pub late_after: Duration,
}

impl RefundsConfig {
    pub(super) fn read(variables: &mut Variables<'_>) -> Self {
        Self {
            through: variables.sandbox_or_none("RAZAO_REFUNDS", RefundProvider::Sandbox),
            timeout: variables.timeout("RAZAO_REFUND_TIMEOUT_MS"),
            late_after: variables.late_after("RAZAO_REFUND_LATE_MINUTES"),
        }
    }
}
