//! Platform fees: the platform's revenue.

use projections::balance::PlatformFeeSum;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Breakdown, Figures, Report};

/// Platform fees: the platform's revenue, in cents. A fee that is returned to a seller is negative on the day of the
/// return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct PlatformFees {
    /// The fees of captured sales, less those of canceled, refunded and reversed ones.
    #[schema(example = 3_540)]
    pub sales: i64,
    /// The fees of withdrawals that were paid.
    #[schema(example = 700)]
    pub withdrawals: i64,
    /// The rentals of card machines.
    #[schema(example = 4_990)]
    pub rentals: i64,
    /// What companies owed and the platform gave up: zero or negative.
    #[schema(example = 0)]
    pub write_offs: i64,
    #[schema(example = 9_230)]
    pub total: i64,
}

impl PlatformFees {
    /// The platform fees of some sales only: their fees, less those of canceled, refunded and reversed ones.
    pub fn of_sales(figures: &Figures) -> Self {
        let returned = [figures.canceled, figures.refunded, figures.reversed];
        let returned = returned.iter().fold(0_i64, |sum, of| {
            sum.saturating_add(of.gross.saturating_sub(of.net))
        });
        let sales = figures.fees.saturating_sub(returned);
        Self {
            sales,
            total: sales,
            ..Self::default()
        }
    }
}

impl From<PlatformFeeSum> for PlatformFees {
    fn from(sum: PlatformFeeSum) -> Self {
        let PlatformFeeSum {
            sales,
            withdrawals,
            rentals,
            write_offs,
        } = sum;
        Self {
            sales,
            withdrawals,
            rentals,
            write_offs,
            total: [withdrawals, rentals, write_offs]
                .iter()
                .fold(sales, |sum, of| sum.saturating_add(*of)),
        }
    }
}

/// The platform fees by period. The fees of withdrawals and rentals belong to no sale, so they are zero if a filter
/// other than `business_id` is set, and by hour.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlatformFeeReport {
    #[serde(flatten)]
    pub report: Report,
    pub platform_fees: PlatformFees,
    pub previous_platform_fees: PlatformFees,
    #[serde(flatten)]
    pub breakdown: Breakdown,
}
