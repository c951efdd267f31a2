//! Accepting a row as it is, after an operator has looked into a finding: for example a row that was repaired by hand.

use deadpool_postgres::Pool;
use tokio_postgres::types::Type;

use super::expressions::{ChainedTable, SETTINGS};
use crate::error::Result;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acceptance {
    Accepted,
    /// The table is not chained.
    NoTable,
    /// The table never had such a row.
    NoRow,
}

/// Records the present row, or its absence, as accepted. Its earlier changes stay, and the audit no longer reports those without a
/// proof. The pool's sessions must have the change key.
pub async fn accept(pool: &Pool, table: &str, key: &str, reason: &str) -> Result<Acceptance> {
    let mut client = pool.get().await?;
    let tx = client.transaction().await?;
    tx.batch_execute(SETTINGS).await?;
    let tables = ChainedTable::all(&*tx).await?;
    let Some(chained) = tables.iter().find(|chained| chained.name == table) else {
        return Ok(Acceptance::NoTable);
    };
    let sql = format!(
        "SELECT record_row_change({chain}, $1, $2, 'accepted', {content}, $3) FROM {name} WHERE {key} = $2",
        chain = chained.chain(),
        content = chained.content(),
        name = chained.table(),
        key = chained.key(),
    );
    let accepted = tx
        .query_typed(
            &sql,
            &[(&table, Type::TEXT), (&key, Type::TEXT), (&reason, Type::TEXT)],
        )
        .await?;
    if accepted.is_empty() {
        let gone = tx
            .query_typed(
                "SELECT record_row_change(chain, $1, $2, 'accepted', NULL, $3)
                   FROM row_change WHERE table_name = $1 AND row_key = $2 ORDER BY id DESC LIMIT 1",
                &[(&table, Type::TEXT), (&key, Type::TEXT), (&reason, Type::TEXT)],
            )
            .await?;
        if gone.is_empty() {
            return Ok(Acceptance::NoRow);
        }
    }
    tx.commit().await?;
    Ok(Acceptance::Accepted)
}
