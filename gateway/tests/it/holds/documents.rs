//! The documents that a hold asks for: sellers send files, staff answer them, and both download them.

use reqwest::Method;
use serde_json::{Value, json};
use tokio_postgres::error::SqlState;

use super::{HoldsFixture, OWN};
use crate::companies::documents::{pdf, png};
use crate::spreadsheets::sheet::download;
use crate::support::Answer;
use crate::withdrawals::WithdrawalFixture;
use gateway_identity::roles::SellerRole;

const QUEUE: &str = "/api/admin/balance/hold-documents";
const INVOICES: &str = "Notas fiscais";

impl HoldsFixture {
    async fn asking(&self) -> Value {
        self.placed(json!({ "documents": [INVOICES, "Contrato"] })).await
    }

    async fn send(&self, hold: &Value, asked: &str, content: Vec<u8>) -> Answer {
        let id = hold["id"].as_str().expect("an id");
        let asked = asked.replace(' ', "%20");
        let path = format!("{OWN}/{id}/documents?asked={asked}&name=nota.pdf");
        self.current(self.seller())
            .await
            .send_file(Method::POST, &path, content)
            .await
    }

    /// Sends a file, and returns it.
    async fn sent(&self, hold: &Value, asked: &str, content: Vec<u8>) -> Value {
        let sent = self.send(hold, asked, content).await;
        assert_eq!(sent.status, 201, "{}", sent.body);
        let files = sent.at("/files").as_array().expect("files");
        files.last().expect("a file").clone()
    }

    async fn answer(&self, file: &Value, body: Value) -> Answer {
        let id = file["id"].as_str().expect("an id");
        self.staff().post(&format!("{QUEUE}/{id}/answer"), body).await
    }
}

#[tokio::test]
async fn a_seller_sends_several_files_and_staff_accept_or_refuse_each_with_a_note() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.asking().await;
    assert_eq!(hold["documents_missing"], json!([INVOICES, "Contrato"]));
    let first = fixture.sent(&hold, INVOICES, pdf(700)).await;
    let second = fixture.sent(&hold, INVOICES, png(300, 200)).await;
    assert_eq!(
        (&first["state"], &first["asked"], &first["file_name"]),
        (&json!("sent"), &json!(INVOICES), &json!("nota.pdf"))
    );
    assert_eq!(second["media_type"], "image/png", "by content, not by name");
    let seen = fixture.seller_reads(&hold).await;
    assert_eq!(seen.at("/documents_missing"), &json!(["Contrato"]));
    assert!(
        seen.body
            .to_string()
            .contains(first["url"].as_str().expect("a url")),
        "{}",
        seen.body
    );
    let accepted = fixture.answer(&first, json!({ "accepted": true })).await;
    assert_eq!(
        (accepted.status, accepted.text("/state"), accepted.at("/note")),
        (200, "accepted", &Value::Null),
        "{}",
        accepted.body
    );
    assert_eq!(accepted.text("/answered_by"), "Bruno Lima");
    let refused = fixture
        .answer(
            &second,
            json!({ "accepted": false, "note": "A foto está cortada." }),
        )
        .await;
    assert_eq!(refused.text("/state"), "refused", "{}", refused.body);
    let seen = fixture.seller_reads(&hold).await;
    assert_eq!(seen.text("/files/1/note"), "A foto está cortada.");
    assert_eq!(
        seen.at("/files/1/answered_by"),
        &Value::Null,
        "sellers do not see which member of staff it was"
    );
    assert_eq!(
        seen.at("/documents_missing"),
        &json!(["Contrato"]),
        "one accepted file is enough"
    );
    let id = hold["id"].as_str().expect("an id");
    for action in ["accept-document", "refuse-document"] {
        assert_eq!(fixture.money.audit_entries_count(action, id).await, 1, "{action}");
    }
    assert_eq!(
        fixture
            .money
            .app
            .count(
                "SELECT count(*) FROM audit_log WHERE subject = 'hold' AND action = 'send-document'
                                AND audience = 'seller'"
            )
            .await,
        2
    );
}

