//! The documents of a company: what can be uploaded, who may see it, and how it is sent.

mod images;
mod limits;

use std::io::Cursor;

use gateway_identity::roles::{AdminRole, SellerRole};
use image::codecs::jpeg::JpegEncoder;
use image::{ImageBuffer, ImageFormat, Rgb};
use reqwest::Method;
use serde_json::json;

use crate::support::{Answer, Client, Company, TestApp, User};

const AFTER_DECISION: &str =
    "Depois da decisão sobre a empresa, os documentos não podem ser removidos. Envie um novo, se mudou.";

struct DocumentsFixture {
    app: TestApp,
    company: Company,
    user: User,
    /// The client of `user`, who owns the company.
    owner: Client,
    staff: Client,
}

impl DocumentsFixture {
    /// A company that waits for its approval.
    async fn open() -> Self {
        let app = TestApp::start().await;
        let company = app.company("Padaria").await;
        app.execute("UPDATE business SET approval = 'pending'").await;
        let user = app.seller(&[(&company, SellerRole::Owner)]).await;
        let owner = app.sign_in(&user).await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Sac]).await).await;
        Self {
            app,
            company,
            user,
            owner,
            staff,
        }
    }

    fn seller_path(&self, rest: &str) -> String {
        format!("/api/business/{}/documents{rest}", self.company.id)
    }

    fn staff_path(&self, rest: &str) -> String {
        format!("/api/admin/businesses/{}/documents{rest}", self.company.id)
    }

    async fn upload(&self, query: &str, content: Vec<u8>) -> Answer {
        self.owner
            .send_file(Method::POST, &self.seller_path(query), content)
            .await
    }

    async fn decide(&self, approval: &str) {
        let decision = format!("UPDATE business SET approval = '{approval}'");
        self.app.execute(&decision).await;
    }

    async fn upload_as_staff(&self, query: &str, content: Vec<u8>) -> Answer {
        self.staff
            .send_file(Method::POST, &self.staff_path(query), content)
            .await
    }
}

pub fn png(width: u32, height: u32) -> Vec<u8> {
    let low = |number: u32| number.to_le_bytes()[0];
    let image = ImageBuffer::from_fn(width, height, |x, y| Rgb([low(x), low(y), 40]));
    let mut content = Cursor::new(vec![]);
    image.write_to(&mut content, ImageFormat::Png).expect("a PNG");
    content.into_inner()
}

fn jpeg() -> Vec<u8> {
    let mut content = vec![];
    let image = ImageBuffer::from_pixel(400, 300, Rgb([10_u8, 200, 40]));
    image
        .write_with_encoder(JpegEncoder::new_with_quality(&mut content, 90))
        .expect("a JPEG");
    content
}

/// A PDF with a page.
pub fn pdf(bytes: usize) -> Vec<u8> {
    let mut content = b"%PDF-1.7\n<</Type/Page>>\n".to_vec();
    content.resize(bytes, b'x');
    content
}

#[tokio::test]
async fn documents_of_each_type_are_stored_listed_and_downloaded_unchanged() {
    let fixture = DocumentsFixture::open().await;
    let empty = fixture.owner.get(&fixture.seller_path("")).await;
    assert_eq!(empty.at("/missing"), &json!(["identity", "address", "articles"]));
    for (kind, name, media_type, content) in [
        ("identity", "RG.png", "image/png", png(300, 200)),
        // The name claims another type than the content has.
        ("address", "conta%20de%20luz.pdf", "image/jpeg", jpeg()),
        ("articles", "contrato%22.pdf", "application/pdf", pdf(700_000)),
    ] {
        let uploaded = fixture
            .upload(&format!("?kind={kind}&name={name}"), content.clone())
            .await;
        assert_eq!(uploaded.status, 201, "{}", uploaded.body);
        let documents = uploaded.at("/data").as_array().expect("a list");
        let added = documents.last().expect("a document");
        assert_eq!(added["media_type"], media_type);
        assert_eq!(added["kind"], kind);
        let url = added["url"].as_str().expect("an address");
        let (status, headers, downloaded) = fixture.owner.download(url).await;
        assert_eq!((status, downloaded == content), (200, true), "{name}");
        let header = |name: &str| headers[name].to_str().expect("a text").to_owned();
        assert_eq!(header("content-type"), media_type);
        assert!(header("content-disposition").starts_with("attachment; "));
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert!(header("content-security-policy").starts_with("sandbox"));
        assert_eq!(header("cache-control"), "no-store");
    }
    let listed = fixture.staff.get(&fixture.staff_path("")).await;
    assert_eq!(
        (listed.at("/missing"), listed.at("/removable")),
        (&json!([]), &json!(true))
    );
    assert_eq!(listed.text("/data/0/uploaded_by/kind"), "seller");
    assert!(listed.text("/data/0/url").starts_with("/api/admin/businesses/"));
    let (status, _, downloaded) = fixture.staff.download(listed.text("/data/2/url")).await;
    assert_eq!((status, downloaded.len()), (200, 700_000));
    let again = fixture
        .upload("?kind=identity&name=outro.png", png(300, 200))
        .await;
    assert_eq!(
        (again.status, again.at("/data").as_array().map(Vec::len)),
        (201, Some(3)),
        "the same file is stored once"
    );
    let history = format!("/api/admin/businesses/{}/history", fixture.company.id);
    let history = fixture.staff.get(&history).await;
    assert_eq!(history.text("/data/0/action"), "add-document");
    assert_eq!(history.text("/data/0/after/file_name"), "contrato-.pdf");
}

