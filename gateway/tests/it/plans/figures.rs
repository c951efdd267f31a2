//! The prices and fees of a plan, as sellers and staff see them.

use gateway_identity::roles::SellerRole;
use serde_json::{Value, json};

use super::{PLANS, PlanFixture, effective_form, mdr_form, ok};
use crate::support::Client;

/// The seller's table of prices for Visa. `payer`, the seller or the buyer, pays the fees.
struct PriceTable<'a> {
    seller: &'a Client,
    payer: &'a str,
}

impl PriceTable<'_> {
    /// The price in this number of installments.
    async fn price(&self, amount: i64, installments: usize) -> Value {
        let table = format!(
            "/api/business/plan/simulation/table?solution=1&amount={amount}&brand=visa&payer={}",
            self.payer
        );
        let table = ok(self.seller.get(&table).await);
        let rows = table["rows"].as_array().expect("rows");
        // Debit, 21 numbers of installments, PIX and boleto.
        assert_eq!(rows.len(), 24);
        assert_eq!(rows[installments]["installments"], installments);
        rows[installments]["price"].clone()
    }
}

#[tokio::test]
async fn the_table_of_prices_has_the_figures_worked_out_by_hand() {
    let fixture = PlanFixture::open().await;
    let seller = fixture.seller(SellerRole::Operator).await;
    let paid_by_seller = PriceTable {
        seller: &seller,
        payer: "seller",
    };
    let plan = fixture.created(mdr_form("Figuras", "3", "1.5")).await;
    fixture.give(&plan).await;
    let price = paid_by_seller.price(300_00, 3).await;
    // 3 % of 300,00 is 9,00. Each installment of 97,00 is advanced at 1,5 % in 30 days, for 29, 59 and 89 days: 1,41 +
    // 2,86 + 4,32 = 8,59.
    assert_eq!(
        (&price["net"], &price["fees_total"]),
        (&json!(282_41), &json!(17_59))
    );
    for (rate, advance, amount, count, net) in [
        // 3,49 % is 20,94, and the advances are 1,68 + 3,42 + 5,15 + 6,89 + 8,63 + 10,37 = 36,14.
        ("3.49", "1.8", 600_00, 6, 542_92),
        // 3,99 % is 39,90, and the twelve advances are 111,72.
        ("3.99", "1.8", 1_000_00, 12, 848_38),
        ("3.49", "0", 100_00, 3, 96_51),
        // 3,99 % is 11,96601, rounded to 11,97.
        ("3.99", "0", 299_90, 12, 287_93),
    ] {
        let form = mdr_form("Figuras", rate, advance);
        fixture.changed(&plan, form).await;
        assert_eq!(
            paid_by_seller.price(amount, count).await["net"],
            net,
            "{rate} {advance}"
        );
    }
    // The buyer is charged the smallest amount whose net is at least the seller's amount.
    let paid_by_buyer = PriceTable {
        seller: &seller,
        payer: "buyer",
    };
    fixture.changed(&plan, mdr_form("Figuras", "6.91", "0")).await;
    let price = paid_by_buyer.price(1_000_00, 3).await;
    // 1.000,00 ÷ (1 − 6,91 %).
    assert_eq!(price["charged"], 1_074_23);
    assert_eq!(price["installment_amounts"], json!([358_09, 358_07, 358_07]));
    let mut flat = mdr_form("Figuras", "3.99", "0");
    flat["flat_rate"] = json!(50);
    fixture.changed(&plan, flat).await;
    // (100,00 + 0,50) ÷ (1 − 3,99 %).
    assert_eq!(paid_by_buyer.price(100_00, 1).await["charged"], 104_68);
    fixture
        .changed(
            &plan,
            json!({
                "flat_rate": 0, "mdr_advance_fee_visamaster": "1.8",
            }),
        )
        .await;
    // Each installment's advance is rounded, so that the smallest amount is found by a search.
    assert_eq!(paid_by_buyer.price(100_18, 12).await["charged"], 118_03);
    assert_eq!(paid_by_buyer.price(100_27, 12).await["charged"], 118_23);
}

#[tokio::test]
async fn the_table_equals_the_simulation_of_one_sale() {
    let fixture = PlanFixture::open().await;
    let seller = fixture.seller(SellerRole::Owner).await;
    let plan = fixture.created(effective_form("Efetiva")).await;
    fixture.give(&plan).await;
    let table = "/api/business/plan/simulation/table?solution=1&amount=12345&brand=elo";
    let table = ok(seller.get(table).await);
    for row in table["rows"].as_array().expect("rows") {
        let (payment_type, count) = (
            row["payment_type"].as_str().expect("a type"),
            &row["installments"],
        );
        let one = format!(
            "/api/business/plan/simulation?solution=1&amount=12345&brand=elo&paymentType={payment_type}&installments={count}"
        );
        assert_eq!(ok(seller.get(&one).await), row["price"], "{payment_type} {count}");
        assert_eq!(row["reason"], Value::Null);
    }
    // A row without a price states the reason.
    let table = "/api/business/plan/simulation/table?solution=1&amount=9999999999&brand=elo&payer=buyer";
    let row = &ok(seller.get(table).await)["rows"][1];
    assert_eq!(row["price"], Value::Null);
    assert_eq!(
        row["reason"],
        "Neste plano, nenhum valor de venda resulta neste valor líquido."
    );
    let refused = seller
        .get("/api/business/plan/simulation/table?amount=0&payer=bank")
        .await;
    let fields: Vec<_> = refused
        .at("/errors")
        .as_object()
        .expect("errors")
        .keys()
        .cloned()
        .collect();
    assert_eq!(
        (refused.status, fields.join(" ")),
        (422, "amount brand payer solution".to_owned())
    );
}

