//! Sellers and staff as they see themselves, and what a sign-in answers.

use gateway_environment::time_zone::TimeZone;
use gateway_identity::people::{AdminProfile, SellerBusinessRow, SellerProfile, Theme};
use gateway_identity::sessions::account::EmailStanding;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::schemas::{ThemeSchema, TimeZoneSchema};

#[derive(Debug, Serialize, ToSchema)]
pub struct Seller {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01")]
    pub id: String,
    #[schema(example = "Ana Souza")]
    pub name: String,
    #[schema(example = "ana@padaria.example")]
    pub email: String,
    /// Whether they have shown that they read it.
    pub email_verified: bool,
    /// The new address that they asked for, until it is confirmed there.
    #[schema(required = true, example = json!(null))]
    pub pending_email: Option<String>,
    #[schema(value_type = ThemeSchema)]
    pub theme: Theme,
    /// Their own choice; where there is none, dates are in the tenant's zone.
    #[schema(required = true, value_type = Option<TimeZoneSchema>)]
    pub time_zone: Option<TimeZone>,
    pub businesses: Vec<SellerBusiness>,
}

/// A company that the seller may act for, and as what.
#[derive(Debug, Serialize, ToSchema)]
pub struct SellerBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ without its mask.
    #[schema(example = "11222333000181")]
    pub document: String,
    pub r#type: BusinessType,
    #[schema(required = true, example = "PADARIA SOUZA")]
    pub statement_descriptor: Option<String>,
    #[schema(example = 1)]
    pub role_id: i16,
    pub role: SellerRoleName,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub enum BusinessType {
    #[serde(rename = "PF")]
    Pf,
    #[serde(rename = "PJ")]
    Pj,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = SellerRole)]
#[serde(rename_all = "lowercase")]
pub enum SellerRoleName {
    Owner,
    Admin,
    Operator,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Admin {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")]
    pub id: String,
    #[schema(example = "Bruno Lima")]
    pub name: String,
    #[schema(example = "bruno@razao.example")]
    pub email: String,
    /// Whether they have shown that they read it.
    pub email_verified: bool,
    /// The new address that they asked for, until it is confirmed there.
    #[schema(required = true, example = json!(null))]
    pub pending_email: Option<String>,
    #[schema(value_type = ThemeSchema)]
    pub theme: Theme,
    /// Their own choice; where there is none, dates are in the tenant's zone.
    #[schema(required = true, value_type = Option<TimeZoneSchema>)]
    pub time_zone: Option<TimeZone>,
    /// owner, admin, financial, commercial, commercial-supervisor, sac, operator.
    #[schema(example = json!(["admin"]))]
    pub roles: Vec<&'static str>,
}

// Fields are optional here so that a missing one is named in the 422.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SignIn {
    #[schema(required = true, nullable = false, example = "ana@padaria.example")]
    pub email: Option<String>,
    #[schema(required = true, nullable = false, example = "correct horse battery staple")]
    pub password: Option<String>,
}

/// Left out where the cookie has it.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct RefreshToken {
    #[schema(nullable = false, example = "rt_0f8fad5bd9cb469fa16570867728950e.3.Zm9v")]
    pub refresh_token: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct SignedIn {
    /// A JWT of 15 minutes.
    #[schema(example = "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.e30.c2ln")]
    pub access_token: String,
    /// Of 30 days, for one use.
    #[schema(example = "rt_0f8fad5bd9cb469fa16570867728950e.3.Zm9v")]
    pub refresh_token: String,
    pub seller: Seller,
}

#[derive(Serialize, ToSchema)]
pub struct AdminSignedIn {
    pub access_token: String,
    pub refresh_token: String,
    pub admin: Admin,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CsrfToken {
    /// To be sent as X-CSRF-Token.
    #[serde(rename = "csrfToken")]
    #[schema(example = "u0h1…")]
    pub csrf_token: String,
}

/// What is left out stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = ProfileChange)]
pub struct ProfileChangeBody {
    #[schema(nullable = false, min_length = 1, max_length = 120, example = "Ana Souza")]
    pub name: Option<String>,
    #[schema(nullable = false, value_type = Option<ThemeSchema>)]
    pub theme: Option<Theme>,
    /// Of the IANA database; null for the tenant's.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<TimeZoneSchema>)]
    pub time_zone: Option<Option<TimeZone>>,
}

/// Tells null from a field that is left out.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<TimeZone>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl Seller {
    pub fn of(seller: SellerProfile, email: EmailStanding) -> Self {
        Self {
            email_verified: email.verified,
            pending_email: email.pending,
            id: seller.id.to_string(),
            name: seller.name,
            email: seller.email,
            theme: seller.theme,
            time_zone: seller.time_zone,
            businesses: seller.businesses.into_iter().map(SellerBusiness::from).collect(),
        }
    }
}

impl From<SellerBusinessRow> for SellerBusiness {
    fn from(business: SellerBusinessRow) -> Self {
        use gateway_identity::roles::SellerRole;
        Self {
            id: business.id.to_string(),
            name: business.name,
            document: business.document,
            // The column admits these two only.
            r#type: if business.business_type == "PF" {
                BusinessType::Pf
            } else {
                BusinessType::Pj
            },
            statement_descriptor: business.statement_descriptor,
            role_id: business.role.id(),
            role: match business.role {
                SellerRole::Owner => SellerRoleName::Owner,
                SellerRole::Admin => SellerRoleName::Admin,
                SellerRole::Operator => SellerRoleName::Operator,
            },
        }
    }
}

impl Admin {
    pub fn of(admin: AdminProfile, email: EmailStanding) -> Self {
        Self {
            email_verified: email.verified,
            pending_email: email.pending,
            id: admin.id.to_string(),
            name: admin.name,
            email: admin.email,
            theme: admin.theme,
            time_zone: admin.time_zone,
            roles: admin.roles.into_iter().map(|role| role.as_str()).collect(),
        }
    }
}
