//! What was mended while a file was read: the payments of a mended line are kept, and staff see what was wrong.

use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mend {
    /// Blanks at the end of a line are missing.
    ShortLine,
    /// A line has more blanks than it should.
    LongLine,
    /// A line ends with a carriage return alone.
    CarriageReturn,
    BlankLine,
    Utf16,
    ByteOrderMark,
    /// The trailer does not count the records that the file has.
    Count {
        stated: u64,
        found: u64,
    },
    /// A field that is not needed for the amount that was paid cannot be read.
    Field {
        name: &'static str,
    },
}

/// A mend, the first line that has it, and the number of lines that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    pub mend: Mend,
    pub line: u64,
    pub count: u64,
}

/// The mends of the lines that were read. One entry for each kind, because nearly all lines of a file may have it.
#[derive(Debug, Default)]
pub struct Mends(BTreeMap<Mend, (u64, u64)>);

impl Mends {
    pub fn add(&mut self, mend: Mend, line: u64) {
        let (_, count) = self.0.entry(mend).or_insert((line, 0));
        *count += 1;
    }

    pub fn take(&mut self) -> Vec<Mended> {
        let mends = std::mem::take(&mut self.0).into_iter();
        mends
            .map(|(mend, (line, count))| Mended { mend, line, count })
            .collect()
    }
}
