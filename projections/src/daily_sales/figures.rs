//! The figures of reports: sums over the volume by day, by any of its columns.
//!
//! Every query reads rows of roll-ups, so that its cost depends on days and companies and not on sales.

use ledger_domain::calendar::{Date, Instant, start_of};
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use ledger_domain::{BusinessId, Cents, TerminalId};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::Figures;
use crate::page::{Order, Page, Paging};
use crate::{Error, column_values};

/// Which sales count. A missing filter does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FigureFilter {
    pub businesses: Option<Vec<BusinessId>>,
    pub solution: Option<Solution>,
    pub payment_type: Option<PaymentType>,
    pub brand: Option<CardBrand>,
    pub terminal_id: Option<TerminalId>,
    pub payment_link: Option<String>,
    /// Only sales of terminals.
    pub by_terminals: bool,
}

/// Business dates, both included.
pub type Dates = (Date, Date);

/// The figures of a period by the attributes of its sales, the largest gross first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Breakdown {
    pub by_solution: Vec<(Solution, Figures)>,
    pub by_payment_type: Vec<(PaymentType, Figures)>,
    /// `None`: sales without a card.
    pub by_brand: Vec<(Option<CardBrand>, Figures)>,
}

/// The column by which companies are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureSort {
    Name,
    Count,
    Gross,
    Fees,
    Net,
    Canceled,
    Refunded,
    Reversed,
    Disputed,
    ChargedBack,
    Settled,
}

impl FigureSort {
    /// The same order in memory.
    pub fn value(self, figures: &Figures) -> i64 {
        match self {
            Self::Name => 0,
            Self::Count => figures.sales,
            Self::Gross => figures.gross,
            Self::Fees => figures.gross.saturating_sub(figures.net),
            Self::Net => figures.net,
            Self::Canceled => figures.canceled_gross,
            Self::Refunded => figures.refunded_gross,
            Self::Reversed => figures.acquirer_reversed_gross,
            Self::Disputed => figures.disputed,
            Self::ChargedBack => figures.charged_back,
            Self::Settled => figures.settled,
        }
    }

    const fn sql(self) -> &'static str {
        match self {
            Self::Name => "(SELECT folded(name) FROM business WHERE id = business_id)",
            Self::Count => "sum(sales)",
            Self::Gross => "sum(gross)",
            Self::Fees => "sum(gross - net)",
            Self::Net => "sum(net)",
            Self::Canceled => "sum(canceled_gross)",
            Self::Refunded => "sum(refunded_gross)",
            Self::Reversed => "sum(acquirer_reversed_gross)",
            Self::Disputed => "sum(disputed)",
            Self::ChargedBack => "sum(charged_back)",
            Self::Settled => "sum(settled)",
        }
    }
}

/// The filter and the period as SQL parameters: `$1` to `$9` of `CONDITIONS`.
struct Conditions {
    businesses: Option<Vec<uuid::Uuid>>,
    solution: Option<i16>,
    payment_type: Option<&'static str>,
    brand: Option<String>,
    terminal: Option<uuid::Uuid>,
    payment_link: Option<String>,
    by_terminals: bool,
    start: Date,
    end: Date,
}

const CONDITIONS: &str = "($1::uuid[] IS NULL OR business_id = ANY ($1))
     AND ($2::int2 IS NULL OR solution = $2)
     AND ($3::text IS NULL OR payment_type = $3)
     AND ($4::text IS NULL OR card_brand = $4)
     AND ($5::uuid IS NULL OR terminal_id = $5)
     AND ($6::text IS NULL OR payment_link_code = $6)
     AND (NOT $7::bool OR terminal_id IS NOT NULL)
     AND business_date BETWEEN $8 AND $9";

