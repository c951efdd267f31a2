//! Lists for staff: late payouts, refunds and charges, late e-mails, followers, receivables that are overdue, negative balances.
//! The staff's home page has their numbers. Work that waits for its next try can be tried now.

pub mod bodies;
pub mod followers;
pub mod lists;
pub mod retries;
