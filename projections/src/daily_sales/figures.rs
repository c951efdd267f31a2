//! The figures of reports: sums over the volume by day, by any of its columns.
//!
//! Every query reads rows of roll-ups, so that its cost depends on days and companies and not on sales.

use ledger_domain::calendar::{Date, Instant, start_of};
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use ledger_domain::{BusinessId, TerminalId};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::Figures;
use super::filter::{Edges, FigureFilter, Within};
use crate::{Error, column_values};

/// The figures of a period by the attributes of its sales, the largest gross first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Breakdown {
    pub by_solution: Vec<(Solution, Figures)>,
    pub by_payment_type: Vec<(PaymentType, Figures)>,
    /// `None`: sales without a card.
    pub by_brand: Vec<(Option<CardBrand>, Figures)>,
    pub by_installments: Vec<(u8, Figures)>,
}

/// The filter and the period as SQL parameters: `$1` to `$10` of `rows`.
pub(super) struct Conditions {
    businesses: Option<Vec<uuid::Uuid>>,
    solution: Option<i16>,
    payment_type: Option<&'static str>,
    brand: Option<String>,
    installments: Option<i16>,
    terminal: Option<uuid::Uuid>,
    payment_link: Option<String>,
    only_terminals: bool,
    source: Source,
}

/// The roll-ups that a query reads.
#[derive(Clone, Copy)]
enum Source {
    Days {
        start: Date,
        end: Date,
    },
    Hours {
        from: Instant,
        until: Instant,
    },
    Months(Edges),
    /// Of all companies together.
    PlatformDays {
        start: Date,
        end: Date,
    },
    PlatformHours {
        from: Instant,
        until: Instant,
    },
    PlatformAttributes {
        start: Date,
        end: Date,
    },
}

/// The columns by which a query groups.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grouping {
    Slots,
    Attributes,
}

const BUSINESSES: &str = "($1::uuid[] IS NULL OR business_id = ANY ($1))";
const SALES: &str = "($2::int2 IS NULL OR solution = $2)
     AND ($3::text IS NULL OR payment_type = $3)
     AND ($4::text IS NULL OR card_brand = $4)
     AND ($5::int2 IS NULL OR installments = $5)
     AND ($6::uuid IS NULL OR terminal_id = $6)
     AND ($7::text IS NULL OR payment_link_code = $7)
     AND (NOT $8::bool OR terminal_id IS NOT NULL)";

impl Conditions {
    pub(super) fn of(filter: &FigureFilter, within: Within) -> Self {
        let uuids = |ids: &Vec<BusinessId>| ids.iter().map(|id| id.uuid()).collect();
        let days = |(start, end)| Source::Days { start, end };
        Self {
            businesses: filter.businesses.as_ref().map(uuids),
            solution: filter.solution.map(|solution| i16::from(solution.number())),
            payment_type: filter.payment_type.map(PaymentType::as_str),
            brand: filter.brand.as_ref().map(|brand| brand.as_str().to_owned()),
            installments: filter.installments.map(i16::from),
            terminal: filter.terminal_id.map(TerminalId::uuid),
            payment_link: filter.payment_link.clone(),
            only_terminals: filter.only_terminals,
            source: match within {
                Within::Days(dates) => days(dates),
                // Months have no attributes of sales.
                Within::Months(dates) if filter.restricts_sales() => days(dates),
                Within::Months(dates) => Edges::of(dates).map_or_else(|| days(dates), Source::Months),
                Within::Hours(from, until) => Source::Hours { from, until },
            },
        }
    }

    /// For sums that name no company: all companies together, if the filter allows it.
    fn of_all(filter: &FigureFilter, within: Within, grouping: Grouping) -> Self {
        let by_company = Self::of(filter, within);
        let has_rows_of_platform = filter.businesses.is_none()
            && filter.terminal_id.is_none()
            && filter.payment_link.is_none()
            && !filter.only_terminals;
        if !has_rows_of_platform {
            return by_company;
        }
        let unrestricted = grouping == Grouping::Slots && !filter.restricts_sales();
        let source = match within {
            Within::Days((start, end)) | Within::Months((start, end)) if unrestricted => {
                Source::PlatformDays { start, end }
            }
            Within::Days((start, end)) | Within::Months((start, end)) => {
                Source::PlatformAttributes { start, end }
            }
            Within::Hours(from, until) if unrestricted => Source::PlatformHours { from, until },
            Within::Hours(..) => by_company.source,
        };
        Self { source, ..by_company }
    }

