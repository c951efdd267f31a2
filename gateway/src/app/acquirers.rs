//! Connects to the configured acquirers.

use std::net::SocketAddr;

use gateway_acquirers::port::Acquirer;
use gateway_acquirers::registration::Registration;
use gateway_environment::config::{AcquirerConfig, AcquirerServer};
use gateway_http::AppState;
use gateway_platform::acquirers::NoticeAddresses;

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
    let sandbox = format!("http://{sandbox}");
    let mut adapters: Vec<Box<dyn Acquirer>> = vec![];
    for acquirer in &config.acquirers.configured {
        warn_of_test_mode(acquirer);
        if let Some(registration) = Registration::of(acquirer.provider) {
            adapters.push(registration.connect(acquirer, &sandbox)?);
        }
    }
    let notices = NoticeAddresses::of(&config.acquirers, own_address(state, gateway).as_deref());
    state.acquirers.set(adapters, notices);
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
