//! A least-recently-used cache with a limit in bytes. Pinned entries are never evicted.
//!
//! Each use is appended to a queue. An entry is evicted when its *latest* use reaches the front, so a use costs one
//! push and no linked list. Earlier uses of an entry are outdated.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

#[derive(Debug)]
pub(super) struct Lru<K, V> {
    /// Boxed: evictions leave unusable places in the map, several for each entry, and a box keeps each of them small.
    entries: HashMap<K, Box<Entry<V>>>,
    uses: VecDeque<(K, u64)>,
    clock: u64,
    bytes: usize,
}

/// Outdated uses are dropped once the queue has two uses for each entry and this many more. The margin spares a small
/// cache the work.
const SPARE_USES: usize = 1_024;

#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: usize,
    used: u64,
}

impl<K: Copy + Eq + Hash, V> Lru<K, V> {
    pub fn new() -> Self {
        Self {
            entries: HashMap::new(),
            uses: VecDeque::new(),
            clock: 0,
            bytes: 0,
        }
    }

    #[cfg(test)]
    pub fn contains(&self, key: &K) -> bool {
        self.entries.contains_key(key)
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    /// Gets the entry and marks it as used.
    pub fn touch(&mut self, key: &K) -> Option<&mut V> {
        let entry = self.entries.get_mut(key)?;
        self.clock += 1;
        entry.used = self.clock;
        self.uses.push_back((*key, self.clock));
        Some(&mut entry.value)
    }

    pub fn insert(&mut self, key: K, value: V, bytes: usize) {
        self.clock += 1;
        self.uses.push_back((key, self.clock));
        self.bytes += bytes;
        let entry = Box::new(Entry {
            value,
            bytes,
            used: self.clock,
        });
        if let Some(old) = self.entries.insert(key, entry) {
            self.bytes -= old.bytes;
        }
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        let entry = self.entries.remove(key)?;
        self.bytes -= entry.bytes;
        Some(entry.value)
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        let mut dropped = 0;
        self.entries.retain(|key, entry| {
            let kept = keep(key, &entry.value);
            dropped += if kept { 0 } else { entry.bytes };
            kept
        });
        self.bytes -= dropped;
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.uses.clear();
        self.bytes = 0;
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn uses_max(&self) -> usize {
        2 * self.entries.len() + SPARE_USES
    }

    /// Evicts entries until at most `limit` bytes are left, except `pinned` ones.
    pub fn evict_to_limit(&mut self, limit: usize, pinned: impl Fn(&V) -> bool) {
        if self.uses.len() > self.uses_max() {
            self.drop_outdated_uses();
        }
        let mut examined = 0;
        let uses_before = self.uses.len();
        while examined < uses_before && self.bytes > limit {
            examined += 1;
            let Some((key, used)) = self.uses.pop_front() else {
                break;
            };
            match self.entries.get(&key) {
                Some(entry) if entry.used == used => {
                    if pinned(&entry.value) {
                        self.uses.push_back((key, used));
                    } else {
                        self.remove(&key);
                    }
                }
                Some(_) | None => {}
            }
        }
    }

    /// Keeps the order of the others. More than half of the uses are outdated at this point, so each dropped use pays
    /// for at most one that stays.
    fn drop_outdated_uses(&mut self) {
        let entries = &self.entries;
        self.uses
            .retain(|(key, used)| entries.get(key).is_some_and(|entry| entry.used == *used));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(entries: u32) -> Lru<u32, bool> {
        let mut lru = Lru::new();
        for key in 0..entries {
            lru.insert(key, key == 0, 10);
        }
        lru
    }

    #[test]
    fn the_least_recently_used_entry_is_evicted_first() {
        let mut lru = filled(4);
        lru.touch(&1);
        lru.evict_to_limit(20, |_| false);
        assert_eq!(
            (0..4).map(|key| lru.contains(&key)).collect::<Vec<_>>(),
            [false, true, false, true]
        );
        assert_eq!(lru.bytes(), 20);
    }

    #[test]
    fn the_order_stays_when_outdated_uses_are_dropped() {
        // Outdated uses are dropped after one of these numbers of uses.
        for uses in SPARE_USES..SPARE_USES + 8 {
            let mut lru = filled(2);
            for _ in 0..uses {
                lru.touch(&1);
                lru.evict_to_limit(20, |_| false);
            }
            lru.insert(2, false, 10);
            lru.evict_to_limit(20, |_| false);
            assert_eq!([0, 1, 2].map(|key| lru.contains(&key)), [false, true, true]);
        }
    }

    #[test]
    fn evictions_leave_the_map_of_a_full_cache_small() {
        let mut lru = Lru::new();
        let (size, limit) = (300, 300 * 1_000);
        for key in 0..100_000_u64 {
            lru.insert(key, [0_u8; 300], size);
            lru.evict_to_limit(limit, |_| false);
        }
        let place = size_of::<(u64, Box<Entry<[u8; 300]>>)>() + 1;
        let map = lru.entries.capacity() * place;
        assert!(
            map < limit / 3,
            "the map takes {map} bytes besides {limit} of entries"
        );
    }

    #[test]
    fn a_pinned_entry_stays_above_the_limit() {
        let mut lru = filled(4);
        lru.evict_to_limit(0, |pinned| *pinned);
        assert!(lru.contains(&0));
        assert_eq!(lru.bytes(), 10);
    }

    #[test]
    fn replaced_bytes_count_once_and_the_queue_of_uses_is_bounded() {
        let mut lru = filled(2);
        lru.insert(1, false, 30);
        assert_eq!(lru.bytes(), 40);
        for _ in 0..10_000 {
            lru.touch(&1);
        }
        lru.evict_to_limit(100, |_| false);
        assert!(lru.uses.len() <= lru.uses_max(), "{} uses", lru.uses.len());
        assert!(lru.contains(&0) && lru.contains(&1));
    }
}
