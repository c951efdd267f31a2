//! Random histories: every cent of a debit has one origin, and no cent has two destinations.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::FutureExt;
use ledger_domain::business::{BusinessEvent, SaleVoided};
use ledger_domain::calendar::{Instant, business_date};
use ledger_domain::sale::Initiator;
use ledger_domain::{BusinessId, Cents, EventId, SaleId, TransferId};
use ledger_store::Shard;
use proptest::prelude::*;
use uuid::Uuid;

use super::by_queue::{Difference, differences};
use super::in_memory::LinesInMemory;
use super::walk::{Piece, PlacedLine, Sign, Walk};
use crate::balance::statement::entries::Entry;
use crate::balance::statement::movement::Movement;
use crate::balance::statement::{Line, rows};
use crate::decoded_event::DecodedEvent;
use crate::read_model::ReadModel;

/// What happens next, with a number that selects among what it can happen to, and an amount.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Installments of a new sale become available.
    Settle(u8, i64),
    /// A sale is canceled, with or without open installments.
    Cancel(u8, i64),
    Dispute(u8, i64),
    WinDispute(u8),
    Withdraw(i64),
    /// A withdrawal gives back its amount.
    Fail(u8),
    /// A returned withdrawal is taken again, also from a balance that is too low.
    Reopen(u8),
    Credit(i64),
    /// Also below zero.
    Remove(i64),
    Hold(i64),
    Release(i64),
}

fn step() -> impl Strategy<Value = Step> {
    let of = 0..8_u8;
    let amount = 1..60_i64;
    prop_oneof![
        4 => (of.clone(), amount.clone()).prop_map(|(of, amount)| Step::Settle(of, amount)),
        2 => (of.clone(), amount.clone()).prop_map(|(of, amount)| Step::Cancel(of, amount)),
        2 => (of.clone(), amount.clone()).prop_map(|(of, amount)| Step::Dispute(of, amount)),
        2 => of.clone().prop_map(Step::WinDispute),
        4 => amount.clone().prop_map(Step::Withdraw),
        3 => of.clone().prop_map(Step::Fail),
        2 => of.prop_map(Step::Reopen),
        1 => amount.clone().prop_map(Step::Credit),
        1 => amount.clone().prop_map(Step::Remove),
        2 => amount.clone().prop_map(Step::Hold),
        2 => amount.prop_map(Step::Release),
    ]
}

/// A history under construction.
#[derive(Default)]
struct History {
    /// The entries of each event.
    events: Vec<Vec<Entry>>,
    available: i64,
    held: i64,
    /// The amounts of open disputes.
    disputes: Vec<(SaleId, i64)>,
    /// The withdrawals with their amounts, and whether each gave its amount back.
    withdrawals: Vec<(TransferId, i64, bool)>,
}

impl History {
    fn new_id(&self) -> Uuid {
        Uuid::from_u128(self.events.len() as u128 + 100)
    }

    fn record(&mut self, entries: Vec<(Movement, i64, Option<Uuid>)>) {
        let entries = entries.into_iter().filter(|(_, amount, _)| *amount != 0);
        let entries: Vec<_> = entries
            .map(|(movement, amount, of)| {
                self.available += amount;
                let is_transfer = matches!(
                    movement,
                    Movement::Withdrawal | Movement::WithdrawalFailed | Movement::WithdrawalTakenAgain
                );
                Entry {
                    movement,
                    amount: Cents::new(amount),
                    sale_id: of.filter(|_| !is_transfer).map(SaleId::from_uuid),
                    installment: None,
                    transfer_id: of.filter(|_| is_transfer).map(TransferId::from_uuid),
                    hold_id: None,
                    note: None,
                }
            })
            .collect();
        self.events.push(entries);
    }

