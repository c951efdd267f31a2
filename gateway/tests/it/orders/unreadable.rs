//! Rows with a value that this version of the program cannot read: an error that is logged, and no other value.

use serde_json::json;

use super::{OrderFixture, boleto};
use crate::support::log::ThreadLog;

/// The column's constraint admits it, and its check digits are wrong.
const UNREADABLE_DOCUMENT: &str = "11111111111";

#[tokio::test]
async fn a_boleto_whose_payer_cannot_be_read_is_an_error_and_was_not_canceled() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, boleto(180_00)).await;
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
