//! An address that another user changes: it signs in and gets links after the old address approves it, or after 48 hours.
//! Until then the old one does both. Both addresses are told.

use gateway_identity::roles::AdminRole;
use reqwest::Method;
use serde_json::json;

use super::{OWNER, TeamFixture, acting_for};
use crate::support::{Answer, Client, PASSWORD, STAFF_URL, TestApp, User};

const NEW: &str = "nova@fora.example";
const OWN: &str = "senha-propria-1";

struct Changed {
    fixture: TeamFixture,
    staff: Client,
    user: User,
}

impl Changed {
    /// A member of staff has changed the address of an owner, who has had it for long.
    async fn open() -> Self {
        let fixture = TeamFixture::open().await;
        let user = fixture.user(&[(&fixture.bakery, OWNER)]).await;
        fixture.app.hours_pass(100).await;
        let staff = fixture
            .app
            .sign_in(&fixture.app.admin(&[AdminRole::Sac]).await)
            .await;
        let changed = Self { fixture, staff, user };
        let answer = changed.change_to(NEW).await;
        assert_eq!(
            (answer.text("/email"), answer.text("/pending_email")),
            (changed.user.email.as_str(), NEW),
            "{}",
            answer.body
        );
        // The tests' clock stands at noon on 21 November in Brasília.
        assert!(
            answer
                .text("/pending_email_at")
                .starts_with("2026-11-23T15:00:00"),
            "{}",
            answer.body
        );
        changed
    }

    async fn change_to(&self, email: &str) -> Answer {
        let path = format!("/api/admin/sellers/{}", self.user.id);
        let answer = self.staff.patch(&path, json!({ "email": email })).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer
    }

    fn app(&self) -> &TestApp {
        &self.fixture.app
    }

    async fn signs_in(&self, email: &str, password: &str) -> bool {
        let form = json!({ "email": email, "password": password });
        let answer = self.app().client().post("/api/auth/sign-in", form).await;
        answer.status == 200
    }

    /// Whether a request for a new password sends a link to the address.
    async fn gets_links(&self, email: &str) -> bool {
        let links = async || {
            let received = self.app().emails_to(email).await;
            received
                .iter()
                .filter(|one| one.text.contains("/resetar-senha?token="))
                .count()
        };
        let before = links().await;
        let form = json!({ "email": email });
        let asked = self.app().client().post("/api/auth/forgot-password", form).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        links().await > before
    }

    async fn use_code(&self, method: Method, code: &str) -> Answer {
        let path = format!("/api/auth/verifyemail/{code}");
        self.app().client().send(method, &path, None).await
    }

    /// The code by which the old address approves or refuses the change.
    async fn code_of_old_address(&self) -> String {
        let asked = self
            .app()
            .email_about(&self.user.email, "Pedido de troca de e-mail")
            .await;
        asked.code().to_owned()
    }

    async fn assert_old_address_in_force(&self) {
        let old = &self.user.email;
        assert!(self.signs_in(old, PASSWORD).await && !self.signs_in(NEW, PASSWORD).await);
        assert!(self.gets_links(old).await && !self.gets_links(NEW).await);
    }

    async fn assert_new_address_in_force(&self) {
        let old = &self.user.email;
        assert!(!self.signs_in(old, PASSWORD).await && self.signs_in(NEW, PASSWORD).await);
        assert!(!self.gets_links(old).await && self.gets_links(NEW).await);
    }
}

#[tokio::test]
async fn the_old_address_signs_in_and_gets_links_for_48_hours() {
    let changed = Changed::open().await;
    changed.assert_old_address_in_force().await;
    changed.app().hours_pass(47).await;
    assert!(!changed.signs_in(NEW, PASSWORD).await);
    changed.app().hours_pass(1).await;
    changed.assert_new_address_in_force().await;
    let (old, new) = (&changed.user.email, NEW);
    let told_old = changed.app().email_about(old, "Seu e-mail foi alterado").await;
    assert!(told_old.text.contains(new), "{}", told_old.text);
    let told_new = changed.app().email_about(new, "Seu e-mail foi alterado").await;
    assert!(told_new.text.contains("agora é este"), "{}", told_new.text);
    let record = changed
        .staff
        .get(&format!("/api/admin/sellers/{}", changed.user.id))
        .await;
    assert_eq!(
        (
            record.text("/email"),
            record.at("/pending_email"),
            record.at("/email_verified")
        ),
        (new, &json!(null), &json!(false))
    );
    let audit_log = changed
        .app()
        .text(
            "SELECT string_agg(concat_ws(' ', audience, action, after ->> 'email'), ', ' ORDER BY id)
               FROM audit_log WHERE after ->> 'email' IS NOT NULL AND action <> 'create'",
        )
        .await;
    assert_eq!(
        audit_log,
        format!("admin ask-email-change {new}, admin update {new}")
    );
}

