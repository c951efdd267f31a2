//! For roles without access to the balance, previews and refusals say only whether it is sufficient.

use gateway_http::routes::{AccessRule, table};
use gateway_identity::roles::{AdminRole, SellerRole};
use serde_json::{Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::path::HttpMethod;

use super::{ReversalFixture, admin_path, ok, path};
use crate::support::{Client, Sale};

/// Cents that no sale of these tests adds up to.
const AVAILABLE: i64 = 7_654_321;

/// A user of each role of both panels: the panel and the role, the client, and whether the role sees the balance.
async fn users_of_all_roles(fixture: &ReversalFixture) -> Vec<(String, Client, bool)> {
    let mut users = vec![];
    for role in SellerRole::ALL {
        let client = fixture
            .app
            .sign_in(&fixture.app.seller(&[(&fixture.company, *role)]).await)
            .await;
        let sees = client.get("/api/balance/history?totals=1").await.status == 200;
        users.push((format!("seller {}", role.as_str()), client, sees));
    }
    for role in AdminRole::ALL {
        let client = fixture.app.sign_in(&fixture.app.admin(&[*role]).await).await;
        let balance = format!(
            "/api/admin/balance/history?totals=1&business_id={}",
            fixture.company.id
        );
        let sees = client.get(&balance).await.status == 200;
        users.push((format!("staff {}", role.as_str()), client, sees));
    }
    users
}

fn address(user: &str, sale: &Sale, step: &str) -> String {
    if user.starts_with("staff") {
        admin_path(sale, step)
    } else {
        path(sale, step)
    }
}

#[tokio::test]
async fn previews_and_refusals_show_the_balance_only_to_roles_with_access_to_it() {
    let fixture = ReversalFixture::with(100_00).await;
    // R$ 95,00 net are covered; R$ 285,00 net are not.
    let (small, large) = (Sale::card().amount(100_00), Sale::card());
    fixture.app.capture(&fixture.company, &small).await;
    fixture.app.capture(&fixture.company, &large).await;
    let (mut with_balance, mut without) = (0, 0);
    for (user, client, sees) in users_of_all_roles(&fixture).await {
        for (sale, covered) in [(&small, true), (&large, false)] {
            let preview = client.get(&address(&user, sale, "chargeback/preview")).await;
            if preview.status == 403 {
                continue;
            }
            let preview = ok(preview).body;
            assert_eq!(preview["covered"], covered, "{user}");
            assert_eq!(preview["balance"].is_object(), sees, "{user}: {preview}");
            assert!(sees || !preview.to_string().contains("covered_on"), "{preview}");
        }
        for step in ["chargeback", "dispute"] {
            let refused = client.post(&address(&user, &large, step), json!({})).await;
            if refused.status == 403 {
                continue;
            }
            assert_eq!(
                (refused.status, refused.text("/type")),
                (406, "/problems/balance-too-short")
            );
            assert_eq!(
                refused.body["balance"].is_object(),
                sees,
                "{user}: {}",
                refused.body
            );
            *(if sees { &mut with_balance } else { &mut without }) += 1;
        }
    }
    // Two refusals for each role. The balance is seen by owner and admin among sellers, and by owner, admin and
    // supervisor among staff. The seller's operator and the staff's SAC reverse sales too, and do not see it.
    assert_eq!((with_balance, without), (2 * 5, 2 * 2));
}

/// Calls the GETs of the route table that need a role.
#[tokio::test]
async fn no_get_shows_the_balance_to_a_role_without_access_to_it() {
    let fixture = ReversalFixture::with(AVAILABLE).await;
    let sale = fixture.sold(Sale::card()).await;
    let response = fixture
        .seller
        .post(
            "/api/balance/transfers",
            json!({ "amount": 10_00, "destination": 1, "password": crate::support::PASSWORD }),
        )
        .await;
    assert_eq!(response.status, 201, "{}", response.body);
    let position = response.header("ledger-position").expect("a position").to_owned();
    let left = (AVAILABLE - 10_00).to_string();
    let (mut shown, mut answered) = (0, 0);
    for (user, client, sees) in users_of_all_roles(&fixture).await {
        let client = client.with("ledger-position", &position);
        for endpoint in table() {
            let of_panel = match endpoint.access {
                AccessRule::Business(_) => user.starts_with("seller"),
                AccessRule::Staff(_) => user.starts_with("staff"),
                _ => false,
            };
            // The calls under /auth end the session.
            if !of_panel || endpoint.method != HttpMethod::Get || endpoint.path.starts_with("/auth") {
                continue;
            }
            let mut path = endpoint.path.replace(
                "/transactions/{id}",
                &format!("/transactions/{}", sale.facts.sale_id),
            );
            for company in ["{id}", "{businessId}", "{business_id}"] {
                path = path.replace(company, &fixture.company.id.to_string());
            }
            // A parameter that the call does not have would be a 422.
            let takes = |name: &str| {
                let mut parameters = endpoint.operation.parameters.iter().flatten();
                parameters.any(|parameter| matches!(parameter, RefOr::T(found) if found.name == name))
            };
            let mut query = vec![];
            if takes("business_id") || matches!(endpoint.access, AccessRule::Business(_)) {
                query.push(format!("business_id={}", fixture.company.id));
            }
            if takes("totals") {
                query.push("totals=1".to_owned());
            }
            let call = format!("/api{path}?{}", query.join("&"));
            let answer = client.get(&call).await;
            answered += i32::from(!sees && answer.status == 200);
            let has_balance = holds(&answer.body, &left);
            assert!(
                sees || !has_balance,
                "{user} reads the balance in {call}: {}",
                answer.body
            );
            shown += i32::from(has_balance);
        }
    }
    // The test finds the balance where a role may see it, and some calls answer for roles that may not.
    assert!(shown >= 5, "{shown}");
    assert!(answered >= 40, "{answered}");
}

/// Whether a value of the body is, or contains, these cents.
fn holds(body: &Value, cents: &str) -> bool {
    match body {
        Value::Array(items) => items.iter().any(|item| holds(item, cents)),
        Value::Object(members) => members.values().any(|member| holds(member, cents)),
        Value::Number(number) => number.to_string() == cents,
        Value::String(text) => text.contains(cents),
        Value::Null | Value::Bool(_) => false,
    }
}
