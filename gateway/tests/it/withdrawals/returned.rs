//! Staff record that the bank returned a withdrawal: who may, what it changes, and what the seller sees.

use ledger_domain::transfer::TransferStatus;
use serde_json::{Value, json};

use super::steps::status;
use super::{Balances, FEE, WithdrawalFixture};
use crate::support::{Answer, PASSWORD};

const REASON: &str = "TED devolvida: conta encerrada";

impl WithdrawalFixture {
    /// A withdrawal that staff paid by hand.
    async fn paid_withdrawal(&self, amount: i64) -> String {
        let id = self.pending_withdrawal(amount).await;
        assert_eq!(status(&self.step(&id, "approve").await), TransferStatus::Approved);
        id
    }

    /// Records the return, with some fields of the form changed.
    async fn record_return(&self, id: &str, change: Value) -> Answer {
        let mut body = json!({ "business_id": self.company.id, "reason": REASON, "password": PASSWORD });
        body.as_object_mut()
            .expect("an object")
            .extend(change.as_object().expect("an object").clone());
        self.staff
            .post(&format!("/api/admin/balance/transfers/{id}/returned"), body)
            .await
    }

    async fn platform_fees(&self) -> i64 {
        self.app.count("SELECT platform_fees FROM business_head").await
    }
}

#[tokio::test]
async fn a_returned_withdrawal_is_available_again_and_the_seller_sees_the_banks_reason() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.paid_withdrawal(400_00).await;
    let returned = fixture.record_return(&id, json!({})).await;
    assert_eq!(status(&returned), TransferStatus::Failed);
    assert_eq!(returned.at("/fee_given_back"), &json!(0));
    assert_eq!(fixture.balances().await, Balances::available(1_000_00 - FEE));
    assert_eq!(fixture.platform_fees().await, FEE);

    let seen = fixture.seller.get("/api/balance/transfers").await;
    assert_eq!(
        (seen.text("/data/0/reason"), seen.at("/data/0/fee_given_back")),
        (REASON, &json!(0))
    );
    let statement = fixture.seller.get("/api/balance/history").await;
    assert_eq!(
        (
            statement.at("/data/0/kind"),
            statement.at("/data/0/movement"),
            statement.at("/data/0/amount")
        ),
        (&json!(4), &json!("withdrawal_returned"), &json!(400_00 - FEE)),
        "{}",
        statement.body
    );
    assert_eq!(fixture.audit_entries_count("return-transfer", &id).await, 1);
    assert_eq!(fixture.app.audit_findings().await, [""; 0]);
}

#[tokio::test]
async fn the_setting_gives_the_fee_back_too() {
    let fixture = WithdrawalFixture::open().await;
    fixture.set("returned_withdrawal_fee", json!(true)).await;
    let id = fixture.paid_withdrawal(400_00).await;
    let returned = fixture.record_return(&id, json!({})).await;
    assert_eq!(returned.at("/fee_given_back"), &json!(FEE), "{}", returned.body);
    assert_eq!(fixture.balances().await, Balances::available(1_000_00));
    assert_eq!(fixture.platform_fees().await, 0);
    assert_eq!(fixture.app.audit_findings().await, [""; 0]);
}

#[tokio::test]
async fn a_return_is_recorded_once_and_the_withdrawal_cannot_be_reopened() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.paid_withdrawal(400_00).await;
    assert_eq!(fixture.record_return(&id, json!({})).await.status, 200);
    for refused in [
        fixture.record_return(&id, json!({})).await,
        fixture.reopen(&id).await,
    ] {
        assert_eq!(
            (refused.status, refused.text("/state")),
            (409, "failed"),
            "{}",
            refused.body
        );
    }
    assert_eq!(fixture.app.count_events("TransferReturned").await, 1);
    let mut again = super::request(100_00);
    again["confirm_destination"] = json!(true);
    let pending = fixture.seller.post("/api/balance/transfers", again).await;
    assert_eq!(pending.status, 201, "{}", pending.body);
    let pending = pending.text("/id").to_owned();
    let refused = fixture.record_return(&pending, json!({})).await;
    assert_eq!((refused.status, refused.text("/state")), (409, "pending"));
}

#[tokio::test]
async fn a_return_needs_the_password_a_reason_and_the_company() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.paid_withdrawal(400_00).await;
    let fields = [
        ("password", json!("errada-123"), "Senha incorreta."),
        ("reason", json!("  "), "Informe o motivo."),
    ];
    for (field, value, message) in fields {
        let refused = fixture.record_return(&id, json!({ field: value })).await;
        assert_eq!(
            (refused.status, refused.at(&format!("/errors/{field}"))),
            (422, &json!([message])),
            "{}",
            refused.body
        );
    }
    let other = fixture.app.company("Livraria").await;
    let of_other = fixture
        .record_return(&id, json!({ "business_id": other.id }))
        .await;
    assert_eq!(of_other.status, 404);
    assert_eq!(fixture.app.count_events("TransferReturned").await, 0);
}

#[tokio::test]
async fn the_next_withdrawal_to_the_destination_must_be_confirmed() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.paid_withdrawal(400_00).await;
    assert_eq!(fixture.record_return(&id, json!({})).await.status, 200);
    let body = |confirmed: bool| json!({ "amount": 100_00, "destination": 0, "password": PASSWORD, "confirm_destination": confirmed });
    let asked = fixture.seller.post("/api/balance/transfers", body(false)).await;
    assert_eq!(
        (asked.status, asked.text("/type")),
        (409, "/problems/returned-destination")
    );
    let by_pix = json!({ "amount": 100_00, "destination": 1, "password": PASSWORD });
    assert_eq!(
        fixture.seller.post("/api/balance/transfers", by_pix).await.status,
        201,
        "another destination"
    );
    let confirmed = fixture.seller.post("/api/balance/transfers", body(true)).await;
    assert_eq!(confirmed.status, 201, "{}", confirmed.body);
    let later = json!({ "amount": 50_00, "destination": 0, "password": PASSWORD });
    assert_eq!(
        fixture.seller.post("/api/balance/transfers", later).await.status,
        201,
        "the destination is confirmed"
    );
}
