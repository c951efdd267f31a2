//! Restarts the server if it dies while the program runs (out of memory, a `kill -9`). It uses the same port, because
//! all pools and sessions of the program use that address.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use ledger_store::supervisor::{Failure, Pulse, Task};
use tokio::time::sleep;

use super::Embedded;
use super::cluster_paths::ClusterPaths;
use super::server::Server;
use super::user::ServerUser;

/// The time between two checks of the process.
pub const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The server's state in the program: running, dead, or closed for good.
#[derive(Debug)]
pub struct ServerSlot {
    paths: ClusterPaths,
    user: ServerUser,
    durable: bool,
    state: Mutex<SlotState>,
}

#[derive(Debug)]
enum SlotState {
    Running(Server),
    Dead,
    /// The program is ending: no server is started any more.
    Closed,
}

impl ServerSlot {
    pub fn new(paths: ClusterPaths, user: ServerUser, durable: bool, server: Server) -> Self {
        Self {
            paths,
            user,
            durable,
            state: Mutex::new(SlotState::Running(server)),
        }
    }

    /// Closes the slot and returns the server, so that the caller can stop it.
    pub fn close(&self) -> Option<Server> {
        match std::mem::replace(&mut *self.state(), SlotState::Closed) {
            SlotState::Running(server) => Some(server),
            SlotState::Dead | SlotState::Closed => None,
        }
    }

    /// Why the server died. Each death is returned once.
    fn death(&self) -> Option<String> {
        let mut state = self.state();
        let SlotState::Running(server) = &mut *state else {
            return None;
        };
        let why = server.end()?;
        *state = SlotState::Dead;
        Some(why)
    }

    fn is_dead(&self) -> bool {
        matches!(*self.state(), SlotState::Dead)
    }

    /// Stores a restarted server. If the slot was closed in the meantime, dropping the server stops it.
    fn fill(&self, server: Server) {
        let mut state = self.state();
        if let SlotState::Dead = *state {
            *state = SlotState::Running(server);
        }
    }

    fn state(&self) -> MutexGuard<'_, SlotState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct Restarter {
    slot: Arc<ServerSlot>,
    port: u16,
}

impl Restarter {
    pub fn new(slot: Arc<ServerSlot>, port: u16) -> Self {
        Self { slot, port }
    }
}

#[async_trait]
impl Task for Restarter {
    /// A death is a failure, so that readiness and the log report it. The next start of the task restarts the server.
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let ServerSlot {
            paths, user, durable, ..
        } = &*self.slot;
        if self.slot.is_dead() {
            let server = Embedded::start_server(paths, user, *durable, Some(self.port)).await?;
            self.slot.fill(server);
            tracing::info!(port = self.port, "PostgreSQL was restarted");
        }
        loop {
            if let Some(why) = self.slot.death() {
                return Err(format!("PostgreSQL ended: {why}").into());
            }
            pulse.beat();
            sleep(CHECK_INTERVAL).await;
        }
    }
}
