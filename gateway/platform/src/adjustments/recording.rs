//! Makes an approved adjustment: once, however often it is tried.
//!
//! The command has the requester as its actor, the requester's reason and idempotency key, and the request's id as its
//! cause. The ledger knows the key of a command that it has recorded, so a repeat after a crash finds it.

use std::sync::Arc;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::ids::Ids;
use gateway_environment::request_context;
use ledger_domain::HoldId;
use ledger_domain::business::{BusinessCommand, MakeManualTransfer, WriteOffDebt};
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_domain::transfer::Direction;
use ledger_store::{Idempotency, Metadata, Outcome, Submission, Writer};
use projections::{READ_YOUR_WRITES_MAX, ReadModelGroup, Wake};
use serde_json::{Value, json};
use tokio_postgres::{Client, Error, GenericClient};

use super::holds::{HoldAction, held_now};
use super::requests::{AdjustmentRequestStatus, RequestRecord, request_end, request_locked};
use super::{Adjustment, AdjustmentKind, Result, SUBJECT};
use crate::audit::{Actor, Change, record};
use crate::commands::{CommandFailure, KEY_REUSED};
use crate::company_emails::CompanyEmail;
use crate::error::PlatformError;
use crate::plans::company_change::{CompanyPlanChoice, set_plans};
use crate::plans::log::ChangedBy;
use crate::plans::refusal::{COMPANY_DELETED, PlanError, PlanRefusal};

/// Makes approved adjustments, at once or as a job.
#[derive(Clone)]
pub struct Adjustments {
    pub pool: Pool,
    pub writer: Writer,
    pub wake: Wake,
    pub ids: Ids,
    pub clock: BusinessClock,
    pub names: Arc<dyn StaffNames>,
    /// For links in e-mails to sellers.
    pub sellers_url: String,
}

/// `EmailKind` in `gateway/identity` has the same name.
pub const DOCUMENTS_EMAIL_KIND: &str = "hold-documents-asked";

/// The names of staff, who are not users of this crate.
#[async_trait]
pub trait StaffNames: Send + Sync {
    async fn name(&self, client: &Client, user: UserId) -> Result<Option<String>, Error>;
}

impl Adjustments {
    /// Makes the adjustment and stores its end. An error leaves the request approved: the job tries again.
    pub async fn record(&self, request: &RequestRecord) -> Result<()> {
        let recorded = match &request.adjustment.plans {
            Some(plans) => self.apply_plans(request, plans).await,
            None => self.submit(request).await,
        };
        if let Err(error) = &recorded {
            tracing::error!(
                code = "adjustment_not_recorded", request = %request.id, %error,
                "an approved adjustment is not recorded yet and will be retried"
            );
        }
        recorded
    }

