//! Adds a company with its address, and with its bank account and its plans if they are given.

use chrono::{DateTime, Utc};
use ledger_domain::documents::Document;
use ledger_domain::sale::Solution;
use ledger_domain::transfer::BankAccount;
use ledger_domain::{BusinessId, PlanId};
use ledger_rows::{FromRow, fetch_opt, params, row};
use serde_json::json;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::addresses::{Address, address_put};
use super::approval::Approval;
use super::bank_accounts::add_bank_account;
use super::edit::{Editor, receiving_plan_active};
use super::records::{CompanyProfile, NewBusiness, business_create, company_with_document_exists};
use super::refusal::{CompanyRefusal, Result};
use crate::plans::{PlanRecord, assignment_add, plan_fetch, solution_plans_lock};
use crate::validity::{Since, set_business_now};

#[derive(Debug, Clone)]
pub struct NewCompany {
    pub document: Document,
    pub name: String,
    pub statement_descriptor: Option<String>,
    /// Without it, the company gets the default receiving plan.
    pub receiving_plan_id: Option<Uuid>,
    pub profile: CompanyProfile,
    pub address: Address,
    /// The destination of withdrawals. Can be added later.
    pub bank_account: Option<BankAccount>,
    /// A solution without one has the default plan.
    pub plans: Vec<(Solution, PlanId)>,
}

/// Adds a company, which is pending until staff decide on it. The owners get no e-mail about the bank account: it
/// replaces no other one.
pub async fn create(client: &impl GenericClient, editor: Editor<'_>, new: NewCompany) -> Result<BusinessId> {
    if company_with_document_exists(client, new.document.unmasked()).await? {
        return Err(known(&new.document).into());
    }
    let id = BusinessId::from_uuid(editor.ids.new_uuid());
    let business = NewBusiness {
        id,
        name: new.name,
        document: new.document,
        statement_descriptor: new.statement_descriptor,
        receiving_plan_id: receiving_plan(client, new.receiving_plan_id).await?,
        profile: new.profile,
        created_at: Since::At(editor.now()),
    };
    // Another request may have added the document since the check.
    let created = business_create(client, &business).await;
    created.map_err(|error| match error.code() {
        Some(&SqlState::UNIQUE_VIOLATION) => known(&business.document).into(),
        _ => super::CompanyError::from(error),
    })?;
    let after = json!({
        "name": business.name, "document": business.document.unmasked(), "approval": Approval::Pending,
        "statement_descriptor": business.statement_descriptor, "receiving_plan_id": business.receiving_plan_id,
        "version": 1,
    });
    editor.record(client, id, "create", None, Some(after)).await?;
    address_put(client, id, editor.ids.new_uuid(), &new.address).await?;
    let address = Some(new.address.as_json());
    editor.record(client, id, "add-address", None, address).await?;
    if let Some(account) = &new.bank_account {
        add_bank_account(client, editor, id, account).await?;
    }
    assign_plans(client, editor, id, &new.plans).await?;
    Ok(id)
}

fn known(document: &Document) -> CompanyRefusal {
    CompanyRefusal::DocumentKnown(match document {
        Document::Cpf(_) => "CPF",
        Document::Cnpj(_) => "CNPJ",
    })
}

async fn receiving_plan(client: &impl GenericClient, chosen: Option<Uuid>) -> Result<Uuid> {
    match chosen {
        Some(plan) if receiving_plan_active(client, plan).await? => Ok(plan),
        Some(_) => Err(CompanyRefusal::ReceivingPlanInactive.into()),
        None => {
            let default = receiving_plan_default(client).await?;
            Ok(default.ok_or(CompanyRefusal::ReceivingPlanMissing)?)
        }
    }
}

row! {
    struct DefaultPlan {
        id: Uuid,
    }
}

/// The receiving plan that a new company gets.
async fn receiving_plan_default(client: &impl GenericClient) -> Result<Option<Uuid>, Error> {
    let sql = format!(
        "SELECT {} FROM receiving_plan WHERE is_default",
        DefaultPlan::COLUMNS
    );
    let default: Option<DefaultPlan> = fetch_opt(client, &sql, params![]).await?;
    Ok(default.map(|plan| plan.id))
}

async fn assign_plans(
    client: &impl GenericClient,
    editor: Editor<'_>,
    company: BusinessId,
    plans: &[(Solution, PlanId)],
) -> Result<()> {
    if !plans.is_empty() {
        // Other changes that take several of these locks take them in this order. So two changes cannot deadlock.
        for solution in Solution::ALL {
            solution_plans_lock(client, *solution).await?;
        }
    }
    let now = editor.now();
    let since = set_business_now(client, now).await?;
    for (solution, plan) in plans {
        check_plan(client, *solution, *plan, now).await?;
        assignment_add(client, company, *solution, Some(*plan), since).await?;
        let after = json!({ "solution": solution.number(), "plan_id": plan.to_string() });
        editor
            .record(client, company, "assign-plan", None, Some(after))
            .await?;
    }
    Ok(())
}

/// The plan must be active, for the solution, and have a version in force. Without one the company could not sell,
/// because an assigned plan hides the solution's default plan.
async fn check_plan(
    client: &impl GenericClient,
    solution: Solution,
    plan: PlanId,
    now: DateTime<Utc>,
) -> Result<()> {
    let plan = plan_fetch(client, plan, now).await?;
    let usable = |plan: &PlanRecord| plan.active && plan.solution == solution && plan.current.is_some();
    match plan.filter(usable) {
        Some(_) => Ok(()),
        None => Err(CompanyRefusal::PlanUnusable.into()),
    }
}
