//! A password that another user sets is provisional: it signs in, but it moves no money and changes no bank account, user
//! or address. It ends when its user sets their own by a link to an address that they have had for 48 hours. The password
//! that staff choose for a new user is provisional too, unless the user is the first one of a company without money.

use gateway_identity::roles::AdminRole;
use serde_json::{Value, json};

use super::{OPERATOR, OWNER, TeamFixture, acting_for, change, form};
use crate::support::{Answer, Client, PASSWORD, Sale, User};

const SET: &str = "senha-de-outro-1";
const OWN: &str = "senha-propria-1";

/// The answer refuses a write because of the password, and its text says how to proceed.
#[track_caller]
fn assert_provisional(answer: &Answer) {
    assert_eq!(
        (answer.status, answer.text("/type")),
        (403, "/problems/provisional-password"),
        "{}",
        answer.body
    );
    assert!(
        answer.text("/message").contains("Esqueci minha senha"),
        "{}",
        answer.body
    );
}

#[track_caller]
fn assert_not_provisional(answer: &Answer) {
    assert_ne!(answer.status, 403, "{}", answer.body);
}

impl TeamFixture {
    async fn signed_in_with(&self, user: &User, password: &str) -> Client {
        let answer = self.app.try_sign_in(user, password).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        self.app.client_for(user).bearing(answer.text("/access_token"))
    }

    /// The owner of the bakery, as whom staff sign in with a password that they set.
    async fn owner_with_a_set_password(&self) -> User {
        let owner = self.user(&[(&self.bakery, OWNER)]).await;
        let staff = self.app.sign_in(&self.app.admin(&[AdminRole::Sac]).await).await;
        let set = staff
            .patch(
                &format!("/api/admin/sellers/{}", owner.id),
                json!({ "password": SET }),
            )
            .await;
        assert_eq!(
            (set.status, set.at("/password_provisional")),
            (200, &json!(true)),
            "{}",
            set.body
        );
        owner
    }

    async fn staff(&self, role: AdminRole) -> Client {
        self.app.sign_in(&self.app.admin(&[role]).await).await
    }

    fn bank_accounts(&self) -> String {
        format!("/api/business/{}/bank-accounts", self.bakery.id)
    }
}

fn bank_account() -> Value {
    json!({ "bank_code": "341", "branch": "0071", "account_number": "12345", "account_digit": "6",
            "account_type": "checking" })
}

#[tokio::test]
async fn staff_who_set_the_password_of_an_owner_move_no_money_as_the_owner() {
    let fixture = TeamFixture::open().await;
    let owner = fixture.owner_with_a_set_password().await;
    let as_owner = acting_for(&fixture.signed_in_with(&owner, SET).await, &fixture.bakery);
    let transfer = json!({ "amount": 10_00, "destination": 0, "password": SET });
    assert_provisional(&as_owner.post("/api/balance/transfers", transfer).await);
    assert_provisional(&as_owner.post(&fixture.bank_accounts(), bank_account()).await);
    let friend = form("amigo@fora.example", OPERATOR, &[&fixture.bakery]);
    assert_provisional(&as_owner.post("/api/business/sellers", friend).await);
    let email = json!({ "email": "outro@fora.example", "password": SET });
    assert_provisional(&as_owner.post("/api/auth/change-email", email).await);
    // Reads work, and the profile says what is missing.
    let me = as_owner.get("/api/sellers/me").await;
    assert_eq!(me.at("/password_provisional"), &json!(true));
    // A password that is changed with the provisional one stays provisional, also after a refresh.
    let own = json!({ "current_password": SET, "new_password": OWN });
    assert_eq!(as_owner.post("/api/auth/change-password", own).await.status, 204);
    assert_provisional(&as_owner.post(&fixture.bank_accounts(), bank_account()).await);
    let again = fixture.app.try_sign_in(&owner, OWN).await;
    let token = json!({ "refresh_token": again.text("/refresh_token") });
    let refreshed = fixture.app.client().post("/api/auth/refresh-token", token).await;
    assert_eq!(refreshed.status, 200, "{}", refreshed.body);
    let refreshed = fixture.app.client().bearing(refreshed.text("/access_token"));
    let refreshed = acting_for(&refreshed, &fixture.bakery);
    assert_provisional(&refreshed.post(&fixture.bank_accounts(), bank_account()).await);
    // The owner is told, with the way to a password of their own.
    let told = fixture.app.emails_to(&owner.email).await;
    let set = told.iter().find(|email| email.text.contains("provisória"));
    assert!(set.is_some_and(|email| email.link().ends_with("/esqueci-minha-senha")));
}

