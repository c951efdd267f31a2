//! Values in JSON: bytes of a fixed length as lowercase hexadecimal, and integers that every implementation of JSON
//! holds exactly.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// The largest integer up to which the numbers of JavaScript are exact.
pub const EXACT_MAX: i64 = (1 << 53) - 1;

pub const fn is_exact(number: i64) -> bool {
    number.unsigned_abs() <= EXACT_MAX.unsigned_abs()
}

/// Reads an integer that every implementation holds exactly.
pub fn exact<'de, D: Deserializer<'de>, Number: TryFrom<i64>>(deserializer: D) -> Result<Number, D::Error> {
    let number = i64::deserialize(deserializer)?;
    let in_range = Some(number).filter(|number| is_exact(*number));
    let number = in_range.and_then(|number| number.try_into().ok());
    number.ok_or_else(|| D::Error::custom("an integer out of range"))
}

/// Reads a member that may be null, and must be there.
pub fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hex<const N: usize>(pub [u8; N]);

impl<const N: usize> Serialize for Hex<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(self.0))
    }
}

impl<'de, const N: usize> Deserialize<'de> for Hex<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = hex::decode(&text).ok().and_then(|bytes| bytes.try_into().ok());
        match bytes {
            // One text for each value.
            Some(bytes) if hex::encode(bytes) == text => Ok(Self(bytes)),
            _ => Err(D::Error::custom(format!(
                "not {N} bytes in lowercase hexadecimal"
            ))),
        }
    }
}
