//! The installation's keys. In production each comes from its variable. In development a missing key is generated once,
//! with a warning in the log. It is stored in the data folder (mode 0600), so that sessions and sale ids survive a
//! restart.
//!
//! To replace `RAZAO_KEY_JWT` or `RAZAO_KEY_CHECKPOINT`, give the new key first and the old one behind it (`new,old`).
//! Several processes first get `old,new`, so that each accepts what another one signs. The old `RAZAO_KEY_JWT` may go
//! after 15 minutes, when its last access token has ended. The old `RAZAO_KEY_CHECKPOINT` stays: changes outside the log
//! are proven with it, and its public half is no use for that. Restart the processes after a change of it: until then
//! their sessions of the database and their connections to each other use the old one.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use ed25519_dalek::{SigningKey, VerifyingKey};
use thiserror::Error;
use uuid::Uuid;

use super::{Live, Secret, Variables};

#[derive(Debug)]
pub struct Keys {
    /// `RAZAO_KEY_JWT`: signs access tokens. All keys except `RAZAO_KEY_SALES` are 64 hexadecimal characters,
    /// not all 0.
    pub jwt: Live<KeyRing>,
    /// `RAZAO_KEY_REFRESH`: values such as refresh tokens and CSRF tokens are derived from it.
    pub refresh: Secret<[u8; 32]>,
    /// `RAZAO_KEY_SALES`: a UUID, the namespace of the ids of providers' sales. It is secret, so that outsiders cannot
    /// compute a sale's id. It must never change, or a repeated notice would create a second sale.
    pub sales: Secret<Uuid>,
    /// `RAZAO_KEY_CHECKPOINT`: the seed of the Ed25519 key that signs heads. The keys of changes outside the log and of
    /// the connections between processes are derived from it. An audit does without it, and then does not check by whom
    /// changes outside the log were made.
    ///
    /// `RAZAO_CHECKPOINT_PUBLIC_KEYS`: public halves of such keys, comma separated, whose heads are accepted too: those
    /// of earlier keys, and for an audit without `RAZAO_KEY_CHECKPOINT` all of them. `razao config check` prints the
    /// present one.
    pub checkpoint: Live<CheckpointKeys>,
}

/// Keys for one purpose. The first one signs; all are accepted.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct KeyRing(Vec<Secret<[u8; 32]>>);

/// More than that many keys are not in use at one time.
const KEYS_MAX: usize = 8;

impl KeyRing {
    pub fn new(keys: impl IntoIterator<Item = [u8; 32]>) -> Self {
        Self(keys.into_iter().map(Secret::new).collect())
    }

    /// The key that signs. Only an audit may be without one.
    pub fn present(&self) -> Option<&[u8; 32]> {
        self.all().next()
    }

    pub fn all(&self) -> impl Iterator<Item = &[u8; 32]> {
        self.0.iter().map(Secret::reveal)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let keys: Vec<_> = text
            .split(',')
            .map(|key| parse_key(key.trim()))
            .collect::<Result<_, _>>()?;
        if keys.len() > KEYS_MAX {
            return Err(format!("has more than {KEYS_MAX} keys"));
        }
        Ok(Self::new(keys))
    }
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct CheckpointKeys {
    pub ring: KeyRing,
    /// Of keys whose secret half this program does not have.
    public: Vec<VerifyingKey>,
}

#[derive(Debug, Error)]
#[error("RAZAO_KEY_CHECKPOINT is not set, and nothing can be signed without it")]
pub struct NoCheckpointKey;

impl CheckpointKeys {
    pub const fn new(ring: KeyRing) -> Self {
        Self { ring, public: vec![] }
    }

    pub fn signing(&self) -> Result<&[u8; 32], NoCheckpointKey> {
        self.ring.present().ok_or(NoCheckpointKey)
    }

