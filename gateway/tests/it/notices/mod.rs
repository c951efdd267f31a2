//! Notices of acquirers about sales.

mod answers;
mod arrays;
mod companies;
mod ids;
mod orders;
mod waiting;
