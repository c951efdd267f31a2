//! Totals of transfers by status and by stage.

use chrono::{DateTime, Utc};
use projections::withdrawals::{StatusTotals, TransferSum};
use serde::Serialize;
use utoipa::ToSchema;

use super::transfer::StatusNumber;

/// The number of transfers and their amounts, in cents.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct TransferSums {
    #[schema(example = 49)]
    pub count: i64,
    /// The sum of the amounts that leave or enter the available balances.
    #[schema(example = 7_350_000)]
    pub amount: i64,
    /// The part of the amount that the platform keeps.
    #[schema(example = 17_150)]
    pub fee: i64,
    /// The amount minus the fee.
    #[schema(example = 7_332_850)]
    pub net_amount: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TransferStatusTotals {
    pub status: StatusNumber,
    #[serde(flatten)]
    pub sums: TransferSums,
}

/// One entry for each status, also for those without a transfer.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransferTotals {
    pub by_status: Vec<TransferStatusTotals>,
    /// The sums over every status.
    pub total: TransferSums,
}

impl From<TransferSum> for TransferSums {
    fn from(sum: TransferSum) -> Self {
        Self {
            count: sum.transfers,
            amount: sum.amount,
            fee: sum.fee,
            net_amount: sum.amount.saturating_sub(sum.fee),
        }
    }
}

/// The transfers of a stage.
#[derive(Debug, Serialize, ToSchema)]
pub struct StageTotals {
    #[schema(example = 7)]
    pub count: i64,
    /// In cents.
    #[schema(example = 48_210_000)]
    pub amount: i64,
    /// UTC instant of the oldest request. Null for the stages that do not wait, and without a transfer.
    #[schema(required = true)]
    pub oldest_at: Option<DateTime<Utc>>,
}

/// The sums by the `stage` of the list.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransferStages {
    pub pending: StageTotals,
    pub in_progress: StageTotals,
    pub ended: StageTotals,
    pub other: StageTotals,
}

impl StageTotals {
    pub const fn of(sum: TransferSum, oldest_at: Option<DateTime<Utc>>) -> Self {
        Self {
            count: sum.transfers,
            amount: sum.amount,
            oldest_at,
        }
    }
}

pub fn sum<'a>(totals: impl Iterator<Item = &'a StatusTotals>) -> TransferSum {
    totals.fold(TransferSum::default(), |sum, of| TransferSum {
        transfers: sum.transfers.saturating_add(of.sum.transfers),
        amount: sum.amount.saturating_add(of.sum.amount),
        fee: sum.fee.saturating_add(of.sum.fee),
    })
}

impl From<&[StatusTotals]> for TransferTotals {
    fn from(totals: &[StatusTotals]) -> Self {
        let total = sum(totals.iter());
        let by_status = totals.iter().map(|of| TransferStatusTotals {
            status: of.status.into(),
            sums: of.sum.into(),
        });
        Self {
            by_status: by_status.collect(),
            total: total.into(),
        }
    }
}
