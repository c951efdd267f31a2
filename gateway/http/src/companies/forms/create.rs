//! The form that creates a company, with its seller user or for an existing one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use gateway_environment::request_context;
use gateway_platform::companies::{BusinessType, CompanyProfile, NewCompany};
use ledger_domain::PlanId;
use ledger_domain::documents::Document;
use ledger_domain::ids::UserId;
use ledger_domain::sale::Solution;
use serde::Deserialize;
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::change::descriptor;
use super::parts::{AddressForm, BankAccountForm, ProfileForm};
use crate::edge::query::text as text_schema;
use crate::shared::form::{
    Components, Declared, Field, FieldDeclaration, FieldText, FormReader, FromBody, Kind, component,
    components_of, form, optional, part, refuse_null, required, required_part, required_ruled, ruled,
    schema_of, trimmed, uuid,
};
use crate::users::fields::{cpf, email, name, password};

/// A company and its first owner. The password is not hashed yet.
pub struct NewSellerAndBusiness {
    pub owner: Owner,
    pub company: NewCompany,
}

pub enum Owner {
    Existing(UserId),
    New(NewOwner),
}

form! {
    /// A new seller user, who becomes the owner of the company.
    pub struct NewOwner {
        #[example = "Ana Souza"]
        name: String = required_ruled(name()),
        #[example = "ana@padaria.example"]
        email: String = required_ruled(email()),
        #[example = "uma-senha-longa"]
        password: String = required_ruled(password()),
        /// CPF, with or without punctuation.
        #[example = "529.982.247-25"]
        document: String = required_ruled(cpf()),
    }
}

/// The fields of a company that are not in an object of their own.
pub struct NewBusinessForm {
    document: Document,
    name: String,
    statement_descriptor: Option<String>,
    receiving_plan_id: Option<Uuid>,
    profile: CompanyProfile,
}

form! {
    impl FromBody for NewBusinessForm with form {
        /// PF or PJ.
        #[name = "type"]
        #[example = "PJ"]
        business_type: BusinessType = required(business_type(), TYPE_MISSING),
        /// The CPF of a natural person, or the CNPJ (which may have letters) of a company.
        #[example = "11.222.333/0001-81"]
        document: String = required_ruled(any_text()),
        #[example = "Padaria Souza Ltda"]
        name: String = required_ruled(name()),
        /// Up to 22 letters, digits and spaces, with at least one letter.
        #[example = "PADARIA SOUZA"]
        statement_descriptor: Option<String> = refuse_null(optional(descriptor())),
        /// If this field is left out, the company gets the default receiving plan.
        #[example = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a"]
        receiving_plan_id: Option<Uuid> = refuse_null(optional(uuid())),
        profile: ..ProfileForm,
    } => {
        let document = business_type.document(&document).map_err(|message| form.error("document", message));
        let profile = profile.0.applied_to(CompanyProfile::default());
        let today = request_context::current().clock.today();
        for (field, fault) in profile.faults(business_type, today) {
            form.error(field, fault);
        }
        Self { document: document.ok()?, name, statement_descriptor, receiving_plan_id, profile }
    }
}

form! {
    struct CompanyForm {
        business: NewBusinessForm = required_part(),
        address: AddressForm = required_part(),
        /// The destination of withdrawals. Can be added later.
        bank_account: Option<BankAccountForm> = optional(part()),
        /// The plans of the company. A solution without one has the default plan.
        plans: Option<Vec<(Solution, PlanId)>> = optional(plan_choices()),
    }
}

impl FromBody for NewSellerAndBusiness {
    fn fields() -> Vec<FieldDeclaration> {
        let seller_id = FieldText {
            name: "seller_id",
            description: &[
                "An existing seller user, who becomes an owner of the company. Without this field, `seller` is required.",
            ],
            example: None,
        };
        let seller = FieldText {
            name: "seller",
            description: &["Ignored with `seller_id`."],
            example: None,
        };
        let owner = [
            seller_id.declaring(existing()),
            seller.declaring(optional(part::<NewOwner>())),
        ];
        owner.into_iter().chain(CompanyForm::fields()).collect()
    }

    fn read(form: &mut FormReader<'_>) -> Option<Self> {
        let owner = match form.field("seller_id", &existing()) {
            Some(Some(seller)) => Some(Owner::Existing(seller)),
            Some(None) => form.field("seller", &required_part()).map(Owner::New),
            None => None,
        };
        let CompanyForm {
            business,
            address,
            bank_account,
            plans,
        } = CompanyForm::read(form)?;
        Some(Self {
            owner: owner?,
            company: NewCompany {
                document: business.document,
                name: business.name,
                statement_descriptor: business.statement_descriptor,
                receiving_plan_id: business.receiving_plan_id,
                profile: business.profile,
                address: address.address,
                bank_account: bank_account.map(|BankAccountForm(account)| account),
                plans: plans.unwrap_or_default(),
            },
        })
    }
}

impl PartialSchema for NewSellerAndBusiness {
    fn schema() -> RefOr<Schema> {
        schema_of::<Self>(&[])
    }
}

impl ToSchema for NewSellerAndBusiness {
    fn name() -> Cow<'static, str> {
        "NewSellerAndBusiness".into()
    }

    fn schemas(schemas: &mut Components) {
        schemas.extend(components_of::<Self>());
    }
}

fn existing() -> Declared<Option<UserId>> {
    optional(trimmed(
        || text_schema().into(),
        |text| text.parse().map_err(|_| "Usuário não encontrado."),
    ))
}

const TYPE_MISSING: &str = "Selecione uma opção";

fn business_type() -> Kind<BusinessType> {
    trimmed(
        || text_schema().into(),
        |text| BusinessType::parse(text).map_err(|_| TYPE_MISSING),
    )
}

/// What the text must be follows from another field.
fn any_text() -> Kind<String> {
    ruled(|| text_schema().into(), |text| Ok(text.trim().to_owned()))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct PlanChoice {
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[schema(example = 1)]
    pub solution_id: u8,
    #[schema(example = "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")]
    pub plan_id: String,
}

fn plan_choices() -> Kind<Vec<(Solution, PlanId)>> {
    let schema = |components: &mut Components| {
        let items = component::<PlanChoice>(components);
        ArrayBuilder::new().items(items).into()
    };
    Kind::new(schema, |given, field: &mut Field<'_>| {
        let Ok(choices) = serde_json::from_value::<Vec<PlanChoice>>(given) else {
            return field.wrong_type();
        };
        let mut seen = BTreeSet::new();
        let choice = |choice: PlanChoice| {
            let solution = Solution::from_number(choice.solution_id).ok()?;
            let plan = choice.plan_id.parse().ok()?;
            seen.insert(choice.solution_id).then_some((solution, plan))
        };
        let plans: Option<Vec<_>> = choices.into_iter().map(choice).collect();
        if plans.is_none() {
            field.error("Escolha um plano por solução.");
        }
        plans
    })
}
