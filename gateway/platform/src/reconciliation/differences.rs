//! The rows of differences: written after comparisons, and resolved or reopened by staff.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use ledger_domain::calendar::Date;
use ledger_domain::ids::UserId;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, Cents, SaleId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::compare::{DifferenceKind, InstallmentDifference};
use super::provider_number;
use super::stored_rows::InstallmentKey;
use crate::columns::{self, column_words};

/// The namespace of the derived ids: random, and never changed, so that a difference keeps its id.
const NAMESPACE: Uuid = Uuid::from_u128(0x6b1d_92f4_0c57_4a8e_9d3a_51f7_2ce8_84b6);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DifferenceState {
    Open,
    Resolved,
    /// A later comparison no longer finds it.
    Gone,
}

impl DifferenceState {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Resolved => "resolved",
            Self::Gone => "gone",
        }
    }
}

column_words! {
    DifferenceState = "state of a difference"
        |word| [Self::Open, Self::Resolved, Self::Gone].into_iter().find(|state| state.as_str() == word);
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
    let sales: Vec<Uuid> = scope.installments.iter().map(|(sale, _)| sale.uuid()).collect();
    let installments: Vec<i16> = scope
        .installments
        .iter()
        .map(|(_, number)| i16::from(*number))
        .collect();
    let gone = client
        .query_typed(
            "UPDATE settlement_difference d
                SET state = 'gone', reason = NULL, resolved_by = NULL, resolved_at = NULL, version = d.version + 1
              WHERE d.id IN (SELECT id FROM settlement_difference WHERE receivable_id = ANY ($1)
                             UNION
                             SELECT id FROM unnest($2::uuid[], $3::int2[]) AS asked (sale_id, installment)
                               JOIN settlement_difference USING (sale_id, installment))
                AND d.state <> 'gone' AND d.id <> ALL ($4)
             RETURNING d.provider, d.day",
            &[
                (&scope.row_ids, Type::INT8_ARRAY),
                (&sales, Type::UUID_ARRAY),
                (&installments, Type::INT2_ARRAY),
                (&ids, Type::UUID_ARRAY),
            ],
        )
        .await?;
    let mut days: BTreeSet<_> = gone.iter().map(provider_and_day).collect::<Result<_, Error>>()?;
    if !found.is_empty() {
        days.extend(stored_days(client, &ids).await?);
        write(client, now, &ids, found).await?;
        days.extend(found.iter().map(|found| (found.provider, found.day)));
    }
    Ok(days)
}

