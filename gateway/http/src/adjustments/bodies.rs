//! Adjustments that wait for a second person.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::adjustments::AdjustmentKind;
use gateway_platform::adjustments::holds::HoldAction;
use gateway_platform::adjustments::requests::{AdjustmentRequestStatus, RequestRecord};
use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, HoldId, TransferId};
use serde::Serialize;
use tokio_postgres::{Client, GenericClient};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::AppState;
use crate::problem::Result;
use crate::shared::cents;
use crate::shared::form::{REASON_MAX, form, line, optional};
use crate::shared::list::{FromRows, PageOf};
use crate::shared::schemas::Word;
use crate::spreadsheet::{Cell, Column, Table, column, text, text_or_empty};

pub type AdjustmentKindName = Word<AdjustmentKind>;
pub type AdjustmentRequestStatusName = Word<AdjustmentRequestStatus>;
pub type AdjustmentRequestPage = PageOf<AdjustmentRequest>;

/// An adjustment above what one person may make alone. Nothing of it is in the ledger before another person approves.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AdjustmentRequest {
    pub id: Uuid,
    pub kind: AdjustmentKindName,
    #[schema(value_type = String, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: BusinessId,
    #[schema(example = "Padaria Pão Quente")]
    pub business_name: String,
    /// In cents. Of a plan: what the platform would have earned less last month.
    #[schema(example = 500_000)]
    pub amount: i64,
    /// The description of the transfer, the reason of the release, or the change of the plans.
    #[schema(example = "Estorno de tarifas de novembro")]
    pub reason: String,
    /// Whether the removal may make the balance negative.
    pub allow_negative: bool,
    /// What an approval does with a hold. Null for credits, removals and plans.
    #[schema(required = true)]
    pub hold: Option<AdjustedHold>,
    pub status: AdjustmentRequestStatusName,
    pub requested_by: AdjustmentUser,
    /// UTC instant.
    pub requested_at: DateTime<Utc>,
    /// UTC instant at which the request ends if nobody has decided.
    pub expires_at: DateTime<Utc>,
    /// Null while it is pending, and if nobody decided.
    #[schema(required = true)]
    pub decided_by: Option<AdjustmentUser>,
    /// UTC instant.
    #[schema(required = true)]
    pub decided_at: Option<DateTime<Utc>>,
    /// The reason of the decision.
    #[schema(required = true, example = json!(null))]
    pub decision_reason: Option<String>,
    /// Why the ledger refused the approved adjustment.
    #[schema(required = true, example = json!(null))]
    pub refusal: Option<String>,
    /// The recorded transfer. Null for a release and a plan, and until a credit or a removal is recorded.
    #[schema(required = true, value_type = Option<String>, example = json!(null))]
    pub transfer_id: Option<TransferId>,
}

/// What an approval does with a hold.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AdjustedHold {
    /// The hold that it releases, pays from or places. A hold that is placed exists once the request is recorded.
    #[schema(value_type = String, example = "hld_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b11")]
    pub id: HoldId,
    /// Of a court's order.
    #[schema(required = true, example = "0009999-99.2026.8.26.0114")]
    pub case_number: Option<String>,
    #[schema(required = true, example = "3ª Vara Cível de Campinas")]
    pub court: Option<String>,
    /// The number of a judicial deposit.
    #[schema(required = true, example = json!(null))]
    pub receipt: Option<String>,
}

impl AdjustedHold {
    fn of(request: Uuid, action: HoldAction) -> Self {
        let id = action.hold_id().unwrap_or(HoldId::from_uuid(request));
        let (case_number, court, receipt) = match action {
            HoldAction::Place {
                case_number, court, ..
            } => (case_number, court, None),
            HoldAction::PayCourt { receipt, .. } => (None, None, Some(receipt)),
            HoldAction::Change { .. } | HoldAction::Release { .. } => (None, None, None),
        };
        Self {
            id,
            case_number,
            court,
            receipt,
        }
    }
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AdjustmentUser {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")]
    pub id: String,
    #[schema(required = true, example = "Bruno Lima")]
    pub name: Option<String>,
}

form! {
    /// The decision on a requested adjustment.
    pub struct AdjustmentDecision {
        /// Required for a rejection.
        #[example = "Confirmado com o financeiro."]
        reason: Option<String> = optional(line(REASON_MAX)),
    }
}

impl AdjustmentRequest {
    fn of(record: RequestRecord, names: &HashMap<UserId, String>) -> Self {
        let user = |id: UserId| AdjustmentUser {
            id: id.to_string(),
            name: names.get(&id).cloned(),
        };
        let recorded = record.status == AdjustmentRequestStatus::Recorded;
        let kind = record.adjustment.kind;
        let is_transfer = matches!(kind, AdjustmentKind::Credit | AdjustmentKind::Removal);
        Self {
            id: record.id,
            transfer_id: (recorded && is_transfer).then(|| record.transfer_id()),
            expires_at: record.expires_at(),
            kind: kind.into(),
            business_id: record.adjustment.business_id,
            business_name: record.business_name,
            amount: cents(record.adjustment.amount),
            reason: record.adjustment.reason,
            allow_negative: record.adjustment.allow_negative,
            hold: record
                .adjustment
                .hold
                .map(|action| AdjustedHold::of(record.id, action)),
            status: record.status.into(),
            requested_by: user(record.requested_by),
            requested_at: record.requested_at,
            decided_by: record.decided_by.map(user),
            decided_at: record.decided_at,
            decision_reason: record.decision_reason,
            refusal: record.refusal,
        }
    }
}

impl FromRows<RequestRecord> for AdjustmentRequest {
    async fn from_rows(_: &AppState, client: &Client, records: Vec<RequestRecord>) -> Result<Vec<Self>> {
        let names = names_of(client, &records).await?;
        Ok(records
            .into_iter()
            .map(|record| Self::of(record, &names))
            .collect())
    }
}

pub(super) async fn body(client: &impl GenericClient, record: RequestRecord) -> Result<AdjustmentRequest> {
    let names = names_of(client, std::slice::from_ref(&record)).await?;
    Ok(AdjustmentRequest::of(record, &names))
}

async fn names_of(client: &impl GenericClient, records: &[RequestRecord]) -> Result<HashMap<UserId, String>> {
    let users: Vec<UserId> = records
        .iter()
        .flat_map(|record| [Some(record.requested_by), record.decided_by])
        .flatten()
        .collect();
    Ok(user_names(client, Audience::Admin, &users).await?)
}

/// The list as a spreadsheet.
pub const ADJUSTMENT_REQUESTS: Table<AdjustmentRequest> = Table {
    name: "ajustes-de-saldo",
    columns: COLUMNS,
};

const COLUMNS: &[Column<AdjustmentRequest>] = &[
    column("Empresa", 40, |request| text(&request.business_name)),
    column("Tipo", 16, |request| text(request.kind.label())),
    column("Valor", 16, |request| Cell::Money(request.amount)),
    column("Motivo", 40, |request| text(&request.reason)),
    column("Status", 20, |request| text(request.status.label())),
    column("Pedido por", 28, |request| {
        text_or_empty(request.requested_by.name.as_deref())
    }),
    column("Pedido em", 17, |request| Cell::Instant(request.requested_at)),
    column("Decidido por", 28, |request| {
        text_or_empty(request.decided_by.as_ref().and_then(|user| user.name.as_deref()))
    }),
    column("Decidido em", 17, |request| {
        request.decided_at.map_or(Cell::Empty, Cell::Instant)
    }),
    column("Motivo da decisão", 40, |request| {
        text_or_empty(request.refusal.as_deref().or(request.decision_reason.as_deref()))
    }),
];
