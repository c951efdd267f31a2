//! What staff do with holds: place, change, release, and pay a court from them.
//!
//! A court's money needs two people, whatever the amount. Releases of other holds have a limit for one person. To place
//! or change another hold needs one: it moves no money to anybody.

use ledger_domain::business::{
    Business, BusinessCommand, ChangeHold, HoldRefusal, HoldRequest, PayCourt, PlaceHold, Refusal,
    ReleaseHold,
};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::hold::{CourtOrder, HoldKind};
use ledger_domain::{BusinessId, Cents, HoldId, SaleId};
use ledger_store::log;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::limits::Counted;
use super::{Adjustment, AdjustmentKind, AdjustmentRefusal, Result};
use crate::audit::Change;
use crate::commands::{CommandFailure, CommandReceipt, CommandRequest, UserCommands};
use crate::error::PlatformError;

/// What to do with a hold. The amount and the reason stand beside it. A request for a second person stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum HoldAction {
    /// Of a court's order, the amount is what it orders.
    Place {
        kind: HoldKind,
        until: Option<Date>,
        documents: Vec<String>,
        sale_id: Option<SaleId>,
        case_number: Option<String>,
        court: Option<String>,
    },
    Change {
        hold_id: HoldId,
        until: Option<Date>,
        documents: Vec<String>,
    },
    /// `judicial` is the kind of the hold.
    Release {
        hold_id: HoldId,
        judicial: bool,
    },
    PayCourt {
        hold_id: HoldId,
        receipt: String,
    },
}

/// An action on a hold of a company.
#[derive(Debug, Clone)]
pub struct HoldChange {
    pub business_id: BusinessId,
    /// Zero for a change, and for an order that is lifted before anything was held.
    pub amount: Cents,
    pub reason: String,
    pub action: HoldAction,
}

impl HoldAction {
    /// The name in the ledger's idempotency keys and in the audit log.
    const fn name(&self) -> &'static str {
        match self {
            Self::Place { .. } => "place-hold",
            Self::Change { .. } => "change-hold",
            Self::Release { .. } => "release-hold",
            Self::PayCourt { .. } => "pay-court",
        }
    }

    /// The adjustment that a limit or a second person decides on; `None` if any one person may do it.
    const fn kind(&self) -> Option<AdjustmentKind> {
        match self {
            Self::Place {
                kind: HoldKind::Judicial,
                ..
            } => Some(AdjustmentKind::CourtOrder),
            Self::Release { judicial: true, .. } => Some(AdjustmentKind::CourtRelease),
            Self::Release { judicial: false, .. } => Some(AdjustmentKind::Release),
            Self::PayCourt { .. } => Some(AdjustmentKind::CourtPayment),
            Self::Place { .. } | Self::Change { .. } => None,
        }
    }

    /// The hold that it is about; `None` for a new one.
    pub const fn hold_id(&self) -> Option<HoldId> {
        match self {
            Self::Place { .. } => None,
            Self::Change { hold_id, .. } | Self::Release { hold_id, .. } | Self::PayCourt { hold_id, .. } => {
                Some(*hold_id)
            }
        }
    }

    /// The command. A new hold gets the id.
    pub fn command(
        &self,
        new_id: Uuid,
        amount: Cents,
        reason: &str,
        occurred_at: Instant,
    ) -> BusinessCommand {
        let reason = reason.to_owned();
        match self.clone() {
            Self::Place {
                kind,
                until,
                documents,
                sale_id,
                case_number,
                court,
            } => BusinessCommand::PlaceHold(PlaceHold {
                hold_id: HoldId::from_uuid(new_id),
                reason,
                until,
                documents,
                sale_id,
                what: match kind {
                    HoldKind::Judicial => HoldRequest::Judicial(CourtOrder {
                        case_number: case_number.unwrap_or_default(),
                        court: court.unwrap_or_default(),
                        ordered: amount,
                    }),
                    HoldKind::Contract => HoldRequest::Contract(amount),
                    HoldKind::Analysis | HoldKind::Reserve | HoldKind::Company => {
                        HoldRequest::Analysis(amount)
                    }
                },
                occurred_at,
            }),
            Self::Change {
                hold_id,
                until,
                documents,
            } => BusinessCommand::ChangeHold(ChangeHold {
                hold_id,
                reason,
                until,
                documents,
                occurred_at,
            }),
            Self::Release { hold_id, .. } => BusinessCommand::ReleaseHold(ReleaseHold {
                hold_id,
                amount,
                reason,
                occurred_at,
            }),
            Self::PayCourt { hold_id, receipt } => BusinessCommand::PayCourt(PayCourt {
                hold_id,
                amount,
                receipt,
                occurred_at,
            }),
        }
    }
}

