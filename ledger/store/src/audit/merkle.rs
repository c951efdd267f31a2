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

    fn node(left: [u8; 32], right: [u8; 32]) -> [u8; 32] {
        Sha256::new()
            .chain_update([1])
            .chain_update(left)
            .chain_update(right)
            .finalize()
            .into()
    }

    #[test]
    fn leaves_and_nodes_are_hashed_with_different_prefixes() {
        let hashed: [u8; 32] = Sha256::new()
            .chain_update([0])
            .chain_update(Uuid::from_u128(1).as_bytes())
            .chain_update(1_i64.to_be_bytes())
            .chain_update([7; 32])
            .finalize()
            .into();
        assert_eq!(leaves(1), [hashed]);
        let [left, right] = [leaves(2)[0], leaves(2)[1]];
        assert_eq!(root(leaves(2)), node(left, right));
    }

    #[test]
    fn an_odd_last_node_moves_up_unchanged() {
        assert_eq!(root(leaves(1)), leaves(1)[0]);
        let [first, second, odd] = [leaves(3)[0], leaves(3)[1], leaves(3)[2]];
        assert_eq!(root(leaves(3)), node(node(first, second), odd));
    }
}
