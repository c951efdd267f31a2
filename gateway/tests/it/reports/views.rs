//! Saved views: the filters and columns of a report that a user keeps. Other users do not see them.

use gateway_identity::roles::{AdminRole, SellerRole};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::movements::rows;
use crate::support::{Client, TestApp};

async fn save(client: &Client, path: &str, body: Value) -> String {
    let saved = client.post(path, body).await;
    assert_eq!(saved.status, 201, "{}", saved.body);
    saved.text("/id").to_owned()
}

fn names(body: &Value) -> Vec<&str> {
    rows(body)
        .iter()
        .map(|view| view["name"].as_str().expect("a name"))
        .collect()
}

#[tokio::test]
async fn a_seller_keeps_views_of_a_company_for_themselves() {
    let app = TestApp::start().await;
    let bakery = app.company("Padaria").await;
    let pharmacy = app.company("Farmácia").await;
    let owner = app
        .seller(&[(&bakery, SellerRole::Owner), (&pharmacy, SellerRole::Admin)])
        .await;
    let owner = app.sign_in(&owner).await;
    let at_bakery = owner.clone().with("x-business-id", &bakery.id.to_string());
    let at_pharmacy = owner.with("x-business-id", &pharmacy.id.to_string());
    let colleague = app.seller(&[(&bakery, SellerRole::Admin)]).await;
    let colleague = app.sign_in(&colleague).await;

    let visa = json!({
        "report": "totals", "name": "  Visa  por semana ", "filters": { "group": "week", "brand": "visa" },
        "columns": ["count", "gross"], "rows": "brand", "sort": "net", "order": "asc",
    });
    let saved = at_bakery.post("/api/report-views", visa.clone()).await;
    assert_eq!(saved.status, 201, "{}", saved.body);
    assert_eq!(saved.at("/name"), "Visa por semana");
    assert_eq!(saved.at("/filters"), &json!({ "brand": "visa", "group": "week" }));
    assert_eq!(saved.at("/columns"), &json!(["count", "gross"]));
    assert_eq!(saved.at("/outdated"), &json!({}));
    let id = saved.text("/id").to_owned();
    let taken = at_bakery.post("/api/report-views", visa.clone()).await;
    assert_eq!(taken.status, 422);
    assert_eq!(taken.at("/errors/name/0"), "Você já tem uma visão com este nome.");
    // The same name is free for another report, in another company, and for a colleague.
    let financial = json!({ "report": "financial", "name": "Visa por semana" });
    save(&at_bakery, "/api/report-views", financial).await;
    save(&at_pharmacy, "/api/report-views", visa.clone()).await;
    save(&colleague, "/api/report-views", visa).await;

    let own = at_bakery.get("/api/report-views?report=totals").await.body;
    assert_eq!(names(&own), ["Visa por semana"]);
    assert_eq!(rows(&own)[0]["id"], id);
    assert_eq!(rows(&at_bakery.get("/api/report-views").await.body).len(), 2);
    for other in [&colleague, &at_pharmacy] {
        let path = format!("/api/report-views/{id}");
        assert_eq!(other.patch(&path, json!({ "name": "Minha" })).await.status, 404);
        assert_eq!(other.send(Method::DELETE, &path, None).await.status, 404);
    }

    let path = format!("/api/report-views/{id}");
    let renamed = at_bakery.patch(&path, json!({ "name": "Débito" })).await;
    assert_eq!((renamed.status, renamed.at("/name")), (200, &json!("Débito")));
    assert_eq!(
        renamed.at("/filters"),
        &json!({ "brand": "visa", "group": "week" }),
        "the filters stay"
    );
    let change = json!({ "filters": { "paymentType": "debit" }, "columns": null, "rows": "period" });
    let replaced = at_bakery.patch(&path, change).await;
    assert_eq!(replaced.status, 200, "{}", replaced.body);
    assert_eq!(replaced.at("/filters"), &json!({ "paymentType": "debit" }));
    assert_eq!(
        (
            replaced.at("/columns"),
            replaced.at("/rows"),
            replaced.at("/sort")
        ),
        (&Value::Null, &json!("period"), &json!("net"))
    );
    assert_eq!(at_bakery.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(at_bakery.send(Method::DELETE, &path, None).await.status, 404);
    assert_eq!(rows(&at_bakery.get("/api/report-views").await.body).len(), 1);
}

#[tokio::test]
async fn a_filter_that_the_report_does_not_have_is_refused_and_in_an_old_view_it_is_named() {
    let app = TestApp::start().await;
    let bakery = app.company("Padaria").await;
    let user = app.seller(&[(&bakery, SellerRole::Owner)]).await;
    let client = app.sign_in(&user).await;
    let refused = json!({
        "report": "totals", "name": " ", "filters": { "group": "year", "cards": "visa", "page": "2", "solution": "9" },
        "columns": ["gross; DROP"], "order": "upward",
    });
    let refused = client.post("/api/report-views", refused).await;
    assert_eq!(refused.status, 422);
    let errors = refused.at("/errors").as_object().expect("errors");
    let fields: Vec<_> = errors.keys().map(String::as_str).collect();
    assert_eq!(fields, ["columns", "name", "order"]);
    // The filters are read once each field is valid.
    let refused = json!({
        "report": "totals", "name": "Minha",
        "filters": { "group": "year", "cards": "visa", "page": "2", "solution": "9" },
    });
    let refused = client.post("/api/report-views", refused).await;
    let errors = refused.at("/errors").as_object().expect("errors");
    let fields: Vec<_> = errors.keys().map(String::as_str).collect();
    assert_eq!(
        fields,
        [
            "filters.cards",
            "filters.group",
            "filters.page",
            "filters.solution"
        ]
    );
    let of_staff = json!({ "report": "billing", "name": "Receita" });
    let of_staff = client.post("/api/report-views", of_staff).await;
    assert_eq!(of_staff.at("/errors/report/0"), "Este relatório não existe.");

    // A view that an older version saved: each filter that no longer holds is named with the reason.
    let view = json!({ "report": "totals", "name": "Antiga", "filters": { "brand": "visa" } });
    let id = save(&client, "/api/report-views", view).await;
    app.execute(&format!(
        r#"UPDATE report_view SET filters = '{{"brand": "visa", "solution": "9", "cards": "x"}}' WHERE id = '{id}'"#
    ))
    .await;
    let listed = client.get("/api/report-views").await.body;
    let outdated = &rows(&listed)[0]["outdated"];
    assert_eq!(outdated["cards"], "Este relatório não tem este filtro.");
    assert_eq!(
        outdated.as_object().map(serde_json::Map::len),
        Some(2),
        "{outdated}"
    );
    // The view can be renamed with its outdated filters, and they can be replaced.
    let path = format!("/api/report-views/{id}");
    assert_eq!(client.patch(&path, json!({ "name": "Nova" })).await.status, 200);
    let mended = client
        .patch(&path, json!({ "filters": { "brand": "visa" } }))
        .await;
    assert_eq!(mended.at("/outdated"), &json!({}));
}

#[tokio::test]
async fn a_user_keeps_at_most_thirty_views_of_each_report() {
    let app = TestApp::start().await;
    let bakery = app.company("Padaria").await;
    let user = app.seller(&[(&bakery, SellerRole::Owner)]).await;
    let client = app.sign_in(&user).await;
    for number in 1..=30 {
        save(
            &client,
            "/api/report-views",
            json!({ "report": "totals", "name": format!("V{number}") }),
        )
        .await;
    }
    let one_more = json!({ "report": "totals", "name": "Mais uma" });
    let full = client.post("/api/report-views", one_more).await;
    assert_eq!(full.status, 409, "{}", full.body);
    save(
        &client,
        "/api/report-views",
        json!({ "report": "terminals", "name": "Outra" }),
    )
    .await;
}

#[tokio::test]
async fn staff_save_and_see_only_views_of_reports_that_their_role_allows() {
    let app = TestApp::start().await;
    let user = app.admin(&[AdminRole::Admin]).await;
    let client = app.sign_in(&user).await;
    let path = "/api/admin/report-views";
    for report in [
        "billing",
        "total-sales",
        "withdrawals",
        "settled",
        "billing-businesses",
    ] {
        save(&client, path, json!({ "report": report, "name": "Todos" })).await;
    }
    let company = app.company("Padaria").await;
    let terminals = json!({ "report": "company-terminals", "name": "Todos", "filters": {} });
    let missing = client.post(path, terminals).await;
    assert_eq!(
        missing.at("/errors/filters.business_id/0"),
        "Escolha a empresa deste relatório."
    );
    let filters = json!({ "business_id": company.id });
    let terminals = json!({ "report": "company-terminals", "name": "Todos", "filters": filters });
    save(&client, path, terminals).await;
    assert_eq!(rows(&client.get(path).await.body).len(), 6);

    let commercial = app.sign_in(&app.admin(&[AdminRole::Commercial]).await).await;
    let refused = commercial
        .post(path, json!({ "report": "billing", "name": "Receita" }))
        .await;
    assert_eq!(refused.status, 403);
    // The views stay stored when the role changes, and are listed only while the role allows their report.
    let set_role = |role: &str| {
        format!(
            "UPDATE admin_user SET roles = '{{{role}}}' WHERE id = '{}'",
            user.id.uuid()
        )
    };
    app.execute(&set_role("commercial")).await;
    let left = client.get(path).await.body;
    let left: Vec<_> = rows(&left).iter().map(|view| view["report"].clone()).collect();
    assert_eq!(left, ["company-terminals", "total-sales"]);
    app.execute(&set_role("admin")).await;
    assert_eq!(rows(&client.get(path).await.body).len(), 6);
}
