//! The job that computes impacts, page by page.
//!
//! A page is claimed before it is computed, with a lease: if the process dies, another one claims the page when the
//! lease has ended. The page's sums are written only if the cursor is still where the claim found it. A page that
//! begins too often without an end fails its impact, and so does a row that cannot be read.

use deadpool_postgres::Pool;
use ledger_domain::BusinessId;
use ledger_domain::calendar::{Date, Instant};
use ledger_rows::{FromRow, execute, fetch_opt, params, row, value};
use projections::repricing::{Period, RepricingCursor, charged_sales, charged_withdrawals};
use serde_json::Value;
use thiserror::Error;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::companies::{self, AffectedCompany, FirstCompany};
use super::page::Page;
use super::{ImpactTotals, Question, month_bounds};

/// The condition of impacts that no process works on.
const CAN_BE_CLAIMED: &str =
    "status = 'running' AND (leased_until IS NULL OR leased_until < clock_timestamp())";
/// Both limits bound the memory of a page.
const COMPANIES_PER_PAGE: i64 = 100;
pub const ROWS_PER_PAGE: i64 = 1_000;
const LEASE_SECONDS: i64 = 30;
/// How often the same page is begun before its impact fails.
const TRIES_MAX: i32 = 5;
const TABLE: &str = "plan_impact";

#[derive(Debug, Error)]
pub enum ImpactError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error("the sales or withdrawals could not be read: {0}")]
    Rows(#[from] projections::Error),
}

#[derive(Clone)]
pub struct Impacts {
    pub pool: Pool,
    pub rows_per_page: i64,
}

enum Claim {
    Page(Box<ClaimedImpact>),
    /// The page was begun too often.
    Exhausted(Uuid),
    /// This version of the program cannot read the column, and a repetition reads the same.
    Unreadable {
        id: Uuid,
        column: &'static str,
    },
}

/// An impact as it was claimed.
struct ClaimedImpact {
    id: Uuid,
    question: Question,
    period: (Instant, Instant),
    companies_total: Option<i64>,
    cursor: Option<ImpactCursor>,
    totals: ImpactTotals,
}

/// The end of the last page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ImpactCursor {
    business_id: BusinessId,
    /// The last row. `None` if the company is finished.
    row: Option<(Instant, Uuid)>,
}

/// The result of a page.
struct ImpactPage {
    cursor: Option<ImpactCursor>,
    /// The companies that this page finished.
    companies: i64,
    totals: ImpactTotals,
    is_last: bool,
}

impl Impacts {
    pub const fn new(pool: Pool) -> Self {
        Self {
            pool,
            rows_per_page: ROWS_PER_PAGE,
        }
    }

    /// Computes until no impact is left that can be claimed.
    pub async fn run(&self) -> Result<(), ImpactError> {
        while self.run_page().await? {}
        Ok(())
    }

    /// Computes the next page of the impact that has waited longest. Returns false if none can be claimed.
    pub async fn run_page(&self) -> Result<bool, ImpactError> {
        let db = self.pool.get().await?;
        if !any_can_be_claimed(&**db).await? {
            return Ok(false);
        }
        let claimed = match claim(&**db).await? {
            None => return Ok(false),
            Some(Claim::Page(claimed)) => claimed,
            Some(Claim::Exhausted(id)) => {
                fail(&**db, id).await?;
                tracing::error!(code = "plan_impact_interrupted", %id, "a plan's impact could not be computed");
                return Ok(true);
            }
            Some(Claim::Unreadable { id, column }) => {
                fail_unreadable(&**db, id).await?;
                tracing::error!(code = "row_unreadable", table = TABLE, %id, column, "a plan's impact can't be read");
                metrics::counter!("razao_rows_unreadable_total", "table" => TABLE).increment(1);
                return Ok(true);
            }
        };
        if claimed.companies_total.is_none() {
            let total = companies::count(&**db, &claimed.question).await?;
            set_companies_total(&**db, claimed.id, total).await?;
        }
        let finished = self.compute(&**db, &claimed).await?;
        write(&**db, &claimed, &finished).await?;
        Ok(true)
    }

