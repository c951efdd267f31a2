//! The names of payments: from notices to the page of a sale, and the search of sales by each of them.

use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_platform::providers::CanonicalNotice;
use projections::replay;
use serde_json::{Value, json};

use crate::support::acquirer::{app_and_company, capture, json_of, with_type};
use crate::support::{Client, Company, TestApp};

const E2E: &str = "E60746948202611201500A1b2C3d4E5f";
const RETURN: &str = "D60746948202611211000X1y2Z3w4V5u";

/// All names that a notice may have, by field.
fn all_names() -> Value {
    json!({
        "end_to_end_id": E2E, "txid": "PADARIA0001", "nsu": "000123456", "tid": "10069930690009F2A4C6",
        "acquirer_id": "chg-77", "our_number": "14/000000001-5",
        "three_d_secure": { "version": "2.2.0", "eci": "05", "liability": "issuer" },
    })
}

/// The notice with more fields of its data.
fn with_names(notice: &CanonicalNotice, names: &Value) -> Value {
    let mut notice = json_of(notice);
    for (field, value) in names.as_object().expect("names") {
        notice["data"][field] = value.clone();
    }
    notice
}

/// Like `with_names`, as another notice.
fn another(notice: &CanonicalNotice, id: &str, names: &Value) -> Value {
    let mut notice = with_names(notice, names);
    notice["id"] = json!(id);
    notice
}

async fn staff(app: &TestApp) -> Client {
    let admin = app.admin(&[AdminRole::Owner]).await;
    let position = app.ledger_position().await.to_string();
    app.sign_in(&admin).await.with("ledger-position", &position)
}

async fn seller(app: &TestApp, company: &Company) -> Client {
    let user = app.seller(&[(company, SellerRole::Operator)]).await;
    let position = app.ledger_position().await.to_string();
    app.sign_in(&user).await.with("ledger-position", &position)
}

/// The read models follow from the log.
async fn assert_replayed(app: &TestApp) {
    let pool = &app.app.state.pool;
    replay::run(
        pool,
        &app.database.connector(),
        |_| (),
        |finding| panic!("{finding:?}"),
    )
    .await
    .expect("an audit");
}

