//! One withdrawal with the steps that the ledger knows: who may read it, and which names each reader sees.

use gateway_identity::roles::{AdminRole, SellerRole};
use serde_json::{Value, json};

use super::{WithdrawalFixture, step_by};
use crate::support::{Answer, Client};

const TWO: (&str, &str) = ("RAZAO_WITHDRAWAL_APPROVALS", "2");

async fn steps(client: &Client, path: &str) -> Vec<Value> {
    let answer = client.get(&format!("{path}/execution")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.at("/data").as_array().expect("steps").clone()
}

fn authors(steps: &[Value]) -> Vec<(&Value, &Value, &Value)> {
    let of = |step| {
        let step: &Value = step;
        (&step["kind"], &step["author"]["kind"], &step["author"]["name"])
    };
    steps.iter().map(of).collect()
}

#[tokio::test]
async fn staff_see_each_approval_with_its_user_and_sellers_do_not() {
    let fixture = WithdrawalFixture::open_with(&[TWO]).await;
    let id = fixture.pending_withdrawal(400_00).await;
    let (first, second) = (
        fixture.app.admin(&[AdminRole::Admin]).await,
        fixture.app.admin(&[AdminRole::Owner]).await,
    );
    for user in [&first, &second] {
        let staff = fixture.app.sign_in(user).await;
        assert_eq!(step_by(&staff, &id, "process").await.status, 200);
    }
    let failed = fixture.step(&id, "fail").await;
    assert_eq!(failed.status, 200, "{}", failed.body);
    fixture.balances().await;

    let of_staff = steps(&fixture.staff, &format!("/api/admin/balance/transfers/{id}")).await;
    let names: Vec<_> = authors(&of_staff)
        .into_iter()
        .map(|(kind, author, name)| (kind.clone(), author.clone(), name.is_string()))
        .collect();
    assert_eq!(
        names,
        [
            (json!("requested"), json!("seller"), true),
            (json!("approval_given"), json!("staff"), true),
            (json!("processing"), json!("staff"), true),
            (json!("failed"), json!("staff"), true),
        ]
    );
    let of_seller = steps(&fixture.seller, &format!("/api/balance/transfers/{id}")).await;
    let requester = of_seller[0]["author"]["name"].clone();
    assert!(requester.is_string());
    assert_eq!(
        authors(&of_seller),
        [
            (&json!("requested"), &json!("seller"), &requester),
            (&json!("processing"), &json!("staff"), &Value::Null),
            (&json!("failed"), &json!("staff"), &Value::Null),
        ]
    );
    assert_eq!(of_seller[2]["reason"], "Conta encerrada no banco.");
    assert_eq!(of_seller[1]["key"], Value::Null, "staff pay it by hand");
}

#[tokio::test]
async fn a_withdrawal_is_found_by_its_company_and_by_staff_and_by_nobody_else() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(400_00).await;
    fixture.balances().await;
    let other = fixture.app.company("Mercado").await;
    let stranger = fixture.app.seller(&[(&other, SellerRole::Owner)]).await;
    let stranger = fixture.app.sign_in(&stranger).await;
    let financial = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Financial]).await)
        .await;
    for part in ["", "/execution", "/composition", "/composition/days"] {
        let path = format!("/balance/transfers/{id}{part}");
        assert_eq!(
            fixture.seller.get(&format!("/api{path}")).await.status,
            200,
            "{part}"
        );
        assert_eq!(
            financial.get(&format!("/api/admin{path}")).await.status,
            200,
            "{part}"
        );
        assert_eq!(stranger.get(&format!("/api{path}")).await.status, 404, "{part}");
    }
    let of_seller = fixture.seller.get(&format!("/api/balance/transfers/{id}")).await;
    let of_staff = fixture
        .staff
        .get(&format!("/api/admin/balance/transfers/{id}"))
        .await;
    let of = |answer: &Answer| {
        (
            answer.at("/approvals").clone(),
            answer.at("/available_now").clone(),
        )
    };
    assert_eq!(of_seller.text("/id"), id);
    assert_eq!(of(&of_seller), (Value::Null, Value::Null));
    assert_eq!(of(&of_staff), (json!(0), json!(600_00)));
}

#[tokio::test]
async fn the_days_of_a_withdrawal_add_up_to_its_amount() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(400_00).await;
    fixture.balances().await;
    let path = format!("/api/balance/transfers/{id}/composition");
    let days = fixture.seller.get(&format!("{path}/days")).await;
    assert_eq!(days.at("/amount"), 400_00);
    let day = days.at("/data/0");
    // The only credit is an adjustment of R$ 1.000,00.
    for (field, expected) in [
        ("sales", 0),
        ("credits", 1),
        ("net", 1_000_00),
        ("gross", 1_000_00),
        ("used", 400_00),
    ] {
        assert_eq!(day[field], expected, "{field}");
    }
    let date = day["day"].as_str().expect("a day");
    let credits = fixture.seller.get(&format!("{path}?day={date}")).await;
    assert_eq!(credits.at("/data/0/amount"), 400_00);
    assert_eq!(credits.at("/data/0/installment"), &Value::Null);
    let other = fixture.seller.get(&format!("{path}?day=2020-01-01")).await;
    assert_eq!(
        (other.at("/data"), other.at("/amount")),
        (&json!([]), &json!(400_00))
    );
    fixture.step(&id, "refuse").await;
    fixture.balances().await;
    let refused = fixture.seller.get(&format!("{path}/days")).await;
    assert_eq!(
        (refused.at("/amount"), refused.at("/data")),
        (&json!(0), &json!([]))
    );
}
