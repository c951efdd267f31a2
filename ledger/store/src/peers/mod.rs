//! The processes of one installation: each owns a share of the shards, and sends the other commands to their owners.
//!
//! The shares and the way of a command are decided here ([`share`], [`Route`]), without a connection. The crate
//! `gateway-peers` has the connections; [`crate::writer`] uses both.

mod members;
mod route;
mod sent;
mod share;

use std::sync::Arc;

use async_trait::async_trait;

pub use members::{Members, Membership};
pub(crate) use members::{MembersTask, StopSignals};
pub use route::{Reply, Route};
pub use share::{Member, expected, share};

use crate::lane::Work;

/// The version of what processes send each other. It is raised with each change of the form of a command, a refusal or
/// an answer (the domain's snapshot `sent_commands` shows it): a process would lose a field that it does not know.
pub const PROTOCOL: u32 = 1;

/// The connections to the other processes.
#[async_trait]
pub trait Peers: Send + Sync {
    /// Sends a command to the process at this address, and waits for the answer of its lane.
    async fn ask(&self, address: &str, work: &Work) -> Reply;

    /// Tells the processes at these addresses that a process joined or left, or that shards are free.
    fn announce(&self, addresses: Vec<Arc<str>>);

    /// Returns when a connection was lost since the last call: its process may be gone.
    async fn connection_lost(&self);

    /// Why the process at this address cannot be asked now; `None` if it answered last, or was never asked.
    fn fault(&self, address: &str) -> Option<String>;
}

/// What a process tells the others about itself.
#[derive(Clone)]
pub struct PeerOptions {
    pub peers: Arc<dyn Peers>,
    /// The address under which the others reach it, such as `10.0.0.5:8083`.
    pub address: String,
}
