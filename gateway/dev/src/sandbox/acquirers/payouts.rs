//! Money that the sandbox's acquirers send out of our account there. The rules by the cents are those of the sandbox's
//! bank (`PayoutBehavior`), except that `FailsOnce` and `PaysAfterFailing` fail every time. No notice is sent: a
//! look-up tells how a payout ended.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gateway_acquirers::names::ReportedPayoutNames;
use gateway_acquirers::sandbox::wire::PayoutStatus;
use ledger_domain::calendar::Instant;
use ledger_domain::transfer::DestinationKind;
use ledger_domain::{Cents, PayoutId};
use ledger_store::supervisor::spawn_once;
use serde::{Deserialize, Serialize};

use super::charges::{Charges, NotTaken, OnRepeat, broken};
use super::contract::Contract;
use crate::sandbox::bank::PayoutBehavior;
use crate::sandbox::json_lines::JsonLines;
use crate::sandbox::names;

const REASON: &str = "Conta de destino encerrada";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxPayout {
    pub contract: Contract,
    pub payout_id: PayoutId,
    pub amount: Cents,
    pub status: PayoutStatus,
    /// When it ended.
    pub at: Option<Instant>,
}

impl SandboxPayout {
    pub const fn new(contract: Contract, payout_id: PayoutId, amount: Cents) -> Self {
        Self {
            contract,
            payout_id,
            amount,
            status: PayoutStatus::Pending,
            at: None,
        }
    }

    /// The acquirers pay by PIX, to keys and to accounts.
    pub fn names(&self) -> ReportedPayoutNames {
        let paid_at = self.at.filter(|_| self.status == PayoutStatus::Paid);
        let seed = self.payout_id.to_string();
        paid_at.map_or_else(ReportedPayoutNames::default, |at| {
            names::of_payout(DestinationKind::Pix, &seed, at)
        })
    }

    pub fn reason(&self) -> Option<&'static str> {
        (self.status == PayoutStatus::Failed).then_some(REASON)
    }
}

#[derive(Default)]
pub struct Payouts(Mutex<State>);

#[derive(Default)]
struct State {
    /// In the order of arrival.
    payouts: Vec<SandboxPayout>,
    /// The payouts whose first order was lost.
    lost: HashSet<PayoutId>,
    file: JsonLines,
}

impl Payouts {
    pub fn open(file: Option<&Path>) -> std::io::Result<Self> {
        let (file, lines) = JsonLines::open::<SandboxPayout>(file)?;
        let mut state = State {
            file,
            ..State::default()
        };
        for line in lines {
            state.keep(line);
        }
        Ok(Self(Mutex::new(state)))
    }

    /// The payouts of a contract, the latest first.
    pub fn of_contract(&self, contract: Contract) -> Vec<SandboxPayout> {
        let state = self.state();
        let payouts = state.payouts.iter().rev();
        payouts
            .filter(|payout| payout.contract == contract)
            .cloned()
            .collect()
    }

    /// The payouts that have not ended.
    pub fn pending(&self) -> Vec<SandboxPayout> {
        let state = self.state();
        let payouts = state.payouts.iter();
        payouts
            .filter(|payout| payout.status == PayoutStatus::Pending)
            .cloned()
            .collect()
    }

