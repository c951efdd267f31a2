//! Decisions of staff on companies: the documents that an approval asks for, reasons, and the second person. The admin
//! users that these tests add directly are called Bruno Lima.

use gateway_identity::roles::{AdminRole, SellerRole};
use reqwest::Method;
use serde_json::{Value, json};

use super::documents::png;
use crate::support::{Answer, Client, Company, PASSWORD, TestApp, User};

const SETTINGS: &str = "/api/admin/settings/platform";
const MISSING: &str = "/problems/documents-missing";

struct Decisions {
    app: TestApp,
    company: Company,
}

impl Decisions {
    /// A company (PJ) without documents, which waits for a decision.
    async fn open() -> Self {
        let app = TestApp::start().await;
        let company = app.company("Padaria").await;
        app.execute("UPDATE business SET approval = 'pending'").await;
        Self { app, company }
    }

    async fn staff(&self, role: AdminRole) -> Client {
        self.app.sign_in(&self.app.admin(&[role]).await).await
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/admin/businesses/{}{rest}", self.company.id)
    }

    async fn detail(&self, staff: &Client) -> Value {
        staff.get(&self.path("")).await.body
    }

    /// Sends the decision with the current version.
    async fn decide(&self, staff: &Client, approval: &str, reason: Option<&str>) -> Answer {
        let version = self.detail(staff).await["version"].clone();
        let mut body = json!({ "version": version, "approval": approval });
        if let Some(reason) = reason {
            body["reason"] = json!(reason);
        }
        staff.patch(&self.path(""), body).await
    }

    async fn upload(&self, staff: &Client, kind: &str) {
        let path = self.path(&format!("/documents?kind={kind}&name={kind}.png"));
        // Each kind is another file.
        let width = kind.bytes().map(u32::from).sum();
        let sent = staff.send_file(Method::POST, &path, png(width, 200)).await;
        assert_eq!(sent.status, 201, "{}", sent.body);
    }

    async fn set(&self, key: &str, value: Value) {
        let owner = self.staff(AdminRole::Owner).await;
        let set = owner
            .post(SETTINGS, json!({ "key": key, "value": value, "revision": 0 }))
            .await;
        assert_eq!(set.status, 200, "{}", set.body);
    }

    async fn answer(&self, staff: &Client, request: &Value, answer: &str, body: Value) -> Answer {
        let id = request["id"].as_str().expect("an id");
        let path = self.path(&format!("/decisions/{id}/{answer}"));
        staff.post(&path, body).await
    }

    async fn approval(&self) -> String {
        self.app.text("SELECT approval FROM business").await
    }
}

