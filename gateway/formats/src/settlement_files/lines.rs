//! Splits a file into lines, and never holds more than one of them.

use std::io::{self, BufRead};

/// A line without its end, in the reader's buffer.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The first line is 1. Empty lines count.
    pub number: u64,
    /// `None` if the line is longer than the limit.
    pub bytes: Option<&'a [u8]>,
}

#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    number: u64,
    length_max: usize,
}

impl<R: BufRead> Lines<R> {
    pub const fn new(source: R, length_max: usize) -> Self {
        Self {
            source,
            buffer: vec![],
            number: 0,
            length_max,
        }
    }

    /// The next line that is not empty; `None` at the end of the file.
    ///
    /// The rest of a line that is too long is skipped, not stored. Old systems end a file with the byte 1A.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            let Some(too_long) = self.fill()? else {
                return Ok(None);
            };
            self.number += 1;
            while matches!(self.buffer.last(), Some(b'\r' | 0x1A)) {
                self.buffer.pop();
            }
            let too_long = too_long || self.buffer.len() > self.length_max;
            if too_long || !self.buffer.is_empty() {
                return Ok(Some(Line {
                    number: self.number,
                    bytes: (!too_long).then_some(&self.buffer),
                }));
            }
        }
    }

    /// Fills the buffer with one line. Returns whether the line is too long; `None` at the end.
    fn fill(&mut self) -> io::Result<Option<bool>> {
        self.buffer.clear();
        let (mut any, mut too_long) = (false, false);
        loop {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                return Ok(any.then_some(too_long));
            }
            any = true;
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            // One more for the \r, which does not count.
            if self.buffer.len() + part.len() > self.length_max + 1 {
                too_long = true;
                self.buffer.clear();
            } else if !too_long {
                self.buffer.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.source.consume(used);
            if end.is_some() {
                return Ok(Some(too_long));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::*;

    fn all(bytes: &[u8], buffer: usize) -> Vec<(u64, Option<String>)> {
        let mut lines = Lines::new(BufReader::with_capacity(buffer, bytes), 5);
        let mut found = vec![];
        while let Some(line) = lines.next_line().expect("memory does not fail") {
            let text = line
                .bytes
                .map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            found.push((line.number, text));
        }
        assert!(lines.buffer.capacity() <= 64, "the buffer stays small");
        found
    }

    #[test]
    fn lines_keep_their_numbers() {
        let line = |number, text: &str| (number, Some(text.to_owned()));
        assert_eq!(
            all(b"abc\r\n\nabcde\r\nabcdef\n12345678901234567890\nx\r\n\x1A", 4),
            [
                line(1, "abc"),
                line(3, "abcde"),
                (4, None),
                (5, None),
                line(6, "x")
            ]
        );
        assert_eq!(all(b"", 4), []);
        assert_eq!(all(b"abc", 1), [line(1, "abc")]);
    }

    proptest! {
        #[test]
        fn the_size_of_reads_does_not_matter(bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'a')], 0..60), buffer in 1usize..20) {
            prop_assert_eq!(all(&bytes, buffer), all(&bytes, 100));
        }
    }
}
