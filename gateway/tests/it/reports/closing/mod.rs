//! The accountant's month: the file's sums are those of the reports and of the ledger, to the cent.

mod book;
mod late;

use std::path::Path;
use std::process::Stdio;

use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_store::Shard;
use ledger_store::layout::search_path;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use super::get;
use super::history::random_history;
use crate::support::acquirer::SECRETS;
use crate::support::{Client, Company, PARTS_WITHOUT_EFFECTS, PASSWORD, TestApp};

use book::{Book, SHEETS, SUMMARY, download_book};

const VARIABLES: [(&str, &str); 2] = [SECRETS, ("RAZAO_PAYOUTS", "none")];
/// A time after the end of November, the last month of the tests.
const DECEMBER: &str = "2026-12-03T12:00:00-03:00";

pub(super) struct ClosingFixture {
    app: TestApp,
    company: Company,
    seller: Client,
    pub staff: Client,
}

/// Two companies with a random history from September to November. One of them has three withdrawals too: approved,
/// refused and waiting. It is December.
pub(super) async fn closed_months() -> ClosingFixture {
    let app = TestApp::start_with(&VARIABLES, PARTS_WITHOUT_EFFECTS).await;
    let company = app.company("Padaria Aurora").await;
    let other = app.company("Farmácia São João").await;
    let companies = [company, other];
    random_history(&app, &companies, &mut StdRng::seed_from_u64(13)).await;
    let [company, _] = companies;
    let owner = app.seller(&[(&company, SellerRole::Owner)]).await;
    let admin = app.admin(&[AdminRole::Admin]).await;
    let (seller, staff) = (app.sign_in(&owner).await, app.sign_in(&admin).await);
    for (amount, step) in [(50_00, "approve"), (30_00, "refuse"), (20_00, "")] {
        let body = json!({ "amount": amount, "destination": 1, "password": PASSWORD });
        let requested = seller.post("/api/balance/transfers", body).await;
        assert_eq!(requested.status, 201, "{}", requested.body);
        if !step.is_empty() {
            let path = format!("/api/admin/balance/transfers/{}/{step}", requested.text("/id"));
            let body = if step == "refuse" {
                json!({ "reason": "Teste." })
            } else {
                json!({})
            };
            let done = staff.post(&path, body).await;
            assert!(done.status < 300, "{}", done.body);
        }
    }
    let variables = [&VARIABLES[..], &[("RAZAO_NOW", DECEMBER)]].concat();
    let app = app.restart(&variables, PARTS_WITHOUT_EFFECTS).await;
    let position = app.ledger_position().await.to_string();
    let (seller, staff) = (app.sign_in(&owner).await, app.sign_in(&admin).await);
    ClosingFixture {
        seller: seller.with("ledger-position", &position),
        staff: staff.with("ledger-position", &position),
        app,
        company,
    }
}

/// One closed month.
struct Month {
    /// Such as "2026-09".
    name: &'static str,
    /// The answer in JSON.
    closing: Value,
    /// The same as a workbook.
    book: Book,
    /// The query of the same period in other reports.
    period: String,
}

impl Month {
    fn accounts(&self) -> &Vec<Value> {
        self.closing["accounts"].as_array().expect("accounts")
    }

    /// A column of all accounts, in their order.
    fn balances(&self, column: &str) -> Value {
        self.accounts().iter().map(|each| each[column].clone()).collect()
    }

    fn account(&self, name: &str, column: &str) -> i64 {
        let found = self.accounts().iter().find(|each| each["account"] == name);
        found.expect("an account")[column].as_i64().expect("an amount")
    }
}

impl ClosingFixture {
    async fn month(&self, name: &'static str, last_day: u32) -> Month {
        let id = self.company.id;
        let path = format!("/api/business/{id}/closing?month={name}");
        let closing = get(&self.seller, &path).await;
        let of_staff = format!("/api/admin/businesses/{id}/closing?month={name}");
        assert_eq!(get(&self.staff, &of_staff).await, closing, "{name}");
        Month {
            name,
            closing,
            book: download_book(&self.seller, &path).await,
            period: format!("start={name}-01&end={name}-{last_day}"),
        }
    }
}