impl HoldChange {
    /// The adjustment that a limit or a second person decides on, if any.
    pub fn adjustment(&self) -> Option<Adjustment> {
        Some(Adjustment {
            kind: self.action.kind()?,
            business_id: self.business_id,
            amount: self.amount,
            reason: self.reason.clone(),
            allow_negative: false,
            plans: None,
            hold: Some(self.action.clone()),
        })
    }

    pub fn request(&self) -> CommandRequest {
        CommandRequest {
            operation: self.action.name().to_owned(),
            body: json!({ "amount": self.amount, "reason": self.reason, "hold": self.action }),
        }
    }

    /// Does it with one person, and returns the hold's id.
    pub async fn make(
        self,
        commands: UserCommands<'_>,
        counted: Option<Counted>,
        at: Instant,
    ) -> Result<(CommandReceipt, HoldId), CommandFailure> {
        let request = self.request();
        let command = self
            .action
            .command(commands.ids.new_uuid(), self.amount, &self.reason, at);
        let outcome = commands.submit(self.business_id, &request, command).await;
        if let Some(counted) = counted {
            counted.after(commands.pool, &outcome).await?;
        }
        let receipt = outcome?;
        let placed = receipt.events.iter().find_map(|event| event.placed_hold());
        let hold_id = self
            .action
            .hold_id()
            .or(placed)
            .ok_or(CommandFailure::EventMissing)?;
        let change = Change {
            action: self.action.name(),
            subject: "hold",
            subject_id: &hold_id.to_string(),
            before: None,
            after: Some(json!({ "business_id": self.business_id, "made": request.body })),
        };
        commands.write_audit_log(&receipt, change).await;
        Ok((receipt, hold_id))
    }
}

/// The kind of an open hold, as the ledger knows it.
pub async fn hold_kind(
    client: &impl GenericClient,
    business: BusinessId,
    hold_id: HoldId,
) -> Result<HoldKind> {
    let business = business_of(client, business).await?;
    if hold_id == HoldId::COMPANY {
        return Ok(HoldKind::Company);
    }
    let hold = business.hold(hold_id).ok_or(HoldRefusal::Unknown(hold_id));
    match hold {
        Ok(hold) => Ok(hold.kind),
        Err(refusal) => Err(AdjustmentRefusal::Ledger(refusal.into()).into()),
    }
}

/// What an open hold has, as the ledger knows it. `None`: it is not open.
pub(super) async fn held_now(
    client: &impl GenericClient,
    business: BusinessId,
    hold_id: HoldId,
) -> Result<Option<Cents>> {
    let business = business_of(client, business).await?;
    Ok(business.hold(hold_id).map(|hold| hold.amount))
}

/// A second person is asked only about what the ledger would do now. It decides again after the approval.
pub(super) async fn check_now(
    client: &impl GenericClient,
    adjustment: &Adjustment,
    action: &HoldAction,
    now: Instant,
) -> Result<()> {
    let business = business_of(client, adjustment.business_id).await?;
    let command = action.command(Uuid::max(), adjustment.amount, &adjustment.reason, now);
    match business.decide(&command) {
        // The sale is not loaded here.
        Ok(_) | Err(Refusal::UnknownSale) => Ok(()),
        Err(refusal) => Err(AdjustmentRefusal::Ledger(refusal).into()),
    }
}

/// The business without its sales and transfers.
async fn business_of(client: &impl GenericClient, business: BusinessId) -> Result<Business> {
    let head = log::head(client, business).await.map_err(PlatformError::from)?;
    let Some(head) = head.map(|head| head.parsed()).transpose()? else {
        return Ok(Business::default());
    };
    Ok(Business {
        accounts: head.accounts,
        held_for_sales: head.held_for_sales,
        holds: head.holds.to_vec(),
        ..Business::default()
    })
}