    /// The plans and the request's end are one transaction, so they are applied once.
    async fn apply_plans(&self, request: &RequestRecord, plans: &Value) -> Result<()> {
        let choices: Vec<CompanyPlanChoice> = serde_json::from_value(plans.clone())?;
        let mut client = self.pool.get().await.map_err(PlatformError::from)?;
        let name = self.names.name(&client, request.requested_by).await?;
        let tx = client.transaction().await?;
        let locked = request_locked(&*tx, request.id).await?;
        if locked.is_none_or(|now| now.status != AdjustmentRequestStatus::Approved) {
            return Ok(());
        }
        let changed_by = ChangedBy {
            actor: decider(request),
            requested_by: name.as_deref(),
        };
        let company = request.adjustment.business_id;
        match set_plans(&*tx, self.clock, changed_by, company, &choices).await {
            Ok(_) => {
                end(&*tx, request, None).await?;
                Ok(tx.commit().await?)
            }
            // A plan is inactive by now, or the company deleted.
            Err(PlanError::Refused(refusal)) => {
                tx.rollback().await?;
                let refusal = text_of(refusal);
                self.end_alone(&mut client, request, Some(&refusal)).await
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn submit(&self, request: &RequestRecord) -> Result<()> {
        let Some(submission) = self.submission(request) else {
            return Err(CommandFailure::NotAppended.into());
        };
        let refusal = match self.writer.submit(submission).await {
            Outcome::Recorded(receipt) => {
                let models = [
                    ReadModelGroup::Balance,
                    ReadModelGroup::Statement,
                    ReadModelGroup::Transfers,
                    ReadModelGroup::Holds,
                ];
                let reached = receipt.position();
                self.wake
                    .wait_for(&self.pool, &models, &reached, READ_YOUR_WRITES_MAX)
                    .await?;
                None
            }
            // The transfer exists: an earlier try recorded it.
            Outcome::Duplicate { .. } => None,
            Outcome::Refused(refusal) => Some(refusal.message()),
            // Another request of the same person has used the key since.
            Outcome::KeyReused => Some(KEY_REUSED.to_owned()),
            Outcome::BelongsToOther(_) => return Err(CommandFailure::UnknownSubject.into()),
            Outcome::NotOwner => {
                return Err(CommandFailure::NotRecorded {
                    for_all: self.writer.records_for_all(),
                }
                .into());
            }
            Outcome::Unknown => return Err(CommandFailure::OutcomeUnknown.into()),
            Outcome::Rejected => return Err(CommandFailure::NotAppended.into()),
        };
        let mut client = self.pool.get().await.map_err(PlatformError::from)?;
        self.end_alone(&mut client, request, refusal.as_deref()).await
    }

    /// Stores the end in a transaction of its own.
    async fn end_alone(
        &self,
        client: &mut Client,
        request: &RequestRecord,
        refusal: Option<&str>,
    ) -> Result<()> {
        let tx = client.transaction().await?;
        let ended = end(&tx, request, refusal).await?;
        if ended && refusal.is_none() {
            self.ask_for_documents(&tx, request).await?;
        }
        Ok(tx.commit().await?)
    }

    /// E-mails the company if the hold of an order asks for documents and is still open.
    async fn ask_for_documents(&self, client: &impl GenericClient, request: &RequestRecord) -> Result<()> {
        let Some(HoldAction::Place { documents, .. }) = &request.adjustment.hold else {
            return Ok(());
        };
        let business = request.adjustment.business_id;
        let hold = HoldId::from_uuid(request.id);
        let held = held_now(client, business, hold).await?;
        let Some(amount) = held.filter(|_| !documents.is_empty()) else {
            return Ok(());
        };
        let email = CompanyEmail {
            kind: DOCUMENTS_EMAIL_KIND,
            cause: request.id,
            panel_url: &self.sellers_url,
        };
        let at = self.clock.now();
        let facts = |company: &str| {
            json!({ "hold": {
                "company": company, "hold": hold, "amount": amount, "documents": documents, "at": at,
            }})
        };
        email.queue(client, business, facts).await?;
        Ok(())
    }

    /// `None` for plans, which are not in the ledger.
    fn submission(&self, request: &RequestRecord) -> Option<Submission> {
        let own_key = || Idempotency::new("adjustment-request", &request.id.to_string(), b"");
        Some(Submission {
            command_id: self.ids.new_uuid(),
            business_id: request.adjustment.business_id,
            command: command(request, self.clock.now())?,
            metadata: Metadata {
                request_id: Some(request_context::current().id).filter(|id| !id.is_empty()),
                cause: Some(request.id.to_string()),
                ..Metadata::by(Actor::Admin(request.requested_by).into())
            },
            idempotency: Some(request.idempotency.unwrap_or_else(own_key)),
        })
    }
}

fn decider(request: &RequestRecord) -> Actor {
    request.decided_by.map_or(Actor::System, Actor::Admin)
}

/// Returns whether it was open until now.
async fn end(
    client: &impl GenericClient,
    request: &RequestRecord,
    refusal: Option<&str>,
) -> Result<bool, Error> {
    if !request_end(client, request.id, refusal).await? {
        return Ok(false);
    }
    let (action, status) = match refusal {
        Some(_) => ("refuse", AdjustmentRequestStatus::Refused),
        None => ("record", AdjustmentRequestStatus::Recorded),
    };
    let entry = Change {
        action,
        subject: SUBJECT,
        subject_id: &request.id.to_string(),
        before: Some(json!({ "status": AdjustmentRequestStatus::Approved })),
        after: Some(json!({
            "status": status, "refusal": refusal,
            "business_id": request.adjustment.business_id, "kind": request.adjustment.kind,
            "amount": request.adjustment.amount, "reason": request.adjustment.reason,
        })),
    };
    record(client, decider(request), entry).await?;
    Ok(true)
}

fn command(request: &RequestRecord, occurred_at: Instant) -> Option<BusinessCommand> {
    let Adjustment {
        kind,
        amount,
        reason,
        allow_negative,
        hold,
        ..
    } = &request.adjustment;
    let transfer = |direction| {
        BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id: request.transfer_id(),
            direction,
            amount: *amount,
            description: reason.clone(),
            allow_negative: *allow_negative,
            occurred_at,
        })
    };
    Some(match kind {
        AdjustmentKind::Credit => transfer(Direction::In),
        AdjustmentKind::Removal => transfer(Direction::Out),
        AdjustmentKind::Release
        | AdjustmentKind::CourtOrder
        | AdjustmentKind::CourtRelease
        | AdjustmentKind::CourtPayment => {
            let action = hold.as_ref()?;
            action.command(request.id, *amount, reason, occurred_at)
        }
        AdjustmentKind::WriteOff => BusinessCommand::WriteOffDebt(WriteOffDebt {
            amount: *amount,
            reason: reason.clone(),
            occurred_at,
        }),
        AdjustmentKind::PlanException => return None,
    })
}

/// The refusal as one text. An approval has no form that could show errors at their fields.
fn text_of(refusal: PlanRefusal) -> String {
    match refusal {
        PlanRefusal::Invalid(errors) => {
            let messages = errors.into_messages().into_values().flatten();
            messages.collect::<Vec<_>>().join(" ")
        }
        PlanRefusal::CompanyDeleted => COMPANY_DELETED.to_owned(),
        // The plans of a company have no other refusals.
        _ => "Os planos não podem mais ser aplicados.".to_owned(),
    }
}