#[tokio::test]
async fn a_link_to_an_address_of_48_hours_makes_the_password_the_users_own() {
    let fixture = TeamFixture::open().await;
    let owner = fixture.owner_with_a_set_password().await;
    // The user was created a moment ago: a link to the address proves nothing yet.
    fixture.app.reset_by_link(&owner, OWN).await;
    let client = acting_for(&fixture.signed_in_with(&owner, OWN).await, &fixture.bakery);
    let refused = client.post(&fixture.bank_accounts(), bank_account()).await;
    assert_provisional(&refused);
    // The tests' clock stands at noon on 21 November in Brasília.
    assert!(
        refused
            .text("/message")
            .contains("a partir de 23/11/2026 às 12:00"),
        "{}",
        refused.body
    );
    let me = client.get("/api/sellers/me").await;
    assert!(
        me.text("/own_password_from").starts_with("2026-11-23T15:00:00"),
        "{}",
        me.body
    );
    fixture.app.hours_pass(47).await;
    fixture.app.reset_by_link(&owner, OWN).await;
    let client = acting_for(&fixture.signed_in_with(&owner, OWN).await, &fixture.bakery);
    assert_provisional(&client.post(&fixture.bank_accounts(), bank_account()).await);
    fixture.app.hours_pass(1).await;
    assert_provisional(&client.post(&fixture.bank_accounts(), bank_account()).await);
    fixture.app.reset_by_link(&owner, OWN).await;
    let client = acting_for(&fixture.signed_in_with(&owner, OWN).await, &fixture.bakery);
    assert_not_provisional(&client.post(&fixture.bank_accounts(), bank_account()).await);
    let me = client.get("/api/sellers/me").await;
    assert_eq!(
        (me.at("/password_provisional"), me.at("/own_password_from")),
        (&json!(false), &json!(null))
    );
}

#[tokio::test]
async fn a_password_given_at_creation_and_one_set_by_a_link_work_at_once() {
    let fixture = TeamFixture::open().await;
    let staff = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Sac]).await)
        .await;
    let made = staff
        .post(
            "/api/admin/sellers",
            form("dona@padaria.example", OWNER, &[&fixture.bakery]),
        )
        .await;
    assert_eq!(
        (made.status, made.at("/password_provisional")),
        (201, &json!(false)),
        "the company has no user and no money: {}",
        made.body
    );
    let mut user = fixture.user(&[]).await;
    user.email = "dona@padaria.example".to_owned();
    let client = acting_for(&fixture.signed_in_with(&user, PASSWORD).await, &fixture.bakery);
    assert_not_provisional(&client.post(&fixture.bank_accounts(), bank_account()).await);
    // A new user who does not know that password gets one by a link.
    fixture.app.reset_by_link(&user, OWN).await;
    let client = acting_for(&fixture.signed_in_with(&user, OWN).await, &fixture.bakery);
    assert_not_provisional(&client.post(&fixture.bank_accounts(), bank_account()).await);
}

#[tokio::test]
async fn staff_who_create_an_owner_of_a_company_with_users_or_money_move_no_money_as_that_owner() {
    let fixture = TeamFixture::open().await;
    let owner = fixture.user(&[(&fixture.bakery, OWNER)]).await;
    fixture.app.capture(&fixture.pharmacy, &Sale::card()).await;
    let staff = fixture.staff(AdminRole::Sac).await;
    for (company, email) in [
        (&fixture.bakery, "amigo@fora.example"),
        (&fixture.pharmacy, "amiga@fora.example"),
    ] {
        let made = staff
            .post("/api/admin/sellers", form(email, OWNER, &[company]))
            .await;
        assert_eq!(
            (made.status, made.at("/password_provisional")),
            (201, &json!(true)),
            "{}",
            made.body
        );
    }
    let mut user = fixture.user(&[]).await;
    user.email = "amigo@fora.example".to_owned();
    let client = acting_for(&fixture.signed_in_with(&user, PASSWORD).await, &fixture.bakery);
    assert_provisional(&client.post(&fixture.bank_accounts(), bank_account()).await);
    let transfer = json!({ "amount": 10_00, "destination": 0, "password": PASSWORD });
    assert_provisional(&client.post("/api/balance/transfers", transfer).await);
    // A link to the address that staff chose proves nothing for two days.
    fixture.app.reset_by_link(&user, OWN).await;
    let client = acting_for(&fixture.signed_in_with(&user, OWN).await, &fixture.bakery);
    assert_provisional(&client.post(&fixture.bank_accounts(), bank_account()).await);
    let sent = fixture.app.emails_to(&user.email).await;
    let is_welcome = |text: &str| text.contains("provisória") && text.contains("23/11/2026 às 12:00");
    assert!(sent.iter().any(|email| is_welcome(&email.text)), "{sent:?}");
    // In these days the company's owner knows.
    let told = fixture.app.emails_to(&owner.email).await;
    assert_eq!(told.len(), 1, "{told:?}");
    let text = &told[0].text;
    assert!(
        text.contains("Célia Prado (amigo@fora.example, proprietário) agora tem acesso à empresa Padaria"),
        "{text}"
    );
    assert!(
        text.contains("/usuarios") && text.contains("pela equipe"),
        "{text}"
    );
    fixture.app.hours_pass(48).await;
    fixture.app.reset_by_link(&user, OWN).await;
    let client = acting_for(&fixture.signed_in_with(&user, OWN).await, &fixture.bakery);
    assert_not_provisional(&client.post(&fixture.bank_accounts(), bank_account()).await);
}

