//! The provider that refunds buyers when a user cancels a sale that the platform did not charge. The acquirer that
//! charged a sale for the platform refunds it.

use std::time::Duration;

use super::Variables;

/// The adapter that requests refunds, by its name in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundProvider {
    /// The sandbox simulates all acquirers.
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
    /// `RAZAO_REFUNDS`: `sandbox` (the default in development, not allowed in production) or `none` (the default in
    /// production). With `none`, requests wait while staff refund at the acquirer manually; the acquirer's notice then
    /// ends them.
    pub provider: Option<RefundProvider>,
    /// `RAZAO_REFUND_TIMEOUT_MS`, default 10000: how long to wait for the acquirer's answer to a call. After that it is
    /// unknown whether the acquirer has the request, and the request is looked up.
    pub timeout: Duration,
    /// `RAZAO_REFUND_LATE_MINUTES`, default 30: a refund that is open for longer is shown to operators as late.
    pub late_after: Duration,
}

impl RefundsConfig {
    pub(super) fn read(variables: &mut Variables<'_>) -> Self {
        Self {
            provider: variables.sandbox_or_none("RAZAO_REFUNDS", RefundProvider::Sandbox),
            timeout: variables.timeout("RAZAO_REFUND_TIMEOUT_MS"),
            late_after: variables.late_after("RAZAO_REFUND_LATE_MINUTES"),
        }
    }
}
