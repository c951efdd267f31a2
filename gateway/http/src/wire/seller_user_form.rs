//! The forms by which sellers and staff bring and change seller users: every field that can't be taken is named at once,
//! in the specification's words. Who may do what is `people::authority`'s.

use std::collections::BTreeSet;

use gateway_identity::fields;
use gateway_identity::people::PersonChange;
use gateway_identity::people::authority::AccessRequest;
use gateway_identity::roles::SellerRole;
use ledger_domain::BusinessId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::edge::QueryReader;
use crate::problem::{GROUP_NOT_THEIRS, Problem, Result};

// Fields are optional here so that a missing one is named in the 422.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewSellerUser {
    #[schema(required = true, nullable = false, max_length = 120, example = "Ana Souza")]
    pub name: Option<String>,
    #[schema(
        required = true,
        nullable = false,
        max_length = 254,
        example = "ana@padaria.example"
    )]
    pub email: Option<String>,
    #[schema(
        required = true,
        nullable = false,
        min_length = 8,
        max_length = 128,
        example = "uma-senha-longa"
    )]
    pub password: Option<String>,
    /// CPF, with or without its mask.
    #[schema(required = true, nullable = false, example = "529.982.247-25")]
    pub document: Option<String>,
    /// true where left out or null.
    pub active: Option<bool>,
    /// 2 admin, 7 operator; 1 owner by staff only.
    #[schema(required = true, nullable = false, example = 7)]
    pub role_id: Option<i16>,
    #[schema(required = true, nullable = false, example = json!(["biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]))]
    pub businesses_ids: Option<Vec<String>>,
}

/// What is left out, or null, stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct SellerUserChange {
    #[schema(nullable = false, max_length = 120, example = "Ana Souza")]
    pub name: Option<String>,
    #[schema(nullable = false, max_length = 254, example = "ana@padaria.example")]
    pub email: Option<String>,
    #[schema(
        nullable = false,
        min_length = 8,
        max_length = 128,
        example = "uma-senha-longa"
    )]
    pub password: Option<String>,
    #[schema(nullable = false, example = "529.982.247-25")]
    pub document: Option<String>,
    pub active: Option<bool>,
    /// Without `businesses_ids` that in the company that the request is about.
    #[schema(nullable = false, example = 7)]
    pub role_id: Option<i16>,
    /// All that the person shall have, among those where whoever asks may give something.
    #[schema(nullable = false, example = json!(["biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]))]
    pub businesses_ids: Option<Vec<String>>,
}

/// What is left out, or null, stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct StaffSellerUserChange {
    #[schema(nullable = false, max_length = 120, example = "Ana Souza")]
    pub name: Option<String>,
    #[schema(nullable = false, max_length = 254, example = "ana@padaria.example")]
    pub email: Option<String>,
    #[schema(
        nullable = false,
        min_length = 8,
        max_length = 128,
        example = "uma-senha-longa"
    )]
    pub password: Option<String>,
    #[schema(nullable = false, example = "529.982.247-25")]
    pub document: Option<String>,
    pub active: Option<bool>,
}

/// A form that was read: the password is still to be hashed.
pub struct ValidNewSellerUser {
    pub name: String,
    pub email: String,
    pub password: String,
    pub document: String,
    pub active: bool,
    pub role: SellerRole,
    pub companies: BTreeSet<BusinessId>,
}

/// What was read of a change: the password is still to be hashed.
pub struct ValidSellerUserChange {
    pub change: PersonChange,
    pub password: Option<String>,
    pub access_request: AccessRequest,
}

impl NewSellerUser {
    pub fn read(self) -> Result<ValidNewSellerUser> {
        let mut errors = QueryReader::empty();
        let name = errors.validated("name", fields::name(&self.name.unwrap_or_default()));
        let email = errors.validated("email", fields::email(&self.email.unwrap_or_default()));
        let password = self.password.unwrap_or_default();
        errors.validated("password", fields::password(&password));
        let document = errors.validated("document", fields::cpf(&self.document.unwrap_or_default()));
        let role = self.role_id.and_then(SellerRole::from_id);
        if role.is_none() {
            errors.error("role_id", fields::GROUP_MISSING);
        }
        let companies = companies(&mut errors, &self.businesses_ids.unwrap_or_default());
        if companies.as_ref().is_some_and(BTreeSet::is_empty) {
            errors.error("businesses_ids", fields::COMPANY_MISSING);
        }
        errors.finish()?;
        let (Some(name), Some(email), Some(document), Some(role), Some(companies)) =
            (name, email, document, role, companies)
        else {
            return Err(Problem::internal("a field was neither read nor refused"));
        };
        Ok(ValidNewSellerUser {
            name,
            email,
            password,
            document,
            active: self.active.unwrap_or(true),
            role,
            companies,
        })
    }
}

impl SellerUserChange {
    pub fn read(self) -> Result<ValidSellerUserChange> {
        let mut errors = QueryReader::empty();
        let change = PersonChange {
            name: self
                .name
                .and_then(|text| errors.validated("name", fields::name(&text))),
            email: self
                .email
                .and_then(|text| errors.validated("email", fields::email(&text))),
            document: self
                .document
                .and_then(|text| errors.validated("document", fields::cpf(&text))),
            active: self.active,
            password_hash: None,
        };
        if let Some(password) = &self.password {
            errors.validated("password", fields::password(password));
        }
        let role = self.role_id.and_then(SellerRole::from_id);
        if self.role_id.is_some() && role.is_none() {
            errors.error("role_id", fields::GROUP_MISSING);
        }
        let companies = self
            .businesses_ids
            .and_then(|listed| companies(&mut errors, &listed));
        errors.finish()?;
        Ok(ValidSellerUserChange {
            change,
            password: self.password,
            access_request: AccessRequest { role, companies },
        })
    }
}

impl StaffSellerUserChange {
    /// As the sellers' own form, without the companies.
    pub fn read(self) -> Result<ValidSellerUserChange> {
        let form = SellerUserChange {
            name: self.name,
            email: self.email,
            password: self.password,
            document: self.document,
            active: self.active,
            role_id: None,
            businesses_ids: None,
        };
        form.read()
    }
}

/// What is no id is no company where anybody may give anything.
fn companies(errors: &mut QueryReader, listed: &[String]) -> Option<BTreeSet<BusinessId>> {
    let companies: Option<BTreeSet<BusinessId>> = listed.iter().map(|text| text.parse().ok()).collect();
    if companies.is_none() {
        errors.error("businesses_ids", GROUP_NOT_THEIRS);
    }
    companies
}
