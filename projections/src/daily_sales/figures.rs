//! The figures of reports by time, by attribute of sales and by terminal. Queries add up rows of roll-ups, not sales.

use ledger_domain::TerminalId;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use tokio_postgres::{GenericClient, Row};

use super::Figures;
use super::filter::{FigureFilter, Within};
use super::selection::{Grouping, Selection};
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

/// The sums of all columns, in the order of `Figures::from_row`.
pub(super) fn sums() -> String {
    let sums: Vec<_> = Figures::COLUMNS
        .iter()
        .map(|column| format!("sum({column})::int8"))
        .collect();
    sums.join(", ")
}

/// The same sums, each with the name of its column.
fn named_sums() -> String {
    let sums: Vec<_> = Figures::COLUMNS
        .iter()
        .map(|column| format!("sum({column})::int8 AS {column}"))
        .collect();
    sums.join(", ")
}

/// The figures of each day, month or hour that has any, by its first instant.
pub async fn figures_by_slot(
    client: &impl GenericClient,
    filter: &FigureFilter,
    within: Within,
) -> Result<Vec<(Instant, Figures)>, Error> {
    let selection = Selection::of_all(filter, within, Grouping::Slots);
    let sql = format!(
        "SELECT slot, {} FROM {} AS counted GROUP BY slot ORDER BY slot",
        sums(),
        selection.rows("")
    );
    let rows = client.query_typed(&sql, &selection.parameters()).await?;
    let slot = |row: &Row| (selection.slot(row), Figures::from_row(row, 1));
    Ok(rows.iter().map(slot).collect())
}

/// A period's figures by solution, by payment type, by brand and by installments, from one statement.
pub async fn figures_breakdown(
    client: &impl GenericClient,
    filter: &FigureFilter,
    within: Within,
) -> Result<Breakdown, Error> {
    let selection = Selection::of_all(filter, within, Grouping::Attributes);
    // The inner query groups by all attributes, so that each row is added up once and not four times.
    let columns = "solution, payment_type, card_brand, installments";
    let sql = format!(
        "SELECT grouping({columns}), {columns}, {sums}
           FROM (SELECT {columns}, {named_sums} FROM {rows} AS counted GROUP BY {columns} {having}) AS by_all
          GROUP BY GROUPING SETS ((solution), (payment_type), (card_brand), (installments))
          ORDER BY sum(gross) DESC, {columns}",
        sums = sums(),
        named_sums = named_sums(),
        rows = selection.rows(&format!("{columns}, ")),
        having = selection.having(),
    );
    let rows = client.query_typed(&sql, &selection.parameters()).await?;
    let mut breakdown = Breakdown::default();
    for row in &rows {
        let figures = Figures::from_row(row, 5);
        // The result of `grouping` has a bit for each of the four columns, the first column in the highest bit. A bit
        // is set if the row does not group by the column.
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
                let installments = column_values::small_number("daily_sales.installments", row.get(4))?;
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
    let selection = Selection::by_company(&filter, within);
    let sql = format!(
        "SELECT terminal_id, {} FROM {} AS counted GROUP BY terminal_id {}",
        sums(),
        selection.rows("terminal_id, "),
        selection.having(),
    );
    let rows = client.query_typed(&sql, &selection.parameters()).await?;
    let terminal = |row: &Row| (TerminalId::from_uuid(row.get(0)), Figures::from_row(row, 1));
    Ok(rows.iter().map(terminal).collect())
}
