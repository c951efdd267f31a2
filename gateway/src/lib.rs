//! The gateway: HTTP, sessions and roles, back-office records, providers, and the program `razao` that runs them all.
//!
//! It decides nothing about money (that is the ledger's domain) and holds no SQL of read models (the projections').

pub mod access;
pub mod app;
pub mod assets;
pub mod audience;
pub mod audit;
pub mod back_office;
pub mod bench;
pub mod cli;
pub mod clock;
pub mod config;
pub mod demo;
pub mod effects;
pub mod email_address;
pub mod embedded;
pub mod exceptions;
pub mod fields;
pub mod handlers;
pub mod http;
pub mod ids;
pub mod mail;
pub mod metrics;
pub mod notices;
pub mod openapi;
pub mod own_account;
pub mod people;
pub mod platform_error;
pub mod problem;
pub mod providers;
pub mod rentals;
pub mod request_context;
pub mod roles;
pub mod router;
pub mod routes;
pub mod sandbox;
pub mod sessions;
pub mod settlement;
pub mod spreadsheet;
pub mod state;
pub mod time_zone;
pub mod tree_heads;
pub mod wire;

pub use problem::Problem;
pub use state::AppState;
