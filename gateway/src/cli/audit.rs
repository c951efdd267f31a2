//! The audit commands: run the checks and print their findings, sign heads, or accept a row. The checks are in
//! `ledger_store`, `projections`, `gateway_platform::effects` and `gateway_platform::row_chains`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gateway_environment::clock::BusinessClock;
use gateway_environment::config::{ChangeKey, CheckpointKeys, Config, ProofsConfig};
use gateway_outbox::{LOOKED_UP_FIRST_DAYS, note_restore};
use gateway_platform::effects::{self, payouts};
use gateway_platform::heads_outside::{HeadsOutside, last_heads};
use gateway_platform::row_chains::{self, Acceptance, RowFinding};
use ledger_store::audit::checkpoint;
use ledger_store::audit::export::{self, Heads};
use ledger_store::verify::{self, last};
use ledger_store::{Shard, tree_head};
use projections::replay;
use razao_verify::note::{Checkpoint, Witness};
use tokio_postgres::GenericClient;

use super::{AuditCommand, CliError, Ending, print_line, prove};
use crate::app::{Database, start_clock};

pub async fn audit(config: Config, command: AuditCommand) -> Result<Ending, CliError> {
    let database = Database::join(&config.database).await?;
    let keys = config.keys.checkpoint.get();
    let outcome = match command {
        AuditCommand::Verify { heads } => run_verify(&database, &keys, &config.proofs, &heads).await,
        AuditCommand::Prove(command) => prove::prove(&database, &keys, command).await,
        AuditCommand::Export { company, period, out } => {
            prove::export(&database, &keys, company, period, &out).await
        }
        AuditCommand::Accept { table, key, reason } => run_accept(&database, &table, &key, &reason).await,
        AuditCommand::Replay => run_replay(&database).await,
        AuditCommand::Checkpoint { out } => {
            let clock = start_clock(&config, database.pool()).await?;
            make_heads(&database, &config, keys.signing()?, clock, out.as_deref()).await
        }
    };
    database.close().await;
    outcome
}

/// Notes the restore first: the checks take long, and a program that somebody starts meanwhile must know it.
pub async fn restore_check(config: Config, heads: &[PathBuf]) -> Result<Ending, CliError> {
    let database = Database::join(&config.database).await?;
    let keys = config.keys.checkpoint.get();
    let checked = async {
        let client = database.pool().get().await?;
        note_restore(&**client).await?;
        print_line(&format!(
            "Noted: for {LOOKED_UP_FIRST_DAYS} days each payout, refund and charge is looked up before it is first sent."
        ));
        for open in payouts::open_by_status(&**client).await? {
            print_line(&format!(
                "open payouts, {}: {}, {} cents",
                open.status,
                open.payouts,
                open.amount.get()
            ));
        }
        drop(client);
        let verified = run_verify(&database, &keys, &config.proofs, heads).await?;
        let replayed = run_replay(&database).await?;
        Ok(match (verified, replayed) {
            (Ending::Done, Ending::Done) => Ending::Done,
            _ => Ending::Findings,
        })
    };
    let checked = checked.await;
    database.close().await;
    checked
}

const NO_OUTSIDE_HEADS: &str = "warning: no tree head from outside this database was given. A person who can rewrite \
                                the whole database can also delete its tree heads. Write them with `audit checkpoint \
                                --out FILE`, store the file elsewhere, and give it with `--head FILE`.";

const NO_CHANGE_KEY: &str = "warning: RAZAO_KEY_CHECKPOINT is not set, so it was not checked by whom changes outside the \
                             log were made; their chains and heads were.";

async fn run_verify(
    database: &Database,
    checkpoint: &CheckpointKeys,
    proofs: &ProofsConfig,
    files: &[PathBuf],
) -> Result<Ending, CliError> {
    let keys = checkpoint.verifying();
    if keys.is_empty() {
        return Err(CliError::NoPublicKey);
    }
    let mut outside = Heads::default();
    for path in files {
        let Heads {
            log,
            rows,
            checkpoints,
        } = read_heads(path)?;
        outside.log.extend(log);
        outside.rows.extend(rows);
        outside.checkpoints.extend(checkpoints);
    }
    let kept = outside_of(database, proofs)?.read().await?;
    outside.log.extend(kept.log);
    outside.rows.extend(kept.rows);
    outside.checkpoints.extend(kept.checkpoints);
    let mut report = |finding: &ledger_store::audit::Finding| print_line(&finding.to_string());
    let rows_outside = outside.rows.clone();
    let outside_count = outside.log.len() + outside.rows.len() + outside.checkpoints.len();
    let mut progress = every_second(|at: verify::Progress| {
        tracing::info!(events = at.events, of = at.recorded, "verifying");
    });
    let summary = verify::run(database.pool(), &keys, outside, &mut report, &mut progress).await?;
    let verify::Summary {
        events,
        businesses,
        tree_heads,
        findings,
    } = summary;
    print_line(&format!(
        "{businesses} businesses, {events} events, {tree_heads} tree heads, {findings} findings"
    ));
    print_checkpoints(&**database.pool().get().await?, &proofs.known_witnesses()).await?;
    let mut report = |finding: RowFinding| print_line(&finding.to_string());
    let change_keys: Vec<_> = checkpoint.ring.all().map(ChangeKey::of).collect();
    let rows =
        row_chains::verify::run(database.pool(), &change_keys, &keys, &rows_outside, &mut report).await?;
    print_line(&format!(
        "{} chains of rows, {} changes, {} heads, {} findings",
        rows.chains, rows.changes, rows.heads, rows.findings
    ));
    if change_keys.is_empty() {
        print_line(NO_CHANGE_KEY);
    }
    if outside_count == 0 {
        print_line(NO_OUTSIDE_HEADS);
    } else {
        print_line(&format!("compared with {outside_count} heads from outside"));
    }
    Ok(ending(findings + rows.findings))
}

