//! Settlements over HTTP: imports of files and of acquirers' answers, differences with their decisions, and days.

mod bank_files;
mod brands;
mod calls;
mod charges;
mod command_line;
mod differences;
mod imports;
mod indexes;
mod unreadable;

use gateway_formats::settlement_files::card_file::{
    self, CardDetail, CardEntryType, CardHeader, CardRecord, FileKind, ReceivableUnit,
};
use gateway_identity::roles::AdminRole;
use ledger_domain::Cents;
use ledger_domain::calendar::Date;
use ledger_domain::sale::{PaymentType, Provider};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Client, Company, PARTS, Sale, TestApp};

const SETTLEMENTS: &str = "/api/admin/settlements";
/// The due date of the first installment of `card_sale`: 30 days after 2026-10-12.
const DUE: &str = "2026-11-11";

struct SettlementFixture {
    app: TestApp,
    bakery: Company,
    staff: Client,
}

impl SettlementFixture {
    async fn open() -> Self {
        Self::open_with(&[]).await
    }

    async fn open_with(variables: &[(&str, &str)]) -> Self {
        let app = TestApp::start_with(variables, PARTS).await;
        let bakery = app.company("Padaria").await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
        Self { app, bakery, staff }
    }

    /// Captures R$ 300,00 in three installments on 2026-10-12, 40 days before the tests' today. The acquirer knows the
    /// sale by `external_id`.
    async fn card_sale(&self, external_id: &str) {
        self.capture(Sale::card().days_ago(40), external_id).await;
    }

    async fn capture(&self, mut sale: Sale, external_id: &str) {
        sale.facts.sale_id = self.app.app.state.ids.sale(Provider::Zoop, external_id);
        sale.facts.external_id = external_id.to_owned();
        self.app.capture(&self.bakery, &sale).await;
    }

    /// Captures R$ 149,90 by boleto, nine days ago.
    async fn boleto_sale(&self, external_id: &str) {
        let mut sale = Sale::pix().amount(149_90).days_ago(9);
        sale.facts.payment_type = PaymentType::Boleto;
        self.capture(sale, external_id).await;
    }

    async fn until_projected(&self) {
        self.app.until_projected().await;
    }

    async fn first_due_date(&self, external_id: &str) -> Date {
        let client = self.app.app.state.pool.get().await.expect("a connection");
        let sql = "SELECT due_dates[1] FROM sale WHERE external_id = $1";
        client
            .query_one(sql, &[&external_id])
            .await
            .expect("the sale")
            .get(0)
    }

    async fn upload(&self, name: &str, content: impl Into<Vec<u8>>) -> Answer {
        let path = format!("{SETTLEMENTS}/imports?provider=zoop&name={name}");
        self.staff.send_file(Method::POST, &path, content.into()).await
    }

    /// Uploads a file, runs the job until nothing is left to do, and returns the import.
    async fn import(&self, name: &str, content: impl Into<Vec<u8>>) -> Value {
        let answer = self.upload(name, content).await;
        assert_eq!(
            (answer.status, answer.text("/state")),
            (201, "waiting"),
            "{}",
            answer.body
        );
        self.run_job().await;
        let id = answer.text("/id");
        self.get(&format!("imports/{id}")).await
    }

    async fn run_job(&self) {
        self.app
            .app
            .reconciliation()
            .run()
            .await
            .expect("the job ends without an error");
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.staff.get(&format!("{SETTLEMENTS}/{path}")).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    /// The differences as kind, reference, delta in cents and state, in the order of their text.
    async fn differences(&self, query: &str) -> Vec<Value> {
        let list = self.get(&format!("differences?perPage=100&{query}")).await;
        let rows = list["data"].as_array().expect("rows").iter();
        let mut rows: Vec<_> = rows
            .map(|row| json!([row["kind"], row["reference"], row["delta"], row["state"]]))
            .collect();
        rows.sort_by_key(Value::to_string);
        rows
    }

    async fn one_difference(&self, kind: &str) -> Value {
        let list = self.get(&format!("differences?state=all&kind={kind}")).await;
        assert_eq!(list["meta"]["total"], 1, "{list}");
        list["data"][0].clone()
    }

    async fn decide(&self, difference: &Value, action: &str, body: Value) -> Answer {
        let id = difference["id"].as_str().expect("an id");
        let path = format!("{SETTLEMENTS}/differences/{id}/{action}");
        self.staff.post(&path, body).await
    }

    /// The day's expected and reported gross, the paid amount, the cost, the difference, and the number of open
    /// differences.
    async fn day(&self, day: &str) -> Value {
        let days = self
            .get(&format!("days?provider=zoop&start={day}&end={day}"))
            .await;
        let day = &days["data"][0];
        json!({
            "expected": day["expected"], "reported": day["reported"], "paid": day["paid"], "cost": day["cost"],
            "difference": day["difference"], "open": day["open_count"],
        })
    }
}

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

/// The payment of a `card_sale`'s first installment, as the platform expects it. No sale has its authorization code.
fn detail(tid: &str) -> CardDetail {
    CardDetail {
        line: 0,
        installment: 1,
        installments: 3,
        authorization: "ZZZZZZ".to_owned(),
        entry_type: CardEntryType::Installments,
        unit_key: "unit-1".to_owned(),
        card: "4242424242".to_owned(),
        nsu: "000001".to_owned(),
        tid: tid.to_owned(),
        gross: Cents::new(100_00),
        net: Cents::new(97_50),
        fee: Some(Cents::new(2_50)),
        sold_on: Some(date("2026-10-12")),
        due: Some(date(DUE)),
    }
}

/// A card file of payments on the due date. It has one receivable unit, `unit-1`.
fn paid_file(details: Vec<CardDetail>) -> String {
    let header = CardHeader {
        merchant: "0000000001".to_owned(),
        date: Some(date("2026-11-12")),
        kind: FileKind::Paid,
    };
    let unit = ReceivableUnit {
        line: 0,
        merchant: "0000000001".to_owned(),
        brand: "001".to_owned(),
        status: "04".to_owned(),
        gross: Cents::new(100_00),
        fee: Some(Cents::new(2_50)),
        net: Cents::new(97_50),
        entry_type: CardEntryType::Installments,
        unit_key: "unit-1".to_owned(),
        paid_on: Some(date(DUE)),
        due: Some(date(DUE)),
    };
    let mut records = vec![CardRecord::Header(header), CardRecord::Unit(unit)];
    records.extend(details.into_iter().map(CardRecord::Detail));
    card_file::write_file(&records)
}
