//! Copies a table's structure to another schema.

use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

/// Creates an empty table with the keys, indexes, settings, grants and names of another schema's table. `LIKE` leaves
/// out a table's settings and grants and gives keys and indexes new names, so these are copied explicitly. Foreign keys
/// are left out: see [`create_references`].
pub async fn create_like(
    client: &impl GenericClient,
    new: &str,
    live: &str,
    table: &str,
) -> Result<(), Error> {
    client
        .batch_execute(&format!(
            "CREATE TABLE {new}.{table} (LIKE {live}.{table} INCLUDING ALL EXCLUDING INDEXES)"
        ))
        .await?;
    execute_each(
        client,
        "SELECT format('ALTER TABLE %I.%I SET (%s)', $2, relname, array_to_string(reloptions, ', '))
           FROM pg_class WHERE oid = $1::text::regclass AND reloptions IS NOT NULL
          UNION ALL
         SELECT format('ALTER TABLE %I.%I REPLICA IDENTITY FULL', $2, relname)
           FROM pg_class WHERE oid = $1::text::regclass AND relreplident = 'f'
          UNION ALL
         SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', $2, relname, conname,
                       pg_get_constraintdef(pg_constraint.oid))
           FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
          WHERE conrelid = $1::text::regclass AND contype IN ('p', 'u', 'x')
          UNION ALL
         SELECT replace(pg_get_indexdef(indexrelid), format(' ON %I.', $3), format(' ON %I.', $2))
           FROM pg_index
          WHERE indrelid = $1::text::regclass
            AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
          UNION ALL
         SELECT format('GRANT %s ON %I.%I TO %s%s', privilege_type, $2, relname,
                       CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
                       CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
           FROM pg_class CROSS JOIN LATERAL aclexplode(relacl)
          WHERE pg_class.oid = $1::text::regclass AND grantee <> relowner",
        &format!("{live}.{table}"),
        new,
        live,
    )
    .await
}

/// Copies the foreign keys and triggers of a table, which both refer to tables and functions by the search path or by
/// the schema's name.
pub(super) async fn create_references(
    client: &impl GenericClient,
    new: &str,
    live: &str,
    table: &str,
) -> Result<(), Error> {
    execute_each(
        client,
        "SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', $2, relname, conname,
                       regexp_replace(pg_get_constraintdef(pg_constraint.oid), ' REFERENCES (public[.])?',
                                      format(' REFERENCES %I.', $2)))
           FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
          WHERE conrelid = $1::text::regclass AND contype = 'f'
          UNION ALL
         SELECT replace(pg_get_triggerdef(oid), format(' ON %I.', $3), format(' ON %I.', $2))
           FROM pg_trigger WHERE tgrelid = $1::text::regclass AND NOT tgisinternal",
        &format!("{live}.{table}"),
        new,
        live,
    )
    .await
}

/// Executes each statement that the query returns. Its parameters are the table and the names of both schemas.
async fn execute_each(
    client: &impl GenericClient,
    query: &str,
    table: &str,
    new: &str,
    live: &str,
) -> Result<(), Error> {
    let parameters: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 3] =
        [(&table, Type::TEXT), (&new, Type::TEXT), (&live, Type::TEXT)];
    let rows = client.query_typed(query, &parameters).await?;
    let statements: Vec<&str> = rows.iter().map(|row| row.get(0)).collect();
    client.batch_execute(&statements.join(";\n")).await
}
