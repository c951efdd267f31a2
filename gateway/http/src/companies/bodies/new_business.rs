//! The form that creates a company, with its seller user or for an existing one.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use gateway_identity::fields;
use gateway_platform::companies::{Address, CompanyProfile};
use ledger_domain::PlanId;
use ledger_domain::documents::{Cnpj, Cpf, Document};
use ledger_domain::ids::UserId;
use ledger_domain::sale::Solution;
use ledger_domain::transfer::BankAccount;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::change_form::ProfileForm;
use super::forms::{AddressForm, BankAccountForm, FormPart};
use crate::edge::FormErrors;
use crate::problem::{Problem, Result};

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct NewSellerAndBusiness {
    /// An existing seller user, who becomes an owner of the company. Without this field, `seller` is required.
    #[schema(nullable = false, example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01")]
    pub seller_id: Option<String>,
    /// Ignored with `seller_id`.
    #[schema(nullable = false)]
    pub seller: Option<NewOwner>,
    #[serde(default)]
    #[schema(required = true)]
    pub business: NewBusinessForm,
    #[serde(default)]
    #[schema(required = true)]
    pub address: AddressForm,
    /// The destination of withdrawals. Can be added later.
    #[schema(nullable = false)]
    pub bank_account: Option<BankAccountForm>,
    /// The plans of the company. A solution without one has the default plan.
    #[serde(default)]
    pub plans: Vec<PlanChoice>,
}

/// A new seller user, who becomes the owner of the company.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct NewOwner {
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
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct NewBusinessForm {
    /// PF or PJ.
    #[schema(required = true, nullable = false, example = "PJ")]
    pub r#type: Option<String>,
    /// The CPF of a natural person, or the CNPJ (which may have letters) of a company.
    #[schema(required = true, nullable = false, example = "11.222.333/0001-81")]
    pub document: Option<String>,
    #[schema(
        required = true,
        nullable = false,
        max_length = 120,
        example = "Padaria Souza Ltda"
    )]
    pub name: Option<String>,
    /// Up to 22 letters, digits and spaces, with at least one letter.
    #[schema(nullable = false, max_length = 22, example = "PADARIA SOUZA")]
    pub statement_descriptor: Option<String>,
    /// If this field is left out, the company gets the default receiving plan.
    #[schema(nullable = false)]
    pub receiving_plan_id: Option<Uuid>,
    #[serde(flatten)]
    pub profile: ProfileForm,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct PlanChoice {
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[schema(example = 1)]
    pub solution_id: u8,
    #[schema(example = "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")]
    pub plan_id: String,
}

/// A validated form. The password is not hashed yet.
pub struct ValidNewBusiness {
    pub owner: Owner,
    pub document: Document,
    pub name: String,
    pub statement_descriptor: Option<String>,
    pub receiving_plan_id: Option<Uuid>,
    pub profile: CompanyProfile,
    pub address: Address,
    pub bank_account: Option<BankAccount>,
    pub plans: Vec<(Solution, PlanId)>,
}

pub enum Owner {
    Existing(UserId),
    New {
        name: String,
        email: String,
        password: String,
        document: String,
    },
}

impl NewSellerAndBusiness {
    pub fn read(self, today: NaiveDate) -> Result<ValidNewBusiness> {
        let mut errors = FormErrors::default();
        let owner = read_owner(&mut errors, self.seller_id.as_deref(), self.seller);
        let business = self.business;
        let mut part = FormPart {
            errors: &mut errors,
            prefix: "business.",
        };
        let document = read_document(&mut part, &business);
        let name = part.name("name", business.name.as_ref());
        let descriptor = business.statement_descriptor.as_ref();
        let statement_descriptor = part.statement_descriptor("statement_descriptor", descriptor);
        let is_person = business.r#type.as_deref() == Some("PF");
        let mut profile = CompanyProfile::default();
        business.profile.apply(&mut part, &mut profile, is_person, today);
        part.prefix = "address.";
        let address = part.address(&self.address);
        part.prefix = "bank_account.";
        let bank_account = self.bank_account.map(|form| part.bank_account(&form));
        part.prefix = "";
        let plans = read_plans(&mut part, &self.plans);
        errors.finish()?;
        let (Some(owner), Some(document)) = (owner, document) else {
            return Err(Problem::internal(
                "a required field is missing, and no error was added for it",
            ));
        };
        Ok(ValidNewBusiness {
            owner,
            document,
            name,
            statement_descriptor,
            receiving_plan_id: business.receiving_plan_id,
            profile,
            address,
            bank_account,
            plans,
        })
    }
}

fn read_owner(errors: &mut FormErrors, seller_id: Option<&str>, seller: Option<NewOwner>) -> Option<Owner> {
    if let Some(text) = seller_id.filter(|text| !text.is_empty()) {
        let id = text.parse().ok();
        if id.is_none() {
            errors.add("seller_id", "Usuário não encontrado.");
        }
        return id.map(Owner::Existing);
    }
    let form = seller.unwrap_or_default();
    let name = errors.validated("seller.name", fields::name(&form.name.unwrap_or_default()));
    let email = errors.validated("seller.email", fields::email(&form.email.unwrap_or_default()));
    let password = form.password.unwrap_or_default();
    let valid = errors
        .validated("seller.password", fields::password(&password))
        .is_some();
    let document = errors.validated("seller.document", fields::cpf(&form.document.unwrap_or_default()));
    Some(Owner::New {
        name: name?,
        email: email?,
        password: valid.then_some(password)?,
        document: document?,
    })
}

fn read_document(part: &mut FormPart<'_>, form: &NewBusinessForm) -> Option<Document> {
    let text = form.document.as_deref().map(str::trim).unwrap_or_default();
    let (parsed, missing, invalid) = match form.r#type.as_deref() {
        Some("PF") => {
            let cpf = Cpf::parse(text).ok().map(Document::Cpf);
            (cpf, "CPF é requerido.", "CPF inválido.")
        }
        Some("PJ") => {
            let cnpj = Cnpj::parse(text).ok().map(Document::Cnpj);
            (cnpj, "Informe o CNPJ.", "CNPJ inválido.")
        }
        _ => {
            part.error("type", "Selecione uma opção");
            return None;
        }
    };
    if text.is_empty() {
        part.error("document", missing);
    } else if parsed.is_none() {
        part.error("document", invalid);
    }
    parsed
}

fn read_plans(part: &mut FormPart<'_>, choices: &[PlanChoice]) -> Vec<(Solution, PlanId)> {
    let mut seen = BTreeSet::new();
    let mut plans = vec![];
    for choice in choices {
        let solution = Solution::from_number(choice.solution_id);
        let plan = choice.plan_id.parse::<PlanId>();
        match (solution, plan) {
            (Ok(solution), Ok(plan)) if seen.insert(choice.solution_id) => plans.push((solution, plan)),
            _ => part.error("plans", "Escolha um plano por solução."),
        }
    }
    plans
}

/// The 422 for a document that another company has.
pub fn document_known_problem(document: &Document) -> Problem {
    let name = match document {
        Document::Cpf(_) => "CPF",
        Document::Cnpj(_) => "CNPJ",
    };
    Problem::field("business.document", &format!("Este {name} já está cadastrado."))
}
