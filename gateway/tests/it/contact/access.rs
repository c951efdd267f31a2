//! Authors who lose access to a company get no answers about it any more.

use gateway::app::Parts;
use serde_json::json;

use super::{ContactFixture, OWN, STAFF};
use crate::support::{PARTS_WITHOUT_EFFECTS, TestApp};

#[tokio::test]
async fn a_former_user_of_a_company_reads_no_answers_about_it() {
    let fixture = ContactFixture::open().await;
    let id = fixture.message("Dúvida").await.text("/id").to_owned();
    fixture.answer(&id, "Amanhã.", 1).await;
    assert_eq!(fixture.app.emails_to(&fixture.user.email).await.len(), 1);
    let seen = fixture.seller.get(OWN).await;
    assert_eq!(seen.at("/meta/total"), 1, "{}", seen.body);
    fixture.app.execute("DELETE FROM business_access").await;
    let seen = fixture.seller.get(OWN).await;
    assert_eq!(seen.status, 200, "{}", seen.body);
    assert_eq!(seen.at("/data"), &json!([]));
    assert_eq!(seen.at("/meta/total"), 0);
    let answered = fixture.answer(&id, "Hoje.", 2).await;
    assert_eq!(answered.status, 201, "{}", answered.body);
    assert_eq!(answered.at("/answers/1/message"), "Hoje.");
    let queued = "SELECT count(*) FROM mail WHERE kind = 'contact-answer'";
    assert_eq!(fixture.app.count(queued).await, 1);
    assert_eq!(fixture.app.emails_to(&fixture.user.email).await.len(), 1);
    // Staff still find the message, by its company too.
    let list = fixture
        .staff
        .get(&format!("{STAFF}?business_id={}", fixture.company.id))
        .await;
    assert_eq!(list.at("/meta/total"), 1, "{}", list.body);
}

#[tokio::test]
async fn an_author_who_loses_access_or_changes_address_before_the_e_mail_is_sent_gets_none() {
    let without_effects = PARTS_WITHOUT_EFFECTS;
    let fixture = ContactFixture::of(TestApp::start_with(&[], without_effects).await).await;
    let changes = [
        "DELETE FROM business_access".to_owned(),
        format!(
            "UPDATE seller_user SET email = 'nova@loja.example' WHERE email = '{}'",
            fixture.user.email
        ),
    ];
    for (change, statuses) in changes.iter().zip(["nobody", "nobody,nobody"]) {
        let id = fixture.message("Dúvida").await.text("/id").to_owned();
        let access = fixture
            .app
            .text("SELECT json_agg(a)::text FROM business_access a")
            .await;
        assert_eq!(fixture.answer(&id, "Amanhã.", 1).await.status, 201);
        fixture.app.execute(change).await;
        let restore = format!(
            "INSERT INTO business_access SELECT * FROM json_populate_recordset(NULL::business_access, '{access}')
             ON CONFLICT DO NOTHING"
        );
        // The program that sends e-mails starts after the change.
        let sending = Parts {
            effects: true,
            writer: false,
            projections: false,
            ..Parts::LEDGER
        };
        let sender = fixture.app.second_gateway(sending).await;
        fixture.app.until_no_email_waits().await;
        sender.stop().await;
        let answers = "SELECT string_agg(status, ',') FROM mail WHERE kind = 'contact-answer'";
        assert_eq!(
            fixture.app.text(answers).await,
            statuses,
            "not sent after {change}"
        );
        fixture.app.execute(&restore).await;
    }
}

#[tokio::test]
async fn an_inactive_author_gets_no_answer_by_e_mail() {
    let fixture = ContactFixture::open().await;
    let id = fixture.message("Dúvida").await.text("/id").to_owned();
    fixture.app.execute("UPDATE seller_user SET active = false").await;
    let answered = fixture.answer(&id, "Amanhã.", 1).await;
    assert_eq!(answered.status, 201, "{}", answered.body);
    let queued = "SELECT count(*) FROM mail WHERE kind = 'contact-answer'";
    assert_eq!(fixture.app.count(queued).await, 0);
}
