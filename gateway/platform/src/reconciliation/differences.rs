//! The rows of differences: written after comparisons, listed, and resolved or reopened by staff.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use ledger_domain::calendar::Date;
use ledger_domain::ids::UserId;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_rows::{FromRow, execute, fetch, fetch_opt, params, row, value};
use projections::{CountLimit, SortOrder};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::compare::{DifferenceKind, InstallmentDifference};
use super::stored_rows::InstallmentKey;
use crate::list::{Conditions, List, Order, PageSql, page_first};
use crate::word_search::{WordSearch, WordTable};

/// The namespace of the derived ids: random, and never changed, so that a difference keeps its id.
const NAMESPACE: Uuid = Uuid::from_u128(0x6b1d_92f4_0c57_4a8e_9d3a_51f7_2ce8_84b6);

ledger_domain::words! {
    /// open: waits for staff. resolved: by staff, with a reason. gone: a later comparison no longer finds it.
    pub enum DifferenceState {
        Open = "open" => "Em aberto",
        Resolved = "resolved" => "Resolvida",
        Gone = "gone" => "Não existe mais",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub id: Uuid,
    pub kind: DifferenceKind,
    pub provider: Provider,
    pub day: Date,
    pub sale_id: Option<SaleId>,
    pub business_id: Option<BusinessId>,
    pub business_name: Option<String>,
    pub installment: u8,
    pub reference: Option<String>,
    /// A gross, or the cost if the kind is `Fee`.
    pub expected: Option<Cents>,
    pub reported: Option<Cents>,
    /// Its part of the day's difference, which is the reported gross less the expected gross.
    pub delta: Cents,
    pub expected_on: Option<Date>,
    pub reported_on: Option<Date>,
    /// Where the acquirer's row came from. `None` if the acquirer does not report the installment.
    pub import_id: Option<Uuid>,
    pub file_name: Option<String>,
    pub line: Option<u64>,
    pub state: DifferenceState,
    pub resolution: Option<Resolution>,
    pub version: i32,
    pub found_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    pub reason: String,
    pub by: UserId,
    pub at: DateTime<Utc>,
}

/// A difference with the acquirer, day, sale and installment in which it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocatedDifference {
    pub provider: Provider,
    pub day: Date,
    pub sale_id: Option<SaleId>,
    pub business_id: Option<BusinessId>,
    pub installment: u8,
    pub reference: Option<String>,
    pub found: InstallmentDifference,
}

/// The rows and installments that were compared. Their differences that were not found again are gone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    pub row_ids: &'a [i64],
    pub installments: &'a [InstallmentKey],
}

impl LocatedDifference {
    /// Derived from the installment if the kind is missing or amount, else from the row. So a difference that is found
    /// again has the same id.
    fn id(&self) -> Uuid {
        let kind = self.found.kind;
        let subject = match (kind, self.sale_id, self.found.row_id) {
            (DifferenceKind::Missing | DifferenceKind::Amount, Some(sale), _) => {
                format!("{}/{sale}/{}", kind.as_str(), self.installment)
            }
            (_, _, Some(row)) => format!("{}/{row}", kind.as_str()),
            (_, _, None) => format!("{}/{}/{}", kind.as_str(), self.provider, self.installment),
        };
        Uuid::new_v5(&NAMESPACE, subject.as_bytes())
    }
}

/// Writes the differences that were found, and ends those that were not found again. Returns the days that may have
/// changed.
///
/// A resolved difference stays resolved as long as it is found again with the same figures.
pub(super) async fn replace(
    client: &impl GenericClient,
    now: DateTime<Utc>,
    scope: Scope<'_>,
    found: &[LocatedDifference],
) -> Result<BTreeSet<(Provider, Date)>, Error> {
    let ids: Vec<Uuid> = found.iter().map(LocatedDifference::id).collect();
    let (sales, installments): (Vec<SaleId>, Vec<u8>) = scope.installments.iter().copied().unzip();
    let sql = format!(
        "UPDATE settlement_difference d
            SET state = 'gone', reason = NULL, resolved_by = NULL, resolved_at = NULL, version = d.version + 1
          WHERE d.id IN (SELECT id FROM settlement_difference WHERE receivable_id = ANY ($1)
                         UNION
                         SELECT id FROM unnest($2::uuid[], $3::int2[]) AS asked (sale_id, installment)
                           JOIN settlement_difference USING (sale_id, installment))
            AND d.state <> 'gone' AND d.id <> ALL ($4)
         RETURNING {}",
        ProviderDay::COLUMNS
    );
    let parameters = params![scope.row_ids, sales, installments, ids];
    let gone: Vec<ProviderDay> = fetch(client, &sql, parameters).await?;
    let mut days: BTreeSet<_> = gone.into_iter().map(<(Provider, Date)>::from).collect();
    if !found.is_empty() {
        let sql = format!(
            "SELECT DISTINCT {} FROM settlement_difference WHERE id = ANY ($1)",
            ProviderDay::COLUMNS
        );
        let stored: Vec<ProviderDay> = fetch(client, &sql, params![ids]).await?;
        days.extend(stored.into_iter().map(<(Provider, Date)>::from));
        write(client, now, &ids, found).await?;
        days.extend(found.iter().map(|found| (found.provider, found.day)));
    }
    Ok(days)
}

