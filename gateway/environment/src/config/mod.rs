//! The configuration from environment variables: one struct per concern, with the variable in each field's comment. The
//! errors are collected, so that a failed start lists them together. This module opens no connection and no port.

mod acquirers;
mod change_key;
mod database;
#[cfg(test)]
mod documentation;
mod heads_place;
mod hosts;
mod http;
mod in_force;
mod keys;
mod live;
mod mail;
mod postal_codes;
mod proofs;
mod provider_secrets;
mod providers;
mod proxies;
mod refunds;
mod reload;
mod secret;
mod secret_files;
mod terminals;
#[cfg(test)]
mod tests;
mod traces;
mod unknown;
mod variables;
mod withdrawals;

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use ledger_domain::Cents;

pub use acquirers::{AcquirerConfig, AcquirerContract, AcquirerServer, AcquirersConfig};
pub use change_key::ChangeKey;
pub use database::DatabaseConfig;
pub use heads_place::{HeadsBucket, HeadsPlace};
pub use hosts::{HostPattern, Hosts, Panel, PanelAddress, is_host, is_local, requested_url, tenant_label};
pub use http::HttpLimits;
pub use in_force::Settings;
pub use keys::{CheckpointKeys, KeyRing, Keys, NoCheckpointKey};
pub use live::Live;
pub use mail::{MailConfig, MailTransport};
pub use postal_codes::{PostalCodeService, PostalCodesConfig};
pub use proofs::{ProofsConfig, WitnessAddress};
pub use provider_secrets::{ProviderSecrets, SecretsError};
pub use proxies::TrustedProxies;
pub use refunds::{RefundProvider, RefundsConfig};
pub use reload::Reloaded;
pub use secret::Secret;
pub use terminals::{TerminalProvider, TerminalsConfig};
pub use traces::TracesConfig;
use variables::Variables;
pub use withdrawals::{PayoutProvider, WithdrawalsConfig};

use crate::build::Build;
use crate::clock::ClockStart;

/// `RAZAO_ENV`: `development` or `production`. Only a build with the development parts has a default: `development`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    Development,
    Production,
}

/// What the program is started for. In production each needs its own variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To run the platform, or a command that changes what it holds.
    Service,
    /// To migrate or to audit, which needs the database alone.
    Database,
}

#[derive(Debug)]
pub struct Config {
    /// What was read, for operators.
    pub settings: Live<Settings>,
    pub environment: Environment,
    pub server: ServerConfig,
    pub database: DatabaseConfig,
    pub hosts: Hosts,
    pub keys: Keys,
    pub mail: MailConfig,
    /// `RAZAO_PROVIDER_<NAME>_SECRETS`, such as `RAZAO_PROVIDER_ZOOP_V2_SECRETS`: the secret that signs a provider's
    /// notices, or two during a rotation (`current,previous`). A provider without a secret is not set up, and its notices
    /// are rejected. In development such providers get derived secrets.
    pub providers: Live<ProviderSecrets>,
    pub acquirers: AcquirersConfig,
    pub sandbox: SandboxConfig,
    pub withdrawals: WithdrawalsConfig,
    pub refunds: RefundsConfig,
    pub terminals: TerminalsConfig,
    pub postal_codes: PostalCodesConfig,
    pub traces: TracesConfig,
    pub proofs: ProofsConfig,
    /// `RAZAO_TERMINAL_RENTAL_CENTS`, default 4990: the monthly rental in cents of a terminal that has no individual
    /// price, until an owner sets another price for all.
    pub terminal_rental: Cents,
    /// `RAZAO_NOW`, development only: the instant at which the business clock starts, such as
    /// `2026-12-31T23:59:00-03:00`; else it is the machine's time. `RAZAO_NOW_SLOWDOWN`, default 1:
    /// how many seconds of the machine one second of that clock takes.
    pub clock_start: Option<ClockStart>,
    /// `RAZAO_CLOCK_ERROR_SECONDS`, development only, default 0: makes the machine's clock wrong by so many seconds, to
    /// try what happens then. It has no effect on a clock that `RAZAO_NOW` started.
    pub clock_error: TimeDelta,
    /// Not read: the program sets it.
    pub build: Build,
}

