//! The simulated bank: it receives payouts, decides each result, and reports it at a random time.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use ledger_domain::calendar::Instant;
use ledger_domain::{PayoutId, TransferId};

use crate::rng::SimRng;

#[derive(Debug, Default)]
pub struct Bank {
    /// By payout id, so that a repeated order is recognized.
    payouts: BTreeMap<PayoutId, Payout>,
}

#[derive(Debug, Clone)]
pub struct Payout {
    pub transfer: TransferId,
    pub results: Vec<(Instant, PayoutResult)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayoutResult {
    Paid,
    Failed,
    /// Gives back what it had paid.
    Returned,
}

impl Bank {
    /// Orders a payout. Returns the results that the bank will report, each with its instant; none for a repeated
    /// order.
    pub fn order(
        &mut self,
        payout_id: PayoutId,
        transfer: TransferId,
        now: Instant,
        rng: &mut SimRng,
    ) -> Vec<(Instant, PayoutResult)> {
        if self.payouts.contains_key(&payout_id) {
            return vec![];
        }
        let first = now + TimeDelta::seconds(rng.between(1, 6 * 3_600));
        let second = first + TimeDelta::seconds(rng.between(1, 6 * 3_600));
        let results = match rng.below(10) {
            0..4 => vec![(first, PayoutResult::Paid)],
            4 => vec![(first, PayoutResult::Paid), (second, PayoutResult::Returned)],
            5..8 => vec![(first, PayoutResult::Failed)],
            // The bank corrects its earlier result.
            _ => vec![(first, PayoutResult::Failed), (second, PayoutResult::Paid)],
        };
        let payout = Payout {
            transfer,
            results: results.clone(),
        };
        self.payouts.insert(payout_id, payout);
        results
    }

    /// The transfers that a payout paid, also if the bank has not reported it yet.
    pub fn paid(&self) -> impl Iterator<Item = TransferId> + '_ {
        let paid = self.payouts.values().filter(|payout| {
            payout
                .results
                .iter()
                .any(|(_, result)| *result == PayoutResult::Paid)
        });
        paid.map(|payout| payout.transfer)
    }
}
