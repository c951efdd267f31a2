//! A user's own profile in both panels.

use gateway_environment::time_zone::TimeZone;
use gateway_identity::credentials::account::EmailStatus;
use gateway_identity::users::{AdminProfile, SellerBusinessRow, SellerProfile, Theme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::companies::bodies::BusinessType;
use crate::shared::body_fields::null_as_some;
use crate::shared::schemas::TimeZoneSchema;
use crate::users::bodies::seller_user::SellerRoleName;

#[derive(Debug, Serialize, ToSchema)]
pub struct Seller {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01")]
    pub id: String,
    #[schema(example = "Ana Souza")]
    pub name: String,
    #[schema(example = "ana@padaria.example")]
    pub email: String,
    /// Whether the user has confirmed the e-mail address.
    pub email_verified: bool,
    /// The requested new e-mail address, until it is confirmed; else null.
    #[schema(required = true, example = json!(null))]
    pub pending_email: Option<String>,
    #[schema(value_type = ThemeSchema)]
    pub theme: Theme,
    /// The user's choice. If it is null, dates are in the tenant's time zone.
    #[schema(required = true, value_type = Option<TimeZoneSchema>)]
    pub time_zone: Option<TimeZone>,
    /// Whether the user wants an e-mail for each order that is paid on a link of the user's companies.
    pub paid_link_emails: bool,
    /// The companies that the user may act for.
    pub businesses: Vec<SellerBusiness>,
}

/// A company that the user may act for, with the user's role in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SellerBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ, without punctuation.
    #[schema(example = "11222333000181")]
    pub document: String,
    pub r#type: BusinessType,
    /// The company's name on the buyer's card statement.
    #[schema(required = true, example = "PADARIA SOUZA")]
    pub statement_descriptor: Option<String>,
    /// 1 owner, 2 admin, 7 operator.
    #[schema(example = 1)]
    pub role_id: i16,
    pub role: SellerRoleName,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Admin {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")]
    pub id: String,
    #[schema(example = "Bruno Lima")]
    pub name: String,
    #[schema(example = "bruno@razao.example")]
    pub email: String,
    /// Whether the user has confirmed the e-mail address.
    pub email_verified: bool,
    /// The requested new e-mail address, until it is confirmed; else null.
    #[schema(required = true, example = json!(null))]
    pub pending_email: Option<String>,
    #[schema(value_type = ThemeSchema)]
    pub theme: Theme,
    /// The user's choice. If it is null, dates are in the tenant's time zone.
    #[schema(required = true, value_type = Option<TimeZoneSchema>)]
    pub time_zone: Option<TimeZone>,
    /// Any of owner, admin, financial, commercial, commercial-supervisor, sac, operator.
    #[schema(example = json!(["admin"]))]
    pub roles: Vec<&'static str>,
}

/// Fields that are left out do not change.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = ProfileChange)]
pub struct ProfileChangeBody {
    #[schema(nullable = false, min_length = 1, max_length = 120, example = "Ana Souza")]
    pub name: Option<String>,
    #[schema(nullable = false, value_type = Option<ThemeSchema>)]
    pub theme: Option<Theme>,
    /// An IANA time zone name. Null selects the tenant's time zone.
    #[serde(default, deserialize_with = "null_as_some")]
    #[schema(value_type = Option<TimeZoneSchema>)]
    pub time_zone: Option<Option<TimeZone>>,
    /// Sellers only: whether the user wants an e-mail for each order that is paid on a link of the user's companies.
    #[schema(nullable = false)]
    pub paid_link_emails: Option<bool>,
}

impl Seller {
    pub fn of(seller: SellerProfile, email: EmailStatus) -> Self {
        Self {
            email_verified: email.verified,
            pending_email: email.pending,
            id: seller.id.to_string(),
            name: seller.name,
            email: seller.email,
            theme: seller.theme,
            time_zone: seller.time_zone,
            paid_link_emails: seller.paid_link_emails,
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
            // The column allows only PF and PJ.
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
    pub fn of(admin: AdminProfile, email: EmailStatus) -> Self {
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

// Matches the serialization of `gateway_identity::users::Theme`. Not a doc comment, which would become a description
// in the document.
#[derive(ToSchema)]
#[schema(as = Theme, rename_all = "lowercase")]
#[expect(dead_code, reason = "only describes a value in the OpenAPI document")]
pub enum ThemeSchema {
    Light,
    Dark,
}
