//! The callers of the API for the route tests: each role of both panels, users with two companies or none, and
//! callers with invalid tokens.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{TimeDelta, Utc};
use gateway_environment::config::{Config, Keys};
use gateway_http::edge::cookies;
use gateway_identity::audience::Audience;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::sessions::Tokens;
use ledger_domain::ids::UserId;
use serde_json::json;
use uuid::Uuid;

use crate::support::{Client, Company, TestApp};

pub struct RouteFixture {
    pub app: TestApp,
    pub own: Company,
    pub other: Company,
    /// Signs tokens with keys that are not the app's.
    foreign_tokens: Tokens,
    signed_out: Client,
}

/// One user of each kind.
pub struct TestUsers {
    /// A seller user for each role in the company `own`, the owner first.
    pub sellers: Vec<(SellerRole, UserId)>,
    /// One of each role, the owner first.
    pub staff: Vec<(AdminRole, UserId)>,
    /// Owner of `own`, operator of `other`.
    pub seller_of_two: UserId,
    pub seller_of_none: UserId,
    deactivated_seller: UserId,
    deactivated_admin: UserId,
}

impl TestUsers {
    /// The seller who owns `own`, or the admin user with the role of owner.
    pub fn owner(&self, audience: Audience) -> UserId {
        match audience {
            Audience::Seller => self.sellers[0].1,
            Audience::Admin => self.staff[0].1,
        }
    }

    const fn deactivated(&self, audience: Audience) -> UserId {
        match audience {
            Audience::Seller => self.deactivated_seller,
            Audience::Admin => self.deactivated_admin,
        }
    }
}

impl RouteFixture {
    pub async fn open() -> Self {
        let app = TestApp::start().await;
        Self {
            own: app.company("Padaria").await,
            other: app.company("Farmácia").await,
            signed_out: app.client(),
            foreign_tokens: Tokens::new(&other_keys()),
            app,
        }
    }

    pub async fn users(&self) -> TestUsers {
        let (app, own, other) = (&self.app, &self.own, &self.other);
        let (mut sellers, mut staff) = (vec![], vec![]);
        for role in SellerRole::ALL {
            sellers.push((*role, app.seller(&[(own, *role)]).await.id));
        }
        for role in AdminRole::ALL {
            staff.push((*role, app.admin(&[*role]).await.id));
        }
        let seller_of_two = [(own, SellerRole::Owner), (other, SellerRole::Operator)];
        let users = TestUsers {
            sellers,
            staff,
            seller_of_two: app.seller(&seller_of_two).await.id,
            seller_of_none: app.seller(&[]).await.id,
            deactivated_seller: app.seller(&[(own, SellerRole::Owner)]).await.id,
            deactivated_admin: app.admin(&[AdminRole::Owner]).await.id,
        };
        let (seller, admin) = (users.deactivated_seller.uuid(), users.deactivated_admin.uuid());
        app.execute(&format!(
            "UPDATE seller_user SET active = false WHERE id = '{seller}';
             UPDATE admin_user SET active = false WHERE id = '{admin}'"
        ))
        .await;
        users
    }

    pub fn signed_out(&self) -> Client {
        self.signed_out.clone()
    }

    pub fn tokens(&self) -> &Tokens {
        &self.app.app.state.accounts.tokens
    }

    /// A client with a new session, because a call may end its session.
    pub async fn signed_in(&self, audience: Audience, user: UserId) -> Client {
        let session_id = self.session(audience, user, "now() + interval '1 day'").await;
        self.signed_out().bearing(&self.token(audience, user, session_id))
    }

    /// A browser without a page's CSRF token.
    pub async fn signed_in_by_cookie(&self, audience: Audience, user: UserId) -> Client {
        let session_id = self.session(audience, user, "now() + interval '1 day'").await;
        let token = self.token(audience, user, session_id);
        let cookie = format!("{}={token}", cookies::access(audience));
        self.signed_out().with("cookie", &cookie)
    }