impl Conditions {
    fn of(filter: &FigureFilter, (start, end): Dates) -> Self {
        let uuids = |ids: &Vec<BusinessId>| ids.iter().map(|id| id.uuid()).collect();
        Self {
            businesses: filter.businesses.as_ref().map(uuids),
            solution: filter.solution.map(|solution| i16::from(solution.number())),
            payment_type: filter.payment_type.map(PaymentType::as_str),
            brand: filter.brand.as_ref().map(|brand| brand.as_str().to_owned()),
            terminal: filter.terminal_id.map(TerminalId::uuid),
            payment_link: filter.payment_link.clone(),
            by_terminals: filter.by_terminals,
            start,
            end,
        }
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.businesses, Type::UUID_ARRAY),
            (&self.solution, Type::INT2),
            (&self.payment_type, Type::TEXT),
            (&self.brand, Type::TEXT),
            (&self.terminal, Type::UUID),
            (&self.payment_link, Type::TEXT),
            (&self.by_terminals, Type::BOOL),
            (&self.start, Type::DATE),
            (&self.end, Type::DATE),
        ]
    }
}

/// The sums of all columns, in the order of `Figures::from_row`.
fn sums() -> String {
    let sums: Vec<_> = Figures::COLUMNS
        .iter()
        .map(|column| format!("sum({column})::int8"))
        .collect();
    sums.join(", ")
}

/// The figures of each day that has any, by the day's first instant.
pub async fn figures_by_day(
    client: &impl GenericClient,
    filter: &FigureFilter,
    dates: Dates,
) -> Result<Vec<(Instant, Figures)>, Error> {
    let conditions = Conditions::of(filter, dates);
    let sql = format!(
        "SELECT business_date, {} FROM daily_sales WHERE {CONDITIONS} GROUP BY business_date ORDER BY business_date",
        sums()
    );
    let rows = client.query_typed(&sql, &conditions.parameters()).await?;
    let day = |row: &Row| (start_of(row.get(0)), Figures::from_row(row, 1));
    Ok(rows.iter().map(day).collect())
}

/// A period's figures by solution, payment type and brand, from one reading.
pub async fn figures_breakdown(
    client: &impl GenericClient,
    filter: &FigureFilter,
    dates: Dates,
) -> Result<Breakdown, Error> {
    let conditions = Conditions::of(filter, dates);
    let sql = format!(
        "SELECT grouping(solution, payment_type, card_brand), solution, payment_type, card_brand, {}
           FROM daily_sales WHERE {CONDITIONS}
          GROUP BY GROUPING SETS ((solution), (payment_type), (card_brand))
          ORDER BY sum(gross) DESC, solution, payment_type, card_brand",
        sums()
    );
    let rows = client.query_typed(&sql, &conditions.parameters()).await?;
    let mut breakdown = Breakdown::default();
    for row in &rows {
        let figures = Figures::from_row(row, 4);
        // A bit is set for each column that the row does not group by.
        match row.get::<_, i32>(0) {
            0b011 => breakdown
                .by_solution
                .push((column_values::solution(row.get(1))?, figures)),
            0b101 => breakdown
                .by_payment_type
                .push((column_values::payment_type(row.get(2))?, figures)),
            _ => breakdown
                .by_brand
                .push((column_values::optional_brand(row.get(3))?, figures)),
        }
    }
    Ok(breakdown)
}

/// The figures of each terminal that has any.
pub async fn figures_by_terminal(
    client: &impl GenericClient,
    filter: &FigureFilter,
    dates: Dates,
) -> Result<Vec<(TerminalId, Figures)>, Error> {
    let filter = FigureFilter {
        by_terminals: true,
        ..filter.clone()
    };
    let conditions = Conditions::of(&filter, dates);
    let sql = format!(
        "SELECT terminal_id, {} FROM daily_sales WHERE {CONDITIONS} GROUP BY terminal_id",
        sums()
    );
    let rows = client.query_typed(&sql, &conditions.parameters()).await?;
    let terminal = |row: &Row| (TerminalId::from_uuid(row.get(0)), Figures::from_row(row, 1));
    Ok(rows.iter().map(terminal).collect())
}

