//! The simulation of fees: a sale of the same amount then stores the simulated figures, whether the seller or the
//! buyer bears the fees.

use ledger_domain::sale::PaymentType;
use serde_json::{Value, json};

use super::{Client, Company, Sale, TestApp, advanced, boleto, credit, debit, effective, ok, seller_of};

/// The address of a simulation: the attributes of `sale`, with another amount. `payer` is `seller` or `buyer`.
fn path(sale: &Sale, amount: i64, payer: &str) -> String {
    let facts = &sale.facts;
    let brand = facts
        .card_brand
        .as_ref()
        .map_or(String::new(), |brand| format!("&brand={}", brand.as_str()));
    format!(
        "/api/business/plan/simulation?solution=1&amount={amount}&paymentType={}&installments={}&payer={payer}{brand}",
        facts.payment_type, facts.installments
    )
}

/// Captures a sale of the simulated amount today, and compares all its figures with the simulation.
async fn assert_sale_equals(
    app: &TestApp,
    company: &Company,
    client: &Client,
    sale: &Sale,
    simulated: &Value,
) {
    let amount = simulated["charged"].as_i64().expect("cents");
    let mut sale = sale.clone().amount(amount).days_ago(0);
    // Each capture is another sale.
    let new = Sale::card().facts;
    (sale.facts.sale_id, sale.facts.external_id) = (new.sale_id, new.external_id);
    let reached = app.capture(company, &sale).await.to_string();
    let reader = client.clone().with("ledger-position", &reached);
    let stored = format!("/api/transactions/{}?receivables=1", sale.facts.sale_id);
    let stored = ok(reader.get(&stored).await).body;
    assert_eq!(simulated["net"], stored["net_amount"]);
    assert_eq!(simulated["fees_total"], stored["fees_total"]);
    assert_eq!(simulated["plan"], stored["plan"]);
    assert_eq!(simulated["fee_lines"], stored["fee_lines"]);
    for (fee, cents) in simulated["fees"].as_object().expect("fees") {
        assert_eq!(*cents, stored[fee], "{fee}");
    }
    let parts = stored["receivables"].as_array().expect("a schedule");
    assert_eq!(
        simulated["receivables"].as_array().map(Vec::len),
        Some(parts.len())
    );
    for (at, part) in parts.iter().enumerate() {
        assert_eq!(simulated["installment_amounts"][at], part["gross"]);
        for field in ["number", "gross", "net", "due_date"] {
            assert_eq!(simulated["receivables"][at][field], part[field]);
        }
    }
}

#[tokio::test]
async fn a_simulation_equals_the_later_sale_for_both_payers_of_the_fees() {
    let app = TestApp::start().await;
    let by_effective = app.company_with("Efetiva", effective).await;
    let by_advance = app.company_with("Antecipada", advanced).await;
    // The amounts of these sales are not used: the simulation gives them.
    for (company, sale) in [
        (&by_effective, credit(0, 3)),
        (&by_effective, debit(0)),
        (&by_advance, credit(0, 1)),
        (&by_advance, credit(0, 12)),
        (&by_advance, Sale::pix()),
        (&by_advance, boleto(0)),
    ] {
        let client = seller_of(&app, company).await;
        for amount in [100_00, 333_33, 9_999_99] {
            let absorbed = ok(client.get(&path(&sale, amount, "seller")).await).body;
            assert_eq!(absorbed["charged"], amount);
            assert_sale_equals(&app, company, &client, &sale, &absorbed).await;

            let passed_on = ok(client.get(&path(&sale, amount, "buyer")).await).body;
            let net = passed_on["net"].as_i64().expect("cents");
            // Because of rounding, there may be no gross with exactly this net. The net is never lower, and the next
            // lower gross has a lower net.
            assert!(net >= amount, "{net} of {amount}");
            let charged = passed_on["charged"].as_i64().expect("cents");
            let cheaper = ok(client.get(&path(&sale, charged - 1, "seller")).await).body;
            assert!(
                cheaper["net"].as_i64().expect("cents") < amount,
                "{cheaper} for {amount}"
            );
            assert_sale_equals(&app, company, &client, &sale, &passed_on).await;
        }
    }
}

#[tokio::test]
async fn an_impossible_simulation_is_a_422_that_names_the_field() {
    let app = TestApp::start().await;
    let company = app.company_with("Efetiva", effective).await;
    let client = seller_of(&app, &company).await;
    let base = "/api/business/plan/simulation?solution=1";
    for (query, field) in [
        ("", "amount"),
        ("&amount=10000&paymentType=dinheiro", "paymentType"),
        ("&amount=10000&paymentType=credit&installments=3", "brand"),
        (
            "&amount=10000&paymentType=credit&brand=amex&installments=3",
            "brand",
        ),
        (
            "&amount=10000&paymentType=debit&brand=visa&installments=2",
            "installments",
        ),
        (
            "&amount=10000&paymentType=credit&brand=visa&installments=22",
            "installments",
        ),
        ("&amount=0&paymentType=pix", "amount"),
        ("&amount=10000000000&paymentType=pix", "amount"),
        ("&amount=9999999999&paymentType=pix&payer=buyer", "amount"),
        ("&amount=10000&paymentType=pix&payer=bank", "payer"),
        ("&amount=10000&paymentType=pix&solution=9", "solution"),
        // The company has a plan for card machines only. The second `solution` counts.
        ("&amount=10000&paymentType=pix&solution=2", "solution"),
    ] {
        let answer = client.get(&format!("{base}{query}")).await;
        assert_eq!(answer.status, 422, "{query}: {}", answer.body);
        assert!(
            answer.at("/errors").get(field).is_some(),
            "{query}: {}",
            answer.body
        );
    }
    assert_eq!(PaymentType::INSTALLMENTS_MAX, 21, "so 22 above is one too many");
    let minimal = ok(client.get(&format!("{base}&amount=10000&paymentType=pix")).await).body;
    assert_eq!(
        (&minimal["charged"], &minimal["net"]),
        (&json!(10_000), &json!(9_900))
    );
    let due_date = &minimal["receivables"][0]["due_date"];
    // A Saturday plus four days is a Wednesday.
    assert_eq!(due_date, "2026-11-25");
}
