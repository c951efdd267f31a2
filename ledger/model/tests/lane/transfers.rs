//! Transfers through the lane: the same guarantees as for sales, and the rules that only transfers have.

use ledger_domain::business::{
    Approvals, ApproveTransfer, BusinessCommand, CompanyStatus, MakeManualTransfer, PayoutFailed, PayoutPaid,
    ProcessTransfer, Refusal, RefuseTransfer, ReopenTransfer, RequestTransfer, ReturnedFee, TransferRefusal,
    WithdrawalContext,
};
use ledger_domain::transfer::{Destination, DestinationKind, Direction, PayoutNames, TransferStatus};
use ledger_domain::{Cents, PayoutId, TransferId, UserId};
use uuid::Uuid;

use crate::simulation::{OPTIONS, Simulation};
use crate::{business, captured, keyed, noon, submission};
use ledger_store::lane::LaneOptions;
use ledger_store::submission::{Outcome, Submission};

pub fn transfer(n: u128) -> TransferId {
    TransferId::from_uuid(Uuid::from_u128(n + 500))
}

fn payout(n: u128) -> PayoutId {
    PayoutId::from_uuid(Uuid::from_u128(n + 900))
}

/// The kinds of commands on a transfer.
#[derive(Debug, Clone, Copy)]
pub enum TransferCommand {
    Credit,
    Request { confirmed: bool },
    Process,
    PayoutPaid,
    PayoutFailed,
    Reopen,
    Refuse,
    Approve,
}

pub const ALL: [TransferCommand; 9] = [
    TransferCommand::Credit,
    TransferCommand::Request { confirmed: true },
    TransferCommand::Request { confirmed: false },
    TransferCommand::Process,
    TransferCommand::PayoutPaid,
    TransferCommand::PayoutFailed,
    TransferCommand::Reopen,
    TransferCommand::Refuse,
    TransferCommand::Approve,
];

/// Credits are R$ 100,00. Withdrawals are R$ 10,00 with a fee of R$ 0,50. A transfer's payout has the transfer's
/// number.
pub fn transfer_submission(
    number: u64,
    to_business: u128,
    of_transfer: u128,
    command: TransferCommand,
) -> Submission {
    let (transfer_id, payout_id, occurred_at) = (transfer(of_transfer), payout(of_transfer), noon());
    let by = UserId::from_uuid(Uuid::from_u128(1));
    let approvals = Approvals::One;
    let reason = "um motivo".to_owned();
    let command = match command {
        TransferCommand::Credit => BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id,
            direction: Direction::In,
            amount: Cents::new(100_00),
            description: reason,
            allow_negative: false,
            occurred_at,
        }),
        TransferCommand::Request { confirmed } => BusinessCommand::RequestTransfer(RequestTransfer {
            transfer_id,
            amount: Cents::new(10_00),
            destination: DestinationKind::Pix,
            confirm_duplicate: confirmed,
            confirm_destination: false,
            occurred_at,
            context: WithdrawalContext {
                company_status: CompanyStatus::Active,
                fee: Some(Cents::new(50)),
                destination: Some(Destination::Pix {
                    key: "52998224725".to_owned(),
                }),
            },
        }),
        TransferCommand::Process => BusinessCommand::ProcessTransfer(ProcessTransfer {
            transfer_id,
            payout_id: Some(payout_id),
            by,
            approvals,
            occurred_at,
        }),
        TransferCommand::PayoutPaid => BusinessCommand::PayoutPaid(PayoutPaid {
            transfer_id,
            payout_id,
            names: PayoutNames::default(),
            occurred_at,
        }),
        TransferCommand::PayoutFailed => BusinessCommand::PayoutFailed(PayoutFailed {
            transfer_id,
            payout_id,
            reason: Some(reason),
            occurred_at,
            fee: ReturnedFee::Kept,
        }),
        TransferCommand::Reopen => BusinessCommand::ReopenTransfer(ReopenTransfer {
            transfer_id,
            occurred_at,
        }),
        TransferCommand::Refuse => BusinessCommand::RefuseTransfer(RefuseTransfer {
            transfer_id,
            reason,
            occurred_at,
        }),
        TransferCommand::Approve => BusinessCommand::ApproveTransfer(ApproveTransfer {
            transfer_id,
            by,
            approvals,
            occurred_at,
        }),
    };
    submission(number, business(to_business), command)
}

