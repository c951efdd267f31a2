//! The lines of a business in memory, for simulations and tests.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::walk::{Lines, PlacedLine, Sign};
use crate::Error;
use crate::balance::statement::Line;

/// The lines by their number. Each piece names the number of its line.
#[derive(Debug, Default)]
pub(crate) struct LinesInMemory {
    lines: BTreeMap<i64, (i64, PlacedLine<i64>)>,
}

impl LinesInMemory {
    /// `lines` are those of one business, in order.
    pub fn of<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Self {
        let mut sums = (0, 0);
        let placed = lines.into_iter().map(|line| {
            let (sign, from, to) = match line.amount > 0 {
                true => (Sign::Credit, sums.0, line.credited),
                false => (Sign::Debit, sums.1, line.debited),
            };
            sums = (line.credited, line.debited);
            let placed = PlacedLine {
                number: line.number,
                sign,
                amount: line.amount.abs(),
                from,
                to,
                taker: line.taker.zip(line.taken),
                line: line.number,
            };
            (line.number, (line.sequence, placed))
        });
        Self {
            lines: placed.collect(),
        }
    }

    /// The lines after what a taker gave elsewhere, such as to a court: a taker, the number of the line before the
    /// payment, and its cents.
    #[cfg(test)]
    pub fn with_payment(mut self, payments: &[(Uuid, i64, i64)]) -> Self {
        for (_, line) in self
            .lines
            .values_mut()
            .filter(|(_, line)| line.sign == Sign::Credit)
        {
            if let Some((taker, taken)) = &mut line.taker {
                let before = payments
                    .iter()
                    .filter(|(of, after, _)| of == taker && *after < line.number);
                *taken += before.map(|(_, _, cents)| cents).sum::<i64>();
            }
        }
        self
    }

    pub fn placed(&self) -> impl Iterator<Item = &PlacedLine<i64>> {
        self.lines.values().map(|(_, line)| line)
    }

    fn first(
        &self,
        limit: usize,
        is_wanted: impl Fn(&PlacedLine<i64>) -> bool,
    ) -> Result<Vec<PlacedLine<i64>>, Error> {
        let wanted = self.placed().filter(|line| is_wanted(line));
        Ok(wanted.take(limit).cloned().collect())
    }
}

impl Lines for LinesInMemory {
    type Line = i64;

    async fn after(&self, sign: Sign, position: i64, limit: usize) -> Result<Vec<PlacedLine<i64>>, Error> {
        self.first(limit, |line| {
            line.sign == sign && line.to > position && line.to > line.from
        })
    }

    async fn of_taker_after(
        &self,
        taker: Uuid,
        sign: Sign,
        position: i64,
        limit: usize,
    ) -> Result<Vec<PlacedLine<i64>>, Error> {
        self.first(limit, |line| {
            line.sign == sign
                && line
                    .taker
                    .is_some_and(|(of, taken)| of == taker && taken > position)
        })
    }

    async fn of_event(&self, number: i64) -> Result<Vec<PlacedLine<i64>>, Error> {
        let sequence = self.lines.get(&number).map(|(sequence, _)| *sequence);
        let of_event = self.lines.values().filter(|(of, _)| Some(*of) == sequence);
        Ok(of_event.map(|(_, line)| line.clone()).collect())
    }
}
