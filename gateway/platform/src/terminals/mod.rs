//! Terminals: their records, their owners by serial number, how each is billed, and the rules of their changes.

mod billing;
mod changes;
mod directory;
mod history;
mod list;
mod records;

pub use billing::{
    Acquisition, Billing, BillingType, OwedRental, charged_month_add, months_charged, rentals_owed,
    rented_since, terminal_set_billing,
};
pub use changes::{TerminalRefusal, lock_new_owner};
pub use directory::{KnownTerminal, Terminals};
pub use history::{
    BillingPeriod, OwnerPeriod, terminal_billings, terminal_owner_periods, terminal_was_owned_by,
};
pub use list::{
    SerialSearch, TerminalFilter, TerminalRecord, TerminalSort, terminal_by_serial, terminal_fetch,
    terminal_locked, terminal_serials,
};
pub use records::{NewTerminal, terminal_create, terminal_rename, terminal_set_owner};

/// The longest serial number of a card machine.
pub const SERIAL_CHARACTERS_MAX: usize = 40;
pub const NAME_CHARACTERS_MAX: usize = 60;
