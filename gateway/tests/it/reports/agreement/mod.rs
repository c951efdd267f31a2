//! Reports of a random history: figures are the sums of the events, and agree with the lists of sales.

mod lists;
mod periods;

use std::collections::{HashMap, HashSet};

use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_domain::BusinessId;
use ledger_domain::sale::{CardBrand, PaymentType, SaleFacts, Solution};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use super::get;
use super::history::{Fact, facts_of, random_history, sum, within};
use crate::support::acquirer::SECRETS;
use crate::support::movements::rows;
use crate::support::{Client, Company, PARTS_WITHOUT_EFFECTS, TestApp};

use lists::{check_lists, check_returned, check_statuses};
use periods::check_any_period;

const START: &str = "2026-09-01";
const END: &str = "2026-11-21";

/// Compares a report's totals, those of its previous period and the figures of each listed period with the facts.
fn check_report(report: &Value, facts: &[&Fact], name: &str) {
    let of = |start: &Value, end: &Value| {
        let counted = facts.iter().copied().filter(|fact| within(fact, start, end));
        sum(counted)
    };
    let previous = &report["previous"];
    assert_eq!(
        report["totals"],
        of(&report["start"], &report["end"]),
        "{name}: totals"
    );
    assert_eq!(
        report["previous_totals"],
        of(&previous["start"], &previous["end"]),
        "{name}: previous totals"
    );
    let periods = report["periods"].as_array().expect("periods");
    for period in periods {
        let (start, end) = (&period["start"], &period["end"]);
        assert_eq!(period["figures"], of(start, end), "{name}: {start}");
    }
    assert!(!periods.is_empty(), "{name}");
}

fn by_company<'a>(facts: &'a [Fact], company: &Company) -> Vec<&'a Fact> {
    facts.iter().filter(|fact| fact.company == company.id).collect()
}

/// A gateway without jobs and effects, so that the log holds only the events of the test.
async fn app_without_jobs() -> TestApp {
    let parts = PARTS_WITHOUT_EFFECTS;
    TestApp::start_with(&[SECRETS, ("RAZAO_PAYOUTS", "none")], parts).await
}

/// A random history of two companies, and the clients that read reports about it.
struct ReportFixture {
    companies: [Company; 2],
    facts: Vec<Fact>,
    /// The sum of each company's terminal rentals.
    rentals: HashMap<BusinessId, i64>,
    /// The owner of the first company.
    seller: Client,
    staff: Client,
    _app: TestApp,
}

impl ReportFixture {
    async fn open() -> Self {
        let app = app_without_jobs().await;
        let companies = [
            app.company("Padaria Aurora").await,
            app.company("Farmácia São João").await,
        ];
        // Any seed whose history has all kinds of facts.
        random_history(&app, &companies, &mut StdRng::seed_from_u64(13)).await;
        let (facts, rentals) = facts_of(&app, &companies).await;
        // Captures, settlements, three kinds of cancels, disputes, won disputes and chargebacks.
        let counts: HashSet<_> = facts.iter().map(|fact| fact.adds[0].0).collect();
        assert_eq!(counts.len(), 8, "some figure is never counted: {counts:?}");
        let position = app.ledger_position().await.to_string();
        let seller = app.seller(&[(&companies[0], SellerRole::Owner)]).await;
        let seller = app.sign_in(&seller).await.with("ledger-position", &position);
        let staff = app.admin(&[AdminRole::Admin]).await;
        let staff = app.sign_in(&staff).await.with("ledger-position", &position);
        Self {
            companies,
            facts,
            rentals,
            seller,
            staff,
            _app: app,
        }
    }

    /// The facts of the seller's company.
    fn own(&self) -> Vec<&Fact> {
        by_company(&self.facts, &self.companies[0])
    }
}

#[tokio::test]
async fn figures_are_the_sums_of_their_events_and_of_the_lists_of_their_sales() {
    let fixture = ReportFixture::open().await;
    check_seller_reports(&fixture).await;
    check_staff_reports(&fixture).await;
    check_terminal_reports(&fixture).await;
    check_any_period(&fixture).await;
}

async fn check_seller_reports(fixture: &ReportFixture) {
    type Includes = fn(&SaleFacts) -> bool;
    let (seller, own) = (&fixture.seller, fixture.own());
    let filters: [(&str, Includes); 6] = [
        ("", |_| true),
        ("&paymentType=credit", |sale| {
            sale.payment_type == PaymentType::Credit
        }),
        ("&brand=elo", |sale| sale.card_brand == Some(CardBrand::Elo)),
        ("&installments=2", |sale| sale.installments == 2),
        ("&solution=1", |sale| sale.solution == Solution::CardMachine),
        ("&payment_link=2F6F4F5A1B0B", |sale| {
            sale.payment_link_code.is_some()
        }),
    ];
    for (filter, includes) in filters {
        let counted: Vec<_> = own.iter().copied().filter(|fact| includes(&fact.sale)).collect();
        for group in ["day", "week", "month"] {
            let path = format!("/api/transactions/report?start={START}&end={END}&group={group}{filter}");
            let report = get(seller, &path).await;
            check_report(&report, &counted, &path);
            check_breakdowns(&report, &counted, &path);
        }
        check_lists(seller, "/api/transactions", filter, &totals_of(&counted)).await;
        check_statuses(seller, "/api/transactions", filter).await;
    }
    let path = format!("/api/transactions/financial?start={START}&end={END}");
    check_report(&get(seller, &path).await, &own, "the financial report");
}