fn assert_refused(answer: &Answer, status: u16, message: &str) {
    assert_eq!(
        (answer.status, answer.text("/message")),
        (status, message),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn a_company_without_documents_is_not_approved_by_staff_who_may_not_waive_them() {
    let fixture = Decisions::open().await;
    for role in [
        AdminRole::Commercial,
        AdminRole::CommercialSupervisor,
        AdminRole::Sac,
    ] {
        let staff = fixture.staff(role).await;
        for reason in [None, Some("Conheço o dono.")] {
            let refused = fixture.decide(&staff, "enabled", reason).await;
            assert_refused(
                &refused,
                409,
                "Faltam documentos para a aprovação: documento de identidade, comprovante de endereço e contrato \
                 social. Só um proprietário ou administrador aprova sem eles, com um motivo.",
            );
            assert_eq!(refused.text("/type"), MISSING);
        }
    }
    assert_eq!(fixture.approval().await, "pending");
    let staff = fixture.staff(AdminRole::Commercial).await;
    for kind in ["identity", "address"] {
        fixture.upload(&staff, kind).await;
    }
    let refused = fixture.decide(&staff, "enabled", None).await;
    let message = refused.text("/message");
    assert!(
        message.starts_with("Faltam documentos para a aprovação: contrato social."),
        "{message}"
    );
    fixture.upload(&staff, "articles").await;
    let approved = fixture.decide(&staff, "enabled", None).await;
    assert_eq!((approved.status, approved.text("/approval")), (200, "enabled"));
    assert_eq!(approved.at("/decision/missing_documents"), &json!([]));
    assert_eq!(approved.text("/decision/decided_by/name"), "Bruno Lima");
}

#[tokio::test]
async fn a_refused_approval_changes_no_other_field_either() {
    let fixture = Decisions::open().await;
    let staff = fixture.staff(AdminRole::Commercial).await;
    let body = json!({ "version": 1, "approval": "enabled", "name": "Outra" });
    assert_eq!(staff.patch(&fixture.path(""), body).await.status, 409);
    let detail = fixture.detail(&staff).await;
    assert_eq!(
        (&detail["name"], &detail["version"]),
        (&json!("Padaria"), &json!(1))
    );
}

#[tokio::test]
async fn a_company_of_the_wizard_is_pending_and_needs_its_own_documents() {
    let fixture = Decisions::open().await;
    fixture
        .app
        .execute("UPDATE receiving_plan SET is_default = true")
        .await;
    let staff = fixture.staff(AdminRole::Commercial).await;
    let form = json!({
        "seller": {
            "name": "Bia Lima", "email": "bia@loja.example", "password": "uma-senha-longa",
            "document": "529.982.247-25",
        },
        // A status in the form of a new company decides nothing.
        "business": {
            "type": "PF", "document": "529.982.247-25", "name": "Bia Lima", "birth_date": "1990-05-20",
            "approval": "enabled",
        },
        "approval": "enabled",
        "address": {
            "address": "Praça da Sé", "number": "1", "neighborhood": "Sé", "city": "São Paulo", "state": "SP",
            "postal_code": "01001000",
        },
    });
    let created = staff.post("/api/admin/sellers/create", form).await;
    assert_eq!((created.status, created.text("/approval")), (201, "pending"));
    assert_eq!(created.at("/missing_documents"), &json!(["identity", "address"]));
    let path = format!("/api/admin/businesses/{}", created.text("/id"));
    let body = json!({ "version": 1, "approval": "enabled" });
    let refused = staff.patch(&path, body).await;
    assert_refused(
        &refused,
        409,
        "Faltam documentos para a aprovação: documento de identidade e comprovante de endereço. Só um proprietário ou \
         administrador aprova sem eles, com um motivo.",
    );
}

#[tokio::test]
async fn owners_and_admins_approve_without_documents_for_a_reason_that_stays() {
    let fixture = Decisions::open().await;
    for role in [AdminRole::Owner, AdminRole::Admin] {
        fixture
            .app
            .execute("UPDATE business SET approval = 'pending'")
            .await;
        let staff = fixture.staff(role).await;
        let refused = fixture.decide(&staff, "enabled", Some("  ")).await;
        assert_eq!(refused.status, 422);
        assert_eq!(
            refused.at("/errors/reason"),
            &json!([
                "Faltam documentos para a aprovação: documento de identidade, comprovante de endereço e contrato \
                 social. Informe o motivo para aprovar sem eles."
            ])
        );
        let approved = fixture.decide(&staff, "enabled", Some("Visitei a loja.")).await;
        assert_eq!((approved.status, approved.text("/approval")), (200, "enabled"));
        for (place, value) in [
            ("/decision/approval", json!("enabled")),
            ("/decision/reason", json!("Visitei a loja.")),
            (
                "/decision/missing_documents",
                json!(["identity", "address", "articles"]),
            ),
            ("/decision/status", json!("taken")),
            ("/missing_documents", json!(["identity", "address", "articles"])),
            ("/pending_decision", Value::Null),
        ] {
            assert_eq!(approved.at(place), &value, "{role:?} {place}");
        }
        let history = staff.get(&fixture.path("/history")).await;
        assert_eq!(history.text("/data/0/action"), "update");
        assert_eq!(history.at("/data/0/before"), &json!({ "approval": "pending" }));
        assert_eq!(history.text("/data/0/after/reason"), "Visitei a loja.");
        assert_eq!(
            history.at("/data/0/after/missing_documents"),
            &json!(["identity", "address", "articles"])
        );
    }
}

#[tokio::test]
async fn the_settings_say_which_documents_an_approval_needs() {
    let fixture = Decisions::open().await;
    let staff = fixture.staff(AdminRole::Commercial).await;
    fixture.set("documents_of_pf", json!([])).await;
    let refused = fixture.decide(&staff, "enabled", None).await;
    assert_eq!(refused.status, 409, "the rule of natural persons is another one");
    fixture.set("documents_of_pj", json!(["articles"])).await;
    let detail = fixture.detail(&staff).await;
    assert_eq!(detail["missing_documents"], json!(["articles"]));
    let listed = staff.get(&fixture.path("/documents")).await;
    assert_eq!(listed.at("/missing"), &json!(["articles"]));
    fixture.upload(&staff, "articles").await;
    let approved = fixture.decide(&staff, "enabled", None).await;
    assert_eq!((approved.status, approved.text("/approval")), (200, "enabled"));
}

#[tokio::test]
async fn a_denial_and_a_deletion_need_a_reason_that_is_mailed_and_shown() {
    let fixture = Decisions::open().await;
    let owner = fixture.app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let admin = fixture.app.seller(&[(&fixture.company, SellerRole::Admin)]).await;
    let operator = fixture
        .app
        .seller(&[(&fixture.company, SellerRole::Operator)])
        .await;
    let seller = fixture.app.sign_in(&owner).await;
    let waiting = seller.get("/api/sellers/me").await;
    assert_eq!(waiting.text("/businesses/0/approval"), "pending");
    assert_eq!(
        waiting.at("/businesses/0/missing_documents"),
        &json!(["identity", "address", "articles"])
    );
    let staff = fixture.staff(AdminRole::Commercial).await;
    for (approval, reason, sentence) in [
        ("denied", "O endereço não existe.", "foi negado"),
        ("deleted", "Pedido da empresa.", "foi deletado"),
    ] {
        let refused = fixture.decide(&staff, approval, None).await;
        assert_eq!(
            (refused.status, refused.at("/errors/reason")),
            (422, &json!(["Informe o motivo."]))
        );
        let decided = fixture.decide(&staff, approval, Some(reason)).await;
        assert_eq!((decided.status, decided.text("/approval")), (200, approval));
        assert_eq!(decided.text("/decision/reason"), reason);
        for person in [&owner, &admin] {
            let sent = fixture.app.last_email_to(&person.email).await.text;
            assert!(sent.contains(sentence), "{sent}");
            assert!(sent.contains(&format!("Motivo: {reason}")), "{sent}");
            assert!(!sent.contains("Bruno Lima"), "staff stay anonymous: {sent}");
        }
        assert!(fixture.app.emails_to(&operator.email).await.is_empty());
        let shown = seller.get("/api/sellers/me").await;
        assert_eq!(shown.text("/businesses/0/decision_reason"), reason);
        assert_eq!(shown.text("/businesses/0/approval"), approval);
    }
}

#[tokio::test]
async fn an_approved_company_reads_neither_missing_documents_nor_the_reason() {
    let fixture = Decisions::open().await;
    let owner = fixture.app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let staff = fixture.staff(AdminRole::Admin).await;
    fixture.decide(&staff, "enabled", Some("Visitei a loja.")).await;
    let sent = fixture.app.last_email_to(&owner.email).await.text;
    assert!(sent.contains("foi aprovado"), "{sent}");
    assert!(!sent.contains("Visitei"), "{sent}");
    let shown = fixture.app.sign_in(&owner).await.get("/api/sellers/me").await;
    assert_eq!(shown.at("/businesses/0/missing_documents"), &json!([]));
    assert_eq!(shown.at("/businesses/0/decision_reason"), &Value::Null);
    assert_eq!(shown.text("/businesses/0/approval"), "enabled");
}

struct TwoPeople {
    decisions: Decisions,
    requester: User,
    requesting: Client,
    second: Client,
}

impl TwoPeople {
    /// A company with all documents, whose approval needs two people.
    async fn open() -> Self {
        let decisions = Decisions::open().await;
        decisions.set("two_person_company_approvals", json!(true)).await;
        let requester = decisions.app.admin(&[AdminRole::Commercial]).await;
        let requesting = decisions.app.sign_in(&requester).await;
        for kind in ["identity", "address", "articles"] {
            decisions.upload(&requesting, kind).await;
        }
        let second = decisions.staff(AdminRole::Admin).await;
        Self {
            decisions,
            requester,
            requesting,
            second,
        }
    }

    async fn request(&self) -> Value {
        let asked = self.decisions.decide(&self.requesting, "enabled", None).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        asked.at("/pending_decision").clone()
    }

    async fn confirm(&self, staff: &Client, request: &Value) -> Answer {
        self.decisions.answer(staff, request, "approve", json!({})).await
    }
}

#[tokio::test]
async fn a_second_person_confirms_and_only_then_the_company_is_approved() {
    let fixture = TwoPeople::open().await;
    let app = &fixture.decisions.app;
    let second = app.admin(&[AdminRole::Owner]).await;
    let request = fixture.request().await;
    assert_eq!(request["decided_by"]["name"], "Bruno Lima");
    assert_eq!(fixture.decisions.approval().await, "pending");
    let asked = app.last_email_to(&second.email).await.text;
    assert!(
        asked.contains("Bruno Lima pediu a aprovação da empresa Padaria."),
        "{asked}"
    );
    let again = fixture.decisions.decide(&fixture.second, "enabled", None).await;
    assert_refused(
        &again,
        409,
        "Bruno Lima já pediu a aprovação desta empresa. Ela precisa ser confirmada, rejeitada ou retirada antes.",
    );
    // The requester's roles don't matter: it is the same person.
    app.execute(&format!(
        "UPDATE admin_user SET roles = '{{admin}}' WHERE id = '{}'",
        fixture.requester.id.uuid()
    ))
    .await;
    let own = fixture.confirm(&fixture.requesting, &request).await;
    assert_refused(
        &own,
        403,
        "Quem pediu a aprovação não pode confirmar. Outra pessoa decide, ou você retira o pedido.",
    );
    let confirmed = fixture.confirm(&fixture.second, &request).await;
    assert_eq!((confirmed.status, confirmed.text("/approval")), (200, "enabled"));
    assert_eq!(confirmed.at("/decision/id"), &request["id"]);
    assert_eq!(confirmed.at("/pending_decision"), &Value::Null);
    assert_eq!(confirmed.at("/version"), &json!(2));
    let told = app.last_email_to(&fixture.requester.email).await.text;
    assert!(
        told.contains("confirmou a aprovação da empresa Padaria"),
        "{told}"
    );
    let twice = fixture.confirm(&fixture.second, &request).await;
    assert_refused(&twice, 409, "Esta aprovação já foi confirmada.");
}

#[tokio::test]
async fn other_roles_and_dependent_users_are_no_second_person() {
    let fixture = TwoPeople::open().await;
    let request = fixture.request().await;
    for role in [
        AdminRole::Commercial,
        AdminRole::CommercialSupervisor,
        AdminRole::Sac,
    ] {
        let staff = fixture.decisions.staff(role).await;
        assert_eq!(fixture.confirm(&staff, &request).await.status, 403, "{role:?}");
    }
    // The owner who would confirm has set the requester's password.
    let app = &fixture.decisions.app;
    let owning = fixture.decisions.staff(AdminRole::Owner).await;
    let path = format!("/api/admin/users/{}", fixture.requester.id);
    let set = owning.patch(&path, json!({ "password": PASSWORD })).await;
    assert_eq!(set.status, 200, "{}", set.body);
    let refused = fixture.confirm(&owning, &request).await;
    assert_eq!(refused.status, 409);
    let message = refused.text("/message");
    assert!(
        message.starts_with("Esta decisão precisa de duas pessoas"),
        "{message}"
    );
    assert_eq!(fixture.decisions.approval().await, "pending");
    // A requester without access is no first person any more.
    app.execute(&format!(
        "UPDATE admin_user SET active = false WHERE id = '{}'",
        fixture.requester.id.uuid()
    ))
    .await;
    let refused = fixture.confirm(&fixture.second, &request).await;
    assert_refused(
        &refused,
        409,
        "Quem pediu esta aprovação não pode mais decidir sobre empresas. Rejeite o pedido e aprove de novo.",
    );
}

#[tokio::test]
async fn a_request_is_rejected_with_a_reason_or_withdrawn_by_its_requester() {
    let fixture = TwoPeople::open().await;
    let (decisions, second) = (&fixture.decisions, &fixture.second);
    let request = fixture.request().await;
    let silent = decisions.answer(second, &request, "reject", json!({})).await;
    assert_eq!(silent.at("/errors/reason"), &json!(["Informe o motivo."]));
    let body = json!({ "reason": "A conta de luz é de outra pessoa." });
    let rejected = decisions.answer(second, &request, "reject", body).await;
    assert_eq!((rejected.status, rejected.text("/approval")), (200, "pending"));
    let told = decisions.app.last_email_to(&fixture.requester.email).await.text;
    assert!(
        told.contains("Motivo: A conta de luz é de outra pessoa."),
        "{told}"
    );
    let late = fixture.confirm(second, &request).await;
    assert_refused(&late, 409, "Esta aprovação já foi rejeitada.");
    let request = fixture.request().await;
    let refused = decisions.answer(second, &request, "withdraw", json!({})).await;
    assert_refused(&refused, 403, "Só quem pediu a aprovação pode retirá-la.");
    let withdrawn = decisions
        .answer(&fixture.requesting, &request, "withdraw", json!({}))
        .await;
    assert_eq!(withdrawn.status, 200, "{}", withdrawn.body);
    let late = fixture.confirm(second, &request).await;
    assert_refused(&late, 409, "Esta aprovação já foi retirada.");
    // A denial ends a request, and the company can be approved later.
    let request = fixture.request().await;
    let denied = decisions.decide(second, "denied", Some("Fraude.")).await;
    assert_eq!(
        (denied.status, denied.at("/pending_decision")),
        (200, &Value::Null)
    );
    let late = fixture.confirm(second, &request).await;
    assert_refused(&late, 409, "Esta aprovação já foi retirada.");
    let request = fixture.request().await;
    assert_eq!(fixture.confirm(second, &request).await.status, 200);
}

#[tokio::test]
async fn a_confirmation_checks_the_documents_again() {
    let fixture = TwoPeople::open().await;
    let (decisions, second) = (&fixture.decisions, &fixture.second);
    let request = fixture.request().await;
    let documents = decisions.path("/documents");
    let listed = second.get(&documents).await;
    let path = format!("{documents}/{}", listed.text("/data/2/id"));
    assert_eq!(second.send(Method::DELETE, &path, None).await.status, 204);
    let refused = fixture.confirm(second, &request).await;
    let message = refused.text("/message");
    assert_eq!((refused.status, refused.text("/type")), (409, MISSING));
    assert!(
        message.starts_with("Faltam documentos para a aprovação: contrato social."),
        "{message}"
    );
    assert_eq!(decisions.approval().await, "pending");
    // A reason covers the documents that were missing when it was given, and no others.
    let reject = json!({ "reason": "Falta o contrato." });
    assert_eq!(
        decisions.answer(second, &request, "reject", reject).await.status,
        200
    );
    let asked = decisions
        .decide(second, "enabled", Some("O contrato está no cartório."))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    let request = asked.at("/pending_decision");
    assert_eq!(request["missing_documents"], json!(["articles"]));
    let path = format!("{documents}/{}", listed.text("/data/0/id"));
    assert_eq!(second.send(Method::DELETE, &path, None).await.status, 204);
    let owner = decisions.staff(AdminRole::Owner).await;
    let refused = fixture.confirm(&owner, request).await;
    assert_eq!((refused.status, refused.text("/type")), (409, MISSING));
    decisions.upload(second, "identity").await;
    let confirmed = fixture.confirm(&owner, request).await;
    assert_eq!((confirmed.status, confirmed.text("/approval")), (200, "enabled"));
}
