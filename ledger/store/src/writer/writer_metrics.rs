//! The writer's metrics. Answers are counted during a round and published once.

use std::time::Duration;

use metrics::{counter, gauge, histogram};

use crate::lane::Answer;
use crate::submission::Outcome;

/// The answers since the last publication, in the order of `NAMES`.
#[derive(Debug, Default)]
pub(super) struct WriterMetrics {
    answers: [u64; NAMES.len()],
}

const NAMES: [&str; 9] = [
    "recorded",
    "duplicate",
    "refused",
    "belongs_to_other",
    "key_reused",
    "not_owner",
    "rejected",
    "conflict",
    "unknown",
];

impl WriterMetrics {
    pub fn answered(&mut self, answer: &Answer) {
        self.answers[index_of(answer)] += 1;
    }

    pub fn publish(&mut self) {
        for (count, name) in self.answers.iter_mut().zip(NAMES) {
            if *count > 0 {
                counter!("razao_ledger_answers_total", "outcome" => name).increment(std::mem::take(count));
            }
        }
    }
}

/// The answer's name in `razao_ledger_answers_total`.
pub(super) fn outcome(answer: &Answer) -> &'static str {
    NAMES[index_of(answer)]
}

const fn index_of(answer: &Answer) -> usize {
    match answer {
        Answer::Outcome(Outcome::Recorded(_)) => 0,
        Answer::Outcome(Outcome::Duplicate { .. }) => 1,
        Answer::Outcome(Outcome::Refused(_)) => 2,
        Answer::Outcome(Outcome::BelongsToOther(_)) => 3,
        Answer::Outcome(Outcome::KeyReused) => 4,
        Answer::Outcome(Outcome::NotOwner) => 5,
        Answer::Outcome(Outcome::Rejected) => 6,
        Answer::Conflict => 7,
        Answer::Outcome(Outcome::Unknown) => 8,
    }
}

pub(super) fn batch(events: usize, took: Duration) {
    histogram!("razao_ledger_batch_events").record(u32::try_from(events).unwrap_or(u32::MAX));
    histogram!("razao_ledger_commit_seconds").record(took);
}

pub(super) fn waiting(lane: usize, commands: usize) {
    let commands = u32::try_from(commands).unwrap_or(u32::MAX);
    gauge!("razao_ledger_queue_commands", "lane" => lane.to_string()).set(commands);
}

pub(super) fn shards_lost(shards: usize) {
    if shards > 0 {
        counter!("razao_ledger_shards_lost_total").increment(shards as u64);
    }
}

pub(super) fn connection_lost() {
    counter!("razao_ledger_connections_lost_total").increment(1);
}

/// Counted by the waiting caller, because the lane that should have answered is gone.
pub(super) fn count_unanswered() {
    counter!("razao_ledger_answers_total", "outcome" => "unknown").increment(1);
}
