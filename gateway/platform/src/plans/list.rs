//! Reads sales plans with the version in force and the scheduled one.

use gateway_formats::plain_text::search_key;
use ledger_domain::PlanId;
use ledger_domain::calendar::Instant;
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::Solution;
use ledger_rows::{Column, FromRow, fetch, fetch_opt, params, row, value};
use projections::SortOrder;
use tokio_postgres::types::Json;
use tokio_postgres::{Error, GenericClient};

use crate::list::{Conditions, List, Order, PageSql};

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

/// A part of the description. Case and accents are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanSearch(String);

ledger_domain::words! {
    #[derive(Default)]
    pub enum PlanSort {
        #[default]
        Created = "created_at",
        Description = "description",
    }
}

/// The plans as of an instant. A platform has hundreds of plans, so they are sorted in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanFilter {
    pub at: Instant,
    pub search: Option<PlanSearch>,
    pub solution: Option<Solution>,
    pub active: Option<bool>,
    pub sort: PlanSort,
    pub order: SortOrder,
}

impl PlanSearch {
    pub fn of(text: &str) -> Self {
        Self(search_key(text))
    }

    pub(super) fn restrict<'a>(search: Option<&'a Self>, list: &mut Conditions<'a>) {
        if let Some(Self(key)) = search {
            let key = list.parameter(key);
            list.and(format!("strpos(folded(description), {key}) > 0"));
        }
    }
}

impl PlanSort {
    pub(super) const fn order(self, order: SortOrder) -> Order {
        match self {
            Self::Created => Order::by(&["created_at", "id"], order),
            Self::Description => Order::by(&["lower(description)", "id"], order),
        }
    }
}

impl List for PlanFilter {
    type Row = PlanRecord;
    const TABLE: &'static str = "plan";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        // `from` names the first parameter.
        list.parameter(&self.at);
        PlanSearch::restrict(self.search.as_ref(), list);
        list.equals("solution", &self.solution);
        list.equals("active", &self.active);
    }

    fn order(&self) -> Order {
        self.sort.order(self.order)
    }

    fn from(&self, page: &PageSql<'_>) -> String {
        let PageSql {
            conditions,
            order,
            range,
            ..
        } = page;
        let plans = format!("SELECT * FROM plan WHERE {conditions} ORDER BY {order} {range}");
        format!("{} ORDER BY {order}", with_versions(&plans))
    }
}

/// Plans, each with the version in force and the scheduled one, after `FROM`. `plans` is a subquery of rows of `plan`;
/// the first parameter is the instant.
fn with_versions(plans: &str) -> String {
    let version = "SELECT terms, valid_from, recorded_at FROM plan_version AS v
                    WHERE v.plan_id = p.id AND withdrawn_at IS NULL AND valid_from";
    format!(
        "({plans}) AS p
         LEFT JOIN LATERAL ({version} <= $1 ORDER BY valid_from DESC LIMIT 1) AS current ON true
         LEFT JOIN LATERAL ({version} > $1 ORDER BY valid_from LIMIT 1) AS next ON true"
    )
}

fn select(plans: &str, rest: &str) -> String {
    format!(
        "SELECT {} FROM {} {rest}",
        PlanRecord::COLUMNS,
        with_versions(plans)
    )
}

/// The active plans that have a version in force, by solution and description, whether sellers are offered them or not.
pub async fn plans_in_force(client: &impl GenericClient, at: Instant) -> Result<Vec<PlanRecord>, Error> {
    let sql = select(
        "SELECT * FROM plan WHERE active",
        "WHERE current.valid_from IS NOT NULL ORDER BY solution, lower(description), id",
    );
    fetch(client, &sql, params![at]).await
}

pub async fn plan_fetch(
    client: &impl GenericClient,
    plan: PlanId,
    at: Instant,
) -> Result<Option<PlanRecord>, Error> {
    fetch_opt(
        client,
        &select("SELECT * FROM plan WHERE id = $2", ""),
        params![at, plan],
    )
    .await
}

/// All versions of a plan, the last one first.
pub async fn plan_versions(client: &impl GenericClient, plan: PlanId) -> Result<Vec<PlanVersion>, Error> {
    let columns = PlanVersion::COLUMNS;
    let sql = format!("SELECT {columns} FROM plan_version WHERE plan_id = $1 ORDER BY version DESC");
    fetch(client, &sql, params![plan]).await
}

/// Counts the companies whose latest assignment names the plan, up to one above `COMPANIES_COUNTED_MAX`. Companies that
/// have the plan by default are not counted.
pub async fn count_assigned_companies(client: &impl GenericClient, plan: PlanId) -> Result<i64, Error> {
    let sql = "SELECT count(*) FROM (
                   SELECT FROM plan_assignment AS own
                    WHERE plan_id = $1
                      AND NOT EXISTS (SELECT FROM plan_assignment AS later
                                       WHERE later.business_id = own.business_id AND later.solution = own.solution
                                         AND later.valid_from > own.valid_from)
                    LIMIT $2) AS found";
    value(client, sql, params![plan, COMPANIES_COUNTED_MAX + 1]).await
}

/// Terms in a column.
struct StoredTerms(PlanTerms);

impl Column for StoredTerms {
    type Stored<'a> = Json<PlanTerms>;

    fn restored(Json(terms): Json<PlanTerms>) -> Option<Self> {
        Some(Self(terms))
    }
}

row! {
    impl FromRow for PlanVersion {
        terms: StoredTerms,
        valid_from: Instant,
        recorded_at: Instant,
        withdrawn_at: Option<Instant>,
    } => Self { terms: terms.0, valid_from, recorded_at, withdrawn_at }
}

row! {
    impl FromRow for PlanRecord {
        id: PlanId = "p.id",
        description: String = "p.description",
        solution: Solution = "p.solution",
        active: bool = "p.active",
        is_default: bool = "(p.id = (SELECT plan_id FROM plan_default AS d
                              WHERE d.solution = p.solution ORDER BY valid_from DESC LIMIT 1)) IS TRUE",
        offered: bool = "p.offered",
        revision: i32 = "p.revision",
        created_at: Instant = "p.created_at",
        last_version: i32 = "coalesce((SELECT max(version) FROM plan_version AS v WHERE v.plan_id = p.id), 0)",
        current_terms: Option<StoredTerms> = "current.terms",
        current_from: Option<Instant> = "current.valid_from",
        current_recorded: Option<Instant> = "current.recorded_at",
        next_terms: Option<StoredTerms> = "next.terms",
        next_from: Option<Instant> = "next.valid_from",
        next_recorded: Option<Instant> = "next.recorded_at",
    } => Self {
        id,
        description,
        solution,
        active,
        is_default,
        offered,
        revision,
        created_at,
        current: version(current_terms, current_from, current_recorded),
        scheduled: version(next_terms, next_from, next_recorded),
        last_version: last_version.unsigned_abs(),
    }
}

/// The columns of a joined version are all null or none.
fn version(
    terms: Option<StoredTerms>,
    valid_from: Option<Instant>,
    recorded_at: Option<Instant>,
) -> Option<PlanVersion> {
    Some(PlanVersion {
        terms: terms?.0,
        valid_from: valid_from?,
        recorded_at: recorded_at?,
        withdrawn_at: None,
    })
}
