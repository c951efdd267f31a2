//! Selects the rows of roll-ups that a query adds up: their companies, their sales, and their months, days or hours.
//!
//! A sum over all companies is read from the rows of all companies together, if these rows have the filter's columns.

use ledger_domain::calendar::{Date, Instant, days_after, start_of};
use ledger_domain::sale::PaymentType;
use ledger_domain::{BusinessId, TerminalId};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::Figures;
use super::filter::{FigureFilter, Within};
use super::months_and_days::{DateRange, MonthsAndDays, days};
use crate::Error;
use crate::each_shard::rows_of_each_shard;

pub(crate) struct Selection {
    businesses: Option<Vec<uuid::Uuid>>,
    sales: SalesFilter,
    scope: Scope,
    pieces: Vec<Piece>,
    /// Whether companies are also listed that have no figures but paid fees of withdrawals or rentals.
    lists_fee_payers: bool,
}

/// A filter of the sales that count, as SQL parameters.
pub(crate) struct SalesFilter {
    pub solution: Option<i16>,
    pub payment_type: Option<&'static str>,
    /// `None`: all sales.
    pub brands: Option<Vec<String>>,
    pub installments: Option<i16>,
    pub terminal: Option<uuid::Uuid>,
    pub payment_link: Option<String>,
    pub only_terminals: bool,
}

/// The tables that are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// The rows of each company.
    Companies,
    /// All companies together.
    Platform,
    /// All companies together, by the attributes of sales.
    PlatformByAttribute,
}

/// The rows of one roll-up in a range of time.
struct Piece {
    table: &'static str,
    /// The table's column of time.
    column: &'static str,
    /// Whether a table of the rows of companies has the attributes of sales. Not read for other tables.
    has_attributes: bool,
    range: Range,
    /// Whether the sums of these rows are subtracted and not added.
    subtracts: bool,
}

/// From the first value on and before the second.
enum Range {
    Dates(Date, Date),
    Instants(Instant, Instant),
}

/// The columns that a query groups by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Grouping {
    /// Months, days or hours. Each row must lie in the period.
    Slots,
    /// The attributes of sales.
    Attributes,
}

const BUSINESSES: &str = "($1::uuid[] IS NULL OR business_id = ANY ($1))";
/// Of the parameters `$2` to `$5`.
pub(super) const ATTRIBUTES: &str = "($2::int2 IS NULL OR solution = $2)
     AND ($3::text IS NULL OR payment_type = $3)
     AND ($4::text[] IS NULL OR card_brand = ANY ($4))
     AND ($5::int2 IS NULL OR installments = $5)";
const TERMINALS_AND_LINKS: &str = "($6::uuid IS NULL OR terminal_id = $6)
     AND ($7::text IS NULL OR payment_link_code = $7)
     AND (NOT $8::bool OR terminal_id IS NOT NULL)";
/// The number of the first parameter after those of the filters: the start of the first piece.
const FIRST_OF_PIECES: usize = 9;

impl From<&FigureFilter> for SalesFilter {
    fn from(filter: &FigureFilter) -> Self {
        Self {
            solution: filter.solution.map(|solution| i16::from(solution.number())),
            payment_type: filter.payment_type.map(PaymentType::as_str),
            brands: filter.brand.as_ref().map(|brand| vec![brand.as_str().to_owned()]),
            installments: filter.installments.map(i16::from),
            terminal: filter.terminal_id.map(TerminalId::uuid),
            payment_link: filter.payment_link.clone(),
            only_terminals: filter.only_terminals,
        }
    }
}

impl SalesFilter {
    pub(super) fn restricts_attributes(&self) -> bool {
        self.solution.is_some()
            || self.payment_type.is_some()
            || self.brands.is_some()
            || self.installments.is_some()
    }

    fn restricts_terminals_or_links(&self) -> bool {
        self.terminal.is_some() || self.payment_link.is_some() || self.only_terminals
    }
}

impl Selection {
    pub(super) fn by_company(filter: &FigureFilter, within: Within) -> Self {
        let (sales, split) = (SalesFilter::from(filter), MonthsAndDays::cheapest);
        let businesses = filter.businesses.as_deref();
        Self::of(businesses, sales, Scope::Companies, within, split)
    }

    pub(super) fn of_all(filter: &FigureFilter, within: Within, grouping: Grouping) -> Self {
        let sales = SalesFilter::from(filter);
        let businesses = filter.businesses.as_deref();
        let scope = Scope::of_sums(businesses, &sales, grouping);
        let (within, split): (_, fn(DateRange) -> MonthsAndDays) = match (grouping, within) {
            (Grouping::Slots, within) => (within, MonthsAndDays::adding),
            // The months of companies have no attributes of sales.
            (Grouping::Attributes, Within::Months(dates)) if scope == Scope::Companies => {
                (Within::Days(dates), MonthsAndDays::cheapest)
            }
            (Grouping::Attributes, within) => (within, MonthsAndDays::cheapest),
        };
        Self::of(businesses, sales, scope, within, split)
    }

