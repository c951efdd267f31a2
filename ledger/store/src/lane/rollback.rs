//! Rolls a batch back: discards every decision that depends on it, and decides those commands again.

use super::Lane;
use super::batch::{Batch, InFlightBatch};
use super::messages::{AppendError, Output};
use super::work::{Answer, Pending};
use crate::submission::Outcome;

/// A command whose batch or look-up conflicts with the log more often than this is answered `NotOwner`, so that the
/// caller tries later.
const ROLLBACKS_MAX: u8 = 8;

impl<T> Lane<T> {
    pub(super) fn roll_back(
        &mut self,
        in_flight: InFlightBatch<T>,
        error: AppendError,
        out: &mut Vec<Output<T>>,
    ) {
        let InFlightBatch { batch, append: _ } = in_flight;
        let mut again = self.discard_undecided();
        self.forget_touched(&batch);
        let Batch {
            commands, waiters, ..
        } = batch;
        again.extend(waiters.into_iter().map(|(pending, _)| pending));
        let rolled_back = commands.into_iter().map(|(pending, _)| pending);
        match error {
            AppendError::ConnectionLost => {
                again.extend(rolled_back.map(|pending| {
                    Box::new(Pending {
                        uncertain: true,
                        ..*pending
                    })
                }));
                self.lose_connection(out);
            }
            AppendError::Rejected => {
                let mut rolled_back: Vec<_> = rolled_back.collect();
                if rolled_back.len() == 1 {
                    let rejected = rolled_back.pop().expect("one command");
                    self.answer(*rejected, Answer::Outcome(Outcome::Rejected), out);
                } else {
                    let second = rolled_back.split_off(rolled_back.len() / 2);
                    self.bisected.push_front(second);
                    self.bisected.push_front(rolled_back);
                }
            }
            AppendError::Unavailable | AppendError::Outdated => {
                for pending in rolled_back {
                    self.answer(*pending, Answer::Outcome(Outcome::NotOwner), out);
                }
            }
            AppendError::Conflict
            | AppendError::SalesExist(_)
            | AppendError::TransfersBelongToOther(_)
            | AppendError::ReferenceDataChanged
            | AppendError::KeyUsed => {
                if error == AppendError::ReferenceDataChanged {
                    self.groups_reading_contexts = self.options.groups_reading_contexts;
                }
                let rolled_back = rolled_back.map(|mut pending| {
                    pending.key_may_exist |= error == AppendError::KeyUsed;
                    // The error does not name all sales that exist.
                    pending.sales_may_exist |=
                        matches!(error, AppendError::SalesExist(_) | AppendError::KeyUsed);
                    pending.context_in_force |= error == AppendError::ReferenceDataChanged;
                    pending
                });
                again.extend(self.within_rollbacks(rolled_back, out));
            }
        }
        self.put_back(again);
    }

    /// The commands that are tried again after a conflict. The others are answered.
    pub(super) fn within_rollbacks(
        &mut self,
        commands: impl IntoIterator<Item = Box<Pending<T>>>,
        out: &mut Vec<Output<T>>,
    ) -> Vec<Box<Pending<T>>> {
        let mut again = vec![];
        for mut pending in commands {
            pending.rollbacks += 1;
            if pending.rollbacks > ROLLBACKS_MAX {
                self.answer(*pending, Answer::Outcome(Outcome::NotOwner), out);
            } else {
                again.push(pending);
            }
        }
        again
    }

    /// Discards the next batch and the group in look-up, which may depend on state that just changed, and returns their
    /// commands. Their changes are removed from memory. A batch in flight may have changed the same state, so nothing
    /// is looked up until its answer arrives.
    pub(super) fn discard_undecided(&mut self) -> Vec<Box<Pending<T>>> {
        self.isolating |= self.in_flight.is_some();
        self.last_number += 1;
        let next = std::mem::replace(&mut self.next, Batch::new(self.last_number));
        self.forget_touched(&next);
        let looked_up = self
            .in_look_up
            .take()
            .map(|group| group.members)
            .unwrap_or_default();
        let Batch {
            commands, waiters, ..
        } = next;
        commands
            .into_iter()
            .map(|(pending, _)| pending)
            .chain(waiters.into_iter().map(|(pending, _)| pending))
            .chain(looked_up)
            .collect()
    }

    fn forget_touched(&mut self, batch: &Batch<T>) {
        for (business_id, _) in &batch.heads {
            self.cache.heads.remove(business_id);
        }
        for (sale_id, _) in &batch.sales {
            self.cache.sales.remove(sale_id);
        }
        for (transfer_id, _) in &batch.transfers {
            self.cache.transfers.remove(transfer_id);
        }
    }

    /// Puts the commands back at the front of the queue, in the order of arrival.
    pub(super) fn put_back(&mut self, mut again: Vec<Box<Pending<T>>>) {
        again.sort_by_key(|pending| pending.arrival);
        for pending in again.into_iter().rev() {
            self.waiting.push_front(pending);
        }
    }

    pub(super) fn disconnected(&mut self, out: &mut Vec<Output<T>>) {
        match self.in_flight.take() {
            Some(in_flight) => self.roll_back(in_flight, AppendError::ConnectionLost, out),
            None => {
                let again = self.discard_undecided();
                self.put_back(again);
                self.lose_connection(out);
            }
        }
    }

    /// Memory is invalid until the shards are acquired again.
    fn lose_connection(&mut self, out: &mut Vec<Output<T>>) {
        self.cache.clear();
        self.shards = Default::default();
        self.releasing.clear();
        self.is_taking_shards = true;
        out.push(Output::Reconnect);
    }

    /// Answers `NotOwner` to every command that is certainly not recorded. The others wait until that is known.
    pub(super) fn database_unreachable(&mut self, out: &mut Vec<Output<T>>) {
        self.is_database_reachable = false;
        loop {
            let bisected = std::mem::take(&mut self.bisected).into_iter().flatten();
            let waiting = std::mem::take(&mut self.waiting);
            let (uncertain, unrecorded): (Vec<_>, Vec<_>) =
                bisected.chain(waiting).partition(|pending| pending.uncertain);
            self.waiting = uncertain.into();
            if unrecorded.is_empty() {
                return;
            }
            // Answering a command admits the repeats of its key; the next iteration answers them.
            for pending in unrecorded {
                self.answer(*pending, Answer::Outcome(Outcome::NotOwner), out);
            }
        }
    }
}