#[tokio::test]
async fn the_old_address_approves_the_change_at_once() {
    let changed = Changed::open().await;
    let code = changed.code_of_old_address().await;
    let approved = changed.use_code(Method::GET, &code).await;
    assert_eq!(
        (
            approved.status,
            approved.text("/email"),
            approved.at("/is_effective")
        ),
        (200, NEW, &json!(true)),
        "{}",
        approved.body
    );
    changed.assert_new_address_in_force().await;
    // The link of the new address still confirms that it is read.
    let asked = changed.app().email_about(NEW, "Confirme seu e-mail").await;
    assert_eq!(changed.use_code(Method::GET, asked.code()).await.status, 200);
    assert_eq!(
        changed.use_code(Method::GET, &code).await.status,
        422,
        "it works once"
    );
}

#[tokio::test]
async fn the_old_address_refuses_the_change() {
    let changed = Changed::open().await;
    let code = changed.code_of_old_address().await;
    let other_panel = format!("/api/auth/admin/verifyemail/{code}");
    let staff = changed.app().staff_client();
    assert_eq!(staff.send(Method::DELETE, &other_panel, None).await.status, 422);
    assert_eq!(changed.use_code(Method::DELETE, &code).await.status, 204);
    assert_eq!(changed.use_code(Method::DELETE, &code).await.status, 422);
    changed.app().hours_pass(48).await;
    changed.assert_old_address_in_force().await;
}

#[tokio::test]
async fn the_link_to_the_new_address_neither_approves_nor_refuses() {
    let changed = Changed::open().await;
    let asked = changed.app().email_about(NEW, "Confirme seu e-mail").await;
    assert_eq!(changed.use_code(Method::DELETE, asked.code()).await.status, 422);
    let confirmed = changed.use_code(Method::GET, asked.code()).await;
    assert_eq!(
        (confirmed.status, confirmed.at("/is_effective")),
        (200, &json!(false))
    );
    assert!(
        confirmed
            .text("/takes_effect_at")
            .starts_with("2026-11-23T15:00:00"),
        "{}",
        confirmed.body
    );
    changed.assert_old_address_in_force().await;
    changed.app().hours_pass(48).await;
    assert!(changed.signs_in(NEW, PASSWORD).await);
    let record = changed
        .staff
        .get(&format!("/api/admin/sellers/{}", changed.user.id))
        .await;
    assert_eq!(
        record.at("/email_verified"),
        &json!(true),
        "it was confirmed before"
    );
}

#[tokio::test]
async fn a_second_change_starts_the_48_hours_again_and_a_repeated_form_does_not() {
    let changed = Changed::open().await;
    changed.app().hours_pass(47).await;
    // The same form again, and one with the present address, change nothing.
    for email in [NEW, changed.user.email.as_str()] {
        changed.change_to(email).await;
    }
    assert_eq!(changed.app().emails_to(NEW).await.len(), 1);
    let first = changed.code_of_old_address().await;
    let second = "outra@fora.example";
    changed.change_to(second).await;
    assert_eq!(
        changed.use_code(Method::DELETE, &first).await.status,
        422,
        "it was about the first change"
    );
    changed.app().hours_pass(47).await;
    assert!(!changed.signs_in(second, PASSWORD).await && !changed.signs_in(NEW, PASSWORD).await);
    changed.app().hours_pass(1).await;
    assert!(changed.signs_in(second, PASSWORD).await && !changed.signs_in(NEW, PASSWORD).await);
    assert!(!changed.signs_in(&changed.user.email, PASSWORD).await);
}

#[tokio::test]
async fn a_password_set_by_a_link_to_a_new_address_is_provisional_for_48_hours() {
    let mut changed = Changed::open().await;
    changed.app().hours_pass(48).await;
    let old = std::mem::replace(&mut changed.user.email, NEW.to_owned());
    changed.app().reset_by_link(&changed.user, OWN).await;
    let bank_accounts = format!("/api/business/{}/bank-accounts", changed.fixture.bakery.id);
    let add = async || {
        let answer = changed.app().try_sign_in(&changed.user, OWN).await;
        let client = changed.app().client().bearing(answer.text("/access_token"));
        let client = acting_for(&client, &changed.fixture.bakery);
        client.post(&bank_accounts, json!({})).await
    };
    assert_eq!(add().await.text("/type"), "/problems/provisional-password");
    // The old address is told about the password too.
    changed.app().email_about(&old, "Sua senha foi alterada").await;
    changed.app().email_about(NEW, "Sua senha foi alterada").await;
    changed.app().hours_pass(48).await;
    assert_eq!(add().await.text("/type"), "/problems/provisional-password");
    changed.app().reset_by_link(&changed.user, OWN).await;
    assert_eq!(add().await.status, 422, "the form is empty");
}

