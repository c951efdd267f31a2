//! A user's own profile in both panels.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use gateway_environment::request_context;
use gateway_environment::time_zone::TimeZone;
use gateway_identity::credentials::account::EmailStatus;
use gateway_identity::fields;
use gateway_identity::roles::AdminRole;
use gateway_identity::users::{self, AdminProfile, SellerBusinessRow, SellerProfile, Theme};
use gateway_platform::companies::{Approval, DocumentKind, NotApproved};
use ledger_domain::BusinessId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::companies::bodies::BusinessTypeName;
use crate::edge::query::text;
use crate::shared::form::{
    Field, Kind, boolean, cleared_by_null, component, form, optional, refuse_null, ruled,
};
use crate::shared::schemas::{TimeZoneSchema, Word};
use crate::users::bodies::seller_user::SellerRoleName;

pub type ThemeName = Word<Theme>;

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
    /// A requested new e-mail address that has not taken effect; else null.
    #[schema(required = true, example = json!(null))]
    pub pending_email: Option<String>,
    /// UTC instant from which `pending_email` takes effect without the approval of the present address. Null also while
    /// the user has to confirm it.
    #[schema(required = true, example = json!(null))]
    pub pending_email_at: Option<DateTime<Utc>>,
    /// Whether another user set the password. Then calls that move money or change a bank account, a user or an address
    /// are a 403 until the user has set their own password by a link.
    pub password_provisional: bool,
    /// UTC instant from which a link to the present address makes a password the user's own. Null if it does now.
    #[schema(required = true, example = json!(null))]
    pub own_password_from: Option<DateTime<Utc>>,
    pub theme: ThemeName,
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
    pub r#type: BusinessTypeName,
    /// The company's name on the buyer's card statement.
    #[schema(required = true, example = "PADARIA SOUZA")]
    pub statement_descriptor: Option<String>,
    /// 1 owner, 2 admin, 7 operator.
    #[schema(example = 1)]
    pub role_id: i16,
    pub role: SellerRoleName,
    /// pending (not decided on yet), enabled, denied or deleted.
    #[schema(value_type = String, example = "enabled")]
    pub approval: Approval,
    /// The documents that the approval asks for and that are missing. Empty for an approved company.
    #[schema(value_type = Vec<String>, example = json!([]))]
    pub missing_documents: Vec<DocumentKind>,
    /// Why staff denied or deleted the company.
    #[schema(required = true, example = json!(null))]
    pub decision_reason: Option<String>,
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
    /// A requested new e-mail address that has not taken effect; else null.
    #[schema(required = true, example = json!(null))]
    pub pending_email: Option<String>,
    /// UTC instant from which `pending_email` takes effect without the approval of the present address. Null also while
    /// the user has to confirm it.
    #[schema(required = true, example = json!(null))]
    pub pending_email_at: Option<DateTime<Utc>>,
    /// Whether another user set the password. Then calls that move money or change a bank account, a user or an address
    /// are a 403 until the user has set their own password by a link.
    pub password_provisional: bool,
    /// UTC instant from which a link to the present address makes a password the user's own. Null if it does now.
    #[schema(required = true, example = json!(null))]
    pub own_password_from: Option<DateTime<Utc>>,
    pub theme: ThemeName,
    /// The user's choice. If it is null, dates are in the tenant's time zone.
    #[schema(required = true, value_type = Option<TimeZoneSchema>)]
    pub time_zone: Option<TimeZone>,
    /// Any of owner, admin, financial, commercial, commercial-supervisor, sac, operator.
    #[schema(value_type = Vec<String>, example = json!(["admin"]))]
    pub roles: Vec<AdminRole>,
}

/// A change of the own profile.
pub struct ProfileChange(pub users::ProfileChange);

form! {
    /// Fields that are left out do not change.
    impl FromBody for ProfileChange {
        #[example = "Ana Souza"]
        name: Option<String> = optional(name()),
        theme: Option<Theme> = optional(theme()),
        /// An IANA time zone name. Null selects the tenant's time zone.
        time_zone: Option<Option<TimeZone>> = cleared_by_null(time_zone()),
        /// Sellers only: whether the user wants an e-mail for each order that is paid on a link of the user's companies.
        paid_link_emails: Option<bool> = refuse_null(optional(boolean())),
    } => Self(users::ProfileChange { name, theme, time_zone, paid_link_emails })
}

fn name() -> Kind<String> {
    ruled(
        || text().min_length(Some(1)).max_length(Some(120)).into(),
        fields::name,
    )
}

fn theme() -> Kind<Theme> {
    Kind::new(component::<ThemeName>, |given, field: &mut Field<'_>| {
        let theme = given.as_str().and_then(|text| Theme::parse(text).ok());
        theme.or_else(|| field.wrong_type())
    })
}

fn time_zone() -> Kind<TimeZone> {
    Kind::new(component::<TimeZoneSchema>, |given, field: &mut Field<'_>| {
        let zone = given.as_str().and_then(TimeZone::parse);
        zone.or_else(|| field.wrong_type())
    })
}

impl Seller {
    /// `not_approved`: those of the user's companies that are not approved.
    pub fn of(
        seller: SellerProfile,
        email: EmailStatus,
        mut not_approved: HashMap<BusinessId, NotApproved>,
    ) -> Self {
        Self {
            email_verified: email.verified,
            pending_email_at: email.pending.takes_effect_at,
            pending_email: email.pending.email,
            password_provisional: email.password_provisional,
            own_password_from: Some(email.settles_at).filter(|at| *at > request_context::now()),
            id: seller.id.to_string(),
            name: seller.name,
            email: seller.email,
            theme: seller.theme.into(),
            time_zone: seller.time_zone,
            paid_link_emails: seller.paid_link_emails,
            businesses: seller
                .businesses
                .into_iter()
                .map(|business| {
                    let waiting = not_approved.remove(&business.id);
                    SellerBusiness::of(business, waiting)
                })
                .collect(),
        }
    }
}

impl SellerBusiness {
    fn of(business: SellerBusinessRow, not_approved: Option<NotApproved>) -> Self {
        let NotApproved {
            approval,
            missing,
            reason,
        } = not_approved.unwrap_or(NotApproved::APPROVED);
        Self {
            id: business.id.to_string(),
            name: business.name,
            document: business.document,
            r#type: business.business_type.into(),
            statement_descriptor: business.statement_descriptor,
            role_id: business.role.id(),
            role: business.role.into(),
            approval,
            missing_documents: missing,
            decision_reason: reason,
        }
    }
}

impl Admin {
    pub fn of(admin: AdminProfile, email: EmailStatus) -> Self {
        Self {
            email_verified: email.verified,
            pending_email_at: email.pending.takes_effect_at,
            pending_email: email.pending.email,
            password_provisional: email.password_provisional,
            own_password_from: Some(email.settles_at).filter(|at| *at > request_context::now()),
            id: admin.id.to_string(),
            name: admin.name,
            email: admin.email,
            theme: admin.theme.into(),
            time_zone: admin.time_zone,
            roles: admin.roles,
        }
    }
}