#[tokio::test]
async fn a_user_of_a_new_company_whom_staff_give_access_to_another_company_moves_no_money() {
    let fixture = TeamFixture::open().await;
    let owner = fixture.user(&[(&fixture.bakery, OWNER)]).await;
    let staff = fixture.staff(AdminRole::Sac).await;
    let made = staff
        .post(
            "/api/admin/sellers",
            form("amigo@fora.example", OWNER, &[&fixture.bookshop]),
        )
        .await;
    assert_eq!(made.at("/password_provisional"), &json!(false), "{}", made.body);
    let grant = json!({ "business_id": fixture.bakery.id, "role_id": OWNER.id() });
    let path = |user: &str| format!("/api/admin/sellers/{user}/business/access");
    let granted = staff.post(&path(made.text("/id")), grant.clone()).await;
    assert_eq!(
        (granted.status, granted.at("/password_provisional")),
        (200, &json!(true)),
        "{}",
        granted.body
    );
    assert_eq!(fixture.app.emails_to(&owner.email).await.len(), 1);
    // The same access again changes nothing.
    let again = staff.post(&path(made.text("/id")), grant.clone()).await;
    assert_eq!(again.status, 200);
    assert_eq!(fixture.app.emails_to(&owner.email).await.len(), 1);
    // Staff know no password of a user who has set their own, or whom they did not create.
    let mut user = fixture.user(&[]).await;
    user.email = "amigo@fora.example".to_owned();
    fixture.app.hours_pass(48).await;
    fixture.app.reset_by_link(&user, OWN).await;
    let others = fixture.user(&[(&fixture.pharmacy, OWNER)]).await;
    let to_pharmacy = json!({ "business_id": fixture.pharmacy.id, "role_id": OPERATOR.id() });
    let granted = staff.post(&path(made.text("/id")), to_pharmacy).await;
    assert_eq!(
        granted.at("/password_provisional"),
        &json!(false),
        "{}",
        granted.body
    );
    let granted = staff.post(&path(&others.id.to_string()), grant).await;
    assert_eq!(
        granted.at("/password_provisional"),
        &json!(false),
        "{}",
        granted.body
    );
}

#[tokio::test]
async fn a_password_that_a_colleague_sets_is_provisional_and_ends_open_sessions() {
    let fixture = TeamFixture::open().await;
    let owner = fixture.signed_in(&[(&fixture.bakery, OWNER)]).await;
    let colleague = fixture.user(&[(&fixture.bakery, OPERATOR)]).await;
    let before = acting_for(&fixture.app.sign_in(&colleague).await, &fixture.bakery);
    let set = change(&owner, &colleague, json!({ "password": SET })).await;
    assert_eq!(set.status, 200, "{}", set.body);
    assert_eq!(before.get("/api/sellers/me").await.status, 401);
    let client = acting_for(&fixture.signed_in_with(&colleague, SET).await, &fixture.bakery);
    let sale = "/api/transactions/00000000-0000-4000-8000-000000000000/chargeback";
    assert_provisional(&client.post(sale, json!({})).await);
    // A link is a sale, whose money comes in.
    assert_not_provisional(&client.post("/api/payment-link", json!({})).await);
}

#[tokio::test]
async fn a_password_that_an_admin_sets_for_another_decides_nothing() {
    let fixture = TeamFixture::open().await;
    let app = &fixture.app;
    let owner = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    let other = app.admin(&[AdminRole::Admin]).await;
    let path = format!("/api/admin/users/{}", other.id);
    let set = owner.patch(&path, json!({ "password": SET })).await;
    assert_eq!(
        (set.status, set.at("/password_provisional")),
        (200, &json!(true)),
        "{}",
        set.body
    );
    let client = fixture.signed_in_with(&other, SET).await;
    assert_provisional(
        &client
            .post("/api/admin/balance/transfers/manual", json!({}))
            .await,
    );
    assert_provisional(&client.patch(&path, json!({ "name": "Outro" })).await);
    assert_eq!(
        client.get("/api/admin/me").await.at("/password_provisional"),
        &json!(true)
    );
    app.hours_pass(48).await;
    app.reset_by_link(&other, OWN).await;
    let client = fixture.signed_in_with(&other, OWN).await;
    assert_not_provisional(
        &client
            .post("/api/admin/balance/transfers/manual", json!({}))
            .await,
    );
}
