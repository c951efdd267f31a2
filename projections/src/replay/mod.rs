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
use futures::{StreamExt, TryStreamExt, join, stream};
use ledger_domain::BusinessId;
use ledger_domain::business::{Sale, Transfer};
use ledger_store::archive::{self, ByBusiness};
use ledger_store::supervisor::spawn_once;
use ledger_store::verify::shards_at_a_time;
use ledger_store::{Connector, Layout, Shard, StoredEvent, log};
use tokio::sync::mpsc;
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

/// Audits every business, those of some shards beside each other. `database` is for the upstream reader, which has its own
/// driver. `progress` receives the counts so far. `report` receives the differences, in no order.
pub async fn run(
    pool: &Pool,
    database: &Connector,
    mut progress: impl FnMut(Summary) + Send,
    mut report: impl FnMut(Finding) + Send,
) -> Result<Summary, Error> {
    // This session ends with the audit, and with it the promise that no events leave the database meanwhile.
    let holder = Object::take(pool.get().await?);
    archive::hold_log(&*holder).await?;
    let place = Place {
        pool: pool.clone(),
        layout: Layout::of(&*holder).await?,
    };
    let (news, mut received) = mpsc::channel(64);
    let audit_all = async {
        let audited = audit_shards(&place, database, &news).await?;
        let mut rest = ShardAudit::new(place, Upstream::connect(database).await?, news);
        rest.audited = audited;
        rest.orphan_rows().await?;
        rest.whole(async |place, reporter| platform::report(&place.pool, reporter).await)
            .await?;
        rest.whole(async |place, reporter| checkpoints::report(&place.pool, reporter).await)
            .await
    };
    let mut summary = Summary::default();
    let listen = async {
        while let Some(News { findings, audited }) = received.recv().await {
            summary.findings += findings.len() as u64;
            findings.into_iter().for_each(&mut report);
            if let Some(events) = audited {
                summary.businesses += 1;
                summary.events += events;
            }
            progress(summary);
        }
    };
    let (audited, ()) = join!(audit_all, listen);
    audited?;
    Ok(summary)
}

/// Returns the businesses that were audited.
async fn audit_shards(
    place: &Place,
    database: &Connector,
    news: &mpsc::Sender<News>,
) -> Result<HashSet<BusinessId>, Error> {
    let upstream = async || Upstream::connect(database).await;
    stream::iter(Shard::all())
        .map(|shard| async move {
            let audit = ShardAudit::new(place.clone(), upstream().await?, news.clone());
            let task = spawn_once("audit of a shard", audit.shard(shard));
            task.await.ok().flatten().ok_or(Error::AuditPanicked { shard })?
        })
        .buffer_unordered(shards_at_a_time())
        .try_concat()
        .await
}

/// What a shard's task tells of its work.
struct News {
    findings: Vec<Finding>,
    /// The number of events of a business that was audited.
    audited: Option<u64>,
}

/// Where the audit reads.
#[derive(Clone)]
struct Place {
    pool: Pool,
    layout: Layout,
}

/// The audit of a shard's businesses, or of what belongs to no shard.
struct ShardAudit {
    place: Place,
    upstream: Upstream,
    news: mpsc::Sender<News>,
    audited: HashSet<BusinessId>,
    /// The archived events of the shard whose businesses are audited.
    archived: Option<ByBusiness>,
}

impl ShardAudit {
    fn new(place: Place, upstream: Upstream, news: mpsc::Sender<News>) -> Self {
        Self {
            place,
            upstream,
            news,
            audited: HashSet::new(),
            archived: None,
        }
    }

    async fn shard(mut self, shard: Shard) -> Result<HashSet<BusinessId>, Error> {
        let archives = archive::archives(&**self.place.pool.get().await?, shard).await?;
        if !archives.is_empty() {
            self.archived = Some(ByBusiness::read(&archives)?);
        }
        let groups = self.archived.as_ref().map_or(1, ByBusiness::groups);
        for group in 0..groups {
            self.businesses(shard, group).await?;
        }
        Ok(self.audited)
    }

    /// Audits the businesses of a shard whose archived events are in this group.
    async fn businesses(&mut self, shard: Shard, group: usize) -> Result<(), Error> {
        let mut after = None;
        loop {
            let page = {
                let mut client = self.place.pool.get().await?;
                let tx = self.place.layout.begin(&mut client, shard).await?;
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
        let archived = self.archived.as_mut();
        let archived = archived.map_or(Ok(vec![]), |archived| archived.take(business))?;
        let mut findings = vec![];
        let mut add = |finding| findings.push(finding);
        let mut reporter = Reporter::new(&mut add);
        reporter.set_business(Some(business));
        let events = audit_business(&self.place, &self.upstream, business, archived, &mut reporter).await?;
        self.tell(findings, Some(events)).await;
        Ok(())
    }

    async fn tell(&self, findings: Vec<Finding>, audited: Option<u64>) {
        // Nobody listens any more only if the whole audit was given up.
        let _ = self.news.send(News { findings, audited }).await;
    }

    /// Audits the businesses that have rows but no events, and reports stored states of sales and transfers that no
    /// event mentions.
    async fn orphan_rows(&mut self) -> Result<(), Error> {
        for table in ReadModelGroup::ALL.iter().flat_map(|group| group.tables()) {
            for place in self.place.layout.places() {
                self.orphan_rows_in(table, place.shards[0]).await?;
            }
        }
        self.whole(async |place, reporter| orphans::report(&place.pool, reporter).await)
            .await
    }

    /// The same in one table, as a session of that shard sees it.
    async fn orphan_rows_in(&mut self, table: &str, shard: Shard) -> Result<(), Error> {
        let mut after = None;
        loop {
            let page = {
                let mut client = self.place.pool.get().await?;
                let tx = self.place.layout.begin(&mut client, shard).await?;
                orphans::businesses_in(&*tx, table, after).await?
            };
            for business in &page {
                self.business(*business).await?;
            }
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(*last);
        }
    }

    /// A check of what belongs to no business.
    async fn whole(
        &self,
        check: impl AsyncFnOnce(&Place, &mut Reporter<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut findings = vec![];
        let mut add = |finding| findings.push(finding);
        check(&self.place, &mut Reporter::new(&mut add)).await?;
        self.tell(findings, None).await;
        Ok(())
    }
}

/// Audits one business and returns the number of its events. Rows and events are read in one snapshot, so that every
/// row is compared with the events up to its checkpoint. `archived` are its first events.
async fn audit_business(
    place: &Place,
    upstream: &Upstream,
    business: BusinessId,
    archived: Vec<StoredEvent>,
    reporter: &mut Reporter<'_>,
) -> Result<u64, Error> {
    let mut client = place.pool.get().await?;
    let tx = place.layout.begin(&mut client, Shard::of(business)).await?;
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
        upstream.compare(business, &folded, reporter).await?;
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
