//! Charges from before the sandbox began: those of the demo's story. Buyers can pay and staff can refund them like any
//! other, but no receivables of them are listed.

use std::path::Path;

use gateway_acquirers::charge::ChargeState;
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::sale::{CardBrand, Provider};
use ledger_domain::{Cents, SaleId};

use super::charge::{ChargedMethod, SandboxCharge};
use super::charges::Charges;
use super::codes;
use super::contract::Contract;
use crate::sandbox::json_lines::JsonLines;

/// A charge, in the form of no acquirer's API.
#[derive(Debug, Clone)]
pub struct PastCharge {
    pub id: String,
    pub provider: Provider,
    pub sale_id: SaleId,
    pub amount: Cents,
    pub payment_method: PastMethod,
    pub state: ChargeState,
    /// When the state was reached.
    pub at: Instant,
    pub created_at: Instant,
    pub paid_at: Option<Instant>,
}

#[derive(Debug, Clone)]
pub enum PastMethod {
    Card {
        brand: CardBrand,
        last_four: String,
        installments: u8,
    },
    Pix {
        expires_at: Instant,
    },
    Boleto {
        due_on: Date,
    },
}

impl PastCharge {
    /// `None` if the sandbox has no API of the provider, or no code for the amount or the due date.
    fn charge(self) -> Option<SandboxCharge> {
        let payment_method = match self.payment_method {
            PastMethod::Card {
                brand,
                last_four,
                installments,
            } => ChargedMethod::Card {
                token: format!("tok_{brand}_{last_four}_{}", self.id),
                brand,
                last_four,
                installments,
                return_url: None,
            },
            PastMethod::Pix { expires_at } => ChargedMethod::Pix {
                code: codes::pix(&self.id, self.amount)?,
                expires_at,
            },
            PastMethod::Boleto { due_on } => codes::boleto(&self.id, self.amount, due_on)?,
        };
        Some(SandboxCharge {
            id: self.id,
            contract: Contract::of(self.provider)?,
            sale_id: self.sale_id,
            amount: self.amount,
            payment_method,
            state: self.state,
            at: self.at,
            created_at: self.created_at,
            paid_at: self.paid_at,
            notice_url: None,
            settled_before: true,
            parts: vec![],
        })
    }
}

/// The place of the past charges.
#[derive(Clone)]
pub enum ChargeBook {
    /// The sandbox runs in this process.
    Running(Charges),
    /// The file that a later sandbox opens.
    File(std::path::PathBuf),
    /// There is none: a later sandbox does not know the charges.
    Nowhere,
}

impl ChargeBook {
    /// Adds the charges that the sandbox's APIs can have and that are not known yet. No notice is sent about them.
    pub fn remember(&self, past: Vec<PastCharge>) -> std::io::Result<()> {
        let charges = past.into_iter().filter_map(PastCharge::charge);
        match self {
            Self::Running(known) => {
                known.remember(charges);
                Ok(())
            }
            Self::File(path) => remember_in_file(path, charges),
            Self::Nowhere => Ok(()),
        }
    }
}

fn remember_in_file(path: &Path, charges: impl Iterator<Item = SandboxCharge>) -> std::io::Result<()> {
    let (mut file, known) = JsonLines::open::<SandboxCharge>(Some(path))?;
    for charge in charges {
        if !known.iter().any(|known| known.id == charge.id) {
            file.append(&charge);
        }
    }
    Ok(())
}
