//! The behavior of a lane, one rule at a time.

use ledger_domain::business::{BusinessEvent, Refusal, SaleEvent};

use crate::simulation::{OPTIONS, Simulation};
use crate::transfers::{TransferCommand, transfer_submission};
use crate::{business, captured, keyed, sale, voided};
use ledger_store::lane::{GROUPS_READING_CONTEXTS, LaneOptions, SaleLookUps};
use ledger_store::submission::Outcome;

fn simulation() -> Simulation {
    Simulation::new(OPTIONS)
}

/// The sequences of the command's events.
fn recorded(simulation: &Simulation, ticket: u64) -> Vec<i64> {
    match &simulation.answers[&ticket] {
        Outcome::Recorded(receipt) => receipt.events.iter().map(|event| event.sequence).collect(),
        other => panic!("command {ticket} was answered {other:?}"),
    }
}

#[test]
fn nothing_is_answered_before_it_is_durable() {
    let mut simulation = simulation();
    let first = simulation.submit(captured(1, 0, 0));
    simulation.deliver_look_up();
    let again = simulation.submit(captured(2, 0, 0));
    let refused = simulation.submit(voided(3, 0, 0));
    simulation.deliver_look_up();
    // Once more, because the reference data in memory may be out of date.
    simulation.deliver_look_up();
    assert!(
        simulation.answers.is_empty(),
        "a refusal also depends on the capture in flight"
    );
    simulation.deliver_append();
    assert_eq!(recorded(&simulation, first), [1]);
    assert!(matches!(simulation.answers[&again], Outcome::Duplicate { .. }));
    assert!(matches!(
        simulation.answers[&refused],
        Outcome::Refused(Refusal::StatusForbids(_))
    ));
    simulation.check();
}

/// The plan version of each capture: the version of the reference data on which it was decided.
fn plan_versions(simulation: &Simulation) -> Vec<u32> {
    let captured = simulation
        .log
        .events()
        .filter_map(|(_, _, row)| match &*row.event {
            BusinessEvent::Sale(SaleEvent::SaleCaptured(captured)) => Some(captured.plan.version),
            _ => None,
        });
    captured.collect()
}

#[test]
fn events_rest_on_reference_data_from_memory_only_while_it_is_in_force() {
    let mut simulation = simulation();
    simulation.change_reference_data();
    simulation.submit(captured(1, 0, 0));
    simulation.settle();
    // Memory has the version in force.
    simulation.submit(captured(2, 0, 1));
    simulation.settle();
    assert_eq!(plan_versions(&simulation), [1, 1]);
    simulation.change_reference_data();
    let late = simulation.submit(captured(3, 0, 2));
    simulation.deliver_look_up();
    simulation.deliver_append();
    assert!(!simulation.answers.contains_key(&late), "its batch is refused");
    simulation.settle();
    assert_eq!(plan_versions(&simulation), [1, 1, 2]);
    simulation.check();
}

/// A group is the commands that are looked up together. With 0 groups, the next one uses the cached reference data.
#[test]
fn after_a_refused_batch_the_next_groups_read_reference_data_in_force() {
    for (groups_reading_contexts, refused_batches) in [(GROUPS_READING_CONTEXTS, 1), (0, 2)] {
        let mut simulation = Simulation::new(LaneOptions {
            groups_reading_contexts,
            ..OPTIONS
        });
        simulation.submit(captured(1, 0, 0));
        simulation.settle();
        simulation.change_reference_data();
        simulation.submit(captured(2, 0, 1));
        simulation.settle();
        assert_eq!(simulation.refused_batches, 1);
        // Memory learned of that change, and not of the next.
        simulation.change_reference_data();
        simulation.submit(captured(3, 0, 2));
        simulation.settle();
        assert_eq!(plan_versions(&simulation), [0, 1, 2]);
        assert_eq!(simulation.refused_batches, refused_batches);
        simulation.check();
    }
}