#[tokio::test]
async fn documents_are_a_404_for_other_companies_and_a_403_for_roles_without_access() {
    let fixture = DocumentsFixture::open().await;
    let uploaded = fixture.upload("?kind=identity&name=rg.png", png(320, 160)).await;
    let (id, url) = (uploaded.text("/data/0/id"), uploaded.text("/data/0/url"));
    let other = fixture.app.company("Outra").await;
    let other_owner = fixture
        .app
        .sign_in(&fixture.app.seller(&[(&other, SellerRole::Owner)]).await)
        .await;
    let of_other = format!("/api/business/{}/documents/{id}", other.id);
    for path in [
        url.to_owned(),
        of_other.clone(),
        format!("/api/business/{}/images?url={url}&w=160", other.id),
        format!("/api/business/{}/images?url={of_other}&w=160", other.id),
    ] {
        assert_eq!(other_owner.get(&path).await.status, 404, "{path}");
    }
    let removed = other_owner.send(Method::DELETE, &of_other, None).await;
    assert_eq!(removed.status, 404);
    let staffs = format!("/api/admin/businesses/{}/documents/{id}", other.id);
    assert_eq!(fixture.staff.get(&staffs).await.status, 404);
    for role in [SellerRole::Admin, SellerRole::Operator] {
        let seller = fixture.app.seller(&[(&fixture.company, role)]).await;
        let seller = fixture.app.sign_in(&seller).await;
        assert_eq!(seller.get(url).await.status, 403, "{role:?}");
        let sent = seller
            .send_file(
                Method::POST,
                &fixture.seller_path("?kind=other&name=a.pdf"),
                pdf(30),
            )
            .await;
        assert_eq!(sent.status, 403, "{role:?}");
    }
    let financial = fixture.app.admin(&[AdminRole::Financial]).await;
    let financial = fixture.app.sign_in(&financial).await;
    assert_eq!(financial.get(&fixture.staff_path("")).await.status, 403);
}

#[tokio::test]
async fn documents_can_be_removed_until_the_decision_and_owners_get_e_mails_about_later_ones() {
    let fixture = DocumentsFixture::open().await;
    let email = fixture.app.text("SELECT email FROM seller_user").await;
    let uploaded = fixture.upload("?kind=identity&name=rg.png", png(320, 160)).await;
    let path = fixture.seller_path(&format!("/{}", uploaded.text("/data/0/id")));
    assert_eq!(fixture.owner.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(fixture.owner.get(&path).await.status, 404);
    assert_eq!(fixture.app.rows("stored_file").await, 0);
    let sent = fixture
        .upload_as_staff("?kind=address&name=luz.pdf", pdf(30))
        .await;
    assert_eq!(
        (sent.status, sent.text("/data/0/uploaded_by/kind")),
        (201, "staff")
    );
    assert!(
        fixture.app.emails_to(&email).await.is_empty(),
        "no e-mail before the decision"
    );
    let id = sent.text("/data/0/id");
    let path = fixture.seller_path(&format!("/{id}"));
    let refused = fixture.owner.send(Method::DELETE, &path, None).await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (
            409,
            "Este documento foi enviado pela nossa equipe, e só ela pode removê-lo."
        )
    );
    fixture.decide("enabled").await;
    let new = fixture.upload("?kind=identity&name=rg.png", png(320, 160)).await;
    assert_eq!((new.status, new.at("/removable")), (201, &json!(false)));
    assert_eq!(
        new.at("/data/0/uploaded_by/name"),
        &json!(null),
        "staff stay anonymous"
    );
    let sent = fixture.app.last_email_to(&email).await.text;
    assert!(
        sent.contains("Um documento da empresa Padaria mudou: documento de identidade."),
        "{sent}"
    );
    let own = new.text("/data/1/id");
    for approval in ["enabled", "denied"] {
        fixture.decide(approval).await;
        for (client, path) in [
            (&fixture.owner, fixture.seller_path(&format!("/{own}"))),
            (&fixture.staff, fixture.staff_path(&format!("/{own}"))),
            (&fixture.staff, fixture.staff_path(&format!("/{id}"))),
        ] {
            let refused = client.send(Method::DELETE, &path, None).await;
            assert_eq!(
                (refused.status, refused.text("/message")),
                (409, AFTER_DECISION),
                "{approval}: {path}"
            );
        }
    }
    assert_eq!(fixture.app.rows("business_document").await, 2);
}

#[tokio::test]
async fn a_deleted_company_gets_no_documents() {
    let fixture = DocumentsFixture::open().await;
    fixture.decide("deleted").await;
    let refused = fixture
        .upload_as_staff("?kind=identity&name=rg.png", png(320, 160))
        .await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (409, "Esta empresa foi deletada.")
    );
    assert_eq!(fixture.app.rows("stored_file").await, 0);
}
