//! Commands on holds.

use serde::{Deserialize, Serialize};

use crate::calendar::{Date, Instant};
use crate::hold::{CourtOrder, HoldKind};
use crate::{Cents, HoldId, SaleId};

/// Blocks part of the balance.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PlaceHold {
    pub hold_id: HoldId,
    pub reason: String,
    pub until: Option<Date>,
    pub documents: Vec<String>,
    pub sale_id: Option<SaleId>,
    pub what: HoldRequest,
    pub occurred_at: Instant,
}

/// What to hold, and why.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum HoldRequest {
    Analysis(Cents),
    Contract(Cents),
    /// Takes what is available, and then later credits, up to the ordered amount.
    Judicial(CourtOrder),
}

impl HoldRequest {
    pub const fn kind(&self) -> HoldKind {
        match self {
            Self::Analysis(_) => HoldKind::Analysis,
            Self::Contract(_) => HoldKind::Contract,
            Self::Judicial(_) => HoldKind::Judicial,
        }
    }
}

/// Changes what staff say about a hold that they placed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ChangeHold {
    pub hold_id: HoldId,
    pub reason: String,
    pub until: Option<Date>,
    pub documents: Vec<String>,
    pub occurred_at: Instant,
}

/// Releases part of a hold, or all of it, which ends it. After a release, a judicial hold takes no more
/// credits.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReleaseHold {
    pub hold_id: HoldId,
    pub amount: Cents,
    pub reason: String,
    pub occurred_at: Instant,
}

/// Records that what a court ordered was paid into its account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PayCourt {
    pub hold_id: HoldId,
    pub amount: Cents,
    pub receipt: String,
    pub occurred_at: Instant,
}

/// Releases what is held of these installments until this day. The list is a suggestion: installments of which nothing is
/// held until that day are ignored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReleaseReserve {
    pub release_on: Date,
    pub today: Date,
    pub installments: Vec<(SaleId, u8)>,
}

/// Ends the holds of sales that were captured before the company was approved. The list is a suggestion: sales that are
/// not held for this reason are ignored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReleaseSales {
    pub sale_ids: Vec<SaleId>,
    pub occurred_at: Instant,
}
