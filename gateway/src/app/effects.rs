//! The reactors of one process and the workers that do what they promise.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::Notify;

use crate::AppState;
use crate::effects::payouts::{PayoutReactor, PayoutWorker, Working};
use crate::effects::{Following, follow_log};
use crate::providers::PayoutProvider;
use crate::providers::payouts::SandboxBank;

pub struct Effects {
    payouts: Following,
    /// None where staff pay by hand: what was sent before waits until its provider is configured again.
    worker: Option<Working>,
}

impl Effects {
    pub fn start(state: &AppState, sandbox: SocketAddr) -> Result<Self, reqwest::Error> {
        let withdrawals = &state.config.withdrawals;
        let woken = Arc::new(Notify::new());
        let reactor = Arc::new(PayoutReactor {
            woken: Arc::clone(&woken),
        });
        let worker = match withdrawals.payouts {
            Some(PayoutProvider::Sandbox) => {
                let bank = SandboxBank::new(&format!("http://{sandbox}"), withdrawals.payout_timeout)?;
                let worker = PayoutWorker {
                    pool: state.pool.clone(),
                    writer: state.writer.clone(),
                    bank: Arc::new(bank),
                    timeout: withdrawals.payout_timeout,
                    woken,
                };
                Some(worker.start())
            }
            None => None,
        };
        Ok(Self {
            payouts: follow_log(state.pool.clone(), &state.writer.recorded(), reactor),
            worker,
        })
    }

    /// Calls under way are cut off: the next start asks what came of them.
    pub async fn stop(self) {
        drop(self.worker);
        self.payouts.stop().await;
    }
}
