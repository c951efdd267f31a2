//! A least-recently-used cache with a limit in bytes. Pinned entries are never evicted.

use std::hash::Hash;

use lru::LruCache;

#[derive(Debug)]
pub(super) struct Lru<K: Eq + Hash, V> {
    entries: LruCache<K, Entry<V>>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: usize,
}

impl<K: Eq + Hash, V> Lru<K, V> {
    pub fn new() -> Self {
        Self {
            entries: LruCache::unbounded(),
            bytes: 0,
        }
    }

    #[cfg(test)]
    pub fn contains(&self, key: &K) -> bool {
        self.entries.contains(key)
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.entries.peek(key).map(|entry| &entry.value)
    }

    /// Gets the entry and marks it as used.
    pub fn touch(&mut self, key: &K) -> Option<&mut V> {
        self.entries.get_mut(key).map(|entry| &mut entry.value)
    }

    pub fn insert(&mut self, key: K, value: V, bytes: usize) {
        self.bytes += bytes;
        if let Some(old) = self.entries.put(key, Entry { value, bytes }) {
            self.bytes -= old.bytes;
        }
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        let entry = self.entries.pop(key)?;
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
        self.bytes = 0;
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Evicts entries until at most `limit` bytes are left, except `pinned` ones. They count as used now.
    pub fn evict_to_limit(&mut self, limit: usize, pinned: impl Fn(&V) -> bool) {
        for _ in 0..self.entries.len() {
            if self.bytes <= limit {
                break;
            }
            let Some((key, entry)) = self.entries.pop_lru() else {
                break;
            };
            if pinned(&entry.value) {
                self.entries.put(key, entry);
            } else {
                self.bytes -= entry.bytes;
            }
        }
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
    fn a_pinned_entry_stays_above_the_limit() {
        let mut lru = filled(4);
        lru.evict_to_limit(0, |pinned| *pinned);
        assert!(lru.contains(&0));
        assert_eq!(lru.bytes(), 10);
    }

    #[test]
    fn replaced_removed_and_dropped_bytes_no_longer_count() {
        let mut lru = filled(3);
        lru.insert(1, false, 30);
        assert_eq!(lru.bytes(), 50);
        lru.remove(&1);
        assert_eq!(lru.bytes(), 20);
        lru.retain(|key, _| *key == 0);
        assert_eq!(lru.bytes(), 10);
    }
}
