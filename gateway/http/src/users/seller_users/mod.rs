//! The seller users of all companies, for staff.

pub mod change;
pub mod list;