/// Checks the rows by installments and by card brand.
fn check_breakdowns(report: &Value, counted: &[&Fact], path: &str) {
    let current: Vec<&Fact> = counted
        .iter()
        .copied()
        .filter(|fact| within(fact, &report["start"], &report["end"]))
        .collect();
    for row in report["by_installments"].as_array().expect("rows") {
        let number = row["installments"].as_u64().expect("a number");
        let of = current.iter().copied();
        let of = of.filter(|fact| u64::from(fact.sale.installments) == number);
        assert_eq!(row["figures"], sum(of), "{path}: {number}x");
    }
    for row in report["by_brand"].as_array().expect("rows") {
        let of = current.iter().copied().filter(|fact| {
            let brand = fact.sale.card_brand.as_ref().map(CardBrand::as_str);
            brand == row["card_brand"].as_str()
        });
        assert_eq!(row["figures"], sum(of), "{path}: {}", row["card_brand"]);
    }
    for breakdown in ["by_installments", "by_brand"] {
        let rows = report[breakdown].as_array().expect("rows").iter();
        let counts = rows.map(|row| row["figures"]["count"].as_i64().expect("a count"));
        assert_eq!(
            report["totals"]["count"],
            counts.sum::<i64>(),
            "{path}: {breakdown}"
        );
    }
}

fn totals_of(facts: &[&Fact]) -> Value {
    let facts = facts.iter().copied();
    sum(facts.filter(|fact| within(fact, &json!(START), &json!(END))))
}

async fn check_staff_reports(fixture: &ReportFixture) {
    let staff = &fixture.staff;
    let all: Vec<&Fact> = fixture.facts.iter().collect();
    for group in ["day", "month"] {
        let path = format!("/api/admin/transactions/billing?start={START}&end={END}&group={group}");
        let billing = get(staff, &path).await;
        check_report(&billing, &all, &path);
        check_revenue(&billing, fixture.rentals.values().sum());
    }
    for call in ["financial/all", "billing/businesses", "total/sales"] {
        for group in ["day", "month"] {
            let path = format!("/api/admin/transactions/{call}?start={START}&end={END}&group={group}");
            let report = get(staff, &path).await;
            check_report(&report, &all, &path);
            check_companies(fixture, &report, call == "billing/businesses", &path);
        }
    }
    let credit = |fact: &&&Fact| fact.sale.payment_type == PaymentType::Credit;
    let of_credit: Vec<&Fact> = all.iter().filter(credit).copied().collect();
    let path = format!("/api/admin/transactions/billing?start={START}&end={END}&paymentType=credit");
    check_report(&get(staff, &path).await, &of_credit, &path);
    check_lists(staff, "/api/admin/transactions", "", &totals_of(&all)).await;
    check_returned(staff, "/api/admin/transactions", &totals_of(&all)).await;
    check_statuses(staff, "/api/admin/transactions", "").await;
    check_statuses(staff, "/api/admin/transactions", "&paymentType=credit").await;
}

/// Checks the rows of a report by company.
fn check_companies(fixture: &ReportFixture, report: &Value, has_revenue: bool, path: &str) {
    assert_eq!(rows(report).len(), 2, "{path}");
    for company in &fixture.companies {
        let id = company.id.to_string();
        let mut found = rows(report)
            .iter()
            .filter(|row| row["business"]["id"] == id.as_str());
        let mut row = found.next().expect("a row of the company").clone();
        assert_eq!(
            row["figures"],
            totals_of(&by_company(&fixture.facts, company)),
            "{path}: {id}"
        );
        if has_revenue {
            row["totals"] = row["figures"].clone();
            let rentals = fixture.rentals.get(&company.id).copied();
            check_revenue(&row, rentals.unwrap_or_default());
        }
    }
}

async fn check_terminal_reports(fixture: &ReportFixture) {
    let company = fixture.companies[0].id;
    let sales = |owner: &str| format!("/api/{owner}/{company}/terminals/sales?start={START}&end={END}");
    let mut with_terminal = fixture.own();
    with_terminal.retain(|fact| fact.sale.terminal.is_some());
    let of_machines = |fact: &&&Fact| fact.sale.solution == Solution::CardMachine;
    let without_terminal = fixture.own().iter().filter(of_machines).count() - with_terminal.len();
    assert_ne!(
        without_terminal, 0,
        "the history has sales of card machines without a terminal"
    );
    for (client, path, lists) in [
        (&fixture.seller, sales("business"), "/api/transactions"),
        (
            &fixture.staff,
            sales("admin/businesses"),
            "/api/admin/transactions",
        ),
    ] {
        let report = get(client, &path).await;
        check_report(&report, &with_terminal, &path);
        assert_eq!(rows(&report)[0]["figures"], report["totals"], "the only terminal");
        let filter = format!("&business_id={company}&terminal=any");
        check_lists(client, lists, &filter, &report["totals"]).await;
        check_statuses(client, lists, &filter).await;
    }
}

/// The platform's revenue is the fees of sales, less those that a cancel gave back, and the rentals.
fn check_revenue(report: &Value, rentals: i64) {
    let totals = &report["totals"];
    let number = |path: &str| totals.pointer(path).and_then(Value::as_i64).expect("a number");
    let given_back: i64 = ["canceled", "refunded", "reversed"]
        .iter()
        .map(|kind| number(&format!("/{kind}/gross")) - number(&format!("/{kind}/net")))
        .sum();
    let sales = number("/fees") - given_back;
    let expected = json!({
        "sales": sales, "withdrawals": 0, "rentals": rentals, "write_offs": 0, "total": sales + rentals,
    });
    assert_eq!(report["platform_fees"], expected);
}