row! {
    /// The day under which a difference is stored.
    struct ProviderDay {
        provider: Provider,
        day: Date,
    }
}

impl From<ProviderDay> for (Provider, Date) {
    fn from(ProviderDay { provider, day }: ProviderDay) -> Self {
        (provider, day)
    }
}

/// A row that exists becomes open again if it is gone or has other figures; otherwise it stays.
async fn write(
    client: &impl GenericClient,
    now: DateTime<Utc>,
    ids: &[Uuid],
    found: &[LocatedDifference],
) -> Result<(), Error> {
    let kinds: Vec<_> = found.iter().map(|row| row.found.kind).collect();
    let providers: Vec<_> = found.iter().map(|row| row.provider).collect();
    let days: Vec<_> = found.iter().map(|row| row.day).collect();
    let sales: Vec<_> = found.iter().map(|row| row.sale_id).collect();
    let companies: Vec<_> = found.iter().map(|row| row.business_id).collect();
    let installments: Vec<_> = found.iter().map(|row| row.installment).collect();
    let receivables: Vec<_> = found.iter().map(|row| row.found.row_id).collect();
    let references: Vec<_> = found.iter().map(|row| row.reference.as_deref()).collect();
    let expected: Vec<_> = found.iter().map(|row| row.found.expected).collect();
    let reported: Vec<_> = found.iter().map(|row| row.found.reported).collect();
    let deltas: Vec<_> = found.iter().map(|row| row.found.delta).collect();
    let expected_on: Vec<_> = found.iter().map(|row| row.found.expected_on).collect();
    let reported_on: Vec<_> = found.iter().map(|row| row.found.reported_on).collect();
    let sql = "INSERT INTO settlement_difference AS d
                (id, kind, provider, day, sale_id, business_id, installment, receivable_id, reference, expected,
                 reported, delta, expected_on, reported_on, found_at)
         SELECT given.*, $15
           FROM unnest($1::uuid[], $2::text[], $3::int2[], $4::date[], $5::uuid[], $6::uuid[], $7::int2[],
                       $8::int8[], $9::text[], $10::int8[], $11::int8[], $12::int8[], $13::date[], $14::date[])
                AS given
         ON CONFLICT (id) DO UPDATE
            SET day = excluded.day, sale_id = excluded.sale_id, business_id = excluded.business_id,
                receivable_id = excluded.receivable_id, reference = excluded.reference,
                expected = excluded.expected, reported = excluded.reported, delta = excluded.delta,
                expected_on = excluded.expected_on, reported_on = excluded.reported_on, state = 'open',
                reason = NULL, resolved_by = NULL, resolved_at = NULL, found_at = excluded.found_at,
                version = d.version + 1
          WHERE d.state = 'gone'
             OR (d.day, d.sale_id, d.expected, d.reported, d.delta, d.expected_on, d.reported_on)
                IS DISTINCT FROM
                (excluded.day, excluded.sale_id, excluded.expected, excluded.reported, excluded.delta,
                 excluded.expected_on, excluded.reported_on)";
    let parameters = params![
        ids,
        kinds,
        providers,
        days,
        sales,
        companies,
        installments,
        receivables,
        references,
        expected,
        reported,
        deltas,
        expected_on,
        reported_on,
        now,
    ];
    execute(client, sql, parameters).await.map(drop)
}

