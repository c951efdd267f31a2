//! Fale com a gente over HTTP: the platform's contact details, messages of sellers, and answers of staff by e-mail.

mod access;
mod indexes;

use gateway_identity::roles::{AdminRole, SellerRole};
use reqwest::Method;
use serde_json::{Value, json};
use tokio_postgres::error::SqlState;

use crate::spreadsheets::sheet::download;
use crate::support::{Answer, Client, Company, TestApp, User};

const OWN: &str = "/api/contact/messages";
const STAFF: &str = "/api/admin/contact-messages";

struct ContactFixture {
    app: TestApp,
    company: Company,
    user: User,
    /// The client of `user`.
    seller: Client,
    staff: Client,
}

impl ContactFixture {
    async fn open() -> Self {
        Self::of(TestApp::start().await).await
    }

    async fn of(app: TestApp) -> Self {
        app.execute(
            "UPDATE tenant SET contact_email = 'ajuda@razao.example', contact_phone = '1133334444' WHERE label = ''",
        )
        .await;
        let company = app.company("Padaria Souza").await;
        let user = app.seller(&[(&company, SellerRole::Operator)]).await;
        let seller = app.sign_in(&user).await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Sac]).await).await;
        Self {
            app,
            company,
            user,
            seller,
            staff,
        }
    }

    async fn message(&self, subject: &str) -> Answer {
        let sent = self.seller.post(OWN, form(subject)).await;
        assert_eq!(sent.status, 201, "{}", sent.body);
        sent
    }

    async fn answer(&self, id: &str, message: &str, version: i64) -> Answer {
        let body = json!({ "message": message, "version": version });
        self.staff.post(&format!("{STAFF}/{id}/answers"), body).await
    }

    async fn set_state(&self, id: &str, state: &str, version: i64) -> Answer {
        let body = json!({ "state": state, "version": version });
        let path = format!("{STAFF}/{id}");
        self.staff.send(Method::PATCH, &path, Some(body)).await
    }
}

fn form(subject: &str) -> Value {
    json!({ "subject": subject, "message": "Quando recebo\na venda de ontem?" })
}

#[tokio::test]
async fn a_panel_shows_the_contact_details_of_its_tenant() {
    let fixture = ContactFixture::open().await;
    let channels = fixture.seller.get("/api/contact").await;
    assert_eq!(channels.status, 200, "{}", channels.body);
    assert_eq!(
        channels.body,
        json!({ "email": "ajuda@razao.example", "phone": "1133334444", "whatsapp": null })
    );
}

#[tokio::test]
async fn a_message_is_stored_and_sent_to_the_contact_address_of_the_tenant() {
    let fixture = ContactFixture::open().await;
    let sent = fixture.message("Dúvida <b>sobre</b> o repasse").await;
    assert_eq!(sent.at("/number"), 1);
    assert_eq!(sent.at("/state"), "new");
    assert_eq!(sent.at("/business_name"), "Padaria Souza");
    assert_eq!(sent.at("/answers"), &json!([]));
    let email = fixture.app.last_email_to("ajuda@razao.example").await;
    let title = "<title>Mensagem nº 1: Dúvida &lt;b&gt;sobre&lt;/b&gt; o repasse</title>";
    assert!(email.html.contains(title), "{}", email.html);
    for part in [
        "escreveu pela empresa Padaria Souza:",
        fixture.user.email.as_str(),
        "Quando recebo",
        "a venda de ontem?",
    ] {
        assert!(email.text.contains(part), "{part}: {}", email.text);
    }
    let list = fixture.seller.get(OWN).await;
    assert_eq!(list.at("/data/0"), &sent.body);
    assert_eq!(list.at("/meta/total"), 1);
    let log = "SELECT count(*) FROM audit_log WHERE subject = 'contact_message' AND action = 'create'
                AND audience = 'seller' AND after->>'subject' LIKE 'Dúvida%'";
    assert_eq!(fixture.app.count(log).await, 1);
}

#[tokio::test]
async fn without_a_contact_address_a_message_is_only_stored() {
    let fixture = ContactFixture::open().await;
    fixture
        .app
        .execute("UPDATE tenant SET contact_email = NULL")
        .await;
    fixture.message("Dúvida").await;
    assert_eq!(fixture.app.count("SELECT count(*) FROM mail").await, 0);
    let list = fixture.staff.get(STAFF).await;
    assert_eq!(list.at("/meta/total"), 1, "{}", list.body);
}

