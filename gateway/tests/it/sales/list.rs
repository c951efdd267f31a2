//! The list of sales, its totals, one sale, and the home page, as a seller sees them.

use gateway_identity::roles::SellerRole;
use ledger_domain::sale::CardBrand;
use ledger_store::LedgerPosition;
use serde_json::{Value, json};

use crate::support::{Client, Company, Sale, TestApp};

/// A company with two captured card sales, a captured PIX sale, a failed card sale and a pending PIX sale; and one sale
/// of another company.
struct SaleListFixture {
    app: TestApp,
    client: Client,
    company: Company,
    other: Company,
    visa: Sale,
    foreign: Sale,
}

impl SaleListFixture {
    async fn open() -> Self {
        let app = TestApp::start().await;
        let (company, other) = (app.company("Padaria").await, app.company("Farmácia").await);
        let mut reached = LedgerPosition::default();
        let visa = Sale::card().days_ago(1);
        reached.merge(&app.capture(&company, &visa).await);
        reached.merge(
            &app.capture(
                &company,
                &Sale::card().brand(CardBrand::Elo).amount(100_00).days_ago(40),
            )
            .await,
        );
        reached.merge(&app.capture(&company, &Sale::pix().days_ago(0)).await);
        reached.merge(
            &app.fail(&company, &Sale::card().days_ago(2), "saldo insuficiente")
                .await,
        );
        reached.merge(&app.create_sale(&company, &Sale::pix().days_ago(3)).await);
        let foreign = Sale::card();
        reached.merge(&app.capture(&other, &foreign).await);
        let user = app.seller(&[(&company, SellerRole::Owner)]).await;
        let client = app
            .sign_in(&user)
            .await
            .with("ledger-position", &reached.to_string());
        Self {
            app,
            client,
            company,
            other,
            visa,
            foreign,
        }
    }

    async fn list(&self, query: &str) -> Value {
        let answer = self.client.get(&format!("/api/transactions?{query}")).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.header("ledger-stale"), None);
        answer.body
    }

    async fn count(&self, query: &str) -> usize {
        self.list(query).await["data"].as_array().map_or(0, Vec::len)
    }
}

#[tokio::test]
async fn a_list_has_the_company_s_sales_newest_first_and_pages_them() {
    let fixture = SaleListFixture::open().await;
    let all = fixture.list("").await;
    assert_eq!(
        all["meta"],
        json!({ "page": 1, "per_page": 20, "total": 5, "total_pages": 1, "time_zone": "UTC" })
    );
    let statuses: Vec<&Value> = all["data"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| &row["status"])
        .collect();
    assert_eq!(
        statuses,
        ["succeeded", "succeeded", "failed", "pending", "succeeded"]
    );
    let row = &all["data"][1];
    assert_eq!(row["id"], fixture.visa.facts.sale_id.to_string());
    assert_eq!(
        (&row["amount"], &row["net_amount"]),
        (&json!(30_000), &json!(28_500))
    );
    assert_eq!(
        row["payment_method"],
        json!({ "card_brand": "visa", "installments": 3, "card_last_four": "4242" })
    );
    assert_eq!(row["captured_at"], "2026-11-20T15:00:00Z");
    assert_eq!(all["data"][2]["net_amount"], Value::Null);

    let second = fixture.list("page=2&perPage=2").await;
    assert_eq!(second["meta"]["total_pages"], 3);
    assert_eq!(second["data"][0], all["data"][2]);
    let first = fixture.list("perPage=2").await;
    let next = first["meta"]["next"].as_str().expect("a cursor");
    assert_eq!(
        fixture.list(&format!("perPage=2&next={next}")).await["data"],
        second["data"]
    );
    assert_eq!(
        fixture.list("order=asc&perPage=1").await["data"][0],
        all["data"][4]
    );
    assert_eq!(fixture.count("page=9").await, 0);
}

