//! Reports by e-mail: a user gets a report every week or month. Here are its calls, the job that makes the file of each
//! period, and the download of a file. The file has what the report's own call answers. The user must have access to
//! the report when the file is made.

mod bodies;
pub mod calls;
mod download;
mod file;
mod form;
mod job;
mod spreadsheets;

pub use job::{ReportEmailJob, ReportEmails, RunCounts};