    /// For one sum over the range. The range may be empty.
    pub(crate) fn of_range(businesses: Option<&[BusinessId]>, sales: SalesFilter, range: DateRange) -> Self {
        let scope = Scope::of_sums(businesses, &sales, Grouping::Slots);
        let pieces = scope.months_and_days(range, &sales, MonthsAndDays::cheapest);
        Self::of_pieces(businesses, sales, scope, pieces)
    }

    fn of(
        businesses: Option<&[BusinessId]>,
        sales: SalesFilter,
        scope: Scope,
        within: Within,
        split: fn(DateRange) -> MonthsAndDays,
    ) -> Self {
        let range = |(start, end)| (start, days_after(end, 1));
        let pieces = match within {
            Within::Days(dates) => vec![scope.days(range(dates))],
            Within::Months(dates) => scope.months_and_days(range(dates), &sales, split),
            Within::Hours(from, until) => vec![scope.hours(Range::Instants(from, until))],
        };
        Self::of_pieces(businesses, sales, scope, pieces)
    }

    fn of_pieces(
        businesses: Option<&[BusinessId]>,
        sales: SalesFilter,
        scope: Scope,
        pieces: Vec<Piece>,
    ) -> Self {
        Self {
            businesses: businesses.map(|ids| ids.iter().map(|id| id.uuid()).collect()),
            sales,
            scope,
            pieces,
            lists_fee_payers: false,
        }
    }

    /// Adds a row without figures for each day or month on which a company paid fees of withdrawals or rentals, or
    /// on which a debt was written off. Only for the rows of companies, and not by hour.
    pub(super) const fn with_fee_payers(mut self) -> Self {
        self.lists_fee_payers = true;
        self
    }

    /// Leaves out the pieces to subtract that have no rows, such as days after today. If none is left, `having` need
    /// not look for groups of zeros.
    pub(super) async fn without_empty_days(mut self, client: &impl GenericClient) -> Result<Self, Error> {
        let mut pieces = vec![];
        for piece in self.pieces {
            if !piece.subtracts || piece.has_rows(client, self.lists_fee_payers).await? {
                pieces.push(piece);
            }
        }
        self.pieces = pieces;
        Ok(self)
    }

    /// The selected rows as an SQL subquery: `slot` (the month, day or hour), the requested columns, and the sums.
    /// `columns` is empty or ends with a comma.
    pub(crate) fn rows(&self, columns: &str) -> String {
        let mut parts = vec![];
        for (piece, number) in self.pieces.iter().zip(0..) {
            let Piece { table, column, .. } = piece;
            let sign = if piece.subtracts { "-" } else { "" };
            let sums = Figures::COLUMNS
                .map(|sum| format!("{sign}{sum} AS {sum}"))
                .join(", ");
            let from = FIRST_OF_PIECES + 2 * number;
            let within = format!("{column} >= ${from} AND {column} < ${}", from + 1);
            let no_fees = if self.lists_fee_payers {
                ", 0 AS other_fees"
            } else {
                ""
            };
            let conditions = self.conditions(piece);
            parts.push(rows_of_each_shard(&format!(
                "SELECT {column} AS slot, {columns}{sums}{no_fees} FROM {table} WHERE {within}{conditions}"
            )));
            if self.lists_fee_payers {
                let fees = piece.table_of_fees();
                let zeros = Figures::COLUMNS.map(|_| "0").join(", ");
                parts.push(rows_of_each_shard(&format!(
                    "SELECT {column}, {columns}{zeros}, {sign}(withdrawals + rentals - write_offs) FROM {fees}
                      WHERE {within} AND (withdrawals <> 0 OR rentals <> 0 OR write_offs <> 0) AND {BUSINESSES}"
                )));
            }
        }
        format!("({})", parts.join(" UNION ALL "))
    }

    /// The SQL conditions of the filters on the rows of a piece, each after ` AND `.
    fn conditions(&self, piece: &Piece) -> String {
        match self.scope {
            Scope::Platform => String::new(),
            Scope::PlatformByAttribute => format!(" AND {ATTRIBUTES}"),
            Scope::Companies if piece.has_attributes => {
                format!(" AND {BUSINESSES} AND {ATTRIBUTES} AND {TERMINALS_AND_LINKS}")
            }
            Scope::Companies => format!(" AND {BUSINESSES}"),
        }
    }

