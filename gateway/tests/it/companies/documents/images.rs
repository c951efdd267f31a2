//! The images of documents, scaled to the width at which a page shows them.

use super::{DocumentsFixture, pdf, png};

#[tokio::test]
async fn an_image_is_scaled_for_users_who_may_see_the_document() {
    let fixture = DocumentsFixture::open().await;
    let uploaded = fixture.upload("?kind=identity&name=rg.png", png(800, 400)).await;
    let url = uploaded.text("/data/0/url").to_owned();
    let call = format!("/api/business/{}/images", fixture.company.id);
    let (status, headers, content) = fixture.owner.download(&format!("{call}?url={url}&w=160")).await;
    assert_eq!(status, 200);
    let header = |name: &str| headers[name].to_str().expect("a text").to_owned();
    assert_eq!(header("content-type"), "image/jpeg");
    assert_eq!(header("cache-control"), "private, no-cache");
    let shown = image::load_from_memory(&content).expect("an image");
    assert_eq!((shown.width(), shown.height()), (160, 80));
    let known = fixture.owner.clone().with("if-none-match", &header("etag"));
    let same = known.get(&format!("{call}?url={url}&w=160")).await;
    assert_eq!(same.status, 304);
    let (_, _, coarse) = fixture
        .owner
        .download(&format!("{call}?url={url}&w=160&q=5"))
        .await;
    assert!(coarse.len() < content.len(), "a lower quality is a smaller file");
    for (query, status) in [
        (format!("?url={url}"), 422),
        (format!("?url={url}&w=0"), 422),
        (format!("?url={url}&w=160&q=101"), 422),
        ("?url=https://example.com/a.png&w=160".to_owned(), 422),
        (
            "?url=/api/logos/0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c&w=160".to_owned(),
            404,
        ),
    ] {
        assert_eq!(
            fixture.owner.get(&format!("{call}{query}")).await.status,
            status,
            "{query}"
        );
    }
    let pdf = fixture.upload("?kind=other&name=a.pdf", pdf(30)).await;
    let pdf = format!("{call}?url={}&w=160", pdf.text("/data/1/url"));
    assert_eq!(fixture.owner.get(&pdf).await.status, 422, "a PDF is no image");
    let mut half = png(300, 300);
    half.truncate(half.len() / 2);
    let half = fixture.upload("?kind=other&name=b.png", half).await;
    assert_eq!(
        half.status, 422,
        "half an image has no preview, so it is not stored"
    );
    assert!(half.at("/errors/file").is_array(), "{}", half.body);
    // The public call needs no session. It shows logos only.
    let public = fixture.owner.get(&format!("/api/images?url={url}&w=160")).await;
    assert_eq!(public.status, 404);
    let listed = fixture.staff.get(&fixture.staff_path("")).await;
    let by_staff = format!("/api/admin/images?url={}&w=160", listed.text("/data/0/url"));
    let (status, _, same) = fixture.staff.download(&by_staff).await;
    assert_eq!((status, same), (200, content));
}
