//! The use limit of a link under many orders at once.

use futures::future::join_all;
use serde_json::json;

use super::{OrderFixture, PRICE, pix};

#[tokio::test]
async fn a_hundred_buyers_at_once_get_exactly_the_limit() {
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "use_limit": 10 })).await;
    let answers = join_all((0..100).map(|_| fixture.place(&link, pix(PRICE)))).await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(201), count(409)), (10, 90));
    let orders = "SELECT count(*) FROM link_order WHERE holds_use";
    assert_eq!(fixture.count(orders).await, 10);
    let uncharged = "SELECT count(*) FROM order_attempt WHERE pix_code IS NULL";
    fixture.links.app.until_count(uncharged, 0).await;
    assert_eq!(fixture.charges().await.len(), 10);
    fixture.assert_books_agree().await;
}
