//! The rules of reserves: which share of a company's settlements is held, for how long. A company has its own, or those of
//! its receiving plan. Rules are only added, and never take effect in the past: what was settled stays as it was.

pub mod impact;
pub mod pieces;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use ledger_domain::calendar::{Calendar, Date, days_after};
use ledger_domain::ids::UserId;
use ledger_domain::reserve::{RESERVE_DAYS_MAX, ReserveRules, ReserveTerms};
use ledger_domain::{BusinessId, Cents, Rate};
use ledger_rows::{FromRow, fetch, insert, params, row};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::holidays::{CLOSED_DAYS_MAX, holidays_between};

/// Whose rules they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReserveOf {
    Company(BusinessId),
    ReceivingPlan(Uuid),
}

row! {
    /// Rules from a day on.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReserveVersion in "reserve_rules" {
        pub id: Uuid,
        pub business_id: Option<BusinessId>,
        pub receiving_plan_id: Option<Uuid>,
        pub version: i32,
        pub valid_from: Date,
        pub ends_on: Option<Date>,
        pub percentage: Rate,
        pub days: i16,
        pub maximum: Option<Cents>,
        pub reason: String,
        pub recorded_by: Option<UserId>,
        pub recorded_at: DateTime<Utc>,
    }
}

/// The text after `FROM` that joins each company `b` with its own rules and those of its receiving plan, `r`.
pub const RULES_OF_COMPANIES: &str = "business b CROSS JOIN LATERAL (
                    SELECT * FROM reserve_rules WHERE business_id = b.id
                     UNION ALL
                    SELECT * FROM reserve_rules WHERE receiving_plan_id = b.receiving_plan_id) r";

/// Rules by version, each with the day from which they count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReserveHistory(BTreeMap<i64, (Date, ReserveRules)>);

/// The rules that count for a company: its own, and those of its receiving plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompanyReserve {
    pub own: ReserveHistory,
    pub of_plan: ReserveHistory,
}

impl ReserveHistory {
    pub fn add(&mut self, version: i64, valid_from: Date, rules: ReserveRules) {
        self.0.insert(version, (valid_from, rules));
    }

    /// Those of the last version that took effect by the day; `None` if they ended before it.
    pub fn on(&self, day: Date) -> Option<&ReserveRules> {
        let (_, rules) = self.0.values().rev().find(|(valid_from, _)| *valid_from <= day)?;
        Some(rules).filter(|rules| rules.is_in_force_on(day))
    }
}

impl CompanyReserve {
    /// Adds rules of the company itself (`own`) or of its receiving plan.
    pub fn add(&mut self, own: bool, version: i64, valid_from: Date, rules: ReserveRules) {
        let history = if own { &mut self.own } else { &mut self.of_plan };
        history.add(version, valid_from, rules);
    }

    /// A company with its own rules has those, also if they hold nothing.
    pub fn on(&self, day: Date) -> Option<&ReserveRules> {
        self.own.on(day).or_else(|| self.of_plan.on(day))
    }

    pub fn terms_on(&self, day: Date, calendar: &Calendar) -> Option<ReserveTerms> {
        self.on(day)?.terms_on(day, calendar)
    }
}

impl ReserveVersion {
    /// The rules in a line, for the audit log.
    pub fn text(&self) -> String {
        let maximum = self.maximum.map(|maximum| format!(", até {maximum}"));
        let ends_on = self.ends_on.map(|day| format!(" a {}", day.format("%d/%m/%Y")));
        format!(
            "{} % por {} dias{}, de {}{}",
            self.percentage.to_string().replace('.', ","),
            self.days,
            maximum.unwrap_or_default(),
            self.valid_from.format("%d/%m/%Y"),
            ends_on.unwrap_or_default(),
        )
    }

    pub fn rules(&self) -> ReserveRules {
        ReserveRules {
            percentage: self.percentage,
            days: self.days.unsigned_abs(),
            maximum: self.maximum,
            ends_on: self.ends_on,
        }
    }
}

/// All versions, oldest first.
pub async fn reserve_versions(
    client: &impl GenericClient,
    of: ReserveOf,
) -> Result<Vec<ReserveVersion>, Error> {
    let columns = ReserveVersion::COLUMNS;
    let (owner, id) = of.column();
    let sql = format!("SELECT {columns} FROM reserve_rules WHERE {owner} = $1 ORDER BY version");
    fetch(client, &sql, params![id]).await
}

/// The rules of these companies. A company without rules is not listed.
pub async fn company_reserves(
    client: &impl GenericClient,
    companies: &[BusinessId],
) -> Result<HashMap<BusinessId, CompanyReserve>, Error> {
    let columns = CompanyRules::COLUMNS;
    let sql = format!("SELECT {columns} FROM {RULES_OF_COMPANIES} WHERE b.id = ANY ($1)");
    let mut found: HashMap<BusinessId, CompanyReserve> = HashMap::new();
    for rules in fetch::<CompanyRules>(client, &sql, params![companies]).await? {
        let company = found.entry(rules.company).or_default();
        company.add(rules.own, rules.version, rules.valid_from, rules.rules);
    }
    Ok(found)
}

struct CompanyRules {
    company: BusinessId,
    own: bool,
    version: i64,
    valid_from: Date,
    rules: ReserveRules,
}

row! {
    impl FromRow for CompanyRules {
        company: BusinessId = "b.id",
        own: bool = "r.business_id IS NOT NULL",
        version: i64 = "r.version::int8",
        valid_from: Date = "r.valid_from",
        ends_on: Option<Date> = "r.ends_on",
        percentage: Rate = "r.percentage",
        days: i16 = "r.days",
        maximum: Option<Cents> = "r.maximum",
    } => Self {
        company,
        own,
        version,
        valid_from,
        rules: ReserveRules { percentage, days: days.unsigned_abs(), maximum, ends_on },
    }
}

/// Records the next version. The caller holds the owner's row, so that two versions follow each other.
pub async fn reserve_version_add(client: &impl GenericClient, version: &ReserveVersion) -> Result<(), Error> {
    insert(client, version).await
}

/// The days on which a release can fall, as settlements of these days need them.
pub async fn release_calendar(client: &impl GenericClient, from: Date, to: Date) -> Result<Calendar, Error> {
    let until = days_after(to, u64::from(RESERVE_DAYS_MAX) + CLOSED_DAYS_MAX);
    let holidays = holidays_between(client, from, until).await?;
    let closed: BTreeSet<Date> = holidays.into_iter().map(|holiday| holiday.date).collect();
    Ok(Calendar::new(closed))
}

impl ReserveOf {
    pub const fn company(self) -> Option<BusinessId> {
        match self {
            Self::Company(company) => Some(company),
            Self::ReceivingPlan(_) => None,
        }
    }

    pub const fn receiving_plan(self) -> Option<Uuid> {
        match self {
            Self::ReceivingPlan(plan) => Some(plan),
            Self::Company(_) => None,
        }
    }

    /// The column of the owner, and its value.
    const fn column(self) -> (&'static str, Uuid) {
        match self {
            Self::Company(company) => ("business_id", company.uuid()),
            Self::ReceivingPlan(plan) => ("receiving_plan_id", plan),
        }
    }
}
