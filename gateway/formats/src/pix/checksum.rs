//! The checksum at the end of a PIX code: CRC-16/CCITT-FALSE (EMVCo, field 63).

const POLYNOMIAL: u16 = 0x1021;
const START: u16 = 0xFFFF;

pub fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(START, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| {
            let shifted = crc << 1;
            if crc & 0x8000 == 0 {
                shifted
            } else {
                shifted ^ POLYNOMIAL
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_crc_16_ccitt_false() {
        assert_eq!(crc16(b"123456789"), 0x29B1);
        assert_eq!(crc16(b""), START);
    }
}