    /// The selected rows as a table: `slot`, the columns of the roll-up that are asked for, and the sums.
    pub(super) fn rows(&self, columns: &str) -> String {
        let sums = Figures::COLUMNS.join(", ");
        let rows = |slot: &str, table: &str, conditions: &str| {
            format!("SELECT {slot} AS slot, {columns}{sums} FROM {table} WHERE {BUSINESSES} AND {conditions}")
        };
        let of_platform = |slot: &str, table: &str, conditions: &str| {
            format!("(SELECT {slot} AS slot, {columns}{sums} FROM {table} WHERE {conditions})")
        };
        match self.source {
            Source::PlatformDays { .. } => of_platform(
                "business_date",
                "platform_sales_daily",
                "business_date BETWEEN $1 AND $2",
            ),
            Source::PlatformHours { .. } => of_platform(
                "business_hour",
                "platform_sales_hourly",
                "business_hour >= $1 AND business_hour < $2",
            ),
            Source::PlatformAttributes { .. } => of_platform(
                "business_date",
                "platform_sales_by_attribute",
                "business_date BETWEEN $1 AND $2
                 AND ($3::int2 IS NULL OR solution = $3) AND ($4::text IS NULL OR payment_type = $4)
                 AND ($5::text IS NULL OR card_brand = $5) AND ($6::int2 IS NULL OR installments = $6)",
            ),
            Source::Days { .. } => {
                let conditions = format!("{SALES} AND business_date BETWEEN $9 AND $10");
                format!("({})", rows("business_date", "daily_sales", &conditions))
            }
            Source::Hours { .. } => {
                let conditions = format!("{SALES} AND business_hour >= $9 AND business_hour < $10");
                format!("({})", rows("business_hour", "hourly_sales", &conditions))
            }
            Source::Months(_) => {
                let part = |conditions| rows("business_date", "daily_sales", conditions);
                format!(
                    "({} UNION ALL {} UNION ALL {})",
                    rows("month", "monthly_sales", "month >= $3 AND month < $4"),
                    part("business_date >= $2 AND business_date < $3"),
                    part("business_date >= $4 AND business_date <= $5"),
                )
            }
        }
    }

    pub(super) fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        match &self.source {
            Source::PlatformDays { start, end } => return vec![(start, Type::DATE), (end, Type::DATE)],
            Source::PlatformHours { from, until } => {
                return vec![(from, Type::TIMESTAMPTZ), (until, Type::TIMESTAMPTZ)];
            }
            Source::PlatformAttributes { start, end } => {
                return vec![
                    (start, Type::DATE),
                    (end, Type::DATE),
                    (&self.solution, Type::INT2),
                    (&self.payment_type, Type::TEXT),
                    (&self.brand, Type::TEXT),
                    (&self.installments, Type::INT2),
                ];
            }
            Source::Days { .. } | Source::Hours { .. } | Source::Months(_) => {}
        }
        let mut parameters: Vec<(&(dyn ToSql + Sync), Type)> = vec![(&self.businesses, Type::UUID_ARRAY)];
        if let Source::Months(Edges {
            start,
            first_month,
            end_month,
            end,
        }) = &self.source
        {
            let edges = [start, first_month, end_month, end];
            parameters.extend(edges.map(|date| (date as &(dyn ToSql + Sync), Type::DATE)));
            return parameters;
        }
        parameters.extend([
            (&self.solution as &(dyn ToSql + Sync), Type::INT2),
            (&self.payment_type, Type::TEXT),
            (&self.brand, Type::TEXT),
            (&self.installments, Type::INT2),
            (&self.terminal, Type::UUID),
            (&self.payment_link, Type::TEXT),
            (&self.only_terminals, Type::BOOL),
        ]);
        match &self.source {
            Source::Hours { from, until } => {
                parameters.extend([
                    (from as &(dyn ToSql + Sync), Type::TIMESTAMPTZ),
                    (until, Type::TIMESTAMPTZ),
                ]);
            }
            Source::Days { start, end } => {
                parameters.extend([(start as &(dyn ToSql + Sync), Type::DATE), (end, Type::DATE)]);
            }
            Source::Months(_)
            | Source::PlatformDays { .. }
            | Source::PlatformHours { .. }
            | Source::PlatformAttributes { .. } => {}
        }
        parameters
    }

    fn slot(&self, row: &Row) -> Instant {
        match self.source {
            Source::Hours { .. } | Source::PlatformHours { .. } => row.get(0),
            Source::Days { .. }
            | Source::Months(_)
            | Source::PlatformDays { .. }
            | Source::PlatformAttributes { .. } => start_of(row.get(0)),
        }
    }
}

