//! Imports a settlement file, like an upload by staff. It also works while the platform runs.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use deadpool_postgres::Pool;
use gateway_environment::config::Config;
use gateway_environment::ids::Ids;
use gateway_environment::request_context::RequestContext;
use gateway_identity::audit::{Actor, Change, record};
use gateway_platform::reconciliation::{
    FileHead, ForeignFile, ImplausibleDate, Import, ImportState, NewUpload, PART_BYTES, Reconciliation,
    ReconciliationError, UploadCompletion, UploadOutcome, import_fetch, upload_add, upload_begin,
    upload_cancel, upload_complete, upload_remove_repeated,
};
use ledger_domain::calendar::{Date, business_date};
use ledger_domain::sale::Provider;
use sha2::{Digest, Sha256};
use thiserror::Error;
use uuid::Uuid;

use super::{CliError, Ending, print_line};
use crate::app::{Database, start_clock};

#[derive(Debug, Clone, Args)]
pub struct SettlementArguments {
    /// The acquirer: its number or its slug, such as zoop
    #[arg(long, value_parser = Provider::parse)]
    provider: Provider,
    /// A CNAB 240 or CNAB 400 return file or a card file
    file: PathBuf,
    /// Import the file even if its date is far in the future or in the past
    #[arg(long)]
    confirm_date: bool,
}

/// The limit of the column `file_name`.
const FILE_NAME_CHARACTERS_MAX: usize = 120;

#[derive(Debug, Error)]
pub enum SettlementFileError {
    #[error("the file is no CNAB 240 or CNAB 400 return file and no card file: {0:?}")]
    Format(ForeignFile),
    #[error("the file is of {0}; import it with --confirm-date if it is the right one")]
    Date(Date),
    #[error("no part of the file was stored for an hour, so the import has failed")]
    Interrupted,
    #[error("the import was removed while it was read")]
    Removed,
    #[error(transparent)]
    Reconciliation(#[from] ReconciliationError),
}

pub async fn import(config: Config, arguments: SettlementArguments) -> Result<Ending, CliError> {
    let database = Database::join(&config.database).await?;
    let job = Reconciliation {
        pool: database.pool().clone(),
        ids: Ids::new(config.keys.sales.clone()),
        clock: start_clock(&config, database.pool()).await?,
        acquirers: Arc::default(),
    };
    let imported = import_file(&job, &arguments).await;
    database.close().await;
    let import = imported?;
    print_line(&format!(
        "{} lines, {} payments, {} of them new or changed, {} bad lines",
        import.lines_read, import.records_read, import.records_changed, import.bad_lines
    ));
    let is_complete = import.state == ImportState::Done && import.bad_lines == 0;
    Ok(if is_complete {
        Ending::Done
    } else {
        Ending::Findings
    })
}

async fn import_file(job: &Reconciliation, arguments: &SettlementArguments) -> Result<Import, CliError> {
    let id = job.ids.new_uuid();
    let id = match upload(job, id, arguments).await? {
        UploadOutcome::New(id) => {
            // A running platform may take the file first; then this waits for it.
            while is_open(&job.pool, id).await? {
                job.run().await.map_err(SettlementFileError::from)?;
                tokio::time::sleep(std::time::Duration::from_millis(200)).await;
            }
            id
        }
        UploadOutcome::Repeated(id) => {
            print_line("The same file was imported before. Nothing changes.");
            id
        }
        UploadOutcome::Interrupted => return Err(SettlementFileError::Interrupted.into()),
    };
    let client = job.pool.get().await?;
    let import = import_fetch(&**client, id).await?;
    Ok(import.ok_or(SettlementFileError::Removed)?)
}

/// Stores the file in parts, as an upload by staff does.
async fn upload(
    job: &Reconciliation,
    id: Uuid,
    arguments: &SettlementArguments,
) -> Result<UploadOutcome, CliError> {
    let path = &arguments.file;
    let mut file = File::open(path).map_err(|source| file_error(path, source))?;
    let mut part = next_part(&mut file).map_err(|source| file_error(path, source))?;
    let head = FileHead::of_beginning(&part).map_err(SettlementFileError::Format)?;
    let implausible = head.implausible_date(business_date(job.clock.now()));
    if let Some(date) = implausible.filter(|_| !arguments.confirm_date) {
        let (ImplausibleDate::OfFile(date) | ImplausibleDate::OfPayments(date)) = date;
        return Err(SettlementFileError::Date(date).into());
    }
    let name = path.file_name().map(|name| name.to_string_lossy());
    let name: Option<String> = name.map(|name| {
        let printable = name.chars().filter(|c| !c.is_control());
        printable.take(FILE_NAME_CHARACTERS_MAX).collect()
    });
    let upload = NewUpload {
        id,
        provider: arguments.provider,
        format: head.format,
        file_name: name.filter(|name| !name.is_empty()),
        imported_by: None,
        created_at: job.clock.now(),
    };
    let client = job.pool.get().await?;
    upload_begin(&**client, &upload).await?;
    let mut hash = Sha256::new();
    for number in 0.. {
        if part.is_empty() {
            break;
        }
        hash.update(&part);
        if !upload_add(&**client, id, number, &part).await? {
            return Ok(UploadOutcome::Interrupted);
        }
        part = match next_part(&mut file) {
            Ok(part) => part,
            Err(source) => {
                upload_cancel(&**client, id).await?;
                return Err(file_error(path, source));
            }
        };
    }
    drop(client);
    complete_upload(job, id, &hash.finalize()).await
}

/// Completes the upload and records it in the audit log, in one transaction.
async fn complete_upload(job: &Reconciliation, id: Uuid, sha256: &[u8]) -> Result<UploadOutcome, CliError> {
    let mut client = job.pool.get().await?;
    let tx = client.transaction().await?;
    match upload_complete(&*tx, id, sha256).await? {
        UploadCompletion::Waiting => {
            let import = import_fetch(&*tx, id).await?;
            let import = import.ok_or(SettlementFileError::Removed)?;
            let change = Change {
                action: "create",
                subject: "settlement_import",
                subject_id: &id.to_string(),
                before: None,
                after: Some(import.audit_facts()),
            };
            let context = RequestContext {
                clock: job.clock,
                ..RequestContext::default()
            };
            context.scope(record(&*tx, Actor::System, change)).await?;
            tx.commit().await?;
            Ok(UploadOutcome::New(id))
        }
        UploadCompletion::Repeated => {
            tx.rollback().await?;
            Ok(UploadOutcome::Repeated(
                upload_remove_repeated(&**client, id, sha256).await?,
            ))
        }
        UploadCompletion::Interrupted => Ok(UploadOutcome::Interrupted),
    }
}

fn next_part(file: &mut File) -> std::io::Result<Vec<u8>> {
    let mut part = Vec::with_capacity(PART_BYTES);
    file.take(PART_BYTES as u64).read_to_end(&mut part)?;
    Ok(part)
}

async fn is_open(pool: &Pool, id: Uuid) -> Result<bool, CliError> {
    let client = pool.get().await?;
    let import = import_fetch(&**client, id).await?;
    Ok(import.is_some_and(|import| !matches!(import.state, ImportState::Done | ImportState::Failed)))
}

fn file_error(path: &Path, source: std::io::Error) -> CliError {
    CliError::File {
        path: path.to_owned(),
        source,
    }
}