    async fn compute(
        &self,
        client: &impl GenericClient,
        claimed: &ClaimedImpact,
    ) -> Result<ImpactPage, ImpactError> {
        let from = match claimed.cursor {
            None => FirstCompany::Start,
            Some(ImpactCursor {
                business_id,
                row: Some(_),
            }) => FirstCompany::At(business_id),
            Some(ImpactCursor {
                business_id,
                row: None,
            }) => FirstCompany::After(business_id),
        };
        let touched = companies::page(client, &claimed.question, from, COMPANIES_PER_PAGE).await?;
        let mut page = Page {
            totals: claimed.totals,
            last: claimed.cursor.and_then(ImpactCursor::repricing_cursor),
            rows: 0,
        };
        let ids: Vec<_> = touched.iter().map(|company| company.id).collect();
        let (from, until) = claimed.period;
        let period = Period {
            companies: &ids,
            from,
            until,
        };
        if !ids.is_empty() {
            self.add_rows(client, &claimed.question, period, &touched, &mut page)
                .await?;
        }
        let is_full = page.rows == self.rows_per_page;
        let cursor = match (page.last.filter(|_| is_full), touched.last()) {
            (Some(last), _) => Some(ImpactCursor {
                business_id: last.business_id,
                row: Some((last.at, last.id)),
            }),
            (None, Some(company)) => Some(ImpactCursor {
                business_id: company.id,
                row: None,
            }),
            (None, None) => claimed.cursor,
        };
        let finished = touched
            .iter()
            .filter(|company| !is_full || cursor.is_some_and(|at| company.id < at.business_id));
        Ok(ImpactPage {
            cursor,
            companies: i64::try_from(finished.count()).unwrap_or(i64::MAX),
            totals: page.totals,
            is_last: !is_full && i64::try_from(touched.len()).is_ok_and(|count| count < COMPANIES_PER_PAGE),
        })
    }

    async fn add_rows(
        &self,
        client: &impl GenericClient,
        question: &Question,
        period: Period<'_>,
        touched: &[AffectedCompany],
        page: &mut Page,
    ) -> Result<(), ImpactError> {
        match question {
            Question::Sales(question) => {
                let sales =
                    charged_sales(client, period, question.solution, page.last, self.rows_per_page).await?;
                for sale in &sales {
                    let company = sale.cursor.business_id;
                    let at = touched.binary_search_by_key(&company, |touched| touched.id);
                    let is_own = at.is_ok_and(|at| touched[at].own);
                    let current = if is_own { &question.own } else { &question.default };
                    page.add_sale(current.as_ref(), &question.proposed, sale);
                }
            }
            Question::Withdrawals(question) => {
                let withdrawals = charged_withdrawals(client, period, page.last, self.rows_per_page).await?;
                withdrawals
                    .iter()
                    .for_each(|withdrawal| page.add_withdrawal(question, withdrawal));
            }
        }
        Ok(())
    }
}

impl ImpactCursor {
    fn repricing_cursor(self) -> Option<RepricingCursor> {
        self.row.map(|(at, id)| RepricingCursor {
            business_id: self.business_id,
            at,
            id,
        })
    }
}

/// Reads before the claim writes: the job runs every second, and mostly nothing waits.
async fn any_can_be_claimed(client: &impl GenericClient) -> Result<bool, tokio_postgres::Error> {
    let sql = format!("SELECT EXISTS (SELECT FROM plan_impact WHERE {CAN_BE_CLAIMED})");
    value(client, &sql, params![]).await
}

row! {
    struct ClaimedRow {
        id: Uuid,
        question: Value,
        month: Date,
        companies_total: Option<i64>,
        after_business: Option<BusinessId>,
        after_instant: Option<Instant>,
        after_id: Option<Uuid>,
        totals: Value,
        tries: i32,
    }
}

