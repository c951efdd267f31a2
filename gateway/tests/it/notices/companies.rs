//! Finds the company of a notice: by the company that it names, by its terminal, and by the sale that the ledger
//! knows.

use chrono::Utc;
use ledger_domain::calendar::Instant;

use crate::support::acquirer::{app_and_company, capture, with_type};

#[tokio::test]
async fn a_terminal_stands_for_its_owner_at_the_time_of_the_sale() {
    let (app, first) = app_and_company().await;
    let second = app.company("Mercado").await;
    let long_ago = "2026-01-01T00:00:00Z".parse().expect("an instant");
    let terminal = app.terminal(&first, "PB-1", Some(long_ago)).await;
    app.move_terminal(terminal, second.id).await;
    let mut notice = capture(&first, "nsu-1");
    notice.data.business_id = None;
    notice.data.terminal_serial = Some("PB-1".to_owned());
    assert_eq!(
        app.send(&notice).await.text("/result"),
        "recorded",
        "reported late, of a sale before the move"
    );
    let of_first = format!(
        "SELECT count(*) FROM event WHERE business_id = '{}'",
        first.id.uuid()
    );
    assert_eq!(app.count(&of_first).await, 1);

    let mut now = capture(&second, "nsu-2");
    now.data.business_id = None;
    now.data.terminal_serial = Some("PB-1".to_owned());
    now.occurred_at = after_the_move();
    assert_eq!(app.send(&now).await.text("/result"), "recorded");
    assert_eq!(app.count(&of_first).await, 1);

    let mut contradiction = capture(&first, "nsu-3");
    contradiction.data.terminal_serial = Some("PB-1".to_owned());
    contradiction.occurred_at = after_the_move();
    let answer = app.send(&contradiction).await;
    assert_eq!(
        (answer.status, answer.text("/reason")),
        (202, "terminal_of_another_business")
    );
}

#[tokio::test]
async fn a_sale_stays_with_its_company_when_its_terminal_moves() {
    let (app, first) = app_and_company().await;
    let second = app.company("Mercado").await;
    let long_ago = "2026-01-01T00:00:00Z".parse().expect("an instant");
    let terminal = app.terminal(&first, "PB-1", Some(long_ago)).await;
    let mut created = with_type(&capture(&first, "nsu-1"), "sale.created");
    created.data.business_id = None;
    created.data.terminal_serial = Some("PB-1".to_owned());
    assert_eq!(app.send(&created).await.text("/result"), "recorded");
    app.move_terminal(terminal, second.id).await;
    let mut captured = with_type(&created, "sale.captured");
    captured.occurred_at = after_the_move();
    let answer = app.send(&captured).await;
    assert_eq!(answer.body["result"], "recorded", "{}", answer.body);
    let of_first = format!(
        "SELECT count(*) FROM event WHERE business_id = '{}'",
        first.id.uuid()
    );
    assert_eq!(app.count(&of_first).await, 2);
    // A notice that names another company than the recorded one is a contradiction.
    let mut claimed = with_type(&captured, "sale.captured");
    claimed.data.business_id = Some(second.id.to_string());
    let answer = app.send(&claimed).await;
    assert_eq!(
        (answer.status, answer.text("/reason")),
        (202, "sale_of_another_business"),
        "{}",
        answer.body
    );
}

/// The database dated the change of owner by its own clock, so this is the machine's time.
fn after_the_move() -> Instant {
    Utc::now()
}
