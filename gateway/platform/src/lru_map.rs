//! A map that evicts the least recently used entries, but only on `trim`. So a caller that reads many entries for one
//! decision finds all of them.

use std::collections::HashMap;
use std::hash::Hash;

#[derive(Debug)]
pub struct LruMap<K, V> {
    entries: HashMap<K, Entry<V>>,
    clock: u64,
    most: usize,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    used: u64,
}

impl<K: Eq + Hash, V> LruMap<K, V> {
    /// Creates a map that keeps at most `most` entries after a `trim`.
    pub fn new(most: usize) -> Self {
        Self {
            entries: HashMap::new(),
            clock: 0,
            most,
        }
    }

    pub fn contains(&self, key: &K) -> bool {
        self.entries.contains_key(key)
    }

    /// Returns the entry and marks it as the most recently used.
    pub fn touch(&mut self, key: &K) -> Option<&mut V> {
        self.clock += 1;
        let entry = self.entries.get_mut(key)?;
        entry.used = self.clock;
        Some(&mut entry.value)
    }

    pub fn insert(&mut self, key: K, value: V) {
        self.clock += 1;
        let used = self.clock;
        self.entries.insert(key, Entry { value, used });
    }

    pub fn remove(&mut self, key: &K) {
        self.entries.remove(key);
    }

    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Evicts the least recently used entries if there are more than `most`. It also makes room for a tenth of `most`
    /// (rounded down), so that a large map does not trim after every insert.
    pub fn trim(&mut self) {
        if self.entries.len() <= self.most {
            return;
        }
        let kept = self.most - self.most / 10;
        let mut uses: Vec<u64> = self.entries.values().map(|entry| entry.used).collect();
        uses.sort_unstable_by(|left, right| right.cmp(left));
        // All entries have different values of `used`.
        let oldest_kept = kept.checked_sub(1).map_or(u64::MAX, |last| uses[last]);
        self.entries.retain(|_, entry| entry.used >= oldest_kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(map: &LruMap<u8, ()>) -> Vec<u8> {
        (0..30).filter(|key| map.contains(key)).collect()
    }

    #[test]
    fn a_trim_evicts_the_least_recently_used_entries() {
        let mut map = LruMap::new(3);
        (0..5).for_each(|key| map.insert(key, ()));
        assert_eq!(kept(&map), [0, 1, 2, 3, 4], "nothing is evicted before the trim");
        map.touch(&0);
        map.trim();
        assert_eq!(kept(&map), [0, 3, 4]);
        map.trim();
        assert_eq!(kept(&map), [0, 3, 4]);
    }

    #[test]
    fn a_larger_map_makes_room_for_a_tenth() {
        let mut map = LruMap::new(20);
        (0..21).for_each(|key| map.insert(key, ()));
        map.trim();
        // 18 of the 21 entries stay: the limit of 20 less its tenth.
        assert_eq!(kept(&map), (3..21).collect::<Vec<_>>());
    }

    #[test]
    fn a_map_of_nothing_keeps_nothing() {
        let mut map = LruMap::new(0);
        map.insert(1, ());
        map.trim();
        assert!(kept(&map).is_empty());
    }
}