    fn apply(&mut self, step: Step) {
        let id = self.new_id();
        match step {
            Step::Settle(count, amount) => {
                let parts = (0..=i64::from(count % 4)).map(|n| (Movement::Settlement, amount + n, Some(id)));
                self.record(parts.collect());
            }
            Step::Cancel(open, amount) => self.record(vec![
                (Movement::Accelerated, amount * i64::from(open % 3) / 2, Some(id)),
                (Movement::Cancellation, -amount, Some(id)),
            ]),
            Step::Dispute(open, amount) => {
                self.record(vec![
                    (Movement::Accelerated, amount * i64::from(open % 3) / 3, Some(id)),
                    (Movement::Dispute, -amount, Some(id)),
                ]);
                self.disputes.push((SaleId::from_uuid(id), amount));
            }
            Step::WinDispute(of) if !self.disputes.is_empty() => {
                let of = usize::from(of) % self.disputes.len();
                let (sale, amount) = self.disputes.remove(of);
                self.record(vec![(Movement::DisputeWon, amount, Some(sale.uuid()))]);
            }
            Step::Withdraw(amount) if amount <= self.available => {
                self.withdrawals.push((TransferId::from_uuid(id), amount, false));
                self.record(vec![(Movement::Withdrawal, -amount, Some(id))]);
            }
            Step::Fail(of) | Step::Reopen(of) if !self.withdrawals.is_empty() => {
                let of = usize::from(of) % self.withdrawals.len();
                let (transfer, amount, is_returned) = self.withdrawals[of];
                let (movement, amount) = match (is_returned, step) {
                    (false, Step::Fail(_)) => (Movement::WithdrawalFailed, amount),
                    (true, Step::Reopen(_)) => (Movement::WithdrawalTakenAgain, -amount),
                    _ => return,
                };
                self.withdrawals[of].2 = !is_returned;
                self.record(vec![(movement, amount, Some(transfer.uuid()))]);
            }
            Step::Credit(amount) => self.record(vec![(Movement::ManualCredit, amount, None)]),
            Step::Remove(amount) => self.record(vec![(Movement::ManualRemoval, -amount, None)]),
            Step::Hold(amount) => {
                self.held += amount;
                self.record(vec![(Movement::Hold, -amount, None)]);
            }
            Step::Release(amount) => {
                let amount = amount.min(self.held);
                self.held -= amount;
                self.record(vec![(Movement::Release, amount, None)]);
            }
            Step::WinDispute(_) | Step::Withdraw(_) | Step::Fail(_) | Step::Reopen(_) => {}
        }
    }
}

fn business() -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u128(1))
}

fn noon() -> Instant {
    Instant::from_timestamp(1_795_000_000, 0).expect("an instant")
}

/// The lines of the events, folded in windows of this many events.
fn folded(events: Vec<Vec<Entry>>, window: usize) -> Vec<Line> {
    let recorded = |sequence: usize| DecodedEvent {
        shard: Shard::of(business()),
        position: sequence as i64,
        sequence: sequence as i64,
        business_id: business(),
        event_id: EventId::from_uuid(Uuid::from_u128(sequence as u128)),
        recorded_at: noon(),
        occurred_at: noon(),
        occurred_on: business_date(noon()),
        actor: None,
        // Its entries come separately.
        event: Arc::new(BusinessEvent::from(SaleVoided {
            occurred_at: noon(),
            sale_id: SaleId::from_uuid(Uuid::from_u128(1)),
            initiator: Initiator::Platform,
            reason: None,
        })),
    };
    let mut stored = BTreeMap::new();
    let mut events = events.into_iter().zip(1..).peekable();
    while events.peek().is_some() {
        let window: Vec<_> = events.by_ref().take(window).collect();
        let mut lines = rows::Lines::default();
        for (entries, _) in &window {
            lines.continue_from(&stored, business(), entries);
        }
        for (entries, sequence) in window {
            lines.add(&recorded(sequence), entries).expect("sums that fit");
        }
        stored.extend(lines.into_rows());
    }
    stored.into_values().collect()
}

fn pieces(lines: &LinesInMemory, line: &PlacedLine<i64>, from: i64, to: i64) -> Vec<Piece<i64>> {
    let walk = Walk::from_line(lines, line, (from, to));
    let pieces = walk.pieces(usize::MAX).now_or_never();
    pieces.expect("no waiting in memory").expect("pieces")
}

/// The cents of a debit that its taker did not give back begin here.
fn kept_from(lines: &LinesInMemory, debit: &PlacedLine<i64>) -> i64 {
    let Some((taker, taken)) = debit.taker else {
        return 0;
    };
    let of_taker = lines.placed().filter(|line| line.sign == Sign::Credit);
    let returned = of_taker
        .filter_map(|line| line.taker)
        .filter(|(of, _)| *of == taker);
    let returned = returned.map(|(_, sum)| sum).max().unwrap_or(0);
    (returned - (taken - debit.amount)).clamp(0, debit.amount)
}

