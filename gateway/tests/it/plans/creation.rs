//! New sales plans: required and invalid fields, repeated requests, and the list.

use gateway_identity::roles::AdminRole;
use serde_json::{Value, json};

use super::{PLANS, PlanFixture, assert_errors, effective_form, fee, mdr_form, ok, path};

#[tokio::test]
async fn a_created_plan_returns_its_fees_as_they_were_sent() {
    let fixture = PlanFixture::open().await;
    let form = effective_form(" Maquininha   padrão ");
    let made = fixture.created(form.clone()).await;
    assert_eq!(made["description"], "Maquininha padrão");
    assert_eq!((&made["active"], &made["default"]), (&json!(true), &json!(false)));
    assert_eq!((&made["version"], &made["revision"]), (&json!(1), &json!(1)));
    let current = &made["current"];
    assert_eq!(
        (&current["mdr"], &current["pix_fee"]),
        (&json!(false), &json!(99))
    );
    assert_eq!(current["mdr_debit_fee_others"], Value::Null);
    let key = |fee: &Value| {
        let text = |field: &str| fee[field].as_str().expect("a text").to_owned();
        let rate: f64 = text("percent_amount").parse().expect("a rate");
        (
            text("card_brand"),
            text("payment_type"),
            fee["number_installments"].as_u64(),
            (rate * 100.0).round(),
        )
    };
    let sorted = |fees: &Value| {
        let mut fees: Vec<_> = fees.as_array().expect("fees").iter().map(key).collect();
        fees.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
        fees
    };
    assert_eq!(sorted(&current["fees"]), sorted(&form["fees"]));
    // 14 brands, each with debit and 21 numbers of installments.
    assert_eq!(sorted(&form["fees"]).len(), 14 * 22);

    let mdr = fixture.created(mdr_form("MDR", "3.49", "1.8")).await;
    assert_eq!(mdr["current"]["mdr_credit_2to6_fee_others"], "3.49");
    assert_eq!(mdr["current"]["mdr_advance_fee_visamaster"], "1.8");
    assert_eq!(mdr["current"]["fees"], json!([]));
    assert_eq!(ok(fixture.staff.get(&path(&mdr)).await), mdr);
}

#[tokio::test]
async fn all_missing_fields_are_named_at_once() {
    let fixture = PlanFixture::open().await;
    let refused = fixture
        .staff
        .post(PLANS, json!({ "mdr": true, "solution_id": 4 }))
        .await;
    let mut expected = json!({});
    for field in [
        "description",
        "percentage_rate",
        "flat_rate",
        "settlement_days",
        "boleto_fee",
        "pix_fee",
    ] {
        expected[field] = json!(["requerido"]);
    }
    for (field, _) in mdr_form("", "1", "1").as_object().expect("a form") {
        if field.starts_with("mdr_") {
            expected[field] = json!(["requerido"]);
        }
    }
    assert_errors(&refused, expected);
    let refused = fixture.staff.post(PLANS, json!({})).await;
    let errors = refused.at("/errors");
    for field in ["mdr", "solution_id"] {
        assert_eq!(errors[field], json!(["requerido"]), "{errors}");
    }
    let mut form = effective_form("Sem taxas");
    form["fees"] = json!([]);
    assert_errors(
        &fixture.staff.post(PLANS, form).await,
        json!({ "fees": ["requerido"] }),
    );
}

#[tokio::test]
async fn a_debit_or_installment_fee_of_zero_or_without_a_value_is_refused() {
    let fixture = PlanFixture::open().await;
    let invalid = json!(["Valor inválido"]);
    let mut form = mdr_form("MDR", "3.49", "0");
    form["pix_fee"] = json!("abc");
    let mut expected = json!({ "pix_fee": invalid });
    for (field, fee, message) in [
        ("mdr_debit_fee_visamaster", "0", "Valor inválido"),
        ("mdr_credit_1_fee_visamaster", "0 ", "Valor inválido"),
        ("mdr_credit_2to6_fee_visamaster", " 0.00 ", "Valor inválido"),
        ("mdr_credit_7to12_fee_others", "0.00", "Valor inválido"),
        ("mdr_credit_13to21_fee_others", " 0,00 ", "Valor inválido"),
        ("mdr_debit_fee_others", "", "requerido"),
        ("mdr_credit_1_fee_others", "  ", "requerido"),
    ] {
        form[field] = json!(fee);
        expected[field] = json!([message]);
    }
    assert_errors(&fixture.staff.post(PLANS, form).await, expected);
    let mut form = effective_form("Efetiva");
    let fees = form["fees"].as_array_mut().expect("fees");
    let mut expected = json!({ "fees.elo.12": invalid });
    // The first fee is that of debit, and the place of the others is their number of installments.
    for (place, field, fee) in [
        (0, "fees.visa.debit", "0"),
        (1, "fees.visa.1", "0 "),
        (2, "fees.visa.2", " 0.00 "),
        (3, "fees.visa.3", " 0,00 "),
        (20, "fees.visa.20", "  "),
        (21, "fees.visa.21", ""),
    ] {
        fees[place]["percent_amount"] = json!(fee);
        expected[field] = invalid.clone();
    }
    fees.retain(|fee| !(fee["card_brand"] == "elo" && fee["number_installments"] == 12));
    assert_errors(&fixture.staff.post(PLANS, form).await, expected);
}

