//! The quote of a withdrawal.

use serde::Serialize;
use utoipa::ToSchema;

use super::destination::{DestinationDetails, DestinationNumber};

/// The conditions of a withdrawal. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransferQuote {
    /// The available balance.
    #[schema(example = 480_000)]
    pub available: i64,
    /// The fee of a withdrawal, which is part of its amount.
    #[schema(example = 350)]
    pub withdrawal_fee: i64,
    /// The smallest amount that can be requested.
    #[schema(example = 350)]
    pub minimum: i64,
    pub destinations: Vec<QuoteDestination>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct QuoteDestination {
    pub destination: DestinationNumber,
    /// Whether a withdrawal can go there.
    #[schema(example = true)]
    pub available: bool,
    /// The reason if it is not available.
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
    #[schema(required = true)]
    pub details: Option<DestinationDetails>,
}
