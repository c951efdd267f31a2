//! Implements the ledger's `ReferenceData`: company, plan, terminal owner and calendar for a whole batch of sales.
//!
//! Rows stay in memory until they change or are evicted. The writer decides on them, and its append compares the
//! version counter. If the counter has moved, the append records nothing, the list of changes is read here, and the
//! writer decides again. A command that would be refused or add no event is decided again, after the counter is read.

use std::collections::HashSet;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use chrono::NaiveDate;
use ledger_domain::business::{ContextRequest, SaleContext};
use ledger_domain::calendar::Instant;
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, PlanId, TerminalId};
use ledger_store::{ReferenceData, RememberedContexts};
use tokio::sync::{Mutex, MutexGuard};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Client, Error, Row};
use uuid::Uuid;

use crate::companies::Approval;
use crate::reserves::RULES_OF_COMPANIES;

use super::cache::{Change, Fact, KEPT_MAX, Missing, ReferenceDataCache};

#[derive(Debug)]
pub struct PostgresReferenceData {
    /// Locked during the statements of a batch: nothing is evicted until its contexts are built.
    kept: Mutex<CachedSnapshot>,
    latest_version: Arc<AtomicI64>,
}

#[derive(Debug)]
struct CachedSnapshot {
    /// The version of the snapshot that the memory represents. 0 before the first read: the counter starts at 1.
    version: i64,
    data: ReferenceDataCache,
}

/// The result of one statement, from one snapshot.
struct SnapshotChanges {
    version: i64,
    /// The changes since the requested version, each with the version that it led to.
    changes: Vec<(i64, Change)>,
    facts: Vec<Fact>,
}

impl PostgresReferenceData {
    /// `latest_version` receives the newest version of the reference data that was read. `Terminals` shares it, and
    /// reads a terminal again that it knows at an older version.
    pub fn new(latest_version: Arc<AtomicI64>) -> Self {
        Self::with_limit(latest_version, KEPT_MAX)
    }

    /// Like `new`, with a limit for the companies and for the terminals in memory between two batches.
    pub fn with_limit(latest_version: Arc<AtomicI64>, kept_max: usize) -> Self {
        let kept = CachedSnapshot {
            version: 0,
            data: ReferenceDataCache::new(kept_max),
        };
        Self {
            kept: Mutex::new(kept),
            latest_version,
        }
    }

    /// The plan and the calendar that a sale captured at the instant would get.
    pub async fn context_at(
        &self,
        client: &Client,
        business_id: BusinessId,
        solution: Solution,
        at: Instant,
    ) -> Result<SaleContext, Error> {
        let request = ContextRequest {
            business_id,
            solution,
            terminal_id: None,
            occurred_at: at,
            terms_at: at,
        };
        let mut kept = self.completed(client, slice::from_ref(&request)).await?;
        let context = kept.data.context(&request);
        kept.data.trim();
        Ok(context)
    }

    /// The memory with the data that the requests need.
    async fn completed(
        &self,
        client: &Client,
        requests: &[ContextRequest],
    ) -> Result<MutexGuard<'_, CachedSnapshot>, Error> {
        let mut kept = self.kept.lock().await;
        if !kept.holds(client, requests).await? {
            kept.complete(client, requests).await?;
            self.latest_version.fetch_max(kept.version, Ordering::AcqRel);
        }
        Ok(kept)
    }
}

#[async_trait]
impl ReferenceData for PostgresReferenceData {
    /// `None` also while another batch reads.
    fn remembered(&self, requests: &[ContextRequest]) -> Option<RememberedContexts> {
        let mut kept = self.kept.try_lock().ok()?;
        if kept.version == 0 || !kept.data.missing(requests).is_empty() {
            return None;
        }
        Some(RememberedContexts {
            contexts: kept.contexts(requests),
            version: kept.version,
        })
    }

    async fn contexts(
        &self,
        client: &Client,
        requests: &[ContextRequest],
    ) -> Result<Vec<SaleContext>, Error> {
        Ok(self.completed(client, requests).await?.contexts(requests))
    }
}