#[tokio::test]
async fn an_answer_reaches_the_seller_by_e_mail_and_in_the_panel() {
    let fixture = ContactFixture::open().await;
    let id = fixture.message("Dúvida").await.text("/id").to_owned();
    let answered = fixture.answer(&id, "Amanhã,\r\naté as 12h.", 1).await;
    assert_eq!(answered.status, 201, "{}", answered.body);
    assert_eq!(
        (answered.at("/state"), answered.at("/version")),
        (&json!("answered"), &json!(2))
    );
    assert_eq!(answered.at("/answers/0/message"), "Amanhã,\naté as 12h.");
    assert_eq!(answered.at("/answers/0/answered_by"), "Bruno Lima");
    let email = fixture.app.last_email_to(&fixture.user.email).await;
    let title = "<title>Resposta à mensagem nº 1: Dúvida</title>";
    assert!(email.html.contains(title), "{}", email.html);
    for part in [
        "até as 12h.",
        "/fale-com-a-gente",
        "Quando recebo a venda de ontem?",
    ] {
        assert!(email.text.contains(part), "{part}: {}", email.text);
    }
    let own = fixture.seller.get(OWN).await;
    assert_eq!(own.at("/data/0/state"), "answered");
    assert_eq!(own.at("/data/0/answers/0/message"), "Amanhã,\naté as 12h.");
    assert!(!own.body.to_string().contains("Bruno Lima"), "{}", own.body);
    let history = fixture.staff.get(&format!("{STAFF}/{id}/history")).await;
    assert_eq!(history.at("/meta/total"), 2, "{}", history.body);
    assert_eq!(history.at("/data/0/action"), "answer");
    assert_eq!(history.at("/data/0/before"), &json!({ "state": "new" }));
}

#[tokio::test]
async fn an_answer_to_a_message_that_changed_in_between_is_a_409_that_says_how() {
    let fixture = ContactFixture::open().await;
    let id = fixture.message("Dúvida").await.text("/id").to_owned();
    let (one, other) = tokio::join!(fixture.answer(&id, "Amanhã.", 1), fixture.answer(&id, "Hoje.", 1));
    let mut both = [one, other];
    both.sort_by_key(|answer| answer.status);
    assert_eq!((both[0].status, both[1].status), (201, 409));
    assert_eq!(
        both[1].text("/message"),
        "Outra pessoa respondeu esta mensagem enquanto você a via. Veja a conversa atual antes de continuar."
    );
    let closed = fixture.set_state(&id, "closed", 2).await;
    assert_eq!(closed.at("/state"), "closed", "{}", closed.body);
    let late = fixture.answer(&id, "Hoje.", 2).await;
    assert!(
        late.text("/message").starts_with("Outra pessoa encerrou"),
        "{}",
        late.body
    );
    let reopened = fixture.set_state(&id, "answered", 3).await;
    assert_eq!(reopened.at("/state"), "answered", "{}", reopened.body);
    assert_eq!(
        fixture
            .app
            .count("SELECT count(*) FROM mail WHERE kind = 'contact-answer'")
            .await,
        1
    );
}

