//! Counts of what happened in runs. A test fails if the simulator no longer reaches one of the events.

use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventCounts {
    /// By event type of the ledger, or by a text for another event of the simulation.
    pub events: BTreeMap<&'static str, u64>,
    pub recorded: u64,
    pub duplicates: u64,
    pub refused: u64,
    pub faults: u64,
}

impl EventCounts {
    pub fn saw(&mut self, event: &'static str) {
        *self.events.entry(event).or_default() += 1;
    }

    pub fn add(&mut self, other: &Self) {
        for (event, count) in &other.events {
            *self.events.entry(event).or_default() += count;
        }
        self.recorded += other.recorded;
        self.duplicates += other.duplicates;
        self.refused += other.refused;
        self.faults += other.faults;
    }
}
