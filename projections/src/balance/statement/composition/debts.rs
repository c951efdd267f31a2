//! What a company owes: the debits that took its balance below zero and that no credit has covered whole.
//!
//! Later credits recover debts first in, first out, as they fill every debit.

use ledger_domain::{BusinessId, Cents};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use super::AmountPart;
use super::stored::StoredLines;
use super::walk::{Lines, Sign, Walk};
use crate::Error;
use crate::balance::statement::StatementLine;

/// The most credits that are named for one debt.
const PARTS_MAX: usize = 100;

/// A debit that took the balance below zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debt {
    pub line: StatementLine,
    /// What the debit took below zero.
    pub owed: Cents,
    /// What no credit has covered yet.
    pub open: Cents,
    /// The later credits that covered the rest.
    pub recovered: Vec<AmountPart>,
}

/// The debts that are not covered, the oldest first. Their open parts add up to the balance below zero.
pub async fn debt_list(
    client: &impl GenericClient,
    business: BusinessId,
    limit: usize,
) -> Result<Vec<Debt>, Error> {
    let lines = StoredLines { client, business };
    let covered = credited(client, business).await?;
    let mut debts = vec![];
    for line in lines.after(Sign::Debit, covered, limit).await? {
        // The line's last cents are those below zero: the balance after the line says how many.
        let below_zero = (-line.line.balance.get()).max(0);
        let owed = below_zero.min(line.to - line.from);
        let open = line.to - covered.max(line.from);
        let owed = owed.max(open);
        let walk = Walk::from_line(&lines, &line, (line.amount - owed, line.amount - open));
        let pieces = walk.pieces(PARTS_MAX).await?;
        debts.push(Debt {
            owed: Cents::new(owed),
            open: Cents::new(open),
            recovered: pieces.into_iter().map(AmountPart::from).collect(),
            line: line.line,
        });
    }
    Ok(debts)
}

/// The sum of all credits of the business.
async fn credited(client: &impl GenericClient, business: BusinessId) -> Result<i64, Error> {
    let row = client
        .query_typed_opt(
            "SELECT credited FROM statement_line WHERE business_id = $1 ORDER BY number DESC LIMIT 1",
            &[(&business.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.map_or(0, |row| row.get(0)))
}