row! {
    impl FromRow for Difference {
        id: Uuid = "d.id",
        kind: DifferenceKind = "d.kind",
        provider: Provider = "d.provider",
        day: Date = "d.day",
        sale_id: Option<SaleId> = "d.sale_id",
        business_id: Option<BusinessId> = "d.business_id",
        business_name: Option<String> = "b.name",
        installment: u8 = "d.installment",
        reference: Option<String> = "d.reference",
        expected: Option<Cents> = "d.expected",
        reported: Option<Cents> = "d.reported",
        delta: Cents = "d.delta",
        expected_on: Option<Date> = "d.expected_on",
        reported_on: Option<Date> = "d.reported_on",
        import_id: Option<Uuid> = "r.import_id",
        file_name: Option<String> = "i.file_name",
        line: Option<u64> = "r.line",
        state: DifferenceState = "d.state",
        reason: Option<String> = "d.reason",
        resolved_by: Option<UserId> = "d.resolved_by",
        resolved_at: Option<DateTime<Utc>> = "d.resolved_at",
        version: i32 = "d.version",
        found_at: DateTime<Utc> = "d.found_at",
    } => Self {
        id,
        kind,
        provider,
        day,
        sale_id,
        business_id,
        business_name,
        installment,
        reference,
        expected,
        reported,
        delta,
        expected_on,
        reported_on,
        import_id,
        file_name,
        line,
        state,
        resolution: reason
            .zip(resolved_by)
            .zip(resolved_at)
            .map(|((reason, by), at)| Resolution { reason, by, at }),
        version,
        found_at,
    }
}

const WORDS: WordTable = WordTable {
    table: "settlement_difference_word",
    id: "difference_id",
    row: "d.id",
};

/// Selects differences, in the order of their days. A criterion that is `None` does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DifferenceFilter {
    pub provider: Option<Provider>,
    pub kind: Option<DifferenceKind>,
    pub state: Option<DifferenceState>,
    pub start: Option<Date>,
    pub end: Option<Date>,
    pub search: Option<WordSearch>,
    pub order: SortOrder,
}

impl List for DifferenceFilter {
    type Row = Difference;
    const TABLE: &'static str = "settlement_difference d";
    const JOINS: &'static str = "LEFT JOIN business b ON b.id = d.business_id
                                 LEFT JOIN acquirer_receivable r ON r.id = d.receivable_id
                                 LEFT JOIN settlement_import i ON i.id = r.import_id";
    const COUNTED_IN_ORDER: bool = true;

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("d.provider", &self.provider);
        list.equals("d.kind", &self.kind);
        list.equals("d.state", &self.state);
        list.days("d.day", &self.start, &self.end);
        list.search(WORDS, self.search.as_ref());
    }

    fn order(&self) -> Order {
        Order::by(&["d.day", "d.id"], self.order)
    }

    /// The page is found first, so that only its rows are joined.
    fn from(&self, page: &PageSql<'_>) -> String {
        page_first(page, Self::TABLE, Self::JOINS)
    }
}

/// The number of open differences. Counting stops at `CountLimit::LIST`.
pub async fn differences_open(client: &impl GenericClient) -> Result<i64, Error> {
    let sql =
        "SELECT count(*) FROM (SELECT FROM settlement_difference WHERE state = 'open' LIMIT $1) AS open";
    value(client, sql, params![CountLimit::LIST.last_row()]).await
}

pub async fn difference_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<Difference>, Error> {
    fetch_opt(client, &DifferenceFilter::select("WHERE d.id = $1"), params![id]).await
}

/// The difference, locked until the end of the caller's transaction.
pub async fn difference_locked(client: &impl GenericClient, id: Uuid) -> Result<Option<Difference>, Error> {
    let sql = DifferenceFilter::select("WHERE d.id = $1 FOR UPDATE OF d");
    fetch_opt(client, &sql, params![id]).await
}

/// The caller has locked the difference and checked that it is open.
pub async fn difference_resolve(
    client: &impl GenericClient,
    difference: &Difference,
    resolution: &Resolution,
) -> Result<(), Error> {
    let sql = "UPDATE settlement_difference
                  SET state = 'resolved', reason = $2, resolved_by = $3, resolved_at = $4, version = version + 1
                WHERE id = $1";
    let Resolution { reason, by, at } = resolution;
    execute(client, sql, params![difference.id, reason, by, at]).await?;
    count_open(client, difference, -1).await
}

/// The caller has locked the difference and checked that it is resolved.
pub async fn difference_reopen(client: &impl GenericClient, difference: &Difference) -> Result<(), Error> {
    let sql = "UPDATE settlement_difference
                  SET state = 'open', reason = NULL, resolved_by = NULL, resolved_at = NULL, version = version + 1
                WHERE id = $1";
    execute(client, sql, params![difference.id]).await?;
    count_open(client, difference, 1).await
}

/// A decision of staff changes no sum, so the day need not be summed up again.
async fn count_open(client: &impl GenericClient, difference: &Difference, by: i64) -> Result<(), Error> {
    let sql = "UPDATE settlement_day SET open_count = greatest(0, open_count + $3) WHERE provider = $1 AND day = $2";
    execute(client, sql, params![difference.provider, difference.day, by])
        .await
        .map(drop)
}