/// The sums of all columns, in the order of `Figures::from_row`.
pub(super) fn sums() -> String {
    let sums: Vec<_> = Figures::COLUMNS
        .iter()
        .map(|column| format!("sum({column})::int8"))
        .collect();
    sums.join(", ")
}

/// The figures of each day, month or hour that has any, by its first instant.
pub async fn figures_by_slot(
    client: &impl GenericClient,
    filter: &FigureFilter,
    within: Within,
) -> Result<Vec<(Instant, Figures)>, Error> {
    let conditions = Conditions::of_all(filter, within, Grouping::Slots);
    let sql = format!(
        "SELECT slot, {} FROM {} AS counted GROUP BY slot ORDER BY slot",
        sums(),
        conditions.rows("")
    );
    let rows = client.query_typed(&sql, &conditions.parameters()).await?;
    let slot = |row: &Row| (conditions.slot(row), Figures::from_row(row, 1));
    Ok(rows.iter().map(slot).collect())
}

/// A period's figures by solution, payment type, brand and installments, from one reading.
pub async fn figures_breakdown(
    client: &impl GenericClient,
    filter: &FigureFilter,
    within: Within,
) -> Result<Breakdown, Error> {
    let within = match within {
        Within::Months(dates) => Within::Days(dates),
        within => within,
    };
    let conditions = Conditions::of_all(filter, within, Grouping::Attributes);
    let sql = format!(
        "SELECT grouping(solution, payment_type, card_brand, installments), solution, payment_type, card_brand,
                installments, {}
           FROM {} AS counted
          GROUP BY GROUPING SETS ((solution), (payment_type), (card_brand), (installments))
          ORDER BY sum(gross) DESC, solution, payment_type, card_brand, installments",
        sums(),
        conditions.rows("solution, payment_type, card_brand, installments, ")
    );
    let rows = client.query_typed(&sql, &conditions.parameters()).await?;
    let mut breakdown = Breakdown::default();
    for row in &rows {
        let figures = Figures::from_row(row, 5);
        // A bit is set for each column that the row does not group by.
        match row.get::<_, i32>(0) {
            0b0111 => breakdown
                .by_solution
                .push((column_values::solution(row.get(1))?, figures)),
            0b1011 => breakdown
                .by_payment_type
                .push((column_values::payment_type(row.get(2))?, figures)),
            0b1101 => breakdown
                .by_brand
                .push((column_values::optional_brand(row.get(3))?, figures)),
            _ => {
                let installments = column_values::small("daily_sales.installments", row.get(4))?;
                breakdown.by_installments.push((installments, figures));
            }
        }
    }
    Ok(breakdown)
}

/// The figures of each terminal that has any.
pub async fn figures_by_terminal(
    client: &impl GenericClient,
    filter: &FigureFilter,
    within: Within,
) -> Result<Vec<(TerminalId, Figures)>, Error> {
    let filter = FigureFilter {
        only_terminals: true,
        ..filter.clone()
    };
    let conditions = Conditions::of(&filter, within);
    let sql = format!(
        "SELECT terminal_id, {} FROM {} AS counted GROUP BY terminal_id",
        sums(),
        conditions.rows("terminal_id, ")
    );
    let rows = client.query_typed(&sql, &conditions.parameters()).await?;
    let terminal = |row: &Row| (TerminalId::from_uuid(row.get(0)), Figures::from_row(row, 1));
    Ok(rows.iter().map(terminal).collect())
}
