//! The checkpoints of all shards, and who saw them, for staff.

use axum::extract::State;
use gateway_platform::proofs::checks;
use ledger_store::audit::checkpoint::{self, LastCosigned};
use ledger_store::{Shard, log};

use super::bodies::{HistoryCheckpoint, LedgerHistory, LedgerWitness, ShardHistory};
use super::keys::ledger_keys;
use crate::AppState;
use crate::edge::{Db, Json};
use crate::problem::{Problem, Result};

/// Get the checkpoints and the checks of the ledger
///
/// A row for each shard of the ledger, with its last checkpoint; the witnesses; and when the ledger was last verified and
/// replayed.
#[utoipa::path(
    get, path = "/admin/operations/verified-history", tag = "operations",
    responses((status = 200, body = LedgerHistory))
)]
pub(crate) async fn get_ledger_history(State(state): State<AppState>, db: Db) -> Result<Json<LedgerHistory>> {
    let recorded = log::shard_positions(&*db).await?;
    let cosigned = checkpoint::last_cosigned(&*db).await?;
    let (mut shards, mut notes) = (vec![], vec![]);
    for shard in Shard::all() {
        let note = checkpoint::latest(&*db, shard).await.map_err(Problem::internal)?;
        shards.push(ShardHistory {
            shard: shard.number(),
            recorded: recorded.get(shard),
            checkpoint: note.as_ref().map(|note| HistoryCheckpoint::of(note, &cosigned)),
        });
        notes.extend(note);
    }
    let witnesses = state.config.proofs.witnesses.iter().map(|address| {
        let name = &address.witness.name;
        let of_witness: Vec<&LastCosigned> = cosigned.iter().filter(|last| last.witness == *name).collect();
        let has = |note| of_witness.iter().any(|last| last.covers(note));
        LedgerWitness {
            name: name.clone(),
            url: address.url.clone(),
            last_at: of_witness.iter().map(|last| last.cosigned_at).max(),
            missing: notes.iter().filter(|note| !has(note)).count(),
        }
    });
    Ok(Json(LedgerHistory {
        shards,
        witnesses: witnesses.collect(),
        checks: checks(&db).await?.into(),
        keys: ledger_keys(&state, &db).await?,
    }))
}
