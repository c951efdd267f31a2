//! The answers of reports. Amounts are in cents.

mod platform_fees;
mod rows;

pub use platform_fees::{PlatformFeeReport, PlatformFees};
pub use rows::{
    CompanyFigures, CompanyPlatformFeeReport, CompanyPlatformFees, CompanyReport, ReportCompany,
    ReportTerminal, TerminalFigures, TerminalReport,
};

use projections::daily_sales;
use serde::Serialize;
use utoipa::ToSchema;

use super::period::{Moment, Period, Span};
use super::query::GroupName;
use crate::sales::bodies::list::PaymentType;
use crate::shared::page::PageMeta;

/// The figures of a period, each on its own business date: a sale counts on the date of its capture, a cancel on
/// the date of the cancel. Amounts are in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct Figures {
    /// Number of captured sales, whatever became of them.
    #[schema(example = 4)]
    pub count: i64,
    #[schema(example = 98_000)]
    pub gross: i64,
    /// The gross of sales in more than one installment.
    #[schema(example = 60_000)]
    pub installment_gross: i64,
    #[schema(example = 2_940)]
    pub percentage_fee: i64,
    #[schema(example = 200)]
    pub flat_fee: i64,
    #[schema(example = 760)]
    pub percentage_rate: i64,
    #[schema(example = 40)]
    pub flat_rate: i64,
    /// The sum of the four fees.
    #[schema(example = 3_940)]
    pub fees: i64,
    #[schema(example = 94_060)]
    pub net: i64,
    /// Canceled by the seller or by staff.
    pub canceled: Returned,
    /// Refunded by the acquirer, at the buyer's request.
    pub refunded: Returned,
    /// Reversed by the acquirer itself.
    pub reversed: Returned,
    pub disputed: Counted,
    pub disputes_won: Counted,
    pub charged_back: Counted,
    /// Installments that the settlement paid, on their due dates or later. Accelerated installments are not among them.
    pub settled: Settled,
}

/// Sales whose money went back to their buyers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct Returned {
    #[schema(example = 1)]
    pub count: i64,
    #[schema(example = 10_000)]
    pub gross: i64,
    #[schema(example = 9_600)]
    pub net: i64,
}

/// Installments that were paid to the company.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct Settled {
    #[schema(example = 2)]
    pub count: i64,
    #[schema(example = 20_000)]
    pub gross: i64,
    /// The net.
    #[schema(example = 19_200)]
    pub amount: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct Counted {
    #[schema(example = 1)]
    pub count: i64,
    #[schema(example = 10_000)]
    pub amount: i64,
}

impl From<daily_sales::Figures> for Figures {
    fn from(sums: daily_sales::Figures) -> Self {
        let returned = |count, gross, net| Returned { count, gross, net };
        let counted = |count, amount| Counted { count, amount };
        Self {
            count: sums.sales,
            gross: sums.gross,
            installment_gross: sums.installment_gross,
            percentage_fee: sums.percentage_fee,
            flat_fee: sums.flat_fee,
            percentage_rate: sums.percentage_rate,
            flat_rate: sums.flat_rate,
            fees: sums.gross.saturating_sub(sums.net),
            net: sums.net,
            canceled: returned(sums.cancels, sums.canceled_gross, sums.canceled_net),
            refunded: returned(sums.refunds, sums.refunded_gross, sums.refunded_net),
            reversed: returned(
                sums.acquirer_reversals,
                sums.acquirer_reversed_gross,
                sums.acquirer_reversed_net,
            ),
            disputed: counted(sums.disputes, sums.disputed),
            disputes_won: counted(sums.disputes_won, sums.won),
            charged_back: counted(sums.chargebacks, sums.charged_back),
            settled: Settled {
                count: sums.settled_count,
                gross: sums.settled_gross,
                amount: sums.settled,
            },
        }
    }
}

/// The period before a report's period, of the same number of days or hours. Whole months are compared with the same
/// number of months. A report by month from a first day is compared with months up to the same day of the month, or to
/// its last day.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviousPeriod {
    #[schema(value_type = String, example = "2026-10-11")]
    pub start: Moment,
    #[schema(value_type = String, example = "2026-10-31")]
    pub end: Moment,
}

