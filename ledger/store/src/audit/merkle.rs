//! The Merkle root over a shard's businesses, ordered by id; each leaf is (business, sequence, chain hash). Leaves and
//! nodes are hashed with different prefixes (RFC 9162, 2.1.1), so that a node cannot pass for a leaf.

use ledger_domain::BusinessId;
use sha2::{Digest, Sha256};

pub(super) fn leaf(business_id: BusinessId, version: i64, chain: &[u8; 32]) -> [u8; 32] {
    Sha256::new()
        .chain_update([0])
        .chain_update(business_id.uuid().as_bytes())
        .chain_update(version.to_be_bytes())
        .chain_update(chain)
        .finalize()
        .into()
}

/// An odd last node moves up unchanged. Without leaves the root is the hash of no bytes.
pub(super) fn root(mut level: Vec<[u8; 32]>) -> [u8; 32] {
    if level.is_empty() {
        return Sha256::digest([]).into();
    }
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| match pair {
                [left, right] => Sha256::new()
                    .chain_update([1])
                    .chain_update(left)
                    .chain_update(right)
                    .finalize()
                    .into(),
                [odd] => *odd,
                _ => unreachable!("chunks of two"),
            })
            .collect();
    }
    level[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn leaves(n: u128) -> Vec<[u8; 32]> {
        (1..=n)
            .map(|id| leaf(BusinessId::from_uuid(Uuid::from_u128(id)), 1, &[7; 32]))
            .collect()
    }

    #[test]
    fn the_root_depends_on_every_leaf_and_their_order() {
        let original = root(leaves(5));
        for n in 0..5 {
            let mut changed = leaves(5);
            changed[n][0] ^= 1;
            assert_ne!(root(changed), original, "leaf {n}");
        }
        let mut swapped = leaves(5);
        swapped.swap(1, 3);
        assert_ne!(root(swapped), original);
        assert_ne!(root(leaves(4)), original);
    }

    #[test]
    fn one_leaf_is_its_own_root_and_nodes_have_another_prefix() {
        assert_eq!(root(leaves(1)), leaves(1)[0]);
        let [left, right] = [leaves(2)[0], leaves(2)[1]];
        let node: [u8; 32] = Sha256::new()
            .chain_update([1])
            .chain_update(left)
            .chain_update(right)
            .finalize()
            .into();
        assert_eq!(root(leaves(2)), node);
    }
}