#[test]
fn a_command_that_is_decided_again_counts_its_unknown_sales_once() {
    let mut simulation = Simulation::new(LaneOptions {
        sale_look_ups: SaleLookUps::Adaptive,
        groups_reading_contexts: 0,
        ..OPTIONS
    });
    simulation.submit(captured(1, 0, 0));
    simulation.settle();
    // Each is decided twice, because its batch is refused. So 120 unknown sales could be taken for 239.
    for n in 1..120 {
        simulation.change_reference_data();
        // At every fourth version all companies are unknown, and the capture would be refused.
        if simulation.companies_are_unknown() {
            simulation.change_reference_data();
        }
        simulation.submit(captured(n + 1, 0, u128::from(n)));
        simulation.settle();
    }
    assert_eq!(simulation.refused_batches, 119);
    // The lane loses its memory, so that a repeat finds a known sale.
    simulation.steal(true);
    simulation.renew();
    let repeat = simulation.submit(captured(200, 0, 0));
    simulation.settle();
    assert!(matches!(simulation.answers[&repeat], Outcome::Duplicate { .. }));
    // One known sale in 121 is more than one in 200, so the next unknown sale is looked up first.
    simulation.submit(captured(201, 1, 500));
    assert_eq!(
        simulation.process.asked().map(|asked| asked.sales.as_slice()),
        Some(&[sale(500)][..])
    );
}

#[test]
fn a_batch_rests_on_the_oldest_version_of_its_commands() {
    let mut simulation = Simulation::new(LaneOptions {
        groups_reading_contexts: 0,
        ..OPTIONS
    });
    simulation.submit(captured(1, 0, 0));
    simulation.settle();
    // The credit needs no reference data. While its batch is in flight, both captures gather in the next batch.
    simulation.submit(transfer_submission(2, 0, 0, TransferCommand::Credit));
    simulation.deliver_look_up();
    simulation.change_reference_data();
    simulation.submit(captured(3, 0, 1));
    simulation.deliver_look_up();
    simulation.learn_reference_data();
    simulation.submit(captured(4, 0, 2));
    simulation.deliver_look_up();
    simulation.settle();
    assert_eq!(simulation.refused_batches, 1);
    assert_eq!(plan_versions(&simulation), [0, 1, 1]);
    simulation.check();
}

#[test]
fn an_answer_without_events_rests_on_reference_data_in_force() {
    let mut simulation = simulation();
    simulation.submit(captured(1, 0, 0));
    simulation.settle();
    let repeated = simulation.submit(captured(2, 0, 0));
    simulation.deliver_look_up();
    assert!(
        !simulation.answers.contains_key(&repeated),
        "memory may be out of date"
    );
    simulation.deliver_look_up();
    assert!(matches!(simulation.answers[&repeated], Outcome::Duplicate { .. }));
    simulation.check();
}

#[test]
fn a_sale_submitted_twice_in_one_batch_is_captured_once() {
    let mut simulation = simulation();
    // The first is looked up alone, so that the others wait and are decided together.
    simulation.submit(captured(1, 0, 0));
    let first = simulation.submit(captured(2, 0, 5));
    let repeat = simulation.submit(captured(3, 0, 5));
    simulation.settle();
    assert_eq!(recorded(&simulation, first), [2]);
    assert!(matches!(simulation.answers[&repeat], Outcome::Duplicate { .. }));
    simulation.check();
}

#[test]
fn a_sale_of_another_business_is_answered_with_its_owner_whether_recorded_or_in_flight() {
    let mut simulation = simulation();
    simulation.submit(captured(1, 0, 0));
    let in_flight = simulation.submit(captured(2, 1, 0));
    simulation.settle();
    let later = simulation.submit(captured(3, 2, 0));
    simulation.settle();
    for ticket in [in_flight, later] {
        assert!(
            matches!(simulation.answers[&ticket], Outcome::BelongsToOther(owner) if owner == business(0))
        );
    }
    simulation.check();
}

#[test]
fn a_repeated_key_gets_the_first_answer_and_another_body_is_refused() {
    let mut simulation = simulation();
    let first = simulation.submit(keyed(captured(1, 0, 0), "a", "one"));
    let concurrent = simulation.submit(keyed(captured(2, 0, 0), "a", "one"));
    let other = simulation.submit(keyed(captured(3, 0, 1), "a", "two"));
    simulation.settle();
    let later = simulation.submit(keyed(captured(4, 0, 0), "a", "one"));
    simulation.settle();
    assert_eq!(recorded(&simulation, first), recorded(&simulation, concurrent));
    let replayed =
        |ticket| matches!(&simulation.answers[&ticket], Outcome::Recorded(receipt) if receipt.replayed);
    assert_eq!([first, concurrent, later].map(replayed), [false, true, true]);
    assert!(matches!(simulation.answers[&other], Outcome::KeyReused));
    simulation.check();
}

#[test]
fn a_key_reused_for_an_unknown_sale_is_detected_by_the_log() {
    let mut simulation = simulation();
    simulation.submit(keyed(captured(1, 0, 0), "a", "one"));
    simulation.settle();
    let other = simulation.submit(keyed(captured(2, 0, 1), "a", "two"));
    let concurrent = simulation.submit(captured(3, 0, 2));
    simulation.settle();
    assert!(matches!(simulation.answers[&other], Outcome::KeyReused));
    assert_eq!(recorded(&simulation, concurrent), [2]);
    simulation.check();
}

