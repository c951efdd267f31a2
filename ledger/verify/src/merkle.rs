//! Merkle trees of RFC 9162, section 2.1, with SHA-256.

use sha2::{Digest, Sha256};
use thiserror::Error;

pub type Hash = [u8; 32];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PathError {
    #[error("the tree has no such leaf or no such size")]
    Range,
    #[error("the path has too many or too few hashes")]
    Length,
    #[error("the path leads to another root")]
    Root,
}

/// Leaves and nodes have different prefixes, so that a node cannot pass for a leaf.
pub fn leaf(data: &[u8]) -> Hash {
    Sha256::new()
        .chain_update([0])
        .chain_update(data)
        .finalize()
        .into()
}

pub fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new()
        .chain_update([1])
        .chain_update(left)
        .chain_update(right)
        .finalize()
        .into()
}

/// A tree that grows at its end. It keeps only the roots of its complete subtrees, the largest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Growing {
    size: u64,
    complete: Vec<Hash>,
}

impl Growing {
    pub const fn size(&self) -> u64 {
        self.size
    }

    pub fn push(&mut self, leaf: Hash) {
        self.push_subtree(0, leaf);
    }

    /// Adds a complete subtree of 2^`height` leaves. The size so far must be a multiple of that number, which the caller
    /// knows.
    pub fn push_subtree(&mut self, height: u32, root: Hash) {
        let leaves = 1_u64 << height;
        debug_assert!(self.size.is_multiple_of(leaves), "subtrees are aligned");
        let mut merged = root;
        // As many subtrees merge as a binary addition carries.
        for _ in 0..(self.size >> height).trailing_ones() {
            let Some(left) = self.complete.pop() else { break };
            merged = node(&left, &merged);
        }
        self.complete.push(merged);
        self.size += leaves;
    }

    /// Without leaves the hash of no bytes.
    pub fn root(&self) -> Hash {
        let mut complete = self.complete.iter().rev();
        let Some(last) = complete.next() else {
            return Sha256::digest([]).into();
        };
        complete.fold(*last, |right, left| node(left, &right))
    }
}

impl FromIterator<Hash> for Growing {
    fn from_iter<Leaves: IntoIterator<Item = Hash>>(leaves: Leaves) -> Self {
        let mut tree = Self::default();
        leaves.into_iter().for_each(|leaf| tree.push(leaf));
        tree
    }
}

/// The subtrees whose roots are the inclusion path of a leaf, from the leaf upwards, as ranges of leaves. Every range
/// begins at a multiple of the smallest power of two that is not below its length.
pub fn inclusion_ranges(index: u64, size: u64) -> Vec<(u64, u64)> {
    let mut ranges = vec![];
    let (mut first, mut end) = (0, size);
    while end.saturating_sub(first) > 1 {
        let middle = first + split(end - first);
        if index < middle {
            ranges.push((middle, end));
            end = middle;
        } else {
            ranges.push((first, middle));
            first = middle;
        }
    }
    ranges.reverse();
    ranges
}

/// The same for the consistency path from `earlier` leaves to `size`. For 0 leaves, and for equal sizes, it is empty.
pub fn consistency_ranges(earlier: u64, size: u64) -> Vec<(u64, u64)> {
    let mut ranges = vec![];
    if earlier == 0 || earlier >= size {
        return ranges;
    }
    let (mut first, mut end) = (0, size);
    // While the earlier tree is not a whole subtree of the later one, it ends inside of one of both halves.
    while earlier != end {
        let middle = first + split(end - first);
        if earlier <= middle {
            ranges.push((middle, end));
            end = middle;
        } else {
            ranges.push((first, middle));
            first = middle;
        }
    }
    // The verifier has the earlier root. If it is such a subtree itself, the path leaves it out.
    if first != 0 {
        ranges.push((first, end));
    }
    ranges.reverse();
    ranges
}

/// The largest power of two below a size of at least two.
const fn split(size: u64) -> u64 {
    1 << (u64::BITS - 1 - (size - 1).leading_zeros())
}

/// Checks that the leaf is at `index` of a tree of that size and root (section 2.1.3.2).
pub fn check_inclusion(
    leaf: &Hash,
    index: u64,
    size: u64,
    path: &[Hash],
    root: &Hash,
) -> Result<(), PathError> {
    if index >= size {
        return Err(PathError::Range);
    }
    let (mut at, mut last) = (index, size - 1);
    let mut hash = *leaf;
    for sibling in path {
        if last == 0 {
            return Err(PathError::Length);
        }
        if at & 1 == 1 || at == last {
            hash = node(sibling, &hash);
            while at & 1 == 0 && at != 0 {
                at >>= 1;
                last >>= 1;
            }
        } else {
            hash = node(&hash, sibling);
        }
        at >>= 1;
        last >>= 1;
    }
    if last != 0 {
        return Err(PathError::Length);
    }
    if hash == *root {
        Ok(())
    } else {
        Err(PathError::Root)
    }
}

/// A tree as a checkpoint describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tree {
    pub size: u64,
    pub root: Hash,
}

