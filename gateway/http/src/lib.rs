//! Everything HTTP: the server, the route table with its guards, the handlers with their bodies, spreadsheets, the OpenAPI
//! document, and the one place that turns an error into an answer (`problem`).
//!
//! A handler calls the writer, the projections, `gateway-platform` or `gateway-identity`. No rule and no read model's SQL
//! stands here.

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
