//! The rental job: each month of each rented terminal is charged once, to its owner on the month's first day.

use gateway::app::{App, Parts};
use gateway_platform::rentals::{RentalCounts, rental_of};
use gateway_platform::terminals::{Billing, terminal_set_billing, terminal_set_owner};
use gateway_platform::validity::{Since, allow_past_validity};
use ledger_domain::calendar::{Date, Instant, start_of};
use ledger_domain::{BusinessId, Cents, TerminalId};

use crate::support::acquirer::app_and_company;
use crate::support::{Company, PARTS, TestApp};

fn day(text: &str) -> Date {
    text.parse().expect("a date")
}

fn since(text: &str) -> Instant {
    start_of(day(text))
}

/// A terminal of the company with billing facts, each in force since its day. Today is 21 November 2026.
async fn rented(app: &TestApp, company: &Company, serial: &str, facts: &[(&str, Billing)]) -> TerminalId {
    let terminal = app.terminal(company, serial, Some(since("2026-01-01"))).await;
    record_past_facts(app, async |tx| {
        for (from, billing) in facts {
            terminal_set_billing(tx, terminal, *billing, Since::Past(since(from)))
                .await
                .expect("a fact");
        }
    })
    .await;
    terminal
}

/// Gives the terminal another owner since a past day, or none.
async fn set_owner(app: &TestApp, terminal: TerminalId, from: &str, to: Option<BusinessId>) {
    record_past_facts(app, async |tx| {
        terminal_set_owner(tx, terminal, to, Since::Past(since(from)))
            .await
            .expect("another owner");
    })
    .await;
}

/// Records facts that are in force since a past day. This is allowed as long as no sale exists.
async fn record_past_facts(app: &TestApp, facts: impl AsyncFnOnce(&tokio_postgres::Transaction<'_>)) {
    let mut client = app.app.state.pool.get().await.expect("a connection");
    let transaction = client.transaction().await.expect("a transaction");
    allow_past_validity(&*transaction)
        .await
        .expect("the past is allowed");
    facts(&transaction).await;
    transaction.commit().await.expect("a commit");
}

/// Runs the rental job once.
async fn charge(app: &App) -> RentalCounts {
    app.rentals().run().await.expect("a run")
}

/// Each charge as company, month and cents.
async fn charges(app: &TestApp) -> Vec<(BusinessId, String, i64)> {
    let client = app.database.client().await;
    let rows = client
        .query(
            "SELECT business_id, payload->'TerminalRentalCharged'->>'due_date',
                    (payload->'TerminalRentalCharged'->>'amount')::int8
               FROM event WHERE event_type = 'TerminalRentalCharged'
              ORDER BY payload->'TerminalRentalCharged'->>'due_date', business_id",
            &[],
        )
        .await
        .expect("the log");
    rows.iter()
        .map(|row| (BusinessId::from_uuid(row.get(0)), row.get(1), row.get(2)))
        .collect()
}

/// A rental at the terminal's own price. `Billing::Rental(None)` is a rental at the platform's price.
const PRICED: Billing = Billing::Rental(Some(Cents::new(89_90)));

#[tokio::test]
async fn missed_months_are_charged_once_and_dated_on_their_first_day_in_brasilia() {
    let (app, company) = app_and_company().await;
    let terminal = rented(&app, &company, "PB-1", &[("2026-08-15", PRICED)]).await;
    assert_eq!(charge(&app.app).await.rentals, 3);
    let of = |month: &str| (company.id, month.to_owned(), 89_90);
    assert_eq!(
        charges(&app).await,
        [of("2026-09-01"), of("2026-10-01"), of("2026-11-01")]
    );
    let effective = "SELECT count(*) FROM event WHERE event_type = 'TerminalRentalCharged' AND occurred_at IN
                     ('2026-09-01 03:00Z', '2026-10-01 03:00Z', '2026-11-01 03:00Z')";
    assert_eq!(app.count(effective).await, 3);
    let known = format!(
        "SELECT count(*) FROM transfer_state WHERE transfer_id = '{}'",
        rental_of(terminal, day("2026-10-01")).uuid()
    );
    assert_eq!(app.count(&known).await, 1);
    // The rental is owed even without balance.
    assert_eq!(app.count("SELECT available FROM business_head").await, -3 * 89_90);
    for _ in 0..2 {
        assert_eq!(charge(&app.app).await, RentalCounts::default());
    }
    assert_eq!(app.count_events("TerminalRentalCharged").await, 3);
    assert_eq!(
        app.count("SELECT count(*) FROM rental_month").await,
        3,
        "the completely charged months"
    );
}

#[tokio::test]
async fn a_month_is_owed_by_the_owner_of_the_terminal_on_its_first_day() {
    let (app, first) = app_and_company().await;
    let second = app.company("Mercado").await;
    let terminal = rented(&app, &first, "PB-1", &[("2026-08-15", PRICED)]).await;
    set_owner(&app, terminal, "2026-10-01", Some(second.id)).await;
    set_owner(&app, terminal, "2026-10-20", None).await;
    charge(&app.app).await;
    assert_eq!(
        charges(&app).await,
        [
            (first.id, "2026-09-01".to_owned(), 89_90),
            (second.id, "2026-10-01".to_owned(), 89_90)
        ],
        "a terminal without an owner is not charged"
    );
}

#[tokio::test]
async fn the_price_and_the_billing_are_those_of_the_month_s_first_day() {
    let platform_price = ("RAZAO_TERMINAL_RENTAL_CENTS", "7990");
    let app = TestApp::start_with(&[platform_price], PARTS).await;
    let company = app.company("Padaria").await;
    let facts = [
        ("2026-08-15", PRICED),
        ("2026-10-01", Billing::Rental(None)),
        // Billing::NEW is no rental, so November is not charged.
        ("2026-10-31", Billing::NEW),
    ];
    rented(&app, &company, "PB-1", &facts).await;
    rented(&app, &company, "PB-2", &[("2026-08-15", Billing::NEW)]).await;
    charge(&app.app).await;
    assert_eq!(
        charges(&app).await,
        [
            (company.id, "2026-09-01".to_owned(), 89_90),
            (company.id, "2026-10-01".to_owned(), 79_90)
        ]
    );
}

#[tokio::test]
async fn concurrent_runs_and_processes_charge_each_month_once() {
    let (app, company) = app_and_company().await;
    for number in 0..4 {
        rented(&app, &company, &format!("PB-{number}"), &[("2026-08-15", PRICED)]).await;
    }
    let other_gateway = app
        .second_gateway(Parts {
            gateway: false,
            effects: false,
            exceptions: false,
            ..PARTS
        })
        .await;
    let (first, second, other) = tokio::join!(charge(&app.app), charge(&app.app), charge(&other_gateway));
    assert_eq!(first.failed + second.failed + other.failed, 0);
    // Three months of four terminals.
    assert_eq!(app.count_events("TerminalRentalCharged").await, 3 * 4);
    assert_eq!(first.rentals + second.rentals, 12);
    assert_eq!(other, RentalCounts::default(), "it owns no shard");
    other_gateway.stop().await;
    assert_eq!(charge(&app.app).await, RentalCounts::default());
    assert_eq!(app.count_events("TerminalRentalCharged").await, 12);
}

#[tokio::test]
async fn the_program_charges_when_it_starts() {
    let (app, company) = app_and_company().await;
    rented(&app, &company, "PB-1", &[("2026-10-15", PRICED)]).await;
    let parts = Parts {
        sandbox: false,
        ..Parts::ALL
    };
    let app = app.restart(&[], parts).await;
    app.until_events("TerminalRentalCharged", 1).await;
}
