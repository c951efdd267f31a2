//! The HTTP layer: the server, the route table with its guards, the handlers with their bodies, spreadsheets and the
//! OpenAPI document. `problem` converts errors into answers.
//!
//! Each subject (`sales`, `balance`, `users`, …) is a folder. It has one function for each operation, which extracts
//! the input, runs a command or a query, and answers. The route's guard has already checked the access.
//! `bodies` has the request and response bodies, with the field names that the product's requirements fix (comments
//! call them "the specification"; they are not in this repository), `query` the query parameters, and `spreadsheets`
//! the columns of exported lists. Some subjects are split: `seller` has the calls of the seller panel, and `staff`
//! those of the staff panel. `shared` has what several subjects need. `edge` has what surrounds each request: guards,
//! extractors and headers. `spreadsheet` writes files.
//!
//! Handlers are `pub(crate)`. The compiler puts each `pub async fn` into the unit tests too, and the handlers took half
//! of the time to compile those.
//!
//! Handlers call the writer, the projections, `gateway-platform` or `gateway-identity`. This crate has no business
//! rules and no SQL of read models.

mod account;
mod adjustments;
pub mod assets;
mod audit_log;
mod balance;
mod buyers;
mod checkout;
mod companies;
mod contact;
mod debts;
mod docs;
pub mod edge;
mod exceptions;
mod files;
pub mod health;
mod history;
mod holds;
mod holidays;
mod links;
pub mod metrics;
mod notices;
pub mod openapi;
mod operations;
mod overview;
mod plans;
pub mod problem;
mod receivables;
mod reconciliation;
pub mod reports;
pub mod reserves;
mod reversals;
pub mod router;
pub mod routes;
mod sales;
pub mod server;
mod sessions;
mod settings;
mod shared;
pub mod spreadsheet;
pub mod state;
mod terminals;
mod users;
mod withdrawals;

pub use problem::Problem;
pub use state::AppState;
