//! Passwords: hashed with argon2id and checked outside the async threads. The check for an unknown e-mail takes as long
//! as for a known one. The response time therefore does not reveal which users are registered.

use std::sync::{Arc, LazyLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use thiserror::Error;
use tokio::sync::{AcquireError, Semaphore};
use tokio::task::JoinError;
use unicode_normalization::UnicodeNormalization;

/// The parameters of the OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// The specification's limits, in characters.
pub const CHARACTERS_MIN: usize = 8;
pub const CHARACTERS_MAX: usize = 128;

/// A technical error. A wrong password is not an error.
#[derive(Debug, Error)]
pub enum PasswordError {
    #[error("{0}")]
    Hash(#[from] argon2::password_hash::Error),
    #[error("{0}")]
    SemaphoreClosed(#[from] AcquireError),
    #[error("{0}")]
    ThreadFailed(#[from] JoinError),
}

type Result<T> = std::result::Result<T, PasswordError>;

pub struct Passwords {
    /// One permit for each processor. More would only take memory from other tasks.
    permits: Arc<Semaphore>,
    /// The hash against which the password of an unknown user is checked.
    unknown_user_hash: Arc<str>,
}

impl Passwords {
    pub fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        // Made once for each process: hashing is slow on purpose.
        static UNKNOWN_USER_HASH: LazyLock<Arc<str>> = LazyLock::new(|| {
            hash(&hex::encode(rand::random::<[u8; 16]>()))
                .unwrap_or_default()
                .into()
        });
        Self {
            permits: Arc::new(Semaphore::new(processors)),
            unknown_user_hash: Arc::clone(&UNKNOWN_USER_HASH),
        }
    }

    pub async fn hash(&self, password: &str) -> Result<String> {
        let password = password.to_owned();
        self.on_blocking_thread(move || hash(&password)).await?
    }

    /// For forms that may leave the password unchanged.
    pub async fn hash_if_given(&self, password: Option<&str>) -> Result<Option<String>> {
        match password {
            Some(password) => self.hash(password).await.map(Some),
            None => Ok(None),
        }
    }

    /// Whether the password is correct. `None` stands for an unknown user: the answer is false and takes as long.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        let known = hash.is_some();
        let hash: Arc<str> = hash.map_or_else(|| Arc::clone(&self.unknown_user_hash), Into::into);
        let password = password.to_owned();
        Ok(self.on_blocking_thread(move || verify(&password, &hash)).await? && known)
    }

    async fn on_blocking_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let permit = Arc::clone(&self.permits).acquire_owned().await?;
        let worked = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        Ok(worked.await?)
    }
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new()
    }
}

/// The message for an invalid new password. Its length is counted in its NFC form. It is never trimmed, because a space
/// at the end may be part of the password.
pub fn new_password_error(password: &str) -> Option<&'static str> {
    if password.is_empty() {
        return Some("Senha é requerida.");
    }
    match nfc(password).chars().count() {
        ..CHARACTERS_MIN => Some("A senha deve ter pelo menos 8 caracteres"),
        CHARACTERS_MIN..=CHARACTERS_MAX => None,
        _ => Some("A senha deve ter até 128 caracteres"),
    }
}

/// The NFC form of a password (RFC 8265). Keyboards send "ã" as one character or as two.
fn nfc(password: &str) -> String {
    password.nfc().collect()
}

/// The PHC string of a password, with a random salt.
pub fn hash(password: &str) -> Result<String> {
    let hash: PasswordHash = argon2()?.hash_password(nfc(password).as_bytes())?;
    Ok(hash.to_string())
}

fn verify(password: &str, hash: &str) -> bool {
    let checked = argon2().and_then(|argon2| argon2.verify_password(nfc(password).as_bytes(), hash));
    checked.is_ok()
}

fn argon2() -> argon2::password_hash::Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPOSED: &str = "ma\u{e7}\u{e3} e a\u{e7}\u{fa}car";
    const DECOMPOSED: &str = "mac\u{327}a\u{303} e ac\u{327}u\u{301}car";

    #[test]
    fn composed_and_decomposed_passwords_are_equal() {
        for stored in [COMPOSED, DECOMPOSED] {
            let hash = hash(stored).expect("a hash");
            for typed in [COMPOSED, DECOMPOSED] {
                assert!(verify(typed, &hash), "{stored:?} typed as {typed:?}");
            }
            assert!(!verify("maca e acucar", &hash), "accents count");
        }
    }

    #[test]
    fn the_length_is_counted_in_the_nfc_form() {
        assert_eq!(new_password_error(&"a\u{303}".repeat(128)), None);
        assert!(new_password_error(&"a\u{303}".repeat(129)).is_some());
        assert!(new_password_error(&"a\u{303}".repeat(7)).is_some());
    }
}
