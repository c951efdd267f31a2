//! Reads sales plans with the version in force and the scheduled one.

use ledger_domain::PlanId;
use ledger_domain::calendar::Instant;
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::Solution;
use projections::{Page, Paging, SortOrder};
use tokio_postgres::types::{Json, ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::{direction, numbered_page};
use crate::columns;
use crate::companies::search_key;

/// More companies than this are not counted.
pub const COMPANIES_COUNTED_MAX: i64 = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanRecord {
    pub id: PlanId,
    pub description: String,
    pub solution: Solution,
    pub active: bool,
    pub is_default: bool,
    /// Whether sellers may compare it with theirs.
    pub offered: bool,
    /// Counts the changes of the plan.
    pub revision: i32,
    pub created_at: Instant,
    /// The version in force. `None` until one has taken effect.
    pub current: Option<PlanVersion>,
    /// The next version, which is not in force yet.
    pub scheduled: Option<PlanVersion>,
    /// The highest version number. A withdrawn version keeps its number.
    pub last_version: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanVersion {
    pub terms: PlanTerms,
    pub valid_from: Instant,
    pub recorded_at: Instant,
    /// When staff withdrew the version, before it took effect.
    pub withdrawn_at: Option<Instant>,
}

impl PlanRecord {
    /// The scheduled version, else the one in force. The form of a plan shows it.
    pub fn scheduled_or_current(&self) -> Option<&PlanVersion> {
        self.scheduled.as_ref().or(self.current.as_ref())
    }

    /// The version from which a change takes the fees that it does not give. For a change that takes effect now, this
    /// is the version in force, if there is one: the fees of a scheduled version must not take effect before its date.
    pub fn base_version(&self, takes_effect_now: bool) -> Option<&PlanVersion> {
        match &self.current {
            Some(current) if takes_effect_now => Some(current),
            _ => self.scheduled_or_current(),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanFilter {
    /// Part of the description. Case and accents are ignored.
    pub search: Option<String>,
    pub solution: Option<Solution>,
    pub active: Option<bool>,
    pub sort: PlanSort,
    pub order: SortOrder,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PlanSort {
    #[default]
    Created,
    Description,
}

/// The filter's SQL parameters `$1` to `$3`.
struct FilterParameters {
    search: Option<String>,
    solution: Option<i16>,
    active: Option<bool>,
}

macro_rules! plan_filter {
    () => {
        "($1::text IS NULL
          OR strpos(folded(description), $1) > 0)
     AND ($2::smallint IS NULL OR solution = $2)
     AND ($3::bool IS NULL OR active = $3)"
    };
}

/// Selects the columns that `record` reads: plans, each with the version in force and the scheduled one. `plans` is a
/// subquery of rows of `plan`; `at` is the parameter of the instant, such as `$1`.
fn plan_select(plans: &str, at: &str) -> String {
    let version = "SELECT terms, valid_from, recorded_at FROM plan_version AS v
                    WHERE v.plan_id = p.id AND withdrawn_at IS NULL AND valid_from";
    format!(
        "SELECT p.id, p.description, p.solution, p.active, p.revision, p.created_at,
                (p.id = (SELECT plan_id FROM plan_default AS d
                          WHERE d.solution = p.solution ORDER BY valid_from DESC LIMIT 1)) IS TRUE,
                coalesce((SELECT max(version) FROM plan_version AS v WHERE v.plan_id = p.id), 0),
                current.terms, current.valid_from, current.recorded_at,
                next.terms, next.valid_from, next.recorded_at, p.offered
           FROM ({plans}) AS p
           LEFT JOIN LATERAL ({version} <= {at} ORDER BY valid_from DESC LIMIT 1) AS current ON true
           LEFT JOIN LATERAL ({version} > {at} ORDER BY valid_from LIMIT 1) AS next ON true"
    )
}

impl FilterParameters {
    fn of(filter: &PlanFilter) -> Self {
        Self {
            search: filter.search.as_deref().map(search_key),
            solution: filter.solution.map(|solution| solution.number().into()),
            active: filter.active,
        }
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.search, Type::TEXT),
            (&self.solution, Type::INT2),
            (&self.active, Type::BOOL),
        ]
    }
}

/// One page by number, as of the instant. A platform has hundreds of plans, so they are counted and sorted in full.
pub async fn plan_list(
    client: &impl GenericClient,
    filter: &PlanFilter,
    paging: Paging,
    at: Instant,
) -> Result<Page<PlanRecord>, Error> {
    let direction = direction(filter.order);
    let key = match filter.sort {
        PlanSort::Created => "created_at",
        PlanSort::Description => "lower(description)",
    };
    let filter_parameters = FilterParameters::of(filter);
    let (limit, offset) = (paging.limit(), paging.offset());
    let mut parameters = filter_parameters.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&offset, Type::INT8),
        (&at, Type::TIMESTAMPTZ),
    ]);
    let page = format!(
        "SELECT * FROM plan WHERE {filter} ORDER BY {key} {direction}, id {direction} LIMIT $4 OFFSET $5",
        filter = plan_filter!()
    );
    let sql = plan_select(&page, "$6") + &format!(" ORDER BY {key} {direction}, id {direction}");
    let rows = client.query_typed(&sql, &parameters).await?;
    let total = client
        .query_typed_one(
            concat!("SELECT count(*) FROM plan WHERE ", plan_filter!()),
            &filter_parameters.parameters(),
        )
        .await?;
    let rows = rows.iter().map(record).collect::<Result<_, _>>()?;
    Ok(numbered_page(rows, &total))
}

