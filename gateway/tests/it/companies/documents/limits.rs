//! The limits of uploads: type, size, number, and how many arrive at once.

use std::io::Cursor;
use std::net::SocketAddr;

use gateway::app::Parts;
use gateway_identity::roles::SellerRole;
use image::{ImageBuffer, ImageFormat, Luma};
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{DocumentsFixture, pdf, png};
use crate::support::PASSWORD;
use crate::support::wait::until;

const MEGABYTE: usize = 1024 * 1024;

#[tokio::test]
async fn a_file_that_is_no_document_is_refused() {
    let fixture = DocumentsFixture::open().await;
    let kind = "?kind=other&name=a.pdf";
    let bomb = {
        // Not `from_pixel`, which takes seconds for as many pixels in a build without optimization.
        let pixels = vec![0_u8; 6000 * 5000];
        let image = ImageBuffer::<Luma<u8>, _>::from_raw(6000, 5000, pixels).expect("all pixels");
        let mut content = Cursor::new(vec![]);
        image.write_to(&mut content, ImageFormat::Png).expect("a PNG");
        content.into_inner()
    };
    assert!(bomb.len() < MEGABYTE, "a small file of many pixels");
    for (content, message) in [
        (vec![], "Escolha um arquivo."),
        (
            b"<html><script>alert(1)</script>".to_vec(),
            "Envie um arquivo PDF, JPEG ou PNG.",
        ),
        (b"GIF89a".to_vec(), "Envie um arquivo PDF, JPEG ou PNG."),
        (
            b"\x89PNG\r\n\x1a\n and no image".to_vec(),
            "Não conseguimos abrir a imagem. Envie outro arquivo.",
        ),
        (bomb, "A imagem pode ter até 25 milhões de pixels."),
        (
            b"%PDF-1.4\n%%EOF".to_vec(),
            "O PDF não tem páginas. Envie outro arquivo.",
        ),
        (
            png(199, 150),
            "A imagem é pequena demais para ler o documento. Envie uma com pelo menos 200 × 100 pixels.",
        ),
    ] {
        let refused = fixture.upload(kind, content).await;
        assert_eq!(
            (refused.status, refused.at("/errors/file")),
            (422, &json!([message]))
        );
    }
    let largest = fixture.upload(kind, pdf(10 * MEGABYTE)).await;
    assert_eq!(largest.status, 201, "{}", largest.body);
    let too_large = fixture.upload(kind, pdf(10 * MEGABYTE + 1)).await;
    assert_eq!(
        (too_large.status, too_large.text("/message")),
        (413, "O arquivo pode ter até 10 MB.")
    );
    for (query, field) in [
        ("?name=a.pdf", "kind"),
        ("?kind=passport&name=a.pdf", "kind"),
        ("?kind=other", "name"),
        ("?kind=other&name=...", "name"),
    ] {
        let refused = fixture.upload(query, pdf(20)).await;
        assert_eq!(refused.status, 422, "{query}");
        assert!(
            refused.at("/errors").get(field).is_some(),
            "{query}: {}",
            refused.body
        );
    }
    assert_eq!(fixture.app.rows("stored_file").await, 1);
}

#[tokio::test]
async fn a_company_uploads_50_mb_and_20_documents_at_most() {
    let fixture = DocumentsFixture::open().await;
    for number in 0..5 {
        let mut content = pdf(10 * MEGABYTE);
        content[26] = b'0' + number;
        let uploaded = fixture.upload("?kind=other&name=a.pdf", content).await;
        assert_eq!(uploaded.status, 201);
    }
    let refused = fixture.upload("?kind=other&name=a.pdf", pdf(30)).await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (
            409,
            "Os documentos que a empresa envia podem ter até 50 MB no total."
        )
    );
    let of_staff = fixture.upload_as_staff("?kind=other&name=a.pdf", pdf(30)).await;
    assert_eq!(of_staff.status, 201, "uploads of staff do not count");
    fixture.app.execute("DELETE FROM business_document").await;
    assert_eq!(
        fixture.app.rows("stored_file_part").await,
        0,
        "files are deleted with their documents"
    );
    for number in 0..20 {
        let mut content = pdf(30);
        content[26] = b'a' + number;
        let uploaded = fixture.upload("?kind=other&name=a.pdf", content).await;
        assert_eq!(uploaded.status, 201);
    }
    let refused = fixture.upload("?kind=other&name=a.pdf", pdf(40)).await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (409, "A empresa já enviou 20 documentos.")
    );
    let of_staff = fixture.upload_as_staff("?kind=other&name=a.pdf", pdf(40)).await;
    assert_eq!(of_staff.status, 201, "uploads of staff do not count");
}

