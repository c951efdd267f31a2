//! The HTTP layer: the server, the route table with its guards, the handlers with their bodies, spreadsheets and the
//! OpenAPI document. `problem` converts errors into answers.
//!
//! Handlers call the writer, the projections, `gateway-platform` or `gateway-identity`. This crate has no business
//! rules and no SQL of read models. stands here.

pub mod access;
pub mod assets;
pub mod edge;
pub mod handlers;
pub mod metrics;
pub mod openapi;
pub mod problem;
pub mod router;
pub mod routes;
pub mod server;
pub mod spreadsheet;
pub mod state;
pub mod wire;

pub use problem::Problem;
pub use state::AppState;
