//! Two users are not two people if one controls the other's creation, credentials or role.

use gateway_identity::roles::AdminRole::{Admin, Owner, Sac};
use reqwest::Method;
use serde_json::{Value, json};

use super::{TwoPeople, approve};
use crate::plans::mdr_form;
use crate::support::{Answer, Client, PASSWORD, User};

const USERS: &str = "/api/admin/users";

impl TwoPeople {
    /// A change that waits for a second person.
    async fn pending(&self) -> Value {
        let plan = self.plans.created(mdr_form("Loja", "4", "0")).await;
        self.require_two_people().await;
        self.requested(&plan, json!({ "flat_rate": 50 })).await
    }

    /// A user that another user creates, with the password of all tests.
    async fn created_by(&self, by: &Client, email: &str) -> User {
        self.named_and_created_by(by, "Célia Prado", email).await
    }

    async fn named_and_created_by(&self, by: &Client, name: &str, email: &str) -> User {
        let form = json!({ "name": name, "email": email, "password": PASSWORD, "roles": ["admin"] });
        let made = by.post(USERS, form).await;
        assert_eq!(made.status, 201, "{}", made.body);
        User::staff(made.text("/id"), email)
    }

    async fn sign_in(&self, user: &User) -> Client {
        self.plans.app.sign_in(user).await
    }
}

/// The answer refuses the approval, and its message ends with how the user can become a second person.
fn assert_not_two_people(answer: &Answer, ending: &str) {
    assert_eq!(answer.status, 409, "{}", answer.body);
    let message = answer.text("/message");
    assert!(
        message.starts_with("Esta decisão precisa de duas pessoas"),
        "{message}"
    );
    assert!(message.ends_with(ending), "{message}");
}

/// Another user set the password, or the address to which the link for it went.
fn assert_provisional(answer: &Answer) {
    assert_eq!(
        (answer.status, answer.text("/type")),
        (403, "/problems/provisional-password"),
        "{}",
        answer.body
    );
}

const NEW_PASSWORD: &str = "crie uma nova senha em “Esqueci minha senha”.";
const NEW_ROLE: &str = "a um proprietário que retire e devolva o grupo de Célia Prado.";
/// Users that the tests add without a creator are called Bruno Lima.
const NEW_ROLE_OF_BRUNO: &str = "a um proprietário que retire e devolva o grupo de Bruno Lima.";

#[tokio::test]
async fn a_requester_cannot_approve_as_a_user_that_they_created() {
    let fixture = TwoPeople::open().await;
    let change = fixture.pending().await;
    let created = fixture
        .created_by(&fixture.requesting, "celia@razao.example")
        .await;
    let approving = fixture.sign_in(&created).await;
    assert_not_two_people(&approve(&approving, &change).await, NEW_ROLE);
    // The requester knows the first password, and may own the mailbox. So neither a changed password nor the link
    // proves another person.
    let own = json!({ "current_password": PASSWORD, "new_password": "outra-senha-1" });
    let changed = approving.post("/api/auth/admin/change-password", own).await;
    assert_eq!(changed.status, 204, "{}", changed.body);
    assert_not_two_people(&approve(&approving, &change).await, NEW_ROLE);
    fixture.plans.app.reset_by_link(&created, PASSWORD).await;
    let approving = fixture.sign_in(&created).await;
    assert_not_two_people(&approve(&approving, &change).await, NEW_ROLE);
    // An owner gives the user their role again, and the user sets a password that only they know.
    let owner = fixture.sign_in(&fixture.plans.app.admin(&[Owner]).await).await;
    let path = format!("{USERS}/{}", created.id);
    for roles in ["sac", "admin"] {
        assert_eq!(owner.patch(&path, json!({ "roles": [roles] })).await.status, 200);
    }
    assert_not_two_people(&approve(&approving, &change).await, NEW_PASSWORD);
    fixture.plans.app.reset_by_link(&created, PASSWORD).await;
    let approving = fixture.sign_in(&created).await;
    assert_eq!(approve(&approving, &change).await.status, 200);
}

