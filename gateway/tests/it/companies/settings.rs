//! The look of the panels, as staff set it and as pages show it.

use gateway_identity::roles::AdminRole;
use serde_json::{Value, json};

use crate::support::{Client, PARTS_WITHOUT_EFFECTS, TestApp};

const HOSTS: [(&str, &str); 2] = [
    ("RAZAO_SELLER_HOSTS", "*.pagar.example"),
    ("RAZAO_ADMIN_HOSTS", "admin.pagar.example"),
];

async fn open() -> (TestApp, Client) {
    let app = TestApp::start_with(&HOSTS, PARTS_WITHOUT_EFFECTS).await;
    let user = app.admin(&[AdminRole::Admin]).await;
    let staff = app.client().with("host", "admin.pagar.example");
    let form = json!({ "email": user.email, "password": crate::support::PASSWORD });
    let signed_in = staff.post(user.sign_in_path(), form).await;
    let staff = staff.bearing(signed_in.text("/access_token"));
    (app, staff)
}

/// A tenant is the name and the look of the hosts that begin with its label.
fn lojas_settings() -> Value {
    json!({
        "label": "lojas", "product_name": "Lojas & Cia", "theme_color": "#102030", "highlight_color": "#a0b0c0",
        "contact_email": "ajuda@lojas.example", "contact_phone": "(11) 3333-4444", "contact_whatsapp": null,
    })
}

async fn page(app: &TestApp, host: &str) -> String {
    let page = app.client().with("host", host).get("/").await;
    assert_eq!(page.status, 200, "{host}");
    page.body.as_str().expect("a page").to_owned()
}

fn meta(page: &str, name: &str) -> String {
    let opening = format!("name=\"{name}\" content=\"");
    let (_, rest) = page.split_once(&opening).expect("the meta");
    rest.split('"').next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_tenant_s_look_is_only_on_its_own_host() {
    let (app, staff) = open().await;
    let set = staff.post("/api/admin/settings", lojas_settings()).await;
    assert_eq!(set.status, 200, "{}", set.body);
    assert_eq!(set.at("/tenants/0/label"), "");
    assert_eq!(
        set.at("/tenants/1"),
        &json!({
            "label": "lojas", "product_name": "Lojas & Cia", "theme_color": "#102030", "highlight_color": "#A0B0C0",
            "contact_email": "ajuda@lojas.example", "contact_phone": "1133334444", "contact_whatsapp": null,
            "time_zone": "UTC",
        })
    );
    assert_eq!(staff.get("/api/admin/settings").await.body, set.body);
    let own = page(&app, "LOJAS.pagar.example:443").await;
    assert_eq!(meta(&own, "razao-product"), "Lojas &amp; Cia");
    assert_eq!(meta(&own, "razao-highlight"), "#A0B0C0");
    assert_eq!(meta(&own, "theme-color"), "#102030");
    let other = page(&app, "outra.pagar.example").await;
    assert_eq!(meta(&other, "razao-product"), "Razão");
    assert_eq!(meta(&other, "theme-color"), "#36BE54");
}

#[tokio::test]
async fn the_tenant_with_the_empty_label_sets_the_look_of_all_other_hosts() {
    let (app, staff) = open().await;
    let mut usual = lojas_settings();
    usual["label"] = json!("");
    assert_eq!(staff.post("/api/admin/settings", usual).await.status, 200);
    assert_eq!(
        meta(&page(&app, "outra.pagar.example").await, "razao-product"),
        "Lojas &amp; Cia"
    );
    let removal = json!({ "label": "", "remove": true });
    let refused = staff.post("/api/admin/settings", removal).await;
    assert_eq!(refused.status, 422);
    assert!(refused.at("/errors/label").is_array());
}

#[tokio::test]
async fn the_host_of_a_removed_tenant_has_the_default_look_and_a_repeat_is_no_error() {
    let (app, staff) = open().await;
    staff.post("/api/admin/settings", lojas_settings()).await;
    for _ in 0..2 {
        let removal = json!({ "label": "lojas", "remove": true });
        let removed = staff.post("/api/admin/settings", removal).await;
        assert_eq!(removed.at("/tenants").as_array().map(Vec::len), Some(1));
    }
    assert_eq!(
        meta(&page(&app, "lojas.pagar.example").await, "razao-product"),
        "Razão"
    );
    let history = staff.get("/api/admin/settings/history").await;
    assert_eq!(history.at("/meta/total"), 2);
}

#[tokio::test]
async fn every_change_is_in_the_history_with_its_fields() {
    let (_app, staff) = open().await;
    let mut tenant = lojas_settings();
    staff.post("/api/admin/settings", tenant.clone()).await;
    // Setting the same values again is no change.
    staff.post("/api/admin/settings", tenant.clone()).await;
    tenant["product_name"] = json!("Lojas Pay");
    staff.post("/api/admin/settings", tenant).await;
    let history = staff.get("/api/admin/settings/history").await;
    assert_eq!(history.at("/meta/total"), 2, "{}", history.body);
    let latest = history.at("/data/0");
    assert_eq!(latest["action"], "update");
    assert_eq!(latest["subject_id"], "lojas");
    assert_eq!(latest["before"], json!({ "product_name": "Lojas & Cia" }));
    assert_eq!(latest["after"], json!({ "product_name": "Lojas Pay" }));
    assert_eq!(latest["actor"]["name"], "Bruno Lima");
    assert_eq!(latest["address"], "127.0.0.1");
    assert_eq!(history.at("/data/1/action"), "create");
    assert_eq!(history.at("/data/1/before"), &Value::Null);
}

#[tokio::test]
async fn errors_are_reported_by_field_and_change_nothing() {
    let (_app, staff) = open().await;
    let refused = staff
        .post(
            "/api/admin/settings",
            json!({ "label": "Lojas", "product_name": " ", "theme_color": "red", "highlight_color": "#12345" }),
        )
        .await;
    assert_eq!(refused.status, 422);
    let color = json!(["Use uma cor no formato #RRGGBB."]);
    assert_eq!(
        refused.at("/errors"),
        &json!({
            "label": ["Use até 63 letras minúsculas, números e hífens, sem hífen no início ou no fim."],
            "product_name": ["Informe o nome do produto."],
            "theme_color": color, "highlight_color": color,
        })
    );
    let settings = staff.get("/api/admin/settings").await;
    assert_eq!(settings.at("/tenants").as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_page_has_the_default_look_if_the_database_fails() {
    let (app, staff) = open().await;
    staff.post("/api/admin/settings", lojas_settings()).await;
    app.execute("ALTER TABLE tenant RENAME TO tenant_gone").await;
    let page = page(&app, "lojas.pagar.example").await;
    assert_eq!(meta(&page, "razao-product"), "Razão");
}