proptest! {
    #[test]
    fn each_cent_of_a_debit_is_one_cent_of_a_credit(
        steps in prop::collection::vec(step(), 1..60), window in 1..7_usize,
    ) {
        let mut history = History::default();
        for step in steps {
            history.apply(step);
        }
        let available = history.available;
        let stored = folded(history.events, window);
        let all: Vec<_> = stored.iter().collect();
        prop_assert_eq!(differences(&all), Vec::<Difference>::new());

        let lines = LinesInMemory::of(&stored);
        // For each credit, its cents that a debit consists of.
        let mut used: BTreeMap<i64, Vec<(i64, i64, i64)>> = BTreeMap::new();
        let mut debt = 0;
        for debit in lines.placed().filter(|line| line.sign == Sign::Debit) {
            let from = kept_from(&lines, debit);
            let parts = pieces(&lines, debit, from, debit.amount);
            let sum: i64 = parts.iter().map(|piece| piece.amount).sum();
            prop_assert_eq!(sum, debit.amount - from);
            for piece in parts {
                match piece.line {
                    Some(credit) => used.entry(credit).or_default().push((
                        piece.offset,
                        piece.offset + piece.amount,
                        debit.number,
                    )),
                    None => debt += piece.amount,
                }
            }
        }
        prop_assert_eq!(debt, (-available).max(0));

        let mut unused = 0;
        for credit in lines.placed().filter(|line| line.sign == Sign::Credit) {
            let mut ranges = used.remove(&credit.number).unwrap_or_default();
            if credit.taker.is_some() {
                prop_assert_eq!(ranges, vec![], "a returned amount is no origin");
                continue;
            }
            ranges.sort_unstable();
            let mut to_debits = vec![];
            let mut end = 0;
            for (from, to, debit) in ranges {
                prop_assert!(from >= end && to <= credit.amount, "a cent of two debits");
                end = to;
                to_debits.push((from, to, debit));
            }
            let used: i64 = to_debits.iter().map(|(from, to, _)| to - from).sum();
            unused += credit.amount - used;

            // The way from the credit leads to the same debits.
            let mut at = 0;
            let mut destinations = vec![];
            for piece in pieces(&lines, credit, 0, credit.amount) {
                if let Some(debit) = piece.line {
                    destinations.push((at, at + piece.amount, debit));
                }
                at += piece.amount;
            }
            prop_assert_eq!(at, credit.amount);
            prop_assert_eq!(by_cents(&destinations), by_cents(&to_debits));
        }
        prop_assert_eq!(unused, available.max(0));
    }
}

/// The debit of each cent.
fn by_cents(ranges: &[(i64, i64, i64)]) -> BTreeMap<i64, i64> {
    let cents = ranges
        .iter()
        .flat_map(|(from, to, debit)| (*from..*to).map(|cent| (cent, *debit)));
    cents.collect()
}

/// The pieces of the last line, each as the number of a line and an amount.
fn of_last(entries: Vec<Vec<(Movement, i64, Option<Uuid>)>>) -> Vec<(Option<i64>, i64)> {
    let mut history = History::default();
    for entries in entries {
        history.record(entries);
    }
    let stored = folded(history.events, 3);
    let lines = LinesInMemory::of(&stored);
    let last = lines.placed().last().expect("a line");
    let pieces = pieces(&lines, last, 0, last.amount);
    pieces
        .into_iter()
        .map(|piece| (piece.line, piece.amount))
        .collect()
}

fn one(movement: Movement, amount: i64, of: Option<u128>) -> Vec<(Movement, i64, Option<Uuid>)> {
    vec![(movement, amount, of.map(Uuid::from_u128))]
}

#[test]
fn credits_go_first_in_first_out() {
    let found = of_last(vec![
        one(Movement::Settlement, 31_00, Some(1)),
        one(Movement::Withdrawal, -18_70, Some(2)),
        one(Movement::Settlement, 50_00, Some(3)),
        one(Movement::Withdrawal, -20_00, Some(4)),
    ]);
    assert_eq!(found, [(Some(1), 12_30), (Some(3), 7_70)]);
}

