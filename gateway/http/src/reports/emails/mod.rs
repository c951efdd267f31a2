//! Reports by e-mail: a user gets a report every week or month. Here are the calls, and what the platform's job needs of
//! HTTP. The file of a period has what the report's own call answers.

mod bodies;
pub mod calls;
mod download;
mod port;
pub mod spreadsheets;

pub use port::{ReportCalls, report_emails};
