//! The rows of imports: their state, their progress and their bad lines.

use chrono::{DateTime, Utc};
use ledger_domain::calendar::Date;
use ledger_domain::ids::UserId;
use ledger_domain::sale::Provider;
use ledger_rows::{FromRow, execute, fetch, fetch_opt, params, row};
use projections::SortOrder;
use serde_json::{Value, json};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::files::{BadRecord, FileFormat, MendedRecord};
use crate::list::{Conditions, List, Order};

/// The most bad lines of an import that are kept.
const BAD_LINES_KEPT: i64 = 1_000;

ledger_domain::words! {
    /// receiving: the file is arriving. waiting: the job has not begun to read it. reading: see bytes_read. failed: see
    /// failure.
    pub enum ImportState {
        Receiving = "receiving",
        Waiting = "waiting",
        Reading = "reading",
        Done = "done",
        Failed = "failed",
    }
}

ledger_domain::words! {
    /// interrupted: the sender or the program stopped. unreadable: the stored file cannot be read. no_answer: the
    /// acquirer did not answer. nothing_taken: no line gave a payment, and some are bad lines.
    pub enum ImportFailure {
        /// A file: no part arrived for an hour, or its reading stopped too often. A call: its reading stopped.
        Interrupted = "interrupted",
        /// No import fails this way now, but rows and the API have the word.
        Unreadable = "unreadable",
        /// The acquirer did not give the list of its payments, or not all of it.
        NoAnswer = "no_answer",
        /// Some lines could not be read or wait for staff. A file can be uploaded again.
        NothingTaken = "nothing_taken",
    }
}

row! {
    /// A file, or a call that asks the acquirer for its payments of a day.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Import {
        pub id: Uuid,
        pub provider: Provider,
        /// `None`: a call.
        pub format: Option<FileFormat>,
        pub file_name: Option<String>,
        /// The day of a call. `None`: a file.
        pub day: Option<Date>,
        pub state: ImportState,
        /// Only if it failed.
        pub failure: Option<ImportFailure>,
        pub byte_count: u64,
        pub bytes_read: u64,
        pub lines_read: u64,
        /// Records about payments.
        pub records_read: u64,
        /// The rows that were new, had other figures than before, or were repeated in the file.
        pub records_changed: u64,
        pub bad_lines: u64,
        /// In hexadecimal digits. `None`: a call, or a file that has not arrived.
        pub sha256: Option<String> = "encode(sha256, 'hex')",
        /// `None`: the command line or the daily call.
        pub imported_by: Option<UserId>,
        pub created_at: DateTime<Utc>,
        pub ended_at: Option<DateTime<Utc>>,
    }
}

impl Import {
    /// The facts of a new import, for its audit entry.
    pub fn audit_facts(&self) -> Value {
        json!({
            "provider": self.provider, "file_name": self.file_name, "bytes": self.byte_count, "sha256": self.sha256,
        })
    }
}

row! {
    #[derive(Debug, Clone, PartialEq)]
    pub struct BadLineRecord {
        pub line: u64,
        pub reason: String,
        pub parameters: Value,
    }
}

row! {
    /// What was mended in an import, the first line that has it, and the number of lines that have it.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ImportWarning {
        pub reason: String,
        pub parameters: Value,
        pub line: u64,
        pub count: u64,
    }
}

/// Selects imports, the latest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportFilter {
    pub provider: Option<Provider>,
}

impl List for ImportFilter {
    type Row = Import;
    const TABLE: &'static str = "settlement_import";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("provider", &self.provider);
    }

    fn order(&self) -> Order {
        Order::by(&["created_at", "id"], SortOrder::Desc)
    }
}

/// The kept bad lines of an import, by line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadLinesOf(pub Uuid);

impl List for BadLinesOf {
    type Row = BadLineRecord;
    const TABLE: &'static str = "settlement_bad_line";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        let import = list.parameter(&self.0);
        list.and(format!("import_id = {import}"));
    }

    fn order(&self) -> Order {
        Order::by(&["line"], SortOrder::Asc)
    }
}

pub async fn import_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<Import>, Error> {
    fetch_opt(client, &ImportFilter::select("WHERE id = $1"), params![id]).await
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
    let texts: Vec<String> = bad.iter().map(|bad| bad.parameters.to_string()).collect();
    let sql = "INSERT INTO settlement_bad_line (import_id, line, reason, parameters)
               SELECT $1, line, reason, parameters::json
                 FROM unnest($2::bigint[], $3::text[], $4::text[]) AS bad (line, reason, parameters)
                LIMIT greatest(0, $5 - (SELECT count(*) FROM settlement_bad_line WHERE import_id = $1))
               ON CONFLICT DO NOTHING";
    execute(
        client,
        sql,
        params![import, lines, reasons, texts, BAD_LINES_KEPT],
    )
    .await
    .map(drop)
}

/// Adds what was mended in a batch.
pub(super) async fn warnings_add(
    client: &impl GenericClient,
    import: Uuid,
    mended: &[MendedRecord],
) -> Result<(), Error> {
    for MendedRecord {
        reason,
        parameters,
        line,
        count,
    } in mended
    {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        client
            .execute_typed(
                "INSERT INTO settlement_warning AS w (import_id, reason, parameters, line, count)
                 VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (import_id, reason, parameters) DO UPDATE
                    SET count = w.count + excluded.count, line = least(w.line, excluded.line)",
                &[
                    (&import, Type::UUID),
                    (reason, Type::TEXT),
                    (&Json(parameters), Type::JSONB),
                    (&number(*line), Type::INT8),
                    (&number(*count), Type::INT8),
                ],
            )
            .await?;
    }
    Ok(())
}

/// What was mended in an import, by the first line.
pub async fn import_warnings(client: &impl GenericClient, import: Uuid) -> Result<Vec<ImportWarning>, Error> {
    let sql = format!(
        "SELECT {} FROM settlement_warning WHERE import_id = $1 ORDER BY line, reason, parameters",
        ImportWarning::COLUMNS
    );
    fetch(client, &sql, params![import]).await
}
