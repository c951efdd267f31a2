//! Staff cancel the rental of a terminal, which returns its amount.

use gateway_identity::roles::AdminRole;
use ledger_domain::business::{BusinessCommand, ChargeTerminalRental};
use ledger_domain::sale::SaleTerminal;
use ledger_domain::{Cents, TerminalId, TransferId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ReversalFixture, ok};
use crate::support::{Client, PASSWORD};

/// Charges R$ 89,90.
async fn charge_rental(fixture: &ReversalFixture) -> TransferId {
    let transfer_id = TransferId::from_uuid(Uuid::now_v7());
    let command = BusinessCommand::ChargeTerminalRental(ChargeTerminalRental {
        transfer_id,
        terminal: SaleTerminal {
            id: TerminalId::from_uuid(Uuid::from_u128(9)),
            serial_number: "PB0001".to_owned(),
        },
        due_date: fixture.app.today(),
        amount: Cents::new(89_90),
        occurred_at: fixture.app.app.state.clock.now(),
    });
    fixture.app.submit(&fixture.company, command).await;
    transfer_id
}

fn path(transfer: impl std::fmt::Display) -> String {
    format!("/api/admin/balance/transfers/{transfer}/terminal-rental/cancel")
}

async fn admin(fixture: &ReversalFixture) -> Client {
    fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Admin]).await)
        .await
}

async fn available(fixture: &ReversalFixture) -> Value {
    fixture.balances().await["available"].clone()
}

#[tokio::test]
async fn a_canceled_rental_is_returned_once() {
    let fixture = ReversalFixture::with(50_00).await;
    let staff = admin(&fixture).await;
    let rental = charge_rental(&fixture).await;
    // A rental is charged even if the balance is too low.
    assert_eq!(available(&fixture).await, 50_00 - 89_90);
    let body = json!({ "business_id": fixture.company.id, "reason": "Terminal devolvido" });
    let keyed = staff.clone().with("idempotency-key", "devolver");
    let canceled = ok(keyed.post(&path(rental), body.clone()).await);
    // Kind 2 is a terminal rental, and status 3 is refused.
    assert_eq!(
        (
            canceled.at("/kind"),
            canceled.at("/status"),
            canceled.text("/reason")
        ),
        (&json!(2), &json!(3), "Terminal devolvido")
    );
    assert_eq!(canceled.text("/rental/terminal_serial"), "PB0001");
    assert_eq!(available(&fixture).await, 50_00);
    let again = ok(keyed.post(&path(rental), body.clone()).await);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let twice = staff.post(&path(rental), body).await;
    assert_eq!((twice.status, twice.text("/state")), (409, "refused"));
    assert_eq!(available(&fixture).await, 50_00);
    let audit_log = format!(
        "SELECT count(*) FROM audit_log WHERE action = 'cancel-terminal-rental' AND subject_id = '{rental}'"
    );
    assert_eq!(fixture.app.count(&audit_log).await, 1);
}

#[tokio::test]
async fn only_a_rental_of_the_named_company_is_canceled() {
    let fixture = ReversalFixture::with(50_00).await;
    let staff = admin(&fixture).await;
    let other = fixture.app.company("Farmácia").await;
    let rental = charge_rental(&fixture).await;
    let of = |company: &crate::support::Company| json!({ "business_id": company.id });
    assert_eq!(staff.post(&path(rental), of(&other)).await.status, 404);
    assert_eq!(staff.post(&path(rental), json!({})).await.status, 422);
    assert_eq!(staff.post(&path("trf_x"), of(&fixture.company)).await.status, 404);
    let credit = json!({
        "business_id": fixture.company.id, "amount": 100_00, "direction": "in", "description": "Ajuste",
        "password": PASSWORD,
    });
    let manual = staff.post("/api/admin/balance/transfers/manual", credit).await;
    assert_eq!(manual.status, 201, "{}", manual.body);
    let answer = staff.post(&path(manual.text("/id")), of(&fixture.company)).await;
    assert_eq!(answer.status, 409, "{}", answer.body);
    assert_eq!(fixture.app.count_events("TerminalRentalCanceled").await, 0);
}
