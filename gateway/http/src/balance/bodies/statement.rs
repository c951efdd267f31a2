//! The movements of the statement.

use chrono::{DateTime, Utc};
use projections::balance::statement::StatementLine;
use serde::Serialize;
use utoipa::ToSchema;

use super::balance::BalanceSummary;
use crate::shared::cents;
use crate::shared::page::PageMeta;

/// A movement of the available balance.
#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceMovement {
    /// Number of the movement in this company, from 1, in the order of recording.
    #[schema(example = 17)]
    pub id: i64,
    /// 0 transaction, 1 returned transaction, 2 transfer, 3 manual transfer, 4 returned transfer.
    #[schema(example = 0)]
    pub kind: i16,
    /// The type of movement within its kind: settlement, withdrawal, rental, manual_credit, hold and others.
    #[schema(example = "settlement")]
    pub movement: String,
    /// Signed, in cents.
    #[schema(example = 9_601)]
    pub amount: i64,
    /// The available balance after the movement, in cents, in the list's order: by the time of occurrence or of
    /// recording.
    #[schema(example = 125_040)]
    pub balance: i64,
    /// UTC instant of the occurrence outside the ledger.
    pub occurred_at: DateTime<Utc>,
    /// UTC instant of the recording.
    pub recorded_at: DateTime<Utc>,
    /// The sale of the movement, if there is one.
    #[schema(required = true)]
    pub sale_id: Option<String>,
    /// The number of the sale's installment, if the movement is of one.
    #[schema(required = true, example = 1)]
    pub installment: Option<u8>,
    /// The brand of the sale's card; null without a sale or a card.
    #[schema(required = true, example = "visa")]
    pub card_brand: Option<String>,
    /// The transfer of the movement (withdrawal, manual transfer or rental), if there is one.
    #[schema(required = true)]
    pub transfer_id: Option<String>,
    /// A description in Portuguese for screens.
    #[schema(example = "Parcela 1 de venda")]
    pub description: String,
}

/// A movement for staff, with its event.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminBalanceMovement {
    #[serde(flatten)]
    pub movement: BalanceMovement,
    /// The ledger event of the movement. Several movements can have the same event.
    #[schema(example = "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07")]
    pub event_id: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BalancePage {
    pub data: Vec<BalanceMovement>,
    pub meta: PageMeta,
}

/// The totals with `totals=1`, else a page of movements.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum BalanceHistory {
    Totals(BalanceSummary),
    Movements(BalancePage),
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AdminBalancePage {
    pub data: Vec<AdminBalanceMovement>,
    pub meta: PageMeta,
}

/// The same as BalanceHistory, with the event of each movement.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum AdminBalanceHistory {
    Totals(BalanceSummary),
    Movements(AdminBalancePage),
}

impl From<StatementLine> for BalanceMovement {
    fn from(line: StatementLine) -> Self {
        Self {
            id: line.number,
            kind: line.kind.number(),
            movement: line.movement.as_str().to_owned(),
            amount: cents(line.amount),
            balance: cents(line.balance),
            occurred_at: line.occurred_at,
            recorded_at: line.recorded_at,
            sale_id: line.sale_id.map(|id| id.to_string()),
            installment: line.installment,
            card_brand: line.card_brand.as_ref().map(|brand| brand.as_str().to_owned()),
            transfer_id: line.transfer_id.map(|id| id.to_string()),
            description: line.description(),
        }
    }
}

impl From<StatementLine> for AdminBalanceMovement {
    fn from(line: StatementLine) -> Self {
        Self {
            event_id: line.event_id.to_string(),
            movement: line.into(),
        }
    }
}