#[test]
fn a_sale_that_was_presumed_new_is_looked_up_after_the_append_refused_it() {
    let mut simulation = Simulation::new(LaneOptions {
        sale_look_ups: SaleLookUps::AfterConflict,
        ..OPTIONS
    });
    simulation.submit(captured(1, 0, 0));
    simulation.submit(captured(2, 1, 1));
    simulation.settle();
    // The lane loses its shards, and with them its cache, and acquires them again.
    simulation.steal(true);
    simulation.renew();
    simulation.deliver_look_up();
    let repeat = simulation.submit(captured(3, 0, 0));
    let of_other = simulation.submit(captured(4, 0, 1));
    let new = simulation.submit(captured(5, 0, 2));
    let unknown = simulation.submit(voided(6, 0, 3));
    simulation.settle();
    assert!(matches!(simulation.answers[&repeat], Outcome::Duplicate { .. }));
    let owner = match &simulation.answers[&of_other] {
        Outcome::BelongsToOther(owner) => *owner,
        other => panic!("{other:?}"),
    };
    assert_eq!(owner, business(1));
    assert_eq!(recorded(&simulation, new), [2]);
    assert!(matches!(
        simulation.answers[&unknown],
        Outcome::Refused(Refusal::UnknownSale)
    ));
    assert_eq!(simulation.log.events().count(), 3);
    simulation.check();
}

#[test]
fn the_key_of_a_refused_command_is_free_for_another_body() {
    let mut simulation = simulation();
    let refused = simulation.submit(keyed(voided(1, 0, 0), "a", "one"));
    let other = simulation.submit(keyed(captured(2, 0, 0), "a", "two"));
    simulation.settle();
    assert!(matches!(
        simulation.answers[&refused],
        Outcome::Refused(Refusal::UnknownSale)
    ));
    assert_eq!(recorded(&simulation, other), [1]);
    simulation.check();
}

#[test]
fn after_a_lost_connection_the_log_decides_what_was_recorded() {
    for was_recorded in [true, false] {
        let mut simulation = simulation();
        let in_flight = simulation.submit(captured(1, 0, 0));
        simulation.deliver_look_up();
        let behind = simulation.submit(captured(2, 0, 1));
        simulation.deliver_look_up();
        simulation.lose_append(was_recorded);
        assert!(simulation.answers.is_empty());
        simulation.settle();
        assert_eq!(
            recorded(&simulation, in_flight),
            [1],
            "recorded before: {was_recorded}"
        );
        assert_eq!(recorded(&simulation, behind), [2]);
        assert_eq!(simulation.log.events().count(), 2);
        simulation.check();
    }
}

#[test]
fn while_the_database_is_unreachable_only_sent_commands_wait() {
    let mut simulation = simulation();
    let in_flight = simulation.submit(captured(1, 0, 0));
    simulation.deliver_look_up();
    let behind = simulation.submit(captured(2, 0, 1));
    simulation.lose_append(true);
    simulation.database_unreachable();
    let later = simulation.submit(captured(3, 0, 2));
    assert!(matches!(simulation.answers[&behind], Outcome::NotOwner));
    assert!(matches!(simulation.answers[&later], Outcome::NotOwner));
    assert!(!simulation.answers.contains_key(&in_flight));
    simulation.settle();
    assert_eq!(recorded(&simulation, in_flight), [1]);
}

#[test]
fn a_lost_shard_affects_only_its_own_commands() {
    let mut simulation = simulation();
    let other = (1..)
        .find(|n| ledger_store::Shard::of(business(*n)) != ledger_store::Shard::of(business(0)))
        .expect("another");
    let lost = simulation.submit(captured(1, 0, 0));
    let kept = simulation.submit(captured(2, other, 1));
    simulation.deliver_look_up();
    simulation.deliver_append();
    let (lost_next, kept_next) = (
        simulation.submit(captured(3, 0, 2)),
        simulation.submit(captured(4, other, 3)),
    );
    simulation.deliver_look_up();
    simulation.log.acquire([ledger_store::Shard::of(business(0))]);
    simulation.settle();
    assert_eq!(
        (recorded(&simulation, lost), recorded(&simulation, kept)),
        (vec![1], vec![1])
    );
    assert!(matches!(simulation.answers[&lost_next], Outcome::NotOwner));
    assert_eq!(recorded(&simulation, kept_next), [2]);
    simulation.check();
}