#[tokio::test]
async fn invalid_values_are_named_by_their_field() {
    let fixture = PlanFixture::open().await;
    let refuse = async |field: &str, value: Value, named: &str, message: &str| {
        let mut form = mdr_form("MDR", "3.49", "1.8");
        form[field] = value;
        let refused = fixture.staff.post(PLANS, form).await;
        assert_errors(&refused, json!({ named: [message] }));
    };
    refuse(
        "settlement_days",
        json!(100),
        "settlement_days",
        "Deve ser de 0 a 99.",
    )
    .await;
    refuse(
        "settlement_days",
        json!(-1),
        "settlement_days",
        "Deve ser de 0 a 99.",
    )
    .await;
    refuse("solution_id", json!(5), "solution_id", "Valor inválido").await;
    refuse("flat_rate", json!(-1), "flat_rate", "Valor inválido").await;
    // The panel has the same limit.
    for above in ["99.0001", "100", "100.01"] {
        for field in ["percentage_rate", "mdr_credit_1_fee_visamaster", "pix_fee"] {
            refuse(field, json!(above), field, "Valor inválido").await;
        }
    }
    refuse(
        "percentage_rate",
        json!("0,35"),
        "percentage_rate",
        "Valor inválido",
    )
    .await;
    refuse("pix_fee_fixed", json!(true), "pix_fee", "Valor inválido").await;
    refuse(
        "valid_from",
        json!("2026-11-20T00:00:00Z"),
        "valid_from",
        "A data deve ser futura.",
    )
    .await;
    refuse(
        "settlement_days",
        json!("um"),
        "settlement_days",
        "Valor inválido.",
    )
    .await;
}

#[tokio::test]
async fn an_invalid_or_repeated_fee_is_named_by_its_place_in_the_form() {
    let fixture = PlanFixture::open().await;
    let mut form = effective_form("Efetiva");
    let fees = form["fees"].as_array_mut().expect("fees");
    let first = fees.len();
    fees.push(fee("maestro", "credit", 1, "1"));
    fees.push(fee("visa", "debit", 2, "1"));
    fees.push(fee("visa", "pix", 1, "1"));
    fees.push(fee("visa", "credit", 3, "1"));
    fees.push(fee("visa", "credit", 5, "abc"));
    let twice = "Há mais de uma taxa para esta bandeira, forma de pagamento e número de parcelas.";
    assert_errors(
        &fixture.staff.post(PLANS, form).await,
        json!({
            format!("fees[{first}].card_brand"): ["Valor inválido"],
            format!("fees[{}].number_installments", first + 1): ["Valor inválido"],
            format!("fees[{}].payment_type", first + 2): ["Valor inválido"],
            format!("fees[{}]", first + 3): [twice],
            format!("fees[{}]", first + 4): [twice],
            "fees.visa.5": ["Valor inválido"],
        }),
    );
}

#[tokio::test]
async fn a_request_that_is_sent_twice_creates_one_plan() {
    let fixture = PlanFixture::open().await;
    let keyed = fixture.staff.clone().with("idempotency-key", "plano-1");
    let first = keyed.post(PLANS, mdr_form("MDR", "3.49", "1.8")).await;
    let again = keyed.post(PLANS, mdr_form("MDR", "3.49", "1.8")).await;
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(first.text("/id"), again.text("/id"));
}

#[tokio::test]
async fn the_list_is_searched_filtered_sorted_and_paged_and_select_fields_offer_active_plans() {
    let fixture = PlanFixture::open().await;
    for description in ["Básico", "Avançado", "Clássico"] {
        fixture.created(mdr_form(description, "3.49", "1.8")).await;
    }
    let mut link = mdr_form("Link básico", "4.49", "0");
    (link["solution_id"], link["active"]) = (json!(4), json!(false));
    fixture.created(link).await;
    let names = async |query: &str| -> Vec<String> {
        let page = ok(fixture.staff.get(&format!("{PLANS}?{query}")).await);
        let rows = page["data"].as_array().expect("rows").iter();
        rows.map(|row| row["description"].as_str().expect("a text").to_owned())
            .collect()
    };
    assert_eq!(names("search=basico").await, ["Link básico", "Básico"]);
    assert_eq!(names("solution=4").await, ["Link básico"]);
    assert_eq!(names("active=0").await, ["Link básico"]);
    let sorted = names("sort=description&order=asc&perPage=2&page=1").await;
    assert_eq!(sorted, ["Avançado", "Básico"]);
    let refused = fixture
        .staff
        .get(&format!("{PLANS}?sort=preco&solution=7&active=2&perPage=0"))
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
        (422, "active perPage solution sort".to_owned())
    );
    // Select fields offer active plans only.
    let sac = fixture.app.admin(&[AdminRole::Sac]).await;
    let sac = fixture.app.sign_in(&sac).await;
    let offered = ok(sac.get(&format!("{PLANS}/all?solution=4")).await);
    assert_eq!(offered["data"], json!([]));
    let offered = ok(sac.get(&format!("{PLANS}/all")).await);
    assert_eq!(
        offered["data"].as_array().map(Vec::len),
        Some(4),
        "the three active plans above and the company's"
    );
}
