//! Takes new secrets into the running program. Everything else is read at the start only.

use super::Config;

/// The variables with another value.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reloaded {
    /// In force from now on.
    pub taken: Vec<String>,
    /// In force after a restart.
    pub waiting: Vec<String>,
}

impl Reloaded {
    pub const fn is_empty(&self) -> bool {
        self.taken.is_empty() && self.waiting.is_empty()
    }
}

impl Config {
    /// Takes what a running program can take from the configuration as it is read now.
    pub fn take_from(&self, fresh: &Self) -> Reloaded {
        let (before, now) = (self.settings.get(), fresh.settings.get());
        let changed = before.changed(&now).map(str::to_owned);
        let (taken, waiting) = changed.partition(|name| is_live(name));
        self.keys.jwt.take_from(&fresh.keys.jwt);
        self.keys.checkpoint.take_from(&fresh.keys.checkpoint);
        self.mail.transport.take_from(&fresh.mail.transport);
        self.providers.take_from(&fresh.providers);
        self.acquirers
            .notice_secrets
            .take_from(&fresh.acquirers.notice_secrets);
        for acquirer in &self.acquirers.configured {
            if let Some(fresh) = fresh.acquirers.of(acquirer.provider) {
                acquirer.key.take_from(&fresh.key);
            }
        }
        self.settings.take_from(&fresh.settings);
        Reloaded { taken, waiting }
    }
}

fn is_live(name: &str) -> bool {
    let of_acquirer = name.starts_with("RAZAO_ACQUIRER_");
    matches!(
        name,
        "RAZAO_KEY_JWT" | "RAZAO_KEY_CHECKPOINT" | "RAZAO_CHECKPOINT_PUBLIC_KEYS" | "RAZAO_SMTP_URL"
    ) || (name.starts_with("RAZAO_PROVIDER_") && name.ends_with("_SECRETS"))
        || (of_acquirer && name.ends_with("_NOTICE_SECRETS"))
        || (of_acquirer && name.ends_with("_KEY") && !name.ends_with("_SIGNING_KEY"))
}
