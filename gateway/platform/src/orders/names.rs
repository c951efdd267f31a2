//! The names of an order's payment that a later answer of its acquirer adds, and those of its return.

use gateway_acquirers::charge::Charge;
use gateway_acquirers::names::ReportedNames;
use ledger_domain::business::{BusinessCommand, NameSale};
use ledger_domain::sale::NamedPayment;
use ledger_store::{Actor, Metadata, Outcome, Submission};
use uuid::Uuid;

use super::Orders;
use super::attempt::Attempt;
use super::charge_facts::{Doubt, report_doubt};
use super::report::ReportOutcome;
use super::transitions::Stage;
use crate::error::Result;
use crate::exceptions::unreadable_names;

/// The names of a payment, with the acquirer's id of the charge: the sale itself has the platform's.
pub(super) fn names_of(charge: &Charge) -> ReportedNames {
    ReportedNames {
        acquirer_id: Some(charge.charge_id.clone()),
        ..charge.names.clone()
    }
}

impl Orders {
    /// Adds the names to a recorded payment. Names that are known add nothing. `None`: they are recorded, or staff see
    /// them.
    pub(super) async fn add_names(
        &self,
        attempt: &Attempt,
        charge: &Charge,
        of: NamedPayment,
        reported: &ReportedNames,
    ) -> Result<Option<ReportOutcome>> {
        let (names, unreadable) = reported.checked();
        let sale_id = attempt.sale_id;
        if !unreadable.is_empty() {
            let client = self.pool.get().await?;
            let about = (Some(attempt.business_id), Some(sale_id));
            let report = format!("{sale_id} {of}");
            unreadable_names::add(&**client, attempt.provider, &report, about, &unreadable).await?;
        }
        if names.is_empty() {
            return Ok(None);
        }
        let submission = Submission {
            command_id: Uuid::now_v7(),
            business_id: attempt.business_id,
            command: BusinessCommand::NameSale(NameSale {
                sale_id,
                of,
                names,
                occurred_at: self.clock.now(),
            }),
            metadata: Metadata {
                cause: Some(charge.charge_id.clone()),
                ..Metadata::by(Actor::Provider(attempt.provider))
            },
            // Known names add nothing.
            idempotency: None,
        };
        match self.writer.submit(submission).await {
            Outcome::Recorded(_) | Outcome::Duplicate { .. } => Ok(None),
            Outcome::NotOwner | Outcome::Unknown => Ok(Some(ReportOutcome::LedgerUnavailable)),
            Outcome::Refused(_) | Outcome::BelongsToOther(_) | Outcome::KeyReused | Outcome::Rejected => {
                let client = self.pool.get().await?;
                report_doubt(&**client, attempt, charge, Stage::Paid, Doubt::Contradiction).await?;
                Ok(Some(ReportOutcome::WithStaff(Doubt::Contradiction.reason())))
            }
        }
    }
}
