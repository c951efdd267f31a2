//! The read models by name: what is followed, waited for and rebuilt as one.

use std::fmt;
use std::str::FromStr;

/// Tables that move together under one checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Model {
    /// Balances now and by business date, and the journal, which runs on from the balance of now.
    Balance,
    /// Sales, their schedules, the agenda and volume by day: a settlement or a cancel names its sale only, so what is
    /// summed by the sale's acquirer, brand, means of payment or terminal learns them from the sale, and goes with it.
    Sales,
    /// Movements of the available balance.
    Statement,
    /// Withdrawals, manual transfers, rentals.
    Transfers,
}

impl Model {
    pub const ALL: [Self; 4] = [Self::Balance, Self::Sales, Self::Statement, Self::Transfers];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Balance => "balance",
            Self::Sales => "sales",
            Self::Statement => "statement",
            Self::Transfers => "transfers",
        }
    }

    /// The tables that a rebuild fills anew.
    pub const fn tables(self) -> &'static [&'static str] {
        match self {
            Self::Balance => &["balance", "balance_daily", "journal"],
            Self::Sales => &["sale", "sale_schedule", "agenda", "daily_sales"],
            Self::Statement => &["statement_line", "statement_daily"],
            Self::Transfers => &["transfer"],
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no read model of this name; there are: balance, sales, statement, transfers")]
pub struct UnknownModel;

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Self, UnknownModel> {
        Self::ALL
            .into_iter()
            .find(|model| model.as_str() == name)
            .ok_or(UnknownModel)
    }
}