/// The sheets' sums are the figures of the report of the same period.
async fn check_report(fixture: &ClosingFixture, month: &Month) {
    let Month {
        name, closing, book, ..
    } = month;
    let report = get(
        &fixture.seller,
        &format!("/api/transactions/report?{}", month.period),
    )
    .await;
    let totals = &report["totals"];
    assert_eq!(&closing["figures"], totals, "{name}");
    for (title, figure) in [
        ("Valor bruto", "/gross"),
        ("Taxa da forma de pagamento", "/percentage_fee"),
        ("Tarifa da forma de pagamento", "/flat_fee"),
        ("Taxa do plano", "/percentage_rate"),
        ("Tarifa do plano", "/flat_rate"),
        ("Valor líquido", "/net"),
    ] {
        let figure = totals.pointer(figure).and_then(Value::as_i64).expect("a figure");
        assert_eq!(book.sum("Vendas", title), figure, "{name}: {title}");
    }
    let (kinds, returned) = (
        book.texts("Devoluções", "Tipo"),
        book.amounts("Devoluções", "Valor bruto"),
    );
    for (kind, figure) in [
        ("Cancelamento", "/canceled/gross"),
        ("Estorno pelo comprador", "/refunded/gross"),
        ("Estorno pela adquirente", "/reversed/gross"),
        ("Contestação", "/disputed/amount"),
        ("Contestação ganha", "/disputes_won/amount"),
        ("Chargeback", "/charged_back/amount"),
    ] {
        let of_kind = kinds.iter().zip(&returned).filter(|(each, _)| *each == kind);
        let sum: i64 = of_kind.map(|(_, cents)| cents).sum();
        assert_eq!(
            Some(sum),
            totals.pointer(figure).and_then(Value::as_i64),
            "{name}: {kind}"
        );
    }
}

/// The sheets' sums are the changes of the accounts, and the balances are those that the journal has at the month's
/// end.
async fn check_ledger(fixture: &ClosingFixture, month: &Month) {
    let Month {
        name, closing, book, ..
    } = month;
    let id = fixture.company.id;
    assert_eq!(
        book.sum("A receber", "Valor líquido"),
        month.account("receivable", "closing")
    );
    assert_eq!(
        book.sum("Extrato", "Valor"),
        month.account("available", "credits") + month.account("available", "debits")
    );
    let billing = format!(
        "/api/admin/transactions/billing?business_id={id}&{}",
        month.period
    );
    let fees = get(&fixture.staff, &billing).await["platform_fees"].clone();
    assert_eq!(
        book.sum("Taxas", "Total cobrado"),
        fees["total"].as_i64().expect("a sum")
    );
    assert_eq!(closing["platform_fees"], fees);
    // The end of the month in Brasília.
    let next = next_month(name);
    let as_of = format!("/api/admin/businesses/{id}/balance?axis=effective&as_of={next}-01T02:59:59.999999Z");
    let as_of = get(&fixture.staff, &as_of).await;
    for each in month.accounts() {
        let account = each["account"].as_str().expect("a name");
        assert_eq!(as_of["balances"][account], each["closing"], "{name}: {account}");
    }
}

#[tokio::test]
async fn a_month_adds_up_to_the_reports_and_the_ledger() {
    let fixture = closed_months().await;
    let id = fixture.company.id;
    let mut opening: Option<Value> = None;
    for (name, last_day) in [("2026-09", 30), ("2026-10", 31), ("2026-11", 30)] {
        let month = fixture.month(name, last_day).await;
        assert_eq!(month.closing["balanced"], true, "{}", month.closing);
        if let Some(opening) = &opening {
            let begins = month.balances("opening");
            assert_eq!(&begins, opening, "{name} begins where the month before ended");
        }
        opening = Some(month.balances("closing"));
        assert_eq!(month.book.failed_checks(), Vec::<String>::new(), "{name}");
        assert!(month.book.formulas > 15, "sums are formulas of the sheets' cells");
        check_report(&fixture, &month).await;
        check_ledger(&fixture, &month).await;
    }
    let client = fixture.app.app.state.pool.get().await.expect("a connection");
    let head = client
        .query_one(
            "SELECT available, receivable, in_transfer FROM business_head WHERE business_id = $1",
            &[&id.uuid()],
        )
        .await
        .expect("a head");
    let last = get(&fixture.seller, &format!("/api/business/{id}/closing")).await;
    assert_eq!(last["start"], "2026-11-01", "the last month that has ended");
    let november = fixture.month("2026-11", 30).await;
    assert_eq!(november.closing, last);
    for (place, name) in ["available", "receivable", "in_transfer"].iter().enumerate() {
        let closing = november.account(name, "closing");
        assert_eq!(
            closing,
            head.get::<_, i64>(place),
            "{name}: nothing happened since"
        );
    }
    let kinds = november.book.texts("Saques", "Tipo");
    assert_eq!(kinds.iter().filter(|kind| *kind == "Saque").count(), 3);
}

#[tokio::test]
async fn an_answer_reads_all_its_figures_from_one_snapshot() {
    let fixture = closed_months().await;
    let path = format!("/api/business/{}/closing?month=2026-11", fixture.company.id);
    // A follower that is behind would wait for the lock below, and the answer would wait for the follower.
    fixture.app.until_projected().await;
    let mut connection = fixture.app.database.client().await;
    let writer = connection.transaction().await.expect("a transaction");
    let lock = "LOCK TABLE journal IN ACCESS EXCLUSIVE MODE";
    writer.batch_execute(lock).await.expect("no reader");
    let (closing, ()) = tokio::join!(get(&fixture.seller, &path), async {
        // The answer has its balances, and waits to read the postings.
        fixture.app.until_sessions_wait_for_locks(1).await;
        let delete = "DELETE FROM journal";
        writer.batch_execute(delete).await.expect("no postings");
        writer.commit().await.expect("the answer goes on");
    });
    assert_eq!(closing["balanced"], true, "{closing}");
}

