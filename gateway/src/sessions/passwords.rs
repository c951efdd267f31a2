//! Passwords: hashed with argon2id, checked off the async threads, and as slowly for an unknown e-mail as for a known
//! one, so that nobody learns from the clock who is registered.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use crate::problem::{Problem, Result};

/// OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// The specification's limits, in characters.
pub const CHARACTERS_MIN: usize = 8;
pub const CHARACTERS_MAX: usize = 128;

pub struct Passwords {
    /// As many at once as there are processors: more would only take memory from everything else.
    at_once: Arc<Semaphore>,
    /// What a password is checked against where there is no such person.
    nobody: Arc<str>,
}

impl Passwords {
    pub fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let nobody = hash(&hex::encode(rand::random::<[u8; 16]>())).unwrap_or_default();
        Self {
            at_once: Arc::new(Semaphore::new(processors)),
            nobody: nobody.into(),
        }
    }

    pub async fn hash(&self, password: &str) -> Result<String> {
        let password = password.to_owned();
        self.on_a_thread(move || hash(&password))
            .await?
            .map_err(Problem::internal)
    }

    /// Of a form that may leave the password as it is.
    pub async fn hash_given(&self, password: Option<&str>) -> Result<Option<String>> {
        match password {
            Some(password) => self.hash(password).await.map(Some),
            None => Ok(None),
        }
    }

    /// Whether this is the password; `None` stands for a person who does not exist, and takes as long.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        let known = hash.is_some();
        let hash: Arc<str> = hash.map_or_else(|| Arc::clone(&self.nobody), Into::into);
        let password = password.to_owned();
        Ok(self.on_a_thread(move || verify(&password, &hash)).await? && known)
    }

    async fn on_a_thread<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let turn = Arc::clone(&self.at_once)
            .acquire_owned()
            .await
            .map_err(Problem::internal)?;
        let worked = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        worked.await.map_err(Problem::internal)
    }
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new()
    }
}

/// What is wrong with a password that somebody would have from now on. Never trimmed: a blank at its end may be what makes
/// it a good one.
pub fn new_password_fault(password: &str) -> Option<&'static str> {
    if password.is_empty() {
        return Some("Senha é requerida.");
    }
    match password.chars().count() {
        ..CHARACTERS_MIN => Some("A senha deve ter pelo menos 8 caracteres"),
        CHARACTERS_MIN..=CHARACTERS_MAX => None,
        _ => Some("A senha deve ter até 128 caracteres"),
    }
}

/// The PHC string of a password, with a salt of its own.
pub fn hash(password: &str) -> argon2::password_hash::Result<String> {
    argon2()?
        .hash_password(password.as_bytes())
        .map(|hash: PasswordHash| hash.to_string())
}

fn verify(password: &str, hash: &str) -> bool {
    let checked = argon2().and_then(|argon2| argon2.verify_password(password.as_bytes(), hash));
    checked.is_ok()
}

fn argon2() -> argon2::password_hash::Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}
