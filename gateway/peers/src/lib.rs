//! The connections between the processes of one installation: they send each other commands of shards that they do not
//! own, and tell each other when shards change their owner.
//!
//! A connection is TLS 1.3, and both ends prove that they have the installation's key ([`identity`]). One connection
//! carries many commands at once ([`frames`]). When it is lost, the commands on it may be recorded or not; the writer
//! that sent them looks them up by their keys.

mod client;
mod frames;
mod identity;
mod server;

#[cfg(test)]
mod tests;

pub use client::PeerConnections;
pub use identity::{Identity, IdentityError};
pub use server::{PeerServer, Recorder};
