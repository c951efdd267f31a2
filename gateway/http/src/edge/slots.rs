//! A limit on how many requests of one user, company or caller run at once, in this process. A request over the limit
//! is refused and does not wait. Otherwise the waiting requests of one user could take the places of all others.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Debug)]
pub struct Slots<K: Copy + Eq + Hash> {
    max: u8,
    /// Keys without a taken slot are absent, so the map has at most one entry for each running request.
    taken: Arc<Mutex<HashMap<K, u8>>>,
}

/// A slot that the key holds until this value is dropped.
#[derive(Debug)]
pub struct Slot<K: Copy + Eq + Hash> {
    key: K,
    taken: Arc<Mutex<HashMap<K, u8>>>,
}

impl<K: Copy + Eq + Hash> Slots<K> {
    pub fn new(max: u8) -> Self {
        Self {
            max,
            taken: Arc::default(),
        }
    }

    /// How many slots of the key are taken.
    pub fn taken(&self, key: K) -> u8 {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.get(&key).copied().unwrap_or_default()
    }

    /// `None` if all slots of the key are taken.
    pub fn take(&self, key: K) -> Option<Slot<K>> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.get(&key).copied().unwrap_or_default();
        if count >= self.max {
            return None;
        }
        taken.insert(key, count + 1);
        drop(taken);
        Some(Slot {
            key,
            taken: Arc::clone(&self.taken),
        })
    }
}

impl<K: Copy + Eq + Hash> Drop for Slot<K> {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let left = taken
            .get(&self.key)
            .copied()
            .unwrap_or_default()
            .saturating_sub(1);
        if left == 0 {
            taken.remove(&self.key);
        } else {
            taken.insert(self.key, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_slots_and_gets_them_back() {
        let slots = Slots::new(2);
        let first = slots.take('a').expect("a slot");
        let second = slots.take('a').expect("a slot");
        assert!(slots.take('a').is_none());
        assert_eq!((slots.taken('a'), slots.taken('b')), (2, 0));
        let other = slots.take('b').expect("a slot of another key");
        drop(first);
        assert!(slots.take('a').is_some());
        drop((second, other));
        assert!(
            slots.taken.lock().expect("no panic").is_empty(),
            "only keys in use"
        );
    }
}
