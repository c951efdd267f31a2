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

pub struct House {
    pub app: TestApp,
    pub own: Company,
    pub other: Company,
    /// Signs with a foreign key.
    stranger: Tokens,
    nobody: Client,
}

/// One user of each kind. Each endpoint gets new users, because a call may change its user's sessions.
pub struct Crowd {
    /// Owner of `own`.
    pub sellers: Vec<(SellerRole, UserId)>,
    pub staff: Vec<(AdminRole, UserId)>,
    /// Owner of `own`, operator of `other`.
    pub of_two: UserId,
    pub of_none: UserId,
    gone_seller: UserId,
    gone_admin: UserId,
}

impl Crowd {
    /// The user with the owner's role in everything of the audience.
    pub fn owner(&self, audience: Audience) -> UserId {
        match audience {
            Audience::Seller => self.sellers[0].1,
            Audience::Admin => self.staff[0].1,
        }
    }

    const fn gone(&self, audience: Audience) -> UserId {
        match audience {
            Audience::Seller => self.gone_seller,
            Audience::Admin => self.gone_admin,
        }
    }
}

impl House {
    pub async fn open() -> Self {
        let app = TestApp::start().await;
        Self {
            own: app.company("Padaria").await,
            other: app.company("Farmácia").await,
            nobody: app.client(),
            stranger: Tokens::new(&other_keys()),
            app,
        }
    }

    pub async fn crowd(&self) -> Crowd {
        let (app, own, other) = (&self.app, &self.own, &self.other);
        let (mut sellers, mut staff) = (vec![], vec![]);
        for role in SellerRole::ALL {
            sellers.push((*role, app.seller(&[(own, *role)]).await.id));
        }
        for role in AdminRole::ALL {
            staff.push((*role, app.admin(&[*role]).await.id));
        }
        let of_two = [(own, SellerRole::Owner), (other, SellerRole::Operator)];
        let crowd = Crowd {
            sellers,
            staff,
            of_two: app.seller(&of_two).await.id,
            of_none: app.seller(&[]).await.id,
            gone_seller: app.seller(&[(own, SellerRole::Owner)]).await.id,
            gone_admin: app.admin(&[AdminRole::Owner]).await.id,
        };
        let (seller, admin) = (crowd.gone_seller.uuid(), crowd.gone_admin.uuid());
        app.execute(&format!(
            "UPDATE seller_user SET active = false WHERE id = '{seller}';
             UPDATE admin_user SET active = false WHERE id = '{admin}'"
        ))
        .await;
        crowd
    }

    pub fn nobody(&self) -> Client {
        self.nobody.clone()
    }

    pub fn tokens(&self) -> &Tokens {
        &self.app.app.state.sessions.tokens
    }

    /// Signed in a moment ago, because a call may end its own session.
    pub async fn signed_in(&self, audience: Audience, person: UserId) -> Client {
        let family = self.session(audience, person, "now() + interval '1 day'").await;
        self.nobody().bearing(&self.token(audience, person, family))
    }

    /// A browser without a page's CSRF token.
    pub async fn signed_in_by_cookie(&self, audience: Audience, person: UserId) -> Client {
        let family = self.session(audience, person, "now() + interval '1 day'").await;
        let token = self.token(audience, person, family);
        let cookie = format!("{}={token}", cookies::access(audience));
        self.nobody().with("cookie", &cookie)
    }

    pub async fn session(&self, audience: Audience, person: UserId, ends: &str) -> Uuid {
        let family = Uuid::now_v7();
        let (audience, person) = (audience.as_str(), person.uuid());
        self.app
            .execute(&format!(
                "INSERT INTO session (family, audience, user_id, refresh_hash, expires_at)
                 VALUES ('{family}', '{audience}', '{person}', sha256('{family}'), {ends})"
            ))
            .await;
        family
    }

    pub fn token(&self, audience: Audience, person: UserId, family: Uuid) -> String {
        self.tokens()
            .access(audience, person, family, Utc::now())
            .expect("a token")
    }

    /// Expired or forged tokens of the audience's owner, each with its one defect.
    pub async fn forged(&self, crowd: &Crowd, audience: Audience) -> Vec<(&'static str, String)> {
        let (owner, ours, now) = (crowd.owner(audience), self.tokens(), Utc::now());
        let stands = "now() + interval '1 day'";
        let family = self.session(audience, owner, stands).await;
        let good = self.token(audience, owner, family);
        let revoked = self.session(audience, owner, stands).await;
        self.app
            .execute(&format!(
                "UPDATE session SET revoked_at = now(), revoked_for = 'sign-out' WHERE family = '{revoked}'"
            ))
            .await;
        let ended = self.session(audience, owner, "now() - interval '1 second'").await;
        let gone = crowd.gone(audience);
        let of_gone = self.session(audience, gone, stands).await;
        let elsewhere = self.session(audience.other(), owner, stands).await;
        let somebody_else = self
            .session(audience, UserId::from_uuid(Uuid::now_v7()), stands)
            .await;
        let expired = ours.access(audience, owner, family, now - TimeDelta::minutes(16));
        let strange = self.stranger.access(audience, owner, family, now);
        vec![
            ("no token", "token".to_owned()),
            ("expired", expired.expect("a token")),
            ("wrong aud", self.token(audience.other(), owner, family)),
            ("alg none", unsigned(&good)),
            ("another key", strange.expect("a token")),
            ("changed afterwards", changed(&good)),
            ("revoked session", self.token(audience, owner, revoked)),
            ("session at its end", self.token(audience, owner, ended)),
            ("no such session", self.token(audience, owner, Uuid::now_v7())),
            ("deactivated user", self.token(audience, gone, of_gone)),
            (
                "session of the other audience",
                self.token(audience, owner, elsewhere),
            ),
            (
                "session of another user",
                self.token(audience, owner, somebody_else),
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
        name if name.starts_with("RAZAO_KEY_") => Some(key.clone()),
        _ => None,
    };
    Config::read(read).expect("a sound configuration").keys
}
