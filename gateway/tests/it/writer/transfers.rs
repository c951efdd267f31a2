//! Withdrawals through the writer on PostgreSQL: they survive restarts, repeats count once, and the upstream cqrs-es
//! and postgres-es read them.

use cqrs_es::persist::PersistedEventStore;
use cqrs_es::{AggregateContext, CqrsFramework};
use futures::future::join_all;
use ledger_domain::business::{
    Approvals, Business, BusinessCommand, CompanyStatus, MakeManualTransfer, PayoutFailed, PayoutPaid,
    ProcessTransfer, Refusal, ReopenTransfer, RequestTransfer, ReturnedFee, TransferRefusal,
    WithdrawalContext,
};
use ledger_domain::transfer::{Destination, DestinationKind, Direction, PayoutNames, TransferStatus};
use ledger_domain::{BusinessId, Cents, PayoutId, TransferId, UserId};
use ledger_store::framework::LedgerEventStore;
use ledger_store::{Idempotency, Outcome, Submission, Writer, WriterOptions, log};
use postgres_es::PostgresEventRepository;
use uuid::Uuid;

use super::{assert_consistent, business, start};
use crate::support::commands::submission;
use crate::support::database::Database;
use crate::support::database::only_with_tables;
use crate::support::noon;

fn transfer(n: u128) -> TransferId {
    TransferId::from_uuid(Uuid::from_u128(100 + n))
}

fn payout(n: u128) -> PayoutId {
    PayoutId::from_uuid(Uuid::from_u128(200 + n))
}

/// A credit of R$ 100,00.
fn credit(number: u128) -> BusinessCommand {
    BusinessCommand::MakeManualTransfer(MakeManualTransfer {
        transfer_id: transfer(number),
        direction: Direction::In,
        amount: Cents::new(100_00),
        description: "Crédito".to_owned(),
        allow_negative: false,
        occurred_at: noon(),
    })
}

/// A request to withdraw R$ 30,00, of which R$ 0,50 are the fee.
fn request(number: u128) -> BusinessCommand {
    BusinessCommand::RequestTransfer(RequestTransfer {
        transfer_id: transfer(number),
        amount: Cents::new(30_00),
        destination: DestinationKind::Pix,
        confirm_duplicate: false,
        confirm_destination: false,
        occurred_at: noon(),
        context: WithdrawalContext {
            company_status: CompanyStatus::Active,
            fee: Some(Cents::new(50)),
            destination: Some(Destination::Pix {
                key: "11222333000181".to_owned(),
            }),
        },
    })
}

fn process(number: u128, by_payout: u128) -> BusinessCommand {
    BusinessCommand::ProcessTransfer(ProcessTransfer {
        transfer_id: transfer(number),
        payout_id: Some(payout(by_payout)),
        by: UserId::from_uuid(Uuid::from_u128(1)),
        approvals: Approvals::One,
        occurred_at: noon(),
    })
}

fn paid(number: u128, by_payout: u128) -> BusinessCommand {
    BusinessCommand::PayoutPaid(PayoutPaid {
        transfer_id: transfer(number),
        payout_id: payout(by_payout),
        occurred_at: noon(),
        names: PayoutNames::default(),
    })
}

fn failed(number: u128, by_payout: u128) -> BusinessCommand {
    BusinessCommand::PayoutFailed(PayoutFailed {
        transfer_id: transfer(number),
        payout_id: payout(by_payout),
        reason: None,
        occurred_at: noon(),
        fee: ReturnedFee::Kept,
    })
}

fn reopen(number: u128) -> BusinessCommand {
    BusinessCommand::ReopenTransfer(ReopenTransfer {
        transfer_id: transfer(number),
        occurred_at: noon(),
    })
}

async fn submit(writer: &Writer, business_id: BusinessId, command: BusinessCommand) -> Outcome {
    submit_keyed(writer, business_id, command, None).await
}

