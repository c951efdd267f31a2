//! Lists for staff of work that has waited for too long: late payouts and refunds, late e-mails, followers behind the
//! log, receivables that are not settled, negative balances. The staff's home page has the number of each.

pub mod bodies;
pub mod followers;
pub mod lists;
