//! Takes new secrets while the platform runs: on SIGHUP, and soon after a file with a secret has changed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gateway_environment::config::Config;
use gateway_http::AppState;
use ledger_store::supervisor::{Failure, Pulse, Supervised, Task};
use sha2::{Digest, Sha256};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::timeout;

use super::configuration;

/// Mounted secrets are replaced by links, which no watch of a file sees. The files are few and small.
const EVERY: Duration = Duration::from_secs(5);

pub fn keep_reading(state: &AppState) -> std::io::Result<Supervised> {
    let config = Arc::clone(&state.config);
    let reading = Reading {
        hang_up: signal(SignalKind::hangup())?,
        seen: contents(&config),
        config,
    };
    Ok(state.supervisor.start("reload of secrets", reading))
}

struct Reading {
    config: Arc<Config>,
    hang_up: Signal,
    seen: BTreeMap<String, Option<[u8; 32]>>,
}

#[async_trait]
impl Task for Reading {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        loop {
            pulse.beat();
            let is_asked = timeout(EVERY, self.hang_up.recv()).await.is_ok();
            // Before the files are read again, so that a change in between is seen the next time.
            let contents = contents(&self.config);
            if is_asked || self.seen != contents {
                reload(&self.config);
                self.seen = contents;
            }
        }
    }
}

/// The digest of each file with a secret; `None` of one that cannot be read now.
fn contents(config: &Config) -> BTreeMap<String, Option<[u8; 32]>> {
    let settings = config.settings.get();
    let digest = |path: &str| Some(Sha256::digest(std::fs::read(path).ok()?).into());
    settings
        .files()
        .map(|(_, path)| (path.to_owned(), digest(path)))
        .collect()
}

fn reload(config: &Config) {
    let fresh = match configuration() {
        Ok(fresh) => fresh,
        Err(faults) => {
            tracing::error!(
                code = "configuration_refused",
                "the secrets stay as they were: {faults}"
            );
            return;
        }
    };
    let reloaded = config.take_from(&fresh);
    if reloaded.is_empty() {
        tracing::info!("the configuration was read again: no change");
        return;
    }
    if !reloaded.taken.is_empty() {
        tracing::info!(variables = ?reloaded.taken, "new values are in force");
    }
    if !reloaded.waiting.is_empty() {
        tracing::warn!(variables = ?reloaded.waiting, "new values need a restart");
    }
}
