//! Lists for staff: late payouts and refunds, late e-mails, followers, receivables that are overdue, negative balances.
//! The staff's home page has their numbers.

pub mod bodies;
pub mod followers;
pub mod lists;
