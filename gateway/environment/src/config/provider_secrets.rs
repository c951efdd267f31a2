//! The secrets with which providers sign their notices: the current one, and during a rotation the previous one.

use std::collections::BTreeMap;
use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use ledger_domain::sale::Provider;
use sha2::Sha256;
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SecretsError {
    #[error("a provider has one secret, or two while they are rotated (separated by a comma)")]
    Count,
    #[error("a secret needs at least 16 characters")]
    Short,
}

#[derive(Clone, Default)]
pub struct ProviderSecrets(BTreeMap<u8, Vec<Vec<u8>>>);

impl ProviderSecrets {
    /// Secrets that are derived from one key of the installation, for development. The sandbox derives the same ones.
    pub fn derived(key: &[u8]) -> Self {
        let mut secrets = Self::default();
        for provider in Provider::ALL {
            let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
            mac.update(b"webhook/");
            mac.update(provider.slug().as_bytes());
            let secret = hex::encode(mac.finalize().into_bytes()).into_bytes();
            secrets.0.insert(provider.number(), vec![secret]);
        }
        secrets
    }

    /// Sets one provider's secrets from the configuration: `current` or `current,previous`.
    pub fn set(&mut self, provider: Provider, text: &str) -> Result<(), SecretsError> {
        let secrets: Vec<_> = text
            .split(',')
            .map(|secret| secret.trim().as_bytes().to_vec())
            .collect();
        if !(1..=2).contains(&secrets.len()) {
            return Err(SecretsError::Count);
        }
        if secrets.iter().any(|secret| secret.len() < 16) {
            return Err(SecretsError::Short);
        }
        self.0.insert(provider.number(), secrets);
        Ok(())
    }

    /// The secrets that can sign the provider's notices; empty if the provider is not set up.
    pub fn of(&self, provider: Provider) -> &[Vec<u8>] {
        self.0.get(&provider.number()).map_or(&[], Vec::as_slice)
    }

    /// The current secret, with which the sandbox signs.
    pub fn current(&self, provider: Provider) -> Option<&[u8]> {
        self.of(provider).first().map(Vec::as_slice)
    }
}

impl fmt::Debug for ProviderSecrets {
    /// Shows which providers are set up, and never a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_keeps_two_secrets_and_signs_with_the_first() {
        let mut secrets = ProviderSecrets::default();
        secrets
            .set(Provider::Zoop, "0123456789abcdef, fedcba9876543210")
            .expect("two secrets");
        assert_eq!(secrets.of(Provider::Zoop).len(), 2);
        assert_eq!(secrets.current(Provider::Zoop), Some(&b"0123456789abcdef"[..]));
        assert!(secrets.of(Provider::Iugu).is_empty());
    }

    #[test]
    fn short_secrets_and_third_secrets_are_refused() {
        let mut secrets = ProviderSecrets::default();
        assert_eq!(secrets.set(Provider::Zoop, "short"), Err(SecretsError::Short));
        let three = "0123456789abcdef,0123456789abcdef,0123456789abcdef";
        assert_eq!(secrets.set(Provider::Zoop, three), Err(SecretsError::Count));
    }

    #[test]
    fn derived_secrets_differ_between_providers_and_are_not_shown() {
        let secrets = ProviderSecrets::derived(b"key");
        assert_ne!(secrets.current(Provider::Zoop), secrets.current(Provider::Iugu));
        let shown = format!("{secrets:?}");
        assert_eq!(shown, "[1, 2, 3, 4, 5, 6, 7, 8]");
    }
}