fn outside_of(database: &Database, proofs: &ProofsConfig) -> Result<HeadsOutside, CliError> {
    let pool = database.pool().clone();
    Ok(HeadsOutside::new(pool, proofs.heads.as_ref())?)
}

/// Prints each shard's last checkpoint and who cosigned it.
async fn print_checkpoints(client: &impl GenericClient, witnesses: &[Witness]) -> Result<(), CliError> {
    for shard in Shard::all() {
        let Some(note) = checkpoint::latest(client, shard).await? else {
            continue;
        };
        let cosigned = match note.cosigned_by(witnesses) {
            Ok(cosigned) => cosigned,
            Err(reason) => {
                print_line(&format!(
                    "warning: shard {shard}: a cosignature is not valid: {reason}"
                ));
                continue;
            }
        };
        let seen = cosigned
            .iter()
            .map(|seen| format!("{} at {}", seen.witness, seen.at));
        let seen: Vec<_> = seen.collect();
        let by = if seen.is_empty() {
            "no known witness".to_owned()
        } else {
            seen.join(", ")
        };
        let size = note.checkpoint.events.size;
        print_line(&format!(
            "shard {shard}: checkpoint of {size} events, cosigned by {by}"
        ));
    }
    Ok(())
}

async fn run_accept(database: &Database, table: &str, key: &str, reason: &str) -> Result<Ending, CliError> {
    match row_chains::accept(database.pool(), table, key, reason).await? {
        Acceptance::Accepted => {
            print_line(&format!("{table} {key}: accepted as it is"));
            Ok(Ending::Done)
        }
        Acceptance::NoTable => Err(CliError::NotChained(table.to_owned())),
        Acceptance::NoRow => Err(CliError::NoSuchRow {
            table: table.to_owned(),
            key: key.to_owned(),
        }),
    }
}

async fn run_replay(database: &Database) -> Result<Ending, CliError> {
    let progress = every_second(|so_far: replay::Summary| {
        tracing::info!(
            businesses = so_far.businesses,
            events = so_far.events,
            "replaying"
        );
    });
    let mut report = |finding: replay::Finding| print_line(&finding.to_string());
    let pool = database.pool();
    let summary = replay::run(pool, database.connector(), progress, &mut report).await?;
    let effect_findings = effects::audit::run(pool, &mut report).await?;
    let replay::Summary {
        businesses,
        events,
        findings,
    } = summary;
    let findings = findings + effect_findings;
    last::record(&**pool.get().await?, last::Part::Replay, findings).await;
    print_line(&format!(
        "{businesses} businesses, {events} events, {findings} findings"
    ));
    Ok(ending(findings))
}

async fn make_heads(
    database: &Database,
    config: &Config,
    key: &[u8; 32],
    clock: BusinessClock,
    out: Option<&Path>,
) -> Result<Ending, CliError> {
    let client = database.pool().get().await?;
    for shard in Shard::all() {
        if let Some(head) = tree_head::make(&**client, shard, key, clock.now()).await? {
            let root = hex::encode(head.root);
            print_line(&format!(
                "shard {shard}: tree head {}, position {}, {} businesses, root {root}",
                head.number, head.position, head.businesses
            ));
        }
    }
    for shard in Shard::all() {
        let name = &config.proofs.ledger_name;
        if let Some(note) = checkpoint::make(&**client, shard, name, key).await? {
            let Checkpoint { origin, events, .. } = &note.checkpoint;
            let root = hex::encode(events.root);
            print_line(&format!(
                "{origin}: checkpoint of {} events, root {root}",
                events.size
            ));
        }
    }
    if let Some(head) = row_chains::heads::sign(database.pool(), key, clock.now()).await? {
        let root = hex::encode(head.root);
        print_line(&format!(
            "chains of rows: head {}, position {}, {} chains, root {root}",
            head.number, head.position, head.chains
        ));
    }
    if let Some(name) = outside_of(database, &config.proofs)?.run(clock.now()).await? {
        print_line(&format!("heads written outside: {name}"));
    }
    if let Some(path) = out {
        let latest = last_heads(&client).await?;
        fs::write(path, export::write(&latest)).map_err(file(path))?;
        print_line(&format!(
            "heads written to {}: {} of the log, {} of rows, {} checkpoints",
            path.display(),
            latest.log.len(),
            latest.rows.len(),
            latest.checkpoints.len()
        ));
    }
    Ok(Ending::Done)
}

pub(super) fn read_heads(path: &Path) -> Result<Heads, CliError> {
    let text = fs::read_to_string(path).map_err(file(path))?;
    export::read(&text).map_err(|source| CliError::TreeHeads {
        path: path.to_owned(),
        source,
    })
}

pub(super) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> CliError {
    let path = path.to_owned();
    |source| CliError::File { path, source }
}

/// Calls it at most once a second.
fn every_second<P>(mut tell: impl FnMut(P)) -> impl FnMut(P) {
    let mut last: Option<Instant> = None;
    move |progress| {
        if last.is_none_or(|last| last.elapsed() >= Duration::from_secs(1)) {
            last = Some(Instant::now());
            tell(progress);
        }
    }
}

const fn ending(findings: u64) -> Ending {
    if findings == 0 {
        Ending::Done
    } else {
        Ending::Findings
    }
}
