//! Receives a settlement file in parts. No database connection is kept between two parts, because a sender may be slow.

use chrono::{DateTime, Utc};
use ledger_domain::ids::UserId;
use ledger_domain::sale::Provider;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::files::FileFormat;
use super::provider_number;

/// 2 GiB: about three million lines of a card file.
pub const FILE_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;
/// Half of the length that a row of `settlement_file_part` may have.
pub const PART_BYTES: usize = 512 * 1024;

#[derive(Debug, Clone)]
pub struct NewUpload {
    pub id: Uuid,
    pub provider: Provider,
    pub format: FileFormat,
    pub file_name: Option<String>,
    /// `None`: the command line.
    pub imported_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadOutcome {
    New(Uuid),
    /// The file is not stored again. The id is that of the earlier import of the same file for this acquirer.
    Repeated(Uuid),
    /// No part arrived for an hour, and the job has ended the import as failed.
    Interrupted,
}

/// The result of completing an upload whose parts are all stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadCompletion {
    /// The file waits for the job.
    Waiting,
    /// The same file of this acquirer was imported before.
    Repeated,
    /// See `UploadOutcome::Interrupted`.
    Interrupted,
}

pub async fn upload_begin(client: &impl GenericClient, upload: &NewUpload) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO settlement_import (id, source, provider, format, file_name, state, imported_by, created_at)
             VALUES ($1, 'file', $2, $3, $4, 'receiving', $5, $6)",
            &[
                (&upload.id, Type::UUID),
                (&provider_number(upload.provider), Type::INT2),
                (&upload.format.as_str(), Type::TEXT),
                (&upload.file_name, Type::TEXT),
                (&upload.imported_by.map(UserId::uuid), Type::UUID),
                (&upload.created_at, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

/// Stores one part. `number` begins at 0. False if nothing is stored, because the import was interrupted.
pub async fn upload_add(
    client: &impl GenericClient,
    import: Uuid,
    number: i32,
    part: &[u8],
) -> Result<bool, Error> {
    let stored = client
        .execute_typed(
            "WITH import AS (
                UPDATE settlement_import SET byte_count = byte_count + length($3), worked_at = clock_timestamp()
                 WHERE id = $1 AND state = 'receiving'
                RETURNING id)
             INSERT INTO settlement_file_part (import_id, number, content) SELECT id, $2, $3 FROM import",
            &[(&import, Type::UUID), (&number, Type::INT4), (&part, Type::BYTEA)],
        )
        .await?;
    Ok(stored > 0)
}

/// Ends an upload whose parts are all stored. Removes the upload if the same file was imported before.
///
/// Call it outside a transaction, because `upload_complete` may abort one.
pub async fn upload_end(
    client: &impl GenericClient,
    import: Uuid,
    sha256: &[u8],
) -> Result<UploadOutcome, Error> {
    Ok(match upload_complete(client, import, sha256).await? {
        UploadCompletion::Waiting => UploadOutcome::New(import),
        UploadCompletion::Repeated => {
            UploadOutcome::Repeated(upload_remove_repeated(client, import, sha256).await?)
        }
        UploadCompletion::Interrupted => UploadOutcome::Interrupted,
    })
}

/// Lets the job read a file whose parts are all stored.
///
/// A repeated file is found by a unique violation, which aborts the transaction of `client` if there is one. Roll it
/// back before `upload_remove_repeated`.
pub async fn upload_complete(
    client: &impl GenericClient,
    import: Uuid,
    sha256: &[u8],
) -> Result<UploadCompletion, Error> {
    let completed = client
        .execute_typed(
            "UPDATE settlement_import SET state = 'waiting', sha256 = $2, worked_at = clock_timestamp()
              WHERE id = $1 AND state = 'receiving'",
            &[(&import, Type::UUID), (&sha256, Type::BYTEA)],
        )
        .await;
    match completed {
        Ok(0) => Ok(UploadCompletion::Interrupted),
        Ok(_) => Ok(UploadCompletion::Waiting),
        Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => Ok(UploadCompletion::Repeated),
        Err(error) => Err(error),
    }
}

/// Removes an upload that repeats an earlier file. Returns the import of the earlier file.
pub async fn upload_remove_repeated(
    client: &impl GenericClient,
    import: Uuid,
    sha256: &[u8],
) -> Result<Uuid, Error> {
    let first = client
        .query_typed_one(
            "SELECT first.id FROM settlement_import own
               JOIN settlement_import first ON first.provider = own.provider AND first.sha256 = $2
                                           AND first.state <> 'failed'
              WHERE own.id = $1",
            &[(&import, Type::UUID), (&sha256, Type::BYTEA)],
        )
        .await?;
    upload_cancel(client, import).await?;
    Ok(first.get(0))
}

/// Removes an upload whose parts did not all arrive, or that repeats an earlier file.
pub async fn upload_cancel(client: &impl GenericClient, import: Uuid) -> Result<(), Error> {
    let sql = "DELETE FROM settlement_import WHERE id = $1 AND state = 'receiving'";
    client
        .execute_typed(sql, &[(&import, Type::UUID)])
        .await
        .map(drop)
}

/// One part of a stored file; `None` after the last one.
pub(super) async fn part(
    client: &impl GenericClient,
    import: Uuid,
    number: i32,
) -> Result<Option<Vec<u8>>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT content FROM settlement_file_part WHERE import_id = $1 AND number = $2",
            &[(&import, Type::UUID), (&number, Type::INT4)],
        )
        .await?;
    Ok(row.map(|row| row.get(0)))
}