#[test]
fn a_cancel_of_an_unsettled_sale_takes_nothing_from_others() {
    let sale = Some(Uuid::from_u128(2));
    let found = of_last(vec![
        one(Movement::Settlement, 10_00, Some(1)),
        vec![
            (Movement::Accelerated, 97_00, sale),
            (Movement::Cancellation, -97_00, sale),
        ],
        one(Movement::Withdrawal, -10_00, Some(3)),
    ]);
    assert_eq!(found, [(Some(1), 10_00)]);
}

#[test]
fn a_returned_withdrawal_leads_to_what_it_consisted_of() {
    let found = of_last(vec![
        one(Movement::Settlement, 10_00, Some(1)),
        one(Movement::Settlement, 5_00, Some(2)),
        one(Movement::Withdrawal, -12_00, Some(3)),
        one(Movement::WithdrawalFailed, 12_00, Some(3)),
        one(Movement::Withdrawal, -15_00, Some(4)),
    ]);
    // What was left of line 2 is older than the returned amount.
    assert_eq!(found, [(Some(2), 3_00), (Some(1), 10_00), (Some(2), 2_00)]);
}

#[test]
fn a_won_dispute_leads_to_the_sale_and_to_what_it_took_besides() {
    let sale = Some(Uuid::from_u128(2));
    let found = of_last(vec![
        one(Movement::Settlement, 3_00, Some(1)),
        vec![
            (Movement::Accelerated, 97_00, sale),
            (Movement::Dispute, -100_00, sale),
        ],
        one(Movement::DisputeWon, 100_00, Some(2)),
        one(Movement::Withdrawal, -100_00, Some(3)),
    ]);
    assert_eq!(found, [(Some(2), 97_00), (Some(1), 3_00)]);
}

#[test]
fn a_release_gives_back_the_oldest_hold() {
    let found = of_last(vec![
        one(Movement::Settlement, 10_00, Some(1)),
        one(Movement::Settlement, 10_00, Some(2)),
        one(Movement::Hold, -10_00, None),
        one(Movement::Hold, -4_00, None),
        one(Movement::Release, 12_00, None),
        one(Movement::Withdrawal, -18_00, Some(3)),
    ]);
    assert_eq!(found, [(Some(2), 6_00), (Some(1), 10_00), (Some(2), 2_00)]);
}

#[test]
fn later_credits_fill_a_debt() {
    let debt = vec![
        one(Movement::Settlement, 10_00, Some(1)),
        one(Movement::ManualRemoval, -15_00, None),
    ];
    assert_eq!(of_last(debt.clone()), [(Some(1), 10_00), (None, 5_00)]);
    let later = [
        one(Movement::Settlement, 8_00, Some(2)),
        one(Movement::Withdrawal, -3_00, Some(3)),
    ];
    assert_eq!(of_last([debt, later.to_vec()].concat()), [(Some(3), 3_00)]);
}

/// A court gets the first cents of a hold. What the hold then gives back are the next ones, and the way from a credit
/// that the court got ends at the hold.
#[test]
fn a_release_after_a_payment_to_a_court_gives_back_what_the_court_did_not_get() {
    let mut history = History::default();
    for entries in [
        one(Movement::Settlement, 10_00, Some(1)),
        one(Movement::Settlement, 10_00, Some(2)),
        one(Movement::Hold, -15_00, None),
        one(Movement::Release, 4_00, None),
        one(Movement::Withdrawal, -9_00, Some(3)),
    ] {
        history.record(entries);
    }
    let stored = folded(history.events, 3);
    let hold = stored[2].taker.expect("a taker");
    let lines = LinesInMemory::of(&stored).with_payment(&[(hold, 3, 8_00)]);
    let found = |number: i64| -> Vec<(Option<i64>, i64)> {
        let line = lines.placed().find(|line| line.number == number).expect("a line");
        let pieces = pieces(&lines, line, 0, line.amount);
        pieces
            .into_iter()
            .map(|piece| (piece.line, piece.amount))
            .collect()
    };
    // The rest of the second settlement is older than the release, which has the cents 9 to 12 of the hold.
    assert_eq!(found(5), [(Some(2), 5_00), (Some(1), 2_00), (Some(2), 2_00)]);
    assert_eq!(found(1), [(Some(3), 8_00), (Some(5), 2_00)]);
    assert_eq!(found(2), [(Some(5), 2_00), (Some(3), 3_00), (Some(5), 5_00)]);
}
