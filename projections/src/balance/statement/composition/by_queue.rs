//! The composition of every debit, computed a second time from the amounts alone: with a queue of credits, cent by cent.
//!
//! The folds take no part, so their faults show as differences. The audit and the simulator compare both results.

use std::collections::{BTreeMap, VecDeque};

use uuid::Uuid;

use super::in_memory::LinesInMemory;
use super::walk::{PlacedLine, Sign};
use crate::balance::statement::Line;

/// How many cents of a debit (the first number) are cents of a credit (the second).
type Pairs = BTreeMap<(i64, i64), i64>;

/// A figure that differs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub key: String,
    /// By the amounts.
    pub expected: i64,
    /// By the stored sums.
    pub found: i64,
}

/// Compares the stored sums of a business's lines, which are in order, with its amounts.
pub(crate) fn differences(lines: &[&Line]) -> Vec<Difference> {
    let (expected, found) = (pairs_by_queue(lines), pairs_by_sums(lines));
    let pairs = expected
        .keys()
        .chain(found.keys().filter(|pair| !expected.contains_key(pair)));
    let of_pairs = pairs.map(|pair| Difference {
        key: format!("the cents of line {} that line {} consists of", pair.1, pair.0),
        expected: expected.get(pair).copied().unwrap_or(0),
        found: found.get(pair).copied().unwrap_or(0),
    });
    of_pairs
        .chain(of_takers(lines))
        .filter(|difference| difference.expected != difference.found)
        .collect()
}

fn of_takers(lines: &[&Line]) -> Vec<Difference> {
    let mut sums: BTreeMap<(Uuid, bool), i64> = BTreeMap::new();
    let with_taker = lines
        .iter()
        .filter_map(|line| Some((line, line.taker?, line.taken?)));
    let compared = with_taker.map(|(line, taker, taken)| {
        let sum = sums.entry((taker, line.amount > 0)).or_default();
        *sum += line.amount.abs();
        Difference {
            key: format!("the sum of the taker of line {}", line.number),
            expected: *sum,
            found: taken,
        }
    });
    compared.collect()
}

/// The cents of lines that wait for lines of the other sign: the number of a line, and its cents.
type Waiting = VecDeque<(i64, i64)>;

fn pairs_by_queue(lines: &[&Line]) -> Pairs {
    let mut pairs = Pairs::new();
    let (mut credits, mut debits) = (Waiting::new(), Waiting::new());
    for event in lines.chunk_by(|line, next| line.sequence == next.sequence) {
        let of_sign = |is_credit: bool| -> Waiting {
            let lines = event.iter().filter(|line| (line.amount > 0) == is_credit);
            lines.map(|line| (line.number, line.amount.abs())).collect()
        };
        let (mut own_credits, mut own_debits) = (of_sign(true), of_sign(false));
        pair_off(&mut own_debits, &mut own_credits, &mut pairs);
        credits.extend(own_credits);
        debits.extend(own_debits);
        pair_off(&mut debits, &mut credits, &mut pairs);
    }
    pairs
}

/// Takes cents from both queues until one is empty.
fn pair_off(debits: &mut Waiting, credits: &mut Waiting, pairs: &mut Pairs) {
    while let (Some((debit, wanted)), Some((credit, left))) = (debits.front_mut(), credits.front_mut()) {
        let cents = (*wanted).min(*left);
        if cents > 0 {
            *pairs.entry((*debit, *credit)).or_default() += cents;
        }
        (*wanted, *left) = (*wanted - cents, *left - cents);
        let (debit_ends, credit_ends) = (*wanted == 0, *left == 0);
        if debit_ends {
            debits.pop_front();
        }
        if credit_ends {
            credits.pop_front();
        }
    }
}

fn pairs_by_sums(lines: &[&Line]) -> Pairs {
    let mut pairs = Pairs::new();
    let placed = LinesInMemory::of(lines.iter().copied());
    let placed: Vec<_> = placed.placed().collect();
    let mut rest = placed.as_slice();
    for event in lines.chunk_by(|line, next| line.sequence == next.sequence) {
        let (own, others) = rest.split_at(event.len());
        rest = others;
        // Within the event, the lines stand on an axis with the cents that they cancel out.
        overlaps(own, &mut pairs, |sum, line| (*sum, *sum + line.canceled()));
    }
    overlaps(&placed, &mut pairs, |_, line| (line.from, line.to));
    pairs
}

/// Adds the overlaps of debits and credits, whose places rise. `place` gets the end of the line before it of its sign.
fn overlaps(
    lines: &[&PlacedLine<i64>],
    pairs: &mut Pairs,
    place: impl Fn(&i64, &PlacedLine<i64>) -> (i64, i64),
) {
    let places = |sign: Sign| {
        let of_sign = lines.iter().filter(move |line| line.sign == sign);
        let places = of_sign.scan(0, |end, line| {
            let found = place(end, line);
            *end = found.1;
            Some((line.number, found))
        });
        places.filter(|(_, (from, to))| from < to).collect::<Vec<_>>()
    };
    let (debits, credits) = (places(Sign::Debit), places(Sign::Credit));
    let mut credits = credits.iter().peekable();
    for (debit, (from, to)) in debits {
        while let Some((credit, place)) = credits.peek() {
            let cents = to.min(place.1) - from.max(place.0);
            if cents > 0 {
                *pairs.entry((debit, *credit)).or_default() += cents;
            }
            if place.1 > to {
                break;
            }
            credits.next();
        }
    }
}
