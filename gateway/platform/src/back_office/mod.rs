//! The records that staff maintain (companies, plans, terminals, holidays), and the reference data that a decision on a
//! sale needs.
//!
//! They are plain tables with guards (migration 0003), not events: the ledger copies the data that each decision uses.

mod bank_accounts;
mod banks;
mod billing;
mod bounded;
mod companies;
mod contexts;
mod directory;
mod history;
mod plans;
mod records;
mod reference_data;
mod tenants;
mod terminals;
mod withdrawing;

pub use bank_accounts::{NewBankAccount, bank_account_create};
pub use banks::bank_name;
pub use billing::{
    Billing, OwedRental, month_charge, months_charged, rentals_owed, rented_since, terminal_bill,
};
pub use companies::{NamedCompany, companies_named};
pub use contexts::SaleContexts;
pub use directory::{
    CompanyReceivingPlan, CompanyRecord, FoundCompany, NewCompany, companies_active, companies_newest,
    companies_search, company_fetch, folded,
};
pub use plans::{holiday_names, plan_terms};
pub use records::{
    NewBusiness, NewPlan, NewReceivingPlan, NewTerminal, Since, assignment_add, business_create,
    default_plan_set, holiday_add, installing, plan_create, plan_version_add, receiving_plan_create,
    terminal_assign, terminal_create,
};
pub use tenants::{Tenant, tenant_locked, tenant_of, tenant_put, tenant_remove, tenants_all};
pub use terminals::{KnownTerminal, Terminals};
pub use withdrawing::{Withdrawing, withdrawing_fetch};
