//! A session whose password another user set makes the listed writes only. Every other write of the route table is
//! refused, so a new call that moves money or changes an account, a user or an address is refused too.

use std::collections::BTreeSet;

use gateway_http::routes::{AccessRule, table};
use gateway_identity::audience::Audience;
use utoipa::openapi::path::HttpMethod;

use super::callers::RouteFixture;
use super::expected::{address, call, method};

const ALLOWED: &str = include_str!("../../../../fixtures/access/provisional_password.tsv");

/// The listed writes, each as its method and path.
fn allowed() -> BTreeSet<String> {
    let lines = ALLOWED.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| line.split('\t').take(2).collect::<Vec<_>>().join(" "))
        .collect()
}

#[tokio::test]
async fn a_session_with_a_provisional_password_makes_only_the_listed_writes() {
    let fixture = RouteFixture::open().await;
    let users = fixture.users().await;
    fixture
        .app
        .execute("UPDATE seller_user SET password_provisional = true; UPDATE admin_user SET password_provisional = true")
        .await;
    let (mut passed, mut wrong) = (BTreeSet::new(), vec![]);
    for endpoint in table() {
        let audience = match endpoint.access {
            AccessRule::Public | AccessRule::Provider => continue,
            AccessRule::Seller | AccessRule::Business(_) | AccessRule::EitherPanel => Audience::Seller,
            AccessRule::Staff(_) => Audience::Admin,
        };
        let client = fixture.signed_in(audience, users.owner(audience)).await;
        let answer = call(&client, endpoint, &address(endpoint, &fixture.own.id.to_string())).await;
        let is_refused = answer.status == 403 && answer.text("/type") == "/problems/provisional-password";
        let name = format!("{} {}", method(endpoint), endpoint.path);
        let is_read = endpoint.method == HttpMethod::Get;
        if !is_refused && !is_read {
            passed.insert(name.clone());
        }
        if is_refused && is_read {
            wrong.push(name);
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "reads are allowed");
    let without_names = |calls: &BTreeSet<String>| -> BTreeSet<String> {
        let erased = |call: &String| {
            let segments = call.split('/');
            let erased = segments.map(|segment| if segment.starts_with('{') { "{}" } else { segment });
            erased.collect::<Vec<_>>().join("/")
        };
        calls.iter().map(erased).collect()
    };
    assert_eq!(without_names(&passed), without_names(&allowed()));
    // The calls of the attack that the rule is for.
    for call in [
        "POST /balance/transfers",
        "POST /business/{businessId}/bank-accounts",
        "POST /business/{businessId}/bank-accounts/{account_id}/default",
        "POST /business/sellers",
        "POST /transactions/{id}/chargeback",
        "POST /auth/change-email",
        "POST /admin/balance/transfers/manual",
        "PATCH /admin/sellers/{id}",
        "PATCH /admin/users/{id}",
    ] {
        let named = table()
            .iter()
            .map(|each| format!("{} {}", method(each), each.path));
        let erased = without_names(&BTreeSet::from([call.to_owned()]));
        let all = without_names(&named.collect());
        assert!(
            all.is_superset(&erased) && without_names(&passed).is_disjoint(&erased),
            "{call}"
        );
    }
}
