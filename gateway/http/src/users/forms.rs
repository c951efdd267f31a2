//! The forms of users. The rules of authority are in `gateway_identity::users`.

use std::borrow::Borrow;
use std::collections::BTreeSet;

use gateway_identity::fields;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::users::UserChange;
use gateway_identity::users::authority::AccessRequest;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

use super::fields::{cpf, email, name, password};
use crate::edge::FormErrors;
use crate::edge::query::text as text_schema;
use crate::problem::{COMPANY_UNKNOWN, Problem, Result};
use crate::shared::form::{Components, Kind, boolean, form, list, optional, required, required_ruled, ruled};

form! {
    pub struct NewSellerUser {
        #[example = "Ana Souza"]
        name: String = required_ruled(name()),
        #[example = "ana@padaria.example"]
        email: String = required_ruled(email()),
        #[example = "uma-senha-longa"]
        password: String = required_ruled(password()),
        /// CPF, with or without punctuation.
        #[example = "529.982.247-25"]
        document: String = required_ruled(cpf()),
        /// Whether the user can sign in; the default is true.
        active: Option<bool> = optional(boolean().or_null()),
        /// 2 admin, 7 operator. Only staff can give 1 owner.
        #[example = 7]
        role_id: SellerRole = required(role(), fields::GROUP_MISSING),
        /// The companies in which the user gets the role, at least one.
        #[example = ["biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]]
        businesses_ids: BTreeSet<BusinessId> = required(list(first_companies), fields::COMPANY_MISSING),
    }
}

/// A change of a seller user. The password is not hashed yet.
pub struct SellerUserChange {
    pub change: UserChange,
    pub password: Option<String>,
    pub access_request: AccessRequest,
}

form! {
    /// Fields that are left out or null do not change.
    impl FromBody for SellerUserChange {
        #[example = "Ana Souza"]
        name: Option<String> = optional(name()),
        #[example = "ana@padaria.example"]
        email: Option<String> = optional(email()),
        #[example = "uma-senha-longa"]
        password: Option<String> = optional(password()),
        /// CPF, with or without punctuation.
        #[example = "529.982.247-25"]
        document: Option<String> = optional(cpf()),
        active: Option<bool> = optional(boolean().or_null()),
        /// The role in the companies of `businesses_ids`. Without `businesses_ids`, the role in the company of the request.
        #[example = 7]
        role_id: Option<SellerRole> = optional(role()),
        /// All companies that the user has afterwards. Companies in which the caller does not manage the user do not
        /// change.
        #[example = ["biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]]
        businesses_ids: Option<BTreeSet<BusinessId>> = optional(list(companies)),
    } => Self {
        change: UserChange { name, email, document, active, password_hash: None },
        password,
        access_request: AccessRequest { role: role_id, companies: businesses_ids },
    }
}

/// A change of a seller user by staff, who change accesses by other calls.
pub struct StaffSellerUserChange(pub SellerUserChange);

form! {
    /// Fields that are left out or null do not change.
    impl FromBody for StaffSellerUserChange {
        #[example = "Ana Souza"]
        name: Option<String> = optional(name()),
        #[example = "ana@padaria.example"]
        email: Option<String> = optional(email()),
        #[example = "uma-senha-longa"]
        password: Option<String> = optional(password()),
        /// CPF, with or without punctuation.
        #[example = "529.982.247-25"]
        document: Option<String> = optional(cpf()),
        active: Option<bool> = optional(boolean().or_null()),
    } => Self(SellerUserChange {
        change: UserChange { name, email, document, active, password_hash: None },
        password,
        access_request: AccessRequest::default(),
    })
}

impl Borrow<SellerUserChange> for StaffSellerUserChange {
    fn borrow(&self) -> &SellerUserChange {
        &self.0
    }
}

impl From<StaffSellerUserChange> for SellerUserChange {
    fn from(StaffSellerUserChange(change): StaffSellerUserChange) -> Self {
        change
    }
}

form! {
    /// Access to a company that a seller user grants, changes or removes.
    pub struct AccessForm {
        /// The user who gets or loses the access.
        #[example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01"]
        seller_id: String = required_ruled(any_text()),
        /// The company. If given, it must be the company of the path.
        #[example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]
        business_id: Option<String> = optional(any_text()),
        /// 2 admin, 7 operator. Ignored when the access is removed.
        #[example = 7]
        role_id: Option<i64> = optional(role_number()),
    }
}

form! {
    /// Access to a company that staff grant, change or remove.
    pub struct StaffAccessForm {
        /// The company.
        #[example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]
        business_id: String = required_ruled(any_text()),
        /// 1 owner, 2 admin, 7 operator. Ignored when the access is removed.
        #[example = 7]
        role_id: Option<i64> = optional(role_number()),
    }
}

impl AccessForm {
    /// The user, and the role that the user gets in the company of the path.
    pub fn grant(&self, in_path: BusinessId) -> Result<(UserId, SellerRole)> {
        let mut errors = FormErrors::default();
        self.check(&mut errors, in_path);
        let role = errors.validated("role_id", given_role(self.role_id));
        errors.finish()?;
        let role = role.ok_or_else(|| Problem::internal("an invalid role without an error"))?;
        Ok((self.user()?, role))
    }

