//! Notices of acquirers about sales.

mod answers;
mod arrays;
mod companies;
mod delivery_order;
mod ids;
mod parts;
mod waiting;
