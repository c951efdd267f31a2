//! The commands that write proofs for outsiders, at the last checkpoints.

use std::fs;
use std::path::Path;

use clap::Args;
use gateway_environment::config::CheckpointKeys;
use gateway_platform::proofs::{Days, Proofs};
use ledger_domain::BusinessId;
use ledger_domain::calendar::Date;
use ledger_store::audit::export::Heads;
use ledger_store::log;
use razao_verify::proof::Proof;

use super::audit::{file, read_heads};
use super::{CliError, Ending, ProveCommand, print_line};
use crate::app::Database;

/// Days in Brasília.
#[derive(Debug, Clone, Args)]
pub struct Period {
    /// The first day, such as 2026-11-01
    #[arg(long)]
    from: Date,
    /// The last day
    #[arg(long)]
    to: Date,
}

pub async fn prove(
    database: &Database,
    keys: &CheckpointKeys,
    command: ProveCommand,
) -> Result<Ending, CliError> {
    let proofs = proofs(database, keys)?;
    match command {
        ProveCommand::Sale { sale, out } => {
            let claims = log::claims(&**database.pool().get().await?, &[sale]).await?;
            let business_id = claims.get(&sale).map(|claim| claim.business_id);
            let business_id = business_id.ok_or(CliError::NoSuchSale(sale))?;
            write(&proofs.sale(business_id, sale).await?, &out)
        }
        ProveCommand::Company { company, out } => write(&proofs.company(company, None).await?, &out),
        ProveCommand::Growth { head, out } => {
            fs::create_dir_all(&out).map_err(file(&out))?;
            let Heads { checkpoints, .. } = read_heads(&head)?;
            if checkpoints.is_empty() {
                return Err(CliError::NoCheckpoints(head));
            }
            for note in checkpoints {
                let shard = note.checkpoint.origin.rsplit('/').next().unwrap_or_default();
                let name = format!("growth-shard-{shard}-from-{}.json", note.checkpoint.events.size);
                write(&proofs.growth(&note).await?, &out.join(name))?;
            }
            Ok(Ending::Done)
        }
    }
}

pub async fn export(
    database: &Database,
    keys: &CheckpointKeys,
    company: BusinessId,
    Period { from, to }: Period,
    out: &Path,
) -> Result<Ending, CliError> {
    let days = Days { from, to };
    write(&proofs(database, keys)?.company(company, Some(days)).await?, out)
}

fn proofs(database: &Database, keys: &CheckpointKeys) -> Result<Proofs, CliError> {
    let keys = keys.verifying();
    if keys.is_empty() {
        return Err(CliError::NoPublicKey);
    }
    Ok(Proofs {
        pool: database.pool().clone(),
        keys,
    })
}

fn write(proof: &Proof, out: &Path) -> Result<Ending, CliError> {
    fs::write(out, proof.text()).map_err(file(out))?;
    print_line(&format!("written to {}", out.display()));
    Ok(Ending::Done)
}
