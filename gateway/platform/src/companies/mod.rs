//! Companies, their addresses, bank accounts and documents; banks and postal codes.

mod addresses;
mod approval;
mod bank_accounts;
mod banks;
mod change;
mod destination;
mod documents;
mod list;
mod names;
mod postal_codes;
mod queries;
mod records;
mod related;
mod withdrawal;

pub use addresses::{Address, address_locked, address_put, addresses_of};
pub use approval::{Approval, companies_approved};
pub use bank_accounts::{
    BankAccountRecord, NewBankAccount, bank_account_create, bank_account_remove, bank_account_set_default,
    bank_accounts_of,
};
pub use banks::{Bank, bank_name, banks};
pub use change::{
    CompanyFields, LockedCompany, company_locked, company_touch, company_update,
    company_with_document_exists, receiving_plan_active, receiving_plan_default,
};
pub use destination::{destination_change_add, destination_marks};
pub use documents::{
    CompanyDocument, DOCUMENTS_BYTES_MAX, DOCUMENTS_MAX, DocumentKind, document_create, document_fetch,
    document_remove, documents_of,
};
pub use list::{CompanyCursor, CompanyFilter, CompanySort, ListedCompany, company_batch, company_list};
pub use names::{NamedCompany, companies_by_id};
pub use postal_codes::{
    POSTAL_QUESTIONS_MAX, PostalAddress, PostalAnswer, PostalCodes, postal_address_fetch, postal_address_keep,
};
pub use queries::{
    CompanyReceivingPlan, CompanyRecord, NewestCompany, active_company_count, companies_newest,
    company_fetch, search_key,
};
pub use records::{CompanyProfile, NewBusiness, NewReceivingPlan, business_create, receiving_plan_create};
pub use related::{CompanyPlan, CompanyTerminal, plan_descriptions, plans_in_force, terminals_owned};
pub use withdrawal::{WithdrawalReferenceData, withdrawal_reference_data};
