//! The Merkle tree over a shard's companies, ordered by id; each leaf is (company, sequence, chain hash).

use ledger_domain::BusinessId;
use razao_verify::merkle::{self, Growing, Hash, inclusion_ranges};

pub(super) fn leaf(business_id: BusinessId, version: i64, chain: &Hash) -> Hash {
    let data = [&business_id.uuid().as_bytes()[..], &version.to_be_bytes(), chain].concat();
    merkle::leaf(&data)
}

pub(super) fn root(leaves: impl IntoIterator<Item = Hash>) -> Hash {
    leaves.into_iter().collect::<Growing>().root()
}

/// The inclusion path of the leaf with that index.
pub(super) fn path(leaves: &[Hash], index: usize) -> Vec<Hash> {
    inclusion_ranges(index as u64, leaves.len() as u64)
        .into_iter()
        .map(|(first, end)| {
            let skipped = usize::try_from(first).unwrap_or(leaves.len());
            let count = usize::try_from(end - first).unwrap_or(0);
            root(leaves.iter().skip(skipped).take(count).copied())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn leaves(n: u128) -> Vec<Hash> {
        (1..=n)
            .map(|id| leaf(BusinessId::from_uuid(Uuid::from_u128(id)), 1, &[7; 32]))
            .collect()
    }

    /// Tree heads are signed over these roots.
    #[test]
    fn the_roots_of_signed_heads_never_change() {
        assert_eq!(
            hex::encode(root(leaves(3))),
            "2d26b12cdd06ad74bb8427b183abdb3f9d745f3f95382ac87ddd201276ab5199"
        );
    }

    #[test]
    fn every_leaf_has_a_path_to_the_root() {
        for size in 1..20_u64 {
            let leaves = leaves(size.into());
            let root = root(leaves.clone());
            for (index, leaf) in leaves.iter().enumerate() {
                let path = path(&leaves, index);
                assert_eq!(
                    merkle::check_inclusion(leaf, index as u64, size, &path, &root),
                    Ok(())
                );
            }
        }
    }
}
