//! What happened to a transfer, in order: the ledger's events, and the calls to the bank between them.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use ledger_domain::PayoutId;
use ledger_domain::business::{TransferEvent, TransferProcessing};
use projections::Error;
use projections::withdrawals::{Transfer, TransferStep, transfer_steps};
use tokio_postgres::GenericClient;

use crate::effects::payouts::{PayoutStep, payout_steps};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExecutionStep {
    Event(TransferStep),
    Call {
        call: PayoutStep,
        /// Whether the payout has a later step, so that an answer can no longer come.
        is_over: bool,
    },
}

pub async fn execution_steps(
    client: &impl GenericClient,
    transfer: &Transfer,
) -> Result<Vec<ExecutionStep>, Error> {
    let events = transfer_steps(client, transfer).await?;
    let payouts: Vec<PayoutId> = events.iter().filter_map(|step| begun_by(&step.event)).collect();
    let calls = match payouts.is_empty() {
        true => vec![],
        false => payout_steps(client, &payouts).await?,
    };
    Ok(merged(events, calls))
}

/// The payout that the event orders.
const fn begun_by(event: &TransferEvent) -> Option<PayoutId> {
    match event {
        TransferEvent::TransferProcessing(TransferProcessing { payout_id, .. }) => *payout_id,
        _ => None,
    }
}

/// Both lists are in order. A call comes after the event that ordered its payout, whatever the clocks say, and before
/// an event of the same instant, which is its result.
fn merged(events: Vec<TransferStep>, calls: Vec<PayoutStep>) -> Vec<ExecutionStep> {
    let mut steps = Vec::with_capacity(events.len() + calls.len());
    let mut begun = BTreeSet::new();
    let mut calls = calls.into_iter().peekable();
    for event in events {
        let is_before = |call: &PayoutStep, begun: &BTreeSet<PayoutId>| {
            begun.contains(&call.payout_id) && call.at.cmp(&event.recorded_at) != Ordering::Greater
        };
        while let Some(call) = calls.next_if(|call| is_before(call, &begun)) {
            steps.push(of_call(call));
        }
        begun.extend(begun_by(&event.event));
        steps.push(ExecutionStep::Event(event));
    }
    steps.extend(calls.map(of_call));
    mark_over(&mut steps);
    steps
}

const fn of_call(call: PayoutStep) -> ExecutionStep {
    ExecutionStep::Call { call, is_over: false }
}

/// A payout's later call begins only when the earlier one has ended, or was cut off. The same is true of the payout's
/// end.
fn mark_over(steps: &mut [ExecutionStep]) {
    let mut later: BTreeSet<PayoutId> = BTreeSet::new();
    for step in steps.iter_mut().rev() {
        match step {
            ExecutionStep::Event(event) => later.extend(ended_by(&event.event)),
            ExecutionStep::Call { call, is_over } => *is_over = !later.insert(call.payout_id),
        }
    }
}

const fn ended_by(event: &TransferEvent) -> Option<PayoutId> {
    match event {
        TransferEvent::TransferApproved(event) => event.payout_id,
        TransferEvent::TransferFailed(event) => event.payout_id,
        TransferEvent::TransferReturned(event) => event.payout_id,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta, Utc};
    use ledger_domain::business::{BusinessEvent, TransferApproved, TransferRequested};
    use ledger_domain::transfer::{Destination, PayoutNames};
    use ledger_domain::{Cents, EventId, TransferId};
    use ledger_store::{Actor, Job};
    use uuid::Uuid;

    use super::*;
    use crate::effects::payouts::{CallKind, CallResult};

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    const TRANSFER: TransferId = TransferId::from_uuid(Uuid::from_u128(1));
    const PAYOUT: PayoutId = PayoutId::from_uuid(Uuid::from_u128(2));

    fn step(second: i64, event: TransferEvent) -> TransferStep {
        TransferStep {
            id: EventId::from_uuid(Uuid::nil()),
            occurred_at: at(second),
            recorded_at: at(second),
            actor: Actor::Job(Job::Installation),
            event,
        }
    }

    fn history(seconds: [i64; 3]) -> Vec<TransferStep> {
        let [requested, processing, paid] = seconds;
        vec![
            step(
                requested,
                TransferEvent::TransferRequested(TransferRequested {
                    occurred_at: at(requested),
                    transfer_id: TRANSFER,
                    amount: Cents::new(10_000),
                    fee: Cents::new(350),
                    destination: Destination::Pix { key: "1".to_owned() },
                }),
            ),
            step(
                processing,
                TransferEvent::TransferProcessing(TransferProcessing {
                    occurred_at: at(processing),
                    transfer_id: TRANSFER,
                    payout_id: Some(PAYOUT),
                }),
            ),
            step(
                paid,
                TransferEvent::TransferApproved(TransferApproved {
                    occurred_at: at(paid),
                    transfer_id: TRANSFER,
                    amount: Cents::new(10_000),
                    fee: Cents::new(350),
                    payout_id: Some(PAYOUT),
                    overrules: None,
                    names: PayoutNames::default(),
                }),
            ),
        ]
    }

    fn call(second: i64, kind: CallKind) -> PayoutStep {
        PayoutStep {
            payout_id: PAYOUT,
            kind,
            attempt: Some(1),
            at: at(second),
            answered_at: None,
            outcome: None::<CallResult>,
            http_status: None,
            fault: None,
            bank_id: None,
            reason: None,
        }
    }

    fn names(steps: &[ExecutionStep]) -> Vec<String> {
        let name = |step: &ExecutionStep| match step {
            ExecutionStep::Event(step) => BusinessEvent::Transfer(step.event.clone()).type_name().to_owned(),
            ExecutionStep::Call { call, is_over } => {
                format!("{}{}", call.kind.as_str(), if *is_over { " over" } else { "" })
            }
        };
        steps.iter().map(name).collect()
    }

    #[test]
    fn calls_stand_between_the_events_of_their_payout() {
        let calls = vec![call(11, CallKind::Order), call(12, CallKind::LookUp)];
        let merged = merged(history([1, 10, 13]), calls);
        assert_eq!(
            names(&merged),
            [
                "TransferRequested",
                "TransferProcessing",
                "order over",
                "look_up over",
                "TransferApproved"
            ]
        );
    }

    #[test]
    fn on_a_clock_that_stands_the_order_is_after_its_event_and_before_its_result() {
        let merged = merged(history([1, 1, 1]), vec![call(1, CallKind::Order)]);
        assert_eq!(
            names(&merged),
            [
                "TransferRequested",
                "TransferProcessing",
                "order over",
                "TransferApproved"
            ]
        );
    }

    #[test]
    fn only_the_last_call_can_still_be_answered() {
        let mut events = history([1, 10, 13]);
        events.pop();
        let calls = vec![call(9, CallKind::Order), call(12, CallKind::LookUp)];
        let merged = merged(events, calls);
        // The first call's clock was behind.
        assert_eq!(
            names(&merged),
            ["TransferRequested", "TransferProcessing", "order over", "look_up"]
        );
    }
}
