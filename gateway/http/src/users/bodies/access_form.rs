//! The forms that grant and remove access to a company. The rules are in `gateway_identity::users::authority`.

use gateway_identity::fields;
use gateway_identity::roles::SellerRole;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::edge::FormErrors;
use crate::problem::{Problem, Result};

/// Access to a company that a seller user grants, changes or removes.
#[derive(Debug, Deserialize, ToSchema)]
pub struct AccessForm {
    /// The user who gets or loses the access.
    #[schema(
        required = true,
        nullable = false,
        example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01"
    )]
    pub seller_id: Option<String>,
    /// The company. If given, it must be the company of the path.
    #[schema(nullable = false, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: Option<String>,
    /// 2 admin, 7 operator. Ignored when the access is removed.
    #[schema(nullable = false, minimum = 1, maximum = 7, example = 7)]
    pub role_id: Option<i16>,
}

/// Access to a company that staff grant, change or remove.
#[derive(Debug, Deserialize, ToSchema)]
pub struct StaffAccessForm {
    /// The company.
    #[schema(
        required = true,
        nullable = false,
        example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"
    )]
    pub business_id: Option<String>,
    /// 1 owner, 2 admin, 7 operator. Ignored when the access is removed.
    #[schema(nullable = false, minimum = 1, maximum = 7, example = 7)]
    pub role_id: Option<i16>,
}

/// A validated form that grants access. A form that removes access has no role.
pub struct AccessGrant<Subject> {
    /// The user if a seller sends the form, because the path names the company. For staff the path names the user, and
    /// this is the company.
    pub subject: Subject,
    pub role: SellerRole,
}

impl AccessForm {
    pub fn read_grant(self, in_path: BusinessId) -> Result<AccessGrant<UserId>> {
        let mut errors = FormErrors::default();
        self.check_company(&mut errors, in_path);
        self.check_seller(&mut errors);
        let role = role(&mut errors, self.role_id);
        errors.finish()?;
        Ok(AccessGrant {
            subject: self.seller()?,
            role: role?,
        })
    }

    pub fn read_removal(self, in_path: BusinessId) -> Result<UserId> {
        let mut errors = FormErrors::default();
        self.check_company(&mut errors, in_path);
        self.check_seller(&mut errors);
        errors.finish()?;
        self.seller()
    }

    fn check_company(&self, errors: &mut FormErrors, in_path: BusinessId) {
        let other = |text: &String| text.parse() != Ok(in_path);
        if self.business_id.as_ref().is_some_and(other) {
            errors.add("business_id", "Deve ser a empresa indicada na URL.");
        }
    }

    fn check_seller(&self, errors: &mut FormErrors) {
        if self.seller_id.as_ref().is_none_or(String::is_empty) {
            errors.add("seller_id", "Informe o usuário.");
        }
    }

    /// An invalid id is a 404, like an unknown one.
    fn seller(&self) -> Result<UserId> {
        let id = self.seller_id.as_ref().and_then(|text| text.parse().ok());
        id.ok_or_else(Problem::not_found)
    }
}

impl StaffAccessForm {
    pub fn read_grant(self) -> Result<AccessGrant<BusinessId>> {
        let mut errors = FormErrors::default();
        let company = company(&mut errors, self.business_id.as_deref());
        let role = role(&mut errors, self.role_id);
        errors.finish()?;
        Ok(AccessGrant {
            subject: company?,
            role: role?,
        })
    }

    pub fn read_removal(self) -> Result<BusinessId> {
        let mut errors = FormErrors::default();
        let company = company(&mut errors, self.business_id.as_deref());
        errors.finish()?;
        company
    }
}

fn company(errors: &mut FormErrors, text: Option<&str>) -> Result<BusinessId> {
    let text = text.unwrap_or_default();
    let message = if text.is_empty() {
        "Informe a empresa."
    } else {
        "Empresa não encontrada."
    };
    text.parse().map_err(|_| {
        errors.add("business_id", message);
        Problem::field("business_id", message)
    })
}

fn role(errors: &mut FormErrors, number: Option<i16>) -> Result<SellerRole> {
    number.and_then(SellerRole::from_id).ok_or_else(|| {
        errors.add("role_id", fields::GROUP_MISSING);
        Problem::field("role_id", fields::GROUP_MISSING)
    })
}
