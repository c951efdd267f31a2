//! The lists of differences and of reported rows: one page, or all in batches.

use chrono::{DateTime, Utc};
use ledger_domain::calendar::Date;
use ledger_domain::sale::Provider;
use ledger_domain::{Cents, SaleId};
use projections::{CountLimit, ExportPage, Page, Paging, SortOrder};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::compare::DifferenceKind;
use super::differences::{self, Difference, DifferenceState};
use super::provider_number;
use super::reported::EntryKind;
use crate::columns;
use crate::word_search::{WordSearch, WordTable};

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

/// Selects the rows that acquirers reported, in the order of their days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReceivableFilter {
    pub provider: Option<Provider>,
    pub start: Option<Date>,
    pub end: Option<Date>,
    pub order: SortOrder,
}

/// The position of a batch's last row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListCursor<Id> {
    day: Date,
    id: Id,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivableRecord {
    pub id: i64,
    pub provider: Provider,
    pub reference: String,
    pub installment: u8,
    pub entry: EntryKind,
    pub sale_id: Option<SaleId>,
    pub gross: Cents,
    pub cost: Cents,
    pub net: Cents,
    pub expected_on: Option<Date>,
    pub paid_on: Option<Date>,
    pub canceled: bool,
    pub day: Date,
    /// The number of its lines in the file.
    pub times: u32,
    pub import_id: Uuid,
    pub file_name: Option<String>,
    pub line: Option<u64>,
    pub reported_at: DateTime<Utc>,
}

pub async fn differences_list(
    client: &impl GenericClient,
    filter: &DifferenceFilter,
    paging: Paging,
) -> Result<Page<Difference>, Error> {
    let counting = CountLimit::when_searching(filter.search.is_some());
    let (limit, offset) = counting.range(paging);
    let rows = select(client, filter, None, limit, offset).await?;
    let statement = Statement::of(filter);
    let list = format!(
        "settlement_difference d WHERE {} ORDER BY d.day, d.id",
        statement.conditions
    );
    counting
        .counted_page(client, rows, &list, statement.parameters())
        .await
}

/// The number of open differences. Counting stops at `CountLimit::LIST`.
pub async fn differences_open(client: &impl GenericClient) -> Result<i64, Error> {
    let row = client
        .query_typed_one(
            "SELECT count(*) FROM (SELECT FROM settlement_difference WHERE state = 'open' LIMIT $1) AS open",
            &[(&CountLimit::LIST.last_row(), Type::INT8)],
        )
        .await?;
    Ok(row.get(0))
}

/// At most `limit` differences after the cursor.
pub async fn differences_batch(
    client: &impl GenericClient,
    filter: &DifferenceFilter,
    after: Option<ListCursor<Uuid>>,
    limit: u32,
) -> Result<ExportPage<Difference, ListCursor<Uuid>>, Error> {
    let limit = i64::from(limit);
    let rows = select(client, filter, after, limit, 0).await?;
    Ok(ExportPage::of(rows, limit, |last| ListCursor {
        day: last.day,
        id: last.id,
    }))
}

/// The filter's conditions and its SQL parameters `$1` to `$6`.
struct Statement {
    conditions: String,
    provider: Option<i16>,
    kind: Option<&'static str>,
    state: Option<&'static str>,
    start: Option<Date>,
    end: Option<Date>,
    terms: Option<Vec<String>>,
}

impl Statement {
    fn of(filter: &DifferenceFilter) -> Self {
        let searched = WORDS.condition(filter.search.as_ref(), "$6");
        Self {
            conditions: format!(
                "($1::smallint IS NULL OR d.provider = $1) AND ($2::text IS NULL OR d.kind = $2)
             AND ($3::text IS NULL OR d.state = $3) AND ($4::date IS NULL OR d.day >= $4)
             AND ($5::date IS NULL OR d.day <= $5) AND {searched}"
            ),
            provider: filter.provider.map(provider_number),
            kind: filter.kind.map(DifferenceKind::as_str),
            state: filter.state.map(DifferenceState::as_str),
            start: filter.start,
            end: filter.end,
            terms: WordSearch::terms(filter.search.as_ref()),
        }
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.provider, Type::INT2),
            (&self.kind, Type::TEXT),
            (&self.state, Type::TEXT),
            (&self.start, Type::DATE),
            (&self.end, Type::DATE),
            (&self.terms, Type::TEXT_ARRAY),
        ]
    }
}

const fn direction(order: SortOrder) -> (&'static str, &'static str) {
    match order {
        SortOrder::Asc => ("ASC", ">"),
        SortOrder::Desc => ("DESC", "<"),
    }
}

