//! Companies: their records, their bank accounts, and queries for staff and screens.

mod bank_accounts;
mod banks;
mod names;
mod queries;
mod records;
mod withdrawal;

pub use bank_accounts::{NewBankAccount, bank_account_create};
pub use banks::bank_name;
pub use names::{NamedCompany, companies_named};
pub use queries::{
    CompanyReceivingPlan, CompanyRecord, FoundCompany, NewCompany, companies_active, companies_newest,
    companies_search, company_fetch, folded,
};
pub use records::{NewBusiness, NewReceivingPlan, business_create, receiving_plan_create};
pub use withdrawal::{WithdrawalReferenceData, withdrawal_reference_data};