/// The active plans that have a version in force, by solution and description, whether sellers are offered them or not.
pub async fn plans_in_force(client: &impl GenericClient, at: Instant) -> Result<Vec<PlanRecord>, Error> {
    let sql = plan_select("SELECT * FROM plan WHERE active", "$1")
        + " WHERE current.valid_from IS NOT NULL ORDER BY solution, lower(description), id";
    let rows = client.query_typed(&sql, &[(&at, Type::TIMESTAMPTZ)]).await?;
    rows.iter().map(record).collect()
}

pub async fn plan_fetch(
    client: &impl GenericClient,
    plan: PlanId,
    at: Instant,
) -> Result<Option<PlanRecord>, Error> {
    let row = client
        .query_typed_opt(
            &plan_select("SELECT * FROM plan WHERE id = $1", "$2"),
            &[(&plan.uuid(), Type::UUID), (&at, Type::TIMESTAMPTZ)],
        )
        .await?;
    row.as_ref().map(record).transpose()
}

/// All versions of a plan, the last one first.
pub async fn plan_versions(client: &impl GenericClient, plan: PlanId) -> Result<Vec<PlanVersion>, Error> {
    let rows = client
        .query_typed(
            "SELECT terms, valid_from, recorded_at, withdrawn_at FROM plan_version WHERE plan_id = $1
              ORDER BY version DESC",
            &[(&plan.uuid(), Type::UUID)],
        )
        .await?;
    let version = |row: &Row| {
        let Json(terms) = row.try_get(0)?;
        Ok(PlanVersion {
            terms,
            valid_from: row.try_get(1)?,
            recorded_at: row.try_get(2)?,
            withdrawn_at: row.try_get(3)?,
        })
    };
    rows.iter().map(version).collect()
}

/// Counts the companies whose latest assignment names the plan, up to one above `COMPANIES_COUNTED_MAX`. Companies that
/// have the plan by default are not counted.
pub async fn count_assigned_companies(client: &impl GenericClient, plan: PlanId) -> Result<i64, Error> {
    let row = client
        .query_typed_one(
            "SELECT count(*) FROM (
                 SELECT FROM plan_assignment AS own
                  WHERE plan_id = $1
                    AND NOT EXISTS (SELECT FROM plan_assignment AS later
                                     WHERE later.business_id = own.business_id AND later.solution = own.solution
                                       AND later.valid_from > own.valid_from)
                  LIMIT $2) AS found",
            &[
                (&plan.uuid(), Type::UUID),
                (&(COMPANIES_COUNTED_MAX + 1), Type::INT8),
            ],
        )
        .await?;
    row.try_get(0)
}

fn record(row: &Row) -> Result<PlanRecord, Error> {
    let version = |first: usize| -> Result<Option<PlanVersion>, Error> {
        let terms: Option<Json<PlanTerms>> = row.try_get(first)?;
        terms
            .map(|Json(terms)| {
                Ok(PlanVersion {
                    terms,
                    valid_from: row.try_get(first + 1)?,
                    recorded_at: row.try_get(first + 2)?,
                    withdrawn_at: None,
                })
            })
            .transpose()
    };
    Ok(PlanRecord {
        id: PlanId::from_uuid(row.try_get::<_, Uuid>(0)?),
        description: row.try_get(1)?,
        solution: columns::read(row, 2)?,
        active: row.try_get(3)?,
        revision: row.try_get(4)?,
        created_at: row.try_get(5)?,
        is_default: row.try_get(6)?,
        last_version: row.try_get::<_, i32>(7)?.unsigned_abs(),
        current: version(8)?,
        scheduled: version(11)?,
        offered: row.try_get(14)?,
    })
}