    /// The keys that may have signed heads.
    pub fn verifying(&self) -> Vec<VerifyingKey> {
        let own = self
            .ring
            .all()
            .map(|seed| SigningKey::from_bytes(seed).verifying_key());
        own.chain(self.public.iter().copied()).collect()
    }
}

impl Keys {
    pub(super) fn read(variables: &mut Variables<'_>, folder: &Path) -> Self {
        let jwt = variable_or_file(
            variables,
            folder,
            ("RAZAO_KEY_JWT", "jwt"),
            KeyRing::parse,
            new_key,
        );
        let refresh = ("RAZAO_KEY_REFRESH", "refresh");
        let checkpoint = ("RAZAO_KEY_CHECKPOINT", "checkpoint");
        Self {
            jwt: Live::new(jwt),
            refresh: Secret::new(variable_or_file(variables, folder, refresh, parse_key, new_key)),
            checkpoint: Live::new(CheckpointKeys {
                ring: variable_or_file(variables, folder, checkpoint, KeyRing::parse, new_key),
                public: variables
                    .optional("RAZAO_CHECKPOINT_PUBLIC_KEYS", parse_public_keys)
                    .unwrap_or_default(),
            }),
            sales: Secret::new(variable_or_file(
                variables,
                folder,
                ("RAZAO_KEY_SALES", "sales"),
                |text| Uuid::parse_str(text).map_err(|_| "is not a UUID".to_owned()),
                || Uuid::new_v4().to_string(),
            )),
        }
    }
}

fn parse_public_keys(text: &str) -> Result<Vec<VerifyingKey>, String> {
    let parse = |key: &str| VerifyingKey::from_bytes(&parse_key(key.trim()).ok()?).ok();
    text.split(',')
        .map(parse)
        .collect::<Option<_>>()
        .ok_or_else(|| "is not a list of Ed25519 public keys of 64 hexadecimal characters each".to_owned())
}

/// The key in the variable; in development without it, the one in `keys/<file>`, which the first start generates. If
/// there is none, a fault is recorded, which ends the start, and the default stands for the key.
fn variable_or_file<T: Default>(
    variables: &mut Variables<'_>,
    folder: &Path,
    (name, file): (&str, &str),
    parse: fn(&str) -> Result<T, String>,
    generate: fn() -> String,
) -> T {
    let given = variables.required_in_production(name, "generated keys are for development", parse);
    given.unwrap_or_else(|| {
        // An audit of a development database beside the running program has the key in its folder.
        if variables.production() {
            return T::default();
        }
        let stored = match read_or_create(folder, file, generate) {
            Ok(stored) => stored,
            Err(error) => {
                let keys = folder.join("keys");
                variables.fault(
                    name,
                    &format!(
                        "has no valid value, and {} cannot be used: {error}",
                        keys.display()
                    ),
                );
                return T::default();
            }
        };
        parse(&stored).unwrap_or_else(|fault| {
            variables.fault(name, &format!("was generated before, but its file {fault}"));
            T::default()
        })
    })
}

fn new_key() -> String {
    hex::encode(rand::random::<[u8; 32]>())
}

fn parse_key(text: &str) -> Result<[u8; 32], String> {
    let mut key = [0; 32];
    match hex::decode_to_slice(text, &mut key) {
        Ok(()) if key != [0; 32] => Ok(key),
        _ => Err("is not a key of 64 hexadecimal characters (openssl rand -hex 32)".to_owned()),
    }
}

fn read_or_create(folder: &Path, file: &str, generate: impl FnOnce() -> String) -> io::Result<String> {
    let folder = folder.join("keys");
    let path = folder.join(file);
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        stored => return stored.map(|text| text.trim().to_owned()),
    }
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)?;
    let text = generate();
    // Two programs may start at the same time. The file gets its name once it is complete, so that no process reads a
    // part of it. The key of the first process to name its file is the key of all.
    let draft = folder.join(format!(".{file}-{}", Uuid::new_v4()));
    let mut created = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)?;
    writeln!(created, "{text}")?;
    created.sync_all()?;
    let named = fs::hard_link(&draft, &path);
    fs::remove_file(&draft)?;
    match named {
        Ok(()) => {
            tracing::warn!("generated a development key: {}", path.display());
            Ok(text)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::read_to_string(&path).map(|text| text.trim().to_owned())
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn a_key_that_cannot_be_stored_is_one_fault() {
        // A file, where the data folder should be.
        let data = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let faults =
            Config::read(&[], |name| (name == "RAZAO_DATA").then(|| data.to_owned())).expect_err("faults");
        let names: Vec<_> = faults
            .0
            .iter()
            .filter_map(|fault| fault.split(' ').next())
            .collect();
        assert_eq!(
            names,
            [
                "RAZAO_KEY_JWT",
                "RAZAO_KEY_REFRESH",
                "RAZAO_KEY_CHECKPOINT",
                "RAZAO_KEY_SALES"
            ]
        );
    }

    #[test]
    fn programs_that_start_at_once_have_the_same_whole_key() {
        let folder = std::env::temp_dir().join(format!("razao-keys-{}", Uuid::new_v4()));
        for round in 0..200 {
            let folder = folder.join(round.to_string());
            let keys: Vec<_> = std::thread::scope(|scope| {
                let programs: Vec<_> = (0..8)
                    .map(|number| {
                        let folder = &folder;
                        scope.spawn(move || read_or_create(folder, "jwt", || format!("{number:064}")))
                    })
                    .collect();
                programs
                    .into_iter()
                    .map(|program| program.join().expect("a program").expect("a key"))
                    .collect()
            });
            assert_eq!(keys[0].len(), 64);
            assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
            let files = fs::read_dir(folder.join("keys")).expect("the folder").count();
            assert_eq!(files, 1, "no draft is left");
        }
        fs::remove_dir_all(folder).expect("removed");
    }
}
