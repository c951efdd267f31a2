//! The forms that create and change seller users. Reading a form reports all invalid fields at once. The rules of
//! authority are in `users::authority`.

use std::collections::BTreeSet;

use gateway_identity::fields;
use gateway_identity::roles::SellerRole;
use gateway_identity::users::UserChange;
use gateway_identity::users::authority::AccessRequest;
use ledger_domain::BusinessId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::edge::FormErrors;
use crate::problem::{GROUP_NOT_ASSIGNABLE, Problem, Result};

// The fields are optional in Rust so that the 422 names a missing one.
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
    /// CPF, with or without punctuation.
    #[schema(required = true, nullable = false, example = "529.982.247-25")]
    pub document: Option<String>,
    /// Whether the user can sign in; the default is true.
    pub active: Option<bool>,
    /// 2 admin, 7 operator. Only staff can give 1 owner.
    #[schema(required = true, nullable = false, example = 7)]
    pub role_id: Option<i16>,
    /// The companies in which the user gets the role, at least one.
    #[schema(required = true, nullable = false, example = json!(["biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]))]
    pub businesses_ids: Option<Vec<String>>,
}

/// Fields that are left out or null do not change.
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
    /// CPF, with or without punctuation.
    #[schema(nullable = false, example = "529.982.247-25")]
    pub document: Option<String>,
    pub active: Option<bool>,
    /// The role in the companies of `businesses_ids`. Without `businesses_ids`, the role in the company of the request.
    #[schema(nullable = false, example = 7)]
    pub role_id: Option<i16>,
    /// All companies that the user has afterwards. Companies in which the caller does not manage the user do not
    /// change.
    #[schema(nullable = false, example = json!(["biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]))]
    pub businesses_ids: Option<Vec<String>>,
}

/// Fields that are left out or null do not change.
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
    /// CPF, with or without punctuation.
    #[schema(nullable = false, example = "529.982.247-25")]
    pub document: Option<String>,
    pub active: Option<bool>,
}

/// A validated form. The password is not hashed yet.
pub struct ValidNewSellerUser {
    pub name: String,
    pub email: String,
    pub password: String,
    pub document: String,
    pub active: bool,
    pub role: SellerRole,
    pub companies: BTreeSet<BusinessId>,
}

/// A validated change. The password is not hashed yet.
pub struct ValidSellerUserChange {
    pub change: UserChange,
    pub password: Option<String>,
    pub access_request: AccessRequest,
}

impl NewSellerUser {
    pub fn read(self) -> Result<ValidNewSellerUser> {
        let mut errors = FormErrors::default();
        let name = errors.validated("name", fields::name(&self.name.unwrap_or_default()));
        let email = errors.validated("email", fields::email(&self.email.unwrap_or_default()));
        let password = self.password.unwrap_or_default();
        errors.validated("password", fields::password(&password));
        let document = errors.validated("document", fields::cpf(&self.document.unwrap_or_default()));
        let role = self.role_id.and_then(SellerRole::from_id);
        if role.is_none() {
            errors.add("role_id", fields::GROUP_MISSING);
        }
        let companies = companies(&mut errors, &self.businesses_ids.unwrap_or_default());
        if companies.as_ref().is_some_and(BTreeSet::is_empty) {
            errors.add("businesses_ids", fields::COMPANY_MISSING);
        }
        errors.finish()?;
        let (Some(name), Some(email), Some(document), Some(role), Some(companies)) =
            (name, email, document, role, companies)
        else {
            return Err(Problem::internal(
                "a required field is missing, and no error was added for it",
            ));
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
        let mut errors = FormErrors::default();
        let change = UserChange {
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
            errors.add("role_id", fields::GROUP_MISSING);
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
    /// Reads the form like `SellerUserChange`, without the companies.
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

/// An invalid id gets the message for a company in which the caller may give no role.
fn companies(errors: &mut FormErrors, listed: &[String]) -> Option<BTreeSet<BusinessId>> {
    let companies: Option<BTreeSet<BusinessId>> = listed.iter().map(|text| text.parse().ok()).collect();
    if companies.is_none() {
        errors.add("businesses_ids", GROUP_NOT_ASSIGNABLE);
    }
    companies
}
