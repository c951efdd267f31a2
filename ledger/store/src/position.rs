//! Shards, and positions in the log.
//!
//! A position is valid only within its shard. Shards have no common order; positions are merged by maximum.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use ledger_domain::BusinessId;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Fixed when the log was created, because a business's shard depends on it.
pub const SHARDS: u8 = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard(u8);

impl Shard {
    /// Hashed, because UUIDv7 ids of one day share their first bytes.
    pub fn of(business_id: BusinessId) -> Self {
        Self(Sha256::digest(business_id.uuid().as_bytes())[0] % SHARDS)
    }

    pub fn new(number: u8) -> Option<Self> {
        (number < SHARDS).then_some(Self(number))
    }

    pub fn all() -> impl Iterator<Item = Self> {
        (0..SHARDS).map(Self)
    }

    pub const fn number(self) -> u8 {
        self.0
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number as the database stores it.
    pub const fn sql(self) -> i16 {
        self.0 as i16
    }

    pub(crate) fn from_sql(number: i16) -> Self {
        u8::try_from(number)
            .ok()
            .and_then(Self::new)
            .expect("log_shard and event hold shards 0 to 15 only")
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A position in each shard; a missing shard is at 0. The text form is `3:120,7:5`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LedgerPosition(BTreeMap<Shard, i64>);

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a ledger position of the form shard:position,shard:position")]
pub struct PositionError;

impl LedgerPosition {
    pub fn at(shard: Shard, position: i64) -> Self {
        Self(BTreeMap::from([(shard, position)]))
    }

    pub fn get(&self, shard: Shard) -> i64 {
        self.0.get(&shard).copied().unwrap_or(0)
    }

    pub fn advance(&mut self, shard: Shard, position: i64) {
        let reached = self.0.entry(shard).or_default();
        *reached = position.max(*reached);
    }

    pub fn merge(&mut self, other: &Self) {
        for (shard, position) in other.iter() {
            self.advance(shard, position);
        }
    }

    /// Whether every shard has reached `other`.
    pub fn covers(&self, other: &Self) -> bool {
        other.iter().all(|(shard, position)| self.get(shard) >= position)
    }

    pub fn iter(&self) -> impl Iterator<Item = (Shard, i64)> {
        self.0.iter().map(|(shard, position)| (*shard, *position))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for LedgerPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (shard, position)) in self.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            write!(f, "{comma}{shard}:{position}")?;
        }
        Ok(())
    }
}

impl FromStr for LedgerPosition {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut position = Self::default();
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (shard, reached) = pair.split_once(':').ok_or(PositionError)?;
            let shard = shard.parse().ok().and_then(Shard::new).ok_or(PositionError)?;
            let reached: i64 = reached.parse().map_err(|_| PositionError)?;
            if reached < 0 {
                return Err(PositionError);
            }
            position.advance(shard, reached);
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_position_round_trips_and_merges_by_maximum() {
        let mut position: LedgerPosition = "7:5,3:120".parse().expect("a position");
        assert_eq!(position.to_string(), "3:120,7:5");
        position.merge(&"3:100,8:1".parse().expect("a position"));
        assert_eq!(position.to_string(), "3:120,7:5,8:1");
        assert!(position.covers(&"7:5".parse().expect("a position")));
        assert!(!position.covers(&"0:1".parse().expect("a position")));
    }

    #[test]
    fn an_invalid_position_is_refused() {
        for text in ["3", "16:1", "3:-1", "x:1", "3:1:2"] {
            assert_eq!(text.parse::<LedgerPosition>(), Err(PositionError), "{text}");
        }
    }

    #[test]
    fn the_shard_of_a_business_never_changes() {
        let shards: Vec<_> = (1..=4)
            .map(|n| Shard::of(BusinessId::from_uuid(Uuid::from_u128(n))).number())
            .collect();
        assert_eq!(shards, vec![12, 9, 11, 5], "a stored log depends on these values");
    }
}
