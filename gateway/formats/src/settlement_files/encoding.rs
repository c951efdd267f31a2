//! Makes each letter of a line one byte, so that each field is at its place.
//!
//! Banks write ASCII or Latin-1. Editors and mail programs may turn a file into UTF-8, in which a letter with an accent
//! has two bytes and moves all fields behind it, or into UTF-16, in which each letter has two.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// The byte order mark of UTF-8, which some editors write at the beginning of a file.
const MARK: &[u8] = b"\xEF\xBB\xBF";
/// The bytes that UTF-16 converts at once.
const CONVERTED_AT_ONCE: usize = 8 * 1024;

/// Whether the line begins with the byte order mark of UTF-8.
pub fn has_mark(line: &[u8]) -> bool {
    line.starts_with(MARK)
}

/// Converts a line of UTF-8 to Latin-1, without a mark. Other lines stay as they are. Latin-1 text with accents is not
/// valid UTF-8, except for pairs of characters that no name has.
pub fn to_latin1(line: &[u8]) -> Cow<'_, [u8]> {
    let line = line.strip_prefix(MARK).unwrap_or(line);
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    std::str::from_utf8(line).map_or(Cow::Borrowed(line), |text| {
        Cow::Owned(
            text.chars()
                .map(|letter| u8::try_from(letter).unwrap_or(b'?'))
                .collect(),
        )
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The beginning was not read yet.
    Unread,
    Bytes,
    Utf16 {
        is_big_endian: bool,
    },
}

impl Form {
    /// The form of a file with these first two bytes, and whether they are a byte order mark. A file without a mark is
    /// UTF-16 if its first character, a digit in all formats, has a zero byte.
    const fn of(first: u8, second: u8) -> (Self, bool) {
        match (first, second) {
            (0xFF, 0xFE) => (Self::Utf16 { is_big_endian: false }, true),
            (0xFE, 0xFF) => (Self::Utf16 { is_big_endian: true }, true),
            (b'0'..=b'9', 0) => (Self::Utf16 { is_big_endian: false }, false),
            (0, b'0'..=b'9') => (Self::Utf16 { is_big_endian: true }, false),
            _ => (Self::Bytes, false),
        }
    }
}

/// Gives the bytes of a source, and those of UTF-16 as Latin-1.
#[derive(Debug)]
pub struct Decoded<R> {
    source: R,
    form: Form,
    /// Bytes that are ready, of which `used` were consumed.
    ready: Vec<u8>,
    used: usize,
    /// The first half of a character whose second half is still in the source.
    half: Option<u8>,
}

impl<R: BufRead> Decoded<R> {
    pub const fn new(source: R) -> Self {
        Self {
            source,
            form: Form::Unread,
            ready: vec![],
            used: 0,
            half: None,
        }
    }

    pub const fn is_utf16(&self) -> bool {
        matches!(self.form, Form::Utf16 { .. })
    }

    fn begin(&mut self) -> io::Result<()> {
        let mut first = vec![];
        (&mut self.source).take(2).read_to_end(&mut first)?;
        let has_mark;
        (self.form, has_mark) = match first[..] {
            [first, second] => Form::of(first, second),
            _ => (Form::Bytes, false),
        };
        match self.form {
            Form::Utf16 { is_big_endian } if !has_mark => self.convert(&first, is_big_endian),
            Form::Utf16 { .. } => {}
            Form::Bytes | Form::Unread => self.ready = first,
        }
        Ok(())
    }

    fn convert(&mut self, bytes: &[u8], is_big_endian: bool) {
        self.ready.clear();
        self.used = 0;
        for byte in bytes {
            let Some(first) = self.half.take() else {
                self.half = Some(*byte);
                continue;
            };
            let (high, low) = if is_big_endian {
                (first, *byte)
            } else {
                (*byte, first)
            };
            self.ready.push(if high == 0 { low } else { b'?' });
        }
    }
}

impl<R: BufRead> BufRead for Decoded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.form == Form::Unread {
            self.begin()?;
        }
        while self.used == self.ready.len() {
            let Form::Utf16 { is_big_endian } = self.form else {
                return self.source.fill_buf();
            };
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                return Ok(&[]);
            }
            let bytes = available[..available.len().min(CONVERTED_AT_ONCE)].to_vec();
            self.source.consume(bytes.len());
            self.convert(&bytes, is_big_endian);
        }
        Ok(&self.ready[self.used..])
    }

    fn consume(&mut self, amount: usize) {
        if self.used < self.ready.len() {
            self.used += amount;
        } else {
            self.source.consume(amount);
        }
    }
}

impl<R: BufRead> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn each_letter_has_one_byte() {
        for (line, read) in [
            (&b"PADARIA"[..], &b"PADARIA"[..]),
            ("\u{FEFF}0341".as_bytes(), b"0341"),
            ("JOÃO\u{2014}É".as_bytes(), b"JO\xC3O?\xC9"),
            (b"JO\xC3O", b"JO\xC3O"),
            (b"", b""),
        ] {
            assert_eq!(&*to_latin1(line), read);
        }
    }

    fn decoded(bytes: &[u8], buffer: usize) -> Vec<u8> {
        let mut read = vec![];
        let mut source = Decoded::new(BufReader::with_capacity(buffer, bytes));
        source.read_to_end(&mut read).expect("memory does not fail");
        read
    }

    #[test]
    fn utf_16_of_both_orders_is_read_as_latin_1_whatever_the_size_of_reads() {
        let text = "02RETORNO JOÃO\u{20AC}\r\n";
        let little = |mark: &str| -> Vec<u8> {
            let units = format!("{mark}{text}").encode_utf16().collect::<Vec<_>>();
            units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
        };
        let big = |mark: &str| -> Vec<u8> {
            let units = format!("{mark}{text}").encode_utf16().collect::<Vec<_>>();
            units.iter().flat_map(|unit| unit.to_be_bytes()).collect()
        };
        let expected = b"02RETORNO JO\xC3O?\r\n";
        for bytes in [little("\u{FEFF}"), big("\u{FEFF}"), little(""), big("")] {
            for buffer in [1, 2, 3, 100] {
                assert_eq!(decoded(&bytes, buffer), expected, "{buffer}");
            }
        }
        for bytes in [&b""[..], b"0", b"\xFF", b"02RETORNO", b"\xEF\xBB\xBF0"] {
            assert_eq!(decoded(bytes, 1), bytes);
        }
    }
}
