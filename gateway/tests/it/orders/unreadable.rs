//! Rows with a value that this version of the program cannot read, and buyers who are erased before their charge.

use serde_json::json;

use super::{OrderFixture, PRICE, boleto, pix};
use crate::links::path;
use crate::support::log::ThreadLog;

/// Eleven digits, as the column requires. A CPF has not all digits equal.
const UNREADABLE_DOCUMENT: &str = "11111111111";

impl OrderFixture {
    /// Changes each buyer as its row is added.
    async fn change_new_buyers(&self, assignments: &str) {
        let sql = format!(
            "CREATE FUNCTION change_buyer() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN {assignments}; RETURN NEW; END $$;
             CREATE TRIGGER change_buyer BEFORE INSERT ON order_buyer
                 FOR EACH ROW EXECUTE FUNCTION change_buyer()"
        );
        self.links.app.execute(&sql).await;
    }
}

#[tokio::test]
async fn a_boleto_whose_buyer_cannot_be_read_is_a_500_and_logged_without_the_document() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, boleto(PRICE)).await;
    let pdf = order.text("/attempt/boleto/pdf_url");
    let buyer = fixture.links.app.client();
    assert_eq!(buyer.get(pdf).await.status, 200);
    let sql = format!("UPDATE order_buyer SET document = '{UNREADABLE_DOCUMENT}'");
    fixture.links.app.execute(&sql).await;
    let log = ThreadLog::start();
    let answer = buyer.get(pdf).await;
    assert_eq!(answer.status, 500, "{}", answer.body);
    assert_ne!(log.lines_with("document").len(), 0);
    assert_eq!(log.lines_with(UNREADABLE_DOCUMENT), [""; 0]);
}

#[tokio::test]
async fn an_attempt_whose_buyer_cannot_be_read_waits_and_is_logged_without_the_document() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    fixture
        .change_new_buyers(&format!("NEW.document := '{UNREADABLE_DOCUMENT}'"))
        .await;
    let log = ThreadLog::start();
    let order = fixture.placed(&link, pix(PRICE)).await;
    assert_eq!(order.at("/attempt/status"), "processing");
    assert_eq!(fixture.charges().await.len(), 0);
    assert_ne!(log.lines_with("buyer_unreadable").len(), 0);
    assert_eq!(log.lines_with(UNREADABLE_DOCUMENT), [""; 0]);
}

#[tokio::test]
async fn an_attempt_whose_buyer_is_erased_is_declined_and_logged() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    fixture
        .change_new_buyers(
            "NEW.name := NULL; NEW.document := NULL; NEW.email := NULL; NEW.phone := NULL;
             NEW.request_hash := NULL; NEW.erased_at := now()",
        )
        .await;
    let log = ThreadLog::start();
    let order = fixture.placed(&link, pix(PRICE)).await;
    assert_eq!(order.at("/attempt/status"), "declined");
    assert_eq!(fixture.charges().await.len(), 0);
    assert_eq!(log.lines_with("buyer_erased").len(), 1);
}

/// During a rolling update, a newer version may store a word that this one does not know.
#[tokio::test]
async fn a_word_of_a_newer_version_is_a_500() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    let (links, buyer) = (&fixture.links, fixture.links.app.client());
    let status = format!("/api/transactions/{}/status", order.text("/id"));
    let company = format!("/api/admin/businesses/{}", links.bakery.id);
    let link = path(&link);
    for (table, column, newer, current, client, path) in [
        ("link_order", "status", "'held'", "'open'", &buyer, &status),
        ("order_attempt", "status", "'held'", "'sent'", &buyer, &status),
        (
            "order_attempt",
            "payment_type",
            "'wallet'",
            "'pix'",
            &buyer,
            &status,
        ),
        (
            "payment_link",
            "payer",
            "'platform'",
            "'seller'",
            &links.seller,
            &link,
        ),
        (
            "payment_link",
            "payment_types",
            "'{wallet}'",
            "'{pix}'",
            &links.seller,
            &link,
        ),
        (
            "business",
            "approval",
            "'suspended'",
            "'enabled'",
            &links.staff,
            &company,
        ),
    ] {
        let set = |value: &str| format!("UPDATE {table} SET {column} = {value}");
        links.app.drop_checks(table).await;
        assert_eq!(client.get(path).await.status, 200, "before {table}.{column}");
        links.app.tamper(&set(newer)).await;
        assert_eq!(client.get(path).await.status, 500, "{table}.{column}");
        links.app.tamper(&set(current)).await;
    }
}
