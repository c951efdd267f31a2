//! Seller users and staff users, all with one password.

use std::sync::LazyLock;

use argon2::password_hash::PasswordHasher;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, Version};
use gateway_environment::request_context::RequestContext;
use gateway_identity::account::changed_email::apply_due;
use gateway_identity::audit::Actor;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::users::{NewAdmin, NewSeller, access_upsert, admin_insert, seller_insert};
use ledger_domain::ids::UserId;
use serde_json::json;
use uuid::Uuid;

use super::TestApp;
use super::companies::Company;

pub const PASSWORD: &str = "senha-de-teste-1";

pub struct User {
    pub id: UserId,
    pub email: String,
    staff: bool,
}

impl User {
    /// An admin user that the test created through a call.
    pub fn staff(id: &str, email: &str) -> Self {
        Self {
            id: id.parse().expect("an id"),
            email: email.to_owned(),
            staff: true,
        }
    }

    pub const fn is_staff(&self) -> bool {
        self.staff
    }

    pub fn sign_in_path(&self) -> &'static str {
        if self.staff {
            "/api/auth/admin/sign-in"
        } else {
            "/api/auth/sign-in"
        }
    }
}

/// The hash of the password, with the smallest parameters, so that the tests' sign-ins take little time. A hash names
/// its parameters itself.
fn password_hash() -> &'static str {
    static HASH: LazyLock<String> = LazyLock::new(|| {
        let smallest = Params::new(Params::MIN_M_COST, 1, 1, None).expect("parameters");
        let hash: PasswordHash = Argon2::new(Algorithm::Argon2id, Version::V0x13, smallest)
            .hash_password(PASSWORD.as_bytes())
            .expect("a hash");
        hash.to_string()
    });
    &HASH
}

impl TestApp {
    pub async fn seller(&self, access: &[(&Company, SellerRole)]) -> User {
        let id = UserId::from_uuid(Uuid::now_v7());
        let email = format!("{}@loja.example", id.uuid().simple());
        let client = self.app.state.pool.get().await.expect("a connection");
        let new = NewSeller {
            id,
            name: "Ana Souza",
            email: &email,
            password_hash: password_hash(),
            document: "52998224725",
            active: true,
        };
        self.context()
            .scope(seller_insert(&**client, Actor::System, &new))
            .await
            .expect("a seller");
        for (company, role) in access {
            access_upsert(&**client, Actor::System, id, company.id, *role)
                .await
                .expect("access");
        }
        User {
            id,
            email,
            staff: false,
        }
    }

    pub async fn admin(&self, roles: &[AdminRole]) -> User {
        let id = UserId::from_uuid(Uuid::now_v7());
        let email = format!("{}@razao.example", id.uuid().simple());
        let client = self.app.state.pool.get().await.expect("a connection");
        let new = NewAdmin {
            id,
            name: "Bruno Lima",
            email: &email,
            password_hash: password_hash(),
            roles,
            active: true,
        };
        self.context()
            .scope(admin_insert(&**client, Actor::System, &new))
            .await
            .expect("an admin user");
        User {
            id,
            email,
            staff: true,
        }
    }

    /// Dates the rows of users by the program's clock, as a request does.
    fn context(&self) -> RequestContext {
        RequestContext {
            clock: self.app.state.clock,
            ..RequestContext::default()
        }
    }

    /// Lets 48 hours pass, after which the requested addresses are the users'.
    pub async fn new_addresses_take_effect(&self) {
        self.hours_pass(48).await;
        let state = &self.app.state;
        let mut client = state.pool.get().await.expect("a connection");
        apply_due(&mut client, &state.mail, state.clock.now())
            .await
            .expect("the addresses change");
    }

    /// Lets hours pass for addresses, their changes and the codes in links: moves their times into the past.
    pub async fn hours_pass(&self, hours: u32) {
        let past = format!("- interval '{hours} hours'");
        let users = ["seller_user", "admin_user"].map(|table| {
            format!("UPDATE {table} SET email_since = email_since {past}, created_at = created_at {past};")
        });
        self.execute(&format!(
            "{users}
             UPDATE email_change SET asked_at = asked_at {past}, waits_until = waits_until {past},
                    approved_at = approved_at {past}, confirmed_at = confirmed_at {past}, ended_at = ended_at {past};
             UPDATE one_time_code SET created_at = created_at {past}, expires_at = expires_at {past}",
            users = users.concat(),
        ))
        .await;
    }

    /// Requests an e-mail with a link, and sets the user's password by that link.
    pub async fn reset_by_link(&self, user: &User, password: &str) {
        let client = self.client_for(user);
        let path = |call: &str| {
            let audience = if user.is_staff() { "admin/" } else { "" };
            format!("/api/auth/{audience}{call}")
        };
        let form = json!({ "email": user.email });
        let asked = client.post(&path("forgot-password"), form).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        let link = self.email_about(&user.email, "Crie uma nova senha").await;
        let token = link.code().to_owned();
        let form = json!({ "token": token, "password": password });
        let set = client.post(&path("reset-password"), form).await;
        assert_eq!(set.status, 204, "{}", set.body);
    }
}
