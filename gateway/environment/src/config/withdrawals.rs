//! How withdrawals are approved and paid: the number of approvals, and the provider that sends the money.

use std::fmt;
use std::time::Duration;

use ledger_domain::business::Approvals;
use ledger_domain::sale::Provider;

use super::{AcquirerContract, AcquirerServer, AcquirersConfig, Variables};

/// Who pays withdrawals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayoutProvider {
    /// The sandbox's bank.
    Sandbox,
    /// An acquirer, out of our account there.
    Acquirer(Provider),
}

impl PayoutProvider {
    /// Its name in the configuration and in rows.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Acquirer(provider) => provider.slug(),
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        match name {
            "sandbox" => Some(Self::Sandbox),
            name => Provider::from_slug(name).ok().map(Self::Acquirer),
        }
    }

    /// The acquirer that pays. `None`: a bank.
    pub const fn acquirer(self) -> Option<Provider> {
        match self {
            Self::Sandbox => None,
            Self::Acquirer(provider) => Some(provider),
        }
    }

    /// The provider whose secret signs its notices. No other provider can report the results of its payouts.
    pub const fn signs_notices_as(self) -> Provider {
        match self {
            // The sandbox's bank has no secret, so it signs with that of an acquirer.
            Self::Sandbox => Provider::Zoop,
            Self::Acquirer(provider) => provider,
        }
    }
}

impl fmt::Display for PayoutProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithdrawalsConfig {
    /// `RAZAO_WITHDRAWAL_APPROVALS`, default 1: whether one or two admin users must approve a withdrawal while staff
    /// have set no amount above which two must.
    pub approvals: Approvals,
    /// `RAZAO_PAYOUTS`: `sandbox` (the default in development, not allowed in production), an acquirer that pays out of
    /// our account there (`iugu`), or `none` (the default in production). With `none`, staff pay manually.
    pub payouts: Option<PayoutProvider>,
    /// `RAZAO_PAYOUT_TIMEOUT_MS`, default 10000: how long to wait for the sandbox's answer to a call. After that it is
    /// unknown whether the bank has the order, and the order is looked up. An acquirer has its own time limit.
    pub payout_timeout: Duration,
    /// `RAZAO_PAYOUT_LATE_MINUTES`, default 30: a payout that is open for longer is shown to operators as late.
    pub payout_late_after: Duration,
}

impl WithdrawalsConfig {
    pub(super) fn read(
        variables: &mut Variables<'_>,
        acquirers: &AcquirersConfig,
        contracts: &[AcquirerContract],
    ) -> Self {
        let approvals = variables.parse("RAZAO_WITHDRAWAL_APPROVALS", Approvals::One, |text| match text {
            "1" => Ok(Approvals::One),
            "2" => Ok(Approvals::Two),
            _ => Err("is neither 1 nor 2".to_owned()),
        });
        Self {
            approvals,
            payouts: read_payouts(variables, acquirers, contracts),
            payout_timeout: variables.timeout("RAZAO_PAYOUT_TIMEOUT_MS"),
            payout_late_after: variables.late_after("RAZAO_PAYOUT_LATE_MINUTES"),
        }
    }
}

fn read_payouts(
    variables: &mut Variables<'_>,
    acquirers: &AcquirersConfig,
    contracts: &[AcquirerContract],
) -> Option<PayoutProvider> {
    const NAME: &str = "RAZAO_PAYOUTS";
    let named = variables.get(NAME);
    let mut paying = contracts.iter().filter(|contract| contract.pays_out);
    let Some(contract) = paying.find(|contract| named.as_deref() == Some(contract.provider.slug())) else {
        return variables.sandbox_or_none(NAME, PayoutProvider::Sandbox);
    };
    match acquirers.of(contract.provider) {
        None => variables.fault(NAME, "names an acquirer that has no address"),
        Some(config) => {
            let moves_money = matches!(config.server, AcquirerServer::Url(_)) && !config.test;
            if moves_money && config.signing_key.is_none() {
                variables.fault(NAME, "needs the acquirer's signing key");
            }
        }
    }
    Some(PayoutProvider::Acquirer(contract.provider))
}