async fn select(
    client: &impl GenericClient,
    filter: &DifferenceFilter,
    after: Option<ListCursor<Uuid>>,
    limit: i64,
    offset: i64,
) -> Result<Vec<Difference>, Error> {
    let statement = Statement::of(filter);
    let (direction, operator) = direction(filter.order);
    let sql = format!(
        "SELECT {columns}
           FROM (SELECT * FROM settlement_difference d
                  WHERE {conditions} AND ($9::uuid IS NULL OR (d.day, d.id) {operator} ($10, $9))
                  ORDER BY d.day {direction}, d.id {direction} LIMIT $7 OFFSET $8) AS d {joined}
          ORDER BY d.day {direction}, d.id {direction}",
        columns = differences::COLUMNS,
        joined = differences::JOINED,
        conditions = statement.conditions,
    );
    let (id, day) = (after.map(|after| after.id), after.map(|after| after.day));
    let mut parameters = statement.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&offset, Type::INT8),
        (&id, Type::UUID),
        (&day, Type::DATE),
    ]);
    let rows = client.query_typed(&sql, &parameters).await?;
    rows.iter().map(differences::difference).collect()
}

/// The conditions of a `ReceivableFilter`: its provider is `$1`, its start `$2` and its end `$3`.
const RECEIVABLE_CONDITIONS: &str =
    "($1::smallint IS NULL OR r.provider = $1) AND ($2::date IS NULL OR r.day >= $2)
                     AND ($3::date IS NULL OR r.day <= $3)";

pub async fn receivables_list(
    client: &impl GenericClient,
    filter: &ReceivableFilter,
    paging: Paging,
) -> Result<Page<ReceivableRecord>, Error> {
    let (limit, offset) = CountLimit::LIST.range(paging);
    let rows = select_receivables(client, filter, None, limit, offset).await?;
    let provider = filter.provider.map(provider_number);
    let parameters: Vec<(&(dyn ToSql + Sync), Type)> = vec![
        (&provider, Type::INT2),
        (&filter.start, Type::DATE),
        (&filter.end, Type::DATE),
    ];
    let list = format!("acquirer_receivable r WHERE {RECEIVABLE_CONDITIONS} ORDER BY r.day, r.id");
    CountLimit::LIST
        .counted_page(client, rows, &list, parameters)
        .await
}

/// At most `limit` rows after the cursor.
pub async fn receivables_batch(
    client: &impl GenericClient,
    filter: &ReceivableFilter,
    after: Option<ListCursor<i64>>,
    limit: u32,
) -> Result<ExportPage<ReceivableRecord, ListCursor<i64>>, Error> {
    let limit = i64::from(limit);
    let rows = select_receivables(client, filter, after, limit, 0).await?;
    Ok(ExportPage::of(rows, limit, |last| ListCursor {
        day: last.day,
        id: last.id,
    }))
}

async fn select_receivables(
    client: &impl GenericClient,
    filter: &ReceivableFilter,
    after: Option<ListCursor<i64>>,
    limit: i64,
    offset: i64,
) -> Result<Vec<ReceivableRecord>, Error> {
    let (direction, operator) = direction(filter.order);
    let sql = format!(
        "SELECT r.*, i.file_name
           FROM (SELECT * FROM acquirer_receivable r
                  WHERE {RECEIVABLE_CONDITIONS} AND ($6::int8 IS NULL OR (r.day, r.id) {operator} ($7, $6))
                  ORDER BY r.day {direction}, r.id {direction} LIMIT $4 OFFSET $5) AS r
           JOIN settlement_import i ON i.id = r.import_id
          ORDER BY r.day {direction}, r.id {direction}"
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&filter.provider.map(provider_number), Type::INT2),
                (&filter.start, Type::DATE),
                (&filter.end, Type::DATE),
                (&limit, Type::INT8),
                (&offset, Type::INT8),
                (&after.map(|after| after.id), Type::INT8),
                (&after.map(|after| after.day), Type::DATE),
            ],
        )
        .await?;
    rows.iter().map(receivable).collect()
}

fn receivable(row: &Row) -> Result<ReceivableRecord, Error> {
    let cents = |column: &str| Cents::new(row.get(column));
    let repeated: Vec<i64> = row.get("repeated_lines");
    Ok(ReceivableRecord {
        id: row.get("id"),
        provider: columns::read(row, "provider")?,
        reference: row.get("reference"),
        installment: columns::read(row, "installment")?,
        entry: columns::read(row, "entry")?,
        sale_id: row.get::<_, Option<Uuid>>("sale_id").map(SaleId::from_uuid),
        gross: cents("gross"),
        cost: cents("cost"),
        net: cents("net"),
        expected_on: row.get("expected_on"),
        paid_on: row.get("paid_on"),
        canceled: row.get("canceled"),
        day: row.get("day"),
        times: 1 + u32::try_from(repeated.len()).unwrap_or(u32::MAX - 1),
        import_id: row.get("import_id"),
        file_name: row.get("file_name"),
        line: row.get::<_, Option<i64>>("line").map(i64::unsigned_abs),
        reported_at: row.get("reported_at"),
    })
}
