//! A company's accounts, statement and journal as of an instant, by recording time and by time of occurrence.

use std::collections::BTreeMap;

use gateway_identity::roles::AdminRole;
use ledger_domain::business::BusinessEvent;
use serde_json::{Value, json};

use crate::spreadsheets::sheet::{Cell, download};
use crate::support::TestApp;
use crate::support::database::wants_schemas;
use crate::support::movements::{MovementsFixture, rows};

const ACCOUNTS: [&str; 7] = [
    "receivable",
    "available",
    "in_transfer",
    "held_by_staff",
    "in_dispute",
    "platform_fees",
    "clearing",
];

impl MovementsFixture {
    async fn journal(&self, query: &str) -> Vec<Value> {
        let path = format!(
            "/api/admin/businesses/{}/journal?perPage=100&{query}",
            self.company.id
        );
        let page = self.staff.get(&path).await;
        assert_eq!(page.status, 200, "{}", page.body);
        rows(&page.body).to_vec()
    }

    async fn balance(&self, query: &str) -> Value {
        let path = format!("/api/admin/businesses/{}/balance?{query}", self.company.id);
        let answer = self.staff.get(&path).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    async fn statement(&self, query: &str) -> Value {
        let path = format!(
            "/api/admin/balance/history?business_id={}&perPage=100&{query}",
            self.company.id
        );
        let answer = self.staff.get(&path).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }
}

pub fn cents(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is cents"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is a text"))
}

#[tokio::test]
async fn the_postings_of_each_event_sum_to_zero_and_those_of_each_account_to_its_balance() {
    let fixture = MovementsFixture::open().await;
    let journal = fixture.journal("axis=recorded&order=asc").await;
    let mut by_event: BTreeMap<&str, i64> = BTreeMap::new();
    let mut in_order = journal.clone();
    in_order.sort_by_key(|entry| entry["sequence"].as_i64());
    let mut running: BTreeMap<&str, i64> = BTreeMap::new();
    for entry in &in_order {
        *by_event.entry(text(&entry["event_id"])).or_default() += cents(&entry["amount"]);
        let account = running.entry(text(&entry["account"])).or_default();
        *account += cents(&entry["amount"]);
        assert_eq!(*account, cents(&entry["balance"]), "{entry}");
    }
    assert!(
        by_event.len() > 8 && by_event.values().all(|sum| *sum == 0),
        "{by_event:?}"
    );
    let now = fixture.balance("").await;
    for account in ACCOUNTS {
        let reached = running.get(account).copied().unwrap_or_default();
        assert_eq!(cents(&now["balances"][account]), reached, "{account}");
    }
    let ledger = fixture.ledger_balances(&fixture.company).await;
    let balances =
        ["available", "receivable", "in_transfer", "blocked"].map(|name| cents(&now["balances"][name]));
    assert_eq!(balances, ledger.shown());
    assert_eq!(now["axis"], "recorded");
    assert_eq!(now["sequence"], in_order.last().expect("entries")["sequence"]);
}

#[tokio::test]
async fn as_recorded_the_accounts_the_statement_and_the_journal_stop_at_the_same_event() {
    let fixture = MovementsFixture::open().await;
    let journal = fixture.journal("axis=recorded&order=asc").await;
    let mut by_sequence: BTreeMap<i64, Vec<&Value>> = BTreeMap::new();
    for entry in &journal {
        by_sequence
            .entry(cents(&entry["sequence"]))
            .or_default()
            .push(entry);
    }
    let mut accounts: BTreeMap<&str, i64> = BTreeMap::new();
    let stops: Vec<_> = by_sequence.keys().copied().collect();
    for (sequence, entries) in &by_sequence {
        for entry in entries {
            accounts.insert(text(&entry["account"]), cents(&entry["balance"]));
        }
        let recorded_at = text(&entries[0]["recorded_at"]);
        // No instant lies between events that were recorded at the same instant.
        let next = stops.iter().find(|stop| *stop > sequence);
        if next.is_some_and(|next| by_sequence[next][0]["recorded_at"] == entries[0]["recorded_at"]) {
            continue;
        }
        let query = format!("as_of={recorded_at}");
        let then = fixture.balance(&query).await;
        assert_eq!(then["sequence"], *sequence);
        for account in ACCOUNTS {
            let expected = accounts.get(account).copied().unwrap_or_default();
            assert_eq!(
                cents(&then["balances"][account]),
                expected,
                "{account} at {sequence}"
            );
        }
        let known = fixture.journal(&query).await;
        let last = known.iter().map(|entry| cents(&entry["sequence"])).max();
        assert_eq!(last, Some(*sequence));
        let statement = fixture.statement(&query).await;
        let sum: i64 = rows(&statement).iter().map(|line| cents(&line["amount"])).sum();
        assert_eq!(sum, cents(&then["balances"]["available"]), "at {sequence}");
        let totals = fixture.statement(&format!("{query}&totals=1")).await;
        assert_eq!(totals["totals"]["available"], then["balances"]["available"]);
        let by_kind = totals["totals"]["by_kind"].as_object().expect("kinds");
        assert_eq!(by_kind.values().map(cents).sum::<i64>(), sum);
    }
    let before = fixture.balance("as_of=2020-01-01T00:00:00Z").await;
    assert_eq!(before["sequence"], Value::Null);
    assert!(ACCOUNTS.iter().all(|account| before["balances"][account] == 0));
}

