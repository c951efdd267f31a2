//! The ledger's port to the back office: company, plan, terminal's owner and calendar for a whole batch of sales, in
//! one statement.
//!
//! Facts stay in memory for as long as the version counter stands still. The counter is read for every batch, so that
//! an answer is always that of a snapshot as new as the batch; usually it is all that is read.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use chrono::NaiveDate;
use ledger_domain::business::{ContextRequest, SaleContext, Standing};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::{BusinessId, PlanId, TerminalId};
use ledger_store::BackOffice;
use tokio::sync::Mutex;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Error, Row};
use uuid::Uuid;

use super::facts::{Fact, Facts, Missing};

#[derive(Debug)]
pub struct SaleContexts {
    /// Held over the statement: two batches that read at once would each throw away what the other learnt.
    kept: Mutex<Kept>,
    latest: Arc<AtomicI64>,
}

#[derive(Debug, Default)]
struct Kept {
    /// 0 before anything was read: the counter begins at 1.
    version: i64,
    facts: Facts,
}

/// What one statement found, all of it of one snapshot.
struct Found {
    version: i64,
    holidays: BTreeSet<Date>,
    facts: Vec<Fact>,
}

impl SaleContexts {
    /// `latest` is where others learn of the newest version that was seen (see `Terminals`).
    pub fn new(latest: Arc<AtomicI64>) -> Self {
        Self {
            kept: Mutex::default(),
            latest,
        }
    }

    /// Completes what is kept, and says whether it now holds for the snapshot that was read.
    async fn completed(
        &self,
        kept: &mut Kept,
        client: &Client,
        requests: &[ContextRequest],
    ) -> Result<bool, Error> {
        if kept.version == 0 {
            return Ok(false);
        }
        let missing = kept.facts.missing(requests);
        if missing.is_empty() {
            let rows = client
                .query_typed("SELECT version FROM back_office_version", &[])
                .await?;
            return Ok(rows.first().map(|row| row.get::<_, i64>(0)) == Some(kept.version));
        }
        let found = find(client, false, &missing).await?;
        if found.version != kept.version {
            return Ok(false);
        }
        kept.facts.expect(missing);
        found.facts.into_iter().for_each(|fact| kept.facts.learn(fact));
        Ok(true)
    }
}

#[async_trait]
impl BackOffice for SaleContexts {
    async fn contexts(
        &self,
        client: &Client,
        requests: &[ContextRequest],
    ) -> Result<Vec<SaleContext>, Error> {
        let mut kept = self.kept.lock().await;
        if !self.completed(&mut kept, client, requests).await? {
            let named = Missing::all(requests);
            let found = find(client, true, &named).await?;
            let mut facts = Facts::default();
            facts.set_holidays(found.holidays);
            facts.expect(named);
            found.facts.into_iter().for_each(|fact| facts.learn(fact));
            *kept = Kept {
                version: found.version,
                facts,
            };
            self.latest.fetch_max(found.version, Ordering::AcqRel);
        }
        Ok(requests
            .iter()
            .map(|request| kept.facts.context(request))
            .collect())
    }
}

/// Reads the version and the rows asked for; with `shared`, also those that every company shares (plans and their
/// versions, defaults, holidays: hundreds of rows on a large platform, not thousands).
async fn find(client: &Client, shared: bool, asked: &Missing) -> Result<Found, Error> {
    let businesses: Vec<Uuid> = asked.businesses.iter().map(|id| id.uuid()).collect();
    let terminals: Vec<Uuid> = asked.terminals.iter().map(|id| id.uuid()).collect();
    let rows = client
        .query_typed(
            "SELECT 'version' AS kind, NULL::uuid AS subject, NULL::uuid AS object, NULL::timestamptz AS valid_from,
                    NULL::smallint AS solution, version AS number, NULL AS text, NULL::date AS day
               FROM back_office_version
             UNION ALL
             SELECT 'company', id, NULL, NULL, NULL, NULL, approval, NULL FROM business WHERE id = ANY ($2)
             UNION ALL
             SELECT 'assignment', business_id, plan_id, valid_from, solution, NULL, NULL, NULL
               FROM plan_assignment WHERE business_id = ANY ($2)
             UNION ALL
             SELECT 'owner', terminal_id, business_id, valid_from, NULL, NULL, NULL, NULL
               FROM terminal_owner WHERE terminal_id = ANY ($3)
             UNION ALL
             SELECT 'default', plan_id, NULL, valid_from, solution, NULL, NULL, NULL FROM plan_default WHERE $1
             UNION ALL
             SELECT 'terms', plan_id, NULL, valid_from, NULL, NULL, terms::text, NULL FROM plan_version WHERE $1
             UNION ALL
             SELECT 'holiday', NULL, NULL, NULL, NULL, NULL, NULL, date FROM holiday WHERE $1",
            &[(&shared, Type::BOOL), (&businesses, Type::UUID_ARRAY), (&terminals, Type::UUID_ARRAY)],
        )
        .await?;
    let mut found = Found {
        version: 0,
        holidays: BTreeSet::new(),
        facts: Vec::with_capacity(rows.len()),
    };
    for row in &rows {
        match row.try_get("kind")? {
            "version" => found.version = row.try_get("number")?,
            "holiday" => {
                found.holidays.insert(row.try_get::<_, NaiveDate>("day")?);
            }
            kind => found.facts.extend(fact(kind, row)?),
        }
    }
    Ok(found)
}

fn fact(kind: &str, row: &Row) -> Result<Option<Fact>, Error> {
    let subject: Uuid = row.try_get("subject")?;
    let valid_from = || row.try_get::<_, Instant>("valid_from");
    let solution = || {
        row.try_get::<_, i16>("solution")
            .map(|number| number.unsigned_abs() as u8)
    };
    Ok(match kind {
        "company" => Some(Fact::Company {
            business_id: BusinessId::from_uuid(subject),
            standing: match row.try_get("text")? {
                "enabled" => Standing::Active,
                "denied" => Standing::Denied,
                _ => Standing::Deleted,
            },
        }),
        "assignment" => Some(Fact::Assignment {
            business_id: BusinessId::from_uuid(subject),
            solution: solution()?,
            plan_id: PlanId::from_uuid(row.try_get("object")?),
            valid_from: valid_from()?,
        }),
        "owner" => Some(Fact::Owner {
            terminal_id: TerminalId::from_uuid(subject),
            business_id: row
                .try_get::<_, Option<Uuid>>("object")?
                .map(BusinessId::from_uuid),
            valid_from: valid_from()?,
        }),
        "default" => Some(Fact::Default {
            solution: solution()?,
            plan_id: PlanId::from_uuid(subject),
            valid_from: valid_from()?,
        }),
        _ => terms(PlanId::from_uuid(subject), row.try_get("text")?).map(|terms| Fact::Terms {
            plan_id: terms.plan_id,
            valid_from: row.get("valid_from"),
            terms: Box::new(terms),
        }),
    })
}

/// Terms that can't be read leave their plan without a version, so that its sales wait for staff and no batch fails.
fn terms(plan_id: PlanId, text: &str) -> Option<ledger_domain::fees::PlanTerms> {
    match serde_json::from_str(text) {
        Ok(terms) => Some(terms),
        Err(error) => {
            tracing::error!(%plan_id, %error, "the terms of a plan's version can't be read");
            None
        }
    }
}