/// Checks that the later tree begins with all leaves of the earlier one (section 2.1.4.2).
pub fn check_consistency(earlier: &Tree, later: &Tree, path: &[Hash]) -> Result<(), PathError> {
    if earlier.size == 0 || earlier.size > later.size {
        return Err(PathError::Range);
    }
    if earlier.size == later.size {
        return match (path.is_empty(), earlier.root == later.root) {
            (false, _) => Err(PathError::Length),
            (true, false) => Err(PathError::Root),
            (true, true) => Ok(()),
        };
    }
    let mut path = path.iter();
    let (mut at, mut last) = (earlier.size - 1, later.size - 1);
    while at & 1 == 1 {
        at >>= 1;
        last >>= 1;
    }
    let start = if earlier.size.is_power_of_two() {
        &earlier.root
    } else {
        path.next().ok_or(PathError::Length)?
    };
    let (mut old, mut new) = (*start, *start);
    for sibling in path {
        if last == 0 {
            return Err(PathError::Length);
        }
        if at & 1 == 1 || at == last {
            old = node(sibling, &old);
            new = node(sibling, &new);
            while at & 1 == 0 && at != 0 {
                at >>= 1;
                last >>= 1;
            }
        } else {
            new = node(&new, sibling);
        }
        at >>= 1;
        last >>= 1;
    }
    if last != 0 {
        return Err(PathError::Length);
    }
    if old == earlier.root && new == later.root {
        Ok(())
    } else {
        Err(PathError::Root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(count: u64) -> Vec<Hash> {
        (0..count).map(|n| leaf(&n.to_be_bytes())).collect()
    }

    /// The definition of section 2.1.1, word for word.
    fn defined_root(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => Sha256::digest([]).into(),
            [only] => *only,
            _ => {
                let mut half = 1;
                while half * 2 < leaves.len() {
                    half *= 2;
                }
                node(&defined_root(&leaves[..half]), &defined_root(&leaves[half..]))
            }
        }
    }

    fn path(leaves: &[Hash], ranges: Vec<(u64, u64)>) -> Vec<Hash> {
        let index = |n: u64| usize::try_from(n).expect("a small tree");
        let root = |(first, end)| defined_root(&leaves[index(first)..index(end)]);
        ranges.into_iter().map(root).collect()
    }

    fn tree(leaves: &[Hash]) -> Tree {
        Tree {
            size: leaves.len() as u64,
            root: defined_root(leaves),
        }
    }

    const SIZES: std::ops::RangeInclusive<u64> = 1..=70;

    #[test]
    fn the_root_of_a_growing_tree_is_the_defined_one() {
        for size in 0..=*SIZES.end() {
            let growing: Growing = leaves(size).into_iter().collect();
            assert_eq!(growing.root(), defined_root(&leaves(size)), "size {size}");
            assert_eq!(growing.size(), size);
        }
    }

    #[test]
    fn whole_subtrees_grow_a_tree_like_their_leaves() {
        let all = leaves(70);
        let mut growing = Growing::default();
        growing.push_subtree(5, defined_root(&all[..32]));
        growing.push_subtree(5, defined_root(&all[32..64]));
        growing.push_subtree(2, defined_root(&all[64..68]));
        all[68..].iter().for_each(|leaf| growing.push(*leaf));
        assert_eq!(growing.root(), defined_root(&all));
    }

    #[test]
    fn ranges_begin_where_a_complete_subtree_begins() {
        for size in SIZES {
            let all = (0..size).flat_map(|index| inclusion_ranges(index, size));
            let all = all.chain((0..=size).flat_map(|earlier| consistency_ranges(earlier, size)));
            for (first, end) in all {
                assert!(first < end && end <= size);
                assert_eq!(first % (end - first).next_power_of_two(), 0);
            }
        }
    }

    #[test]
    fn every_leaf_is_included_at_its_place_only() {
        for size in SIZES {
            let all = leaves(size);
            let Tree { root, .. } = tree(&all);
            for (index, leaf) in (0..).zip(&all) {
                let path = path(&all, inclusion_ranges(index, size));
                assert_eq!(check_inclusion(leaf, index, size, &path, &root), Ok(()));
                for other in (0..=size).filter(|other| *other != index) {
                    assert!(check_inclusion(leaf, other, size, &path, &root).is_err());
                }
                let mut longer = path.clone();
                longer.push(*leaf);
                assert_eq!(
                    check_inclusion(leaf, index, size, &longer, &root),
                    Err(PathError::Length)
                );
                if let Some((_, shorter)) = path.split_last() {
                    assert_eq!(
                        check_inclusion(leaf, index, size, shorter, &root),
                        Err(PathError::Length)
                    );
                }
                assert_eq!(
                    check_inclusion(&super::leaf(b"other"), index, size, &path, &root),
                    Err(PathError::Root)
                );
            }
        }
    }

    #[test]
    fn a_tree_is_consistent_with_all_its_earlier_states_only() {
        for size in SIZES {
            let all = leaves(size);
            let later = tree(&all);
            for earlier_size in 1..=size {
                let earlier = tree(&all[..usize::try_from(earlier_size).expect("small")]);
                let path = path(&all, consistency_ranges(earlier_size, size));
                assert_eq!(check_consistency(&earlier, &later, &path), Ok(()));
                let rewritten = Tree {
                    root: leaf(b"other"),
                    ..earlier
                };
                assert_eq!(check_consistency(&rewritten, &later, &path), Err(PathError::Root));
                let forked = Tree {
                    root: leaf(b"other"),
                    ..later
                };
                assert_eq!(check_consistency(&earlier, &forked, &path), Err(PathError::Root));
                let mut longer = path.clone();
                longer.push(later.root);
                assert_eq!(
                    check_consistency(&earlier, &later, &longer),
                    Err(PathError::Length)
                );
                if let Some((_, shorter)) = path.split_last() {
                    assert!(check_consistency(&earlier, &later, shorter).is_err());
                }
                assert_eq!(
                    check_consistency(&later, &earlier, &path).is_ok(),
                    earlier_size == size
                );
            }
        }
    }
}
