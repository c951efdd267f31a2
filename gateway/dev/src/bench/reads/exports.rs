//! The rate and the memory of exports: the latest sales of all companies as a spreadsheet and as CSV, and the
//! accountant's month of the company with a tenth of the sales. The peer of the spreadsheet is a loop that only writes
//! the same cells with rust_xlsxwriter.

use std::time::{Duration, Instant};

use chrono::{Datelike, Months, NaiveDate, NaiveDateTime, Utc};
use ledger_domain::calendar::business_date;
use rust_xlsxwriter::{Format, Workbook};

use super::super::BenchError;
use super::report::{Alone, ExportFigures};
use super::sales::DAYS;
use super::world::{BIG_COMPANY, Panel, World, company_id};

/// About how many rows the exports of sales have.
const ROWS: u64 = 100_000;
/// How often the spreadsheet is measured, in turns with the loop that only writes it.
const TIMES: usize = 3;
/// The zip level that the gateway uses; that of rust_xlsxwriter is 6.
const COMPRESSION: u8 = 2;
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const CSV: &str = "text/csv";

pub async fn measure(
    world: &World,
    progress: &mut impl FnMut(String),
) -> Result<Vec<ExportFigures>, BenchError> {
    let path = path_of(world).await?;
    progress(format!("exports of {path}"));
    // Both exports run once before the measurement, so that the memory is that of a gateway that has exported.
    let csv = world.body(Panel::Staff, &path, CSV).await?;
    world.body(Panel::Staff, &path, XLSX).await?;
    let cells = cells_of(&csv);
    let rows = u64::try_from(cells.len().saturating_sub(1))?;
    let mut figures = vec![];
    for _ in 0..TIMES {
        let alone = Alone {
            usual: alone(&cells, None)?,
            same_level: alone(&cells, Some(COMPRESSION))?,
        };
        let xlsx = export(world, "xlsx", &path, XLSX, rows).await?;
        figures.push(ExportFigures {
            alone: Some(alone),
            ..xlsx
        });
    }
    drop(cells);
    figures.push(export(world, "csv", &path, CSV, rows).await?);
    figures.push(closing(world).await?);
    Ok(figures)
}

/// The list of all sales of the last days, as many days as have about `ROWS` sales.
async fn path_of(world: &World) -> Result<String, BenchError> {
    let sales = world.count("SELECT count(*) FROM sale").await?;
    let days = (ROWS * u64::try_from(DAYS)?).div_ceil(sales.max(1)).clamp(1, 400);
    let end = business_date(Utc::now());
    let start = end - chrono::TimeDelta::days(i64::try_from(days)? - 1);
    Ok(format!(
        "/api/admin/transactions?start={start}&end={end}&time_zone=America/Sao_Paulo"
    ))
}

/// The accountant's month of the big company, for the last month that has ended.
async fn closing(world: &World) -> Result<ExportFigures, BenchError> {
    let company = company_id(BIG_COMPANY);
    let path = format!("/api/admin/businesses/{company}/closing");
    let (next, first) = last_month(business_date(Utc::now()));
    // Midnight in Brasília is 03:00 UTC.
    let sales = format!(
        "SELECT count(*) FROM sale WHERE business_id = '{}' AND net IS NOT NULL AND captured_at >= '{first} 03:00Z'
            AND captured_at < '{next} 03:00Z'",
        company.uuid()
    );
    let rows = world.count(&sales).await?;
    world.body(Panel::Staff, &path, XLSX).await?;
    export(world, "the accountant's month", &path, XLSX, rows).await
}

/// The first days of this month and of the one before it.
fn last_month(today: NaiveDate) -> (NaiveDate, NaiveDate) {
    let first = today.with_day(1).unwrap_or(today);
    (first, first.checked_sub_months(Months::new(1)).unwrap_or(first))
}

async fn export(
    world: &World,
    name: &str,
    path: &str,
    accept: &str,
    rows: u64,
) -> Result<ExportFigures, BenchError> {
    let before = world.gateway.resident_kib()?;
    world.gateway.reset_peak()?;
    let began = Instant::now();
    let body = world.body(Panel::Staff, path, accept).await?;
    Ok(ExportFigures {
        name: name.to_owned(),
        rows,
        bytes: u64::try_from(body.len())?,
        taken: began.elapsed(),
        alone: None,
        peak_kib: world.gateway.peak_kib()?.saturating_sub(before),
    })
}

enum Cell {
    Money(f64),
    Count(f64),
    Instant(NaiveDateTime),
    Text(String),
    Empty,
}

/// The cells of the CSV file. Their kinds are guessed from their text.
fn cells_of(csv: &[u8]) -> Vec<Vec<Cell>> {
    String::from_utf8_lossy(csv)
        .lines()
        .map(|line| line.split(';').map(cell_of).collect())
        .collect()
}

fn cell_of(text: &str) -> Cell {
    if text.is_empty() {
        return Cell::Empty;
    }
    if let Ok(at) = NaiveDateTime::parse_from_str(text, "%d/%m/%Y %H:%M") {
        return Cell::Instant(at);
    }
    let number = text.replace(',', ".").parse();
    match (number, text.contains(',')) {
        (Ok(number), true) => Cell::Money(number),
        (Ok(number), false) => Cell::Count(number),
        (Err(_), _) => Cell::Text(text.to_owned()),
    }
}

/// The time that rust_xlsxwriter needs for the same cells. It writes row by row with constant memory, as the gateway
/// does, and with its usual compression if `level` is `None`.
fn alone(rows: &[Vec<Cell>], level: Option<u8>) -> Result<Duration, BenchError> {
    let began = Instant::now();
    let format = |text: &str| Format::new().set_num_format(text);
    let (money, count, instant) = (
        format("[$R$-416] #,##0.00;-[$R$-416] #,##0.00"),
        format("#,##0"),
        format("dd/mm/yyyy hh:mm"),
    );
    let mut workbook = Workbook::new();
    if let Some(level) = level {
        workbook.set_zip_compression_level(level);
    }
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    for (number, row) in (0..).zip(rows) {
        for (column, cell) in (0..).zip(row) {
            match cell {
                Cell::Money(value) => sheet.write_number_with_format(number, column, *value, &money)?,
                Cell::Count(value) => sheet.write_number_with_format(number, column, *value, &count)?,
                Cell::Instant(at) => sheet.write_datetime_with_format(number, column, at, &instant)?,
                Cell::Text(text) => sheet.write_string(number, column, text)?,
                Cell::Empty => sheet,
            };
        }
    }
    workbook.save_to_buffer()?;
    Ok(began.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_month_is_the_whole_month_before_this_one() {
        let date = |text: &str| text.parse().expect("a date");
        assert_eq!(
            last_month(date("2026-01-24")),
            (date("2026-01-01"), date("2025-12-01"))
        );
    }

    #[test]
    fn the_kind_of_a_cell_is_guessed_from_its_text() {
        let cells = cells_of("21/11/2026 14:03;12,50;3;Padaria;\r\n".as_bytes());
        let [
            Cell::Instant(_),
            Cell::Money(money),
            Cell::Count(count),
            Cell::Text(text),
            Cell::Empty,
        ] = &cells[0][..]
        else {
            panic!("a row of five cells");
        };
        assert!((*money - 12.5).abs() < 1e-9 && (*count - 3.0).abs() < 1e-9);
        assert_eq!(text, "Padaria");
    }
}
