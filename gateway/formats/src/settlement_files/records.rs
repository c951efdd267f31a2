//! Reads a file of any format record by record.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::encoding::{Decoded, has_mark, to_latin1};
use super::mends::{Mend, Mended, Mends};
use super::{BadLine, LineError, Lines};

/// Results in the order of their lines. One line may give two faults: its own, and that of a record that waited for it.
#[derive(Debug)]
pub struct Found<T> {
    results: VecDeque<Result<T, BadLine>>,
    mends: Mends,
}

impl<T> Found<T> {
    pub fn record(&mut self, record: T) {
        self.results.push_back(Ok(record));
    }

    pub fn bad(&mut self, number: u64, reason: LineError) {
        self.results.push_back(Err(BadLine { number, reason }));
    }

    pub fn mend(&mut self, mend: Mend, number: u64) {
        self.mends.add(mend, number);
    }

    /// A field without which the line is still taken.
    pub fn readable<V>(&mut self, number: u64, name: &'static str, read: Result<V, LineError>) -> Option<V> {
        if read.is_err() {
            self.mend(Mend::Field { name }, number);
        }
        read.ok()
    }
}

/// Turns the lines of a file into records.
pub trait Format: Default {
    type Record;
    /// Longer lines are not read. Blanks at the end of a line do not count.
    const LINE_LENGTH_MAX: usize;

    fn line(&mut self, number: u64, line: &[u8], found: &mut Found<Self::Record>);

    /// Counts a line that is too long to be read. A record that waits for this line is reported as bad.
    fn unreadable_line(&mut self, found: &mut Found<Self::Record>);

    /// `number` is that of the line after the last.
    fn end(&mut self, number: u64, found: &mut Found<Self::Record>);
}

/// The most bytes of a character in UTF-8: a letter of a name has at most two, the byte order mark three.
const BYTES_PER_CHARACTER: usize = 3;

/// The records of a file and its bad lines. Holds one line and the records of one line.
#[derive(Debug)]
pub struct Records<R, F: Format> {
    lines: Lines<Decoded<R>>,
    format: F,
    found: Found<F::Record>,
    last_line: u64,
    ended: bool,
}

impl<R: BufRead, F: Format> Records<R, F> {
    pub fn new(source: R) -> Self {
        Self {
            lines: Lines::new(Decoded::new(source), BYTES_PER_CHARACTER * F::LINE_LENGTH_MAX),
            format: F::default(),
            found: Found {
                results: VecDeque::new(),
                mends: Mends::default(),
            },
            last_line: 0,
            ended: false,
        }
    }

    /// What was mended since the last call.
    pub fn take_mends(&mut self) -> Vec<Mended> {
        self.found.mends.take()
    }

    fn read_line(&mut self) -> io::Result<()> {
        let Some(line) = self.lines.next_line()? else {
            self.ended = true;
            if self.last_line > 0 && self.lines.source().is_utf16() {
                self.found.mend(Mend::Utf16, 1);
            }
            self.format.end(self.last_line + 1, &mut self.found);
            return Ok(());
        };
        self.last_line = line.number;
        if let Some(blank) = line.blank_before {
            self.found.mend(Mend::BlankLine, blank);
        }
        if line.ends_without_feed {
            self.found.mend(Mend::CarriageReturn, line.number);
        }
        if line.bytes.is_some_and(has_mark) {
            self.found.mend(Mend::ByteOrderMark, line.number);
        }
        let characters = line.bytes.map(to_latin1);
        if let Some(line_of_bytes) =
            characters.filter(|line| line.trim_ascii_end().len() <= F::LINE_LENGTH_MAX)
        {
            self.format.line(line.number, &line_of_bytes, &mut self.found);
        } else {
            self.format.unreadable_line(&mut self.found);
            let max = F::LINE_LENGTH_MAX;
            self.found.bad(line.number, LineError::TooLong { max });
        }
        Ok(())
    }
}

impl<R: BufRead, F: Format> Iterator for Records<R, F> {
    /// The outer error is one of reading the source. It ends the iterator.
    type Item = io::Result<Result<F::Record, BadLine>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.found.results.pop_front() {
                return Some(Ok(found));
            }
            if self.ended {
                return None;
            }
            if let Err(error) = self.read_line() {
                self.ended = true;
                return Some(Err(error));
            }
        }
    }
}
