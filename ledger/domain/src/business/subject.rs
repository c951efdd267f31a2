//! Which sales and transfers a command reads or an event changes. Only these are loaded.

use crate::{SaleId, TransferId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    Sale(SaleId),
    /// Without duplicates.
    Sales(Vec<SaleId>),
    Transfer(TransferId),
    /// Only the balances.
    Balance,
}

impl Subject {
    pub fn sales(named: impl Iterator<Item = SaleId>) -> Self {
        let mut sales: Vec<_> = named.collect();
        sales.sort_unstable();
        sales.dedup();
        Self::Sales(sales)
    }

    pub fn sale_ids(self) -> Vec<SaleId> {
        match self {
            Self::Sale(sale) => vec![sale],
            Self::Sales(sales) => sales,
            Self::Transfer(_) | Self::Balance => vec![],
        }
    }

    pub fn transfer_ids(self) -> Vec<TransferId> {
        match self {
            Self::Transfer(transfer) => vec![transfer],
            Self::Sale(_) | Self::Sales(_) | Self::Balance => vec![],
        }
    }
}
