//! Texts in Helvetica: their bytes in the PDF's encoding and their widths.

use std::iter;

use unicode_normalization::UnicodeNormalization;

use crate::plain_text::ascii_letters;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
    Regular,
    Bold,
}

/// Widths from space to tilde in thousandths of the size (Adobe's font metrics of the 14 standard fonts).
const REGULAR: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const BOLD: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278,
    556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584,
    556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556,
    333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
];
/// í, ì, î and ï in the regular font.
const ACCENTED_I: u16 = 278;
/// The width of a character outside the tables: at least its real one.
const OTHER: u16 = 1000;

impl Font {
    /// The width of a text in the unit of `size`.
    pub fn width(self, text: &str, size: i32) -> i32 {
        let thousandths: i32 = text
            .nfc()
            .map(|character| i32::from(self.width_of(character)))
            .sum();
        thousandths * size / 1000
    }

    fn width_of(self, character: char) -> u16 {
        let table = match self {
            Self::Regular => &REGULAR,
            Self::Bold => &BOLD,
        };
        // A letter with an accent is as wide as the letter, except the regular i.
        let base = iter::once(character).nfd().next().unwrap_or(character);
        if self == Self::Regular && base == 'i' && character != 'i' {
            return ACCENTED_I;
        }
        let place = u32::from(base).checked_sub(u32::from(' '));
        place
            .and_then(|place| table.get(place as usize))
            .copied()
            .unwrap_or(OTHER)
    }

    /// The text, cut so that it fits.
    pub fn fit(self, text: &str, size: i32, width_max: i32) -> String {
        if self.width(text, size) <= width_max {
            return text.to_owned();
        }
        let mut cut: String = text.nfc().collect();
        while cut.pop().is_some() {
            let shortened = format!("{}…", cut.trim_end());
            if self.width(&shortened, size) <= width_max {
                return shortened;
            }
        }
        String::new()
    }

    /// The lines of a text, broken at spaces. A word that is longer than a line is broken too: nothing is cut.
    pub fn wrap(self, text: &str, size: i32, width_max: i32) -> Vec<String> {
        let mut lines: Vec<String> = vec![];
        for word in text.split_whitespace() {
            let extended = lines.last().map(|line| format!("{line} {word}"));
            match (extended, lines.last_mut()) {
                (Some(extended), Some(line)) if self.width(&extended, size) <= width_max => *line = extended,
                _ => lines.extend(self.split(word, size, width_max)),
            }
        }
        lines
    }

    /// The lines of a text without spaces, such as a PIX code.
    pub fn split(self, text: &str, size: i32, width_max: i32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for character in text.chars() {
            let full = lines.last().is_some_and(|line| {
                !line.is_empty() && self.width(&format!("{line}{character}"), size) > width_max
            });
            if full {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push(character);
            }
        }
        lines
    }
}

/// The text in WinAnsi, the encoding of the fonts. Other letters are written in ASCII, and characters that have no such
/// form become a question mark.
pub fn win_ansi(text: &str) -> Vec<u8> {
    text.nfc().flat_map(win_ansi_character).collect()
}

fn win_ansi_character(character: char) -> Vec<u8> {
    let byte = match character {
        ' '..='~' | '\u{a0}'..='\u{ff}' => u32::from(character) as u8,
        '€' => 0x80,
        '…' => 0x85,
        'Š' => 0x8a,
        'Œ' => 0x8c,
        'Ž' => 0x8e,
        '‘' => 0x91,
        '’' => 0x92,
        '“' => 0x93,
        '”' => 0x94,
        '•' => 0x95,
        '–' => 0x96,
        '—' => 0x97,
        'š' => 0x9a,
        'œ' => 0x9c,
        'ž' => 0x9e,
        'Ÿ' => 0x9f,
        other => {
            let letters = ascii_letters(other.encode_utf8(&mut [0; 4]));
            let printable = !letters.is_empty() && letters.chars().all(|letter| matches!(letter, ' '..='~'));
            return if printable {
                letters.into_bytes()
            } else {
                vec![b'?']
            };
        }
    };
    vec![byte]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_too_wide_is_cut() {
        let font = Font::Regular;
        assert_eq!(font.width("Il", 1000), 500);
        assert_eq!(Font::Bold.width("São", 1000), Font::Bold.width("Sao", 1000));
        assert_eq!([Font::Bold, font].map(|font| font.width("í", 1000)), [278, 278]);
        assert_eq!(font.fit("Padaria", 1000, 10_000), "Padaria");
        let cut = font.fit("Padaria São José", 1000, 5_000);
        assert_eq!(cut, "Padaria…");
        assert_eq!(font.fit("Padaria", 1000, 10), "");
    }

    #[test]
    fn a_code_is_split_into_lines_that_fit() {
        let lines = Font::Regular.split("0123456789", 1000, 2_300);
        assert_eq!(lines, ["0123", "4567", "89"]);
        assert_eq!(Font::Regular.split("WW", 1000, 1), ["W", "W"]);
    }

    #[test]
    fn portuguese_letters_have_their_bytes() {
        assert_eq!(win_ansi("Ação nº 1"), b"A\xe7\xe3o n\xba 1");
        // An accent as a separate character.
        assert_eq!(win_ansi("Sa\u{303}o"), b"S\xe3o");
        assert_eq!(win_ansi("Café ☕ – €"), b"Caf\xe9 ? \x96 \x80");
        assert_eq!(win_ansi("Łódź Šárka"), b"L\xf3dz \x8a\xe1rka");
    }
}
