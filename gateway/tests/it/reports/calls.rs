//! Calls of reports: figures, filters, errors and access.

use gateway_identity::roles::SellerRole;
use ledger_domain::sale::SaleTerminal;
use serde_json::{Value, json};

use crate::support::Sale;
use crate::support::movements::{MovementsFixture, rows};

/// 82 days with all sales of the fixture: the oldest is 75 days before the tests' today, 2026-11-21.
const PERIOD: &str = "start=2026-09-01&end=2026-11-21";

fn sum(rows: &[Value], path: &str) -> i64 {
    rows.iter()
        .map(|row| row.pointer(path).and_then(Value::as_i64).expect("a number"))
        .sum()
}

#[tokio::test]
async fn a_company_sees_its_own_figures_by_period_and_attribute() {
    let fixture = MovementsFixture::open().await;
    let report = fixture
        .seller
        .get(&format!("/api/transactions/report?group=month&{PERIOD}"))
        .await;
    assert_eq!(report.status, 200, "{}", report.body);
    let report = report.body;
    assert_eq!(report["group"], "month");
    // A report by month is compared with as many months, up to the same day of the month.
    assert_eq!(
        report["previous"],
        json!({ "start": "2026-06-01", "end": "2026-08-21" })
    );
    let totals = &report["totals"];
    assert_eq!((&totals["count"], &totals["gross"]), (&json!(2), &json!(350_00)));
    assert_eq!(
        totals["fees"].as_i64(),
        Some(350_00 - totals["net"].as_i64().expect("a net"))
    );
    // Two installments of the card sale, and the PIX sale.
    assert_eq!(totals["settled"]["count"], 3);
    let periods = report["periods"].as_array().expect("periods");
    let spans: Vec<_> = periods
        .iter()
        .map(|each| (&each["start"], &each["end"]))
        .collect();
    assert_eq!(spans.len(), 3);
    assert_eq!(spans[2], (&json!("2026-11-01"), &json!("2026-11-21")));
    for path in ["/count", "/gross", "/net", "/settled/amount"] {
        let of_periods = sum(periods, &format!("/figures{path}"));
        assert_eq!(
            Some(of_periods),
            totals.pointer(path).and_then(Value::as_i64),
            "{path}"
        );
        for breakdown in ["by_solution", "by_payment_type", "by_brand", "by_installments"] {
            let rows = report[breakdown].as_array().expect("rows");
            assert_eq!(
                sum(rows, &format!("/figures{path}")),
                of_periods,
                "{breakdown}{path}"
            );
        }
    }
    let financial = fixture
        .seller
        .get(&format!("/api/transactions/financial?{PERIOD}&perPage=10&page=2"))
        .await
        .body;
    assert_eq!(financial["totals"], report["totals"]);
    assert_eq!(financial["meta"]["total"], 82, "days");
    // The newest day is first, so the second page begins ten days before today.
    assert_eq!(rows(&financial)[0]["start"], "2026-11-11");
}

#[tokio::test]
async fn a_company_filters_its_figures() {
    let fixture = MovementsFixture::open().await;
    let pix = fixture
        .seller
        .get(&format!("/api/transactions/report?{PERIOD}&paymentType=pix"))
        .await
        .body;
    assert_eq!(pix["totals"]["gross"], 50_00);
    assert_eq!(pix["periods"].as_array().map(Vec::len), Some(82));
    let in_three = fixture
        .seller
        .get(&format!("/api/transactions/report?{PERIOD}&installments=3"))
        .await
        .body;
    assert_eq!(in_three["totals"]["gross"], 300_00);
    let empty = fixture
        .seller
        .get("/api/transactions/report?start=2020-01-01&end=2020-01-31")
        .await
        .body;
    assert_eq!(
        (&empty["totals"]["gross"], &empty["by_brand"]),
        (&json!(0), &json!([]))
    );
    assert_eq!(
        empty["previous"],
        json!({ "start": "2019-12-01", "end": "2019-12-31" })
    );
}

#[tokio::test]
async fn staff_see_all_companies_and_the_revenue_of_the_platform() {
    let fixture = MovementsFixture::open().await;
    let billing = fixture
        .staff
        .get(&format!("/api/admin/transactions/billing?{PERIOD}"))
        .await
        .body;
    assert_eq!(billing["group"], "day");
    assert_eq!(billing["totals"]["count"], 4);
    let fees = &billing["platform_fees"];
    assert_eq!(fees["sales"], billing["totals"]["fees"]);
    // Of the three withdrawals, one is approved. Its fee is R$ 3,50.
    assert_eq!(
        (&fees["withdrawals"], &fees["rentals"]),
        (&json!(3_50), &json!(0))
    );
    let periods = billing["periods"].as_array().expect("periods");
    assert_eq!(Some(sum(periods, "/platform_fees/total")), fees["total"].as_i64());

    let by_company = fixture
        .staff
        .get(&format!(
            "/api/admin/transactions/billing/businesses?{PERIOD}&sort=gross&order=asc"
        ))
        .await
        .body;
    assert_eq!(by_company["group"], "month");
    assert_eq!(&by_company["platform_fees"], fees);
    let names: Vec<_> = rows(&by_company)
        .iter()
        .map(|row| row["business"]["name"].clone())
        .collect();
    assert_eq!(names, ["Farmácia São João", "Padaria Aurora"]);
    assert_eq!(
        Some(sum(rows(&by_company), "/platform_fees/total")),
        fees["total"].as_i64()
    );

    let by_name = fixture
        .staff
        .get(&format!(
            "/api/admin/transactions/total/sales?{PERIOD}&sort=name&order=desc&perPage=1"
        ))
        .await
        .body;
    assert_eq!(by_name["meta"]["total"], 2);
    assert_eq!(rows(&by_name)[0]["business"]["name"], "Padaria Aurora");
    assert_eq!(by_name["totals"], billing["totals"]);
    let all = fixture
        .staff
        .get(&format!("/api/admin/transactions/financial/all?{PERIOD}"))
        .await
        .body;
    assert_eq!(
        sum(rows(&all), "/figures/settled/amount"),
        sum(periods, "/figures/settled/amount")
    );
}

