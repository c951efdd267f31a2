//! Balances as of an instant, for random histories. As recorded, they equal the figures that were visible then. As
//! effective, they are the sums of the events that had occurred by then.

use chrono::TimeDelta;
use ledger_domain::business::Accounts;
use ledger_domain::calendar::{Instant, business_date};
use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, SaleId};
use ledger_store::log;
use projections::balance::as_of::{AsOf, Axis, BalancesAsOf, balance_as_of};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::ledger::{Ledger, business, card, day, minute, pix};
use super::reversal_commands::{ReversalCommands, cancel, dispute, lose, open, refund, win};
use super::transfer_commands::{TransferCommands, pix_key};

pub(super) const SEEDS: u64 = 3;
const STEPS: u32 = 40;

/// The figures that were visible at an instant.
pub(super) struct VisibleFigures {
    at: Instant,
    sequence: Option<i64>,
    accounts: Accounts,
}

pub(super) fn recorded(instant: Instant) -> AsOf {
    AsOf {
        instant,
        axis: Axis::Recorded,
    }
}

pub(super) fn effective(instant: Instant) -> AsOf {
    AsOf {
        instant,
        axis: Axis::Effective,
    }
}

/// Runs random commands, reported in another order than they occurred. Those that the domain refuses change nothing.
/// Returns the figures that were visible before the first command and after each one.
pub(super) async fn play(ledger: &Ledger, shop: BusinessId, seed: u64) -> Vec<VisibleFigures> {
    let mut random = StdRng::seed_from_u64(seed);
    let reversal_commands = ReversalCommands { ledger, shop };
    let transfer_commands = TransferCommands { ledger, shop };
    let mut sales: Vec<SaleId> = vec![];
    let mut seen = vec![visible_figures(ledger, shop).await];
    for step in 0..STEPS {
        let at = minute(random.random_range(0..60 * 24 * 60));
        let any_sale = |random: &mut StdRng| sales.get(random.random_range(0..sales.len().max(1))).copied();
        let id = format!("dp-{}", random.random_range(0..6));
        let sale = any_sale(&mut random);
        match (random.random_range(0..16), sale) {
            (0, _) => {
                transfer_commands
                    .make_manual(Direction::In, 50_00 + i64::from(step), "aporte", at)
                    .await;
            }
            (1, _) => ledger.settle_due(day(random.random_range(0..60))).await,
            (2, Some(sale)) => drop(reversal_commands.submit(cancel(sale, at)).await),
            (3, Some(sale)) => drop(reversal_commands.submit(refund(sale, at)).await),
            (4, Some(sale)) => drop(reversal_commands.submit(dispute(sale, &id, at)).await),
            (5 | 6, Some(sale)) => drop(reversal_commands.submit(open(sale, &id, at)).await),
            (7 | 8, Some(sale)) => drop(reversal_commands.submit(win(sale, &id, at)).await),
            (9, Some(sale)) => drop(reversal_commands.submit(lose(sale, &id, at)).await),
            (10, _) => drop(reversal_commands.rent(1_00, business_date(at), at).await),
            (11, _) if visible_figures(ledger, shop).await.accounts.available.get() > 20_00 => {
                transfer_commands
                    .request(10_00 + i64::from(step), pix_key(), at)
                    .await;
            }
            _ => {
                let id = ledger.new_sale();
                let facts = if random.random_bool(0.5) {
                    card(id)
                } else {
                    pix(id)
                };
                sales.push(id);
                ledger.capture(shop, facts, at).await;
            }
        }
        seen.push(visible_figures(ledger, shop).await);
    }
    seen
}

/// Reads the balances from the head, which no read model writes.
async fn visible_figures(ledger: &Ledger, shop: BusinessId) -> VisibleFigures {
    let client = ledger.client().await;
    let head = log::head(&**client, shop).await.expect("a head");
    let events = log::of_business(&**client, shop, 0, 10_000)
        .await
        .expect("events");
    let posting = events
        .iter()
        .rev()
        .find(|stored| !stored.decode().expect("an event").postings().is_empty());
    VisibleFigures {
        at: ledger.now(),
        sequence: posting.map(|stored| stored.sequence),
        accounts: head.map_or_else(Accounts::default, |head| head.accounts),
    }
}

#[tokio::test]
async fn a_balance_as_recorded_is_the_one_visible_then_and_as_effective_the_sum_of_occurred_events() {
    for seed in 0..SEEDS {
        let ledger = Ledger::create().await;
        let runner = ledger.follow();
        let shop = business(1);
        let seen = play(&ledger, shop, seed).await;
        ledger.until_caught_up().await;
        let client = ledger.client().await;
        for VisibleFigures {
            at,
            sequence,
            accounts,
        } in &seen
        {
            let found = balance_as_of(&**client, shop, recorded(*at))
                .await
                .expect("balances");
            let expected = BalancesAsOf {
                sequence: *sequence,
                accounts: *accounts,
            };
            assert_eq!(found, expected, "seed {seed} at {at}");
        }
        let events = log::of_business(&**client, shop, 0, 10_000)
            .await
            .expect("events");
        let decoded: Vec<_> = events
            .iter()
            .map(|stored| (stored.occurred_at, stored.decode().expect("an event")))
            .collect();
        for instant in instants(decoded.iter().map(|(at, _)| *at)) {
            let happened = decoded.iter().filter(|(at, _)| *at <= instant);
            let expected = happened.fold(Accounts::default(), |accounts, (_, event)| {
                accounts.posted(&event.postings()).expect("they fit")
            });
            let found = balance_as_of(&**client, shop, effective(instant))
                .await
                .expect("balances");
            assert_eq!(found.accounts, expected, "seed {seed} at {instant}");
            assert_eq!(found.sequence, None);
        }
        runner.stop().await;
    }
}

/// Each instant and the start of its day, the moments just before both, and the end of its day.
pub(super) fn instants(of: impl Iterator<Item = Instant>) -> Vec<Instant> {
    let small = TimeDelta::microseconds(1);
    of.flat_map(|at| {
        let midnight = ledger_domain::calendar::start_of(business_date(at));
        [
            at,
            at - small,
            midnight,
            midnight - small,
            midnight + TimeDelta::days(1) - small,
        ]
    })
    .collect()
}
