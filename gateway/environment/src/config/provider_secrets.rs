//! The secrets of providers' notices: the current one, and during a rotation the previous one. A provider signs with
//! it, or an acquirer has it in the path of its notices (`AcquirersConfig::notice_secrets`).

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
    /// Secrets that are derived from one key of the installation, for development.
    pub fn derived(key: &[u8]) -> Self {
        let mut secrets = Self::default();
        for provider in Provider::ALL {
            secrets.derive(key, b"webhook/", *provider);
        }
        secrets
    }

    /// Sets a provider's secret for this purpose, for development.
    pub(super) fn derive(&mut self, key: &[u8], purpose: &[u8], provider: Provider) {
        let secret = Self::derived_one(key, purpose, provider).into_bytes();
        self.0.insert(provider.number(), vec![secret]);
    }

    pub(super) fn derived_one(key: &[u8], purpose: &[u8], provider: Provider) -> String {
        let mut mac = mac(key);
        mac.update(purpose);
        mac.update(provider.slug().as_bytes());
        hex::encode(mac.finalize().into_bytes())
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

    /// Whether the given text is one of the provider's secrets. Takes the same time for all given texts of one length.
    /// It also compares for a provider that is not set up.
    pub fn holds(&self, provider: Option<Provider>, given: &str) -> bool {
        let nothing = [Vec::new()];
        let known = provider.map_or(&[][..], |provider| self.of(provider));
        let secrets = if known.is_empty() { &nothing[..] } else { known };
        let given_tag = tagged(given.as_bytes()).finalize().into_bytes();
        let same = secrets
            .iter()
            .map(|secret| tagged(secret).verify_slice(&given_tag).is_ok());
        // Without a short cut, so that the time does not tell which of two secrets is the given one.
        same.fold(false, |found, same| found | same) && !known.is_empty()
    }

    pub fn current(&self, provider: Provider) -> Option<&[u8]> {
        self.of(provider).first().map(Vec::as_slice)
    }
}

/// Texts are compared by their tags, which have one length, in constant time. The text is the message and not the key,
/// because HMAC pads its keys with zeros.
fn tagged(text: &[u8]) -> Hmac<Sha256> {
    mac(b"comparison").chain_update(text)
}

fn mac(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes a key of any length")
}

impl fmt::Debug for ProviderSecrets {
    /// Shows the numbers of the providers that are set up, and never a secret.
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
    fn a_given_text_is_compared_with_each_secret_of_its_provider_alone() {
        let mut secrets = ProviderSecrets::default();
        secrets
            .set(Provider::Zoop, "0123456789abcdef,fedcba9876543210")
            .expect("two secrets");
        for (provider, given, held) in [
            (Some(Provider::Zoop), "0123456789abcdef", true),
            (Some(Provider::Zoop), "fedcba9876543210", true),
            (Some(Provider::Zoop), "0123456789abcde", false),
            (Some(Provider::Zoop), "0123456789abcdef\0", false),
            (Some(Provider::Zoop), "", false),
            (Some(Provider::Iugu), "0123456789abcdef", false),
            (Some(Provider::Iugu), "", false),
            (None, "0123456789abcdef", false),
            (None, "", false),
        ] {
            assert_eq!(secrets.holds(provider, given), held, "{provider:?} {given}");
        }
    }

    #[test]
    fn derived_secrets_differ_between_providers_and_are_not_shown() {
        let secrets = ProviderSecrets::derived(b"key");
        assert_ne!(secrets.current(Provider::Zoop), secrets.current(Provider::Iugu));
        let shown = format!("{secrets:?}");
        assert_eq!(shown, "[1, 2, 3, 4, 5, 6, 7, 8]");
    }
}
