//! Card testing: many declined cards slow a link down, and then close its card form for a while.

use chrono::TimeDelta;
use gateway_identity::roles::AdminRole;
use gateway_platform::buyers::{CardAnswer, CardGate, card_answer_add, card_gate};
use ledger_domain::SaleId;
use ledger_domain::calendar::Instant;
use uuid::Uuid;

use super::BuyerFixture;

const CLOSURES: &str = "/api/admin/card-closures";

impl BuyerFixture {
    /// Answers of the acquirer, a second apart. Returns whether the last one closed the form.
    async fn answers(&self, answer: CardAnswer, count: i64, from: Instant) -> bool {
        let client = self.app.database.client().await;
        let mut closed = false;
        for number in 0..count {
            let sale = SaleId::from_uuid(Uuid::now_v7());
            let at = from + TimeDelta::seconds(number);
            let answered = card_answer_add(&client, self.link, sale, answer, at).await;
            closed = answered.expect("an answer");
            let repeated = card_answer_add(&client, self.link, sale, answer, at).await;
            assert!(!repeated.expect("the same answer"), "it counts once");
        }
        closed
    }

    async fn declines(&self, count: i64, from: Instant) -> bool {
        self.answers(CardAnswer::Declined, count, from).await
    }

    async fn payments(&self, count: i64, from: Instant) -> bool {
        self.answers(CardAnswer::Paid, count, from).await
    }

    /// Places one order by card for each number. The acquirer has not answered.
    async fn unanswered_cards(&self, numbers: std::ops::Range<i32>) {
        let (first, last) = (numbers.start, numbers.end - 1);
        let (link, business) = (self.link.uuid(), self.bakery.id.uuid());
        let at = self.app.app.state.clock.now().to_rfc3339();
        let orders = format!(
            "INSERT INTO link_order (id, reference, link_id, business_id, description, amount, panel_url, request_key,
                                     created_at)
             SELECT md5('order' || n)::uuid, '7Q2M4Z9X' || lpad(n::text, 2, '0'), '{link}', '{business}', 'Bolo', 100,
                    'http://localhost', sha256(n::text::bytea), '{at}'
               FROM generate_series({first}, {last}) AS n;
             INSERT INTO order_attempt (sale_id, order_id, number, business_id, provider, payment_type, installments,
                                        total, card_brand, ordered_at, expires_at, status, next_try_at)
             SELECT md5('sale' || n)::uuid, md5('order' || n)::uuid, 1, '{business}', 1, 'credit', 1, 100, 'visa',
                    '{at}', '{at}'::timestamptz + interval '30 minutes', 'unknown', 'infinity'
               FROM generate_series({first}, {last}) AS n"
        );
        self.app.execute(&orders).await;
    }

    async fn gate(&self, at: Instant) -> CardGate {
        let client = self.app.database.client().await;
        card_gate(&client, self.link, at).await.expect("a gate")
    }
}

#[tokio::test]
async fn declines_slow_a_link_down_and_then_close_its_card_form() {
    let fixture = BuyerFixture::open().await;
    let now = fixture.app.app.state.clock.now();
    let begin = now - TimeDelta::minutes(5);
    assert!(!fixture.declines(7, begin).await);
    assert_eq!(fixture.gate(now).await, CardGate::Open);
    assert!(!fixture.declines(1, now - TimeDelta::seconds(12)).await);
    let after_eighth = CardGate::SlowUntil(now + TimeDelta::seconds(20 - 12));
    assert_eq!(fixture.gate(now).await, after_eighth);
    assert!(!fixture.declines(11, now - TimeDelta::seconds(11)).await);
    let slow = fixture.gate(now).await;
    // The 19th was answered a second ago.
    assert_eq!(slow, CardGate::SlowUntil(now + TimeDelta::seconds(20 - 1)));
    assert_eq!(slow.wait_seconds(now), Some(20), "19 whole seconds and one more");
    assert_eq!(
        fixture.staff.get(CLOSURES).await.at("/data"),
        &serde_json::json!([])
    );

    assert!(fixture.declines(1, now).await, "the twentieth closes it");
    let until = now + TimeDelta::minutes(30);
    assert_eq!(fixture.gate(now).await, CardGate::ClosedUntil(until));
    assert_eq!(fixture.gate(until).await, CardGate::Open);

    // Staff see it and open it again. Then the earlier declines no longer count.
    let listed = fixture.staff.get(CLOSURES).await;
    assert_eq!(listed.at("/data/0/declines"), 20, "{}", listed.body);
    assert_eq!(listed.text("/data/0/link/id"), fixture.link.to_string());
    let reopen = format!("{CLOSURES}/{}/reopen", listed.text("/data/0/id"));
    let sac = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Sac]).await)
        .await;
    assert_eq!(sac.get(CLOSURES).await.status, 200);
    assert_eq!(sac.post(&reopen, serde_json::json!({})).await.status, 403);
    assert_eq!(
        fixture.staff.post(&reopen, serde_json::json!({})).await.status,
        200
    );
    assert_eq!(
        fixture.staff.post(&reopen, serde_json::json!({})).await.status,
        409
    );
    assert_eq!(
        fixture
            .app
            .rows("audit_log WHERE action = 'reopen-card-form'")
            .await,
        1
    );
    let later = now + TimeDelta::minutes(1);
    assert_eq!(fixture.gate(later).await, CardGate::Open);

    // The second closing of a day is twice as long. It begins with the 20th decline, 19 s after the first.
    assert!(fixture.declines(20, later).await);
    let twentieth = later + TimeDelta::seconds(19);
    assert_eq!(
        fixture.gate(twentieth).await,
        CardGate::ClosedUntil(twentieth + TimeDelta::minutes(2 * 30))
    );
    // A link stays open while fewer than three of four answers are declines.
    let next_day = now + TimeDelta::days(2);
    fixture.payments(10, next_day).await;
    assert!(!fixture.declines(25, next_day).await);
    assert_eq!(
        fixture.gate(next_day + TimeDelta::seconds(30)).await,
        CardGate::Open
    );
}

/// An attacker sends many cards before the first one is answered.
#[tokio::test]
async fn a_burst_of_cards_waits_for_the_answers_to_the_first_ones() {
    let fixture = BuyerFixture::open().await;
    let now = fixture.app.app.state.clock.now();
    fixture.unanswered_cards(0..19).await;
    assert_eq!(fixture.gate(now).await, CardGate::Open);
    fixture.unanswered_cards(19..20).await;
    let waits = CardGate::SlowUntil(now + TimeDelta::seconds(3));
    assert_eq!(fixture.gate(now).await, waits);
    // After ten paid cards, the link takes more unanswered ones at once.
    assert!(!fixture.payments(10, now - TimeDelta::seconds(30)).await);
    assert_eq!(fixture.gate(now).await, CardGate::Open);
}

/// A link that is slow takes one card at a time.
#[tokio::test]
async fn a_slow_link_waits_for_each_answer() {
    let fixture = BuyerFixture::open().await;
    let now = fixture.app.app.state.clock.now();
    fixture.declines(10, now - TimeDelta::minutes(1)).await;
    assert_eq!(fixture.gate(now).await, CardGate::Open);
    fixture.unanswered_cards(0..1).await;
    let waits = CardGate::SlowUntil(now + TimeDelta::seconds(3));
    assert_eq!(fixture.gate(now).await, waits);
}
