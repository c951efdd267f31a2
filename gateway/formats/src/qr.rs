//! QR codes as pictures.

use qrcode::{EcLevel, QrCode};
use thiserror::Error;

use crate::picture::{Picture, Rectangle};

/// Modules on each side (ISO/IEC 18004).
pub const QUIET_ZONE: u32 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the text is too long for a QR code")]
pub struct QrTooLong;

/// Level M restores 15 % of the code, enough for paper and screens.
pub fn picture(text: &str) -> Result<Picture, QrTooLong> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(|_| QrTooLong)?;
    let side = code.width();
    let modules = code.into_colors();
    let mut dark = vec![];
    for (y, row) in (QUIET_ZONE..).zip(modules.chunks_exact(side)) {
        let mut x = QUIET_ZONE;
        // Neighbors in a row are one rectangle.
        for run in row.chunk_by(|one, next| one == next) {
            // A row has 177 modules at most.
            let width = run.len() as u32;
            if run[0] == qrcode::Color::Dark {
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn a_decoder_reads_the_text(text in "[ -~]{1,300}") {
            prop_assert_eq!(read_qr(&picture(&text).expect("it fits")), Some(text));
        }
    }
}
