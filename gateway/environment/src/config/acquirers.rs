//! The acquirers that take payments online: their addresses, our credentials there, and the secrets in the paths that
//! they send notices to.
//!
//! Each has its variables, such as `RAZAO_ACQUIRER_ZOOP_URL`. An acquirer whose URL is `none` is not configured. Its
//! other variables are errors then, because they would have no effect.

use std::time::Duration;

use ledger_domain::sale::Provider;
use url::Url;

use super::{Keys, Live, ProviderSecrets, Secret, Variables};

/// Purposes of keys that are derived for development.
const CREDENTIALS: &[u8] = b"acquirer/";
const NOTICES: &[u8] = b"acquirer-notices/";

/// The length of a notice secret. 24 characters of 64 kinds have 144 bits.
const SECRET_CHARACTERS: std::ops::RangeInclusive<usize> = 24..=128;

/// Where an acquirer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AcquirerServer {
    /// The sandbox serves the contract of this acquirer.
    Sandbox,
    /// Without a slash at its end.
    Url(String),
}

/// An acquirer that takes payments.
#[derive(Debug, Clone)]
pub struct AcquirerConfig {
    pub provider: Provider,
    /// `RAZAO_ACQUIRER_<NAME>_URL`: its address, such as `https://api.zoop.ws`; `sandbox` (the default in development,
    /// not allowed in production); or `none` (the default in production).
    pub server: AcquirerServer,
    /// `RAZAO_ACQUIRER_<NAME>_KEY`: our key or token there. It, the account, the seller and the notice secrets are
    /// needed with an address.
    pub key: Live<Secret<String>>,
    /// `RAZAO_ACQUIRER_<NAME>_ACCOUNT`: the marketplace at Zoop, the account at Iugu.
    pub account: Option<String>,
    /// `RAZAO_ACQUIRER_<NAME>_SELLER`: the id of the seller at Zoop on whose behalf all charges are made
    /// (`on_behalf_of`).
    pub seller: Option<String>,
    /// `RAZAO_ACQUIRER_<NAME>_TEST`, default `no`: `yes` if the key is one of the acquirer's test mode, in which no
    /// money moves. Always true for the sandbox.
    pub test: bool,
    /// `RAZAO_ACQUIRER_<NAME>_SIGNING_KEY`: the private RSA key that signs payouts at Iugu, as PKCS #8 in base64; Iugu
    /// has its public half. Needed with `RAZAO_PAYOUTS=iugu`, but not at the sandbox or in the test mode. To make one:
    /// `openssl genrsa 2048 | openssl pkcs8 -topk8 -nocrypt -outform der | base64 -w0`.
    pub signing_key: Option<Secret<String>>,
    /// `RAZAO_ACQUIRER_<NAME>_TIMEOUT_MS`, default 10000: how long to wait for its answer to a call. Then the charge is
    /// looked up.
    pub timeout: Duration,
}

#[derive(Debug, Default)]
pub struct AcquirersConfig {
    pub configured: Vec<AcquirerConfig>,
    /// `RAZAO_ACQUIRER_<NAME>_NOTICE_SECRETS`: the last part of the path that it sends notices to, or two during a
    /// rotation (`current,previous`). 24 to 128 letters, digits, hyphens and underscores. The path is
    /// `/api/webhooks/zoop/<secret>`.
    pub notice_secrets: Live<ProviderSecrets>,
    /// `RAZAO_ACQUIRER_NOTICE_URL`: the public address of this gateway for notices, such as `https://api.example.com`.
    /// It is sent with each charge to acquirers that take it there; without it, notices are set up at the acquirer. In
    /// development the default is the gateway's own.
    pub notice_url: Option<String>,
    /// `RAZAO_ORDER_LATE_MINUTES`, default 30: an attempt of an order that waits for its acquirer for longer is shown
    /// to operators as late.
    pub orders_late_after: Duration,
}

/// What the configuration depends on in an acquirer's API. `gateway_acquirers::ACQUIRERS` has them, because an adapter
/// declares its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcquirerContract {
    pub provider: Provider,
    /// False if only the sandbox serves the contract.
    pub public: bool,
    // Whether the contract has the variable of that name.
    pub account: bool,
    pub seller: bool,
    pub signing_key: bool,
    /// Whether the adapter pays withdrawals out of our account there.
    pub pays_out: bool,
}

impl AcquirersConfig {
    pub(super) fn read(variables: &mut Variables<'_>, keys: &Keys, contracts: &[AcquirerContract]) -> Self {
        let mut config = Self {
            notice_url: variables.optional_checked("RAZAO_ACQUIRER_NOTICE_URL", read_url),
            orders_late_after: variables.late_after("RAZAO_ORDER_LATE_MINUTES"),
            ..Self::default()
        };
        let key = keys.refresh.reveal();
        let mut secrets = ProviderSecrets::default();
        for contract in contracts {
            let provider = contract.provider;
            for of in OTHER_VARIABLES {
                variables.know(&contract.variable(of));
            }
            match contract.server(variables) {
                Some(AcquirerServer::Sandbox) => {
                    config.configured.push(contract.sandbox(variables, key));
                    secrets.derive(key, NOTICES, provider);
                    // A variable replaces the derived secret, for example to try a rotation.
                    contract.notice_secrets(variables, &mut secrets);
                }
                Some(AcquirerServer::Url(url)) => {
                    config.configured.push(contract.real(variables, url));
                    if !contract.notice_secrets(variables, &mut secrets) {
                        variables.fault(&contract.variable("NOTICE_SECRETS"), NEEDED);
                    }
                }
                None => contract.refuse_variables(variables),
            }
        }
        config.notice_secrets = Live::new(secrets);
        config
    }

