//! QR codes as pictures.

use qrcode::{EcLevel, QrCode};
use thiserror::Error;

use crate::picture::{Picture, Rectangle};

/// Modules on each side (ISO/IEC 18004).
pub const QUIET_ZONE: u32 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the text is too long for a QR code")]
pub struct QrTooLong;

/// A QR code without its quiet zone.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Modules {
    side: usize,
    /// Row by row.
    dark: Vec<bool>,
}

/// Level M restores 15 % of the code, enough for paper and screens.
fn modules(text: &str) -> Result<Modules, QrTooLong> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(|_| QrTooLong)?;
    let side = code.width();
    let colors = code.into_colors();
    let dark = colors.into_iter().map(|color| color == qrcode::Color::Dark);
    Ok(Modules {
        side,
        dark: dark.collect(),
    })
}

pub fn picture(text: &str) -> Result<Picture, QrTooLong> {
    let Modules { side, dark: modules } = modules(text)?;
    let mut dark = vec![];
    for (y, row) in (QUIET_ZONE..).zip(modules.chunks_exact(side)) {
        let mut x = QUIET_ZONE;
        // Neighbors in a row are one rectangle.
        for run in row.chunk_by(|one, next| one == next) {
            // A row has 177 modules at most.
            let width = run.len() as u32;
            if run[0] {
                dark.push(Rectangle {
                    x,
                    y,
                    width,
                    height: 1,
                });
            }
            x += width;
        }
    }
    let side = side as u32 + 2 * QUIET_ZONE;
    Ok(Picture {
        width: side,
        height: side,
        dark,
    })
}

/// The rows without the quiet zone, each in hexadecimal. A bit is a module, from the left; 1 is dark. Zeros fill the
/// last digit.
pub fn rows(text: &str) -> Result<Vec<String>, QrTooLong> {
    let Modules { side, dark } = modules(text)?;
    let rows = dark.chunks_exact(side).map(|row| {
        row.chunks(4)
            .filter_map(|four| {
                let bits = four
                    .iter()
                    .zip([8, 4, 2, 1])
                    .filter_map(|(dark, bit)| dark.then_some(bit));
                char::from_digit(bits.sum(), 16)
            })
            .collect()
    });
    Ok(rows.collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reading::read_qr;

    #[test]
    fn a_text_that_fits_no_code_is_refused() {
        assert_eq!(picture(&"a".repeat(2_332)), Err(QrTooLong));
        assert!(picture(&"a".repeat(2_331)).is_ok());
    }

    #[test]
    fn the_picture_has_its_quiet_zone() {
        let picture = picture("PIX").expect("a code");
        assert_eq!((picture.width, picture.height), (29, 29));
        let inner = QUIET_ZONE..25;
        let inside = |at: u32, size: u32| inner.contains(&at) && at + size <= inner.end;
        assert!(
            picture
                .dark
                .iter()
                .all(|dark| inside(dark.x, dark.width) && inside(dark.y, dark.height))
        );
        assert!(picture.to_svg().starts_with("<svg xmlns"));
    }

    /// The dark modules of the rows, at their places in the picture.
    fn read_rows(rows: &[String]) -> Picture {
        let side = rows.len() as u32;
        let mut dark = vec![];
        for (y, row) in (0..).zip(rows) {
            assert_eq!(row.len() as u32, side.div_ceil(4));
            for (digit, text) in (0..).zip(row.chars()) {
                let bits = text.to_digit(16).expect("a hexadecimal digit");
                for bit in (0..4).filter(|bit| bits & (8 >> bit) != 0) {
                    assert!(4 * digit + bit < side, "the rest of the last digit is zero");
                    dark.push(Rectangle {
                        x: QUIET_ZONE + 4 * digit + bit,
                        y: QUIET_ZONE + y,
                        width: 1,
                        height: 1,
                    });
                }
            }
        }
        Picture {
            width: side + 2 * QUIET_ZONE,
            height: side + 2 * QUIET_ZONE,
            dark,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn a_decoder_reads_the_text(text in "[ -~]{1,300}") {
            let rows = rows(&text).expect("it fits");
            let read = [read_rows(&rows), picture(&text).expect("it fits")].map(|picture| read_qr(&picture));
            prop_assert_eq!(read, [Some(text.clone()), Some(text)]);
        }
    }
}
