//! The check digits of boletos (FEBRABAN). Callers pass ASCII digits only.

fn values_from_right(digits: &str) -> impl Iterator<Item = u32> {
    digits.bytes().rev().map(|byte| u32::from(byte - b'0'))
}

/// Modulo 10: from the right times 2, times 1, …; the digits of each product are added.
pub fn mod_10(digits: &str) -> u8 {
    let sum: u32 = values_from_right(digits)
        .zip([2, 1].into_iter().cycle())
        .map(|(value, weight)| value * weight)
        .map(|product| product / 10 + product % 10)
        .sum();
    // Below 10.
    ((10 - sum % 10) % 10) as u8
}

/// Modulo 11 with weights 2 to 9 from the right; 10 and 11 become 1. The digit is never 0.
pub fn mod_11(digits: &str) -> u8 {
    let sum: u32 = values_from_right(digits)
        .zip((2..=9).cycle())
        .map(|(value, weight)| value * weight)
        .sum();
    match 11 - sum % 11 {
        10 | 11 => 1,
        // 1 to 9.
        digit => digit as u8,
    }
}
