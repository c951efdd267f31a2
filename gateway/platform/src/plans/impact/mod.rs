//! The impact of a plan's change before it is saved: the fees that last month's sales or withdrawals of the affected
//! companies would have had.
//!
//! An impact is a row of `plan_impact`. `job` works on it in pages, and each page moves the row's cursor. So any number
//! of processes may run the job, and none counts a sale twice.

mod companies;
mod job;
mod page;
mod totals;
mod what_if;

use chrono::Datelike;
use ledger_domain::calendar::{Date, Instant, start_of};
use ledger_domain::fees::PlanTerms;
use ledger_domain::ids::UserId;
use ledger_domain::sale::Solution;
use ledger_domain::{Cents, PlanId};
use ledger_rows::{FromRow, execute, fetch_opt, params, row};
use serde::{Deserialize, Serialize};
use tokio_postgres::types::Json;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::form::ValidPlanForm;
use super::{PlanRecord, default_plan_of, plan_fetch};

pub use job::{Impacts, ROWS_PER_PAGE};
pub use totals::{FeeSums, ImpactTotals};
pub use what_if::{WhatIf, what_if};

/// The change whose impact is computed, with the terms before and after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    Sales(Box<SalesQuestion>),
    Withdrawals(WithdrawalsQuestion),
}

/// A change of a sales plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SalesQuestion {
    pub solution: Solution,
    /// The plan that changes. `None` if it is not saved yet: no company has it as its own.
    pub plan: Option<PlanId>,
    pub proposed: PlanTerms,
    /// The terms in force of the companies that have the plan as their own.
    pub own: Option<PlanTerms>,
    /// Whether the change touches the companies without a plan of their own: the plan is the default or becomes it.
    pub touches_default: bool,
    /// The terms in force of the default. `None` if the solution has no default, or none is in force.
    pub default: Option<PlanTerms>,
}

/// A change of a receiving plan. A new default touches no company: each company has its own receiving plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WithdrawalsQuestion {
    pub plan: Uuid,
    pub proposed: Cents,
    pub current: Cents,
}

ledger_domain::words! {
    /// failed: see `failure`.
    pub enum ImpactStatus {
        Running = "running",
        Done = "done",
        Failed = "failed",
    }
}

ledger_domain::words! {
    /// replaced: the user has asked for another impact. interrupted: it could not be computed.
    pub enum ImpactFailureReason {
        Replaced = "replaced",
        /// The same page failed again and again, or the row could not be read. The program's log has the reason.
        Interrupted = "interrupted",
    }
}

ledger_domain::words! {
    pub enum ImpactKind {
        Sales = "sales",
        Withdrawals = "withdrawals",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Impact {
    pub id: Uuid,
    pub kind: ImpactKind,
    /// The first day of the month.
    pub month: Date,
    pub status: ImpactStatus,
    /// Only if it failed.
    pub failure: Option<ImpactFailureReason>,
    /// `None` until the first page.
    pub companies_total: Option<u64>,
    pub companies_done: u64,
    pub totals: ImpactTotals,
    /// Whether it is running and no process has worked on it for a minute.
    pub stalled: bool,
}

impl Question {
    const fn kind(&self) -> ImpactKind {
        match self {
            Self::Sales(_) => ImpactKind::Sales,
            Self::Withdrawals(_) => ImpactKind::Withdrawals,
        }
    }

    fn plan(&self) -> Option<Uuid> {
        match self {
            Self::Sales(question) => question.plan.map(PlanId::uuid),
            Self::Withdrawals(question) => Some(question.plan),
        }
    }
}

/// The question of a change of a sales plan. `plan` is the plan before it; `None` if it is not saved yet.
pub async fn sales_question(
    client: &impl GenericClient,
    change: ValidPlanForm,
    plan: Option<&PlanRecord>,
    now: Instant,
) -> Result<Question, Error> {
    let in_force = |plan: &PlanRecord| plan.current.as_ref().map(|version| version.terms.clone());
    let own = plan.and_then(in_force);
    // A change without fees does not start the scheduled fees early, so the terms in force stay.
    let proposed = match &own {
        Some(own) if !change.gives_terms => own.clone(),
        _ => change.terms,
    };
    let default: Option<PlanTerms> = match default_plan_of(client, change.solution).await? {
        Some((default, _)) => plan_fetch(client, default, now)
            .await?
            .as_ref()
            .and_then(in_force),
        None => None,
    };
    Ok(Question::Sales(Box::new(SalesQuestion {
        solution: change.solution,
        plan: plan.map(|plan| plan.id),
        proposed,
        own,
        touches_default: change.default,
        default,
    })))
}

/// The first day of the month before the one of this business date.
pub fn month_before(today: Date) -> Date {
    let first = today.with_day(1).unwrap_or(today);
    let last = first.pred_opt().unwrap_or(first);
    last.with_day(1).unwrap_or(last)
}

/// The month's first instant, and the next month's.
pub fn month_bounds(month: Date) -> (Instant, Instant) {
    let next = month.checked_add_months(chrono::Months::new(1)).unwrap_or(month);
    (start_of(month), start_of(next))
}

/// Requests an impact. Impacts that are older than a day are deleted: an impact is read while its form is open. A
/// running impact of the same user fails as replaced.
pub async fn impact_request(
    client: &impl GenericClient,
    id: Uuid,
    by: UserId,
    month: Date,
    question: &Question,
) -> Result<(), Error> {
    let delete_old = "DELETE FROM plan_impact WHERE created_at < now() - interval '1 day'";
    execute(client, delete_old, params![]).await?;
    let replace = "UPDATE plan_impact SET status = 'failed', failure = 'replaced', leased_until = NULL
                    WHERE requested_by = $1 AND status = 'running'";
    execute(client, replace, params![by]).await?;
    let insert = "INSERT INTO plan_impact (id, kind, plan_id, requested_by, month, question, totals)
                  VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let (kind, plan) = (question.kind(), question.plan());
    let (question, totals) = (Json(question), Json(ImpactTotals::default()));
    execute(
        client,
        insert,
        params![id, kind, plan, by, month, question, totals],
    )
    .await
    .map(drop)
}

row! {
    impl FromRow for Impact {
        id: Uuid,
        kind: ImpactKind,
        month: Date,
        status: ImpactStatus,
        failure: Option<ImpactFailureReason>,
        companies_total: Option<u64>,
        companies_done: u64,
        totals: Json<ImpactTotals>,
        stalled: bool = "status = 'running' AND worked_at < clock_timestamp() - interval '1 minute'",
    } => Self {
        id,
        kind,
        month,
        status,
        failure,
        companies_total,
        companies_done,
        totals: totals.0,
        stalled,
    }
}

pub async fn impact_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<Impact>, Error> {
    let sql = format!("SELECT {} FROM plan_impact WHERE id = $1", Impact::COLUMNS);
    fetch_opt(client, &sql, params![id]).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    #[test]
    fn the_month_before_is_a_calendar_month() {
        assert_eq!(month_before(date("2026-11-30")), date("2026-10-01"));
        assert_eq!(month_before(date("2027-01-01")), date("2026-12-01"));
        assert_eq!(month_before(date("2028-03-31")), date("2028-02-01"));
    }

    #[test]
    fn a_month_begins_and_ends_at_midnight_in_brasilia() {
        let (from, until) = month_bounds(date("2026-10-01"));
        assert_eq!(from.to_rfc3339(), "2026-10-01T03:00:00+00:00");
        assert_eq!(until.to_rfc3339(), "2026-11-01T03:00:00+00:00");
    }
}
