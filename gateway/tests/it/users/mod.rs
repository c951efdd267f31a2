//! Seller users and staff users: who sees which users, who may change which users, and that a change takes effect at
//! once. There are three companies; a seller user's permissions follow from the role in each.

mod accesses;
mod by_staff;
mod changed_emails;
mod changes;
mod creation;
mod deletion;
mod first_owner;
mod history;
mod lists;
mod profile;
mod provisional_passwords;
mod search;
mod staff;
mod staff_concurrency;

use gateway_identity::roles::SellerRole;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Client, Company, PASSWORD, TestApp, User};

pub const OWNER: SellerRole = SellerRole::Owner;
pub const ADMIN: SellerRole = SellerRole::Admin;
pub const OPERATOR: SellerRole = SellerRole::Operator;

pub const NOT_MANAGED_EVERYWHERE: &str =
    "Só quem administra todas as empresas deste usuário pode alterar esses dados.";
pub const ROLE_NOT_ALLOWED: &str = "Você não pode atribuir este grupo nesta empresa.";
pub const ACCESS_NOT_ALLOWED: &str = "Você não pode mudar o acesso deste usuário nesta empresa.";
pub const NOT_SAVED: &str =
    "Não foi possível salvar com estes dados. Confira cada um; se estiverem certos, fale com o suporte.";

pub struct TeamFixture {
    pub app: TestApp,
    pub bakery: Company,
    pub pharmacy: Company,
    pub bookshop: Company,
}

impl TeamFixture {
    pub async fn open() -> Self {
        let app = TestApp::start().await;
        let bakery = app.company("Padaria").await;
        let pharmacy = app.company("Farmácia").await;
        let bookshop = app.company("Livraria").await;
        Self {
            app,
            bakery,
            pharmacy,
            bookshop,
        }
    }

    pub async fn user(&self, access: &[(&Company, SellerRole)]) -> User {
        self.app.seller(access).await
    }

    /// A signed-in user who acts for the first of their companies.
    pub async fn signed_in(&self, access: &[(&Company, SellerRole)]) -> Client {
        let client = self.app.sign_in(&self.user(access).await).await;
        acting_for(&client, access[0].0)
    }

    /// The user's companies by name, each with the role in it.
    pub async fn accesses(&self, user: &User) -> Value {
        let client = self.app.app.state.pool.get().await.expect("a connection");
        let rows = client
            .query(
                "SELECT b.name, a.role_id FROM business_access a JOIN business b ON b.id = a.business_id
                  WHERE a.seller_id = $1 ORDER BY b.name",
                &[&user.id.uuid()],
            )
            .await
            .expect("accesses");
        let role = |id| SellerRole::from_id(id).map(SellerRole::as_str);
        rows.iter()
            .map(|row| json!([row.get::<_, &str>(0), role(row.get(1))]))
            .collect()
    }
}

pub fn acting_for(client: &Client, company: &Company) -> Client {
    client.clone().with("x-business-id", &company.id.to_string())
}

/// The form of a new user called Célia Prado.
pub fn form(email: &str, role: SellerRole, companies: &[&Company]) -> Value {
    let ids: Vec<String> = companies.iter().map(|company| company.id.to_string()).collect();
    json!({
        "name": "Célia Prado", "email": email, "password": PASSWORD, "document": "529.982.247-25",
        "role_id": role.id(), "businesses_ids": ids,
    })
}

pub fn path_of(user: &User) -> String {
    format!("/api/business/sellers/{}", user.id)
}

pub async fn change(client: &Client, user: &User, change: Value) -> Answer {
    client.patch(&path_of(user), change).await
}

pub async fn delete(client: &Client, path: &str, body: Option<Value>) -> Answer {
    client.send(Method::DELETE, path, body).await
}

#[track_caller]
pub fn assert_message(answer: &Answer, status: u16, message: &str) {
    assert_eq!(
        (answer.status, answer.text("/message")),
        (status, message),
        "{}",
        answer.body
    );
}

/// Checks the message of a field, and that no other field has an error.
#[track_caller]
pub fn assert_field(answer: &Answer, field: &str, message: &str) {
    assert_eq!(answer.status, 422, "{}", answer.body);
    assert_eq!(answer.at("/errors"), &json!({ field: [message] }));
}