async fn claim(client: &impl GenericClient) -> Result<Option<Claim>, tokio_postgres::Error> {
    let sql = format!(
        "UPDATE plan_impact
            SET tries = tries + 1, leased_until = clock_timestamp() + make_interval(secs => $1),
                worked_at = clock_timestamp()
          WHERE id = (SELECT id FROM plan_impact
                       WHERE {CAN_BE_CLAIMED}
                       ORDER BY worked_at LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING {}",
        ClaimedRow::COLUMNS
    );
    let claimed: Option<ClaimedRow> = fetch_opt(client, &sql, params![LEASE_SECONDS]).await?;
    Ok(claimed.map(ClaimedRow::claim))
}

impl ClaimedRow {
    fn claim(self) -> Claim {
        let id = self.id;
        if self.tries > TRIES_MAX {
            return Claim::Exhausted(id);
        }
        let Ok(question) = serde_json::from_value(self.question) else {
            let column = "question";
            return Claim::Unreadable { id, column };
        };
        let Ok(totals) = serde_json::from_value(self.totals) else {
            let column = "totals";
            return Claim::Unreadable { id, column };
        };
        let row = self.after_instant.zip(self.after_id);
        Claim::Page(Box::new(ClaimedImpact {
            id,
            question,
            period: month_bounds(self.month),
            companies_total: self.companies_total,
            cursor: self
                .after_business
                .map(|business_id| ImpactCursor { business_id, row }),
            totals,
        }))
    }
}

async fn set_companies_total(
    client: &impl GenericClient,
    id: Uuid,
    total: i64,
) -> Result<(), tokio_postgres::Error> {
    let sql = "UPDATE plan_impact SET companies_total = $2 WHERE id = $1";
    execute(client, sql, params![id, total]).await.map(drop)
}

/// Writes nothing if another process has finished the page, or if the impact was replaced.
async fn write(
    client: &impl GenericClient,
    claimed: &ClaimedImpact,
    finished: &ImpactPage,
) -> Result<(), tokio_postgres::Error> {
    let parts = |cursor: Option<ImpactCursor>| {
        let row = cursor.and_then(|cursor| cursor.row);
        (
            cursor.map(|cursor| cursor.business_id),
            row.map(|(at, _)| at),
            row.map(|(_, id)| id),
        )
    };
    let (old_business, _, old_id) = parts(claimed.cursor);
    let (business, instant, id) = parts(finished.cursor);
    let sql = "UPDATE plan_impact
                  SET after_business = $2, after_instant = $3, after_id = $4, totals = $5, tries = 0,
                      leased_until = NULL, companies_done = companies_done + $6, worked_at = clock_timestamp(),
                      status = CASE WHEN $7 THEN 'done' ELSE 'running' END
                WHERE id = $1 AND status = 'running'
                  AND (after_business, after_id) IS NOT DISTINCT FROM ($8::uuid, $9::uuid)";
    let totals = Json(finished.totals);
    let parameters = params![
        claimed.id,
        business,
        instant,
        id,
        totals,
        finished.companies,
        finished.is_last,
        old_business,
        old_id,
    ];
    execute(client, sql, parameters).await.map(drop)
}

async fn fail(client: &impl GenericClient, id: Uuid) -> Result<(), tokio_postgres::Error> {
    let sql = "UPDATE plan_impact SET status = 'failed', failure = 'interrupted', leased_until = NULL
                WHERE id = $1 AND status = 'running'";
    execute(client, sql, params![id]).await.map(drop)
}

/// The sums are reset, so that the impact itself can be read.
async fn fail_unreadable(client: &impl GenericClient, id: Uuid) -> Result<(), tokio_postgres::Error> {
    let sql =
        "UPDATE plan_impact SET status = 'failed', failure = 'interrupted', leased_until = NULL, totals = $2
                WHERE id = $1 AND status = 'running'";
    let totals = Json(ImpactTotals::default());
    execute(client, sql, params![id, totals]).await.map(drop)
}
