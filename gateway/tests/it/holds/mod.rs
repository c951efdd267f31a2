//! Held money over HTTP: staff place, change and release holds, and sellers read why.

mod court;
mod documents;
mod indexes;
mod lists;

use gateway_identity::roles::{AdminRole, SellerRole};
use serde_json::{Value, json};

use crate::support::{Answer, Client, PASSWORD, Sale};
use crate::withdrawals::{Balances, WithdrawalFixture};

const STAFF: &str = "/api/admin/balance/holds";
const OWN: &str = "/api/balance/holds";

/// A company with R$ 1.000,00, its owner, and an admin.
struct HoldsFixture {
    money: WithdrawalFixture,
}

impl HoldsFixture {
    async fn open() -> Self {
        Self {
            money: WithdrawalFixture::open().await,
        }
    }

    fn staff(&self) -> &Client {
        &self.money.staff
    }

    fn seller(&self) -> &Client {
        &self.money.seller
    }

    /// Asks for a hold of R$ 300,00 for an analysis, with some fields changed.
    async fn place_with(&self, change: Value) -> Answer {
        let mut form = json!({
            "business_id": self.money.company.id, "kind": "analysis", "amount": 300_00,
            "reason": "Vendas de valor incomum",
        });
        form.as_object_mut()
            .expect("an object")
            .extend(change.as_object().expect("an object").clone());
        self.staff().post(STAFF, form).await
    }

    /// Places a hold, and returns it.
    async fn placed(&self, change: Value) -> Value {
        let placed = self.place_with(change).await;
        assert_eq!(placed.status, 201, "{}", placed.body);
        placed.body
    }

    async fn act(&self, hold: &Value, action: &str, body: Value) -> Answer {
        self.staff().post(&path(hold, action), body).await
    }

    async fn release(&self, hold: &Value, amount: i64) -> Answer {
        let body = json!({ "amount": amount, "reason": "Análise concluída" });
        self.act(hold, "release", body).await
    }

    async fn seller_reads(&self, hold: &Value) -> Answer {
        let id = hold["id"].as_str().expect("an id");
        self.current(self.seller())
            .await
            .get(&format!("{OWN}/{id}"))
            .await
    }

    /// The client, which reads all that was recorded so far.
    async fn current(&self, client: &Client) -> Client {
        let position = self.money.app.ledger_position().await.to_string();
        client.clone().with("ledger-position", &position)
    }

    async fn balances(&self) -> Balances {
        self.money.balances().await
    }

    /// The open holds as both panels list them add up to what the ledger holds, and to the balance of both.
    async fn assert_holds_add_up(&self) {
        let held = self
            .money
            .app
            .count("SELECT held_by_staff FROM business_head")
            .await;
        let company = self.money.company.id;
        let all = format!("{STAFF}?state=open&business_id={company}");
        for (client, path) in [
            (self.seller(), &format!("{OWN}?state=open")),
            (self.staff(), &all),
        ] {
            let listed = self.current(client).await.get(path).await;
            let rows = listed.at("/data").as_array().expect("a list");
            let sum: i64 = rows.iter().filter_map(|row| row["amount"].as_i64()).sum();
            assert_eq!(sum, held, "{path}: {}", listed.body);
        }
        let of_company = format!("/api/admin/balance/history?totals=1&business_id={company}");
        for (client, path) in [
            (self.seller(), "/api/balance/history?totals=1"),
            (self.staff(), &of_company),
        ] {
            let totals = self.current(client).await.get(path).await;
            assert_eq!(
                totals.at("/totals/held_by_staff"),
                &json!(held),
                "{}",
                totals.body
            );
        }
    }
}

fn path(hold: &Value, action: &str) -> String {
    let part = |name: &str| hold[name].as_str().expect("an id").to_owned();
    format!("{STAFF}/{}/{}/{action}", part("business_id"), part("id"))
}

#[tokio::test]
async fn a_hold_says_what_is_held_why_since_when_and_what_to_send() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture
        .placed(json!({ "until": "2030-12-10", "documents": ["Nota  fiscal", " "] }))
        .await;
    for (field, value) in [
        ("kind", json!("analysis")),
        ("state", json!("open")),
        ("amount", json!(300_00)),
        ("placed", json!(300_00)),
        ("reason", json!("Vendas de valor incomum")),
        ("until", json!("2030-12-10")),
        ("documents", json!(["Nota fiscal"])),
        ("ordered", Value::Null),
        ("missing", json!(0)),
        ("ended_at", Value::Null),
        ("business_name", json!("Padaria")),
    ] {
        assert_eq!(hold[field], value, "{field}");
    }
    assert_eq!(hold["history"][0]["kind"], "placed");
    assert_eq!(hold["history"][0]["by"], "Bruno Lima");
    assert_eq!(
        fixture.balances().await,
        Balances::available(700_00).blocked(300_00)
    );
    fixture.assert_holds_add_up().await;
}

