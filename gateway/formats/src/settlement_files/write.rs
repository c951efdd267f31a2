//! Writes lines of fixed fields, for the files of the demo data and of tests.

use chrono::NaiveDate as Date;
use ledger_domain::Cents;

/// A line of spaces into which fields are written. Places are counted from 1, as in `Fields`.
pub struct LineWriter(Vec<u8>);

impl LineWriter {
    pub fn new(length: usize) -> Self {
        Self(vec![b' '; length])
    }

    /// Aligned to the left. A longer text is cut. Characters that are not ASCII become a question mark.
    pub fn text(&mut self, from: usize, to: usize, text: &str) -> &mut Self {
        let characters = text
            .chars()
            .map(|character| u8::try_from(character).ok().filter(u8::is_ascii).unwrap_or(b'?'));
        for (place, byte) in self.0[from - 1..to].iter_mut().zip(characters) {
            *place = byte;
        }
        self
    }

    /// At the right end, with zeros before it.
    pub fn number(&mut self, from: usize, to: usize, number: u64) -> &mut Self {
        let width = to + 1 - from;
        self.text(from, to, &format!("{number:0width$}"))
    }

    pub fn amount(&mut self, from: usize, to: usize, amount: Cents) -> &mut Self {
        self.number(from, to, amount.get().unsigned_abs())
    }

    pub fn signed_amount(&mut self, from: usize, to: usize, amount: Cents) -> &mut Self {
        let sign = if amount.is_negative() { "-" } else { "+" };
        self.text(from, from, sign).amount(from + 1, to, amount)
    }

    /// `DDMMYYYY`; zeros for no date.
    pub fn date(&mut self, from: usize, to: usize, date: Option<Date>) -> &mut Self {
        self.date_of(from, to, date, "%d%m%Y")
    }

    /// `DDMMYY`; zeros for no date.
    pub fn short_date(&mut self, from: usize, to: usize, date: Option<Date>) -> &mut Self {
        self.date_of(from, to, date, "%d%m%y")
    }

    /// `YYYYMMDD`; zeros for no date.
    pub fn iso_date(&mut self, from: usize, to: usize, date: Option<Date>) -> &mut Self {
        self.date_of(from, to, date, "%Y%m%d")
    }

    fn date_of(&mut self, from: usize, to: usize, date: Option<Date>, form: &str) -> &mut Self {
        match date {
            Some(date) => self.text(from, to, &date.format(form).to_string()),
            None => self.number(from, to, 0),
        }
    }

    /// Ends the line with CRLF, as banks do.
    pub fn finish(&self) -> String {
        let text: String = self.0.iter().copied().map(char::from).collect();
        text + "\r\n"
    }
}
