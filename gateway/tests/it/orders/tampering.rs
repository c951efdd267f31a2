//! The audit compares orders and attempts with the log.

use gateway::app::Parts;
use gateway_identity::roles::SellerRole;
use ledger_domain::business::{BusinessCommand, CancelSale, MakeManualTransfer};
use ledger_domain::transfer::Direction;
use ledger_domain::{Cents, TransferId};
use serde_json::json;
use uuid::Uuid;

use super::{DECLINED_CARD, OrderFixture, PAID_CARD, PRICE, credit, pix};

use crate::support::PARTS_AND_SANDBOX;

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
                "UPDATE link_order SET amount = amount + 1 WHERE status = 'paid'",
                &["amount of the order: expected the total 18000 or the net "],
            ),
            (
                "UPDATE link_order SET business_id = gen_random_uuid() WHERE status = 'paid'",
                &["business_id of the order: expected", "business_id of the order: expected"],
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

/// The facts of a payment that the log has too, and the terms that priced it.
#[tokio::test]
async fn the_audit_finds_changed_facts_of_a_payment_and_changed_terms() {
    let fixture = OrderFixture::open().await;
    let app = &fixture.links.app;
    let link = fixture.link(json!({ "payer": "buyer" })).await;
    let totals = app.client().get(&crate::links::public(&link)).await;
    let total = totals.at("/prices/credit/0/installments/0/total").as_i64();
    let total = total.unwrap_or_else(|| panic!("{}", totals.body));
    let card = fixture.card(PAID_CARD, 1).await;
    let order = fixture.placed(&link, credit(total, card)).await;
    fixture.until_attempt_is(&order, "paid").await;
    fixture.assert_books_agree().await;
    app.assert_audit_finds(
        "order_attempt",
        &[
            (
                "UPDATE order_attempt SET paid_brand = 'elo'",
                &["paid_brand: expected visa, found elo"],
            ),
            (
                "UPDATE order_attempt SET paid_last_four = '0000'",
                &["paid_last_four: expected 4242, found 0000"],
            ),
            (
                "UPDATE order_attempt SET authorization_code = authorization_code || '9'",
                &["authorization_code: expected"],
            ),
        ],
    )
    .await;
    app.assert_audit_finds(
        "link_order",
        &[(
            "UPDATE link_order SET amount = amount + 1",
            &["amount of the order: expected the total"],
        )],
    )
    .await;
    app.assert_audit_finds(
        "plan_version",
        &[
            (
                "UPDATE plan_version SET terms = replace(terms::text, '\"flat_rate\":', '\"flat_rate\":1')::json",
                &["plan_version pln_"],
            ),
            ("DELETE FROM plan_version", &["found no readable terms"]),
        ],
    )
    .await;
}

/// All columns of all rows that effects write.
const ROWS_OF_EFFECTS: &str = "SELECT concat_ws(E'\\n',
    (SELECT string_agg(row::text, E'\\n' ORDER BY sale_id) FROM order_attempt AS row),
    (SELECT string_agg(row::text, E'\\n' ORDER BY id) FROM link_order AS row),
    (SELECT string_agg(row::text, E'\\n' ORDER BY id) FROM payment_link AS row),
    (SELECT string_agg(row::text, E'\\n' ORDER BY refund_id) FROM refund AS row),
    (SELECT string_agg(row::text, E'\\n' ORDER BY payout_id) FROM payout AS row),
    (SELECT string_agg(id::text, E'\\n' ORDER BY id) FROM exception))";

/// Effects that were done are not done again: nothing is doubled, nothing stops, and no old e-mail is written again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_checkpoint_of_orders_that_was_set_back_is_named_and_repeats_nothing() {
    let fixture = OrderFixture::open().await;
    let wanted = json!({ "paid_link_emails": true });
    assert_eq!(
        fixture.links.seller.patch("/api/sellers/me", wanted).await.status,
        200
    );
    let link = fixture.link(json!({})).await;
    // One order is paid by its second attempt, one is declined, one is paid and then canceled.
    let card = fixture.card(DECLINED_CARD, 1).await;
    let declined = fixture.placed(&link, credit(PRICE, card)).await;
    let card = fixture.card(DECLINED_CARD, 1).await;
    let second = fixture.placed(&link, credit(PRICE, card)).await;
    let again = json!({ "payment_type": "credit", "total": PRICE, "card": fixture.card(PAID_CARD, 1).await });
    assert_eq!(fixture.attempt(&second, again).await.status, 201);
    fixture.until_attempt_is(&second, "paid").await;
    let card = fixture.card(PAID_CARD, 1).await;
    let returned = fixture.placed(&link, credit(PRICE, card)).await;
    fixture.until_attempt_is(&returned, "paid").await;
    let sale_id = fixture.sale(&returned, 1).await;
    let credit = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
        transfer_id: TransferId::from_uuid(Uuid::now_v7()),
        direction: Direction::In,
        amount: Cents::new(1_000_00),
        description: "Crédito de teste".to_owned(),
        allow_negative: false,
        occurred_at: fixture.links.app.app.state.clock.now(),
    });
    fixture.links.app.submit(&fixture.links.bakery, credit).await;
    let cancel = BusinessCommand::CancelSale(CancelSale {
        sale_id,
        occurred_at: fixture.links.app.app.state.clock.now(),
        reason: None,
    });
    fixture.links.app.submit(&fixture.links.bakery, cancel).await;
    fixture
        .links
        .app
        .until_count("SELECT count(*) FROM refund WHERE status = 'done'", 1)
        .await;
    assert_eq!(fixture.status(&declined).await.at("/attempt/status"), "declined");
    fixture.assert_books_agree().await;
    let bakery = fixture.links.bakery;
    let app = fixture.links.app;
    app.until_effect_handlers_read_all().await;

    let app = app
        .restart(
            &[],
            Parts {
                effects: false,
                ..PARTS_AND_SANDBOX
            },
        )
        .await;
    // The e-mails are sent and deleted by now, and another user wants such e-mails.
    app.execute("DELETE FROM mail").await;
    app.seller(&[(&bakery, SellerRole::Owner)]).await;
    app.execute("UPDATE seller_user SET paid_link_emails = true")
        .await;
    let before = app.text(ROWS_OF_EFFECTS).await;
    assert_eq!(app.audit_findings().await, [""; 0]);
    app.execute("UPDATE effect_checkpoint SET position = 0").await;
    let named = app.audit_findings().await;
    assert!(
        ["orders", "refunds"].into_iter().all(|effect| named
            .iter()
            .any(|line| line.contains(&format!("checkpoint {effect} of shard"))
                && line.contains("expected at least"))),
        "{named:#?}"
    );
    let app = app.restart(&[], PARTS_AND_SANDBOX).await;
    app.until_effect_handlers_read_all().await;
    let stopped = "SELECT count(*) FROM effect_checkpoint WHERE poison IS NOT NULL";
    assert_eq!(app.count(stopped).await, 0, "no handler stopped");
    assert_eq!(app.rows("mail").await, 0, "no e-mail is written again");
    assert_eq!(app.text(ROWS_OF_EFFECTS).await, before);
    assert_eq!(app.audit_findings().await, [""; 0]);
}
