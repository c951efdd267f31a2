//! Rolls a batch back: discards every decision that depends on it, and decides those commands again.

use super::Lane;
use super::batch::{Batch, Flight};
use super::messages::{AppendError, Output};
use super::work::{Answer, Pending};
use crate::submission::Outcome;

/// A rollback's cause may be temporary. A command whose batch is rolled back more often than this is answered
/// `NotOwner`, so that the caller tries later.
const FALLS: u8 = 8;

impl<T> Lane<T> {
    pub(super) fn fall(&mut self, flight: Flight<T>, error: AppendError, out: &mut Vec<Output<T>>) {
        let Flight { batch, append: _ } = flight;
        let mut again = self.drop_undecided();
        self.forget_touched(&batch);
        let Batch { commands, riders, .. } = batch;
        again.extend(riders.into_iter().map(|(pending, _)| pending));
        let fallen = commands.into_iter().map(|(pending, _)| pending);
        match error {
            AppendError::Lost => {
                again.extend(fallen.map(|pending| {
                    Box::new(Pending {
                        uncertain: true,
                        ..*pending
                    })
                }));
                self.lose_connection(out);
            }
            AppendError::Poison => {
                let mut fallen: Vec<_> = fallen.collect();
                if fallen.len() == 1 {
                    let poisoned = fallen.pop().expect("one command");
                    self.answer(*poisoned, Answer::Outcome(Outcome::Poisoned), out);
                } else {
                    let second = fallen.split_off(fallen.len() / 2);
                    self.suspects.push_front(second);
                    self.suspects.push_front(fallen);
                }
            }
            AppendError::Unavailable => {
                for pending in fallen {
                    self.answer(*pending, Answer::Outcome(Outcome::NotOwner), out);
                }
            }
            AppendError::Overtaken
            | AppendError::SalesElsewhere(_)
            | AppendError::TransfersElsewhere(_)
            | AppendError::KeyUsed => {
                for mut pending in fallen {
                    pending.key_suspected |= error == AppendError::KeyUsed;
                    pending.falls += 1;
                    if pending.falls > FALLS {
                        self.answer(*pending, Answer::Outcome(Outcome::NotOwner), out);
                    } else {
                        again.push(pending);
                    }
                }
            }
        }
        self.put_back(again);
    }

    /// Discards the next batch and the group in look-up: both depend on state that just changed. Their changes are
    /// removed from memory. A batch in flight may have changed the same state, so nothing is looked up until its answer
    /// arrives.
    pub(super) fn drop_undecided(&mut self) -> Vec<Box<Pending<T>>> {
        self.alone |= self.flight.is_some();
        self.numbers += 1;
        let next = std::mem::replace(&mut self.next, Batch::new(self.numbers));
        self.forget_touched(&next);
        let looked_up = self.looking.take().map(|group| group.members).unwrap_or_default();
        let Batch { commands, riders, .. } = next;
        commands
            .into_iter()
            .map(|(pending, _)| pending)
            .chain(riders.into_iter().map(|(pending, _)| pending))
            .chain(looked_up)
            .collect()
    }

    fn forget_touched(&mut self, batch: &Batch<T>) {
        for (business_id, _) in &batch.heads {
            self.state.heads.remove(business_id);
        }
        for (sale_id, _) in &batch.sales {
            self.state.sales.remove(sale_id);
        }
        for (transfer_id, _) in &batch.transfers {
            self.state.transfers.remove(transfer_id);
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
        match self.flight.take() {
            Some(flight) => self.fall(flight, AppendError::Lost, out),
            None => {
                let again = self.drop_undecided();
                self.put_back(again);
                self.lose_connection(out);
            }
        }
    }

    /// Memory is invalid until the shards are taken again.
    fn lose_connection(&mut self, out: &mut Vec<Output<T>>) {
        self.state.clear();
        self.shards = Default::default();
        self.taking = true;
        out.push(Output::TakeAgain);
    }

    /// Answers every command that was never sent with `NotOwner`. Commands that may be recorded wait until that is
    /// known.
    pub(super) fn out_of_reach(&mut self, out: &mut Vec<Output<T>>) {
        self.reachable = false;
        loop {
            let suspects = std::mem::take(&mut self.suspects).into_iter().flatten();
            let waiting = std::mem::take(&mut self.waiting);
            let (uncertain, unsent): (Vec<_>, Vec<_>) =
                suspects.chain(waiting).partition(|pending| pending.uncertain);
            self.waiting = uncertain.into();
            if unsent.is_empty() {
                return;
            }
            // Answering a command admits the repeats of its key; the next iteration answers them.
            for pending in unsent {
                self.answer(*pending, Answer::Outcome(Outcome::NotOwner), out);
            }
        }
    }
}
