//! Lists of sales behind the figures of reports. A row has the part of its sale that the figure counts, so that the
//! list adds up to the figure.

use ledger_domain::Cents;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::SaleStatus;
use tokio_postgres::Row;

use super::list::SaleFilter;
use super::{SALE_COLUMN_COUNT, SaleRow};
use crate::{Error, column_values};

/// The event by whose instant a list of sales is ordered. `SaleFilter::range` restricts the same instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DateBasis {
    /// The capture, else the creation. Every sale has it.
    #[default]
    Occurred,
    /// The capture, also of a sale that was reversed later.
    Captured,
    /// A reversal or, if the filter names `succeeded`, a dispute that was won. The filter's statuses are those that the
    /// sale had after the event. A sale is listed once for each event.
    Reversed,
    /// The settlement of an installment. A sale is listed once for each settled installment.
    Settled,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSale {
    pub sale: SaleRow,
    /// `None` in lists by occurrence and by capture: the whole sale counts.
    pub counted: Option<CountedPart>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedPart {
    pub at: Instant,
    /// The status that the sale had after the event; `None` for a settlement.
    pub status: Option<SaleStatus>,
    /// The installment that was settled, from 1.
    pub installment: Option<u8>,
    pub gross: Cents,
    pub net: Cents,
}

impl DateBasis {
    /// The SQL table or subquery in which the rows of a page are found. It has the columns that `sale_filter`
    /// restricts.
    pub(crate) const fn source(self) -> &'static str {
        match self {
            Self::Occurred | Self::Captured => "sale",
            Self::Reversed => {
                "(SELECT returned.sale_id, returned.business_id, whole.solution, whole.payment_type, returned.status,
                         whole.card_brand, whole.terminal_id, whole.payment_link_code, whole.installments,
                         returned.occurred_at, returned.returns, returned.gross, returned.net,
                         returned.status AS counted_status
                    FROM sale_return AS returned JOIN sale AS whole USING (sale_id)) AS listed"
            }
            // A line has what became available. The note of a settlement says that the reserve holds the rest.
            Self::Settled => {
                "(SELECT line.sale_id, line.business_id, whole.solution, whole.payment_type, whole.status,
                         whole.card_brand, whole.terminal_id, whole.payment_link_code, whole.installments,
                         line.occurred_at, 1::int8 AS returns, line.installment,
                         CASE WHEN settled.net = whole.installment_net[line.installment]
                              THEN whole.installment_gross[line.installment]
                              ELSE share_of(whole.installment_gross[line.installment], settled.net,
                                            whole.installment_net[line.installment]) END AS gross,
                         settled.net
                    FROM statement_line AS line JOIN sale AS whole USING (sale_id)
                   CROSS JOIN LATERAL (
                         SELECT line.amount + CASE WHEN line.note IS NULL THEN 0 ELSE coalesce(
                                (SELECT piece.reserved FROM reserve_piece AS piece
                                  WHERE piece.sale_id = line.sale_id AND piece.number = line.installment), 0) END) AS settled (net)
                   WHERE line.movement = 'settlement') AS listed"
            }
        }
    }

    /// An SQL condition in addition to those of `sale_filter`. It begins with ` AND`, or is empty.
    pub(super) fn condition(self, filter: &SaleFilter) -> &'static str {
        match self {
            Self::Captured => " AND net IS NOT NULL",
            // A won dispute gives the money back to the company. It is listed only if the filter names its status.
            Self::Reversed if filter.statuses.is_empty() => " AND status <> 'succeeded'",
            Self::Occurred | Self::Reversed | Self::Settled => "",
        }
    }

    /// The last column of the order and of the cursor, as `, column` or empty. A sale may have several installments
    /// that were settled at one instant, and several reversals.
    pub(super) const fn tie_breaker(self) -> &'static str {
        match self {
            Self::Reversed => ", counted_status",
            Self::Settled => ", installment",
            Self::Occurred | Self::Captured => "",
        }
    }

    /// The columns of `source` that the inner query of a page selects besides the sale, as `, columns` or empty.
    pub(super) const fn inner_columns(self) -> &'static str {
        match self {
            Self::Occurred | Self::Captured => "",
            Self::Reversed => ", gross AS counted_gross, net AS counted_net, counted_status",
            Self::Settled => ", gross AS counted_gross, net AS counted_net, installment",
        }
    }

    /// The column of a page's rows that has the instant by which the list is ordered.
    pub(super) const fn instant(self) -> &'static str {
        match self {
            Self::Occurred | Self::Captured => "occurred_at",
            Self::Reversed | Self::Settled => "counted_at",
        }
    }

    /// The columns after those of the sale, as `CountedPart::from_row` reads them.
    pub(super) const fn page_columns(self) -> &'static str {
        match self {
            Self::Occurred | Self::Captured => "",
            Self::Reversed => ", page.counted_at, page.counted_gross, page.counted_net, page.counted_status",
            Self::Settled => ", page.counted_at, page.counted_gross, page.counted_net, page.installment",
        }
    }
}

impl CountedPart {
    pub(super) fn from_row(basis: DateBasis, row: &Row) -> Result<Option<Self>, Error> {
        let first = SALE_COLUMN_COUNT;
        let (status, installment) = match basis {
            DateBasis::Occurred | DateBasis::Captured => return Ok(None),
            DateBasis::Reversed => (Some(column_values::sale_status(row.get(first + 3))?), None),
            DateBasis::Settled => {
                let number = column_values::small_number("statement_line.installment", row.get(first + 3))?;
                (None, Some(number))
            }
        };
        Ok(Some(Self {
            at: row.get(first),
            status,
            installment,
            gross: Cents::new(row.get(first + 1)),
            net: Cents::new(row.get(first + 2)),
        }))
    }
}
