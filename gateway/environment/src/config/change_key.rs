//! The key with which the program's sessions prove that they made a change of a chained row (migration 0010).
//!
//! It is derived from `RAZAO_KEY_CHECKPOINT`: whoever may sign heads may also prove changes.

use sha2::{Digest, Sha256};

use super::Secret;

/// The parameter of a session that holds the key.
const PARAMETER: &str = "razao.change_key";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeKey(Secret<[u8; 32]>);

impl ChangeKey {
    /// `checkpoint`: the seed of the key that signs heads.
    pub fn of(checkpoint: &[u8; 32]) -> Self {
        let derived = Sha256::new()
            .chain_update(b"razao change key v1\0")
            .chain_update(checkpoint)
            .finalize();
        Self(Secret::new(derived.into()))
    }

    /// Gives the key to each session that is opened with these options. It is a parameter of the start and not a
    /// statement, so that no list of running statements shows it.
    pub fn set_in(&self, options: &mut tokio_postgres::Config) {
        let parameter = format!("-c {PARAMETER}={}", hex::encode(self.0.reveal()));
        let all = match options.get_options() {
            Some(others) => format!("{others} {parameter}"),
            None => parameter,
        };
        options.options(all);
    }

    /// The proof of a change, as `record_row_change` computes it. The nested hash keeps anybody without the key from
    /// extending a known proof.
    pub fn proof(&self, change: &[u8]) -> [u8; 32] {
        let keyed = |bytes: &[u8]| {
            Sha256::new()
                .chain_update(self.0.reveal())
                .chain_update(bytes)
                .finalize()
        };
        keyed(&keyed(change)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_added_to_the_options_of_an_address() {
        let mut options: tokio_postgres::Config = "postgres://localhost/razao?options=-c%20lock_timeout%3D5s"
            .parse()
            .expect("an address");
        let key = ChangeKey::of(&[7; 32]);
        key.set_in(&mut options);
        let given = options.get_options().expect("options");
        let (others, own) = given.split_once(" -c razao.change_key=").expect("the key");
        assert_eq!((others, own.len()), ("-c lock_timeout=5s", 64));
        assert_eq!(format!("{key:?}"), "ChangeKey((secret))");
    }

    #[test]
    fn a_proof_depends_on_the_key_and_on_the_change() {
        let key = ChangeKey::of(&[7; 32]);
        assert_eq!(key.proof(b"a"), ChangeKey::of(&[7; 32]).proof(b"a"));
        assert_ne!(key.proof(b"a"), key.proof(b"b"));
        assert_ne!(key.proof(b"a"), ChangeKey::of(&[8; 32]).proof(b"a"));
    }
}