/// One page of the companies that have figures in the period.
pub async fn figures_by_company(
    client: &impl GenericClient,
    filter: &FigureFilter,
    dates: Dates,
    (sort, order): (FigureSort, Order),
    paging: Paging,
) -> Result<Page<(BusinessId, Figures)>, Error> {
    let conditions = Conditions::of(filter, dates);
    let (limit, offset) = paging.within_total();
    let sql = format!(
        "SELECT business_id, {} FROM daily_sales WHERE {CONDITIONS} GROUP BY business_id
          ORDER BY {} {}, business_id LIMIT $10 OFFSET $11",
        sums(),
        sort.sql(),
        column_values::direction(order),
    );
    let mut parameters = conditions.parameters();
    parameters.extend([(&limit as &(dyn ToSql + Sync), Type::INT8), (&offset, Type::INT8)]);
    let rows = client.query_typed(&sql, &parameters).await?;
    let company = |row: &Row| (BusinessId::from_uuid(row.get(0)), Figures::from_row(row, 1));
    let sql = format!("SELECT count(DISTINCT business_id) FROM daily_sales WHERE {CONDITIONS}");
    let found = client.query_typed_one(&sql, &conditions.parameters()).await?;
    Ok(Page::numbered(rows.iter().map(company).collect(), found.get(0)))
}

/// What the platform earned besides the fees of sales.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TransferFees {
    pub withdrawals: Cents,
    pub rentals: Cents,
}

/// The fees of withdrawals and the rentals of each day that has any, by the day's first instant. A returned rental counts
/// as negative on its own day.
pub async fn transfer_fees_by_day(
    client: &impl GenericClient,
    businesses: Option<&[BusinessId]>,
    (start, end): Dates,
) -> Result<Vec<(Instant, TransferFees)>, Error> {
    let businesses: Option<Vec<_>> = businesses.map(|ids| ids.iter().map(|id| id.uuid()).collect());
    let rows = client
        .query_typed(
            "SELECT business_date,
                    coalesce(sum(platform_fees) FILTER (WHERE event_type = 'TransferApproved'), 0)::int8,
                    coalesce(sum(platform_fees) FILTER (WHERE event_type <> 'TransferApproved'), 0)::int8
               FROM journal
              WHERE ($1::uuid[] IS NULL OR business_id = ANY ($1)) AND business_date BETWEEN $2 AND $3
                AND event_type IN ('TransferApproved', 'TerminalRentalCharged', 'TerminalRentalCanceled')
              GROUP BY business_date ORDER BY business_date",
            &[
                (&businesses, Type::UUID_ARRAY),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    let day = |row: &Row| (start_of(row.get(0)), fees_at(row, 1));
    Ok(rows.iter().map(day).collect())
}

/// The same by company, over the whole period.
pub async fn transfer_fees_by_company(
    client: &impl GenericClient,
    businesses: &[BusinessId],
    (start, end): Dates,
) -> Result<Vec<(BusinessId, TransferFees)>, Error> {
    let businesses: Vec<_> = businesses.iter().map(|id| id.uuid()).collect();
    let rows = client
        .query_typed(
            "SELECT business_id,
                    coalesce(sum(platform_fees) FILTER (WHERE event_type = 'TransferApproved'), 0)::int8,
                    coalesce(sum(platform_fees) FILTER (WHERE event_type <> 'TransferApproved'), 0)::int8
               FROM journal
              WHERE business_id = ANY ($1) AND business_date BETWEEN $2 AND $3
                AND event_type IN ('TransferApproved', 'TerminalRentalCharged', 'TerminalRentalCanceled')
              GROUP BY business_id",
            &[
                (&businesses, Type::UUID_ARRAY),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    let company = |row: &Row| (BusinessId::from_uuid(row.get(0)), fees_at(row, 1));
    Ok(rows.iter().map(company).collect())
}

fn fees_at(row: &Row, first: usize) -> TransferFees {
    TransferFees {
        withdrawals: Cents::new(row.get(first)),
        rentals: Cents::new(row.get(first + 1)),
    }
}