impl CachedSnapshot {
    /// The contexts of requests whose data is in memory.
    fn contexts(&mut self, requests: &[ContextRequest]) -> Vec<SaleContext> {
        let contexts = requests
            .iter()
            .map(|request| self.data.context(request))
            .collect();
        self.data.trim();
        contexts
    }

    /// Whether the memory has all data and nothing has changed.
    async fn holds(&self, client: &Client, requests: &[ContextRequest]) -> Result<bool, Error> {
        if !self.data.missing(requests).is_empty() {
            return Ok(false);
        }
        let rows = client
            .query_typed("SELECT version FROM reference_version", &[])
            .await?;
        Ok(rows.first().map(|row| row.get::<_, i64>(0)) == Some(self.version))
    }

    /// Drops changed data and reads missing data until nothing is missing. If data changes between two statements, it
    /// is dropped after the second and read by a third.
    async fn complete(&mut self, client: &Client, requests: &[ContextRequest]) -> Result<(), Error> {
        loop {
            let missing = self.data.missing(requests);
            let found = read_changes(client, self.version, &missing).await?;
            // Each step of the counter has at least one change. If a step has none, some changes were deleted since.
            let steps: HashSet<_> = found.changes.iter().map(|(version, _)| version).collect();
            if i64::try_from(steps.len()) == Ok(found.version - self.version) {
                found
                    .changes
                    .iter()
                    .for_each(|(_, change)| self.data.forget(*change));
            } else {
                self.data.forget(Change::Anything);
            }
            self.data.learn(missing, found.facts);
            self.version = found.version;
            if self.data.missing(requests).is_empty() {
                return Ok(());
            }
        }
    }
}

/// Reads the version, the changes since another version, and the missing rows. Plans and their versions, defaults and
/// holidays are hundreds of rows on a large platform, not thousands.
async fn read_changes(client: &Client, since: i64, missing: &Missing) -> Result<SnapshotChanges, Error> {
    let businesses: Vec<Uuid> = missing.businesses.iter().map(|id| id.uuid()).collect();
    let terminals: Vec<Uuid> = missing.terminals.iter().map(|id| id.uuid()).collect();
    // Nothing is in memory yet, so nothing can have changed.
    let since = if since == 0 { i64::MAX } else { since };
    let sql = format!(
            "SELECT 'version' AS kind, NULL::uuid AS subject, NULL::uuid AS object, NULL::timestamptz AS valid_from,
                    NULL::smallint AS solution, version AS number, NULL AS text, NULL::date AS day, NULL::json AS rules
               FROM reference_version
             UNION ALL
             SELECT 'change', subject, NULL, NULL, NULL, version, kind, NULL, NULL
               FROM reference_change WHERE version > $1
             UNION ALL
             SELECT 'company', id, NULL, NULL, NULL, NULL, approval, NULL, NULL FROM business WHERE id = ANY ($2)
             UNION ALL
             SELECT 'assignment', business_id, plan_id, valid_from, solution, NULL, NULL, NULL, NULL
               FROM plan_assignment WHERE business_id = ANY ($2)
             UNION ALL
             SELECT 'owner', terminal_id, business_id, valid_from, NULL, NULL, NULL, NULL, NULL
               FROM terminal_owner WHERE terminal_id = ANY ($3)
             UNION ALL
             SELECT 'default', plan_id, NULL, valid_from, solution, NULL, NULL, NULL, NULL
               FROM plan_default WHERE $4
             UNION ALL
             SELECT 'terms', plan_id, NULL, valid_from, NULL, NULL, terms::text, NULL, NULL FROM plan_version
              WHERE $5 AND withdrawn_at IS NULL
             UNION ALL
             SELECT 'holiday', NULL, NULL, NULL, NULL, NULL, NULL, date, NULL FROM holiday WHERE $6
             UNION ALL
             SELECT CASE WHEN r.business_id IS NULL THEN 'plan_reserve' ELSE 'own_reserve' END, b.id, NULL, NULL, NULL,
                    r.version, NULL, r.valid_from,
                    json_build_object('percentage', trim_scale(r.percentage)::text, 'days', r.days,
                                      'maximum', r.maximum, 'ends_on', r.ends_on)
               FROM {RULES_OF_COMPANIES}
              WHERE b.id = ANY ($2)"
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&since, Type::INT8),
                (&businesses, Type::UUID_ARRAY),
                (&terminals, Type::UUID_ARRAY),
                (&missing.defaults, Type::BOOL),
                (&missing.plans, Type::BOOL),
                (&missing.calendar, Type::BOOL),
            ],
        )
        .await?;
    let mut found = SnapshotChanges {
        version: 0,
        changes: vec![],
        facts: Vec::with_capacity(rows.len()),
    };
    for row in &rows {
        match row.try_get("kind")? {
            "version" => found.version = row.try_get("number")?,
            "change" => found.changes.push((row.try_get("number")?, change(row)?)),
            "holiday" => found
                .facts
                .push(Fact::Holiday(row.try_get::<_, NaiveDate>("day")?)),
            kind => found.facts.push(fact(kind, row)?),
        }
    }
    Ok(found)
}