#[test]
fn one_rejected_command_does_not_fail_its_batch() {
    let mut simulation = Simulation::new(LaneOptions {
        batch_max: 16,
        ..OPTIONS
    });
    simulation.log.rejected_sales.insert(sale(3));
    // The first is sent alone, so that the others wait and share a batch.
    simulation.submit(captured(100, 0, 50));
    simulation.deliver_look_up();
    let tickets: Vec<_> = (0..8)
        .map(|n| simulation.submit(captured(n, u128::from(n % 3), u128::from(n))))
        .collect();
    simulation.settle();
    for (n, ticket) in tickets.iter().enumerate() {
        if n == 3 {
            assert!(matches!(simulation.answers[ticket], Outcome::Rejected));
        } else {
            recorded(&simulation, *ticket);
        }
    }
    simulation.check();
}

#[test]
fn memory_is_bounded_and_evicted_state_is_looked_up() {
    let cache_bytes = 4_000;
    let mut simulation = Simulation::new(LaneOptions {
        cache_bytes,
        ..OPTIONS
    });
    for n in 0..200_u64 {
        simulation.submit(captured(n, u128::from(n % 20), u128::from(n)));
        simulation.settle();
        let cached_bytes = simulation.process.lane().cached_bytes();
        assert!(cached_bytes <= cache_bytes, "{cached_bytes} bytes");
    }
    let again = simulation.submit(captured(1000, 0, 0));
    simulation.settle();
    assert!(matches!(simulation.answers[&again], Outcome::Duplicate { .. }));
    simulation.check();
}

#[test]
fn recording_times_never_decrease_while_the_clock_is_set_back() {
    let mut simulation = simulation();
    for n in 0..4 {
        simulation.submit(captured(n, 0, u128::from(n)));
        simulation.settle();
        simulation.tick(-5_000);
    }
    simulation.check();
}

#[test]
fn a_shard_is_handed_over_when_its_commands_are_answered() {
    let mut simulation = simulation();
    let shard = ledger_store::Shard::of(business(0));
    let other = (1..)
        .find(|n| ledger_store::Shard::of(business(*n)) != shard)
        .expect("another");
    let in_flight = simulation.submit(captured(1, 0, 0));
    simulation.deliver_look_up();
    let in_look_up = simulation.submit(captured(2, 0, 1));
    simulation.release(vec![shard]);
    let late = simulation.submit(captured(3, 0, 2));
    let of_other = simulation.submit(captured(4, other, 3));
    assert_eq!(simulation.released, [], "its commands are in progress");
    assert!(
        simulation.process.lane().owned().any(|(owned, _)| owned == shard),
        "its lease is renewed until then"
    );
    simulation.settle();
    assert_eq!(simulation.released, [shard]);
    assert!(simulation.process.lane().owned().all(|(owned, _)| owned != shard));
    assert_eq!(recorded(&simulation, in_flight), [1]);
    assert!(matches!(
        (&simulation.answers[&in_look_up], &simulation.answers[&late]),
        (Outcome::NotOwner, Outcome::NotOwner)
    ));
    assert_eq!(recorded(&simulation, of_other), [1]);
    simulation.check();
    // An idle lane hands over at once, and takes the shard back when it comes to it again.
    simulation.release(vec![ledger_store::Shard::of(business(other))]);
    assert_eq!(simulation.released.len(), 2);
    simulation.renew();
    let again = simulation.submit(captured(5, 0, 4));
    simulation.settle();
    assert_eq!(recorded(&simulation, again), [2]);
}

#[test]
fn a_command_that_another_process_sends_again_is_recorded_once() {
    let replayed = |simulation: &Simulation, ticket: u64| match &simulation.answers[&ticket] {
        Outcome::Recorded(receipt) => receipt.replayed,
        other => panic!("command {ticket} was answered {other:?}"),
    };
    // The first copy waits in the lane, is in flight, or is recorded when the second one comes.
    for progress in 0..3 {
        let mut simulation = simulation();
        let first = simulation.submit_sent(captured(1, 0, 0), false);
        if progress > 0 {
            simulation.deliver_look_up();
        }
        if progress > 1 {
            simulation.deliver_append();
        }
        let second = simulation.submit_sent(captured(1, 0, 0), true);
        simulation.settle();
        assert_eq!(recorded(&simulation, first), [1]);
        assert_eq!(recorded(&simulation, second), [1], "{progress}");
        assert!(!replayed(&simulation, second), "its sender has no earlier answer");
        assert_eq!(simulation.log.events().count(), 1);
    }
}
