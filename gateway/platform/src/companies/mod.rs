//! Companies, their addresses, bank accounts and documents; banks and postal codes. `create`, `edit`, `decisions`, and
//! the changes of addresses, bank accounts and documents have the rules and write the audit log, in the caller's
//! transaction.

mod addresses;
mod approval;
mod bank_accounts;
mod banks;
mod create;
mod decisions;
mod destination;
mod documents;
mod edit;
mod list;
mod names;
mod postal_codes;
mod records;
mod refusal;
mod related;
mod required_documents;
mod waiting;
mod withdrawal;

pub use addresses::{Address, addresses_of, save_address};
pub use approval::{Approval, companies_approved};
pub use bank_accounts::{
    BankAccountRecord, NewBankAccount, add_bank_account, bank_account_create, bank_accounts_of,
    choose_bank_account, remove_bank_account,
};
pub use banks::{Bank, bank_name, banks};
pub use create::{NewCompany, create};
pub use decisions::{
    BusinessDecisionStatus, Decider, DecisionRecord, PendingDecision, RequestedDecision, decide,
    decide_at_installation, decision_in_force, decision_is_pending, decision_pending, decision_to_answer,
};
pub use destination::{destination_change_add, destination_marks};
pub use documents::{
    CompanyDocument, DocumentKind, NewDocument, add_document, document_fetch, documents_of, remove_document,
};
pub use edit::{
    COMPANY, CompanyChange, Editor, ProfileChange, STATEMENT_DESCRIPTOR_CHARACTERS_MAX, lock, lock_version,
    statement_descriptor, update,
};
pub use list::{CompanyFilter, CompanySort, ListedCompany};
pub use names::{NamedCompany, companies_by_id};
pub use postal_codes::{
    POSTAL_QUESTIONS_MAX, PostalAddress, PostalAnswer, PostalCodes, postal_address_fetch, postal_address_keep,
};
pub use records::{
    BusinessType, CompanyProfile, CompanyReceivingPlan, CompanyRecord, NewBusiness, NewReceivingPlan,
    NewestCompany, active_company_count, business_create, companies_newest, company_fetch, company_locked,
    receiving_plan_create,
};
pub use refusal::{CompanyError, CompanyRefusal, field_label};
pub use related::{CompanyPlan, CompanyTerminal, plan_descriptions, plans_in_force, terminals_owned};
pub use required_documents::{DocumentKinds, documents_missing};
pub use waiting::{NotApproved, companies_not_approved};
pub use withdrawal::{WithdrawalReferenceData, withdrawal_reference_data};
