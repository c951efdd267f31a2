//! The bars of a boleto: Interleaved 2 of 5 (ISO/IEC 16390), with FEBRABAN's sizes.
//!
//! Pairs of digits: the first is written in bars, the second in the spaces between them. Of the five elements of a
//! digit two are wide.

use crate::boleto::Barcode;
use crate::picture::{Picture, Rectangle};

/// In modules. FEBRABAN: a wide bar is three narrow ones.
const NARROW: u32 = 1;
const WIDE: u32 = 3;
/// The bars are 103 mm × 13 mm on paper: 405 × 51 modules of 0.254 mm.
const HEIGHT: u32 = 51;
/// Ten modules on each side (ISO/IEC 16390).
pub const QUIET_ZONE: u32 = 10;

/// Which elements of a digit are wide.
const DIGITS: [[bool; 5]; 10] = [
    [false, false, true, true, false],
    [true, false, false, false, true],
    [false, true, false, false, true],
    [true, true, false, false, false],
    [false, false, true, false, true],
    [true, false, true, false, false],
    [false, true, true, false, false],
    [false, false, false, true, true],
    [true, false, false, true, false],
    [false, true, false, true, false],
];

const START: [bool; 4] = [false; 4];
const STOP: [bool; 3] = [true, false, false];

pub fn picture(barcode: &Barcode) -> Picture {
    let mut dark = vec![];
    let mut x = QUIET_ZONE;
    for (index, wide) in elements(barcode.as_str()).enumerate() {
        let width = if wide { WIDE } else { NARROW };
        // Bars and spaces alternate.
        if index % 2 == 0 {
            dark.push(Rectangle {
                x,
                y: 0,
                width,
                height: HEIGHT,
            });
        }
        x += width;
    }
    Picture {
        width: x + QUIET_ZONE,
        height: HEIGHT,
        dark,
    }
}

/// Whether each bar and each space is wide. A barcode has an even number of digits.
fn elements(digits: &str) -> impl Iterator<Item = bool> {
    let pairs = digits.as_bytes().chunks_exact(2).flat_map(|pair| {
        let [bars, spaces] = [pair[0], pair[1]].map(|digit| DIGITS[usize::from(digit - b'0')]);
        (0..5).flat_map(move |element| [bars[element], spaces[element]])
    });
    START.into_iter().chain(pairs).chain(STOP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::read_bars;

    /// The value of each element (ISO/IEC 16390): two wide elements add to the digit, and 4 + 7 is 0.
    #[test]
    fn each_digit_has_two_wide_elements_of_its_value() {
        for (digit, wide) in DIGITS.iter().enumerate() {
            let values = [1, 2, 4, 7, 0];
            let elements = values.iter().zip(wide).filter(|(_, wide)| **wide);
            assert_eq!(elements.clone().count(), 2);
            let sum: usize = elements.map(|(value, _)| value).sum();
            assert_eq!(sum % 11, digit, "{digit}");
        }
    }

    #[test]
    fn the_bars_have_febrabans_size_and_can_be_read() {
        let text = "34194165600000149901091234567890123456789012";
        let picture = picture(&Barcode::parse(text).expect("a barcode"));
        assert_eq!(picture.width, 405 + 2 * QUIET_ZONE);
        let spans: Vec<_> = picture.dark.iter().map(|bar| (bar.x, bar.width)).collect();
        assert_eq!(read_bars(&spans).as_deref(), Some(text));
        let svg = picture.to_svg();
        assert!(svg.contains("viewBox=\"0 0 425 51\""), "{svg}");
        // The bars and the white background.
        assert_eq!(svg.matches("v51").count(), picture.dark.len() + 1);
    }
}