#[tokio::test]
async fn as_effective_a_sale_that_was_reported_late_counts_from_its_capture_on() {
    let fixture = MovementsFixture::open().await;
    // The sale was captured at noon on 7 September and is reported today. As recorded, it is unknown on the next day.
    let instant = "2026-09-08T12:00:00Z";
    let known = fixture.balance(&format!("as_of={instant}")).await;
    assert!(
        ACCOUNTS.iter().all(|account| known["balances"][account] == 0),
        "{known}"
    );
    let happened = fixture.balance(&format!("as_of={instant}&axis=effective")).await;
    assert_eq!(
        happened["balances"],
        json!({
            "available": 0, "receivable": 285_00, "in_transfer": 0, "held_by_staff": 0, "in_dispute": 0, "blocked": 0,
            "platform_fees": 15_00, "clearing": -300_00,
        })
    );
    assert_eq!(
        (&happened["sequence"], &happened["axis"]),
        (&Value::Null, &json!("effective"))
    );
    // The first installment settled on 7 October, the second on 6 November.
    let statement = fixture
        .statement("as_of=2026-11-01T00:00:00Z&axis=effective")
        .await;
    let lines: Vec<_> = rows(&statement)
        .iter()
        .map(|line| (cents(&line["amount"]), cents(&line["balance"])))
        .collect();
    assert_eq!(lines, [(95_00, 95_00)]);
    let totals = fixture
        .statement("as_of=2026-11-01T00:00:00Z&axis=effective&totals=1")
        .await;
    assert_eq!(
        (
            &totals["totals"]["available"],
            &totals["totals"]["receivable"],
            &totals["totals"]["by_kind"]["0"]
        ),
        (&json!(95_00), &json!(190_00), &json!(95_00))
    );
    // In order of occurrence, every balance continues from the one before.
    let all = fixture.statement("axis=effective&order=asc").await;
    let mut running = 0;
    for line in rows(&all) {
        running += cents(&line["amount"]);
        assert_eq!(cents(&line["balance"]), running, "{line}");
    }
    let mut accounts: BTreeMap<String, i64> = BTreeMap::new();
    for entry in fixture.journal("axis=effective&order=asc").await {
        let account = accounts.entry(text(&entry["account"]).to_owned()).or_default();
        *account += cents(&entry["amount"]);
        assert_eq!(cents(&entry["balance"]), *account, "{entry}");
    }
}

#[tokio::test]
async fn the_journal_is_filtered_by_account_and_period_and_its_spreadsheet_has_the_same_rows() {
    let fixture = MovementsFixture::open().await;
    let fees = fixture.journal("account=platform_fees").await;
    assert!(!fees.is_empty());
    assert!(fees.iter().all(|entry| entry["account"] == "platform_fees"));
    let sold: Vec<_> = fixture
        .journal("account=receivable&start=2026-09-07&end=2026-09-07")
        .await;
    assert_eq!(sold.len(), 1);
    assert_eq!(
        (&sold[0]["type"], &sold[0]["amount"]),
        (&json!("SaleCaptured"), &json!(285_00))
    );

    let names = BTreeMap::from([
        ("receivable", "A receber"),
        ("available", "Disponível"),
        ("in_transfer", "Saques em andamento"),
        ("held_by_staff", "Bloqueado pela plataforma"),
        ("in_dispute", "Bloqueado por contestação"),
        ("platform_fees", "Taxas e tarifas da plataforma"),
        ("clearing", "Compensação"),
    ]);
    for query in ["", "account=available", "axis=effective&order=asc"] {
        let path = format!("/api/admin/businesses/{}/journal?{query}", fixture.company.id);
        let sheet = download(&fixture.staff, &path).await;
        let row = |entry: &Value| {
            vec![
                Cell::instant(&entry["occurred_at"]),
                Cell::Count(cents(&entry["sequence"])),
                Cell::Text(BusinessEvent::label_of(text(&entry["type"])).to_owned()),
                Cell::instant(&entry["recorded_at"]),
                Cell::Text(names[text(&entry["account"])].to_owned()),
                Cell::money(&entry["amount"]),
                Cell::money(&entry["balance"]),
                Cell::text(&entry["event_id"]),
            ]
        };
        let entries = fixture.journal(query).await;
        assert!(!entries.is_empty());
        sheet.assert_rows(&entries.iter().map(row).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn invalid_parameters_are_named_and_customer_support_has_no_access() {
    let fixture = MovementsFixture::open().await;
    let path = format!("/api/admin/businesses/{}", fixture.company.id);
    for (query, field) in [
        ("balance?as_of=ontem", "as_of"),
        ("balance?axis=sideways", "axis"),
        ("journal?account=caixa", "account"),
        ("journal?as_of=2026-11-21", "as_of"),
        ("journal?order=up", "order"),
    ] {
        let answer = fixture.staff.get(&format!("{path}/{query}")).await;
        assert_eq!(answer.status, 422, "{query}");
        assert!(
            answer.at("/errors").get(field).is_some(),
            "{query}: {}",
            answer.body
        );
    }
    let unknown = "/api/admin/businesses/biz_00000000-0000-4000-8000-000000000000";
    for call in ["balance", "journal"] {
        assert_eq!(fixture.staff.get(&format!("{unknown}/{call}")).await.status, 404);
        let sac = fixture.staff_user(AdminRole::Sac).await;
        assert_eq!(sac.get(&format!("{path}/{call}")).await.status, 403);
    }
}

/// In layout `schemas`. The views over all companies are gone, so only a read of the company's own tables answers.
#[tokio::test]
async fn staffs_calls_about_a_company_read_its_shard() {
    if !wants_schemas() {
        return;
    }
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let staff = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    app.execute("DROP VIEW public.journal; DROP VIEW public.reserve_piece")
        .await;
    for path in [
        format!("/api/admin/businesses/{}/journal", company.id),
        format!("/api/admin/balance/reserve/{}/installments", company.id),
    ] {
        assert_eq!(staff.get(&path).await.status, 200, "{path}");
    }
}
