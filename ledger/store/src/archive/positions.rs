//! Where the events of a business stand in an archive: the distances between their positions, in bytes (LEB128).

/// `positions` ascend and are not before `first`.
pub(super) fn pack(first: i64, positions: &[i64]) -> Vec<u8> {
    let mut bytes = vec![];
    let mut before = first;
    for position in positions {
        let mut distance = position.abs_diff(before);
        before = *position;
        while distance >= 0x80 {
            bytes.push(distance.to_le_bytes()[0] | 0x80);
            distance >>= 7;
        }
        bytes.push(distance.to_le_bytes()[0]);
    }
    bytes
}

/// What is left of a number that was cut counts as one.
pub(super) fn unpack(first: i64, bytes: &[u8]) -> Vec<i64> {
    let mut positions = vec![];
    let (mut position, mut distance, mut shift) = (first, 0_i64, 0_u32);
    for byte in bytes {
        let bits = i64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        distance |= bits;
        shift += 7;
        if byte & 0x80 == 0 {
            position = position.saturating_add(distance);
            positions.push(position);
            (distance, shift) = (0, 0);
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_the_same_after_packing() {
        for positions in [
            vec![],
            vec![1],
            vec![5, 6, 7, 400],
            vec![127, 128, 255, 256, 16_511, 16_512, 10_000_000],
            (1..5000).map(|number| number * number).collect(),
        ] {
            assert_eq!(unpack(1, &pack(1, &positions)), positions);
        }
        // A byte for each event, if fewer than 128 others stand between two.
        assert_eq!(pack(10_000_001, &[10_000_001, 10_000_128]), [0, 127]);
    }
}