#[tokio::test]
async fn a_user_and_their_creator_are_not_two_people() {
    let fixture = TwoPeople::open().await;
    let change = fixture.pending().await;
    let first = fixture.created_by(&fixture.second, "um@razao.example").await;
    let first = fixture.sign_in(&first).await;
    // The user `first` creates the user `other`.
    let other = fixture.created_by(&first, "dois@razao.example").await;
    let other = fixture.sign_in(&other).await;
    let withdrawn = super::decide(&fixture.requesting, &change, "withdraw", json!({})).await;
    assert_eq!(withdrawn.status, 200);
    let plan = json!({ "id": change["plan_id"] });
    let asked = first.patch(&super::path(&plan), json!({ "flat_rate": 60 })).await;
    let change = asked.at("/pending_change").clone();
    assert_not_two_people(&approve(&other, &change).await, NEW_ROLE);
    assert_not_two_people(&approve(&fixture.second, &change).await, NEW_ROLE);
    assert_eq!(approve(&fixture.requesting, &change).await.status, 200);
}

#[tokio::test]
async fn two_users_whom_a_third_created_are_not_two_people() {
    let fixture = TwoPeople::open().await;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "0")).await;
    fixture.require_two_people().await;
    let one = fixture.created_by(&fixture.second, "um@razao.example").await;
    let other = fixture.created_by(&fixture.second, "dois@razao.example").await;
    let (one, other) = (fixture.sign_in(&one).await, fixture.sign_in(&other).await);
    let asked = one.patch(&super::path(&plan), json!({ "flat_rate": 60 })).await;
    let change = asked.at("/pending_change").clone();
    assert_not_two_people(&approve(&other, &change).await, NEW_ROLE);
    assert_eq!(approve(&fixture.requesting, &change).await.status, 200);
}

/// One created the user who created the other.
#[tokio::test]
async fn the_refusal_names_the_user_whose_act_ties_the_two() {
    let fixture = TwoPeople::open().await;
    let change = fixture.pending().await;
    let middle = fixture
        .named_and_created_by(&fixture.requesting, "Rita Melo", "rita@razao.example")
        .await;
    let creating = fixture.sign_in(&middle).await;
    let created = fixture.created_by(&creating, "celia@razao.example").await;
    let approving = fixture.sign_in(&created).await;
    let refusal = approve(&approving, &change).await;
    assert_not_two_people(&refusal, NEW_ROLE);
    let message = refusal.text("/message");
    let act = "Rita Melo definiu o e-mail ou o grupo de Célia Prado";
    assert!(message.contains(act), "{message}");
}

#[tokio::test]
async fn a_requester_cannot_approve_as_a_user_whose_credentials_or_role_they_set() {
    let fixture = TwoPeople::open().await;
    let app = &fixture.plans.app;
    let change = fixture.pending().await;
    let set = async |user: &User, body: Value| {
        let path = format!("{USERS}/{}", user.id);
        let set = fixture.requesting.send(Method::PATCH, &path, Some(body)).await;
        assert_eq!(set.status, 200, "{}", set.body);
    };
    // The requester set the user's password.
    let user = app.admin(&[Admin]).await;
    app.hours_pass(48).await;
    set(&user, json!({ "password": PASSWORD })).await;
    assert_provisional(&approve(&fixture.sign_in(&user).await, &change).await);
    app.reset_by_link(&user, PASSWORD).await;
    let released = fixture.sign_in(&user).await;
    // The requester gave the user the role.
    let raised = app.admin(&[Sac]).await;
    set(&raised, json!({ "roles": ["admin", "sac"] })).await;
    let approving = fixture.sign_in(&raised).await;
    assert_not_two_people(&approve(&approving, &change).await, NEW_ROLE_OF_BRUNO);
    // The requester set the e-mail, to which the link for a new password goes.
    let mut moved = app.admin(&[Admin]).await;
    moved.email = "meu@razao.example".to_owned();
    set(&moved, json!({ "email": moved.email })).await;
    app.hours_pass(48).await;
    app.reset_by_link(&moved, PASSWORD).await;
    assert_provisional(&approve(&fixture.sign_in(&moved).await, &change).await);
    app.hours_pass(48).await;
    app.reset_by_link(&moved, PASSWORD).await;
    let approving = fixture.sign_in(&moved).await;
    assert_not_two_people(&approve(&approving, &change).await, NEW_ROLE_OF_BRUNO);
    // The owner who approves has set the requester's password.
    let owner = app.admin(&[Owner]).await;
    let owning = fixture.sign_in(&owner).await;
    let path = format!("{USERS}/{}", fixture.requester.id);
    assert_eq!(
        owning.patch(&path, json!({ "password": PASSWORD })).await.status,
        200
    );
    assert_not_two_people(&approve(&owning, &change).await, NEW_PASSWORD);
    assert_eq!(approve(&released, &change).await.status, 200);
}
