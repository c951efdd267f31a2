//! One company in full, for staff and for its own users.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_identity::users::SellerRecord;
use gateway_platform::companies::{
    Address, Approval, BankAccountRecord, CompanyPlan, CompanyRecord, CompanyTerminal, DocumentKind,
    bank_name,
};
use ledger_domain::BusinessId;
use ledger_domain::transfer::AccountType;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::decision::BusinessDecision;
use super::{BusinessReceivingPlan, BusinessTypeName};
use crate::sales::bodies::list::SaleRow;
use crate::users::bodies::seller_user::SellerRoleName;

/// A company with its plans, terminals, users and latest sales.
#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessDetail {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    /// Rises only with a change of the company's fields or addresses. A change of fields names the version that it is
    /// based on; a change of an address may.
    #[schema(example = 1)]
    pub version: i32,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ, without punctuation.
    #[schema(example = "11222333000181")]
    pub document: String,
    pub r#type: BusinessTypeName,
    /// The company's name on the buyer's card statement.
    #[schema(required = true, example = "PADARIA SOUZA")]
    pub statement_descriptor: Option<String>,
    /// pending (not decided on yet), enabled, denied or deleted.
    #[schema(value_type = String, example = "enabled")]
    pub approval: Approval,
    /// The documents that the approval asks for and that are missing: identity, address (a proof of it) or articles (of
    /// association).
    #[schema(value_type = Vec<String>, example = json!(["articles"]))]
    pub missing_documents: Vec<DocumentKind>,
    /// The decision in force. Null for a new company.
    #[schema(required = true)]
    pub decision: Option<BusinessDecision>,
    /// An approval that waits for a second person.
    #[schema(required = true)]
    pub pending_decision: Option<BusinessDecision>,
    /// The plan that sets the fee of withdrawals.
    pub receiving_plan: BusinessReceivingPlan,
    #[serde(flatten)]
    pub profile: BusinessProfile,
    pub addresses: Vec<BusinessAddress>,
    /// The default first.
    pub bank_accounts: Vec<BusinessBankAccount>,
    /// The plan in force for each solution that has one.
    pub plans: Vec<AssignedPlan>,
    /// The terminals that the company has now, 50 at most.
    pub terminals: Vec<BusinessTerminal>,
    /// The seller users with access, by name, 50 at most.
    pub users: Vec<BusinessUser>,
    /// The five latest sales.
    pub latest_sales: Vec<SaleRow>,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessProfile {
    #[schema(required = true, example = "Padaria da Ana")]
    pub trade_name: Option<String>,
    #[schema(required = true, example = "contato@padaria.example")]
    pub email: Option<String>,
    /// Digits, with the area code.
    #[schema(required = true, example = "1133334444")]
    pub phone: Option<String>,
    /// Merchant category code (ISO 18245).
    #[schema(required = true, example = "5462")]
    pub mcc: Option<String>,
    /// The legal representative of a company with a CNPJ.
    #[schema(required = true, example = "Ana Souza")]
    pub representative_name: Option<String>,
    /// The representative's CPF, without punctuation.
    #[schema(required = true, example = "52998224725")]
    pub representative_document: Option<String>,
    /// A natural person's date of birth. Null for a company with a CNPJ.
    #[schema(required = true, example = "1990-05-20")]
    pub birth_date: Option<NaiveDate>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessAddress {
    pub id: Uuid,
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: String,
    #[schema(example = "Praça da Sé")]
    pub address: String,
    #[schema(required = true, example = "100")]
    pub number: Option<String>,
    #[schema(required = true, example = "Sala 3")]
    pub complement: Option<String>,
    #[schema(required = true, example = "Ao lado do metrô")]
    pub reference: Option<String>,
    #[schema(example = "Sé")]
    pub neighborhood: String,
    #[schema(example = "São Paulo")]
    pub city: String,
    #[schema(example = "SP")]
    pub state: String,
    /// Eight digits.
    #[schema(example = "01001000")]
    pub postal_code: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessBankAccount {
    pub id: Uuid,
    /// Whether withdrawals to a bank account go here.
    pub is_default: bool,
    /// The bank's COMPE code.
    #[schema(example = "341")]
    pub bank_code: String,
    #[schema(example = "ITAÚ UNIBANCO S.A.")]
    pub bank_name: String,
    #[schema(value_type = String, example = "CHECKING")]
    pub r#type: AccountType,
    #[schema(example = "0071")]
    pub routing_number: String,
    #[schema(required = true, example = "1")]
    pub routing_digit: Option<String>,
    #[schema(example = "0012345")]
    pub account_number: String,
    #[schema(example = "6")]
    pub account_digit: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AssignedPlan {
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[schema(example = 1)]
    pub solution_id: i16,
    #[schema(example = "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")]
    pub plan_id: String,
    #[schema(example = "Padrão maquininha")]
    pub description: String,
    /// Whether it is the solution's default plan, because the company has no plan assigned.
    pub is_default: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessTerminal {
    #[schema(example = "ter_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b05")]
    pub id: String,
    #[schema(example = "PDV0050001")]
    pub serial_number: String,
    #[schema(required = true, example = "Caixa 1")]
    pub name: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessUser {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01")]
    pub id: String,
    #[schema(example = "Ana Souza")]
    pub name: String,
    #[schema(example = "ana@padaria.example")]
    pub email: String,
    pub active: bool,
    pub role: SellerRoleName,
}

/// A company for its own users. Operators get id, name, document and statement descriptor only.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    #[schema(example = "11222333000181")]
    pub document: String,
    #[schema(required = true, example = "PADARIA SOUZA")]
    pub statement_descriptor: Option<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub details: Option<OwnBusinessDetails>,
}

/// For owners and admins of the company.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnBusinessDetails {
    #[schema(example = 1)]
    pub version: i32,
    pub r#type: BusinessTypeName,
    /// pending (not decided on yet), enabled, denied or deleted.
    #[schema(value_type = String, example = "enabled")]
    pub approval: Approval,
    pub receiving_plan: BusinessReceivingPlan,
    #[serde(flatten)]
    pub profile: BusinessProfile,
    pub addresses: Vec<BusinessAddress>,
    pub bank_accounts: Vec<BusinessBankAccount>,
    pub plans: Vec<AssignedPlan>,
}

impl BusinessAddress {
    pub fn of(company: BusinessId, (id, address): (Uuid, Address)) -> Self {
        Self {
            id,
            business_id: company.to_string(),
            address: address.address,
            number: address.number,
            complement: address.complement,
            reference: address.reference,
            neighborhood: address.neighborhood,
            city: address.city,
            state: address.state,
            postal_code: address.postal_code,
        }
    }
}

impl From<BankAccountRecord> for BusinessBankAccount {
    fn from(record: BankAccountRecord) -> Self {
        let account = record.account;
        Self {
            id: record.id,
            is_default: record.is_default,
            bank_name: bank_name(&account.bank_code).to_owned(),
            bank_code: account.bank_code,
            r#type: account.account_type,
            routing_number: account.routing_number,
            routing_digit: account.routing_digit,
            account_number: account.account_number,
            account_digit: account.account_digit,
        }
    }
}

impl From<CompanyPlan> for AssignedPlan {
    fn from(plan: CompanyPlan) -> Self {
        Self {
            solution_id: plan.solution.number().into(),
            plan_id: plan.plan_id.to_string(),
            description: plan.description,
            is_default: plan.is_default,
        }
    }
}

impl From<CompanyTerminal> for BusinessTerminal {
    fn from(terminal: CompanyTerminal) -> Self {
        Self {
            id: terminal.id.to_string(),
            serial_number: terminal.serial_number,
            name: terminal.name,
        }
    }
}

impl BusinessUser {
    /// `None` if the access ended after the list of users was read and before their accesses were.
    pub fn of(company: BusinessId, user: SellerRecord) -> Option<Self> {
        let role = *user.accesses().get(&company)?;
        Some(Self {
            id: user.id.to_string(),
            name: user.name,
            email: user.email,
            active: user.active,
            role: role.into(),
        })
    }
}

impl BusinessProfile {
    pub fn of(company: &CompanyRecord) -> Self {
        let profile = company.profile.clone();
        Self {
            trade_name: profile.trade_name,
            email: profile.email,
            phone: profile.phone,
            mcc: profile.mcc,
            representative_name: profile.representative_name,
            representative_document: profile.representative_document,
            birth_date: profile.birth_date,
        }
    }
}