impl DocumentsFixture {
    /// An upload of the owner that stops after the first four of its 30 bytes.
    async fn begin_upload(&self, addr: SocketAddr) -> TcpStream {
        let signed_in = self.app.try_sign_in(&self.user, PASSWORD).await;
        let head = format!(
            "POST {} HTTP/1.1\r\nhost: {addr}\r\nauthorization: Bearer {}\r\n\
             content-type: application/octet-stream\r\ncontent-length: 30\r\n\r\n%PDF",
            self.seller_path("?kind=other&name=a.pdf"),
            signed_in.text("/access_token")
        );
        let mut stream = TcpStream::connect(addr).await.expect("a connection");
        stream.write_all(head.as_bytes()).await.expect("it is taken");
        stream
    }
}

#[tokio::test]
async fn one_file_is_not_several_documents() {
    let fixture = DocumentsFixture::open().await;
    let identity = fixture.upload("?kind=identity&name=rg.pdf", pdf(30)).await;
    assert_eq!(identity.status, 201, "{}", identity.body);
    let again = fixture.upload("?kind=articles&name=contrato.pdf", pdf(30)).await;
    assert_eq!(
        (again.status, again.at("/errors")),
        (
            422,
            &json!({ "file": ["Este arquivo já foi enviado como documento de identidade. Envie outro arquivo."] })
        )
    );
    let other = fixture.upload("?kind=articles&name=contrato.pdf", pdf(31)).await;
    assert_eq!(other.at("/missing"), &json!(["address"]));
}

#[tokio::test]
async fn two_slow_uploads_of_a_user_delay_no_other_user_and_a_stalled_one_times_out() {
    let fixture = DocumentsFixture::open().await;
    let state = &fixture.app.app.state;
    let arriving = |state: &gateway_http::AppState| state.slots.uploads.taken(fixture.user.id);
    let slow = [
        fixture.begin_upload(fixture.app.addr()).await,
        fixture.begin_upload(fixture.app.addr()).await,
    ];
    until("two uploads that arrive", async || arriving(state) == 2).await;
    let query = "?kind=other&name=a.pdf";
    let third = fixture.upload(query, pdf(30)).await;
    assert_eq!(
        (third.status, third.text("/message")),
        (429, "Seus outros arquivos ainda estão sendo enviados.")
    );
    let second_owner = fixture.app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let second_owner = fixture.app.sign_in(&second_owner).await;
    let sent = second_owner
        .send_file(Method::POST, &fixture.seller_path(query), pdf(30))
        .await;
    assert_eq!(sent.status, 201, "the limit is for each user");
    drop(slow);
    until("the ends of the uploads of clients that left", async || {
        arriving(state) == 0
    })
    .await;
    assert_eq!(fixture.upload(query, pdf(40)).await.status, 201);
    // A client that stays connected and sends no more: the limit of the body ends its upload. The limit of an idle
    // connection does not.
    let impatient = fixture
        .app
        .second_gateway_with(
            &[("RAZAO_HTTP_BODY_MS", "200"), ("RAZAO_HTTP_IDLE_MS", "3600000")],
            Parts {
                gateway: true,
                writer: false,
                projections: false,
                ..Parts::LEDGER
            },
        )
        .await;
    let mut stalled = fixture
        .begin_upload(impatient.address().expect("it listens"))
        .await;
    let mut answer = vec![];
    stalled.read_to_end(&mut answer).await.expect("an answer");
    assert!(answer.starts_with(b"HTTP/1.1 408"));
    until("the end of the stalled upload", async || {
        arriving(&impatient.state) == 0
    })
    .await;
    impatient.stop().await;
    assert_eq!(fixture.app.rows("business_document").await, 2);
}
