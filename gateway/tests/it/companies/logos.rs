//! The logo of a tenant: set by staff, shown to everyone.

use gateway_identity::roles::AdminRole;
use reqwest::Method;
use serde_json::json;

use super::documents::png;
use crate::support::{Client, TestApp};

const LOGOS: &str = "/api/admin/settings/logos";

async fn staff(app: &TestApp, role: AdminRole) -> Client {
    app.sign_in(&app.admin(&[role]).await).await
}

#[tokio::test]
async fn a_logo_is_set_shown_to_everyone_replaced_and_removed() {
    let app = TestApp::start().await;
    let admin = staff(&app, AdminRole::Admin).await;
    let set = admin.send_file(Method::PUT, LOGOS, png(400, 200)).await;
    assert_eq!((set.status, set.text("/data/0/label")), (200, ""), "{}", set.body);
    let url = set.text("/data/0/url").to_owned();
    let public = app.client();
    let (status, headers, content) = public.download(&format!("/api/images?url={url}&w=192")).await;
    assert_eq!(status, 200);
    assert_eq!(headers["cache-control"], "public, max-age=31536000, immutable");
    let shown = image::load_from_memory(&content).expect("an image");
    assert_eq!((shown.width(), shown.height()), (192, 96));
    let replaced = admin.send_file(Method::PUT, LOGOS, png(40, 20)).await;
    assert_ne!(
        replaced.text("/data/0/url"),
        url,
        "a new address, because caches keep the old one"
    );
    assert_eq!(
        public.get(&format!("/api/images?url={url}&w=192")).await.status,
        404
    );
    assert_eq!(app.rows("stored_file").await, 1);
    let removed = admin.send(Method::DELETE, LOGOS, None).await;
    assert_eq!((removed.status, removed.at("/data")), (200, &json!([])));
    let again = admin.send(Method::DELETE, LOGOS, None).await;
    assert_eq!(again.status, 200);
    assert_eq!(app.rows("stored_file").await, 0);
    let history = admin.get("/api/admin/settings/history").await;
    assert_eq!(history.at("/data/0/after"), &json!({ "logo": null }));
}

#[tokio::test]
async fn only_images_up_to_1_mb_for_existing_tenants_are_logos_and_customer_support_sets_none() {
    let app = TestApp::start().await;
    let admin = staff(&app, AdminRole::Admin).await;
    let mut large = png(8, 8);
    large.resize(1024 * 1024 + 1, 0);
    for (content, message) in [
        (
            b"%PDF-1.7 <</Type/Page>>".to_vec(),
            "Envie um arquivo JPEG ou PNG.",
        ),
        (large, "A imagem pode ter até 1 MB."),
    ] {
        let refused = admin.send_file(Method::PUT, LOGOS, content).await;
        assert_eq!(
            (refused.status, refused.at("/errors/file")),
            (422, &json!([message]))
        );
    }
    // The whole header of an image, and half of its pixels.
    let mut half = png(300, 300);
    half.truncate(half.len() / 2);
    let half = admin.send_file(Method::PUT, LOGOS, half).await;
    assert_eq!(half.status, 422, "{}", half.body);
    assert!(half.at("/errors/file").is_array(), "{}", half.body);
    assert_eq!(app.rows("stored_file").await, 0);
    let unknown = format!("{LOGOS}?label=nenhuma");
    assert_eq!(
        admin.send_file(Method::PUT, &unknown, png(8, 8)).await.status,
        404
    );
    let sac = staff(&app, AdminRole::Sac).await;
    assert_eq!(sac.send_file(Method::PUT, LOGOS, png(8, 8)).await.status, 403);
}

#[tokio::test]
async fn the_logo_of_a_removed_tenant_is_deleted() {
    let app = TestApp::start().await;
    let admin = staff(&app, AdminRole::Admin).await;
    let tenant = json!({
        "label": "lojas", "product_name": "Lojas", "theme_color": "#36BE54", "highlight_color": "#29FF00",
    });
    assert_eq!(admin.post("/api/admin/settings", tenant).await.status, 200);
    let of_label = format!("{LOGOS}?label=lojas");
    assert_eq!(
        admin.send_file(Method::PUT, &of_label, png(8, 8)).await.status,
        200
    );
    let removal = json!({ "label": "lojas", "remove": true });
    assert_eq!(admin.post("/api/admin/settings", removal).await.status, 200);
    assert_eq!(app.rows("stored_file").await, 0);
}