#[tokio::test]
async fn the_seller_reads_the_reason_and_no_name_of_staff() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.placed(json!({ "kind": "contract" })).await;
    assert_eq!(fixture.release(&hold, 100_00).await.status, 200);
    let read = fixture.seller_reads(&hold).await;
    assert_eq!(read.status, 200, "{}", read.body);
    assert_eq!(read.text("/kind"), "contract");
    assert_eq!(read.text("/reason"), "Vendas de valor incomum");
    assert_eq!(read.text("/history/1/text"), "Análise concluída");
    assert_eq!(read.at("/history/1/amount"), &json!(100_00));
    assert!(!read.body.to_string().contains("Bruno"), "{}", read.body);
    let listed = fixture.current(fixture.seller()).await.get(OWN).await;
    assert!(!listed.body.to_string().contains("Bruno"), "{}", listed.body);
    let statement = fixture
        .current(fixture.seller())
        .await
        .get("/api/balance/history")
        .await;
    let lines: Vec<_> = statement
        .at("/data")
        .as_array()
        .expect("a list")
        .iter()
        .map(|line| line["amount"].as_i64().expect("cents"))
        .collect();
    assert_eq!(lines, [100_00, -300_00, 1_000_00], "{}", statement.body);
}

#[tokio::test]
async fn a_change_of_a_hold_moves_no_money_and_replaces_what_is_said() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture
        .placed(json!({ "until": "2030-12-10", "documents": ["Nota fiscal"] }))
        .await;
    let form = json!({ "reason": "Falta o contrato", "documents": ["Contrato"] });
    let changed = fixture.act(&hold, "change", form).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(changed.text("/reason"), "Falta o contrato");
    assert_eq!(changed.at("/documents"), &json!(["Contrato"]));
    assert_eq!(
        changed.at("/until"),
        &Value::Null,
        "a field that is left out becomes empty"
    );
    assert_eq!(changed.text("/history/1/kind"), "changed");
    assert_eq!(
        fixture.balances().await,
        Balances::available(700_00).blocked(300_00)
    );
    let id = hold["id"].as_str().expect("an id");
    assert_eq!(fixture.money.audit_entries_count("change-hold", id).await, 1);
}

#[tokio::test]
async fn a_hold_that_is_released_whole_ends_and_is_released_no_more() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.placed(json!({})).await;
    let other = fixture.placed(json!({ "amount": 50_00 })).await;
    let released = fixture.release(&hold, 300_00).await;
    assert_eq!(
        (released.status, released.text("/state")),
        (200, "ended"),
        "{}",
        released.body
    );
    assert!(released.at("/ended_at").is_string());
    let again = fixture.release(&hold, 1).await;
    assert_eq!(again.status, 404, "{}", again.body);
    assert_eq!(
        fixture.balances().await,
        Balances::available(950_00).blocked(50_00)
    );
    let above = fixture.release(&other, 50_01).await;
    assert_eq!(
        above.at("/errors"),
        &json!({ "amount": ["Esta retenção tem R$ 50,00, menos do que R$ 50,01."] })
    );
    fixture.assert_holds_add_up().await;
}

#[tokio::test]
async fn a_hold_above_the_balance_or_with_invalid_fields_records_nothing() {
    let fixture = HoldsFixture::open().await;
    let events = fixture.money.app.rows("event").await;
    let long = "x".repeat(121);
    let eleven = ["nota"; 11];
    for (change, field, message) in [
        (
            json!({ "amount": 1_000_01 }),
            "amount",
            "Valor não pode ser maior que o saldo",
        ),
        (
            json!({ "kind": "contract", "amount": 1_000_01 }),
            "amount",
            "Valor não pode ser maior que o saldo",
        ),
        (
            json!({ "kind": "reserve" }),
            "kind",
            "A plataforma cria retenções deste tipo.",
        ),
        (
            json!({ "kind": "company" }),
            "kind",
            "A plataforma cria retenções deste tipo.",
        ),
        (json!({ "reason": " " }), "reason", "Informe o motivo."),
        (
            json!({ "documents": eleven }),
            "documents",
            "Peça até 10 documentos.",
        ),
        (
            json!({ "documents": [long] }),
            "documents",
            "O nome de um documento deve ter até 120 caracteres.",
        ),
        (
            json!({ "business_id": "biz_00000000-0000-4000-8000-000000000001" }),
            "business_id",
            "Empresa não encontrada.",
        ),
        (
            json!({ "kind": "judicial", "court": "2ª Vara Cível" }),
            "case_number",
            "Informe o número do processo.",
        ),
        (
            json!({ "kind": "judicial", "case_number": "0009999-99.2026.8.26.0114" }),
            "court",
            "Informe a vara.",
        ),
    ] {
        let refused = fixture.place_with(change.clone()).await;
        assert_eq!(refused.status, 422, "{change}: {}", refused.body);
        assert_eq!(refused.at("/errors"), &json!({ field: [message] }), "{change}");
    }
    assert_eq!(fixture.money.app.rows("event").await, events);
    assert_eq!(fixture.money.app.rows("adjustment_request").await, 0);
}