    /// Stores a session. `ends` is an SQL expression.
    pub async fn session(&self, audience: Audience, user: UserId, ends: &str) -> Uuid {
        let session_id = Uuid::now_v7();
        let (audience, user) = (audience.as_str(), user.uuid());
        self.app
            .execute(&format!(
                "INSERT INTO session (family, audience, user_id, refresh_hash, expires_at)
                 VALUES ('{session_id}', '{audience}', '{user}', sha256('{session_id}'), {ends})"
            ))
            .await;
        session_id
    }

    pub fn token(&self, audience: Audience, user: UserId, session_id: Uuid) -> String {
        self.tokens()
            .access(audience, user, session_id, Utc::now())
            .expect("a token")
    }

    /// Tokens that calls of the audience must refuse, each with one defect.
    pub async fn invalid_tokens(&self, users: &TestUsers, audience: Audience) -> Vec<(&'static str, String)> {
        let (owner, ours, now) = (users.owner(audience), self.tokens(), Utc::now());
        let tomorrow = "now() + interval '1 day'";
        let session_id = self.session(audience, owner, tomorrow).await;
        let good = self.token(audience, owner, session_id);
        let revoked = self.session(audience, owner, tomorrow).await;
        self.app
            .execute(&format!(
                "UPDATE session SET revoked_at = now(), revoked_for = 'sign-out' WHERE family = '{revoked}'"
            ))
            .await;
        let ended = self.session(audience, owner, "now() - interval '1 second'").await;
        let inactive = users.deactivated(audience);
        let of_inactive = self.session(audience, inactive, tomorrow).await;
        let of_other_audience = self.session(audience.other(), owner, tomorrow).await;
        let of_other_user = self
            .session(audience, UserId::from_uuid(Uuid::now_v7()), tomorrow)
            .await;
        // An access token is valid for 15 minutes.
        let expired = ours.access(audience, owner, session_id, now - TimeDelta::minutes(16));
        let foreign = self.foreign_tokens.access(audience, owner, session_id, now);
        vec![
            ("not a token", "token".to_owned()),
            ("expired", expired.expect("a token")),
            ("wrong aud", self.token(audience.other(), owner, session_id)),
            ("alg none", unsigned(&good)),
            ("another key", foreign.expect("a token")),
            ("changed afterwards", changed(&good)),
            ("revoked session", self.token(audience, owner, revoked)),
            ("ended session", self.token(audience, owner, ended)),
            ("no such session", self.token(audience, owner, Uuid::now_v7())),
            ("deactivated user", self.token(audience, inactive, of_inactive)),
            (
                "session of the other audience",
                self.token(audience, owner, of_other_audience),
            ),
            (
                "session of another user",
                self.token(audience, owner, of_other_user),
            ),
        ]
    }
}

/// The same claims with the algorithm `none`.
fn unsigned(token: &str) -> String {
    let header = URL_SAFE_NO_PAD.encode(json!({ "alg": "none", "typ": "JWT" }).to_string());
    let claims = token.split('.').nth(1).expect("claims");
    format!("{header}.{claims}.")
}

/// A token whose expiry was changed after signing.
fn changed(token: &str) -> String {
    let parts: Vec<&str> = token.split('.').collect();
    let claims = URL_SAFE_NO_PAD.decode(parts[1]).expect("claims");
    let mut claims: serde_json::Value = serde_json::from_slice(&claims).expect("claims");
    claims["exp"] = json!(claims["exp"].as_i64().expect("an end") + 1);
    let claims = URL_SAFE_NO_PAD.encode(claims.to_string());
    format!("{}.{claims}.{}", parts[0], parts[2])
}

fn other_keys() -> Keys {
    let key = "22".repeat(32);
    let read = |name: &str| match name {
        "RAZAO_KEY_SALES" => Some("5f6e7a52-3c1d-4b8e-9a70-2d1f0c4b6e81".to_owned()),
        "RAZAO_KEY_JWT" | "RAZAO_KEY_REFRESH" | "RAZAO_KEY_CHECKPOINT" => Some(key.clone()),
        _ => None,
    };
    Config::read(&[], read).expect("a valid configuration").keys
}