#[tokio::test]
async fn a_password_set_with_an_address_is_told_to_both_and_the_old_address_takes_the_account_back() {
    let fixture = TeamFixture::open().await;
    let user = fixture.user(&[(&fixture.bakery, OWNER)]).await;
    fixture.app.hours_pass(100).await;
    let staff = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Sac]).await)
        .await;
    let body = json!({ "email": NEW, "password": "senha-de-outro-1" });
    let set = staff
        .patch(&format!("/api/admin/sellers/{}", user.id), body)
        .await;
    assert_eq!(set.status, 200, "{}", set.body);
    for address in [user.email.as_str(), NEW] {
        let told = fixture
            .app
            .email_about(address, "Outra pessoa definiu sua senha")
            .await;
        assert!(!told.text.contains("a partir do IP"), "{}", told.text);
    }
    let changed = Changed { fixture, staff, user };
    // The code about the address outlives the password that was set with it.
    let code = changed.code_of_old_address().await;
    changed.app().reset_by_link(&changed.user, OWN).await;
    assert_eq!(changed.use_code(Method::DELETE, &code).await.status, 204);
    let answer = changed.app().try_sign_in(&changed.user, OWN).await;
    assert_eq!(
        answer.at("/seller/password_provisional"),
        &json!(false),
        "{}",
        answer.body
    );
    changed.app().hours_pass(48).await;
    assert!(changed.signs_in(&changed.user.email, OWN).await && !changed.signs_in(NEW, OWN).await);
}

#[tokio::test]
async fn an_address_that_another_user_gets_first_or_of_an_inactive_user_never_takes_effect() {
    let changed = Changed::open().await;
    let other = changed.fixture.user(&[]).await;
    changed
        .app()
        .execute(&format!(
            "UPDATE seller_user SET email = '{NEW}' WHERE id = '{}'",
            other.id.uuid()
        ))
        .await;
    changed.app().hours_pass(48).await;
    assert!(changed.signs_in(&changed.user.email, PASSWORD).await);
    let ended = changed.app().text("SELECT ended_as FROM email_change").await;
    assert_eq!(ended, "taken");
    // The address of another user is refused at once, as for a new user.
    let path = format!("/api/admin/sellers/{}", changed.user.id);
    assert_eq!(
        changed.staff.patch(&path, json!({ "email": NEW })).await.status,
        422
    );
    changed.change_to("outra@fora.example").await;
    assert_eq!(
        changed
            .staff
            .patch(&path, json!({ "active": false }))
            .await
            .status,
        200
    );
    let ended = changed
        .app()
        .text("SELECT string_agg(ended_as, ' ' ORDER BY asked_at, id) FROM email_change")
        .await;
    assert_eq!(ended, "taken canceled");
}

#[tokio::test]
async fn an_admin_user_s_address_waits_too() {
    let fixture = TeamFixture::open().await;
    let app = &fixture.app;
    let owner = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    let user = app.admin(&[AdminRole::Financial]).await;
    let path = format!("/api/admin/users/{}", user.id);
    let new = "novo@razao.example";
    let changed = owner.patch(&path, json!({ "email": new })).await;
    assert_eq!(
        (changed.text("/email"), changed.text("/pending_email")),
        (user.email.as_str(), new)
    );
    let moved = User::staff(&user.id.to_string(), new);
    assert_eq!(app.try_sign_in(&user, PASSWORD).await.status, 200);
    assert_eq!(app.try_sign_in(&moved, PASSWORD).await.status, 422);
    let asked = app.email_about(&user.email, "Pedido de troca de e-mail").await;
    let page = format!("{STAFF_URL}/verificar-email?approval=");
    assert!(asked.link().starts_with(&page), "{}", asked.text);
    let path = format!("/api/auth/admin/verifyemail/{}", asked.code());
    assert_eq!(app.staff_client().get(&path).await.status, 200);
    assert_eq!(app.try_sign_in(&user, PASSWORD).await.status, 422);
    assert_eq!(app.try_sign_in(&moved, PASSWORD).await.status, 200);
}