#[tokio::test]
async fn each_action_under_the_same_key_is_made_once() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.placed(json!({})).await;
    let keyed = fixture.staff().clone().with("idempotency-key", "k");
    for (action, body, events) in [
        ("change", json!({ "reason": "Falta o contrato" }), "HoldChanged"),
        (
            "release",
            json!({ "amount": 100_00, "reason": "Liberado" }),
            "HoldReleased",
        ),
    ] {
        let first = keyed.post(&path(&hold, action), body.clone()).await;
        let again = keyed.post(&path(&hold, action), body).await;
        assert_eq!(
            (again.status, &again.body),
            (200, &first.body),
            "{action}: {}",
            first.body
        );
        assert_eq!(fixture.money.app.count_events(events).await, 1);
    }
    let other = json!({ "amount": 100_01, "reason": "Liberado" });
    let reused = keyed.post(&path(&hold, "release"), other).await;
    assert_eq!(reused.status, 409, "{}", reused.body);
    assert_eq!(
        fixture.balances().await,
        Balances::available(800_00).blocked(200_00)
    );
}

#[tokio::test]
async fn only_owners_and_admins_of_the_staff_and_of_the_company_see_holds() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.placed(json!({})).await;
    let app = &fixture.money.app;
    for role in AdminRole::ALL {
        let staff = app.sign_in(&app.admin(&[*role]).await).await;
        let may = matches!(role, AdminRole::Owner | AdminRole::Admin);
        let expected = if may { 200 } else { 403 };
        for path in [STAFF.to_owned(), path(&hold, "").trim_end_matches('/').to_owned()] {
            assert_eq!(staff.get(&path).await.status, expected, "{role:?} {path}");
        }
    }
    let id = hold["id"].as_str().expect("an id");
    let company = &fixture.money.company;
    for (role, expected) in [
        (SellerRole::Owner, 200),
        (SellerRole::Admin, 200),
        (SellerRole::Operator, 403),
    ] {
        let seller = app.sign_in(&app.seller(&[(company, role)]).await).await;
        for path in [OWN.to_owned(), format!("{OWN}/{id}")] {
            assert_eq!(seller.get(&path).await.status, expected, "{role:?} {path}");
        }
    }
    let other = app.company("Mercado").await;
    let seller = app
        .sign_in(&app.seller(&[(&other, SellerRole::Owner)]).await)
        .await;
    assert_eq!(seller.get(&format!("{OWN}/{id}")).await.status, 404);
    assert_eq!(seller.get(OWN).await.at("/meta/total"), &json!(0));
}

#[tokio::test]
async fn what_is_held_for_sales_of_a_denied_company_is_one_hold() {
    let fixture = HoldsFixture::open().await;
    let app = &fixture.money.app;
    app.execute("UPDATE business SET approval = 'denied'").await;
    for days in [5, 6] {
        app.capture(&fixture.money.company, &Sale::pix().days_ago(days))
            .await;
    }
    app.settle_due().await;
    let staff = fixture.current(fixture.staff()).await;
    let listed = staff.get(&format!("{STAFF}?kind=company")).await;
    assert_eq!(listed.at("/meta/total"), &json!(1), "{}", listed.body);
    assert_eq!(listed.at("/data/0/amount"), &json!(2 * 49_50));
    assert_eq!(listed.text("/data/0/state"), "open");
    assert!(listed.at("/data/0/reason").is_string());
    let hold = listed.at("/data/0").clone();
    let own = fixture.seller_reads(&hold).await;
    assert_eq!(
        (own.text("/kind"), own.at("/reason")),
        ("company", &Value::Null),
        "the reason is written for staff: {}",
        own.body
    );
    assert_eq!(own.at("/history").as_array().map(Vec::len), Some(2));
    let changed = fixture
        .act(&hold, "change", json!({ "reason": "Outro motivo" }))
        .await;
    assert_eq!(
        (changed.status, changed.text("/message")),
        (
            409,
            "O tipo da retenção (Cadastro não aprovado) não permite esta operação."
        )
    );
    fixture.assert_holds_add_up().await;
    let released = fixture.release(&hold, 49_50).await;
    assert_eq!(
        (released.status, released.at("/amount")),
        (200, &json!(49_50)),
        "{}",
        released.body
    );
    fixture.assert_holds_add_up().await;
}

/// A password is needed where money leaves for a court's account.
fn court_payment(amount: i64) -> Value {
    json!({ "amount": amount, "receipt": "081160000012345678", "password": PASSWORD })
}
