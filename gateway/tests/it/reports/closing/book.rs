//! The workbook of the accountant's month, as a test reads it.

use std::collections::HashMap;
use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};

use crate::spreadsheets::sheet::XLSX_MEDIA_TYPE;
use crate::support::Client;

/// The only sheet that differs between two files of one month: it has the time at which the file was made.
pub(super) const SUMMARY: &str = "Resumo";
pub(super) const SHEETS: [&str; 9] = [
    SUMMARY,
    "Vendas",
    "Devoluções",
    "Taxas",
    "Extrato",
    "A receber",
    "Saques",
    "Contas",
    "Conferência",
];

pub(super) struct Book {
    pub sheets: HashMap<String, Vec<Vec<Data>>>,
    /// The number of formulas in the sheet of checks.
    pub formulas: usize,
}

impl Book {
    pub fn open(content: Vec<u8>) -> Self {
        let mut workbook = Xlsx::new(Cursor::new(content)).expect("a workbook");
        assert_eq!(workbook.sheet_names(), SHEETS);
        let sheets = SHEETS.map(|name| {
            let range = workbook.worksheet_range(name).expect("a sheet");
            (name.to_owned(), range.rows().map(<[Data]>::to_vec).collect())
        });
        let formulas = workbook.worksheet_formula("Conferência").expect("formulas");
        Self {
            sheets: HashMap::from(sheets),
            formulas: formulas.used_cells().count(),
        }
    }

    /// A column's amounts in cents, row by row.
    pub fn amounts(&self, sheet: &str, title: &str) -> Vec<i64> {
        let rows = &self.sheets[sheet];
        let index = rows[0].iter().position(|cell| *cell == title);
        let index = index.unwrap_or_else(|| panic!("{title} in {:?}", rows[0]));
        rows[1..].iter().map(|row| cents(&row[index])).collect()
    }

    pub fn sum(&self, sheet: &str, title: &str) -> i64 {
        self.amounts(sheet, title).iter().sum()
    }

    /// A column's texts, row by row.
    pub fn texts(&self, sheet: &str, title: &str) -> Vec<String> {
        let rows = &self.sheets[sheet];
        let index = rows[0].iter().position(|cell| *cell == title).expect("a column");
        rows[1..].iter().map(|row| row[index].to_string()).collect()
    }

    /// The names of the checks that do not hold. Fails if the sheet has too few checks.
    pub fn failed_checks(&self) -> Vec<String> {
        let rows = &self.sheets["Conferência"][1..];
        assert!(rows.len() > 20, "{} checks", rows.len());
        let failed = rows
            .iter()
            .filter(|row| row[4] != Data::String("Confere".to_owned()));
        failed.map(|row| row[0].to_string()).collect()
    }
}

fn cents(cell: &Data) -> i64 {
    match cell {
        Data::Float(number) => format!("{number:.2}").replace('.', "").parse().expect("cents"),
        Data::Int(number) => number * 100,
        Data::Empty => 0,
        other => panic!("{other:?} is no amount"),
    }
}

pub(super) async fn download_book(client: &Client, path: &str) -> Book {
    let client = client.clone().with("accept", XLSX_MEDIA_TYPE);
    let (status, headers, content) = client.download(path).await;
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&content));
    let name = headers["content-disposition"].to_str().expect("a name");
    assert!(name.contains("fechamento-2026-"), "{name}");
    Book::open(content)
}