/// The days under which these differences are stored so far.
async fn stored_days(client: &impl GenericClient, ids: &[Uuid]) -> Result<Vec<(Provider, Date)>, Error> {
    let rows = client
        .query_typed(
            "SELECT DISTINCT provider, day FROM settlement_difference WHERE id = ANY ($1)",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    rows.iter().map(provider_and_day).collect()
}

fn provider_and_day(row: &Row) -> Result<(Provider, Date), Error> {
    Ok((columns::read(row, 0)?, row.get(1)))
}

/// A row that exists becomes open again if it is gone or has other figures; otherwise it stays.
async fn write(
    client: &impl GenericClient,
    now: DateTime<Utc>,
    ids: &[Uuid],
    found: &[LocatedDifference],
) -> Result<(), Error> {
    let kinds: Vec<_> = found.iter().map(|row| row.found.kind.as_str()).collect();
    let providers: Vec<_> = found.iter().map(|row| provider_number(row.provider)).collect();
    let days: Vec<_> = found.iter().map(|row| row.day).collect();
    let sales: Vec<_> = found.iter().map(|row| row.sale_id.map(SaleId::uuid)).collect();
    let companies: Vec<_> = found
        .iter()
        .map(|row| row.business_id.map(BusinessId::uuid))
        .collect();
    let installments: Vec<_> = found.iter().map(|row| i16::from(row.installment)).collect();
    let receivables: Vec<_> = found.iter().map(|row| row.found.row_id).collect();
    let references: Vec<_> = found.iter().map(|row| row.reference.as_deref()).collect();
    let expected: Vec<_> = found
        .iter()
        .map(|row| row.found.expected.map(Cents::get))
        .collect();
    let reported: Vec<_> = found
        .iter()
        .map(|row| row.found.reported.map(Cents::get))
        .collect();
    let deltas: Vec<_> = found.iter().map(|row| row.found.delta).collect();
    let expected_on: Vec<_> = found.iter().map(|row| row.found.expected_on).collect();
    let reported_on: Vec<_> = found.iter().map(|row| row.found.reported_on).collect();
    client
        .execute_typed(
            "INSERT INTO settlement_difference AS d
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
                     excluded.expected_on, excluded.reported_on)",
            &[
                (&ids, Type::UUID_ARRAY),
                (&kinds, Type::TEXT_ARRAY),
                (&providers, Type::INT2_ARRAY),
                (&days, Type::DATE_ARRAY),
                (&sales, Type::UUID_ARRAY),
                (&companies, Type::UUID_ARRAY),
                (&installments, Type::INT2_ARRAY),
                (&receivables, Type::INT8_ARRAY),
                (&references, Type::TEXT_ARRAY),
                (&expected, Type::INT8_ARRAY),
                (&reported, Type::INT8_ARRAY),
                (&deltas, Type::INT8_ARRAY),
                (&expected_on, Type::DATE_ARRAY),
                (&reported_on, Type::DATE_ARRAY),
                (&now, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

/// The columns of a difference `d`, with its company `b`, the acquirer's row `r` and its import `i`.
pub(super) const COLUMNS: &str =
    "d.id, d.kind, d.provider, d.day, d.sale_id, d.business_id, b.name AS business_name,
    d.installment, d.reference, d.expected, d.reported, d.delta, d.expected_on, d.reported_on, r.import_id,
    i.file_name, r.line, d.state, d.reason, d.resolved_by, d.resolved_at, d.version, d.found_at";
pub(super) const JOINED: &str = "LEFT JOIN business b ON b.id = d.business_id
    LEFT JOIN acquirer_receivable r ON r.id = d.receivable_id
    LEFT JOIN settlement_import i ON i.id = r.import_id";

pub async fn difference_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<Difference>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM settlement_difference d {JOINED} WHERE d.id = $1");
    let row = client.query_typed_opt(&sql, &[(&id, Type::UUID)]).await?;
    row.as_ref().map(difference).transpose()
}

/// The difference, locked until the end of the caller's transaction.
pub async fn difference_locked(client: &impl GenericClient, id: Uuid) -> Result<Option<Difference>, Error> {
    let sql =
        format!("SELECT {COLUMNS} FROM settlement_difference d {JOINED} WHERE d.id = $1 FOR UPDATE OF d");
    let row = client.query_typed_opt(&sql, &[(&id, Type::UUID)]).await?;
    row.as_ref().map(difference).transpose()
}

/// The caller has locked the difference and checked that it is open.
pub async fn difference_resolve(
    client: &impl GenericClient,
    difference: &Difference,
    resolution: &Resolution,
) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE settlement_difference
                SET state = 'resolved', reason = $2, resolved_by = $3, resolved_at = $4, version = version + 1
              WHERE id = $1",
            &[
                (&difference.id, Type::UUID),
                (&resolution.reason, Type::TEXT),
                (&resolution.by.uuid(), Type::UUID),
                (&resolution.at, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    count_open(client, difference, -1).await
}

/// The caller has locked the difference and checked that it is resolved.
pub async fn difference_reopen(client: &impl GenericClient, difference: &Difference) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE settlement_difference
                SET state = 'open', reason = NULL, resolved_by = NULL, resolved_at = NULL, version = version + 1
              WHERE id = $1",
            &[(&difference.id, Type::UUID)],
        )
        .await?;
    count_open(client, difference, 1).await
}

/// A decision of staff changes no sum, so the day need not be summed up again.
async fn count_open(client: &impl GenericClient, difference: &Difference, by: i64) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE settlement_day SET open_count = greatest(0, open_count + $3) WHERE provider = $1 AND day = $2",
            &[
                (&provider_number(difference.provider), Type::INT2),
                (&difference.day, Type::DATE),
                (&by, Type::INT8),
            ],
        )
        .await
        .map(drop)
}

pub(super) fn difference(row: &Row) -> Result<Difference, Error> {
    let cents = |column: &str| row.get::<_, Option<i64>>(column).map(Cents::new);
    let by = row.get::<_, Option<Uuid>>("resolved_by").map(UserId::from_uuid);
    let resolution = by.zip(row.get::<_, Option<String>>("reason"));
    Ok(Difference {
        id: row.get("id"),
        kind: columns::read(row, "kind")?,
        provider: columns::read(row, "provider")?,
        day: row.get("day"),
        sale_id: row.get::<_, Option<Uuid>>("sale_id").map(SaleId::from_uuid),
        business_id: row
            .get::<_, Option<Uuid>>("business_id")
            .map(BusinessId::from_uuid),
        business_name: row.get("business_name"),
        installment: columns::read(row, "installment")?,
        reference: row.get("reference"),
        expected: cents("expected"),
        reported: cents("reported"),
        delta: Cents::new(row.get("delta")),
        expected_on: row.get("expected_on"),
        reported_on: row.get("reported_on"),
        import_id: row.get("import_id"),
        file_name: row.get("file_name"),
        line: row.get::<_, Option<i64>>("line").map(i64::unsigned_abs),
        state: columns::read(row, "state")?,
        resolution: resolution
            .zip(row.get::<_, Option<DateTime<Utc>>>("resolved_at"))
            .map(|((by, reason), at)| Resolution { reason, by, at }),
        version: row.get("version"),
        found_at: row.get("found_at"),
    })
}
