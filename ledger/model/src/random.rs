//! Random numbers that follow from a seed: SplitMix64 (Steele, Lea and Flood, 2014).
//!
//! A generator of our own: the generators of libraries may change with their version, and a seed must replay, on every
//! machine and at any time. Not suitable for secrets.

#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    pub const fn of(seed: u64) -> Self {
        Self(seed)
    }

    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to `limit`, exclusive. The modulo bias does not matter here.
    pub const fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}