#[tokio::test]
async fn a_state_that_contradicts_the_answers_is_refused() {
    let fixture = ContactFixture::open().await;
    let id = fixture.message("Dúvida").await.text("/id").to_owned();
    for (state, message) in [
        ("answered", "Esta mensagem ainda não foi respondida."),
        ("open", "Deve ser new, answered ou closed."),
    ] {
        let refused = fixture.set_state(&id, state, 1).await;
        assert_eq!(refused.status, 422);
        assert_eq!(refused.at("/errors/state/0"), message);
    }
    // The same state is no change.
    assert_eq!(fixture.set_state(&id, "new", 1).await.at("/version"), 1);
    assert_eq!(fixture.set_state(&id, "closed", 1).await.at("/state"), "closed");
    assert_eq!(fixture.set_state(&id, "new", 2).await.at("/state"), "new");
    fixture.answer(&id, "Amanhã.", 3).await;
    let refused = fixture.set_state(&id, "new", 4).await;
    assert_eq!(refused.at("/errors/state/0"), "Esta mensagem já foi respondida.");
    let unknown = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b10";
    assert_eq!(fixture.set_state(unknown, "closed", 1).await.status, 404);
    assert_eq!(fixture.answer(unknown, "Amanhã.", 1).await.status, 404);
    for path in [format!("{STAFF}/{unknown}"), format!("{STAFF}/{unknown}/history")] {
        assert_eq!(fixture.staff.get(&path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn errors_are_reported_by_field_and_nothing_is_stored() {
    let fixture = ContactFixture::open().await;
    let missing = fixture.seller.post(OWN, json!({})).await;
    assert_eq!(missing.status, 422);
    assert_eq!(
        missing.at("/errors"),
        &json!({ "subject": ["Informe o assunto."], "message": ["Escreva a sua mensagem."] })
    );
    let long = json!({ "subject": "a".repeat(121), "message": "a".repeat(4_001) });
    let long = fixture.seller.post(OWN, long).await;
    assert_eq!(
        long.at("/errors"),
        &json!({
            "subject": ["O texto deve ter até 120 caracteres."],
            "message": ["O texto deve ter até 4.000 caracteres."],
        })
    );
    assert_eq!(fixture.app.count("SELECT count(*) FROM contact_message").await, 0);
    let id = fixture.message("Dúvida").await.text("/id").to_owned();
    let empty = fixture.answer(&id, " \n ", 1).await;
    assert_eq!(
        empty.at("/errors"),
        &json!({ "message": ["Escreva a resposta."] })
    );
}

#[tokio::test]
async fn a_repeated_request_sends_one_message_and_a_user_sends_at_most_five_at_once() {
    let fixture = ContactFixture::open().await;
    let keyed = fixture.seller.clone().with("idempotency-key", "mensagem-1");
    let first = keyed.post(OWN, form("Dúvida")).await;
    let again = keyed.post(OWN, form("Dúvida")).await;
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(first.body, again.body);
    let mut statuses = vec![];
    for number in 0..6 {
        let sent = fixture.seller.post(OWN, form(&format!("Dúvida {number}"))).await;
        statuses.push(sent.status);
    }
    assert_eq!(
        statuses,
        [201, 201, 201, 201, 429, 429],
        "after the first message"
    );
    assert_eq!(fixture.app.count("SELECT count(*) FROM contact_message").await, 5);
    // The limit is for each user.
    let other = fixture.app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let other = fixture.app.sign_in(&other).await;
    assert_eq!(other.post(OWN, form("Dúvida")).await.status, 201);
}

#[tokio::test]
async fn a_seller_sees_only_their_own_messages_and_writes_only_about_their_own_companies() {
    let fixture = ContactFixture::open().await;
    fixture.message("Dúvida").await;
    let colleague = fixture.app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let colleague = fixture.app.sign_in(&colleague).await;
    let seen = colleague.get(OWN).await;
    assert_eq!(seen.at("/meta/total"), 0, "{}", seen.body);
    let other = fixture.app.company("Mercado").await;
    let path = format!("{OWN}?business_id={}", other.id);
    let refused = fixture.seller.post(&path, form("Dúvida")).await;
    assert_eq!(refused.status, 404, "{}", refused.body);
    let financial = fixture.app.admin(&[AdminRole::Financial]).await;
    let financial = fixture.app.sign_in(&financial).await;
    assert_eq!(financial.get(STAFF).await.status, 403);
}

#[tokio::test]
async fn staff_search_filter_and_export() {
    let fixture = ContactFixture::open().await;
    let first = fixture
        .message("Repasse de novembro")
        .await
        .text("/id")
        .to_owned();
    fixture.message("Maquininha não liga").await;
    fixture.answer(&first, "Amanhã.", 1).await;
    let subjects = async |query: &str| {
        let list = fixture.staff.get(&format!("{STAFF}?{query}")).await;
        assert_eq!(list.status, 200, "{}", list.body);
        let rows = list.at("/data").as_array().expect("a list").clone();
        rows.iter()
            .map(|row| row["subject"].as_str().expect("a subject").to_owned())
            .collect::<Vec<_>>()
    };
    let (both, repasse, machine) = (
        ["Maquininha não liga", "Repasse de novembro"],
        ["Repasse de novembro"],
        ["Maquininha não liga"],
    );
    assert_eq!(subjects("").await, both);
    assert_eq!(subjects("order=asc").await, [both[1], both[0]]);
    assert_eq!(subjects("search=NOVEMB").await, repasse);
    assert_eq!(subjects("search=padaria%20nao").await, machine);
    assert_eq!(subjects("search=2").await, machine);
    assert!(subjects("search=%25").await.is_empty());
    assert_eq!(subjects("state=new").await, machine);
    assert_eq!(subjects("state=answered").await, repasse);
    assert_eq!(
        subjects(&format!("business_id={}", fixture.company.id)).await,
        both
    );
    assert_eq!(subjects("perPage=1&page=2").await, repasse);
    let sheet = download(&fixture.staff, &format!("{STAFF}?state=answered")).await;
    assert_eq!(sheet.rows.len(), 1);
    let texts: Vec<String> = sheet.rows[0][1..5].iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "1",
            "Repasse de novembro",
            "Quando recebo\na venda de ontem?",
            "Padaria Souza"
        ]
    );
    let email = fixture.user.email.split('@').next().expect("a name");
    assert_eq!(subjects(&format!("search={email}")).await, both);
    let refused = fixture.staff.get(&format!("{STAFF}?state=open")).await;
    assert_eq!(refused.at("/errors/state/0"), "Deve ser new, answered ou closed.");
}

#[tokio::test]
async fn the_tables_refuse_deletions_and_changes_other_than_the_next_version_of_a_state() {
    let fixture = ContactFixture::open().await;
    let id = fixture.message("Dúvida").await.text("/id").to_owned();
    fixture.answer(&id, "Amanhã.", 1).await;
    let client = fixture.app.database.client().await;
    for refused in [
        "DELETE FROM contact_answer",
        "UPDATE contact_answer SET body = 'Hoje.'",
        "DELETE FROM contact_message WHERE false",
        "UPDATE contact_message SET subject = 'Outra', version = version + 1",
        "UPDATE contact_message SET state = 'closed'",
        "UPDATE contact_message SET state = 'lost', version = version + 1",
    ] {
        let error = client.batch_execute(refused).await.expect_err(refused);
        assert_eq!(
            error.code(),
            Some(&SqlState::CHECK_VIOLATION),
            "{refused}: {error:?}"
        );
    }
}
