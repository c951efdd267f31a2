//! Where the money of a sale went.

use projections::balance::statement::composition::{AmountPart, CreditUse};
use serde::Serialize;
use utoipa::ToSchema;

use crate::balance::bodies::statement::BalanceMovement;
use crate::shared::cents;

#[derive(Debug, Serialize, ToSchema)]
pub struct SaleUses {
    /// In the order in which the credits were recorded.
    pub data: Vec<SaleUse>,
}

/// A credit of the sale.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleUse {
    pub movement: BalanceMovement,
    /// They add up to the credit.
    pub parts: Vec<SaleUsePart>,
}

/// The part of a credit that went to one debit.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleUsePart {
    /// In cents.
    #[schema(example = 1_230)]
    pub amount: i64,
    /// The debit. Null for the part that is still available.
    #[schema(required = true)]
    pub movement: Option<BalanceMovement>,
}

impl From<Vec<CreditUse>> for SaleUses {
    fn from(uses: Vec<CreditUse>) -> Self {
        Self {
            data: uses.into_iter().map(SaleUse::from).collect(),
        }
    }
}

impl From<CreditUse> for SaleUse {
    fn from(used: CreditUse) -> Self {
        let part = |part: AmountPart| SaleUsePart {
            amount: cents(part.amount),
            movement: part.line.map(BalanceMovement::from),
        };
        Self {
            movement: used.credit.into(),
            parts: used.parts.into_iter().map(part).collect(),
        }
    }
}
