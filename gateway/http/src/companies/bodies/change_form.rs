//! The form that changes a company.

use chrono::NaiveDate;
use gateway_platform::companies::{Approval, CompanyFields, CompanyProfile};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::forms::FormPart;
use crate::edge::FormErrors;
use crate::problem::Result;

/// Fields that are left out do not change. An empty text clears an optional field.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct BusinessChange {
    /// The company's version when it was read. A 409 says what was changed since.
    #[schema(required = true, nullable = false, example = 1)]
    pub version: Option<i32>,
    #[schema(nullable = false, max_length = 120, example = "Padaria Souza Ltda")]
    pub name: Option<String>,
    /// Up to 22 letters, digits and spaces, with at least one letter.
    #[schema(nullable = false, max_length = 22, example = "PADARIA SOUZA")]
    pub statement_descriptor: Option<String>,
    /// enabled, denied or deleted. `enabled` releases the sales that were held while the company was not approved.
    #[schema(nullable = false, example = "enabled")]
    pub approval: Option<String>,
    #[schema(nullable = false)]
    pub receiving_plan_id: Option<Uuid>,
    #[serde(flatten)]
    pub profile: ProfileForm,
}

#[derive(Debug, Default, Clone, Deserialize, ToSchema)]
pub struct ProfileForm {
    #[schema(nullable = false, max_length = 120, example = "Padaria da Ana")]
    pub trade_name: Option<String>,
    #[schema(nullable = false, max_length = 254, example = "contato@padaria.example")]
    pub email: Option<String>,
    /// With area code.
    #[schema(nullable = false, example = "(11) 3333-4444")]
    pub phone: Option<String>,
    /// Merchant category code (ISO 18245).
    #[schema(nullable = false, example = "5462")]
    pub mcc: Option<String>,
    /// The legal representative of a company with a CNPJ.
    #[schema(nullable = false, max_length = 120, example = "Ana Souza")]
    pub representative_name: Option<String>,
    /// The representative's CPF.
    #[schema(nullable = false, example = "529.982.247-25")]
    pub representative_document: Option<String>,
    /// A natural person's date of birth.
    #[schema(nullable = false, example = "1990-05-20")]
    pub birth_date: Option<String>,
}

impl BusinessChange {
    /// The company's fields after the change.
    pub fn read(&self, before: &CompanyFields, is_person: bool, today: NaiveDate) -> Result<CompanyFields> {
        let mut errors = FormErrors::default();
        if self.version.is_none() {
            errors.add("version", "Informe a versão lida do cadastro.");
        }
        let mut part = FormPart {
            errors: &mut errors,
            prefix: "",
        };
        let mut after = before.clone();
        if self.name.is_some() {
            after.name = part.name("name", self.name.as_ref());
        }
        if self.statement_descriptor.is_some() {
            let descriptor = self.statement_descriptor.as_ref();
            after.statement_descriptor = part.statement_descriptor("statement_descriptor", descriptor);
        }
        if let Some(approval) = &self.approval {
            after.approval = read_approval(&mut part, approval, before.approval);
        }
        if let Some(plan) = self.receiving_plan_id {
            after.receiving_plan_id = plan;
        }
        self.profile
            .apply(&mut part, &mut after.profile, is_person, today);
        errors.finish()?;
        Ok(after)
    }
}

/// A company on which staff have decided cannot become pending again.
fn read_approval(part: &mut FormPart<'_>, text: &str, before: Approval) -> Approval {
    let approval = Approval::parse(text);
    match approval {
        Some(approval) if approval != Approval::Pending || approval == before => approval,
        _ => {
            part.error("approval", "Escolha Aprovado, Negado ou Deletado.");
            before
        }
    }
}

impl ProfileForm {
    /// Changes the given fields of the profile.
    pub fn apply(
        &self,
        part: &mut FormPart<'_>,
        profile: &mut CompanyProfile,
        is_person: bool,
        today: NaiveDate,
    ) {
        if self.trade_name.is_some() {
            profile.trade_name = part.optional_text("trade_name", self.trade_name.as_ref());
        }
        if self.email.is_some() {
            profile.email = part.email("email", self.email.as_ref());
        }
        if self.phone.is_some() {
            profile.phone = part.phone("phone", self.phone.as_ref());
        }
        if self.mcc.is_some() {
            profile.mcc = part.mcc("mcc", self.mcc.as_ref());
        }
        if self.representative_name.is_some() {
            profile.representative_name =
                part.optional_text("representative_name", self.representative_name.as_ref());
        }
        if self.representative_document.is_some() {
            let document = self.representative_document.as_ref();
            profile.representative_document = part.cpf("representative_document", document);
        }
        if self.birth_date.is_some() {
            profile.birth_date = part.birth_date("birth_date", self.birth_date.as_ref(), today);
        }
        let representative = [
            ("representative_name", profile.representative_name.is_some()),
            (
                "representative_document",
                profile.representative_document.is_some(),
            ),
        ];
        for (field, is_given) in representative {
            if is_person && is_given {
                part.error(field, "Só empresa com CNPJ tem representante legal.");
            }
        }
        if !is_person && profile.birth_date.is_some() {
            part.error("birth_date", "Só pessoa física tem data de nascimento.");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_has_no_legal_representative() {
        let form = ProfileForm {
            representative_document: Some("529.982.247-25".to_owned()),
            ..ProfileForm::default()
        };
        let errors_of = |is_person: bool| {
            let mut errors = FormErrors::default();
            let mut part = FormPart {
                errors: &mut errors,
                prefix: "",
            };
            let (mut profile, today) = (CompanyProfile::default(), NaiveDate::default());
            form.apply(&mut part, &mut profile, is_person, today);
            errors
        };
        let errors = errors_of(true);
        assert!(errors.has("representative_document") && !errors.has("representative_name"));
        assert!(errors_of(false).is_empty());
    }
}
