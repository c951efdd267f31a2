//! Admin users, for roles that manage staff.

pub mod change;
pub mod list;
