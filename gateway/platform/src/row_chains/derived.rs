//! Values that are not chained because they follow from chained rows.

use deadpool_postgres::Object;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::finding::{RowDifference, RowFinding};
use crate::error::Result;

/// The uses of a link are the orders that hold one.
pub(super) async fn uses_of_links(
    client: &Object,
    report: &mut (dyn FnMut(RowFinding) + Send),
) -> Result<()> {
    let rows = client
        .query_typed(
            "SELECT link.business_id, link.id::text, count(held.id), link.uses::int8
               FROM payment_link link LEFT JOIN link_order held ON held.link_id = link.id AND held.holds_use
              GROUP BY link.id HAVING count(held.id) <> link.uses ORDER BY link.id",
            &[],
        )
        .await?;
    for row in rows {
        let what = RowDifference::Derived {
            column: "uses",
            expected: row.get::<_, i64>(2).to_string(),
            found: row.get::<_, i64>(3).to_string(),
        };
        report(RowFinding::new(row.get(0), "payment_link", row.get(1), what));
    }
    Ok(())
}

/// Files in a page: a file may have 10 MB.
const PAGE: i64 = 20;

/// The parts of a file have together the SHA-256 in the file's row.
pub(super) async fn content_of_files(
    client: &Object,
    report: &mut (dyn FnMut(RowFinding) + Send),
) -> Result<()> {
    let mut after = Uuid::nil();
    loop {
        let page = client
            .query_typed(
                "SELECT id, sha256,
                        (SELECT sha256(string_agg(content, ''::bytea ORDER BY number)) FROM stored_file_part
                          WHERE file_id = stored_file.id)
                   FROM stored_file WHERE id > $1 ORDER BY id LIMIT $2",
                &[(&after, Type::UUID), (&PAGE, Type::INT8)],
            )
            .await?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = last.get(0);
        for row in &page {
            let (id, expected, found): (Uuid, &[u8], Option<&[u8]>) = (row.get(0), row.get(1), row.get(2));
            if found != Some(expected) {
                let what = RowDifference::Derived {
                    column: "content",
                    expected: hex::encode(expected),
                    found: found.map_or_else(|| "no content".to_owned(), hex::encode),
                };
                report(RowFinding::new(Uuid::nil(), "stored_file", &id.to_string(), what));
            }
        }
    }
}