    /// The user who loses the access to the company of the path.
    pub fn removal(&self, in_path: BusinessId) -> Result<UserId> {
        let mut errors = FormErrors::default();
        self.check(&mut errors, in_path);
        errors.finish()?;
        self.user()
    }

    fn check(&self, errors: &mut FormErrors, in_path: BusinessId) {
        let is_other = |text: &String| text.parse() != Ok(in_path);
        if self.business_id.as_ref().is_some_and(is_other) {
            errors.add("business_id", "Deve ser a empresa indicada na URL.");
        }
        if self.seller_id.is_empty() {
            errors.add("seller_id", "Informe o usuário.");
        }
    }

    /// An invalid id is a 404, like an unknown one.
    fn user(&self) -> Result<UserId> {
        self.seller_id.parse().map_err(|_| Problem::not_found())
    }
}

impl StaffAccessForm {
    /// The company, and the role that the user of the path gets in it.
    pub fn grant(&self) -> Result<(BusinessId, SellerRole)> {
        let mut errors = FormErrors::default();
        let company = errors.validated("business_id", self.company());
        let role = errors.validated("role_id", given_role(self.role_id));
        errors.finish()?;
        let grant = company.zip(role);
        grant.ok_or_else(|| Problem::internal("an invalid access without an error"))
    }

    /// The company to which the user of the path loses the access.
    pub fn removal(&self) -> Result<BusinessId> {
        self.company()
            .map_err(|message| Problem::field("business_id", message))
    }

    fn company(&self) -> std::result::Result<BusinessId, &'static str> {
        if self.business_id.is_empty() {
            return Err("Informe a empresa.");
        }
        self.business_id.parse().map_err(|_| "Empresa não encontrada.")
    }
}

form! {
    pub struct NewAdminUser {
        #[example = "Bruno Lima"]
        name: String = required_ruled(name()),
        #[example = "bruno@razao.example"]
        email: String = required_ruled(email()),
        #[example = "uma-senha-longa"]
        password: String = required_ruled(password()),
        /// Whether the user can sign in; the default is true.
        active: Option<bool> = optional(boolean().or_null()),
        /// At least one of admin, financial, commercial-supervisor, commercial, sac.
        #[example = ["sac"]]
        roles: Vec<AdminRole> = required(list(fields::admin_roles), fields::GROUP_MISSING),
    }
}

/// A change of an admin user. The password is not hashed yet.
pub struct AdminUserChange {
    pub change: UserChange,
    pub password: Option<String>,
    pub roles: Option<Vec<AdminRole>>,
}

form! {
    /// Fields that are left out or null do not change.
    impl FromBody for AdminUserChange {
        #[example = "Bruno Lima"]
        name: Option<String> = optional(name()),
        #[example = "bruno@razao.example"]
        email: Option<String> = optional(email()),
        #[example = "uma-senha-longa"]
        password: Option<String> = optional(password()),
        active: Option<bool> = optional(boolean().or_null()),
        /// All roles that the user has afterwards. owner and operator can be kept, but not given.
        #[example = ["sac"]]
        roles: Option<Vec<AdminRole>> = optional(list(fields::admin_roles)),
    } => Self {
        change: UserChange { name, email, document: None, active, password_hash: None },
        password,
        roles,
    }
}

fn companies(listed: &[String]) -> std::result::Result<BTreeSet<BusinessId>, &'static str> {
    let companies: Option<_> = listed.iter().map(|text| text.parse().ok()).collect();
    companies.ok_or(COMPANY_UNKNOWN)
}

/// A new user has a company.
fn first_companies(listed: &[String]) -> std::result::Result<BTreeSet<BusinessId>, &'static str> {
    if listed.is_empty() {
        return Err(fields::COMPANY_MISSING);
    }
    companies(listed)
}

/// A text whose meaning depends on the call.
fn any_text() -> Kind<String> {
    ruled(|| text_schema().into(), |text| Ok(text.trim().to_owned()))
}

/// The number of a role.
fn role() -> Kind<SellerRole> {
    let schema = |_: &mut Components| role_schema().into();
    Kind::new(schema, |given, field| match given.as_i64() {
        Some(number) => given_role(Some(number))
            .map_err(|message| field.error(message))
            .ok(),
        None => field.wrong_type(),
    })
}

/// A number that only some uses of the form read.
fn role_number() -> Kind<i64> {
    let schema = |_: &mut Components| role_schema().minimum(Some(1)).maximum(Some(7)).into();
    Kind::new(schema, |given, field| {
        given.as_i64().or_else(|| field.wrong_type())
    })
}

fn role_schema() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
}

fn given_role(number: Option<i64>) -> std::result::Result<SellerRole, &'static str> {
    let number = number.and_then(|number| i16::try_from(number).ok());
    number.and_then(SellerRole::from_id).ok_or(fields::GROUP_MISSING)
}