#[derive(Debug)]
pub struct ServerConfig {
    /// `RAZAO_ADDR`, default `127.0.0.1:8080`: the address of the panels and the API.
    pub addr: SocketAddr,
    /// `RAZAO_OPS_ADDR`, default `127.0.0.1:8082`: the operators' listener, with `/healthz`, `/readyz` and `/metrics`.
    /// They reveal the volume of business, so this port must not be reachable from outside.
    pub ops_addr: SocketAddr,
    /// `RAZAO_PEER_ADDR`, such as `10.0.0.5:8083`: the listener for the other processes of the installation. With it,
    /// processes share the work, and any of them answers every request. Without it, a process records alone. Only other
    /// processes should reach it; its connections are encrypted, and both ends prove that they have
    /// `RAZAO_KEY_CHECKPOINT`.
    pub peer_addr: Option<SocketAddr>,
    /// `RAZAO_PEER_HOST`: the host name or address under which the others reach that listener, if it is not the one of
    /// `RAZAO_PEER_ADDR`. Required if that is `0.0.0.0` or `[::]`.
    pub peer_host: Option<String>,
    pub limits: HttpLimits,
    /// `RAZAO_DRAIN_MS`, default 5000, in development 0: after a SIGTERM the process is not ready and goes on answering for
    /// so long, so that balancers send their requests elsewhere. A second signal ends it.
    pub drain: Duration,
    /// `RAZAO_TRUSTED_PROXIES`: addresses or networks (`10.0.0.0/8`), comma separated, whose `X-Forwarded-For` is
    /// trusted.
    pub trusted_proxies: TrustedProxies,
    /// `RAZAO_UI`: a folder of built panels, which replaces those inside of the program. A program without them, such as
    /// one of development, takes `ui/dist`; in production it does not start if there are none.
    pub ui: Option<PathBuf>,
}

#[derive(Debug)]
pub struct SandboxConfig {
    /// `RAZAO_SANDBOX_ADDR`, default `127.0.0.1:8081`: the address of the acquirer and bank simulator.
    pub addr: SocketAddr,
    /// `RAZAO_SANDBOX_RATE`, default 0: sales per minute that the demo's terminals make automatically.
    pub rate: u32,
    /// `RAZAO_SANDBOX_BANK_DELAY_MS`, default 1500: the delay of the sandbox's later decisions, such as that
    /// on a payout.
    pub bank_delay: Duration,
}

/// The errors of the variables, in the order in which they are read.
#[derive(Debug, PartialEq, Eq)]
pub struct ConfigFaults(pub Vec<String>);

impl fmt::Display for ConfigFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the configuration has {} fault(s):", self.0.len())?;
        self.0.iter().try_for_each(|fault| write!(f, "\n  - {fault}"))
    }
}

impl std::error::Error for ConfigFaults {}

impl Config {
    /// `default` applies if `RAZAO_ENV` is not set. Without a `default`, a missing `RAZAO_ENV` is a fault, so that a
    /// production program never runs as a development one because a variable was forgotten.
    ///
    /// A variable whose name begins with `RAZAO_` and that nothing reads is a fault: it is misspelled, and its default
    /// would apply without a word.
    ///
    /// `contracts` are those of the acquirers that the program can connect to.
    pub fn from_environment(
        default: Option<Environment>,
        contracts: &[AcquirerContract],
        purpose: Purpose,
    ) -> Result<Self, ConfigFaults> {
        let set = std::env::vars_os().filter_map(|(name, value)| {
            let value = value.to_string_lossy().into_owned();
            Some((name.into_string().ok()?, value))
        });
        let source = |name: &str| std::env::var(name).ok();
        Self::read_with_default((default, purpose), contracts, source, set.collect())
    }