async fn submit_keyed(
    writer: &Writer,
    business_id: BusinessId,
    command: BusinessCommand,
    idempotency: Option<Idempotency>,
) -> Outcome {
    writer
        .submit(Submission {
            idempotency,
            ..submission(business_id, command)
        })
        .await
}

async fn record(
    writer: &Writer,
    business_id: BusinessId,
    commands: impl IntoIterator<Item = BusinessCommand>,
) {
    for command in commands {
        let described = format!("{command:?}");
        let outcome = submit(writer, business_id, command).await;
        assert!(
            matches!(outcome, Outcome::Recorded(_)),
            "{described}: {outcome:?}"
        );
    }
}

fn refusal(outcome: Outcome) -> TransferRefusal {
    match outcome {
        Outcome::Refused(Refusal::Transfer(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transfer_and_recent_requests_survive_a_restart() {
    only_with_tables!();
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    record(&writer, business(1), [credit(0), request(1), process(1, 1)]).await;
    writer.shutdown();
    task.join().await;

    let (writer, task) = start(&database, "one").await;
    let again = submit(&writer, business(1), request(2)).await;
    assert_eq!(
        refusal(again),
        TransferRefusal::PossibleDuplicate(Cents::new(30_00))
    );
    let of_other_company = submit(&writer, business(2), paid(1, 1)).await;
    assert!(
        matches!(of_other_company, Outcome::BelongsToOther(owner) if owner == business(1)),
        "{of_other_company:?}"
    );
    record(
        &writer,
        business(1),
        [failed(1, 1), reopen(1), process(1, 2), paid(1, 2)],
    )
    .await;
    writer.shutdown();
    task.join().await;

    let (writer, task) = start(&database, "one").await;
    let late = submit(&writer, business(1), failed(1, 1)).await;
    assert!(
        matches!(late, Outcome::Duplicate { .. }),
        "repeated long after: {late:?}"
    );
    let second = submit(&writer, business(1), paid(1, 1)).await;
    assert_eq!(refusal(second), TransferRefusal::PaidTwice);
    let client = database.client().await;
    let states = log::transfer_states(&client, &[transfer(1)])
        .await
        .expect("states");
    let [(_, found)] = states.as_slice() else {
        panic!("one transfer: {states:?}")
    };
    assert_eq!(
        (found.business_id, found.state.status, found.state.payout_id),
        (business(1), TransferStatus::Approved, Some(payout(2)))
    );
    let head = log::head(&client, business(1))
        .await
        .expect("a head")
        .expect("a head");
    let [available, in_transfer, fees] = [
        head.accounts.available,
        head.accounts.in_transfer,
        head.accounts.platform_fees,
    ]
    .map(Cents::get);
    // The credit less the withdrawal; nothing in transfer; the withdrawal's fee.
    assert_eq!((available, in_transfer, fees), (100_00 - 30_00, 0, 50));
    writer.shutdown();
    task.join().await;
    assert_consistent(&database).await;
}

/// Each repeat of a request reaches the writer with a new transfer id.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_withdrawal_requested_again_under_its_key_is_one_withdrawal() {
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    record(&writer, business(1), [credit(0)]).await;
    let keyed = |n| {
        let key = Idempotency::new("withdraw", "key", b"body");
        submit_keyed(&writer, business(1), request(n), Some(key))
    };
    let mut outcomes = join_all((1..6).map(keyed)).await;
    outcomes.push(keyed(6).await);
    let first_times = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Outcome::Recorded(receipt) if !receipt.replayed));
    assert_eq!(first_times.count(), 1);
    assert!(
        outcomes
            .iter()
            .all(|outcome| matches!(outcome, Outcome::Recorded(_)))
    );
    writer.shutdown();
    task.join().await;
    assert_eq!(assert_consistent(&database).await.events, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_lanes_agree_on_the_owner_of_a_transfer() {
    only_with_tables!();
    let database = Database::create().await;
    let options = WriterOptions {
        lanes: 4,
        ..WriterOptions::new(database.connector(), "one")
    };
    let (writer, task) = Writer::start(options, std::sync::Arc::new(ledger_model::OnePlan))
        .await
        .expect("a writer");
    let claims: Vec<_> = (0..160_u128).map(|n| (business(n % 8), n / 8)).collect();
    let outcomes = join_all(
        claims
            .iter()
            .map(|(business, number)| submit(&writer, *business, credit(*number))),
    )
    .await;
    let mut owners = std::collections::BTreeMap::new();
    for ((business, number), outcome) in claims.iter().zip(&outcomes) {
        if let Outcome::Recorded(_) = outcome {
            assert!(
                owners.insert(*number, *business).is_none(),
                "transfer {number} is recorded twice"
            );
        }
    }
    for ((_, number), outcome) in claims.iter().zip(&outcomes) {
        match outcome {
            Outcome::Recorded(_) => {}
            Outcome::BelongsToOther(owner) => assert_eq!(owners[number], *owner),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(owners.len(), 160 / 8);
    writer.shutdown();
    task.join().await;
    assert_consistent(&database).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transfer_that_violates_a_constraint_fails_alone() {
    only_with_tables!();
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    database
        .client()
        .await
        .batch_execute(
            "ALTER TABLE transfer_state ADD CHECK (transfer_id <> '00000000-0000-0000-0000-000000000067')",
        )
        .await
        .expect("a rule that `transfer(3)` breaks, whose UUID is 103 (hexadecimal 67)");
    let outcomes = join_all((0..12).map(|n| submit(&writer, business(n % 3), credit(n)))).await;
    for (n, outcome) in outcomes.iter().enumerate() {
        match outcome {
            Outcome::Rejected => assert_eq!(n, 3),
            Outcome::Recorded(_) => assert_ne!(n, 3),
            other => panic!("{other:?}"),
        }
    }
    writer.shutdown();
    task.join().await;
    assert_eq!(assert_consistent(&database).await.events, 12 - 1);
}

/// The upstream framework decides on all events of the business, and the lane continues from the events that it
/// records. An unchanged postgres-es folds them to the state that the lane stored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn upstream_tools_write_and_read_transfers_like_the_lane() {
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    let store = LedgerEventStore::new(database.pool.clone(), writer.clone());
    let framework = CqrsFramework::new(store, vec![], ());
    for command in [credit(0), request(1), process(1, 1)] {
        framework
            .execute(&business(1).to_string(), command)
            .await
            .expect("executed");
    }
    record(&writer, business(1), [failed(1, 1), paid(1, 1)]).await;
    let late = framework.execute(&business(1).to_string(), reopen(1)).await;
    assert!(
        matches!(
            &late,
            Err(cqrs_es::AggregateError::UserError(Refusal::Transfer(
                TransferRefusal::StatusForbids(TransferStatus::Approved)
            )))
        ),
        "{late:?}"
    );

    let pool = sqlx::PgPool::connect(&database.url).await.expect("a pool");
    let upstream: PersistedEventStore<PostgresEventRepository, Business> =
        PersistedEventStore::new_event_store(PostgresEventRepository::new(pool));
    let mut loaded = cqrs_es::EventStore::load_aggregate(&upstream, &business(1).to_string())
        .await
        .expect("loaded");
    let client = database.client().await;
    let head = log::head(&client, business(1))
        .await
        .expect("a head")
        .expect("a head");
    let head = head.parsed().expect("recent withdrawals");
    let states = log::transfer_states(&client, &[transfer(0), transfer(1)])
        .await
        .expect("states");
    let reached = loaded.aggregate();
    assert_eq!(reached.accounts, head.accounts);
    assert_eq!(*reached.recent_withdrawals, *head.recent_withdrawals);
    assert_eq!(reached.recent_withdrawals.len(), 1);
    assert_eq!(reached.transfers.len(), 2);
    for (transfer_id, found) in states {
        assert_eq!(reached.transfers[&transfer_id], found.state);
    }
    writer.shutdown();
    task.join().await;
    assert_consistent(&database).await;
}
