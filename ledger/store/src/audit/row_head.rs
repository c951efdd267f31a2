//! Signed heads over the chains of the back office's rows: each signs the state of all chains at a position and names
//! the previous head. They are to those chains what tree heads are to the log.

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::companies;
use super::tree_head::{InvalidTreeHead, key_id};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowHead {
    /// From 1, without gaps.
    pub number: i64,
    /// The position of the last change that it covers.
    pub position: i64,
    pub chains: i64,
    pub root: [u8; 32],
    /// The hash of the previous head; zeros for the first.
    pub previous: [u8; 32],
    pub made_at: Instant,
    pub key_id: [u8; 8],
    pub signature: [u8; 64],
}

/// A chain as of its last change: its id, the number of its changes, and its last link.
pub type ChainState = (Uuid, i64, [u8; 32]);

/// The Merkle root over chains in the order of their ids.
pub fn root(chains: &[ChainState]) -> [u8; 32] {
    let leaf = |(id, changes, link): &ChainState| companies::leaf(BusinessId::from_uuid(*id), *changes, link);
    companies::root(chains.iter().map(leaf))
}

impl RowHead {
    /// The head after `previous`. `chains` are in the order of their ids.
    pub fn sign(
        previous: Option<&Self>,
        position: i64,
        chains: &[ChainState],
        secret_key: &[u8; 32],
        made_at: Instant,
    ) -> Self {
        let key = SigningKey::from_bytes(secret_key);
        let mut head = Self {
            number: previous.map_or(0, |head| head.number) + 1,
            position,
            chains: i64::try_from(chains.len()).unwrap_or(i64::MAX),
            root: root(chains),
            previous: previous.map_or([0; 32], Self::hash),
            // The table stores microseconds, and the stored head must match its signature.
            made_at: Instant::from_timestamp_micros(made_at.timestamp_micros()).unwrap_or(made_at),
            key_id: key_id(&key.verifying_key()),
            signature: [0; 64],
        };
        head.signature = key.sign(&head.signed_bytes()).to_bytes();
        head
    }

    /// The layout starts with its name, so that no signature of this key over other data is valid for such a head.
    fn signed_bytes(&self) -> Vec<u8> {
        let mut bytes = b"razao row head v1\0".to_vec();
        bytes.extend(self.number.to_be_bytes());
        bytes.extend(self.position.to_be_bytes());
        bytes.extend(self.chains.to_be_bytes());
        bytes.extend(self.root);
        bytes.extend(self.previous);
        bytes.extend(self.made_at.timestamp_micros().to_be_bytes());
        bytes.extend(self.key_id);
        bytes
    }

    /// The `previous` of the next head.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::new()
            .chain_update(self.signed_bytes())
            .chain_update(self.signature)
            .finalize()
            .into()
    }

    /// Checks that one of the keys signed this head.
    pub fn verify(&self, keys: &[VerifyingKey]) -> Result<(), InvalidTreeHead> {
        let key = keys
            .iter()
            .find(|key| key_id(key) == self.key_id)
            .ok_or(InvalidTreeHead::UnknownKey)?;
        key.verify(&self.signed_bytes(), &Signature::from_bytes(&self.signature))
            .map_err(|_| InvalidTreeHead::Signature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: [u8; 32] = [7; 32];

    fn at() -> Instant {
        Instant::from_timestamp_micros(1_795_262_400_000_001).expect("an instant")
    }

    fn chains() -> [ChainState; 2] {
        [(Uuid::nil(), 3, [1; 32]), (Uuid::from_u128(1), 2, [2; 32])]
    }

    #[test]
    fn a_signature_covers_every_field_of_the_head() {
        let keys = [SigningKey::from_bytes(&KEY).verifying_key()];
        let head = RowHead::sign(None, 5, &chains(), &KEY, at());
        assert_eq!(head.verify(&keys), Ok(()));
        let next = RowHead::sign(Some(&head), 6, &chains(), &KEY, at());
        assert_eq!((next.number, next.previous), (2, head.hash()));
        let changed = [
            RowHead {
                number: 2,
                ..head.clone()
            },
            RowHead {
                position: 6,
                ..head.clone()
            },
            RowHead {
                chains: 3,
                ..head.clone()
            },
            RowHead {
                root: [0; 32],
                ..head.clone()
            },
            RowHead {
                previous: [9; 32],
                ..head.clone()
            },
            RowHead {
                made_at: at() + chrono::TimeDelta::microseconds(1),
                ..head.clone()
            },
        ];
        for head in changed {
            assert_eq!(head.verify(&keys), Err(InvalidTreeHead::Signature), "{head:?}");
        }
        let other = [SigningKey::from_bytes(&[8; 32]).verifying_key()];
        assert_eq!(head.verify(&other), Err(InvalidTreeHead::UnknownKey));
    }

    #[test]
    fn the_root_covers_each_chain_and_the_number_of_its_changes() {
        let original = root(&chains());
        let [platform, company] = chains();
        assert_ne!(root(&[platform]), original);
        assert_ne!(root(&[platform, (company.0, 3, company.2)]), original);
        assert_ne!(root(&[platform, (company.0, company.1, [3; 32])]), original);
    }
}
