//! The credits that a transfer consists of.

use projections::balance::statement::composition::AmountPart;
use serde::Serialize;
use utoipa::ToSchema;

use crate::balance::bodies::statement::BalanceMovement;
use crate::shared::cents;

#[derive(Debug, Serialize, ToSchema)]
pub struct TransferComposition {
    /// The amount of the transfer without what was given back, in cents. Zero for a refused or failed withdrawal, and
    /// for a manual credit.
    #[schema(example = 250_000)]
    pub amount: i64,
    /// The credits, in the order in which they were recorded. Those of all pages add up to `amount`.
    pub data: Vec<TransferCredit>,
    pub meta: CompositionMeta,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CompositionMeta {
    /// The cursor of the next page. Absent after the last credit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "19202")]
    pub next: Option<String>,
}

/// The part of a credit that went to the transfer.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransferCredit {
    /// In cents, at most the credit's own amount.
    #[schema(example = 9_601)]
    pub amount: i64,
    /// The credit. Null if no credit has covered this part yet: the balance was below zero.
    #[schema(required = true)]
    pub movement: Option<BalanceMovement>,
}

impl From<AmountPart> for TransferCredit {
    fn from(part: AmountPart) -> Self {
        Self {
            amount: cents(part.amount),
            movement: part.line.map(BalanceMovement::from),
        }
    }
}
