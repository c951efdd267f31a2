//! Readers of bars and QR codes, with which the tests read the drawn pictures back.

use crate::picture::Picture;

/// The narrow and wide elements of each digit of Interleaved 2 of 5, in the standard's notation.
const DIGITS: [&str; 10] = [
    "nnWWn", "WnnnW", "nWnnW", "WWnnn", "nnWnW", "WnWnn", "nWWnn", "nnnWW", "WnnWn", "nWnWn",
];

/// Reads bars from their places and widths, in any unit. `None` if they are no code.
pub fn read_bars(bars: &[(u32, u32)]) -> Option<String> {
    let narrow = bars.iter().map(|(_, width)| *width).min()?;
    let mut elements = String::new();
    for (index, (x, width)) in bars.iter().enumerate() {
        elements.push(if *width > 2 * narrow { 'W' } else { 'n' });
        if let Some((next, _)) = bars.get(index + 1) {
            elements.push(if next - (x + width) > 2 * narrow { 'W' } else { 'n' });
        }
    }
    let inner = elements.strip_prefix("nnnn")?.strip_suffix("Wnn")?;
    let mut digits = String::new();
    for pair in inner.as_bytes().chunks(10) {
        for offset in [0, 1] {
            let digit: String = pair
                .iter()
                .skip(offset)
                .step_by(2)
                .map(|element| char::from(*element))
                .collect();
            let value = DIGITS.iter().position(|known| *known == digit)?;
            digits.push_str(&value.to_string());
        }
    }
    Some(digits)
}

/// Reads a QR code from its picture.
pub fn read_qr(picture: &Picture) -> Option<String> {
    const PIXELS: usize = 4;
    let (width, height) = (picture.width as usize, picture.height as usize);
    let mut dark = vec![false; width * height];
    for rectangle in &picture.dark {
        for y in rectangle.y..rectangle.y + rectangle.height {
            for x in rectangle.x..rectangle.x + rectangle.width {
                dark[y as usize * width + x as usize] = true;
            }
        }
    }
    let mut image = rqrr::PreparedImage::prepare_from_bitmap(width * PIXELS, height * PIXELS, |x, y| {
        dark[y / PIXELS * width + x / PIXELS]
    });
    let grids = image.detect_grids();
    grids.first()?.decode().ok().map(|(_, text)| text)
}
