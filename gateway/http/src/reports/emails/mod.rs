//! Reports by e-mail: what a user orders every week or month, the job that makes each period's file, and the page of
//! its download. The file is the one of the report's own call, under the access that the user has when it is made.

mod bodies;
pub mod calls;
mod download;
mod file;
mod form;
mod job;
mod spreadsheets;

pub use job::{ReportEmailJob, ReportEmails, Sent};