const REQUEST: TransferCommand = TransferCommand::Request { confirmed: false };

/// Business 0 has R$ 100,00 to withdraw.
fn credited() -> Simulation {
    let mut simulation = Simulation::new(OPTIONS);
    simulation.submit(transfer_submission(1, 0, 0, TransferCommand::Credit));
    simulation.settle();
    simulation
}

fn refused(simulation: &Simulation, ticket: u64) -> &TransferRefusal {
    match &simulation.answers[&ticket] {
        Outcome::Refused(Refusal::Transfer(refusal)) => refusal,
        other => panic!("command {ticket} was answered {other:?}"),
    }
}

fn is_recorded(simulation: &Simulation, ticket: u64) -> bool {
    matches!(simulation.answers[&ticket], Outcome::Recorded(_))
}

#[test]
fn a_payout_reported_three_times_in_one_batch_pays_once() {
    let mut simulation = credited();
    simulation.submit(transfer_submission(2, 0, 1, REQUEST));
    simulation.submit(transfer_submission(3, 0, 1, TransferCommand::Process));
    let reported =
        [4, 5, 6].map(|n| simulation.submit(transfer_submission(n, 0, 1, TransferCommand::PayoutPaid)));
    simulation.settle();
    assert!(is_recorded(&simulation, reported[0]));
    for again in &reported[1..] {
        assert!(matches!(simulation.answers[again], Outcome::Duplicate { .. }));
    }
    let head = simulation.log.head(business(0)).expect("a head");
    // R$ 100,00 less the withdrawal of R$ 10,00, which includes the fee.
    assert_eq!(head.accounts.available, Cents::new(90_00));
    assert_eq!(head.accounts.in_transfer, Cents::ZERO);
    simulation.check();
}

#[test]
fn a_repeated_request_is_detected_whether_the_first_is_in_memory_in_flight_or_evicted() {
    for cache_bytes in [0, 1 << 20] {
        let mut simulation = Simulation::new(LaneOptions {
            cache_bytes,
            ..OPTIONS
        });
        simulation.submit(transfer_submission(1, 0, 0, TransferCommand::Credit));
        simulation.submit(transfer_submission(2, 0, 1, REQUEST));
        let under_way = simulation.submit(transfer_submission(3, 0, 2, REQUEST));
        simulation.settle();
        let later = simulation.submit(transfer_submission(4, 0, 3, REQUEST));
        // A capture in between does not affect the recent withdrawals.
        simulation.submit(captured(5, 0, 0));
        simulation.settle();
        let latest = simulation.submit(transfer_submission(6, 0, 4, REQUEST));
        let confirmed = simulation.submit(transfer_submission(
            7,
            0,
            5,
            TransferCommand::Request { confirmed: true },
        ));
        simulation.settle();
        for ticket in [under_way, later, latest] {
            assert_eq!(
                refused(&simulation, ticket),
                &TransferRefusal::PossibleDuplicate(Cents::new(10_00))
            );
        }
        assert!(is_recorded(&simulation, confirmed));
        simulation.check();
    }
}

#[test]
fn a_repeated_key_gets_the_first_answer_and_no_duplicate_refusal() {
    let mut simulation = credited();
    let first = simulation.submit(keyed(transfer_submission(2, 0, 1, REQUEST), "a", "one"));
    let concurrent = simulation.submit(keyed(transfer_submission(3, 0, 2, REQUEST), "a", "one"));
    simulation.settle();
    let later = simulation.submit(keyed(transfer_submission(4, 0, 3, REQUEST), "a", "one"));
    simulation.settle();
    let replayed =
        |ticket| matches!(&simulation.answers[&ticket], Outcome::Recorded(receipt) if receipt.replayed);
    assert_eq!([first, concurrent, later].map(replayed), [false, true, true]);
    simulation.check();
}

