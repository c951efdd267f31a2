//! A company's users, for users who manage the company.

pub mod change;
pub mod list;
