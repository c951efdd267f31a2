//! Totals of transfers by status.

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

impl From<&[StatusTotals]> for TransferTotals {
    fn from(totals: &[StatusTotals]) -> Self {
        let total = totals.iter().fold(TransferSum::default(), |sum, of| TransferSum {
            transfers: sum.transfers.saturating_add(of.sum.transfers),
            amount: sum.amount.saturating_add(of.sum.amount),
            fee: sum.fee.saturating_add(of.sum.fee),
        });
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