/// An unknown kind of change may be about anything.
fn change(row: &Row) -> Result<Change, Error> {
    let subject: Option<Uuid> = row.try_get("subject")?;
    Ok(match (row.try_get("text")?, subject) {
        ("company", Some(id)) => Change::Company(BusinessId::from_uuid(id)),
        ("terminal", Some(id)) => Change::Terminal(TerminalId::from_uuid(id)),
        ("plan", _) => Change::Plans,
        ("default", _) => Change::Defaults,
        ("holiday", _) => Change::Holidays,
        _ => Change::Anything,
    })
}

fn fact(kind: &str, row: &Row) -> Result<Fact, Error> {
    let subject: Uuid = row.try_get("subject")?;
    let valid_from = || row.try_get::<_, Instant>("valid_from");
    let solution = || {
        row.try_get::<_, i16>("solution")
            .map(|number| number.unsigned_abs() as u8)
    };
    Ok(match kind {
        "company" => Fact::Company {
            business_id: BusinessId::from_uuid(subject),
            company_status: ledger_rows::get::<_, Approval>(row, "text")?.company_status(),
        },
        "assignment" => Fact::Assignment {
            business_id: BusinessId::from_uuid(subject),
            solution: solution()?,
            plan_id: row.try_get::<_, Option<Uuid>>("object")?.map(PlanId::from_uuid),
            valid_from: valid_from()?,
        },
        "own_reserve" | "plan_reserve" => Fact::Reserve {
            business_id: BusinessId::from_uuid(subject),
            own: kind == "own_reserve",
            version: row.try_get("number")?,
            valid_from: row.try_get("day")?,
            rules: row.try_get::<_, Json<_>>("rules")?.0,
        },
        "owner" => Fact::Owner {
            terminal_id: TerminalId::from_uuid(subject),
            business_id: row
                .try_get::<_, Option<Uuid>>("object")?
                .map(BusinessId::from_uuid),
            valid_from: valid_from()?,
        },
        "default" => Fact::Default {
            solution: solution()?,
            plan_id: PlanId::from_uuid(subject),
            valid_from: valid_from()?,
        },
        _ => Fact::Terms {
            plan_id: PlanId::from_uuid(subject),
            valid_from: valid_from()?,
            terms: terms(PlanId::from_uuid(subject), row.try_get("text")?).map(Box::new),
        },
    })
}

/// `None` if the terms are unreadable: then sales wait for staff while that version is in force, and no batch fails.
fn terms(plan_id: PlanId, text: &str) -> Option<ledger_domain::fees::PlanTerms> {
    match serde_json::from_str(text) {
        Ok(terms) => Some(terms),
        Err(error) => {
            tracing::error!(%plan_id, %error, "the terms of a plan's version can't be read");
            None
        }
    }
}
