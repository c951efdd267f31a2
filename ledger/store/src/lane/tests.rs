//! A lane with a command whose decision panics. No command of the domain does this, so the events come from a test.

use std::sync::Arc;

use ledger_domain::business::{AmountHeld, BusinessEvent};
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, Cents, EventId};
use uuid::Uuid;

use super::{
    AcquiredShard, Answer, EventRow, GROUPS_IN_FORCE, Input, Lane, LaneOptions, LookUpResult, Output,
    SaleLookUps, Work,
};
use crate::actor::{Actor, Job};
use crate::event::Metadata;
use crate::position::Shard;
use crate::submission::Outcome;

/// Two amounts of this size do not fit into one account.
const ALMOST_ALL: Cents = Cents::new(i64::MAX);

fn held(number: u128, business_id: BusinessId, amounts: &[Cents]) -> Work {
    let held = |amount: &Cents| {
        BusinessEvent::AmountHeld(AmountHeld {
            occurred_at: Instant::UNIX_EPOCH,
            amount: *amount,
            reason: "um motivo".to_owned(),
        })
    };
    Work::decided(
        Uuid::from_u128(number),
        business_id,
        0,
        amounts.iter().map(held).collect(),
        Metadata::by(Actor::Job(Job::Installation)),
    )
}

/// The row of an event, without hashes.
pub(crate) fn held_row(business_id: BusinessId, sequence: i64) -> EventRow {
    EventRow {
        shard_index: 0,
        ordinal: 1,
        business_id,
        sequence,
        event_id: EventId::from_uuid(Uuid::from_u128(sequence.unsigned_abs().into())),
        event_type: "AmountHeld",
        event_version: "1.0",
        payload: String::new(),
        metadata: "".into(),
        recorded_at: Instant::UNIX_EPOCH,
        occurred_at: Instant::UNIX_EPOCH,
        digest: [0; 32],
        chain: [0; 32],
        key: None,
        claimed_sale: None,
        event: Arc::new(BusinessEvent::AmountHeld(AmountHeld {
            occurred_at: Instant::UNIX_EPOCH,
            amount: Cents::new(1),
            reason: "um motivo".to_owned(),
        })),
    }
}

#[test]
fn a_command_whose_decision_panics_is_rejected_and_the_lane_goes_on() {
    let business_id = BusinessId::from_uuid(Uuid::from_u128(1));
    let mut lane = Lane::new(LaneOptions {
        batch_max: 8,
        cache_bytes: 1 << 20,
        sale_look_ups: SaleLookUps::default(),
        groups_in_force: GROUPS_IN_FORCE,
    });
    let mut put = |input| {
        let mut out = vec![];
        lane.on(Instant::UNIX_EPOCH, input, &mut out);
        out
    };
    put(Input::Acquired(vec![AcquiredShard {
        shard: Shard::of(business_id),
        epoch: 1,
        position: 0,
        recorded_at: None,
    }]));
    let work = held(1, business_id, &[ALMOST_ALL, ALMOST_ALL]);
    let asked = put(Input::Submitted { ticket: 1, work });
    let [Output::LookUp { number, .. }] = asked.as_slice() else {
        panic!("the head is looked up first: {asked:?}");
    };
    let found = LookUpResult::default();
    let answered = put(Input::LookedUp {
        number: *number,
        found,
    });
    assert!(
        matches!(
            answered.as_slice(),
            [Output::Answer(1, Answer::Outcome(Outcome::Rejected))]
        ),
        "{answered:?}"
    );
    // The business's state is as before: its next event has the first sequence.
    let work = held(2, business_id, &[Cents::new(100)]);
    let sent = put(Input::Submitted { ticket: 2, work });
    let [Output::Append { append, .. }] = sent.as_slice() else {
        panic!("the next command is recorded: {sent:?}");
    };
    let sequences: Vec<i64> = append.events.iter().map(|row| row.sequence).collect();
    assert_eq!(sequences, [1]);
}
