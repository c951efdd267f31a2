//! Money that the sandbox's acquirers send out of our account there. The rules by the cents are those of the sandbox's
//! bank (`PayoutBehavior`), with two exceptions. An acquirer knows no withdrawals, so `FailsOnce` fails every time, and
//! `PaysAfterFailing` is never paid. No notice is sent: a look-up tells how a payout ended.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gateway_acquirers::sandbox::wire::PayoutStatus;
use ledger_domain::calendar::Instant;
use ledger_domain::{Cents, PayoutId};
use ledger_store::supervisor::spawn_once;
use serde::{Deserialize, Serialize};

use super::charge::Contract;
use super::charges::{Charges, NotTaken, OnRepeat, broken};
use crate::sandbox::bank::PayoutBehavior;
use crate::sandbox::json_lines::JsonLines;

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
    /// Orders that were lost once.
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
        if behavior == PayoutBehavior::NeverArrives && self.payouts().state().lost.insert(new.payout_id) {
            return Err(NotTaken::Fault(self.lose_answer().await));
        }
        if let Some(known) = self.payouts().take(&new, repeat)? {
            return Ok(known);
        }
        if behavior == PayoutBehavior::Refuses {
            return Ok(self.end_payout(new));
        }
        let (charges, payout) = (self.clone(), new.clone());
        spawn_once("sandbox acquirer's payout", async move {
            tokio::time::sleep(charges.delay()).await;
            charges.end_payout(payout);
        });
        match behavior {
            PayoutBehavior::TimesOutAndPays => Err(NotTaken::Fault(self.lose_answer().await)),
            PayoutBehavior::BreaksAndPays => Err(NotTaken::Fault(broken())),
            _ => Ok(new),
        }
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