/// An hour, a day, a week or a month of a report, and the same part of the previous period. The first and the last may
/// be shorter.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReportPeriod {
    /// A business date; by hour an instant.
    #[schema(value_type = String, example = "2026-11-01")]
    pub start: Moment,
    /// Included.
    #[schema(value_type = String, example = "2026-11-01")]
    pub end: Moment,
    pub figures: Figures,
    pub previous: Figures,
    /// Only in reports of platform fees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform_fees: Option<PlatformFees>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_platform_fees: Option<PlatformFees>,
}

/// The period and the sums that every report has.
#[derive(Debug, Serialize, ToSchema)]
pub struct Report {
    pub group: GroupName,
    /// A business date in Brasília; by hour an instant.
    #[schema(value_type = String, example = "2026-11-01")]
    pub start: Moment,
    /// Included.
    #[schema(value_type = String, example = "2026-11-21")]
    pub end: Moment,
    pub previous: PreviousPeriod,
    pub totals: Figures,
    pub previous_totals: Figures,
    /// Oldest first, including those without any figure.
    pub periods: Vec<ReportPeriod>,
}

impl Report {
    pub fn of(
        period: &Period,
        totals: Figures,
        previous_totals: Figures,
        figures: impl Fn(Span) -> Figures,
    ) -> Self {
        let part = |part: &super::period::Part| ReportPeriod {
            start: period.first(part.span),
            end: period.last(part.span),
            figures: figures(part.span),
            previous: figures(part.previous),
            platform_fees: None,
            previous_platform_fees: None,
        };
        Self {
            group: period.group.into(),
            start: period.start(),
            end: period.end(),
            previous: PreviousPeriod {
                start: period.first(period.previous),
                end: period.last(period.previous),
            },
            totals,
            previous_totals,
            periods: period.parts.iter().map(part).collect(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SolutionFigures {
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[schema(example = 1)]
    pub solution: u8,
    pub figures: Figures,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentTypeFigures {
    pub payment_type: PaymentType,
    pub figures: Figures,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BrandFigures {
    /// Null: sales without a card.
    #[schema(required = true, example = "visa")]
    pub card_brand: Option<String>,
    pub figures: Figures,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct InstallmentsFigures {
    /// Number of installments of a sale.
    #[schema(example = 3)]
    pub installments: u8,
    pub figures: Figures,
}

/// The figures of the report's period by attributes of its sales, the largest gross first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Breakdown {
    pub by_solution: Vec<SolutionFigures>,
    pub by_payment_type: Vec<PaymentTypeFigures>,
    pub by_brand: Vec<BrandFigures>,
    pub by_installments: Vec<InstallmentsFigures>,
}

impl From<daily_sales::Breakdown> for Breakdown {
    fn from(breakdown: daily_sales::Breakdown) -> Self {
        let solutions = breakdown.by_solution.into_iter();
        let payment_types = breakdown.by_payment_type.into_iter();
        let brands = breakdown.by_brand.into_iter();
        let installments = breakdown.by_installments.into_iter();
        Self {
            by_solution: solutions
                .map(|(solution, sums)| SolutionFigures {
                    solution: solution.number(),
                    figures: sums.into(),
                })
                .collect(),
            by_payment_type: payment_types
                .map(|(payment_type, sums)| PaymentTypeFigures {
                    payment_type: payment_type.into(),
                    figures: sums.into(),
                })
                .collect(),
            by_brand: brands
                .map(|(brand, sums)| BrandFigures {
                    card_brand: brand.map(|brand| brand.as_str().to_owned()),
                    figures: sums.into(),
                })
                .collect(),
            by_installments: installments
                .map(|(installments, sums)| InstallmentsFigures {
                    installments,
                    figures: sums.into(),
                })
                .collect(),
        }
    }
}

/// A report by period, solution, payment type, brand and installments.
#[derive(Debug, Serialize, ToSchema)]
pub struct SalesReport {
    #[serde(flatten)]
    pub report: Report,
    #[serde(flatten)]
    pub breakdown: Breakdown,
}

/// A report whose periods are also listed in pages.
#[derive(Debug, Serialize, ToSchema)]
pub struct FinancialReport {
    #[serde(flatten)]
    pub report: Report,
    /// A page of `periods`, in the requested order.
    pub data: Vec<ReportPeriod>,
    pub meta: PageMeta,
}