#[test]
fn a_transfer_of_another_business_is_answered_with_its_owner_whether_recorded_or_in_flight() {
    let mut simulation = credited();
    simulation.submit(transfer_submission(2, 0, 1, REQUEST));
    let under_way = simulation.submit(transfer_submission(3, 1, 1, TransferCommand::Approve));
    simulation.settle();
    let later = simulation.submit(transfer_submission(4, 2, 1, TransferCommand::Refuse));
    simulation.settle();
    for ticket in [under_way, later] {
        assert!(
            matches!(simulation.answers[&ticket], Outcome::BelongsToOther(owner) if owner == business(0))
        );
    }
    let unknown = simulation.submit(transfer_submission(5, 2, 9, TransferCommand::Approve));
    simulation.settle();
    assert_eq!(refused(&simulation, unknown), &TransferRefusal::UnknownTransfer);
    simulation.check();
}

#[test]
fn after_a_lost_connection_a_transfer_has_the_state_of_the_log() {
    for was_recorded in [true, false] {
        let mut simulation = credited();
        simulation.submit(transfer_submission(2, 0, 1, REQUEST));
        simulation.settle();
        let process = simulation.submit(transfer_submission(3, 0, 1, TransferCommand::Process));
        simulation.deliver_look_up();
        let refuse = simulation.submit(transfer_submission(4, 0, 1, TransferCommand::Refuse));
        simulation.lose_append(was_recorded);
        simulation.settle();
        assert!(
            is_recorded(&simulation, process),
            "recorded before: {was_recorded}"
        );
        assert_eq!(refused(&simulation, refuse), &TransferRefusal::PayoutInFlight);
        let found = simulation.log.transfer(transfer(1)).expect("a transfer");
        assert_eq!(found.state.status, TransferStatus::Processing);
        simulation.check();
    }
}

#[test]
fn a_lost_shard_invalidates_its_transfers() {
    let mut simulation = credited();
    simulation.submit(transfer_submission(2, 0, 1, REQUEST));
    simulation.settle();
    // Another process refuses the transfer, which this one has cached as pending.
    let mut other = Simulation::new(OPTIONS);
    std::mem::swap(&mut other.log, &mut simulation.log);
    other.steal(true);
    other.renew();
    let refuse = other.submit(transfer_submission(3, 0, 1, TransferCommand::Refuse));
    other.settle();
    assert!(is_recorded(&other, refuse));
    std::mem::swap(&mut other.log, &mut simulation.log);
    let stale = simulation.submit(transfer_submission(4, 0, 1, TransferCommand::Approve));
    simulation.settle();
    assert!(matches!(simulation.answers[&stale], Outcome::NotOwner));
    simulation.renew();
    let late = simulation.submit(transfer_submission(5, 0, 1, TransferCommand::Approve));
    simulation.settle();
    assert_eq!(
        refused(&simulation, late),
        &TransferRefusal::StatusForbids(TransferStatus::Refused)
    );
    simulation.check();
}

#[test]
fn one_rejected_transfer_does_not_fail_its_batch() {
    let mut simulation = Simulation::new(LaneOptions {
        batch_max: 16,
        ..OPTIONS
    });
    simulation.log.rejected_transfers.insert(transfer(3));
    simulation.submit(transfer_submission(1, 0, 0, TransferCommand::Credit));
    simulation.deliver_look_up();
    let tickets: Vec<_> = (1..6)
        .map(|n| {
            simulation.submit(transfer_submission(
                100 + n,
                0,
                u128::from(n),
                TransferCommand::Credit,
            ))
        })
        .collect();
    simulation.settle();
    for (n, ticket) in (1..).zip(&tickets) {
        let rejected = matches!(simulation.answers[ticket], Outcome::Rejected);
        assert_eq!(rejected, n == 3, "credit {n}: {:?}", simulation.answers[ticket]);
    }
    simulation.check();
}
