//! The audit by replay: folds each business from its events and compares its stored rows.
//!
//! Some checks use no fold of a read model. The sums of a business's postings are compared with the balances of its
//! head. One read model is compared with another (`cross`). Sums over all companies are compared with the rows of the
//! companies (`platform`). The published crate postgres-es reads the same log by its own code (`upstream`), without the
//! businesses that have archived events. The audit writes nothing.

mod checkpoints;
mod claims;
mod compare;
mod cross;
mod folded;
pub(crate) mod listed_volume;
mod orphans;
mod platform;
mod states;
mod upstream;

use std::collections::HashSet;

use deadpool_postgres::{Object, Pool};
use ledger_domain::BusinessId;
use ledger_domain::business::{Sale, Transfer};
use ledger_store::archive::{self, ByBusiness};
use ledger_store::{Connector, Layout, Shard, StoredEvent, log};
use tokio_postgres::GenericClient;

pub use crate::read_model::finding::{Finding, Reporter, Subject};

use crate::read_model_groups::Rows;
use crate::{Error, ReadModelGroup, freshness};
use folded::FoldedBusiness;
use upstream::Upstream;

/// The number of events read at a time.
const EVENTS_PER_PAGE: i64 = 1_000;
/// The number of businesses listed at a time.
const BUSINESSES_PER_PAGE: i64 = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    pub businesses: u64,
    pub events: u64,
    pub findings: u64,
}

/// Audits every business. `database` is for the upstream reader, which has its own driver. `progress` receives the
/// counts so far: after each business of the log, and at the end. `report` receives each difference when it is found.
pub async fn run(
    pool: &Pool,
    database: &Connector,
    mut progress: impl FnMut(Summary) + Send,
    mut report: impl FnMut(Finding) + Send,
) -> Result<Summary, Error> {
    let upstream = Upstream::connect(database).await?;
    // This session ends with the audit, and with it the promise that no events leave the database meanwhile.
    let holder = Object::take(pool.get().await?);
    archive::hold_log(&*holder).await?;
    let mut audit = Audit {
        pool,
        layout: Layout::of(&*holder).await?,
        upstream,
        report: &mut report,
        audited: HashSet::new(),
        archived: None,
        summary: Summary::default(),
    };
    for shard in Shard::all() {
        let archives = archive::archives(&*holder, shard).await?;
        audit.archived = if archives.is_empty() {
            None
        } else {
            Some(ByBusiness::read(&archives)?)
        };
        let groups = audit.archived.as_ref().map_or(1, ByBusiness::groups);
        for group in 0..groups {
            audit.businesses(shard, group, &mut progress).await?;
        }
    }
    audit.archived = None;
    audit.orphan_rows().await?;
    audit.platform_sums().await?;
    audit.checkpoints().await?;
    progress(audit.summary);
    Ok(audit.summary)
}

struct Audit<'a> {
    pool: &'a Pool,
    layout: Layout,
    upstream: Upstream,
    report: &'a mut (dyn FnMut(Finding) + Send),
    audited: HashSet<BusinessId>,
    /// The archived events of the shard whose businesses are audited.
    archived: Option<ByBusiness>,
    summary: Summary,
}

impl Audit<'_> {
    /// Audits the businesses of a shard whose archived events are in this group.
    async fn businesses(
        &mut self,
        shard: Shard,
        group: usize,
        progress: &mut (impl FnMut(Summary) + Send),
    ) -> Result<(), Error> {
        let mut after = None;
        loop {
            let page = {
                let mut client = self.pool.get().await?;
                let tx = self.layout.begin(&mut client, shard).await?;
                businesses_after(&*tx, shard, after).await?
            };
            let is_in_group =
                |archived: &ByBusiness, business: &BusinessId| archived.group_of(*business) == group;
            for business in &page {
                if self
                    .archived
                    .as_ref()
                    .is_none_or(|archived| is_in_group(archived, business))
                {
                    self.business(*business).await?;
                    progress(self.summary);
                }
            }
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(*last);
        }
    }

    /// Audits a business, unless it has been audited: the log and several tables may have the same business.
    async fn business(&mut self, business: BusinessId) -> Result<(), Error> {
        if !self.audited.insert(business) {
            return Ok(());
        }
        let mut reporter = Reporter::new(self.report);
        reporter.set_business(Some(business));
        let archived = self.archived.as_mut();
        let archived = archived.map_or(Ok(vec![]), |archived| archived.take(business))?;
        let source = Source {
            pool: self.pool,
            layout: self.layout,
            upstream: &self.upstream,
        };
        let events = audit_business(source, business, archived, &mut reporter).await?;
        self.summary.businesses += 1;
        self.summary.events += events;
        self.summary.findings += reporter.count();
        Ok(())
    }

    /// Audits the businesses that have rows but no events, and reports stored states of sales and transfers that no
    /// event mentions.
    async fn orphan_rows(&mut self) -> Result<(), Error> {
        for table in ReadModelGroup::ALL.iter().flat_map(|group| group.tables()) {
            for place in self.layout.places() {
                self.orphan_rows_in(table, place.shards[0]).await?;
            }
        }
        let mut reporter = Reporter::new(self.report);
        orphans::report(self.pool, &mut reporter).await?;
        self.summary.findings += reporter.count();
        Ok(())
    }

    /// The same in one table, as a session of that shard sees it.
    async fn orphan_rows_in(&mut self, table: &str, shard: Shard) -> Result<(), Error> {
        let mut after = None;
        loop {
            let page = {
                let mut client = self.pool.get().await?;
                let tx = self.layout.begin(&mut client, shard).await?;
                orphans::businesses_in(&*tx, table, after).await?
            };
            for business in &page {
                self.business(*business).await?;
            }
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(*last);
        }
    }

    /// Compares the stored sums over all companies with the companies' rows.
    async fn platform_sums(&mut self) -> Result<(), Error> {
        let mut reporter = Reporter::new(self.report);
        platform::report(self.pool, &mut reporter).await?;
        self.summary.findings += reporter.count();
        Ok(())
    }

    /// Compares the checkpoints of the read models with the end of the log.
    async fn checkpoints(&mut self) -> Result<(), Error> {
        let mut reporter = Reporter::new(self.report);
        checkpoints::report(self.pool, &mut reporter).await?;
        self.summary.findings += reporter.count();
        Ok(())
    }
}

