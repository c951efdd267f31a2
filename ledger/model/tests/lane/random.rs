//! Random commands and failures: no money is lost or doubled, and every answer is correct.

use proptest::prelude::*;

use crate::simulation::Simulation;
use crate::transfers::{self, TransferCommand, transfer, transfer_submission};
use crate::{captured, keyed, sale, voided};
use ledger_store::lane::{GROUPS_READING_CONTEXTS, LaneOptions, SaleLookUps};
use ledger_store::submission::Submission;

#[derive(Debug, Clone)]
enum Step {
    Submit {
        business: u128,
        sale: u128,
        void: bool,
        /// The number of an idempotency key, and whether the command has another body than usual.
        key: Option<(u8, bool)>,
    },
    Transfer {
        business: u128,
        transfer: u128,
        command: TransferCommand,
        key: Option<(u8, bool)>,
    },
    DeliverLookUp,
    DeliverAppend,
    LoseAppend {
        recorded: bool,
    },
    LoseLookUp,
    Acquire,
    DatabaseUnreachable,
    Steal {
        is_notified: bool,
    },
    Renew,
    ChangeReferenceData,
    LearnReferenceData,
    /// The clock advances by these milliseconds, or is set back.
    Tick(i64),
}

fn step() -> impl Strategy<Value = Step> {
    let key = || prop::option::of((0..4_u8, any::<bool>()));
    let submit =
        (0..4_u128, 0..12_u128, prop::bool::weighted(0.2), key()).prop_map(|(business, sale, void, key)| {
            Step::Submit {
                business,
                sale,
                void,
                key,
            }
        });
    // Only a few transfers, and nearly all commands on one come from the same business, so that transfers reach late
    // statuses.
    let of = (0..6_u128, prop::bool::weighted(0.1), 0..4_u128);
    let transfer = (of, prop::sample::select(transfers::ALL.to_vec()), key()).prop_map(
        |((transfer, is_foreign, other), command, key)| Step::Transfer {
            business: if is_foreign { other } else { transfer % 2 },
            transfer,
            command,
            key,
        },
    );
    prop_oneof![
        9 => submit,
        12 => transfer,
        8 => Just(Step::DeliverLookUp),
        8 => Just(Step::DeliverAppend),
        1 => any::<bool>().prop_map(|recorded| Step::LoseAppend { recorded }),
        1 => Just(Step::LoseLookUp),
        2 => Just(Step::Acquire),
        1 => Just(Step::DatabaseUnreachable),
        1 => any::<bool>().prop_map(|is_notified| Step::Steal { is_notified }),
        2 => Just(Step::Renew),
        2 => Just(Step::ChangeReferenceData),
        1 => Just(Step::LearnReferenceData),
        2 => (-2_000..2_000_i64).prop_map(Step::Tick),
    ]
}

fn with_key(command: Submission, key: Option<(u8, bool)>) -> Submission {
    match key {
        Some((key, other)) => keyed(command, &key.to_string(), if other { "two" } else { "one" }),
        None => command,
    }
}

/// Each way to look up sales, with and without groups that read their contexts from the database. `batch_max` selects
/// them, so that the cases saved in `proptest-regressions` stay the same.
fn options(batch_max: usize, cache_bytes: usize) -> LaneOptions {
    LaneOptions {
        batch_max,
        cache_bytes,
        sale_look_ups: match batch_max % 3 {
            0 => SaleLookUps::Adaptive,
            1 => SaleLookUps::First,
            _ => SaleLookUps::AfterConflict,
        },
        groups_reading_contexts: if batch_max.is_multiple_of(2) {
            GROUPS_READING_CONTEXTS
        } else {
            0
        },
    }
}

/// The database rejects the rows of the sales and of the transfers with the numbers in `rejected`.
fn run(steps: Vec<Step>, options: LaneOptions, rejected: &[u128]) -> Simulation {
    let mut simulation = Simulation::new(options);
    let log = &mut simulation.log;
    log.rejected_sales.extend(rejected.iter().map(|n| sale(*n)));
    log.rejected_transfers
        .extend(rejected.iter().map(|n| transfer(*n)));
    for (n, step) in (0..).zip(steps) {
        match step {
            Step::Submit {
                business,
                sale,
                void,
                key,
            } => {
                let command = if void {
                    voided(n, business, sale)
                } else {
                    captured(n, business, sale)
                };
                simulation.submit(with_key(command, key));
            }
            Step::Transfer {
                business,
                transfer,
                command,
                key,
            } => {
                simulation.submit(with_key(transfer_submission(n, business, transfer, command), key));
            }
            Step::DeliverLookUp => simulation.deliver_look_up(),
            Step::DeliverAppend => simulation.deliver_append(),
            Step::LoseAppend { recorded } => simulation.lose_append(recorded),
            Step::LoseLookUp => simulation.lose_look_up(),
            Step::Acquire => simulation.acquire(),
            Step::DatabaseUnreachable => simulation.database_unreachable(),
            Step::Steal { is_notified } => simulation.steal(is_notified),
            Step::Renew => simulation.renew(),
            Step::ChangeReferenceData => simulation.change_reference_data(),
            Step::LearnReferenceData => simulation.learn_reference_data(),
            Step::Tick(milliseconds) => simulation.tick(milliseconds),
        }
    }
    simulation.settle();
    simulation
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn every_command_gets_one_correct_answer(
        steps in prop::collection::vec(step(), 1..120),
        batch_max in 1..12_usize,
        cache_bytes in prop_oneof![Just(0_usize), Just(2_000), Just(1 << 20)],
        rejected in prop::collection::vec(0..12_u128, 0..2),
    ) {
        run(steps, options(batch_max, cache_bytes), &rejected).check();
    }
}
