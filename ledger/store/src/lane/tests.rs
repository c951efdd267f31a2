//! Tests of a lane, and a row of an event for other tests.

use std::sync::Arc;

use ledger_domain::business::{
    AmountHeld, BusinessCommand, BusinessEvent, CompanyStatus, FailSale, SaleContext,
};
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{CardBrand, PaymentNames, PaymentType, Provider, SaleFacts, Solution};
use ledger_domain::{BusinessId, Cents, EventId, SaleId};
use uuid::Uuid;

use super::{
    AcquiredShard, Answer, AppendError, EventRow, FoundKey, GROUPS_READING_CONTEXTS, Input, Lane,
    LaneOptions, LookUpFailure, LookUpResult, Output, SaleLookUps, Work,
};
use crate::actor::{Actor, Job};
use crate::event::Metadata;
use crate::position::Shard;
use crate::submission::{Idempotency, Outcome, RecordedEvent, Submission, event_id};

/// Two amounts of this size do not fit into one account.
const LARGEST: Cents = Cents::new(i64::MAX);

fn held(number: u128, business_id: BusinessId, amounts: &[Cents]) -> Work {
    let held = |amount: &Cents| {
        BusinessEvent::from(AmountHeld {
            occurred_at: Instant::UNIX_EPOCH,
            amount: *amount,
            reason: "um motivo".to_owned(),
        })
    };
    let expected_version = 0;
    Work::decided(
        Uuid::from_u128(number),
        business_id,
        expected_version,
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
        event: Arc::new(BusinessEvent::from(AmountHeld {
            occurred_at: Instant::UNIX_EPOCH,
            amount: Cents::new(1),
            reason: "um motivo".to_owned(),
        })),
    }
}

fn business() -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u128(1))
}

/// A function that puts inputs into a lane and returns its outputs.
fn lane() -> impl FnMut(Input<u64>) -> Vec<Output<u64>> {
    let mut lane = Lane::new(LaneOptions {
        batch_max: 8,
        cache_bytes: 1 << 20,
        sale_look_ups: SaleLookUps::default(),
        groups_reading_contexts: GROUPS_READING_CONTEXTS,
    });
    move |input| {
        let mut out = vec![];
        lane.on(Instant::UNIX_EPOCH, input, &mut out);
        out
    }
}

/// The lane owns the shard of the business.
fn acquired(epoch: i64) -> Input<u64> {
    Input::Acquired(vec![AcquiredShard {
        shard: Shard::of(business()),
        epoch,
        position: 0,
        recorded_at: None,
    }])
}

/// A failed sale under a caller's key.
fn failed_sale(command_id: Uuid) -> Submission {
    let sale = SaleFacts {
        sale_id: SaleId::from_uuid(Uuid::from_u128(2)),
        provider: Provider::Zoop,
        external_id: "1".to_owned(),
        solution: Solution::CardMachine,
        payment_type: PaymentType::Credit,
        card_brand: Some(CardBrand::Visa),
        installments: 1,
        amount: Cents::new(10_000),
        terminal: None,
        payment_link_code: None,
        card_last_four: None,
        authorization_code: None,
        names: PaymentNames::default(),
    };
    Submission {
        command_id,
        business_id: business(),
        command: BusinessCommand::FailSale(FailSale {
            sale,
            occurred_at: Instant::UNIX_EPOCH,
            reason: None,
            context: SaleContext::unknown(business(), Instant::UNIX_EPOCH),
        }),
        metadata: Metadata::by(Actor::Job(Job::Installation)),
        idempotency: Some(Idempotency::new("test", "key", b"body")),
    }
}

#[test]
fn a_receipt_that_is_found_after_a_lost_connection_is_replayed_if_another_command_recorded_it() {
    let (own, earlier) = (Uuid::from_u128(3), Uuid::from_u128(4));
    for (recorded_by, expected) in [(own, false), (earlier, true)] {
        let mut put = lane();
        put(acquired(1));
        let work = Work::from(failed_sale(own));
        let asked = put(Input::Submitted { ticket: 1, work });
        let [Output::LookUp { number, look_up }] = asked.as_slice() else {
            panic!("the context is looked up: {asked:?}");
        };
        assert!(
            look_up.keys.is_empty(),
            "the sale is unknown, so the key is presumed to be new"
        );
        let context = SaleContext {
            company_status: CompanyStatus::Active,
            ..SaleContext::unknown(business(), Instant::UNIX_EPOCH)
        };
        let found = LookUpResult {
            contexts: vec![context],
            ..LookUpResult::default()
        };
        let sent = put(Input::LookedUp {
            number: *number,
            found,
        });
        let [Output::Append { number, append }] = sent.as_slice() else {
            panic!("the failure is recorded: {sent:?}");
        };
        let event = append.events[0].event.clone();
        put(Input::Appended {
            number: *number,
            result: Err(AppendError::ConnectionLost),
        });
        let asked = put(acquired(2));
        let [Output::LookUp { number, look_up }] = asked.as_slice() else {
            panic!("the key is looked up: {asked:?}");
        };
        let [(business_id, key)] = look_up.keys[..] else {
            panic!("one key: {look_up:?}");
        };
        let found = FoundKey {
            business_id,
            key,
            fingerprint: Idempotency::new("test", "key", b"body").fingerprint,
            events: vec![RecordedEvent {
                event_id: event_id(recorded_by, 0),
                sequence: 1,
                shard: Shard::of(business()),
                position: 1,
                recorded_at: Instant::UNIX_EPOCH,
                event,
            }],
        };
        let answered = put(Input::LookedUp {
            number: *number,
            found: LookUpResult {
                keys: vec![found],
                ..LookUpResult::default()
            },
        });
        let [Output::Answer(1, Answer::Outcome(Outcome::Recorded(receipt)))] = answered.as_slice() else {
            panic!("a receipt: {answered:?}");
        };
        assert_eq!(receipt.replayed, expected);
    }
}

/// Readers of two nodes can see the claim of a sale before its event.
#[test]
fn a_look_up_that_conflicts_is_made_again_some_times() {
    let failure = LookUpFailure::Conflict;
    for may_be_recorded in [false, true] {
        let mut put = lane();
        put(acquired(1));
        let work = Work {
            may_be_recorded,
            ..Work::from(failed_sale(Uuid::from_u128(3)))
        };
        let mut out = put(Input::Submitted { ticket: 1, work });
        let mut look_ups = 0;
        while let [Output::LookUp { number, .. }] = out.as_slice()
            && look_ups < 100
        {
            look_ups += 1;
            let number = *number;
            out = put(Input::LookUpFailed { number, failure });
        }
        if may_be_recorded {
            assert_eq!(look_ups, 100, "only its key can tell whether it is recorded");
        } else {
            let answer = out.as_slice();
            assert!(
                matches!(answer, [Output::Answer(1, Answer::Outcome(Outcome::NotOwner))]),
                "{answer:?}"
            );
            assert_eq!(look_ups, 9);
        }
    }
}

/// No command of the domain makes the decision panic, so the events come from the test.
#[test]
fn a_command_whose_decision_panics_is_rejected_and_the_lane_goes_on() {
    let business_id = business();
    let mut put = lane();
    put(acquired(1));
    let work = held(1, business_id, &[LARGEST, LARGEST]);
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
