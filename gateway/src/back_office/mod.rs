//! The records that staff keep (companies, plans, terminals, holidays) and what a sale's decision needs of them.
//!
//! Plain tables with guards (migration 0003), not events: the ledger copies what it needs at each decision.

mod contexts;
mod facts;
mod history;
mod records;
mod terminals;

pub use contexts::SaleContexts;
pub use records::{
    NewBusiness, NewPlan, NewReceivingPlan, NewTerminal, Since, assignment_add, business_create,
    default_plan_set, holiday_add, installing, plan_create, plan_version_add, receiving_plan_create,
    terminal_assign, terminal_create,
};
pub use terminals::{KnownTerminal, Terminals};
