//! Orphan rows: rows of businesses that the log does not have, and stored states of sales and transfers without an
//! event.
//!
//! Tables are read by key in pages, because no statement of an audit may run long.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use deadpool_postgres::Pool;
use ledger_domain::BusinessId;
use ledger_domain::business::{Sale, Transfer};
use ledger_store::log;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::states::StoredState;
use crate::Error;
use crate::read_model::finding::Reporter;

const PER_PAGE: i64 = 500;
/// The number of states that one pass over the logs searches for. It bounds the memory if a read model is empty, as
/// after a migration.
const STATES_PER_PASS: usize = 1_000_000;

/// Stored states whose sale or transfer is not in its read model, by business.
type Unlisted<State> = BTreeMap<BusinessId, BTreeSet<<State as StoredState>::Id>>;

/// A page of the businesses that a read model names. Each is found by one search in its index.
pub(super) async fn businesses_in(
    client: &impl GenericClient,
    table: &str,
    after: Option<BusinessId>,
) -> Result<Vec<BusinessId>, Error> {
    let sql = format!(
        "WITH RECURSIVE named (business_id) AS (
             (SELECT business_id FROM {table} WHERE business_id > $1 ORDER BY business_id LIMIT 1)
             UNION ALL
             SELECT (SELECT next.business_id FROM {table} AS next
                      WHERE next.business_id > named.business_id ORDER BY next.business_id LIMIT 1)
               FROM named WHERE named.business_id IS NOT NULL
         )
         SELECT business_id FROM named WHERE business_id IS NOT NULL LIMIT $2"
    );
    let after = after.map_or(Uuid::nil(), BusinessId::uuid);
    let rows = client
        .query_typed(&sql, &[(&after, Type::UUID), (&PER_PAGE, Type::INT8)])
        .await?;
    Ok(rows.iter().map(|row| BusinessId::from_uuid(row.get(0))).collect())
}

pub(super) async fn report(pool: &Pool, reporter: &mut Reporter<'_>) -> Result<(), Error> {
    states_without_events::<Sale>(pool, reporter).await?;
    states_without_events::<Transfer>(pool, reporter).await
}

/// Reports the stored states that no event names. A read model may be behind the log, so a state that it does not list
/// is searched for in the events of its business.
async fn states_without_events<State: StoredState>(
    pool: &Pool,
    reporter: &mut Reporter<'_>,
) -> Result<(), Error> {
    let mut after = Uuid::nil();
    let mut unlisted = Unlisted::<State>::new();
    let mut count = 0;
    loop {
        let client = pool.get().await?;
        let states = log::state_ids_after(&**client, State::STATES, after, PER_PAGE).await?;
        let Some((last, _)) = states.last() else { break };
        after = *last;
        let listed = listed_of::<State>(&**client, &states).await?;
        for (id, business) in states.into_iter().filter(|state| !listed.contains(state)) {
            unlisted.entry(business).or_default().insert(State::id(id));
            count += 1;
        }
        if count >= STATES_PER_PASS {
            report_states_without_events::<State>(&**client, std::mem::take(&mut unlisted), reporter).await?;
            count = 0;
        }
    }
    report_states_without_events::<State>(&**pool.get().await?, unlisted, reporter).await
}

/// Reads the log of each business once.
async fn report_states_without_events<State: StoredState>(
    client: &impl GenericClient,
    unlisted: Unlisted<State>,
    reporter: &mut Reporter<'_>,
) -> Result<(), Error> {
    for (business, mut states) in unlisted {
        remove_found_in_events::<State>(client, business, &mut states).await?;
        for id in states {
            reporter.set_business(Some(business));
            reporter.finding(State::SUBJECT, id, "no row", "a state that no event reports");
        }
    }
    Ok(())
}

/// Removes the sales or transfers that an event of the business names.
async fn remove_found_in_events<State: StoredState>(
    client: &impl GenericClient,
    business: BusinessId,
    states: &mut BTreeSet<State::Id>,
) -> Result<(), Error> {
    let mut after = 0;
    while !states.is_empty() {
        let page = log::of_business(client, business, after, PER_PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.sequence;
        // Unreadable events are reported by the replay of their business.
        for event in page.iter().filter_map(|stored| stored.decode().ok()) {
            for id in State::named_by(&event) {
                states.remove(&id);
            }
        }
    }
    Ok(())
}

/// The states that their read model has for the same business.
async fn listed_of<State: StoredState>(
    client: &impl GenericClient,
    states: &[(Uuid, BusinessId)],
) -> Result<HashSet<(Uuid, BusinessId)>, Error> {
    let (ids, businesses): (Vec<_>, Vec<_>) =
        states.iter().map(|(id, business)| (*id, business.uuid())).unzip();
    let sql = format!(
        "SELECT {key}, business_id
           FROM unnest($1::uuid[], $2::uuid[]) AS state ({key}, business_id) JOIN {table} USING ({key}, business_id)",
        key = State::KEY,
        table = State::TABLE,
    );
    let rows = client
        .query_typed(&sql, &[(&ids, Type::UUID_ARRAY), (&businesses, Type::UUID_ARRAY)])
        .await?;
    let listed = |row: &tokio_postgres::Row| (row.get(0), BusinessId::from_uuid(row.get(1)));
    Ok(rows.iter().map(listed).collect())
}
