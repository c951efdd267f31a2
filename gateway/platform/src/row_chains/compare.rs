//! Compares the present rows of the chained tables with their last recorded changes.

use tokio_postgres::types::Type;
use tokio_postgres::{IsolationLevel, Row};

use super::expressions::{ChainedTable, SETTINGS};
use super::finding::{RowDifference, RowFinding};
use crate::error::Result;

/// Reports each row that differs. One statement has one snapshot of a table and of its changes, so writers that run at
/// the same time cause no finding.
pub(super) async fn rows(
    client: &mut deadpool_postgres::Object,
    table: &ChainedTable,
    report: &mut (dyn FnMut(RowFinding) + Send),
) -> Result<()> {
    let nowhere = uuid::Uuid::nil();
    let tx = client
        .build_transaction()
        .isolation_level(IsolationLevel::RepeatableRead)
        .read_only(true)
        .start()
        .await?;
    tx.batch_execute(SETTINGS).await?;
    let existing = tx
        .query_typed(
            "SELECT attname::text FROM pg_attribute
              WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped",
            &[(&table.table(), Type::TEXT)],
        )
        .await?;
    let existing: Vec<&str> = existing.iter().map(|row| row.get(0)).collect();
    if let Some(missing) = table.named().into_iter().find(|named| !existing.contains(named)) {
        let column = missing.to_owned();
        report(RowFinding::new(
            nowhere,
            &table.name,
            "",
            RowDifference::NoColumn { column },
        ));
        return Ok(());
    }
    let triggers = tx
        .query_typed_one(
            "SELECT count(*) FROM pg_trigger
              WHERE tgrelid = to_regclass($1) AND tgname IN ('row_added', 'row_changed') AND tgenabled IN ('O', 'A')",
            &[(&table.table(), Type::TEXT)],
        )
        .await?;
    if triggers.get::<_, i64>(0) != 2 {
        report(RowFinding::new(
            nowhere,
            &table.name,
            "",
            RowDifference::NoTrigger,
        ));
    }
    let sql = format!(
        "WITH present AS MATERIALIZED (
             SELECT {key} AS row_key, {chain} AS chain, sha256(convert_to({content}, 'UTF8')) AS digest FROM {name}),
         last AS (
             SELECT DISTINCT ON (row_key) row_key, chain, digest, id FROM row_change
              WHERE table_name = $1 ORDER BY row_key, id DESC)
         SELECT row_key, coalesce(present.chain, last.chain), last.id, present.digest IS NOT NULL,
                last.digest IS NOT NULL
           FROM present FULL JOIN last USING (row_key)
          WHERE present.digest IS DISTINCT FROM last.digest
          ORDER BY row_key",
        key = table.key(),
        chain = table.chain(),
        content = table.content(),
        name = table.table(),
    );
    for row in tx.query_typed(&sql, &[(&table.name, Type::TEXT)]).await? {
        let finding = RowFinding::new(row.get(1), &table.name, row.get(0), difference(&row));
        report(finding);
    }
    tx.commit().await?;
    Ok(())
}

fn difference(row: &Row) -> RowDifference {
    let Some(change) = row.get::<_, Option<i64>>(2) else {
        return RowDifference::Unrecorded;
    };
    match (row.get(3), row.get(4)) {
        (false, _) => RowDifference::Gone { change },
        (true, false) => RowDifference::Returned { change },
        (true, true) => RowDifference::Changed { change },
    }
}
