//! Exceptions for staff, and the body of an action on one.

use chrono::{DateTime, Utc};
use gateway_platform::exceptions::{ExceptionRecord, ExceptionStatus};
use ledger_domain::ids::UserId;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, SaleId};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::edge::query::text as text_schema;
use crate::shared::form::{form, optional, text, value};
use crate::shared::list::PageOf;
use crate::shared::schemas::Word;

pub type ExceptionStatusName = Word<ExceptionStatus>;

/// A notice that could not be recorded, a refused refund, an unreadable row of work, or a fault of a charge. Staff
/// settle a fault of a charge, such as a second payment of an order, outside the platform.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExceptionRow {
    pub id: Uuid,
    /// The acquirer's number, 1 to 8. Null for an unreadable row of work.
    #[schema(required = true, value_type = Option<u8>, example = 1)]
    pub provider: Option<Provider>,
    /// The provider's id of the notice. For other exceptions, the id of the refund or of the row of work, or the type
    /// and subject of the fault.
    #[schema(example = "evt_01")]
    pub notice_id: String,
    /// The type of the notice, or the kind of another exception.
    #[schema(example = "sale.captured")]
    pub r#type: String,
    /// The stored body of the notice, or the stored details of another exception.
    pub body: String,
    /// A code for the reason of the wait.
    #[schema(example = "no_plan")]
    pub reason: String,
    /// The values that belong to the reason.
    #[schema(value_type = Object)]
    pub reason_parameters: serde_json::Value,
    /// The company, if it is known.
    #[schema(value_type = Option<String>)]
    pub business_id: Option<BusinessId>,
    pub business_name: Option<String>,
    #[schema(value_type = Option<String>)]
    pub sale_id: Option<SaleId>,
    /// Whether it is a notice. Staff can assign it to a company while it waits.
    pub assignable: bool,
    /// Whether it can be tried again while it waits. An exception that staff settle outside the platform can only be
    /// closed.
    pub retryable: bool,
    /// UTC instant.
    pub received_at: DateTime<Utc>,
    /// Number of tries so far.
    pub tries: i32,
    /// UTC instant.
    pub last_tried_at: DateTime<Utc>,
    /// UTC instant of the next automatic try.
    pub next_try_at: Option<DateTime<Utc>>,
    pub status: ExceptionStatusName,
    /// How it ended; null while it waits. If resolved, a code: recorded (its event is in the ledger), already (the
    /// ledger already had the event), asked_again (the refund was requested again), tried_again (the row of work went
    /// back to its queue), refunded (the acquirer confirmed the refund) or ended (the row of work has ended).
    /// If closed, the reason that staff wrote.
    #[schema(example = "recorded")]
    pub resolution: Option<String>,
    /// The admin user who acted on it.
    #[schema(value_type = Option<String>)]
    pub handled_by: Option<UserId>,
    /// UTC instant; null while it waits.
    pub ended_at: Option<DateTime<Utc>>,
}

pub type ExceptionPage = PageOf<ExceptionRow>;

form! {
    pub struct ActionBody {
        /// For assign: the company of the sale.
        business_id: Option<BusinessId> = optional(value()),
        /// For close: the reason. One line of up to 500 characters, without control characters. It becomes the
        /// `resolution`, with card numbers masked.
        #[example = "Venda de teste da adquirente."]
        reason: Option<String> = optional(text(|| text_schema().into(), |reason, _| Some(reason.to_owned()))),
    }
}

impl From<ExceptionRecord> for ExceptionRow {
    fn from(record: ExceptionRecord) -> Self {
        Self {
            id: record.id,
            provider: record.provider,
            notice_id: record.notice_id,
            r#type: record.r#type,
            body: record.body,
            reason: record.reason,
            reason_parameters: record.reason_parameters,
            business_id: record.business_id,
            business_name: record.business_name,
            sale_id: record.sale_id,
            assignable: record.assignable,
            retryable: !record.by_hand,
            received_at: record.received_at,
            tries: record.tries,
            last_tried_at: record.last_tried_at,
            next_try_at: record.next_try_at,
            status: record.status.into(),
            resolution: record.resolution,
            handled_by: record.handled_by,
            ended_at: record.ended_at,
        }
    }
}
