//! The rate and the memory of exports: the sales of the big company as a spreadsheet and as CSV, beside a program that only
//! writes the same cells with rust_xlsxwriter.

use std::time::{Duration, Instant};

use chrono::Utc;
use ledger_domain::calendar::business_date;
use rust_xlsxwriter::Workbook;

use super::super::BenchError;
use super::report::ExportFigures;
use super::sales::DAYS;
use super::world::{Panel, World};

/// The rows of the exports.
const ROWS: u64 = 100_000;
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const CSV: &str = "text/csv";

pub async fn measure(
    world: &World,
    progress: &mut impl FnMut(String),
) -> Result<Vec<ExportFigures>, BenchError> {
    let path = path_of(world).await?;
    progress(format!("exports of {path}"));
    // Both once before, so that the memory is that of a gateway that has exported.
    let csv = world.body(Panel::Staff, &path, CSV).await?;
    world.body(Panel::Staff, &path, XLSX).await?;
    let rows: Vec<Vec<String>> = String::from_utf8_lossy(&csv)
        .lines()
        .map(|line| line.split(';').map(str::to_owned).collect())
        .collect();
    let count = u64::try_from(rows.len().saturating_sub(1))?;
    let alone = alone(&rows)?;
    drop(rows);
    let mut figures = vec![];
    for (name, accept) in [("xlsx", XLSX), ("csv", CSV)] {
        let before = world.gateway.resident_kib()?;
        world.gateway.reset_peak()?;
        let began = Instant::now();
        let body = world.body(Panel::Staff, &path, accept).await?;
        figures.push(ExportFigures {
            name: name.to_owned(),
            rows: count,
            bytes: u64::try_from(body.len())?,
            taken: began.elapsed(),
            alone: (accept == XLSX).then_some(alone),
            peak_kib: world.gateway.peak_kib()?.saturating_sub(before),
        });
    }
    Ok(figures)
}

/// The list of all sales of the last days that have so many rows together.
async fn path_of(world: &World) -> Result<String, BenchError> {
    let sales = world.count("SELECT count(*) FROM sale").await?;
    let days = (ROWS * u64::try_from(DAYS)?).div_ceil(sales.max(1)).clamp(1, 400);
    let end = business_date(Utc::now());
    let start = end - chrono::TimeDelta::days(i64::try_from(days)? - 1);
    Ok(format!(
        "/api/admin/transactions?start={start}&end={end}&time_zone=America/Sao_Paulo"
    ))
}

/// The time that rust_xlsxwriter needs for the same cells, row by row and with constant memory, as the gateway uses it.
fn alone(rows: &[Vec<String>]) -> Result<Duration, BenchError> {
    let began = Instant::now();
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    for (number, row) in (0..).zip(rows) {
        for (column, cell) in (0..).zip(row) {
            match cell.replace(',', ".").parse::<f64>() {
                Ok(value) => sheet.write_number(number, column, value)?,
                Err(_) => sheet.write_string(number, column, cell)?,
            };
        }
    }
    workbook.save_to_buffer()?;
    Ok(began.elapsed())
}