    pub fn of(&self, provider: Provider) -> Option<&AcquirerConfig> {
        self.configured
            .iter()
            .find(|acquirer| acquirer.provider == provider)
    }
}

/// The ends of an acquirer's variables, besides that of its address. Which of them are read depends on the address.
const OTHER_VARIABLES: [&str; 7] = [
    "KEY",
    "ACCOUNT",
    "SELLER",
    "SIGNING_KEY",
    "TEST",
    "TIMEOUT_MS",
    "NOTICE_SECRETS",
];

const NEEDED: &str = "is needed, because the URL of the acquirer is set";

impl AcquirerContract {
    /// The name of its variable with this end, such as `URL`.
    pub fn variable(&self, of: &str) -> String {
        format!(
            "RAZAO_ACQUIRER_{}_{of}",
            self.provider.slug().to_ascii_uppercase()
        )
    }

    fn server(&self, variables: &mut Variables<'_>) -> Option<AcquirerServer> {
        let name = self.variable("URL");
        match variables.get(&name) {
            Some(text) if text.contains("://") && self.public => variables
                .optional_checked(&name, read_url)
                .map(AcquirerServer::Url),
            Some(text) if text.contains("://") => {
                variables.fault(
                    &name,
                    "is neither sandbox nor none: only the sandbox has this contract",
                );
                None
            }
            _ => variables.sandbox_or_none(&name, AcquirerServer::Sandbox),
        }
    }

    fn sandbox(&self, variables: &mut Variables<'_>, key: &[u8]) -> AcquirerConfig {
        // The sandbox takes any key with this end.
        let derived = ProviderSecrets::derived_one(key, CREDENTIALS, self.provider) + "-sandbox";
        let text = |needed: bool| needed.then(|| "sandbox".to_owned());
        AcquirerConfig {
            provider: self.provider,
            server: AcquirerServer::Sandbox,
            key: Live::new(Secret::new(derived)),
            account: text(self.account),
            seller: text(self.seller),
            test: true,
            signing_key: None,
            timeout: variables.timeout(&self.variable("TIMEOUT_MS")),
        }
    }

    fn real(&self, variables: &mut Variables<'_>, url: String) -> AcquirerConfig {
        let mut text = |of: &str, needed: bool| {
            let name = self.variable(of);
            let given = variables.get(&name);
            match (&given, needed) {
                (None, true) => variables.fault(&name, NEEDED),
                (Some(_), false) => {
                    variables.fault(&name, "is set, but the acquirer's contract has no such value")
                }
                (Some(text), true) if !is_printable(text) => {
                    variables.fault(&name, "holds a space or a character that is not printable ASCII");
                }
                _ => {}
            }
            given
        };
        AcquirerConfig {
            provider: self.provider,
            server: AcquirerServer::Url(url),
            key: Live::new(Secret::new(text("KEY", true).unwrap_or_default())),
            account: text("ACCOUNT", self.account),
            seller: text("SELLER", self.seller),
            signing_key: self.signing_key(variables),
            test: variables.parse(&self.variable("TEST"), false, |text| match text {
                "yes" => Ok(true),
                "no" => Ok(false),
                _ => Err("is neither yes nor no".to_owned()),
            }),
            timeout: variables.timeout(&self.variable("TIMEOUT_MS")),
        }
    }

    fn signing_key(&self, variables: &mut Variables<'_>) -> Option<Secret<String>> {
        let name = self.variable("SIGNING_KEY");
        let given = variables.get(&name)?;
        if !self.signing_key {
            variables.fault(&name, "is set, but the acquirer's contract has no such value");
        }
        Some(Secret::new(given))
    }

    /// Reads the secrets of the acquirer's notices. Returns false if the variable is not set.
    fn notice_secrets(&self, variables: &mut Variables<'_>, secrets: &mut ProviderSecrets) -> bool {
        let name = self.variable("NOTICE_SECRETS");
        let Some(text) = variables.get(&name) else {
            return false;
        };
        if !text.split(',').all(|secret| is_path_secret(secret.trim())) {
            variables.fault(
                &name,
                "is invalid: a secret has 24 to 128 letters, digits, hyphens and underscores",
            );
        } else if let Err(error) = secrets.set(self.provider, &text) {
            variables.fault(&name, &format!("is invalid: {error}"));
        }
        true
    }

    /// Reports the variables of an acquirer that is not configured.
    fn refuse_variables(&self, variables: &mut Variables<'_>) {
        for of in OTHER_VARIABLES {
            let name = self.variable(of);
            if variables.get(&name).is_some() {
                let url = self.variable("URL");
                variables.fault(&name, &format!("is set, but {url} names no acquirer"));
            }
        }
    }
}

/// Keys, accounts and sellers go into headers and paths.
fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_path_secret(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    SECRET_CHARACTERS.contains(&text.len()) && text.bytes().all(allowed)
}

/// The address of a server. A password in it would reach logs.
fn read_url(text: &str, production: bool) -> Result<String, String> {
    let url = Url::parse(text).ok().filter(|url| {
        let plain = url.username().is_empty() && url.password().is_none();
        url.has_host() && plain && url.query().is_none() && url.fragment().is_none()
    });
    match url.as_ref().map(Url::scheme) {
        Some("https") => Ok(text.trim_end_matches('/').to_owned()),
        Some("http") if !production => Ok(text.trim_end_matches('/').to_owned()),
        Some("http") => Err("is not encrypted, which production requires: use https".to_owned()),
        _ => Err("is not an address such as https://api.example.com".to_owned()),
    }
}
