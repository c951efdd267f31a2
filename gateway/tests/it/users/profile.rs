//! The name, the theme and the time zone that users set for themselves.

use gateway_identity::roles::AdminRole;
use reqwest::Method;
use serde_json::json;

use super::{OPERATOR, TeamFixture, assert_field};
use crate::support::TestApp;

#[tokio::test]
async fn a_seller_sets_the_profile_by_a_body_and_fields_that_are_left_out_stay() {
    let fixture = TeamFixture::open().await;
    let seller = fixture.signed_in(&[(&fixture.bakery, OPERATOR)]).await;
    let set = async |body| seller.patch("/api/sellers/me", body).await;

    let changed = set(json!({ "name": "Rui Campos", "theme": "dark", "time_zone": "Asia/Tokyo" })).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    let theme = set(json!({ "theme": "light" })).await;
    assert_eq!(
        (
            theme.text("/name"),
            theme.text("/theme"),
            theme.text("/time_zone")
        ),
        ("Rui Campos", "light", "Asia/Tokyo")
    );
    for (field, value) in [("theme", "blue"), ("time_zone", "Mars")] {
        let wrong = set(json!({ "name": "Outro", field: value })).await;
        assert_field(&wrong, field, "Valor inválido.");
    }
    let me = seller.get("/api/sellers/me").await;
    assert_eq!(
        (me.text("/name"), me.text("/theme"), me.text("/time_zone")),
        ("Rui Campos", "light", "Asia/Tokyo"),
        "a refused change sets nothing"
    );
}

#[tokio::test]
async fn staff_set_their_profile_by_the_query_or_by_a_body_that_takes_precedence() {
    let app = TestApp::start().await;
    let staff = app.sign_in(&app.admin(&[AdminRole::Sac]).await).await;
    let set = async |query: &str, body| {
        staff
            .send(Method::PATCH, &format!("/api/admin/me{query}"), body)
            .await
    };

    let response = set("?name=Rui%20Campos&theme=dark", None).await;
    assert_eq!(
        (
            response.status,
            response.text("/name"),
            response.text("/theme"),
            response.at("/time_zone").is_null()
        ),
        (200, "Rui Campos", "dark", true),
        "{}",
        response.body
    );
    let both = set(
        "?theme=dark",
        Some(json!({ "theme": "light", "time_zone": "America/Sao_Paulo" })),
    )
    .await;
    assert_eq!(
        (both.text("/name"), both.text("/theme"), both.text("/time_zone")),
        ("Rui Campos", "light", "America/Sao_Paulo"),
        "the body's theme has precedence"
    );
    let back = set("", Some(json!({ "time_zone": null }))).await;
    assert!(
        back.at("/time_zone").is_null(),
        "back to the tenant's: {}",
        back.body
    );
    let wrong = set("?theme=blue&time_zone=Mars", None).await;
    assert_eq!(wrong.status, 422, "{}", wrong.body);
    assert_eq!(wrong.text("/errors/theme/0"), "Deve ser light ou dark.");
    assert!(wrong.at("/errors/time_zone").is_array(), "{}", wrong.body);
    let nothing = set("", None).await;
    assert_eq!(
        (nothing.status, nothing.text("/name")),
        (200, "Rui Campos"),
        "an empty change changes nothing"
    );
}
