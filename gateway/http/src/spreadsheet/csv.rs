//! Writes a list as CSV for Brazilian spreadsheet programs: semicolons, decimal commas, a byte order mark, CRLF.

use std::fs::File;
use std::io::{BufWriter, Seek, Write};

use gateway_environment::time_zone::TimeZone;

use super::sheet::{Cell, Column, SheetError, looks_like_a_formula};

/// Tells spreadsheet programs that the file is UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

pub struct CsvFile<Row: 'static> {
    file: BufWriter<File>,
    columns: &'static [Column<Row>],
    zone: TimeZone,
}

impl<Row> CsvFile<Row> {
    pub fn open(columns: &'static [Column<Row>], zone: TimeZone) -> Result<Self, SheetError> {
        let mut file = BufWriter::new(tempfile::tempfile()?);
        let titles: Vec<_> = columns.iter().map(|column| quoted(column.title)).collect();
        write!(file, "{BYTE_ORDER_MARK}{}\r\n", titles.join(";"))?;
        Ok(Self { file, columns, zone })
    }

    pub fn write(&mut self, row: &Row) -> Result<(), SheetError> {
        for (index, column) in self.columns.iter().enumerate() {
            if index > 0 {
                self.file.write_all(b";")?;
            }
            let text = written((column.cell)(row), self.zone);
            self.file.write_all(text.as_bytes())?;
        }
        Ok(self.file.write_all(b"\r\n")?)
    }

    /// The complete file, unnamed: it is deleted when it is closed.
    pub fn finish(self) -> Result<File, SheetError> {
        let mut file = self
            .file
            .into_inner()
            .map_err(|error| SheetError::File(error.into_error()))?;
        file.rewind()?;
        Ok(file)
    }
}

fn written(cell: Cell, zone: TimeZone) -> String {
    match cell {
        // A program that opens the file would evaluate the text as a formula.
        Cell::Text(text) if is_evaluated(&text) => quoted(&format!("'{text}")),
        // The only way that a CSV file has to say that a value is a text.
        Cell::Text(text) if is_converted(&text) => quoted(&format!("=\"{text}\"")),
        Cell::Text(text) => quoted(&text),
        Cell::Money(cents) | Cell::Sum { cents, .. } => {
            let (sign, absolute) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
            format!("{sign}{},{:02}", absolute / 100, absolute % 100)
        }
        Cell::Count(count) => count.to_string(),
        Cell::Date(date) => date.format("%d/%m/%Y").to_string(),
        Cell::Instant(at) => zone.local_time(at).format("%d/%m/%Y %H:%M").to_string(),
        Cell::Empty => String::new(),
    }
}

/// Programs also evaluate a formula behind blanks. OWASP's rules against CSV injection also forbid a tab or a line
/// break as the first character.
fn is_evaluated(text: &str) -> bool {
    looks_like_a_formula(text.trim_start()) || text.starts_with(['\t', '\r', '\n'])
}

/// The digits of a number that programs still show in full.
const SHOWN_DIGITS: usize = 11;
/// The beginnings of the months' names in Portuguese and English.
const MONTHS: [&str; 19] = [
    "jan", "fev", "feb", "mar", "abr", "apr", "mai", "may", "jun", "jul", "ago", "aug", "set", "sep", "out",
    "oct", "nov", "dez", "dec",
];

/// Whether a program that opens the file would turn the id or code into another value: it drops leading zeros, shows
/// and rounds long numbers, reads "7E5234" as a power of ten, and "1/3", "10-12" and "MAR10" as dates.
fn is_converted(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if is_number(text) {
        return text.len() > SHOWN_DIGITS || (text.len() > 1 && text.starts_with('0'));
    }
    let lower = text.to_ascii_lowercase();
    if let Some((digits, exponent)) = lower.split_once(['e', 'd'])
        && is_number(&digits.replace([',', '.'], ""))
        && is_number(exponent.trim_start_matches(['+', '-']))
    {
        return true;
    }
    let parts: Vec<&str> = lower.split(['/', '-', '.', ':']).collect();
    (2..=3).contains(&parts.len()) && parts.iter().all(|part| is_number(part) && part.len() <= 4)
        || is_month_and_number(&lower, is_number)
}

/// "mar10", "mar-10", "10/mar" and the like.
fn is_month_and_number(lower: &str, is_number: impl Fn(&str) -> bool) -> bool {
    let bare = lower.replace(['/', '-', '.', ' '], "");
    MONTHS.iter().any(|month| {
        let rest = bare.strip_prefix(month).or_else(|| bare.strip_suffix(month));
        rest.is_some_and(|rest| is_number(rest) && rest.len() <= 4)
    })
}

fn quoted(text: &str) -> String {
    if text.contains([';', '"', '\r', '\n']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(cell: Cell) -> String {
        written(cell, TimeZone::BRASILIA)
    }

    #[test]
    fn cells_are_written_as_brazilian_programs_read_them() {
        for (cents, shown) in [(0, "0,00"), (-5, "-0,05"), (123_456_789, "1234567,89")] {
            assert_eq!(text(Cell::Money(cents)), shown);
        }
        let date = "2026-11-03".parse().expect("a date");
        assert_eq!(text(Cell::Date(date)), "03/11/2026");
        let at = "2026-11-21T14:03:11Z".parse().expect("an instant");
        assert_eq!(text(Cell::Instant(at)), "21/11/2026 11:03");
        assert_eq!(
            (text(Cell::Count(7)), text(Cell::Empty)),
            ("7".to_owned(), String::new())
        );
    }

    #[test]
    fn a_text_stays_one_cell_and_is_never_a_formula() {
        let of = |value: &str| text(Cell::Text(value.to_owned()));
        assert_eq!(of("Padaria; Café \"Sol\""), "\"Padaria; Café \"\"Sol\"\"\"");
        assert_eq!(of("a\r\nb"), "\"a\r\nb\"");
        for formula in ["=1+1", "+1", "-1", "@A1", " =1", "\t=1"] {
            assert_eq!(of(formula), format!("'{formula}"));
        }
    }

    #[test]
    fn ids_and_codes_are_the_same_after_a_program_opened_the_file() {
        let of = |value: &str| text(Cell::Text(value.to_owned()));
        for changed in [
            "012345",
            "00",
            "123456789012",
            "12345678901234567890",
            "7E5234",
            "1e5",
            "12D3",
            "1,5E10",
            "1/3",
            "10-12",
            "1.2.2026",
            "12:30",
            "MAR10",
            "dez-24",
            "10/out",
            "2DEC",
        ] {
            assert_eq!(of(changed), format!("\"=\"\"{changed}\"\"\""), "{changed}");
        }
        for same in [
            "0",
            "123456",
            "12345678901",
            "A1B2C3",
            "E5234",
            "7E",
            "11.222.333/0001-81",
            "529.982.247-25",
            "Loja 24",
            "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04",
            "2,48 %",
            "Março 2026",
            "1.234.567/89",
            "Abril",
        ] {
            assert_eq!(of(same), same);
        }
    }
}
