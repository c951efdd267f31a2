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
use serde::{Deserialize, Serialize};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::columns::{self, column_words};

pub use job::{ImpactJob, Impacts, ROWS_PER_PAGE};
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImpactStatus {
    Running,
    Done,
    Failed(ImpactFailure),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImpactFailure {
    /// The user has asked for another one.
    Replaced,
    /// The same page failed again and again, or the row could not be read. The program's log has the reason.
    Interrupted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImpactKind {
    Sales,
    Withdrawals,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Impact {
    pub id: Uuid,
    pub kind: ImpactKind,
    /// The first day of the month.
    pub month: Date,
    pub status: ImpactStatus,
    /// `None` until the first page.
    pub companies_total: Option<u64>,
    pub companies_done: u64,
    pub totals: ImpactTotals,
    /// Whether it is running and no process has worked on it for a minute.
    pub stalled: bool,
}

impl ImpactKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Sales => "sales",
            Self::Withdrawals => "withdrawals",
        }
    }
}

column_words! {
    ImpactKind = "kind of an impact"
        |word| [Self::Sales, Self::Withdrawals].into_iter().find(|kind| kind.as_str() == word);
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
    client.query_typed(delete_old, &[]).await?;
    client
        .query_typed(
            "UPDATE plan_impact SET status = 'failed', failure = 'replaced', leased_until = NULL
              WHERE requested_by = $1 AND status = 'running'",
            &[(&by.uuid(), Type::UUID)],
        )
        .await?;
    client
        .query_typed(
            "INSERT INTO plan_impact (id, kind, plan_id, requested_by, month, question, totals)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                (&id, Type::UUID),
                (&question.kind().as_str(), Type::TEXT),
                (&question.plan(), Type::UUID),
                (&by.uuid(), Type::UUID),
                (&month, Type::DATE),
                (&Json(question), Type::JSON),
                (&Json(ImpactTotals::default()), Type::JSON),
            ],
        )
        .await
        .map(drop)
}

pub async fn impact_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<Impact>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT id, kind, month, status, failure, companies_total, companies_done, totals,
                    status = 'running' AND worked_at < clock_timestamp() - interval '1 minute'
               FROM plan_impact WHERE id = $1",
            &[(&id, Type::UUID)],
        )
        .await?;
    row.as_ref().map(impact).transpose()
}

fn impact(row: &Row) -> Result<Impact, Error> {
    let Json(totals) = row.try_get(7)?;
    let failure: Option<&str> = row.try_get(4)?;
    Ok(Impact {
        id: row.try_get(0)?,
        kind: columns::read(row, 1)?,
        month: row.try_get(2)?,
        status: match (row.try_get::<_, &str>(3)?, failure) {
            ("done", _) => ImpactStatus::Done,
            (_, Some("replaced")) => ImpactStatus::Failed(ImpactFailure::Replaced),
            (_, Some(_)) => ImpactStatus::Failed(ImpactFailure::Interrupted),
            (_, None) => ImpactStatus::Running,
        },
        companies_total: row.try_get::<_, Option<i64>>(5)?.map(i64::unsigned_abs),
        companies_done: row.try_get::<_, i64>(6)?.unsigned_abs(),
        totals,
        stalled: row.try_get(8)?,
    })
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
