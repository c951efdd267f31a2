//! The groups of this program's read models. The read models of a group are written together, under one checkpoint. A
//! new read model is registered only here. Most imports are for the code that the macro generates.
//!
//! `model` in the checkpoints (`projection_checkpoint.model`), in metrics and in names of parameters means a group.

use std::fmt;
use std::str::FromStr;

use deadpool_postgres::Transaction;
use ledger_domain::BusinessId;
use tokio_postgres::GenericClient;

use crate::balance::{journal, platform_fees, statement};
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::finding::Reporter;
use crate::read_model::register::{difference, merge, read_models};
use crate::read_model::{ReadModel, RowsOf};
use crate::{Error, balance, daily_sales, holds, receivables, sales, withdrawals};

// In `balance: balance::Current`, the first name is the read model's field in the generated structs (`Rows`, and the
// group's fold). Its table is `ReadModel::TABLE`, which may have another name.
read_models! {
    /// Balances, current and by business date; the journal; and the platform fees. The fold of the journal starts from
    /// the stored current balances, so both need one checkpoint.
    Balance = "balance" as BalanceFold {
        balance: balance::Current,
        balance_daily: balance::BalanceDays,
        journal: journal::Entries,
        platform_fees_daily: platform_fees::FeeDays,
        platform_fees_monthly: platform_fees::FeeMonths,
    }

    /// Held money: a row for each hold, its history, and the pieces of the reserve with their sums by day. Few events concern them.
    Holds = "holds" as HoldsFold {
        hold: holds::HoldRecords,
        hold_step: holds::HoldSteps,
        reserve_piece: holds::ReservePieces,
        reserve_day: holds::ReserveDays,
    }

    /// Sales, the receivables schedule, volume by day, hour and month, outcomes by day, and reversals. The events of settlements and
    /// reversals have ids of sales, but not the sales' acquirer, brand, payment type or terminal. Roll-ups by these
    /// read them from the sale, so they are in its group.
    Sales = "sales" as SalesFold {
        sale: sales::SaleRecords,
        receivables_schedule: receivables::Sums,
        daily_sales: daily_sales::Sums,
        hourly_sales: daily_sales::Hours,
        monthly_sales: daily_sales::Months,
        daily_outcomes: daily_sales::outcomes::Outcomes,
        sale_return: sales::returns::Returns,
    }

    /// Movements of the available balance.
    Statement = "statement" as StatementFold {
        statement_line: statement::Lines,
        statement_daily: statement::StatementDays,
    }

    /// Withdrawals, manual transfers, terminal rentals, and their sums by day.
    Transfers = "transfers" as TransfersFold {
        transfer: withdrawals::TransferRecords,
        daily_transfers: withdrawals::TransferDays,
    }
}

impl fmt::Display for ReadModelGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no group of read models has this name; there are: {}", ReadModelGroup::NAMES.join(", "))]
pub struct UnknownReadModelGroup;

impl FromStr for ReadModelGroup {
    type Err = UnknownReadModelGroup;

    fn from_str(name: &str) -> Result<Self, UnknownReadModelGroup> {
        Self::ALL
            .into_iter()
            .find(|group| group.as_str() == name)
            .ok_or(UnknownReadModelGroup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_parsed_from_its_name() {
        for group in ReadModelGroup::ALL {
            assert_eq!(group.as_str().parse(), Ok(group));
        }
        let unknown = "sale".parse::<ReadModelGroup>().expect_err("no group");
        let named =
            "no group of read models has this name; there are: balance, holds, sales, statement, transfers";
        assert_eq!(unknown.to_string(), named);
    }

    #[test]
    fn each_table_belongs_to_one_group() {
        let tables: Vec<_> = ReadModelGroup::ALL
            .iter()
            .flat_map(|group| group.tables())
            .collect();
        let distinct: std::collections::BTreeSet<_> = tables.iter().collect();
        assert_eq!(distinct.len(), tables.len());
    }
}