fn next_month(month: &str) -> String {
    let (year, number) = month.split_once('-').expect("a month");
    format!("{year}-{:02}", number.parse::<u8>().expect("a number") + 1)
}

/// Runs `razao accountant-month`. Returns its exit code and its output. Code 1 is an error, 3 a check that fails.
async fn accountant_month(fixture: &ClosingFixture, out: &Path, month: &str) -> (Option<i32>, String) {
    let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_razao"))
        .args([
            "accountant-month",
            "--business",
            &fixture.company.id.to_string(),
            "--month",
            month,
            "--out",
        ])
        .arg(out)
        .env("DATABASE_URL", &fixture.app.database.url)
        .env("RAZAO_DATA", out.parent().expect("a folder"))
        .env("RAZAO_NOW", DECEMBER)
        .env("RAZAO_LOG", "off")
        .stdin(Stdio::null())
        .output()
        .await
        .expect("the program runs");
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

#[tokio::test]
async fn a_closing_needs_a_month_that_has_ended_and_is_not_a_csv_file() {
    let variables = [&VARIABLES[..], &[("RAZAO_NOW", DECEMBER)]].concat();
    let app = TestApp::start_with(&variables, PARTS_WITHOUT_EFFECTS).await;
    let company = app.company("Padaria Aurora").await;
    let id = company.id;
    let seller = app
        .sign_in(&app.seller(&[(&company, SellerRole::Owner)]).await)
        .await;
    let path = format!("/api/business/{id}/closing?month=2026-11");
    for (month, message) in [
        ("2026-12", "O mês ainda não terminou."),
        ("2026-13", "O mês deve estar no formato AAAA-MM."),
    ] {
        let refused = seller
            .get(&format!("/api/business/{id}/closing?month={month}"))
            .await;
        assert_eq!(refused.at("/errors/month/0"), message);
    }
    let csv = seller.clone().with("accept", "text/csv");
    assert_eq!(csv.get(&path).await.status, 406);
}

#[tokio::test]
async fn staff_of_finance_read_the_closing_of_any_known_company() {
    let variables = [&VARIABLES[..], &[("RAZAO_NOW", DECEMBER)]].concat();
    let app = TestApp::start_with(&variables, PARTS_WITHOUT_EFFECTS).await;
    let id = app.company("Padaria Aurora").await.id;
    let financial = app.sign_in(&app.admin(&[AdminRole::Financial]).await).await;
    let of_staff = format!("/api/admin/businesses/{id}/closing");
    assert_eq!(financial.get(&of_staff).await.status, 200);
    let unknown = "/api/admin/businesses/biz_00000000-0000-4000-8000-000000000000/closing";
    assert_eq!(financial.get(unknown).await.status, 404);
}

#[tokio::test]
async fn the_command_line_writes_the_same_sheets_and_a_wrong_roll_up_fails_its_checks() {
    let fixture = closed_months().await;
    let path = format!("/api/business/{}/closing?month=2026-11", fixture.company.id);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("november.xlsx");
    let (code, output) = accountant_month(&fixture, &out, "2026-11").await;
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("0 differences"), "{output}");
    let written = Book::open(std::fs::read(&out).expect("a file"));
    let answered = download_book(&fixture.seller, &path).await;
    for sheet in SHEETS.iter().filter(|sheet| **sheet != SUMMARY) {
        assert_eq!(written.sheets[*sheet], answered.sheets[*sheet], "{sheet}");
    }
    let (code, _) = accountant_month(&fixture, &out, "2026-11").await;
    assert_eq!(code, Some(1), "a file is never replaced");
    let (code, _) = accountant_month(&fixture, &folder.path().join("december.xlsx"), "2026-12").await;
    assert_eq!(code, Some(1), "the month has not ended");

    // A roll-up whose gross and net are wrong by one cent.
    fixture
        .app
        .execute(&format!(
            "SET search_path = {};
             UPDATE daily_sales SET gross = gross + 1, net = net + 1 WHERE ctid = (
                 SELECT ctid FROM daily_sales WHERE business_id = '{}' AND business_date >= '2026-11-01' LIMIT 1);
             RESET search_path",
            search_path(Shard::of(fixture.company.id)),
            fixture.company.id.uuid()
        ))
        .await;
    let wrong = download_book(&fixture.seller, &path).await.failed_checks();
    assert_eq!(wrong, ["Vendas: valor bruto", "Vendas: valor líquido"]);
    let (code, output) = accountant_month(&fixture, &folder.path().join("wrong.xlsx"), "2026-11").await;
    assert_eq!(code, Some(3), "{output}");
    assert!(output.contains("Vendas: valor bruto"), "{output}");
}
