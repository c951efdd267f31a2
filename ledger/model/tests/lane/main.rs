//! Tests of the lane on the simulated log: scripted and random.

mod behavior;
mod random;
mod simulation;
mod transfers;

use ledger_domain::business::{BusinessCommand, VoidSale};
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{Initiator, PaymentNames};
use ledger_domain::{BusinessId, SaleId};
use uuid::Uuid;

use ledger_model::capture;
use ledger_store::actor::{Actor, Job};
use ledger_store::event::Metadata;
use ledger_store::submission::{Idempotency, Submission};

fn business(n: u128) -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u128(n + 1))
}

fn sale(n: u128) -> SaleId {
    SaleId::from_uuid(Uuid::from_u128(n + 100))
}

fn noon() -> Instant {
    Instant::from_timestamp(1_795_003_200, 0).expect("an instant")
}

/// The same `number` gives the same event ids.
fn submission(number: u64, business_id: BusinessId, command: BusinessCommand) -> Submission {
    Submission {
        command_id: Uuid::from_u64_pair(7, number),
        business_id,
        command,
        metadata: Metadata::by(Actor::Job(Job::Installation)),
        idempotency: None,
    }
}

/// A capture of the sale with this number, at the business with this number.
fn captured(number: u64, business_number: u128, sale_number: u128) -> Submission {
    let business_id = business(business_number);
    submission(
        number,
        business_id,
        capture(business_id, sale(sale_number), noon()),
    )
}

fn voided(number: u64, business_number: u128, sale_number: u128) -> Submission {
    let void = VoidSale {
        names: PaymentNames::default(),
        sale_id: sale(sale_number),
        initiator: Initiator::Platform,
        occurred_at: noon(),
        reason: None,
    };
    submission(number, business(business_number), BusinessCommand::VoidSale(void))
}

fn keyed(submission: Submission, key: &str, body: &str) -> Submission {
    Submission {
        idempotency: Some(Idempotency::new("test", key, body.as_bytes())),
        ..submission
    }
}