#[tokio::test]
async fn sellers_see_the_fees_by_group_of_brands() {
    let fixture = PlanFixture::open().await;
    let seller = fixture.seller(SellerRole::Owner).await;
    let plan = fixture.created(effective_form("Efetiva")).await;
    fixture.give(&plan).await;
    let shown = ok(seller.get("/api/business/plan?solution=1").await);
    assert_eq!(
        (&shown["mdr"], &shown["settlement_days"]),
        (&json!(false), &json!(2))
    );
    assert_eq!(
        (&shown["pix_fee"], &shown["pix_fee_fixed"]),
        (&json!(99), &json!(true))
    );
    let groups = shown["groups"].as_array().expect("groups");
    assert_eq!(groups.len(), 2);
    assert_eq!(groups[0]["brands"], json!(["visa", "mastercard"]));
    assert_eq!(
        (&groups[0]["debit"], &groups[0]["credit"][20]),
        (&json!("1.99"), &json!("13.49"))
    );
    assert_eq!(groups[1]["brands"].as_array().map(Vec::len), Some(12));
    fixture.changed(&plan, mdr_form("MDR", "3.49", "1.8")).await;
    let shown = ok(seller.get("/api/business/plan?solution=1").await);
    // The two groups stay apart, also with the same fees.
    assert_eq!(shown["groups"].as_array().map(Vec::len), Some(2));
    assert_eq!(shown["groups"][0]["advance"], "1.8");
    let none = seller.get("/api/business/plan?solution=4").await;
    assert_eq!(
        none.at("/errors/solution/0"),
        "Não há plano em vigor para esta solução."
    );
    let operator = fixture.seller(SellerRole::Operator).await;
    assert_eq!(operator.get("/api/business/plan?solution=1").await.status, 403);
}

#[tokio::test]
async fn a_preview_prices_an_unfinished_form_and_saves_nothing() {
    let fixture = PlanFixture::open().await;
    let preview = async |form: Value| {
        let preview = ok(fixture.staff.post(&format!("{PLANS}/preview"), form).await);
        let nets = preview["rows"].as_array().expect("rows").iter();
        nets.map(|row| (row["visamaster"].as_i64(), row["others"].as_i64()))
            .collect::<Vec<_>>()
    };
    // The net of R$ 100,00: debit; 1, 6, 12 and 21 installments; PIX; boleto.
    let effective = preview(effective_form("Efetiva")).await;
    assert_eq!(effective[0], (Some(98_01), Some(97_51)));
    assert_eq!(
        effective[1..5].iter().map(|net| net.0).collect::<Vec<_>>(),
        [Some(96_51), Some(94_01), Some(91_01), Some(86_51)]
    );
    assert_eq!(effective[5], (Some(99_01), None));
    // Visa has no debit fee yet, and the fee of 6 installments is no number.
    let mut form = effective_form("Efetiva");
    for fee in form["fees"].as_array_mut().expect("fees") {
        let sale = (
            &fee["card_brand"],
            &fee["payment_type"],
            &fee["number_installments"],
        );
        if sale == (&json!("visa"), &json!("debit"), &json!(1)) {
            fee["percent_amount"] = json!("");
        } else if sale == (&json!("visa"), &json!("credit"), &json!(6)) {
            fee["percent_amount"] = json!("x");
        }
    }
    let unfinished = preview(form).await;
    assert_eq!(
        unfinished.iter().map(|net| net.0.is_some()).collect::<Vec<_>>(),
        [false, true, false, true, true, true, true]
    );
    assert_eq!(unfinished[0].1, effective[0].1, "the fees of other brands");
    let mut form = mdr_form("MDR", "3", "1.5");
    form["mdr_debit_fee_others"] = json!("");
    let mdr = preview(form.clone()).await;
    assert_eq!(mdr.iter().map(|net| net.1).collect::<Vec<_>>(), [None; 7]);
    assert!(mdr[4].0.is_some_and(|net| net < 97_00));
    form["percentage_rate"] = json!("x");
    assert_eq!(preview(form).await, [(None, None); 7]);
    assert_eq!(preview(json!({})).await, [(None, None); 7]);
    assert_eq!(
        fixture
            .app
            .count("SELECT count(*) FROM audit_log WHERE subject = 'plan'")
            .await,
        0
    );
}