#[tokio::test]
async fn staff_see_the_hours_of_today() {
    let fixture = MovementsFixture::open().await;
    let hours = fixture
        .staff
        .get("/api/admin/transactions/billing?group=hour")
        .await
        .body;
    assert_eq!(hours["periods"].as_array().map(Vec::len), Some(24));
    let sold: Vec<_> = hours["periods"]
        .as_array()
        .expect("periods")
        .iter()
        .filter(|period| period["figures"]["count"] == 1)
        .map(|period| (&period["start"], &period["end"]))
        .collect();
    // The second sale of the other company.
    let noon = (
        &json!("2026-11-21T15:00:00Z"),
        &json!("2026-11-21T15:59:59.999999Z"),
    );
    assert_eq!(sold, [noon]);
    assert_eq!(hours["totals"]["gross"], 50_00);
}

#[tokio::test]
async fn staff_filter_the_companies_by_a_user_with_access() {
    let fixture = MovementsFixture::open().await;
    let user = fixture
        .app
        .seller(&[(&fixture.other, SellerRole::Operator)])
        .await;
    let of_user = format!("/api/admin/transactions/total/sales?{PERIOD}&user_id={}", user.id);
    let accessible = fixture.staff.get(&of_user).await.body;
    assert_eq!(rows(&accessible).len(), 1);
    assert_eq!(accessible["totals"]["gross"], 100_00);
    let path = format!("{of_user}&business_id={}", fixture.company.id);
    let without_access = fixture.staff.get(&path).await.body;
    assert_eq!(
        (rows(&without_access).len(), &without_access["totals"]["count"]),
        (0, &json!(0))
    );
}

#[tokio::test]
async fn the_report_of_terminals_has_idle_ones_and_any_other_that_sold_for_the_company() {
    let fixture = MovementsFixture::open().await;
    let (app, company) = (&fixture.app, &fixture.company);
    let used = app.terminal(company, "PDV-1", None).await;
    app.terminal(company, "PDV-2", None).await;
    app.terminal(&fixture.other, "PDV-3", None).await;
    let mut sale = Sale::pix().days_ago(0);
    sale.facts.terminal = Some(SaleTerminal {
        id: used,
        serial_number: "PDV-1".to_owned(),
    });
    app.capture(company, &sale).await;
    let path = format!("/api/business/{}/terminals/sales?{PERIOD}", company.id);
    let position = app.ledger_position().await.to_string();
    let seller = fixture.seller.with("ledger-position", &position);
    let report = seller.get(&path).await.body;
    let shown: Vec<_> = rows(&report)
        .iter()
        .map(|row| json!([row["terminal"]["current"], row["figures"]["gross"], row["idle"]]))
        .collect();
    // By gross. The machine of the fixture's card sale belongs to no company.
    assert_eq!(
        shown,
        [
            json!([false, 300_00, false]),
            json!([true, 50_00, false]),
            json!([true, 0, true])
        ]
    );
    assert_eq!(rows(&report)[1]["terminal"]["serial_number"], "PDV-1");
    assert_eq!(
        (&report["idle_count"], &report["totals"]["count"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(report["business"]["name"], "Padaria Aurora");
    let staff = fixture.staff.with("ledger-position", &position);
    let of_staff = staff
        .get(&format!(
            "/api/admin/businesses/{}/terminals/sales?{PERIOD}&order=asc",
            company.id
        ))
        .await
        .body;
    assert_eq!(of_staff["totals"], report["totals"]);
    assert_eq!(rows(&of_staff)[0]["idle"], true);
}

#[tokio::test]
async fn invalid_queries_are_a_422_and_other_sellers_companies_a_404() {
    let fixture = MovementsFixture::open().await;
    for (query, field) in [
        ("group=year", "group"),
        ("start=2026-11-21&end=2026-11-20", "end"),
        // By hour, a period has at most 48 hours, and begins at most 48 hours ago.
        ("group=hour&start=2026-11-18&end=2026-11-21", "end"),
        ("group=hour&start=2026-11-18&end=2026-11-18", "start"),
        ("installments=22", "installments"),
        // By day, a period has at most 400 days.
        ("start=2025-01-01&end=2026-11-21", "end"),
        ("start=ontem", "start"),
        ("solution=9", "solution"),
    ] {
        let paths = [
            (&fixture.seller, "/api/transactions/report"),
            (&fixture.staff, "/api/admin/transactions/billing"),
        ];
        for (client, path) in paths {
            let refused = client.get(&format!("{path}?{query}")).await;
            assert_eq!(refused.status, 422, "{path}?{query}");
            let errors = refused.body["errors"].as_object().expect("errors");
            assert_eq!(errors.keys().collect::<Vec<_>>(), [field], "{query}");
        }
    }
    let other = fixture.other.id;
    for path in [
        format!("/api/transactions/report?business_id={other}"),
        format!("/api/transactions/financial?business_id={other}"),
        format!("/api/business/{other}/terminals/sales"),
    ] {
        let refused = fixture.seller.get(&path).await;
        assert_eq!(refused.status, 404, "{path}: {}", refused.body);
    }
    let unknown = "/api/admin/businesses/biz_0193f0a0-5b1e-7c3a-9d7e-000000000000/terminals/sales";
    assert_eq!(fixture.staff.get(unknown).await.status, 404);
}
