//! A terminal's rental that staff return.

use gateway_identity::roles::AdminRole;
use ledger_domain::business::{BusinessCommand, ChargeTerminalRental};
use ledger_domain::sale::SaleTerminal;
use ledger_domain::{Cents, TerminalId, TransferId};
use ledger_store::Outcome;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Shop, ok, submit};
use crate::support::{Client, PASSWORD};

async fn charged(shop: &Shop) -> TransferId {
    let transfer_id = TransferId::from_uuid(Uuid::now_v7());
    let command = BusinessCommand::ChargeTerminalRental(ChargeTerminalRental {
        transfer_id,
        terminal: SaleTerminal {
            id: TerminalId::from_uuid(Uuid::from_u128(9)),
            serial_number: "PB0001".to_owned(),
        },
        due_date: shop.app.today(),
        amount: Cents::new(89_90),
        occurred_at: shop.app.app.state.clock.now(),
    });
    let outcome = submit(&shop.app, &shop.company, command).await;
    assert!(matches!(outcome, Outcome::Recorded(_)), "{outcome:?}");
    transfer_id
}

fn path(transfer: impl std::fmt::Display) -> String {
    format!("/api/admin/balance/transfers/{transfer}/terminal-rental/cancel")
}

async fn admin(shop: &Shop) -> Client {
    shop.app.sign_in(&shop.app.admin(&[AdminRole::Admin]).await).await
}

async fn available(shop: &Shop) -> Value {
    shop.balances().await["available"].clone()
}

#[tokio::test]
async fn a_rental_is_returned_once() {
    let shop = Shop::with(50_00).await;
    let staff = admin(&shop).await;
    let rental = charged(&shop).await;
    // The rental is owed even without balance.
    assert_eq!(available(&shop).await, -39_90);
    let body = json!({ "business_id": shop.company.id, "reason": "Terminal devolvido" });
    let keyed = staff.clone().with("idempotency-key", "devolver");
    let canceled = ok(keyed.post(&path(rental), body.clone()).await);
    assert_eq!(
        (
            canceled.at("/kind"),
            canceled.at("/status"),
            canceled.text("/reason")
        ),
        (&json!(2), &json!(3), "Terminal devolvido")
    );
    assert_eq!(canceled.text("/rental/terminal_serial"), "PB0001");
    assert_eq!(available(&shop).await, 50_00);
    let again = ok(keyed.post(&path(rental), body.clone()).await);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let twice = staff.post(&path(rental), body).await;
    assert_eq!((twice.status, twice.text("/state")), (409, "refused"));
    assert_eq!(available(&shop).await, 50_00);
    let audit_log = format!(
        "SELECT count(*) FROM audit_trail WHERE action = 'cancel-terminal-rental' AND subject_id = '{rental}'"
    );
    assert_eq!(shop.app.count(&audit_log).await, 1);
}

#[tokio::test]
async fn only_a_rental_of_the_named_company_is_returned() {
    let shop = Shop::with(50_00).await;
    let staff = admin(&shop).await;
    let other = shop.app.company("Farmácia").await;
    let rental = charged(&shop).await;
    let of = |company: &crate::support::Company| json!({ "business_id": company.id });
    assert_eq!(staff.post(&path(rental), of(&other)).await.status, 404);
    assert_eq!(staff.post(&path(rental), json!({})).await.status, 422);
    assert_eq!(staff.post(&path("trf_x"), of(&shop.company)).await.status, 404);
    let credit = json!({
        "business_id": shop.company.id, "amount": 100_00, "direction": "in", "description": "Ajuste",
        "password": PASSWORD,
    });
    let manual = staff.post("/api/admin/balance/transfers/manual", credit).await;
    assert_eq!(manual.status, 201, "{}", manual.body);
    let answer = staff.post(&path(manual.text("/id")), of(&shop.company)).await;
    assert_eq!(answer.status, 409, "{}", answer.body);
    assert_eq!(shop.app.events("TerminalRentalCanceled").await, 0);
}