    pub(crate) fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        let sales = &self.sales;
        let mut parameters: Vec<(&(dyn ToSql + Sync), Type)> = vec![
            (&self.businesses, Type::UUID_ARRAY),
            (&sales.solution, Type::INT2),
            (&sales.payment_type, Type::TEXT),
            (&sales.brands, Type::TEXT_ARRAY),
            (&sales.installments, Type::INT2),
            (&sales.terminal, Type::UUID),
            (&sales.payment_link, Type::TEXT),
            (&sales.only_terminals, Type::BOOL),
        ];
        parameters.extend(self.pieces.iter().flat_map(|piece| piece.range.parameters()));
        parameters
    }

    /// The first instant of the month, day or hour in the first column of a result.
    pub(super) fn slot(&self, row: &Row) -> Instant {
        match self.pieces.first().map(|piece| &piece.range) {
            Some(Range::Instants(..)) => row.get(0),
            Some(Range::Dates(..)) | None => start_of(row.get(0)),
        }
    }

    /// The condition that leaves out groups of zeros. A group is all zeros if the period subtracts everything that it
    /// adds to the group.
    pub(super) fn having(&self) -> String {
        if !self.pieces.iter().any(|piece| piece.subtracts) {
            // Without subtraction each group has a row with figures or fees.
            return String::new();
        }
        let has_fees = if self.lists_fee_payers {
            "OR sum(other_fees) <> 0"
        } else {
            ""
        };
        format!(
            "HAVING sum(sales + cancels + refunds + acquirer_reversals + disputes + disputes_won + chargebacks
                        + settled_count) > 0 {has_fees}"
        )
    }
}

impl Piece {
    /// The table of the platform fees of companies with the same column of time.
    fn table_of_fees(&self) -> &'static str {
        if self.column == "month" {
            "platform_fees_monthly"
        } else {
            "platform_fees_daily"
        }
    }

    /// Whether any company has rows or, with `or_fees`, fees on these days.
    async fn has_rows(&self, client: &impl GenericClient, or_fees: bool) -> Result<bool, Error> {
        let Self { table, column, .. } = self;
        let fees = if or_fees { "platform_revenue_daily" } else { table };
        let sql = format!(
            "SELECT EXISTS (SELECT 1 FROM {table} WHERE {column} >= $1 AND {column} < $2)
                 OR EXISTS (SELECT 1 FROM {fees} WHERE {column} >= $1 AND {column} < $2)"
        );
        let row = client.query_typed_one(&sql, &self.range.parameters()).await?;
        Ok(row.get(0))
    }
}

impl Range {
    fn parameters(&self) -> [(&(dyn ToSql + Sync), Type); 2] {
        match self {
            Self::Dates(from, until) => [(from, Type::DATE), (until, Type::DATE)],
            Self::Instants(from, until) => [(from, Type::TIMESTAMPTZ), (until, Type::TIMESTAMPTZ)],
        }
    }
}

impl Scope {
    /// The tables with the fewest rows that have the columns of the filter and the grouping.
    fn of_sums(businesses: Option<&[BusinessId]>, sales: &SalesFilter, grouping: Grouping) -> Self {
        if businesses.is_some() || sales.restricts_terminals_or_links() {
            Self::Companies
        } else if grouping == Grouping::Attributes || sales.restricts_attributes() {
            Self::PlatformByAttribute
        } else {
            Self::Platform
        }
    }

    /// The pieces of a range, as `split` cuts it. There is at least one, even for an empty range.
    fn months_and_days(
        self,
        range: DateRange,
        sales: &SalesFilter,
        split: fn(DateRange) -> MonthsAndDays,
    ) -> Vec<Piece> {
        // The months of companies have no attributes of sales.
        let has_months = self != Self::Companies
            || !(sales.restricts_attributes() || sales.restricts_terminals_or_links());
        let has_days = |range: &DateRange| days(*range) > 0;
        if !has_months || !has_days(&range) {
            return vec![self.days(range)];
        }
        let parts = split(range);
        let months = Some(parts.months)
            .filter(has_days)
            .map(|range| self.months(range));
        let added = parts.added.into_iter().filter(has_days);
        let subtracted = parts.subtracted.into_iter().filter(has_days);
        months
            .into_iter()
            .chain(added.map(|range| self.days(range)))
            .chain(subtracted.map(|range| self.subtracted_days(range)))
            .collect()
    }

    const fn months(self, (from, until): DateRange) -> Piece {
        Piece {
            table: match self {
                Self::Companies => "monthly_sales",
                Self::Platform => "platform_sales_monthly",
                Self::PlatformByAttribute => "platform_sales_monthly_by_attribute",
            },
            column: "month",
            has_attributes: matches!(self, Self::PlatformByAttribute),
            range: Range::Dates(from, until),
            subtracts: false,
        }
    }

    fn subtracted_days(self, range: DateRange) -> Piece {
        Piece {
            subtracts: true,
            ..self.days(range)
        }
    }

    const fn days(self, (from, until): DateRange) -> Piece {
        Piece {
            table: match self {
                Self::Companies => "daily_sales",
                Self::Platform => "platform_sales_daily",
                Self::PlatformByAttribute => "platform_sales_by_attribute",
            },
            column: "business_date",
            has_attributes: true,
            range: Range::Dates(from, until),
            subtracts: false,
        }
    }

    const fn hours(self, range: Range) -> Piece {
        Piece {
            table: match self {
                Self::Companies => "hourly_sales",
                Self::Platform => "platform_sales_hourly",
                Self::PlatformByAttribute => "platform_sales_hourly_by_attribute",
            },
            column: "business_hour",
            has_attributes: true,
            range,
            subtracts: false,
        }
    }
}