#[tokio::test]
async fn a_document_is_answered_once_and_a_refusal_needs_a_note() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.asking().await;
    let file = fixture.sent(&hold, INVOICES, pdf(700)).await;
    for body in [
        json!({ "accepted": false }),
        json!({ "accepted": false, "note": " " }),
    ] {
        let refused = fixture.answer(&file, body).await;
        assert_eq!(
            (refused.status, refused.at("/errors")),
            (422, &json!({ "note": ["Informe o que falta no documento."] })),
            "{}",
            refused.body
        );
    }
    let body = json!({ "accepted": false, "note": "Ilegível" });
    assert_eq!(fixture.answer(&file, body).await.status, 200);
    let again = fixture.answer(&file, json!({ "accepted": true })).await;
    assert_eq!(
        (again.status, again.text("/message")),
        (409, "Este documento já foi respondido: Recusado.")
    );
    assert_eq!(
        fixture.seller_reads(&hold).await.at("/documents_missing"),
        &json!([INVOICES, "Contrato"]),
        "a refused file is sent again"
    );
    let client = fixture.money.app.database.client().await;
    for sql in [
        "UPDATE hold_document SET state = 'accepted', note = NULL",
        "DELETE FROM hold_document",
        "TRUNCATE hold_document",
    ] {
        let error = client.batch_execute(sql).await.expect_err(sql);
        assert_eq!(error.code(), Some(&SqlState::CHECK_VIOLATION), "{sql}");
    }
    let unknown = json!({ "id": "00000000-0000-4000-8000-000000000009" });
    let answer = fixture.answer(&unknown, json!({ "accepted": true })).await;
    assert_eq!(answer.status, 404, "{}", answer.body);
}

#[tokio::test]
async fn what_a_hold_does_not_ask_for_and_files_beyond_the_limits_are_refused() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.asking().await;
    let same = pdf(700);
    fixture.sent(&hold, INVOICES, same.clone()).await;
    let again = fixture.send(&hold, INVOICES, same.clone()).await;
    assert_eq!(
        (again.status, again.at("/files").as_array().map(Vec::len)),
        (201, Some(1)),
        "the same file is stored once"
    );
    for (asked, content, field, message) in [
        (
            "Outra coisa",
            pdf(800),
            "asked",
            "Esta retenção não pede este documento.",
        ),
        (
            "Contrato",
            same,
            "file",
            "Este arquivo já foi enviado como Notas fiscais. Envie outro arquivo.",
        ),
        (
            "Contrato",
            png(20, 20),
            "file",
            "A imagem é pequena demais para ler o documento. Envie uma com pelo menos 200 × 100 pixels.",
        ),
        (
            "Contrato",
            b"<html>".to_vec(),
            "file",
            "Envie um arquivo PDF, JPEG ou PNG.",
        ),
    ] {
        let refused = fixture.send(&hold, asked, content).await;
        assert_eq!(refused.status, 422, "{asked}: {}", refused.body);
        assert_eq!(refused.at("/errors"), &json!({ field: [message] }), "{asked}");
    }
    for number in 0..19 {
        fixture.sent(&hold, "Contrato", pdf(900 + number)).await;
    }
    let beyond = fixture.send(&hold, "Contrato", pdf(2_000)).await;
    assert_eq!(
        (beyond.status, beyond.text("/message")),
        (409, "Esta retenção já tem 20 arquivos.")
    );
    assert_eq!(fixture.release(&hold, 300_00).await.status, 200);
    let ended = fixture.send(&hold, INVOICES, pdf(3_000)).await;
    assert_eq!(
        (ended.status, ended.text("/message")),
        (
            409,
            "Esta retenção já foi encerrada e não recebe mais documentos."
        )
    );
    assert_eq!(fixture.money.app.rows("hold_document").await, 20);
    assert_eq!(fixture.money.app.rows("stored_file").await, 20);
}

