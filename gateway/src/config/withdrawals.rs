//! How withdrawals are decided and paid: how many people must say yes, and who sends the money.

use std::time::Duration;

use ledger_domain::business::Approvals;

use super::Variables;
use crate::providers::PayoutProvider;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithdrawalsConfig {
    /// `RAZAO_WITHDRAWAL_APPROVALS`, default 1: whether one person of staff approves a withdrawal, or two.
    pub approvals: Approvals,
    /// `RAZAO_PAYOUTS`: `sandbox` (the default in development, and only there) or `none` (the default in production),
    /// by which staff pay by hand.
    pub payouts: Option<PayoutProvider>,
    /// `RAZAO_PAYOUT_TIMEOUT_MS`, default 10000: how long the provider may take to answer a call. After that nobody knows
    /// whether it took the order, and it is asked.
    pub payout_timeout: Duration,
    /// `RAZAO_PAYOUT_LATE_MINUTES`, default 30: a payout that has not ended after as long as this is shown to operators.
    pub payout_late_after: Duration,
}

impl WithdrawalsConfig {
    pub(super) fn read(variables: &mut Variables<'_>) -> Self {
        let approvals = variables.parse("RAZAO_WITHDRAWAL_APPROVALS", Approvals::One, |text| match text {
            "1" => Ok(Approvals::One),
            "2" => Ok(Approvals::Two),
            _ => Err("is neither 1 nor 2".to_owned()),
        });
        let production = variables.production();
        let default = (!production).then_some(PayoutProvider::Sandbox);
        let payouts = variables.parse("RAZAO_PAYOUTS", default, |text| match text {
            "none" => Ok(None),
            "sandbox" if production => Err("names the sandbox, which is for development only".to_owned()),
            "sandbox" => Ok(Some(PayoutProvider::Sandbox)),
            _ => Err("is neither sandbox nor none".to_owned()),
        });
        let payout_timeout =
            variables.parse(
                "RAZAO_PAYOUT_TIMEOUT_MS",
                Duration::from_secs(10),
                |text| match text.parse() {
                    Ok(milliseconds @ 1..=120_000) => Ok(Duration::from_millis(milliseconds)),
                    _ => Err("is not a number from 1 to 120000".to_owned()),
                },
            );
        let payout_late_after = variables.parse(
            "RAZAO_PAYOUT_LATE_MINUTES",
            Duration::from_secs(30 * 60),
            |text| match text.parse() {
                Ok(minutes @ 1..=10_080) => Ok(Duration::from_secs(60 * minutes)),
                _ => Err("is not a number from 1 to 10080".to_owned()),
            },
        );
        Self {
            approvals,
            payouts,
            payout_timeout,
            payout_late_after,
        }
    }

    pub const fn approvals_needed(&self) -> u8 {
        match self.approvals {
            Approvals::One => 1,
            Approvals::Two => 2,
        }
    }
}
