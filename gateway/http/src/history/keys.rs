//! The public keys with which checkpoints are signed.

use axum::extract::State;
use gateway_platform::proofs::keys_in_use;
use tokio_postgres::Client;

use super::bodies::{LedgerKey, LedgerKeys};
use crate::AppState;
use crate::edge::{Db, Json};
use crate::problem::Result;

/// List the ledger's public keys
///
/// The keys that signed checkpoints of the ledger, and when each did. Whoever checks a proof takes a key from here, and
/// keeps it: a key that changes afterwards is a question to ask.
#[utoipa::path(
    get, path = "/ledger/keys", tag = "ledger",
    responses((status = 200, body = LedgerKeys))
)]
pub(crate) async fn list_ledger_keys(State(state): State<AppState>, db: Db) -> Result<Json<LedgerKeys>> {
    let data = ledger_keys(&state, &db).await?;
    Ok(Json(LedgerKeys { data }))
}

pub(super) async fn ledger_keys(state: &AppState, db: &Client) -> Result<Vec<LedgerKey>> {
    let keys = state.config.keys.checkpoint.get().verifying();
    let in_use = keys_in_use(db, &keys).await?;
    Ok(in_use.into_iter().map(LedgerKey::from).collect())
}
