//! Adds records of the back office: companies, plans and versions, assignments, terminals, holidays.
//!
//! The tables have the guards (migration 0003). Each function is one statement in its caller's transaction. The caller
//! also writes the audit log if a user acts.

use ledger_domain::calendar::{Date, Instant};
use ledger_domain::documents::Document;
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, Cents, PlanId, TerminalId};
use tokio_postgres::types::Json;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

/// The start of a row's validity. The tables refuse the past, except during an installation (`installing`).
#[derive(Debug, Clone, Copy)]
pub enum Since {
    Now,
    Installed(Instant),
}

impl Since {
    pub(super) const fn instant(self) -> Option<Instant> {
        match self {
            Self::Now => None,
            Self::Installed(instant) => Some(instant),
        }
    }
}

#[derive(Debug, Clone)]
pub struct NewBusiness {
    pub id: BusinessId,
    pub name: String,
    pub document: Document,
    pub statement_descriptor: Option<String>,
    pub receiving_plan_id: Uuid,
    pub created_at: Since,
}

#[derive(Debug, Clone)]
pub struct NewReceivingPlan {
    pub id: Uuid,
    pub description: String,
    pub flat_rate: Cents,
    pub is_default: bool,
}

#[derive(Debug, Clone)]
pub struct NewPlan {
    pub id: PlanId,
    pub description: String,
    pub solution: Solution,
}

#[derive(Debug, Clone)]
pub struct NewTerminal {
    pub id: TerminalId,
    pub serial_number: String,
    pub name: Option<String>,
}

/// Lets this transaction load rows that are valid since before it, as long as no sale exists.
pub async fn installing(client: &impl GenericClient) -> Result<(), Error> {
    client.batch_execute("SET LOCAL razao.installing = 'on'").await
}

pub async fn receiving_plan_create(
    client: &impl GenericClient,
    plan: &NewReceivingPlan,
) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO receiving_plan (id, description, flat_rate, is_default) VALUES ($1, $2, $3, $4)",
            &[
                &plan.id,
                &plan.description,
                &plan.flat_rate.get(),
                &plan.is_default,
            ],
        )
        .await
        .map(drop)
}

pub async fn business_create(client: &impl GenericClient, business: &NewBusiness) -> Result<(), Error> {
    let kind = match business.document {
        Document::Cpf(_) => "PF",
        Document::Cnpj(_) => "PJ",
    };
    client
        .execute(
            "INSERT INTO business (id, name, document, type, statement_descriptor, receiving_plan_id, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, now()))",
            &[
                &business.id.uuid(),
                &business.name,
                &business.document.digits(),
                &kind,
                &business.statement_descriptor,
                &business.receiving_plan_id,
                &business.created_at.instant(),
            ],
        )
        .await
        .map(drop)
}

pub async fn plan_create(client: &impl GenericClient, plan: &NewPlan) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO plan (id, description, solution) VALUES ($1, $2, $3)",
            &[
                &plan.id.uuid(),
                &plan.description,
                &i16::from(plan.solution.number()),
            ],
        )
        .await
        .map(drop)
}

/// Adds a plan version. The terms contain the plan's id and the version.
pub async fn plan_version_add(
    client: &impl GenericClient,
    terms: &PlanTerms,
    since: Since,
) -> Result<(), Error> {
    let version = i32::try_from(terms.version).unwrap_or(i32::MAX);
    client
        .execute(
            "INSERT INTO plan_version (plan_id, version, terms, valid_from)
             VALUES ($1, $2, $3, coalesce($4, transaction_timestamp()))",
            &[&terms.plan_id.uuid(), &version, &Json(terms), &since.instant()],
        )
        .await
        .map(drop)
}

pub async fn assignment_add(
    client: &impl GenericClient,
    business_id: BusinessId,
    solution: Solution,
    plan_id: PlanId,
    since: Since,
) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO plan_assignment (business_id, solution, plan_id, valid_from)
             VALUES ($1, $2, $3, coalesce($4, transaction_timestamp()))",
            &[
                &business_id.uuid(),
                &i16::from(solution.number()),
                &plan_id.uuid(),
                &since.instant(),
            ],
        )
        .await
        .map(drop)
}

pub async fn default_plan_set(
    client: &impl GenericClient,
    solution: Solution,
    plan_id: PlanId,
    since: Since,
) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO plan_default (solution, plan_id, valid_from)
             VALUES ($1, $2, coalesce($3, transaction_timestamp()))",
            &[&i16::from(solution.number()), &plan_id.uuid(), &since.instant()],
        )
        .await
        .map(drop)
}

pub async fn terminal_create(client: &impl GenericClient, terminal: &NewTerminal) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO terminal (id, serial_number, name) VALUES ($1, $2, $3)",
            &[&terminal.id.uuid(), &terminal.serial_number, &terminal.name],
        )
        .await
        .map(drop)
}

/// Assigns a terminal to a company. `None` returns it to stock.
pub async fn terminal_assign(
    client: &impl GenericClient,
    terminal_id: TerminalId,
    business_id: Option<BusinessId>,
    since: Since,
) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO terminal_owner (terminal_id, business_id, valid_from)
             VALUES ($1, $2, coalesce($3, transaction_timestamp()))",
            &[
                &terminal_id.uuid(),
                &business_id.map(BusinessId::uuid),
                &since.instant(),
            ],
        )
        .await
        .map(drop)
}

pub async fn holiday_add(client: &impl GenericClient, date: Date, name: &str) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO holiday (date, name) VALUES ($1, $2)",
            &[&date, &name],
        )
        .await
        .map(drop)
}