    /// Stores a new payout. `Ok` with a payout that was there before, if the contract answers a repeat with it.
    fn take(&self, new: &SandboxPayout, repeat: OnRepeat) -> Result<Option<SandboxPayout>, NotTaken> {
        let mut state = self.state();
        let known = state
            .payouts
            .iter()
            .find(|known| known.payout_id == new.payout_id);
        match (known, repeat) {
            (Some(known), OnRepeat::Answer) if known.amount == new.amount => Ok(Some(known.clone())),
            (Some(_), OnRepeat::Answer) => Err(NotTaken::OtherOrder),
            (Some(_), OnRepeat::Refuse | OnRepeat::ChargeAgain) => Err(NotTaken::Repeated),
            (None, _) => {
                state.write(new.clone());
                Ok(None)
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn write(&mut self, payout: SandboxPayout) {
        self.file.append(&payout);
        self.keep(payout);
    }

    fn keep(&mut self, payout: SandboxPayout) {
        let known = self
            .payouts
            .iter_mut()
            .find(|known| known.payout_id == payout.payout_id);
        match known {
            Some(known) => *known = payout,
            None => self.payouts.push(payout),
        }
    }
}

impl Charges {
    /// Takes the order of a payout, with the failures that its amount asks for.
    pub async fn pay_out(&self, new: SandboxPayout, repeat: OnRepeat) -> Result<SandboxPayout, NotTaken> {
        let behavior = PayoutBehavior::of_amount(new.amount);
        if behavior == PayoutBehavior::LostOnce && self.payouts().state().lost.insert(new.payout_id) {
            return Err(NotTaken::Fault(self.lose_answer().await));
        }
        if let Some(known) = self.payouts().take(&new, repeat)? {
            return Ok(known);
        }
        if behavior == PayoutBehavior::Refuses {
            return Ok(self.end_payout(new));
        }
        self.end_payout_later(new.clone());
        match behavior {
            PayoutBehavior::TimesOutAndPays => Err(NotTaken::Fault(self.lose_answer().await)),
            PayoutBehavior::BreaksAndPays => Err(NotTaken::Fault(broken())),
            _ => Ok(new),
        }
    }

    pub(super) fn end_payout_later(&self, payout: SandboxPayout) {
        let charges = self.clone();
        spawn_once("sandbox acquirer's payout", async move {
            tokio::time::sleep(charges.delay()).await;
            charges.end_payout(payout);
        });
    }

    fn end_payout(&self, payout: SandboxPayout) -> SandboxPayout {
        let fails = PayoutBehavior::of_amount(payout.amount).fails(1);
        let ended = SandboxPayout {
            status: if fails {
                PayoutStatus::Failed
            } else {
                PayoutStatus::Paid
            },
            at: Some(self.now()),
            ..payout
        };
        self.payouts().state().write(ended.clone());
        ended
    }

    /// Looks up a payout.
    pub fn payout(&self, contract: Contract, payout_id: PayoutId) -> Option<SandboxPayout> {
        let mut of_contract = self.payouts().of_contract(contract).into_iter();
        of_contract.find(|payout| payout.payout_id == payout_id)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use gateway_environment::clock::BusinessClock;
    use gateway_environment::config::ProviderSecrets;
    use uuid::Uuid;

    use super::*;
    use crate::sandbox::acquirers::ChargeOptions;
    use crate::sandbox::delivery::{Deliveries, ReceivingGateway};

    fn charges(file: &Path, delay: Duration) -> Charges {
        let options = ChargeOptions {
            file: Some(file.to_owned()),
            delay,
            ..ChargeOptions::default()
        };
        let gateway = ReceivingGateway {
            url: String::new(),
            secrets: ProviderSecrets::default(),
        };
        let deliveries = Deliveries::new(gateway).expect("a client");
        Charges::open(
            options,
            BusinessClock::stopped_at(Instant::UNIX_EPOCH),
            deliveries,
        )
        .expect("charges")
    }

    #[tokio::test]
    async fn a_pending_payout_ends_after_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("charges");
        let payout_id = PayoutId::from_uuid(Uuid::from_u128(1));
        let new = SandboxPayout::new(super::super::own::CONTRACT, payout_id, Cents::new(100_00));
        let stopped = charges(&file, Duration::from_secs(3_600));
        assert!(stopped.pay_out(new, OnRepeat::Answer).await.is_ok());
        let restarted = charges(&file, Duration::ZERO);
        for _ in 0..1_000 {
            let payout = restarted
                .payout(super::super::own::CONTRACT, payout_id)
                .expect("the payout");
            if payout.status == PayoutStatus::Paid {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the payout is still pending after 1000 × 10 ms");
    }
}