/// The ids of the sales that a list finds by a name, and the list's total.
async fn found(client: &Client, path: &str, name: &str) -> (Vec<String>, Value) {
    let answer = client.get(&format!("{path}?name={name}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let rows = answer.body["data"].as_array().expect("rows");
    let ids = rows.iter().filter_map(|row| row["id"].as_str());
    (
        ids.map(str::to_owned).collect(),
        answer.body["meta"]["total"].clone(),
    )
}

async fn only_sale(client: &Client) -> Value {
    let list = client.get("/api/admin/transactions").await;
    let id = list.body["data"][0]["id"].as_str().expect("a sale").to_owned();
    client.get(&format!("/api/admin/transactions/{id}")).await.body
}

#[tokio::test]
async fn a_sale_is_found_by_each_of_its_names_in_both_panels_and_by_no_other_company() {
    let (app, company) = app_and_company().await;
    let other = app.company("Farmácia").await;
    for (company, id) in [(&company, "nsu-1"), (&company, "nsu-2"), (&other, "nsu-3")] {
        let names = if id == "nsu-1" { all_names() } else { json!({}) };
        let notice = with_names(&capture(company, id), &names);
        assert_eq!(app.send_json(&notice).await.text("/result"), "recorded");
    }
    let (staff, own) = (staff(&app).await, seller(&app, &company).await);
    let foreign = seller(&app, &other).await;
    let names = [
        "PADARIA0001",
        "000123456",
        "10069930690009f2a4c6",
        "chg-77",
        "14/000000001-5",
        "nsu-1",
    ];
    for name in names
        .into_iter()
        .chain([E2E, &E2E.to_lowercase(), &format!("%20{E2E}%20")])
    {
        let (ids, total) = found(&own, "/api/transactions", name).await;
        assert_eq!((ids.len(), total), (1, json!(1)), "{name}");
        assert_eq!(
            found(&staff, "/api/admin/transactions", name).await.0,
            ids,
            "{name}"
        );
        assert_eq!(
            found(&foreign, "/api/transactions", name).await,
            (vec![], json!(0)),
            "{name}"
        );
    }
    // The authorization is the same in all three.
    assert_eq!(found(&staff, "/api/admin/transactions", "A1B2C3").await.1, 3);
    assert_eq!(found(&own, "/api/transactions", "A1B2C3").await.1, 2);
    // The whole name only, and with the other filters.
    assert_eq!(found(&own, "/api/transactions", "PADARIA").await.1, 0);
    assert_eq!(
        found(&own, "/api/transactions", "chg-77&status=failed").await.1,
        0
    );
    let totals = own.get("/api/transactions/totals?name=chg-77").await;
    assert_eq!(
        (&totals.body["count"], &totals.body["gross"]),
        (&json!(1), &json!(300_00))
    );
    let too_long = own
        .get(&format!("/api/transactions?name={}", "9".repeat(121)))
        .await;
    assert_eq!(too_long.status, 422);
}

#[tokio::test]
async fn a_sale_shows_its_names_and_its_sheet_has_them() {
    let (app, company) = app_and_company().await;
    app.send_json(&with_names(&capture(&company, "nsu-1"), &all_names()))
        .await;
    let staff = staff(&app).await;
    assert_eq!(only_sale(&staff).await["names"], all_names());
    let csv = staff.clone().with("accept", "text/csv");
    let (status, _, bytes) = csv.download("/api/admin/transactions?name=chg-77").await;
    let text = String::from_utf8_lossy(&bytes);
    assert_eq!(status, 200, "{text}");
    for expected in [
        E2E,
        "000123456",
        "10069930690009F2A4C6",
        "Emissor do cartão",
        "ID do PIX (E2E)",
        "TXID",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
}

#[tokio::test]
async fn a_later_notice_adds_its_names_and_another_text_for_a_known_one_waits() {
    let (app, company) = app_and_company().await;
    let captured = capture(&company, "nsu-1");
    app.send_json(&with_names(&captured, &json!({ "nsu": "42" })))
        .await;
    let names = json!({ "nsu": "42", "end_to_end_id": E2E });
    let added = app.send_json(&another(&captured, "evt-2", &names)).await;
    assert_eq!(added.text("/result"), "recorded");
    let again = app.send_json(&another(&captured, "evt-3", &names)).await;
    assert_eq!(again.text("/result"), "already");
    let other = app
        .send_json(&another(&captured, "evt-4", &json!({ "nsu": "43" })))
        .await;
    assert_eq!((other.status, other.text("/result")), (202, "waiting"));
    assert_eq!(app.waiting_exceptions().await, json!([["evt-4", "name_differs"]]));
    let staff = staff(&app).await;
    let sale = only_sale(&staff).await;
    assert_eq!(
        (&sale["names"]["nsu"], &sale["names"]["end_to_end_id"]),
        (&json!("42"), &json!(E2E))
    );
    let labels: Vec<_> = sale["events"]
        .as_array()
        .expect("events")
        .iter()
        .map(|event| &event["label"])
        .collect();
    assert_eq!(labels, ["authorization", "named"]);
    assert_eq!(found(&staff, "/api/admin/transactions", E2E).await.1, 1);
    assert_replayed(&app).await;
}

#[tokio::test]
async fn a_refund_shows_its_names_and_the_sale_is_found_by_them() {
    let (app, company) = app_and_company().await;
    let captured = capture(&company, "nsu-1");
    app.send(&captured).await;
    let mut refunded = with_names(
        &with_type(&captured, "sale.refunded"),
        &json!({ "end_to_end_id": RETURN }),
    );
    refunded["data"]["refund_id"] = json!("rf-1");
    refunded["data"]["amount"] = json!(30_00);
    assert_eq!(app.send_json(&refunded).await.text("/result"), "recorded");
    let staff = staff(&app).await;
    let sale = only_sale(&staff).await;
    assert_eq!(
        sale["names"]["end_to_end_id"],
        Value::Null,
        "it names the return only"
    );
    assert_eq!(sale["events"][1]["names"]["end_to_end_id"], RETURN);
    assert_eq!(sale["events"][0]["names"], Value::Null);
    assert_eq!(found(&staff, "/api/admin/transactions", RETURN).await.1, 1);
    assert_replayed(&app).await;
}

#[tokio::test]
async fn a_cancel_and_a_reversal_show_the_names_of_what_went_back() {
    for (kind, number) in [("sale.canceled", "nsu-1"), ("sale.reversed", "nsu-2")] {
        let (app, company) = app_and_company().await;
        let captured = capture(&company, number);
        app.send(&captured).await;
        let mut reported = with_names(&with_type(&captured, kind), &json!({ "end_to_end_id": RETURN }));
        reported["occurred_at"] = json!(captured.occurred_at + chrono::TimeDelta::minutes(5));
        assert_eq!(
            app.send_json(&reported).await.text("/result"),
            "recorded",
            "{kind}"
        );
        let staff = staff(&app).await;
        let sale = only_sale(&staff).await;
        assert_eq!(sale["names"]["end_to_end_id"], Value::Null, "{kind}");
        assert_eq!(sale["events"][1]["names"]["end_to_end_id"], RETURN, "{kind}");
        assert_eq!(
            found(&staff, "/api/admin/transactions", RETURN).await.1,
            1,
            "{kind}"
        );
        assert_replayed(&app).await;
    }
}

#[tokio::test]
async fn a_name_in_another_form_stops_no_payment_and_staff_see_it() {
    let (app, company) = app_and_company().await;
    let names = json!({ "nsu": 123456, "txid": "não é um nome", "tid": null, "our_number": "", "three_d_secure": "05" });
    let notice = with_names(&capture(&company, "nsu-1"), &names);
    assert_eq!(app.send_json(&notice).await.text("/result"), "recorded");
    let staff = staff(&app).await;
    let sale = only_sale(&staff).await;
    assert_eq!(
        (&sale["status"], &sale["names"]["nsu"], &sale["names"]["txid"]),
        (&json!("succeeded"), &json!("123456"), &Value::Null)
    );
    let waiting = app.waiting_exceptions().await;
    assert_eq!(waiting[0][1], "payment_name_unreadable", "{waiting}");
    let list = staff.get("/api/admin/exceptions").await;
    let kept = &list.body["data"][0]["reason_parameters"]["names"];
    assert_eq!(*kept, json!("three_d_secure: 05; txid: não é um nome"));
    app.send_json(&notice).await;
    assert_eq!(
        app.waiting_exceptions().await,
        waiting,
        "a repeat adds no second one"
    );
}
