//! The effect of settings: the price of a month's rental, and the approvals of a withdrawal.

use gateway_identity::roles::AdminRole;
use gateway_platform::terminals::{Billing, terminal_set_billing};
use gateway_platform::validity::{Since, allow_past_validity};
use ledger_domain::calendar::start_of;
use serde_json::json;

use super::{DECEMBER, set};
use crate::support::acquirer::app_and_company;
use crate::support::{Client, PARTS, TestApp};
use crate::withdrawals::{WithdrawalFixture, step_by};

/// A terminal that is rented since 15 October at the price of the settings. The first month that is charged is
/// November.
async fn rented_at_the_set_price(app: &TestApp, company: &crate::support::Company) {
    let since = |day: &str| start_of(day.parse().expect("a date"));
    let terminal = app.terminal(company, "PB-1", Some(since("2026-01-01"))).await;
    let mut client = app.app.state.pool.get().await.expect("a connection");
    let tx = client.transaction().await.expect("a transaction");
    allow_past_validity(&*tx).await.expect("the past is allowed");
    let rented = Since::Past(since("2026-10-15"));
    terminal_set_billing(&*tx, terminal, Billing::Rental(None), rented)
        .await
        .expect("a rental");
    tx.commit().await.expect("a commit");
}

/// Each rental that was charged: its due date, the first day of the month, and its cents.
async fn charges(app: &TestApp) -> Vec<(String, i64)> {
    let client = app.database.client().await;
    let rows = client
        .query(
            "SELECT payload->'TerminalRentalCharged'->>'due_date',
                    (payload->'TerminalRentalCharged'->>'amount')::int8
               FROM event WHERE event_type = 'TerminalRentalCharged' ORDER BY 1",
            &[],
        )
        .await
        .expect("the log");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

#[tokio::test]
async fn a_month_is_charged_by_the_price_in_force_on_its_first_day() {
    let (app, company) = app_and_company().await;
    let owner = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    rented_at_the_set_price(&app, &company).await;
    // The installation's price is R$ 49,90. One new price is in force from now, 21 November, and one from 1 January.
    assert_eq!(
        set(&owner, "terminal_rental", json!(59_90), None).await.status,
        200
    );
    let scheduled = set(
        &owner,
        "terminal_rental",
        json!(69_90),
        Some("2027-01-01T03:00:00Z"),
    )
    .await;
    assert_eq!(scheduled.status, 200, "{}", scheduled.body);
    let terminals = owner.get("/api/admin/terminals?serial_number=PB-1").await;
    assert_eq!(terminals.at("/data/0/monthly_price"), 59_90, "{}", terminals.body);
    let parts = PARTS;
    let app = app
        .restart(&[("RAZAO_NOW", "2027-01-02T12:00:00-03:00")], parts)
        .await;
    app.app.rentals().run().await.expect("a run");
    let charged = |month: &str, cents| (month.to_owned(), cents);
    assert_eq!(
        charges(&app).await,
        [
            charged("2026-11-01", 49_90),
            charged("2026-12-01", 59_90),
            charged("2027-01-01", 69_90)
        ]
    );
}

async fn owner_of(fixture: &WithdrawalFixture) -> Client {
    let app = &fixture.app;
    app.sign_in(&app.admin(&[AdminRole::Owner]).await).await
}

#[tokio::test]
async fn a_lowered_amount_asks_for_a_second_person_for_withdrawals_that_wait_already() {
    let fixture = WithdrawalFixture::open().await;
    let owner = owner_of(&fixture).await;
    let above = fixture.pending_withdrawal(400_00).await;
    let below = fixture.pending_withdrawal(300_00).await;
    let lowered = set(&owner, "two_approvals_above", json!(300_00), None).await;
    assert_eq!(lowered.status, 200, "{}", lowered.body);
    let position = fixture.app.ledger_position().await.to_string();
    let reader = fixture.staff.clone().with("ledger-position", &position);
    let list = reader.get("/api/admin/balance/withdraws").await;
    let needed = |id: &str| {
        let mut rows = list.at("/data").as_array().expect("a list").iter();
        let found = rows.find(|row| row["id"] == id);
        found.expect("the withdrawal")["approvals_needed"].clone()
    };
    assert_eq!((needed(&above), needed(&below)), (json!(2), json!(1)));
    // Status 0 is pending, 1 approved.
    let alone = fixture.step(&below, "approve").await;
    assert_eq!(
        (alone.at("/status"), alone.at("/approvals")),
        (&json!(1), &json!(1))
    );
    let first = fixture.step(&above, "approve").await;
    assert_eq!(
        (first.at("/status"), first.at("/approvals")),
        (&json!(0), &json!(1))
    );
    let same = fixture.step(&above, "approve").await;
    assert_eq!(same.status, 409, "{}", same.body);
    let second = step_by(&owner, &above, "approve").await;
    assert_eq!(
        (second.at("/status"), second.at("/approvals")),
        (&json!(1), &json!(2))
    );
}

#[tokio::test]
async fn a_raised_amount_lets_one_person_approve_what_waited_for_a_second_one() {
    let fixture = WithdrawalFixture::open_with(&[("RAZAO_WITHDRAWAL_APPROVALS", "2")]).await;
    let owner = owner_of(&fixture).await;
    let id = fixture.pending_withdrawal(400_00).await;
    let first = fixture.step(&id, "approve").await;
    assert_eq!(
        (first.at("/status"), first.at("/approvals")),
        (&json!(0), &json!(1))
    );
    // A scheduled amount changes nothing yet.
    set(&owner, "two_approvals_above", json!(400_00), Some(DECEMBER)).await;
    assert_eq!(fixture.step(&id, "approve").await.status, 409);
    // Without a date it takes effect on the next business day, which is a Monday.
    let raised = set(&owner, "two_approvals_above", json!(400_00), None).await;
    assert_eq!(raised.text("/scheduled/valid_from"), "2026-11-23T03:00:00Z");
    assert_eq!(fixture.step(&id, "approve").await.status, 409);
    // As if the raised amount had come into force. Triggers refuse any change of a setting's dates.
    fixture
        .app
        .execute(
            "ALTER TABLE platform_setting DISABLE TRIGGER USER;
             UPDATE platform_setting SET valid_from = '2026-11-20T03:00:00Z' WHERE withdrawn_at IS NULL;
             ALTER TABLE platform_setting ENABLE TRIGGER USER",
        )
        .await;
    let alone = fixture.step(&id, "approve").await;
    assert_eq!(alone.at("/status"), 1, "approved: {}", alone.body);
}
