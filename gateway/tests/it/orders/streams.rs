//! Pages that follow an order: they see changes of other processes, and the number of streams of an address is limited.

use reqwest::StatusCode;
use serde_json::json;

use super::{GATEWAY_ONLY, OrderFixture, PRICE, pix};
use crate::support::wait::until;
use crate::support::{Client, fetch};

/// The open streams that one address may have.
const STREAMS_MAX: usize = 20;

#[tokio::test]
async fn a_page_sees_changes_of_other_processes_and_an_address_has_a_limit_of_streams() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    fixture.until_attempt_is(&order, "to_pay").await;
    let other = fixture.links.app.second_gateway(GATEWAY_ONLY).await;
    let addr = other.address().expect("it listens");
    let path = format!("/api/transactions/{}/events", order.text("/id"));
    let url = format!("http://{addr}{path}");

    // All but one of the limit; the page's own stream is the last.
    let mut streams = vec![];
    for _ in 1..STREAMS_MAX {
        let stream = fetch(&url).await.expect("an answer");
        assert_eq!(stream.status(), StatusCode::OK);
        streams.push(stream);
    }
    let page = Client::new(addr);
    let stream = tokio::spawn(async move { page.download(&path).await });
    until("the page's stream", async || {
        fetch(&url).await.expect("an answer").status() == StatusCode::TOO_MANY_REQUESTS
    })
    .await;
    let refused = fetch(&url).await.expect("an answer");
    assert_eq!(refused.headers()["retry-after"], "15");
    let status = Client::new(addr)
        .get(&format!("/api/transactions/{}/status", order.text("/id")))
        .await;
    assert_eq!(status.status, 200, "the page polls: {}", status.body);
    // An order that has not changed wakes no page.
    let orders = &other.state.orders;
    orders.poll_followed().await.expect("a poll");
    assert_eq!(orders.poll_followed().await.expect("a poll"), 0);

    let sale_id = fixture.sale(&order, 1).await;
    fixture.change_charge(sale_id, "pay").await;
    fixture.hint(sale_id).await;
    let (_, _, body) = stream.await.expect("a stream");
    let text = String::from_utf8(body).expect("a text");
    assert!(text.contains(r#""status":"paid""#), "{text}");
    // A closed stream leaves its place to another.
    drop(streams);
    until("a free stream", async || {
        fetch(&url).await.expect("an answer").status() == StatusCode::OK
    })
    .await;
    other.stop().await;
}
