//! Makes each letter of a line one byte, so that each field is at its place.
//!
//! Banks write ASCII or Latin-1. Editors and mail programs may turn a file into UTF-8, in which a letter with an accent
//! has two bytes and moves all fields behind it.

use std::borrow::Cow;

/// The byte order mark of UTF-8, which some editors write at the beginning of a file.
const MARK: &[u8] = b"\xEF\xBB\xBF";

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

#[cfg(test)]
mod tests {
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
}
