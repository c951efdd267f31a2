//! Restarts the server if it dies while the program runs (out of memory, a `kill -9`). It uses the same port, because
//! all pools and sessions of the program use that address.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use ledger_store::supervisor::{Failure, Pulse, Task};
use tokio::time::sleep;

use super::Embedded;
use super::place::Place;
use super::server::Server;
use super::user::ServerUser;

/// The time between two checks of the process.
const LOOK: Duration = Duration::from_millis(100);

/// The server's state in the program: running, dead, or closed for good.
#[derive(Debug)]
pub struct Slot {
    place: Place,
    user: ServerUser,
    durable: bool,
    held: Mutex<Held>,
}

#[derive(Debug)]
enum Held {
    Running(Server),
    Dead,
    /// The program is ending: no server is started any more.
    Closed,
}

impl Slot {
    pub fn new(place: Place, user: ServerUser, durable: bool, server: Server) -> Self {
        Self {
            place,
            user,
            durable,
            held: Mutex::new(Held::Running(server)),
        }
    }

    /// Closes the slot and returns the server, so that the caller can stop it.
    pub fn close(&self) -> Option<Server> {
        match std::mem::replace(&mut *self.held(), Held::Closed) {
            Held::Running(server) => Some(server),
            Held::Dead | Held::Closed => None,
        }
    }

    /// Why the server died. Each death is returned once.
    fn death(&self) -> Option<String> {
        let mut held = self.held();
        let Held::Running(server) = &mut *held else {
            return None;
        };
        let why = server.end()?;
        *held = Held::Dead;
        Some(why)
    }

    fn is_dead(&self) -> bool {
        matches!(*self.held(), Held::Dead)
    }

    /// Stores a restarted server. If the slot was closed in the meantime, dropping the server stops it.
    fn fill(&self, server: Server) {
        let mut held = self.held();
        if let Held::Dead = *held {
            *held = Held::Running(server);
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct Keeper {
    slot: Arc<Slot>,
    port: u16,
}

impl Keeper {
    pub fn new(slot: Arc<Slot>, port: u16) -> Self {
        Self { slot, port }
    }
}

#[async_trait]
impl Task for Keeper {
    /// A death is a failure, so that readiness and the log report it. The next start of the task restarts the server.
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let Slot {
            place, user, durable, ..
        } = &*self.slot;
        if self.slot.is_dead() {
            let server = Embedded::bring_up(place, user, *durable, Some(self.port)).await?;
            self.slot.fill(server);
            tracing::info!(port = self.port, "PostgreSQL was restarted");
        }
        loop {
            if let Some(why) = self.slot.death() {
                return Err(format!("PostgreSQL ended: {why}").into());
            }
            pulse.beat();
            sleep(LOOK).await;
        }
    }
}
