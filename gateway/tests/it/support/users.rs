//! Seller users and staff users, all with one password.

use std::sync::LazyLock;

use argon2::password_hash::PasswordHasher;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, Version};
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
        seller_insert(&**client, Actor::System, &new)
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
        admin_insert(&**client, Actor::System, &new)
            .await
            .expect("an admin user");
        User {
            id,
            email,
            staff: true,
        }
    }

    /// Requests an e-mail with a link, and sets an admin user's password by that link.
    pub async fn reset_by_link(&self, user: &User, password: &str) {
        let client = self.staff_client();
        let form = json!({ "email": user.email });
        let asked = client.post("/api/auth/admin/forgot-password", form).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        let token = self.last_email_to(&user.email).await.code().to_owned();
        let form = json!({ "token": token, "password": password });
        let set = client.post("/api/auth/admin/reset-password", form).await;
        assert_eq!(set.status, 204, "{}", set.body);
    }
}