/// Where a business is read.
struct Source<'a> {
    pool: &'a Pool,
    layout: Layout,
    upstream: &'a Upstream,
}

/// Audits one business and returns the number of its events. Rows and events are read in one snapshot, so that every
/// row is compared with the events up to its checkpoint. `archived` are its first events.
async fn audit_business(
    source: Source<'_>,
    business: BusinessId,
    archived: Vec<StoredEvent>,
    reporter: &mut Reporter<'_>,
) -> Result<u64, Error> {
    let mut client = source.pool.get().await?;
    let tx = source.layout.begin(&mut client, Shard::of(business)).await?;
    tx.batch_execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        .await?;
    let positions = freshness::positions(&*tx, Shard::of(business)).await?;
    let rows = match Rows::stored(&*tx, business).await {
        Ok(rows) => Some(rows),
        // No fold writes such a value. The checks that do not need these rows continue.
        Err(Error::Unreadable { column, value }) => {
            reporter.finding(Subject::Row, column, "a value that a fold can write", value);
            None
        }
        Err(error) => return Err(error),
    };
    let head = log::head(&*tx, business).await?;
    let mut folded = FoldedBusiness::up_to(&positions);
    archived.iter().for_each(|stored| folded.add(stored, reporter));
    let mut after = archived.last().map_or(0, |last| last.sequence);
    loop {
        let page = log::of_business(&*tx, business, after, EVENTS_PER_PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.sequence;
        page.iter().for_each(|stored| folded.add(stored, reporter));
    }
    let sales = states::read::<Sale>(&*tx, &folded.business).await?;
    let transfers = states::read::<Transfer>(&*tx, &folded.business).await?;
    let claims = claims::read(&*tx, &folded).await?;
    tx.commit().await?;
    if let Some(rows) = &rows {
        if !folded.unreadable {
            compare::read_models(std::mem::take(&mut folded.read_models), rows, reporter);
        }
        cross::checks(rows, &positions, reporter);
    }
    compare::head(&folded, head.as_ref(), reporter);
    claims::compare(&folded, business, &claims, reporter);
    states::compare::<Sale>(&folded, &folded.events_by_sale, business, &sales, reporter);
    states::compare::<Transfer>(
        &folded,
        &folded.events_by_transfer,
        business,
        &transfers,
        reporter,
    );
    // The published crate reads the database only.
    if archived.is_empty() {
        source.upstream.compare(business, &folded, reporter).await?;
    }
    Ok(folded.events)
}

/// Lists the businesses of the log and of the heads, so that a business with a deleted head is found as well.
async fn businesses_after(
    client: &impl GenericClient,
    shard: Shard,
    after: Option<BusinessId>,
) -> Result<Vec<BusinessId>, Error> {
    let mut named: Vec<_> = log::heads_after(client, shard, after, BUSINESSES_PER_PAGE)
        .await?
        .into_iter()
        .map(|(business, _)| business)
        .collect();
    named.extend(log::businesses_after(client, shard, after, BUSINESSES_PER_PAGE).await?);
    named.sort_unstable();
    named.dedup();
    // Both lists end at the page's limit. Beyond the first `BUSINESSES_PER_PAGE` ids of the union, ids may be missing.
    named.truncate(usize::try_from(BUSINESSES_PER_PAGE).unwrap_or(usize::MAX));
    Ok(named)
}