#[tokio::test]
async fn filters_select_their_rows() {
    let fixture = SaleListFixture::open().await;
    let cases = [
        ("paymentType=credit", 3),
        ("paymentType=CREDIT_CARD", 3),
        ("paymentType=PIX", 2),
        ("status=succeeded", 3),
        ("status=failed", 1),
        ("status=reversed", 0),
        ("brand=elo", 1),
        ("solution=1", 5),
        ("solution=4", 0),
        ("start=2026-11-20", 2),
        ("start=2026-11-20&end=2026-11-20", 1),
        ("end=2026-10-31", 1),
        (
            "terminal=ter_00000000-0000-0000-0000-000000000009&status=succeeded",
            2,
        ),
        ("paymentType=credit&status=succeeded&brand=visa", 1),
    ];
    for (query, expected) in cases {
        assert_eq!(fixture.count(query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn totals_cover_captured_sales_or_the_requested_status() {
    let fixture = SaleListFixture::open().await;
    let totals = async |query: &str| {
        fixture
            .client
            .get(&format!("/api/transactions/totals?{query}"))
            .await
            .body
    };
    // 300,00 and 100,00 at 5 %, 50,00 at 1 %.
    let captured = json!({ "count": 3, "gross": 45_000, "fees": 2_050, "net": 42_950 });
    assert_eq!(totals("").await, captured);
    assert_eq!(totals("status=succeeded").await, captured);
    assert_eq!(
        totals("cards=visa,elo").await,
        json!({ "count": 2, "gross": 40_000, "fees": 2_000, "net": 38_000 })
    );
    assert_eq!(totals("status=failed").await["count"], 1);
    assert_eq!(totals("start=2026-11-21").await["gross"], 5_000);
}

#[tokio::test]
async fn a_sale_shows_its_fees_its_schedule_and_its_timeline() {
    let fixture = SaleListFixture::open().await;
    let path = format!("/api/transactions/{}", fixture.visa.facts.sale_id);
    let sale = fixture.client.get(&format!("{path}?receivables=1")).await;
    assert_eq!(sale.status, 200);
    assert_eq!(
        (sale.at("/plan_percentage_fee"), sale.at("/fees_total")),
        (&json!(1_500), &json!(1_500))
    );
    assert_eq!(sale.text("/plan/name"), "Plano de teste");
    let receivables = sale.at("/receivables").as_array().expect("a schedule");
    let nets: i64 = receivables.iter().filter_map(|part| part["net"].as_i64()).sum();
    assert_eq!((receivables.len(), nets), (3, 28_500));
    assert!(
        receivables
            .iter()
            .all(|part| part["status"] == "scheduled" && part["paid_on"].is_null())
    );
    assert_eq!(sale.text("/events/0/label"), "authorization");
    assert_eq!(
        (sale.text("/events/0/type"), sale.at("/events/0/amount")),
        ("SaleCaptured", &json!(30_000))
    );
    assert_eq!(fixture.client.get(&path).await.at("/receivables"), &json!([]));
}

#[tokio::test]
async fn another_company_s_sale_is_not_found() {
    let fixture = SaleListFixture::open().await;
    let foreign = fixture.foreign.facts.sale_id;
    for id in [
        foreign.to_string(),
        "sal_00000000-0000-4000-8000-000000000000".to_owned(),
        "venda".to_owned(),
    ] {
        assert_eq!(
            fixture
                .client
                .get(&format!("/api/transactions/{id}"))
                .await
                .status,
            404,
            "{id}"
        );
    }
    let path = format!("/api/transactions/{foreign}?business_id={}", fixture.other.id);
    assert_eq!(fixture.client.get(&path).await.status, 404);
}

#[tokio::test]
async fn the_home_page_has_the_figures_and_hides_balances_and_withdrawals_from_an_operator() {
    let fixture = SaleListFixture::open().await;
    let overview = fixture.client.get("/api/overview").await.body;
    assert_eq!(overview["today"], "2026-11-21");
    assert_eq!(overview["sales_today"], json!({ "count": 1, "gross": 5_000 }));
    assert_eq!(
        overview["sales_yesterday"],
        json!({ "count": 1, "gross": 30_000 })
    );
    assert_eq!(overview["sales_month"], json!({ "count": 2, "gross": 35_000 }));
    assert_eq!(
        overview["sales_previous_month"],
        json!({ "count": 1, "gross": 10_000 })
    );
    let period = &overview["period"];
    // Thirty days, of which the last is today.
    assert_eq!(period["parts"].as_array().map(Vec::len), Some(30));
    assert_eq!(
        period["parts"][28],
        json!({ "start": "2026-11-20", "end": "2026-11-20", "count": 1, "gross": 30_000, "net": 28_500 })
    );
    // The Elo sale of 40 days ago is not in the period.
    assert_eq!(
        overview["by_brand"],
        json!([{ "card_brand": "visa", "count": 1, "gross": 30_000 }])
    );
    assert_eq!(overview["latest_sales"].as_array().map(Vec::len), Some(5));
    assert!(overview["balance"].is_object() && overview["to_receive"].is_object());

    let operator = fixture
        .app
        .seller(&[(&fixture.company, SellerRole::Operator)])
        .await;
    let of_operator = fixture
        .app
        .sign_in(&operator)
        .await
        .get("/api/overview")
        .await
        .body;
    assert_eq!(
        (&of_operator["balance"], &of_operator["to_receive"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(of_operator["sales_month"], overview["sales_month"]);
    assert_eq!(of_operator["latest_withdrawals"], Value::Null);
    assert_eq!(overview["latest_withdrawals"], json!([]));
}

#[tokio::test]
async fn a_read_at_a_position_that_is_never_reached_is_marked_as_stale_and_an_invalid_one_is_a_422() {
    let fixture = SaleListFixture::open().await;
    let ahead = fixture.client.clone().with("ledger-position", "0:999999");
    let answer = ahead.get("/api/transactions").await;
    assert_eq!(
        (answer.status, answer.header("ledger-stale")),
        (200, Some("true"))
    );
    let invalid = fixture
        .client
        .clone()
        .with("ledger-position", "here")
        .get("/api/transactions")
        .await;
    assert_eq!(invalid.status, 422);
}
