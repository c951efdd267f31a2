//! Arrays of notices: each notice is processed separately and has its own result.

use serde_json::json;

use crate::support::acquirer::{app_and_company, capture, json_of, with_type};

#[tokio::test]
async fn an_array_has_one_result_for_each_notice_in_order() {
    let (app, company) = app_and_company().await;
    let captured = capture(&company, "nsu-1");
    let created = with_type(&captured, "sale.created");
    let unknown = with_type(&captured, "moon.risen");
    let array = json!([
        json_of(&created),
        json_of(&captured),
        json_of(&unknown),
        json_of(&captured)
    ]);
    let answer = app.send_json(&array).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let results: Vec<_> = answer
        .at("/results")
        .as_array()
        .expect("results")
        .iter()
        .map(|item| &item["result"])
        .collect();
    assert_eq!(results, ["recorded", "recorded", "waiting", "already"]);
    assert_eq!(
        (
            app.count_events("SaleCreated").await,
            app.count_events("SaleCaptured").await
        ),
        (1, 1)
    );
    assert!(answer.header("ledger-position").is_some());
    assert_eq!(app.send_text("[]").await.status, 200, "an empty array");
}

#[tokio::test]
async fn one_notice_three_times_in_an_array_is_recorded_once() {
    let (app, company) = app_and_company().await;
    let captured = json_of(&capture(&company, "nsu-1"));
    let answer = app.send_json(&json!([captured, captured, captured])).await;
    let results = ["/results/0/result", "/results/1/result", "/results/2/result"];
    assert_eq!(
        results.map(|place| answer.text(place).to_owned()),
        ["recorded", "already", "already"]
    );
    assert_eq!(app.count_events("SaleCaptured").await, 1);
}

#[tokio::test]
async fn notices_that_can_never_be_read_are_named_and_stored_once_and_the_others_are_recorded() {
    let (app, company) = app_and_company().await;
    let mut faulty = json_of(&capture(&company, "nsu-2"));
    faulty["data"]["amount"] = json!("many");
    faulty["data"]["reason"] = json!("Comprador Fulano");
    let nested = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let array = format!(
        "[{}, {faulty}, 7, {{\"id\": \"a\\u0000b\"}}, {nested}]",
        json_of(&capture(&company, "nsu-1"))
    );
    for first in ["recorded", "already"] {
        let answer = app.send_text(&array).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.text("/results/0/result"), first);
        for index in 1..5 {
            let result = answer.at(&format!("/results/{index}"));
            assert_eq!(
                (&result["index"], &result["result"]),
                (&json!(index), &json!("unreadable"))
            );
            assert!(
                !result["errors"].as_object().expect("errors").is_empty(),
                "{result}"
            );
        }
        assert_eq!(answer.at("/results/1/id"), &faulty["id"]);
        assert!(answer.body.pointer("/results/1/errors/~1data~1amount").is_some());
        assert_eq!(answer.at("/results/3/id"), &json!(null), "a damaged id is none");
    }
    assert_eq!(app.count_events("SaleCaptured").await, 1);
    let stored = "SELECT count(*) FROM exception WHERE reason = 'notice_unreadable'";
    assert_eq!(app.count(stored).await, 4, "each once");
    let named = format!("{stored} AND body LIKE '%nsu-2%' AND body NOT LIKE '%Fulano%'");
    assert_eq!(
        app.count(&named).await,
        1,
        "the fields that decide it, and no free text"
    );
}

#[tokio::test]
async fn an_array_has_a_thousand_notices_at_most() {
    let (app, company) = app_and_company().await;
    let notices: Vec<_> = (0..1_001)
        .map(|number| json_of(&capture(&company, &format!("nsu-{number}"))))
        .collect();
    assert_eq!(app.send_json(&json!(notices)).await.status, 413);
    assert_eq!(app.count_events("SaleCaptured").await, 0);
    assert_eq!(app.send_json(&json!(notices[..1_000])).await.status, 200);
    assert_eq!(app.count_events("SaleCaptured").await, 1_000);
}
