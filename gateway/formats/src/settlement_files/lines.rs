//! Splits a file into lines, and never holds more than one of them.

use std::io::{self, BufRead};

/// A line without its end, in the reader's buffer.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The first line is 1. Blank lines count.
    pub number: u64,
    /// `None` if the line is longer than the limit.
    pub bytes: Option<&'a [u8]>,
    /// The number of the first of the blank lines directly before this one.
    pub blank_before: Option<u64>,
    /// Whether the line ends with a carriage return alone.
    pub ends_without_feed: bool,
}

#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    number: u64,
    length_max: usize,
}

/// A line in the buffer.
struct Filled {
    is_too_long: bool,
    ends_without_feed: bool,
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

    pub const fn source(&self) -> &R {
        &self.source
    }

    /// The next line that is not blank; `None` at the end of the file.
    ///
    /// The rest of a line that is too long is skipped, not stored. Old systems end a file with the byte 1A.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut blank_before = None;
        loop {
            let Some(filled) = self.fill()? else {
                return Ok(None);
            };
            self.number += 1;
            while self.buffer.last() == Some(&0x1A) {
                self.buffer.pop();
            }
            let is_too_long = filled.is_too_long || self.buffer.len() > self.length_max;
            if is_too_long || self.buffer.iter().any(|byte| *byte != b' ') {
                return Ok(Some(Line {
                    number: self.number,
                    bytes: (!is_too_long).then_some(&self.buffer),
                    blank_before,
                    ends_without_feed: filled.ends_without_feed,
                }));
            }
            blank_before.get_or_insert(self.number);
        }
    }

    /// Fills the buffer with one line; `None` at the end. A line ends with a line feed, with carriage returns, or with
    /// both.
    fn fill(&mut self) -> io::Result<Option<Filled>> {
        self.buffer.clear();
        let (mut any, mut is_too_long) = (false, false);
        loop {
            let available = self.source.fill_buf()?;
            let Some(first) = available.first() else {
                return Ok(any.then_some(Filled {
                    is_too_long,
                    ends_without_feed: false,
                }));
            };
            any = true;
            let is_end = matches!(first, b'\n' | b'\r');
            if is_end {
                return Ok(Some(Filled {
                    is_too_long,
                    ends_without_feed: self.consume_end()?,
                }));
            }
            let end = available.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &available[..end.unwrap_or(available.len())];
            if self.buffer.len() + part.len() > self.length_max {
                is_too_long = true;
                self.buffer.clear();
            } else if !is_too_long {
                self.buffer.extend_from_slice(part);
            }
            let used = part.len();
            self.source.consume(used);
        }
    }

    /// Consumes the end of a line. Returns whether it has no line feed, and another line follows.
    fn consume_end(&mut self) -> io::Result<bool> {
        loop {
            let next = self.source.fill_buf()?.first().copied();
            match next {
                Some(b'\r') => self.source.consume(1),
                Some(b'\n') => {
                    self.source.consume(1);
                    return Ok(false);
                }
                next => return Ok(next.is_some_and(|byte| byte != 0x1A)),
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
        // Carriage returns alone, doubled ones, and lines of blanks.
        assert_eq!(
            all(b"a\rb\r\r\nc\n   \r\nd\r", 2),
            [line(1, "a"), line(2, "b"), line(3, "c"), line(5, "d")]
        );
    }

    #[test]
    fn blank_lines_and_ends_without_a_feed_are_noted_where_they_are() {
        let mut lines = Lines::new(&b"\r\n \na\rb\r\x1A"[..], 5);
        let first = lines.next_line().expect("memory does not fail").expect("a line");
        assert_eq!(
            (first.number, first.blank_before, first.ends_without_feed),
            (3, Some(1), true)
        );
        let last = lines.next_line().expect("memory does not fail").expect("a line");
        // The last line has no other one after it.
        assert_eq!(
            (last.number, last.blank_before, last.ends_without_feed),
            (4, None, false)
        );
        assert_eq!(lines.next_line().expect("memory does not fail"), None);
    }

    proptest! {
        #[test]
        fn the_size_of_reads_does_not_matter(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a')], 0..60),
            buffer in 1usize..20,
        ) {
            prop_assert_eq!(all(&bytes, buffer), all(&bytes, 100));
        }
    }
}