#[tokio::test]
async fn both_download_a_file_and_nobody_else_does() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.asking().await;
    let content = pdf(700);
    let file = fixture.sent(&hold, INVOICES, content.clone()).await;
    let own = file["url"].as_str().expect("a url");
    let staff = format!("{QUEUE}/{}", file["id"].as_str().expect("an id"));
    for (client, url) in [(fixture.seller(), own), (fixture.staff(), &*staff)] {
        let (status, headers, downloaded) = client.download(url).await;
        assert_eq!((status, downloaded == content), (200, true), "{url}");
        let disposition = headers["content-disposition"].to_str().expect("a text");
        assert!(disposition.starts_with("attachment; "), "{disposition}");
    }
    let app = &fixture.money.app;
    let other = app.company("Mercado").await;
    let stranger = app
        .sign_in(&app.seller(&[(&other, SellerRole::Owner)]).await)
        .await;
    assert_eq!(stranger.get(own).await.status, 404);
    let operator = app
        .sign_in(
            &app.seller(&[(&fixture.money.company, SellerRole::Operator)])
                .await,
        )
        .await;
    assert_eq!(operator.get(own).await.status, 403);
    let another = fixture.placed(json!({ "amount": 1_00 })).await;
    let id = |hold: &Value| hold["id"].as_str().expect("an id").to_owned();
    let wrong = own.replace(&id(&hold), &id(&another));
    assert_eq!(fixture.seller().get(&wrong).await.status, 404, "of another hold");
}

#[tokio::test]
async fn the_queue_has_the_files_that_wait_for_an_answer_the_oldest_first() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.asking().await;
    let first = fixture.sent(&hold, INVOICES, pdf(700)).await;
    let second = fixture.sent(&hold, "Contrato", pdf(800)).await;
    let third = fixture.sent(&hold, "Contrato", pdf(900)).await;
    assert_eq!(
        fixture.answer(&second, json!({ "accepted": true })).await.status,
        200
    );
    let ids = async |query: &str| -> Vec<Value> {
        let staff = fixture.current(fixture.staff()).await;
        let path = format!("{QUEUE}?{query}");
        let listed = staff.get(&path).await;
        let rows = listed.at("/data").as_array().expect("a list").clone();
        assert_eq!(download(&staff, &path).await.rows.len(), rows.len(), "{query}");
        rows.iter().map(|row| row["id"].clone()).collect()
    };
    let all = [&first["id"], &second["id"], &third["id"]].map(Clone::clone);
    assert_eq!(ids("").await, all);
    assert_eq!(ids("state=sent").await, [all[0].clone(), all[2].clone()]);
    assert_eq!(ids("state=accepted").await, [all[1].clone()]);
    assert_eq!(ids("state=sent&order=desc").await[0], all[2]);
    let company = fixture.money.company.id;
    assert_eq!(ids(&format!("business_id={company}")).await.len(), 3);
    let other = fixture.money.app.company("Mercado").await.id;
    assert_eq!(ids(&format!("business_id={other}")).await.len(), 0);
    let listed = fixture.staff().get(&format!("{QUEUE}?state=sent")).await;
    assert_eq!(listed.text("/data/0/business_name"), "Padaria");
    assert_eq!(listed.at("/data/0/hold_amount"), &json!(300_00));
}

#[tokio::test]
async fn the_company_is_told_by_email_what_to_send_and_what_was_refused() {
    let fixture = HoldsFixture {
        money: WithdrawalFixture::open_with_emails().await,
    };
    let app = &fixture.money.app;
    let owner = app.seller(&[(&fixture.money.company, SellerRole::Owner)]).await;
    let silent = fixture.placed(json!({ "amount": 1_00 })).await;
    let hold = fixture.asking().await;
    let asked = app
        .email_about(&owner.email, "Envie documentos para liberar um valor retido")
        .await;
    assert!(asked.text.contains("Notas fiscais; Contrato"), "{}", asked.text);
    assert!(asked.text.contains("R$ 300,00"), "{}", asked.text);
    let id = hold["id"].as_str().expect("an id");
    assert!(
        asked
            .link()
            .ends_with(&format!("/financeiro/valores-retidos/{id}"))
    );
    let file = fixture.sent(&hold, INVOICES, pdf(700)).await;
    let body = json!({ "accepted": false, "note": "A nota está ilegível." });
    assert_eq!(fixture.answer(&file, body).await.status, 200);
    let refused = app
        .email_about(&owner.email, "Documento recusado: envie outro")
        .await;
    assert!(refused.text.contains("A nota está ilegível."), "{}", refused.text);
    assert!(!refused.text.contains("Bruno"), "{}", refused.text);
    // A change that asks for nothing new sends nothing.
    for hold in [&silent, &hold] {
        let form = json!({ "reason": "Outro motivo", "documents": hold["documents"] });
        assert_eq!(fixture.act(hold, "change", form).await.status, 200);
    }
    app.until_no_email_waits().await;
    assert_eq!(app.emails_to(&owner.email).await.len(), 2);
}
