//! Readers of fields of bodies that are no forms, in which null and an absent field are different.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// For a field that may be left out but not be null. The field also needs `#[serde(default)]`.
pub fn not_null<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let given = Option::deserialize(deserializer)?;
    given.map(Some).ok_or_else(|| D::Error::custom("null"))
}

/// Distinguishes null from a field that is left out. The field also needs `#[serde(default)]`.
pub fn null_as_some<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}
