//! Rows of tables as structs. `row!` declares a struct once: its fields are the list of columns, and the reader reads
//! them by name. Statements are sent with `fetch`, `fetch_opt`, `fetch_one`, `value`, `execute` and `insert`; `params!`
//! gives their parameters, with the types that PostgreSQL knows.
//!
//! The crate has no SQL of its own beyond that, and knows no table.

mod column;
mod parameter;
mod row;
mod statement;

pub use column::{AsId, AsNumber, AsWord, Column, Many, Nullable, Own, get};
pub use parameter::{Parameter, Parameters, parameter};
pub use row::{FromRow, Record};
pub use statement::{execute, fetch, fetch_one, fetch_opt, insert, value};
pub use tokio_postgres::{Error, GenericClient, Row};
