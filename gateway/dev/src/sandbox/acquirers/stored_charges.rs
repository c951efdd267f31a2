//! The stored charges, and the rules that compare an order with them.

use std::collections::{HashMap, HashSet};

use gateway_acquirers::charge::ChargeState;
use ledger_domain::sale::Provider;
use ledger_domain::{Cents, SaleId};
use tokio::sync::oneshot;

use super::behavior::CardOutcome;
use super::charge::{ChargedMethod, SandboxCharge};
use super::contract::Contract;
use crate::sandbox::json_lines::JsonLines;

/// An order to charge that an acquirer's API (`Contract`) received, in the form that all contracts share.
pub struct NewCharge {
    pub id: String,
    pub contract: Contract,
    pub sale_id: SaleId,
    pub amount: Cents,
    pub payment_method: ChargedMethod,
    pub notice_url: Option<String>,
}

/// The state of the sandbox's acquirers: the charges, and what later orders and calls depend on.
#[derive(Default)]
pub(super) struct StoredCharges {
    /// In the order of arrival.
    pub(super) charges: Vec<SandboxCharge>,
    pub(super) file: JsonLines,
    /// Failures that happened and do not repeat, with the sale or charge they happened to.
    pub(super) happened: HashSet<(&'static str, String)>,
    pub(super) notice_urls: HashMap<Provider, String>,
    /// One for each held order. Sending releases it.
    pub(super) held: Vec<oneshot::Sender<()>>,
}

impl NewCharge {
    pub(super) fn outcome(&self) -> CardOutcome {
        match &self.payment_method {
            ChargedMethod::Card {
                last_four,
                return_url,
                ..
            } => match CardOutcome::of_card(last_four) {
                CardOutcome::Challenged if return_url.is_none() => CardOutcome::Becomes(ChargeState::Paid),
                outcome => outcome,
            },
            ChargedMethod::Pix { .. } | ChargedMethod::Boleto { .. } => {
                CardOutcome::Becomes(ChargeState::Pending)
            }
        }
    }
}

impl SandboxCharge {
    pub(super) fn is_ordered_by(&self, new: &NewCharge) -> bool {
        let same_method = match (&self.payment_method, &new.payment_method) {
            (ChargedMethod::Card { token, .. }, ChargedMethod::Card { token: other, .. }) => token == other,
            (known, other) => std::mem::discriminant(known) == std::mem::discriminant(other),
        };
        same_method && self.amount == new.amount
    }
}

impl StoredCharges {
    pub(super) fn charge_of(&self, contract: Contract, sale_id: SaleId) -> Option<&SandboxCharge> {
        let mut charges = self.charges.iter();
        charges.find(|charge| charge.contract == contract && charge.sale_id == sale_id)
    }

    pub(super) fn has_used_token_of(&self, new: &SandboxCharge) -> bool {
        let ChargedMethod::Card { token, .. } = &new.payment_method else {
            return false;
        };
        self.charges
            .iter()
            .any(|charge| matches!(&charge.payment_method, ChargedMethod::Card { token: used, .. } if used == token))
    }

    pub(super) fn write(&mut self, charge: SandboxCharge) {
        self.file.append(&charge);
        self.keep(charge);
    }

    pub(super) fn keep(&mut self, charge: SandboxCharge) {
        match self.charges.iter_mut().find(|known| known.id == charge.id) {
            Some(known) => *known = charge,
            None => self.charges.push(charge),
        }
    }
}
