//! The base of the tests: a database each, the whole gateway in process, clients by role, and a small world of
//! companies, users and an acquirer. Builders hold the defaults, so that a test names only the values that matter to
//! it.

#![allow(dead_code, reason = "each test file uses its part of it")]

pub mod acquirer;
pub mod app;
mod client;
mod clock;
pub mod database;
mod emails;
pub mod movements;
pub mod sandbox;
pub mod smtp;
mod tampering;
pub mod wait;
mod world;

pub use app::TestApp;
pub use client::{Answer, Client};
pub use clock::{TickingClock, noon};
pub use emails::ReceivedEmail;
pub use world::{Company, PASSWORD, Sale, User, plan};
