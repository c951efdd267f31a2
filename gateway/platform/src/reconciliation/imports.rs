//! The rows of imports: their state, their progress and their bad lines.

use chrono::{DateTime, Utc};
use ledger_domain::calendar::Date;
use ledger_domain::ids::UserId;
use ledger_domain::sale::Provider;
use projections::{CountLimit, Page, Paging};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::files::{BadRecord, FileFormat};
use super::provider_number;
use crate::columns::{self, column_words};

/// The most bad lines of an import that are kept.
const BAD_LINES_KEPT: i64 = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportState {
    /// The parts of the file are arriving.
    Receiving,
    /// The whole file is stored, and the job has not begun to read it.
    Waiting,
    Reading,
    Done,
    Failed(ImportFailure),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportFailure {
    /// A file: no part arrived for an hour, or its reading stopped too often. A call: its reading stopped.
    Interrupted,
    /// The stored file could not be read. No import fails this way now, but rows and the API have the word.
    Unreadable,
    /// The acquirer did not give the list of its payments, or not all of it.
    NoAnswer,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportSource {
    File {
        format: FileFormat,
        name: Option<String>,
    },
    /// A call that asks the acquirer for its payments of a day.
    Receivables { day: Date },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    pub id: Uuid,
    pub provider: Provider,
    pub source: ImportSource,
    pub state: ImportState,
    pub byte_count: u64,
    pub bytes_read: u64,
    pub lines_read: u64,
    /// Records about payments.
    pub records_read: u64,
    /// The rows that were new, had other figures than before, or were repeated in the file.
    pub records_changed: u64,
    pub bad_lines: u64,
    pub sha256: Option<Vec<u8>>,
    /// `None`: the command line or the daily call.
    pub imported_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

impl Import {
    /// The facts of a new import, for its audit entry.
    pub fn audit_facts(&self) -> serde_json::Value {
        let file_name = match &self.source {
            ImportSource::File { name, .. } => name.as_deref(),
            ImportSource::Receivables { .. } => None,
        };
        serde_json::json!({
            "provider": self.provider, "file_name": file_name, "bytes": self.byte_count,
            "sha256": self.sha256.as_ref().map(hex::encode),
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct BadLineRecord {
    pub line: u64,
    pub reason: String,
    pub parameters: serde_json::Value,
}

const COLUMNS: &str =
    "id, provider, source, format, file_name, day, state, failure, byte_count, bytes_read, lines_read,
                       records_read, records_changed, bad_lines, sha256, imported_by, created_at, ended_at";

/// The latest first.
pub async fn imports_list(
    client: &impl GenericClient,
    provider: Option<Provider>,
    paging: Paging,
) -> Result<Page<Import>, Error> {
    let (limit, offset) = CountLimit::LIST.range(paging);
    let number = provider.map(provider_number);
    let which = "($1::smallint IS NULL OR provider = $1)";
    let rows = client
        .query_typed(
            &format!(
                "SELECT {COLUMNS} FROM settlement_import WHERE {which}
                  ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3"
            ),
            &[(&number, Type::INT2), (&limit, Type::INT8), (&offset, Type::INT8)],
        )
        .await?;
    let list = format!("settlement_import WHERE {which}");
    CountLimit::LIST
        .counted_page(
            client,
            rows.iter().map(import).collect::<Result<_, Error>>()?,
            &list,
            vec![(&number, Type::INT2)],
        )
        .await
}

pub async fn import_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<Import>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM settlement_import WHERE id = $1");
    let row = client.query_typed_opt(&sql, &[(&id, Type::UUID)]).await?;
    row.as_ref().map(import).transpose()
}

/// The kept bad lines of an import, by line.
pub async fn bad_lines(
    client: &impl GenericClient,
    import: Uuid,
    paging: Paging,
) -> Result<Page<BadLineRecord>, Error> {
    let (limit, offset) = CountLimit::LIST.range(paging);
    let rows = client
        .query_typed(
            "SELECT line, reason, parameters FROM settlement_bad_line WHERE import_id = $1 ORDER BY line
              LIMIT $2 OFFSET $3",
            &[(&import, Type::UUID), (&limit, Type::INT8), (&offset, Type::INT8)],
        )
        .await?;
    let counted = client
        .query_typed_one(
            "SELECT count(*) FROM settlement_bad_line WHERE import_id = $1",
            &[(&import, Type::UUID)],
        )
        .await?;
    let bad_line = |row: &Row| {
        let Json(parameters) = row.get(2);
        BadLineRecord {
            line: row.get::<_, i64>(0).unsigned_abs(),
            reason: row.get(1),
            parameters,
        }
    };
    Ok(CountLimit::LIST.page(rows.iter().map(bad_line).collect(), counted.get(0)))
}

/// Keeps the first bad lines of an import, and one reason for each line.
pub(super) async fn bad_lines_add(
    client: &impl GenericClient,
    import: Uuid,
    bad: &[BadRecord],
) -> Result<(), Error> {
    if bad.is_empty() {
        return Ok(());
    }
    let lines: Vec<i64> = bad
        .iter()
        .map(|bad| i64::try_from(bad.line).unwrap_or(i64::MAX))
        .collect();
    let reasons: Vec<&str> = bad.iter().map(|bad| bad.reason).collect();
    let parameters: Vec<String> = bad.iter().map(|bad| bad.parameters.to_string()).collect();
    client
        .execute_typed(
            "INSERT INTO settlement_bad_line (import_id, line, reason, parameters)
             SELECT $1, line, reason, parameters::json
               FROM unnest($2::bigint[], $3::text[], $4::text[]) AS bad (line, reason, parameters)
              LIMIT greatest(0, $5 - (SELECT count(*) FROM settlement_bad_line WHERE import_id = $1))
             ON CONFLICT DO NOTHING",
            &[
                (&import, Type::UUID),
                (&lines, Type::INT8_ARRAY),
                (&reasons, Type::TEXT_ARRAY),
                (&parameters, Type::TEXT_ARRAY),
                (&BAD_LINES_KEPT, Type::INT8),
            ],
        )
        .await
        .map(drop)
}

fn import(row: &Row) -> Result<Import, Error> {
    let count = |column: &str| row.get::<_, i64>(column).unsigned_abs();
    let day: Option<Date> = row.get("day");
    let failure: Option<ImportFailure> = columns::read_opt(row, "failure")?;
    Ok(Import {
        id: row.get("id"),
        provider: columns::read(row, "provider")?,
        source: match day {
            Some(day) => ImportSource::Receivables { day },
            None => ImportSource::File {
                format: columns::read(row, "format")?,
                name: row.get("file_name"),
            },
        },
        state: match failure {
            Some(failure) => ImportState::Failed(failure),
            None => columns::read(row, "state")?,
        },
        byte_count: count("byte_count"),
        bytes_read: count("bytes_read"),
        lines_read: count("lines_read"),
        records_read: count("records_read"),
        records_changed: count("records_changed"),
        bad_lines: count("bad_lines"),
        sha256: row.get("sha256"),
        imported_by: row.get::<_, Option<Uuid>>("imported_by").map(UserId::from_uuid),
        created_at: row.get("created_at"),
        ended_at: row.get("ended_at"),
    })
}

column_words! {
    // A failed import has a failure, which is read first.
    ImportState = "state of an import" |word| match word {
        "receiving" => Some(Self::Receiving),
        "waiting" => Some(Self::Waiting),
        "reading" => Some(Self::Reading),
        "done" => Some(Self::Done),
        _ => None,
    };
    ImportFailure = "failure of an import" |word| match word {
        "interrupted" => Some(Self::Interrupted),
        "unreadable" => Some(Self::Unreadable),
        "no_answer" => Some(Self::NoAnswer),
        _ => None,
    };
}
