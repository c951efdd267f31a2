//! The explanation of a net amount: for every kind of plan, its lines sum to the amount that the sale stores.

use gateway_identity::roles::AdminRole;
use gateway_platform::holidays::holiday_add;
use ledger_domain::sale::CardBrand;
use serde_json::{Value, json};

use super::{Client, Company, Sale, TestApp, advanced, boleto, credit, debit, effective, ok, seller_of};

fn cents(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is cents"))
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Captures the sale and returns its explanation, which is checked against the stored sale.
async fn explained(app: &TestApp, company: &Company, client: &Client, sale: &Sale) -> Value {
    let reached = app.capture(company, sale).await.to_string();
    let reader = client.clone().with("ledger-position", &reached);
    let path = format!("/api/transactions/{}", sale.facts.sale_id);
    let stored = ok(reader.get(&format!("{path}?receivables=1")).await).body;
    let reported = ok(reader.get(&format!("{path}/explanation")).await).body;
    assert_adds_up(&stored, &reported);
    reported
}

/// Checks that the lines and installments sum to the stored fees, net and schedule.
fn assert_adds_up(stored: &Value, reported: &Value) {
    assert_eq!(reported["plan"], stored["plan"]);
    assert_eq!(
        (&reported["gross"], &reported["net"]),
        (&stored["amount"], &stored["net_amount"])
    );
    for part in [
        "plan_percentage_fee",
        "plan_flat_fee",
        "plan_percentage_rate",
        "plan_flat_rate",
    ] {
        let lines = items(&reported["lines"])
            .iter()
            .filter(|line| line["part"] == part);
        let charged: i64 = lines.map(|line| cents(&line["charged"])).sum();
        assert_eq!(charged, cents(&stored[part]), "{part} of {reported}");
    }
    let lines = items(&stored["fee_lines"]);
    let charged = items(&reported["lines"])
        .iter()
        .map(|line| json!({ "part": line["part"], "rule": line["rule"], "charged": line["charged"] }));
    assert_eq!(
        lines,
        charged.filter(|line| line["charged"] != 0).collect::<Vec<_>>()
    );
    let total: i64 = lines.iter().map(|line| cents(&line["charged"])).sum();
    assert_eq!(total, cents(&stored["fees_total"]));
    let mut left = cents(&reported["gross"]);
    for line in items(&reported["lines"]) {
        left -= cents(&line["charged"]);
        assert_eq!(cents(&line["left"]), left, "{line}");
    }
    assert_eq!(left, cents(&reported["net"]));
    let (parts, receivables) = (items(&reported["installments"]), items(&stored["receivables"]));
    assert_eq!(parts.len(), receivables.len());
    for (part, receivable) in parts.iter().zip(receivables) {
        for field in ["number", "gross", "net", "due_date"] {
            assert_eq!(part[field], receivable[field], "{part}");
        }
        assert_eq!(cents(&part["gross"]) - cents(&part["fees"]), cents(&part["net"]));
    }
}

#[tokio::test]
async fn for_every_kind_of_plan_the_explanation_equals_the_stored_net() {
    let app = TestApp::start().await;
    let by_effective = app.company_with("Efetiva", effective).await;
    let by_advance = app.company_with("Antecipada", advanced).await;
    let by_mdr = app.company("Sem antecipação").await;
    let cases = [
        (&by_effective, credit(300_01, 3), vec!["effective"]),
        (
            &by_effective,
            credit(99_99, 3).brand(CardBrand::Elo),
            vec!["effective"],
        ),
        (&by_effective, debit(10_05), vec!["effective"]),
        (&by_mdr, credit(300_00, 3), vec!["mdr"]),
        (&by_mdr, boleto(50_00), vec!["boleto"]),
        (&by_mdr, Sale::pix(), vec!["pix_percent"]),
        (
            &by_advance,
            credit(300_00, 3),
            vec!["mdr", "advance", "percentage_rate", "flat_rate"],
        ),
        (
            &by_advance,
            credit(1_234_57, 21),
            vec!["mdr", "advance", "percentage_rate", "flat_rate"],
        ),
        (
            &by_advance,
            debit(77_77),
            vec!["mdr", "percentage_rate", "flat_rate"],
        ),
        (
            &by_advance,
            Sale::pix(),
            vec!["pix_fixed", "percentage_rate", "flat_rate"],
        ),
        (
            &by_advance,
            boleto(50_00),
            vec!["boleto", "percentage_rate", "flat_rate"],
        ),
    ];
    for (company, sale, rules) in cases {
        let client = seller_of(&app, company).await;
        let reported = explained(&app, company, &client, &sale).await;
        let named: Vec<&Value> = items(&reported["lines"])
            .iter()
            .map(|line| &line["rule"])
            .collect();
        assert_eq!(named, rules, "{:?}", sale.facts);
    }
}

#[tokio::test]
async fn a_line_has_its_rule_its_base_and_the_rounding() {
    let app = TestApp::start().await;
    let company = app.company_with("Antecipada", advanced).await;
    let client = seller_of(&app, &company).await;
    let reported = explained(&app, &company, &client, &credit(300_00, 3)).await;
    let mdr = json!({
        "part": "plan_percentage_fee", "rule": "mdr", "rate": "3.00", "listed_as": null, "group": "visamaster",
        "band": "credit_2to6", "installments": null, "settlement_days": null,
        "base": 300_00, "unrounded": "900.00", "charged": 900, "left": 291_00,
    });
    assert_eq!(reported["lines"][0], mdr);
    // 97,00 each at 1,5 % a month for 29, 59 and 89 days: 1,4065, 2,8615 and 4,3165. Each is rounded: 1,41 + 2,86 +
    // 4,32.
    let advance = json!({
        "part": "plan_percentage_fee", "rule": "advance", "rate": "1.50", "listed_as": null, "group": null,
        "band": null, "installments": null, "settlement_days": 1,
        "base": 291_00, "unrounded": "859.00", "charged": 859, "left": 282_41,
    });
    assert_eq!(reported["lines"][1], advance);
    assert_eq!(
        reported["installments"][0]["advance"],
        json!({ "base": 97_00, "days": 29, "unrounded": "140.65", "cost": 141 })
    );
    // 0,35 % of 282,41 is 98,8435 cents.
    assert_eq!(
        (
            &reported["lines"][2]["unrounded"],
            &reported["lines"][2]["charged"]
        ),
        (&json!("98.8435"), &json!(99))
    );
    assert_eq!(reported["net_is_split"], false);
}

#[tokio::test]
async fn an_effective_fee_names_its_row_of_the_fee_table() {
    let app = TestApp::start().await;
    let company = app.company_with("Efetiva", effective).await;
    let client = seller_of(&app, &company).await;
    let unknown = CardBrand::parse("cartão da loja").expect("a brand");
    for (brand, listed_as, percent) in [
        (CardBrand::Visa, json!("visa"), "4.49"),
        (CardBrand::VisaElectron, json!("visa"), "4.49"),
        (unknown, json!(null), "7.00"),
    ] {
        let reported = explained(&app, &company, &client, &credit(300_00, 3).brand(brand)).await;
        let line = &reported["lines"][0];
        assert_eq!(
            (&line["listed_as"], &line["rate"], &line["installments"]),
            (&listed_as, &json!(percent), &json!(3))
        );
    }
}

#[tokio::test]
async fn a_postponed_due_date_names_the_closed_days() {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let client = seller_of(&app, &company).await;
    let connection = app.app.state.pool.get().await.expect("a connection");
    let added = "2026-12-21".parse().expect("a date");
    holiday_add(&**connection, added, "Aniversário da cidade")
        .await
        .expect("a holiday");
    drop(connection);
    // 20 November plus 30 days is a Sunday. The Monday after it is the city's holiday.
    let reported = explained(&app, &company, &client, &credit(300_00, 3)).await;
    let first = &reported["installments"][0];
    assert_eq!(
        (&first["counted_to"], &first["due_date"]),
        (&json!("2026-12-20"), &json!("2026-12-22"))
    );
    assert_eq!(
        first["closed_days"],
        json!([
            { "date": "2026-12-20", "closure": "weekend", "name": null },
            { "date": "2026-12-21", "closure": "added", "name": "Aniversário da cidade" },
        ])
    );
    // 13 August: 12 September is a Saturday, 12 October a holiday, 11 November a banking day.
    let moved = explained(&app, &company, &client, &credit(300_00, 3).days_ago(100)).await;
    let dates: Vec<&Value> = items(&moved["installments"])
        .iter()
        .map(|part| &part["due_date"])
        .collect();
    assert_eq!(dates, ["2026-09-14", "2026-10-13", "2026-11-11"]);
    assert_eq!(
        moved["installments"][1]["closed_days"],
        json!([{ "date": "2026-10-12", "closure": "holiday", "name": "N. Sra. Aparecida" }])
    );
    assert_eq!(moved["installments"][2]["closed_days"], json!([]));
}

#[tokio::test]
async fn an_older_sale_is_explained_by_its_own_version_of_the_plan() {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let client = seller_of(&app, &company).await;
    let sale = Sale::card();
    let before = explained(&app, &company, &client, &sale).await;
    let id = before["plan"]["id"]
        .as_str()
        .and_then(|id| id.parse().ok())
        .expect("a plan");
    let connection = app.app.state.pool.get().await.expect("a connection");
    let second_version = ledger_domain::fees::PlanTerms {
        version: 2,
        ..advanced(id)
    };
    gateway_platform::plans::plan_version_add(
        &**connection,
        &second_version,
        gateway_platform::validity::Since::Now,
    )
    .await
    .expect("a version");
    drop(connection);
    let after = client
        .get(&format!("/api/transactions/{}/explanation", sale.facts.sale_id))
        .await;
    assert_eq!(ok(after).body, before);
}

#[tokio::test]
async fn uncaptured_sales_and_those_of_other_companies_have_no_explanation() {
    let app = TestApp::start().await;
    let (company, other) = (app.company("Padaria").await, app.company("Farmácia").await);
    let client = seller_of(&app, &company).await;
    let pending = Sale::pix();
    let mut reached = app.create_sale(&company, &pending).await;
    let foreign = Sale::card();
    reached.merge(&app.capture(&other, &foreign).await);
    let reader = client.with("ledger-position", &reached.to_string());
    for sale in [&pending, &foreign] {
        let path = format!("/api/transactions/{}/explanation", sale.facts.sale_id);
        assert_eq!(reader.get(&path).await.status, 404);
    }
    let staff = app.sign_in(&app.admin(&[AdminRole::Sac]).await).await;
    let path = format!("/api/admin/transactions/{}/explanation", foreign.facts.sale_id);
    assert_eq!(ok(staff.get(&path).await).at("/net"), &json!(285_00));
    let mismatch = format!("{path}?business_id={}", company.id);
    assert_eq!(staff.get(&mismatch).await.status, 404);
}
