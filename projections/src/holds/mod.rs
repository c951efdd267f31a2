//! Read model: the holds of a business, and what happened to each.
//!
//! This file has the rows; `records` folds the holds, `steps` their histories and `reserve` the pieces of the reserve. The rules of a hold
//! are in the aggregate: this model follows the recorded events.

mod records;
pub mod reserve;
mod steps;

pub(crate) use records::HoldRecords;
pub(crate) use reserve::{ReserveDays, ReservePieces};
pub(crate) use steps::HoldSteps;

use ledger_domain::calendar::{Date, Instant};
use ledger_domain::hold::HoldKind;
use ledger_domain::{BusinessId, Cents, HoldId, SaleId};
use ledger_rows::row;

use crate::read_model::finding::{Columns, optional};

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Hold in "hold" {
        pub business_id: BusinessId,
        /// The hold on sales, and what was held before holds had ids, have the same id in every business.
        pub hold_id: HoldId,
        pub kind: HoldKind,
        /// What is held now.
        pub amount: Cents,
        /// All that was ever held under it.
        pub placed: Cents,
        pub released: Cents,
        /// What was paid to a court.
        pub paid: Cents,
        /// What a court orders in all, with what it got. `None` for other holds.
        pub ordered: Option<Cents>,
        pub reason: String,
        /// When staff want to look at it again.
        pub until: Option<Date> = "review_on",
        /// What the seller is asked to send.
        pub documents: Vec<String>,
        pub sale_id: Option<SaleId>,
        pub case_number: Option<String>,
        pub court: Option<String>,
        /// When it was placed, or held something again after it had ended.
        pub placed_at: Instant,
        pub placed_by: Option<String>,
        pub updated_at: Instant,
        pub updated_by: Option<String>,
        /// `None` while something is held or a court may still take a credit.
        pub ended_at: Option<Instant>,
    }
}

ledger_domain::words! {
    pub enum HoldStepKind {
        Placed = "placed" => "Valor retido",
        Raised = "raised" => "Novo crédito retido",
        Changed = "changed" => "Informações alteradas",
        Released = "released" => "Valor liberado",
        Paid = "paid" => "Depósito judicial",
    }
}

row! {
    /// A change of a hold.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct HoldStep in "hold_step" {
        pub business_id: BusinessId,
        pub hold_id: HoldId,
        /// That of the event.
        pub sequence: i64,
        pub kind: HoldStepKind,
        pub occurred_at: Instant,
        /// Zero if no money moved.
        pub amount: Cents,
        /// The reason, or the number of a judicial deposit.
        pub text: Option<String>,
        pub actor: Option<String>,
    }
}

impl Hold {
    /// What a court ordered and did not get yet.
    pub fn missing(&self) -> Cents {
        let missing = self
            .ordered
            .and_then(|ordered| ordered.checked_sub(self.amount)?.checked_sub(self.paid));
        missing.unwrap_or(Cents::ZERO).max(Cents::ZERO)
    }
}

impl Columns for Hold {
    fn columns(&self) -> Vec<(&'static str, String)> {
        vec![
            ("kind", self.kind.to_string()),
            ("amount", self.amount.get().to_string()),
            ("placed", self.placed.get().to_string()),
            ("released", self.released.get().to_string()),
            ("paid", self.paid.get().to_string()),
            ("ordered", optional(self.ordered.map(Cents::get))),
            ("reason", self.reason.clone()),
            ("review_on", optional(self.until)),
            ("documents", self.documents.join(", ")),
            ("sale_id", optional(self.sale_id)),
            ("case_number", optional(self.case_number.as_ref())),
            ("court", optional(self.court.as_ref())),
            ("placed_at", self.placed_at.to_string()),
            ("placed_by", optional(self.placed_by.as_ref())),
            ("updated_at", self.updated_at.to_string()),
            ("updated_by", optional(self.updated_by.as_ref())),
            ("ended_at", optional(self.ended_at)),
        ]
    }
}

impl Columns for HoldStep {
    fn columns(&self) -> Vec<(&'static str, String)> {
        vec![
            ("kind", self.kind.to_string()),
            ("occurred_at", self.occurred_at.to_string()),
            ("amount", self.amount.get().to_string()),
            ("text", optional(self.text.as_ref())),
            ("actor", optional(self.actor.as_ref())),
        ]
    }
}
