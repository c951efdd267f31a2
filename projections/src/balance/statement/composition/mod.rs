//! Which credits a debit of the available balance consists of, and where a credit went.
//!
//! Credits fill debits first in, first out, in the order in which the lines were recorded. So a late notice never
//! changes the composition of an earlier withdrawal. The folds store two sums with each line (`credited`, `debited`),
//! and the rest follows from them (`walk`).

mod by_queue;
mod days;
mod debts;
mod in_memory;
mod installments;
mod stored;
#[cfg(test)]
mod tests;
mod walk;

use ledger_domain::{BusinessId, Cents, EventId, SaleId, TransferId};
use tokio_postgres::GenericClient;

pub(crate) use by_queue::{Difference, differences};
pub use days::{CompositionDay, CompositionDays, CreditSums, composition_days, composition_of_day};
pub use debts::{Debt, debt_list};
pub use installments::{CreditInstallment, credit_installments};

use super::StatementLine;
use crate::Error;
use stored::StoredLines;
use walk::{Piece, Walk};

/// A part of an amount, with the line at its other end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmountPart {
    /// Of a debit, `None` for the part of a debt that no credit has filled yet. Of a credit, `None` for the part that is
    /// still available.
    pub line: Option<StatementLine>,
    pub amount: Cents,
}

/// A page of the credits that a withdrawal consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composition {
    /// The amount of the withdrawal without what was given back: of a refused or failed one, zero.
    pub total: Cents,
    /// In the order in which the credits were recorded.
    pub parts: Vec<AmountPart>,
    /// The amount before the next page, if there is one.
    pub next: Option<Cents>,
}

/// A part of a transfer's amount: the cents after the first `skipped` ones, up to `until` if it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompositionRange {
    pub skipped: Cents,
    pub until: Option<Cents>,
}

impl CompositionRange {
    pub const fn after(skipped: Cents) -> Self {
        Self { skipped, until: None }
    }
}

/// The credits of a part of a transfer. The time does not grow with the number of its credits.
pub async fn composition_list(
    client: &impl GenericClient,
    business: BusinessId,
    transfer: TransferId,
    CompositionRange { skipped, until }: CompositionRange,
    limit: u32,
) -> Result<Composition, Error> {
    let lines = StoredLines { client, business };
    let (taken, returned) = lines.taker_sums(transfer.uuid()).await?;
    // What was given back is what was taken first.
    let from = returned
        .saturating_add(skipped.get())
        .clamp(returned, taken.max(returned));
    let end = until.map_or(taken, |until| returned.saturating_add(until.get()).min(taken));
    let walk = Walk::from_taker(&lines, transfer.uuid(), (from, end.max(from)));
    let pieces = walk.pieces(usize::try_from(limit).unwrap_or(usize::MAX)).await?;
    let listed: i64 = pieces.iter().map(|piece| piece.amount).sum();
    let next = from + listed - returned;
    Ok(Composition {
        total: Cents::new((taken - returned).max(0)),
        next: (next < end - returned).then_some(Cents::new(next)),
        parts: pieces.into_iter().map(AmountPart::from).collect(),
    })
}

/// A credit of a sale, and the debits that it went to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditUse {
    pub credit: StatementLine,
    /// They add up to the credit.
    pub parts: Vec<AmountPart>,
}

/// The credits of a sale, which its events with these ids caused, in the order of recording.
pub async fn credit_uses(
    client: &impl GenericClient,
    business: BusinessId,
    sale: SaleId,
    events: &[EventId],
) -> Result<Vec<CreditUse>, Error> {
    let lines = StoredLines { client, business };
    let mut uses = vec![];
    for credit in lines.credits_of(sale, events).await? {
        let walk = Walk::from_line(&lines, &credit, (0, credit.amount));
        let pieces = walk.pieces(usize::MAX).await?;
        uses.push(CreditUse {
            credit: credit.line,
            parts: pieces.into_iter().map(AmountPart::from).collect(),
        });
    }
    Ok(uses)
}

impl From<Piece<StatementLine>> for AmountPart {
    fn from(piece: Piece<StatementLine>) -> Self {
        Self {
            line: piece.line,
            amount: Cents::new(piece.amount),
        }
    }
}
