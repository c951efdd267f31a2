//! Connects to the configured acquirers.

use std::net::SocketAddr;

use gateway_acquirers::barte::{Barte, BarteAccess};
use gateway_acquirers::charge::ApiKey;
use gateway_acquirers::iugu::{Iugu, IuguAccess, SigningKey};
use gateway_acquirers::port::Acquirer;
use gateway_acquirers::sandbox::{SandboxAccess, SandboxOnlineAcquirer};
use gateway_acquirers::zoop::{Zoop, ZoopAccess};
use gateway_environment::config::{AcquirerConfig, AcquirerServer};
use gateway_http::AppState;
use gateway_platform::acquirers::notice_urls;
use ledger_domain::sale::Provider;

use super::effects::EffectsError;

/// Sets the acquirers for the handlers and the effects. `gateway` is this gateway's own address, if it listens.
pub fn set_acquirers(
    state: &AppState,
    sandbox: SocketAddr,
    gateway: Option<SocketAddr>,
) -> Result<(), EffectsError> {
    let config = &state.config;
    // Acquirers can be set once. Without a configured one none are set here, so that a test can set its own.
    if config.acquirers.configured.is_empty() {
        return Ok(());
    }
    let mut adapters: Vec<Box<dyn Acquirer>> = vec![];
    for acquirer in &config.acquirers.configured {
        warn_of_test_mode(acquirer);
        if let Some(adapter) = adapter(acquirer, sandbox)? {
            adapters.push(adapter);
        }
    }
    let notice_urls = notice_urls(&config.acquirers, own_address(state, gateway).as_deref());
    state.acquirers.set(adapters, notice_urls);
    Ok(())
}

/// The address at which the sandbox reaches this gateway. `None` in production: the gateway is behind a proxy there.
fn own_address(state: &AppState, gateway: Option<SocketAddr>) -> Option<String> {
    let gateway = gateway.filter(|_| !state.config.is_production());
    gateway.map(|addr| format!("http://{addr}"))
}

fn warn_of_test_mode(acquirer: &AcquirerConfig) {
    let provider = acquirer.provider.slug();
    match acquirer.server {
        AcquirerServer::Sandbox => {
            tracing::warn!(
                provider,
                "the sandbox takes the payments of this acquirer: no money moves"
            );
        }
        AcquirerServer::Url(_) if acquirer.test => {
            tracing::warn!(provider, "this acquirer is in its test mode: no money moves");
        }
        AcquirerServer::Url(_) => {}
    }
}

/// The adapter of an acquirer. `None` for an acquirer whose contract has no adapter.
fn adapter(config: &AcquirerConfig, sandbox: SocketAddr) -> Result<Option<Box<dyn Acquirer>>, EffectsError> {
    // Below its address the sandbox serves each contract in a folder.
    let url = |folder: &str| match &config.server {
        AcquirerServer::Sandbox => format!("http://{sandbox}/{folder}"),
        AcquirerServer::Url(url) => url.clone(),
    };
    let key = ApiKey(config.key.reveal().clone());
    // The configuration has checked that its contract's values are there.
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let timeout = config.timeout;
    Ok(match config.provider {
        Provider::Zoop => boxed(Zoop::new(ZoopAccess {
            url: url("zoop"),
            key,
            marketplace_id: text(&config.account),
            seller_id: text(&config.seller),
            timeout,
        })?),
        Provider::Iugu => boxed(Iugu::new(IuguAccess {
            url: url("iugu/v1"),
            token: key,
            account_id: text(&config.account),
            test: config.test,
            signing_key: signing_key(config)?,
            timeout,
        })?),
        Provider::Barte => boxed(Barte::new(BarteAccess {
            url: url("barte"),
            key,
            timeout,
        })?),
        Provider::Valori => boxed(SandboxOnlineAcquirer::new(SandboxAccess {
            url: url("own"),
            key,
            provider: config.provider,
            timeout,
        })?),
        Provider::ZoopV2 | Provider::Entrepay | Provider::Ceopag | Provider::CeopagP2 => None,
    })
}

fn signing_key(config: &AcquirerConfig) -> Result<Option<SigningKey>, EffectsError> {
    let given = config.signing_key.as_ref();
    given
        .map(|key| SigningKey::parse(key.reveal()).ok_or(EffectsError::SigningKey))
        .transpose()
}

fn boxed(adapter: impl Acquirer + 'static) -> Option<Box<dyn Acquirer>> {
    Some(Box::new(adapter))
}