    /// Reads variables from any source, so that a test needs no environment. Without `RAZAO_ENV` it is development.
    pub fn read(
        contracts: &[AcquirerContract],
        source: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigFaults> {
        let start = (Some(Environment::Development), Purpose::Service);
        Self::read_with_default(start, contracts, source, vec![])
    }

    /// Like `read`, from these variables alone, which must all be known.
    #[cfg(test)]
    fn read_all(set: &[(&str, &str)]) -> Result<Self, ConfigFaults> {
        let find = |name: &str| set.iter().find(|(known, _)| *known == name);
        let owned = set
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Self::read_with_default(
            (Some(Environment::Development), Purpose::Service),
            &tests::CONTRACTS,
            |name| find(name).map(|(_, value)| (*value).to_owned()),
            owned.collect(),
        )
    }

    fn read_with_default(
        (default, purpose): (Option<Environment>, Purpose),
        contracts: &[AcquirerContract],
        source: impl Fn(&str) -> Option<String>,
        set: Vec<(String, String)>,
    ) -> Result<Self, ConfigFaults> {
        let mut variables = Variables::new(&source, purpose);
        let environment = read_environment(&mut variables, default);
        variables.set_environment(environment);
        let folder = variables.parse("RAZAO_DATA", PathBuf::from(".data"), |text| {
            Ok(PathBuf::from(text))
        });
        let keys = Keys::read(&mut variables, &folder);
        let database = DatabaseConfig::read(&mut variables, folder, &keys);
        let acquirers = AcquirersConfig::read(&mut variables, &keys, contracts);
        let server = ServerConfig::read(&mut variables);
        let hosts = Hosts::read(&mut variables, server.addr.port());
        let mut config = Self {
            settings: Live::default(),
            environment,
            proofs: ProofsConfig::read(&mut variables, &hosts),
            hosts,
            server,
            mail: MailConfig::read(&mut variables, &database.folder),
            providers: Live::new(providers::read(&mut variables, &keys)),
            keys,
            sandbox: SandboxConfig::read(&mut variables),
            withdrawals: WithdrawalsConfig::read(&mut variables, &acquirers, contracts),
            acquirers,
            refunds: RefundsConfig::read(&mut variables),
            terminals: TerminalsConfig::read(&mut variables),
            postal_codes: PostalCodesConfig::read(&mut variables),
            traces: TracesConfig::read(&mut variables),
            terminal_rental: variables.parse("RAZAO_TERMINAL_RENTAL_CENTS", Cents::new(49_90), |text| {
                let cents = text
                    .parse()
                    .ok()
                    .and_then(|cents| Cents::checked_amount(cents).ok());
                cents.ok_or_else(|| "is not a number of cents from 1 to 9999999999".to_owned())
            }),
            clock_start: read_clock_start(&mut variables),
            clock_error: read_clock_error(&mut variables),
            build: Build::default(),
            database,
        };
        variables.refuse_unknown(&set);
        config.settings = Live::new(variables.finish()?);
        Ok(config)
    }

    pub fn is_production(&self) -> bool {
        self.environment == Environment::Production
    }
}

impl ServerConfig {
    fn read(variables: &mut Variables<'_>) -> Self {
        let peer_addr = variables.optional("RAZAO_PEER_ADDR", parse_address);
        let peer_host = variables.optional("RAZAO_PEER_HOST", |text| {
            let is_host = !text.is_empty() && !text.contains(['/', ' ', '@']);
            is_host
                .then(|| text.to_owned())
                .ok_or_else(|| "is not a host name or an address".to_owned())
        });
        if peer_addr.is_some_and(|addr| addr.ip().is_unspecified()) && peer_host.is_none() {
            variables.fault(
                "RAZAO_PEER_HOST",
                "is not set, and no process can reach another at the address of RAZAO_PEER_ADDR",
            );
        }
        Self {
            peer_addr,
            peer_host,
            addr: variables.parse(
                "RAZAO_ADDR",
                SocketAddr::from(([127, 0, 0, 1], 8080)),
                parse_address,
            ),
            ops_addr: variables.parse(
                "RAZAO_OPS_ADDR",
                SocketAddr::from(([127, 0, 0, 1], 8082)),
                parse_address,
            ),
            limits: HttpLimits::read(variables),
            drain: read_drain(variables),
            trusted_proxies: variables.parse("RAZAO_TRUSTED_PROXIES", TrustedProxies::default(), str::parse),
            ui: variables.optional("RAZAO_UI", |text| Ok(PathBuf::from(text))),
        }
    }
}

impl SandboxConfig {
    fn read(variables: &mut Variables<'_>) -> Self {
        let addr = SocketAddr::from(([127, 0, 0, 1], 8081));
        let rate = variables.parse("RAZAO_SANDBOX_RATE", 0, |text| match text.parse() {
            Ok(rate @ 0..=6_000) => Ok(rate),
            _ => Err("is not a number from 0 to 6000".to_owned()),
        });
        Self {
            addr: variables.parse("RAZAO_SANDBOX_ADDR", addr, parse_address),
            rate,
            bank_delay: variables.parse(
                "RAZAO_SANDBOX_BANK_DELAY_MS",
                Duration::from_millis(1_500),
                |text| match text.parse() {
                    Ok(milliseconds @ 0..=600_000) => Ok(Duration::from_millis(milliseconds)),
                    _ => Err("is not a number from 0 to 600000".to_owned()),
                },
            ),
        }
    }
}

fn read_environment(variables: &mut Variables<'_>, default: Option<Environment>) -> Environment {
    let name = "RAZAO_ENV";
    if default.is_none() && variables.get(name).is_none() {
        variables.fault(
            name,
            "is not set, and this build has no development parts: set it to production",
        );
    }
    // An unknown environment is checked like production, so that nothing is generated for it.
    let default = match variables.get(name) {
        Some(_) => Environment::Production,
        None => default.unwrap_or(Environment::Production),
    };
    variables.parse(name, default, |text| match text {
        "development" => Ok(Environment::Development),
        "production" => Ok(Environment::Production),
        _ => Err("is neither development nor production".to_owned()),
    })
}

fn read_clock_start(variables: &mut Variables<'_>) -> Option<ClockStart> {
    let at = variables.development_only("RAZAO_NOW", |text| {
        let instant = DateTime::parse_from_rfc3339(text);
        let instant = instant.map_err(|_| "is not an instant such as 2026-11-21T12:00:00-03:00".to_owned());
        instant.map(|instant| instant.to_utc())
    });
    let slowdown = variables.development_only("RAZAO_NOW_SLOWDOWN", |text| match text.parse() {
        Ok(slowdown @ 1..=1_000_000) => Ok(slowdown),
        _ => Err("is not a number from 1 to 1000000".to_owned()),
    });
    let slowdown = slowdown.unwrap_or(1);
    at.map(|at| ClockStart { at, slowdown })
}

fn read_clock_error(variables: &mut Variables<'_>) -> TimeDelta {
    let error = variables.development_only("RAZAO_CLOCK_ERROR_SECONDS", |text| match text.parse() {
        Ok(seconds @ -1_000_000_000..=1_000_000_000) => Ok(TimeDelta::seconds(seconds)),
        _ => Err("is not a number from -1000000000 to 1000000000".to_owned()),
    });
    error.unwrap_or_default()
}

fn read_drain(variables: &mut Variables<'_>) -> Duration {
    let default = if variables.production() { 5_000 } else { 0 };
    variables.parse(
        "RAZAO_DRAIN_MS",
        Duration::from_millis(default),
        |text| match text.parse() {
            Ok(milliseconds @ 0..=300_000) => Ok(Duration::from_millis(milliseconds)),
            _ => Err("is not a number from 0 to 300000".to_owned()),
        },
    )
}

fn parse_address(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .map_err(|_| "is not an address and a port such as 127.0.0.1:8080".to_owned())
}
