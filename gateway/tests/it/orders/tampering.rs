//! The audit compares orders and attempts with the log.

use serde_json::json;

use super::{DECLINED_CARD, OrderFixture, PRICE, credit, pix};

#[tokio::test]
async fn the_audit_finds_changed_orders_and_attempts() {
    let fixture = OrderFixture::open().await;
    let app = &fixture.links.app;
    let link = fixture.link(json!({})).await;
    let mut orders = vec![];
    for _ in 0..2 {
        let card = fixture.card(DECLINED_CARD, 1).await;
        let order = fixture.placed(&link, credit(PRICE, card)).await;
        let pix = json!({ "payment_type": "pix", "total": PRICE, "card": null });
        assert_eq!(fixture.attempt(&order, pix).await.status, 201);
        orders.push(order);
    }
    let sale_id = fixture.sale(&orders[0], 2).await;
    fixture.change_charge(sale_id, "pay").await;
    fixture.hint(sale_id).await;
    fixture.until_attempt_is(&orders[0], "paid").await;
    let unpaid = fixture.placed(&link, pix(PRICE)).await;
    fixture.assert_books_agree().await;

    let of = |order: usize, number: i32| {
        format!(
            "number = {number} AND order_id = (SELECT id FROM link_order WHERE reference = '{}')",
            orders[order].text("/id")
        )
    };
    let (declined, paid, declined_of_open) = (of(0, 1), of(0, 2), of(1, 1));
    // This unique index prevents two open attempts, which the audit must find too.
    app.execute("DROP INDEX order_attempt_open").await;
    let ended = "status: expected declined, expired, canceled or failed, found";
    app.assert_audit_finds(
        "order_attempt",
        &[
            (
                &format!("DELETE FROM order_attempt WHERE {paid}"),
                &[
                    "status: expected open or expired, found paid",
                    "expected an attempt of an order, found no row",
                ],
            ),
            (
                &format!("UPDATE order_attempt SET status = 'declined' WHERE {paid}"),
                &[
                    "status: expected paid, found declined",
                    "status: expected open or expired, found paid",
                ],
            ),
            (
                &format!("UPDATE order_attempt SET status = 'paid' WHERE {declined}"),
                &[&format!("{ended} paid")],
            ),
            (
                &format!("UPDATE order_attempt SET total = total + 1, provider = 1 WHERE {declined}"),
                &[
                    "provider: expected 4, found 1",
                    "total: expected 18000, found 18001",
                ],
            ),
            (
                &format!("UPDATE order_attempt SET sale_id = gen_random_uuid() WHERE {declined}"),
                &[
                    "expected a sale, found no sale",
                    "expected an attempt of an order, found no row",
                ],
            ),
            (
                &format!(
                    "UPDATE order_attempt SET status = 'sent', ended_at = NULL, next_try_at = 'infinity'
                      WHERE {declined_of_open}"
                ),
                &[
                    &format!("{ended} sent"),
                    "attempts: expected one open attempt at most, found 2",
                ],
            ),
            (
                &format!(
                    "UPDATE order_attempt SET status = 'canceled', ended_at = now(), next_try_at = NULL
                      WHERE order_id = (SELECT id FROM link_order WHERE reference = '{}')",
                    unpaid.text("/id")
                ),
                &[
                    "status: expected not ended, found canceled",
                    "expected an open attempt, or the time since when none is open",
                ],
            ),
        ],
    )
    .await;
    app.assert_audit_finds(
        "link_order",
        &[
            (
                "UPDATE link_order SET status = 'expired' WHERE status = 'paid'",
                &["status: expected paid, found expired"],
            ),
            (
                &format!(
                    "UPDATE link_order SET status = 'expired', ended_at = now(), holds_use = false WHERE reference = '{}'",
                    unpaid.text("/id")
                ),
                &["attempts: expected no open attempt, found 1"],
            ),
        ],
    )
    .await;
}
