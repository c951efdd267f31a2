//! The chains of rows outside the log: what is tampered with is named by table and row, and what the program does is not.

use gateway::app::Parts;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_platform::row_chains::{self, Acceptance};
use uuid::Uuid;

use crate::support::tampering::drop_checks_of;
use crate::support::{PARTS, TestApp};

/// A program whose chained tables all have rows.
pub(super) async fn filled() -> TestApp {
    // No worker may act on the rows.
    let parts = Parts {
        effects: false,
        exceptions: false,
        ..PARTS
    };
    let app = TestApp::start_with(&[], parts).await;
    let company = app.company("Padaria").await;
    let seller = app.seller(&[(&company, SellerRole::Owner)]).await;
    let admin = app.admin(&[AdminRole::Admin]).await;
    let id_of = async |table: &str| app.text(&format!("SELECT id::text FROM {table} LIMIT 1")).await;
    let sql = include_str!("fill.sql")
        .replace("$company", &company.id.uuid().to_string())
        .replace("$seller", &seller.id.uuid().to_string())
        .replace("$admin", &admin.id.uuid().to_string())
        .replace("$terminal", &Uuid::now_v7().to_string())
        .replace("$plan", &id_of("plan").await)
        .replace("$receiving", &id_of("receiving_plan").await);
    app.execute(&sql).await;
    assert_eq!(app.row_findings().await, [""; 0], "what the program wrote");
    app
}

/// A chained table, and a row of it.
struct Chained {
    table: String,
    key: String,
    /// The condition that selects the row.
    is_row: String,
    columns: Vec<(String, String)>,
}

/// A row of each chained table, whose columns can then be changed in any way.
async fn chained_rows(app: &TestApp) -> Vec<Chained> {
    let client = app.database.client().await;
    let tables = client
        .query(
            "SELECT table_name, array_to_string(key, ','),
                    (SELECT row_key FROM row_change c WHERE c.table_name = t.table_name ORDER BY id DESC LIMIT 1),
                    ARRAY(SELECT attname::text FROM pg_attribute
                           WHERE attrelid = table_name::regclass AND attname = ANY (columns) ORDER BY attnum),
                    ARRAY(SELECT format_type(atttypid, NULL) FROM pg_attribute
                           WHERE attrelid = table_name::regclass AND attname = ANY (columns) ORDER BY attnum)
               FROM chained_table t ORDER BY table_name",
            &[],
        )
        .await
        .expect("the chained tables");
    let mut rows = vec![];
    for row in &tables {
        let (table, names): (String, &str) = (row.get(0), row.get(1));
        let key: Option<String> = row.get(2);
        let key = key.unwrap_or_else(|| panic!("{table} has no row: add one to fill.sql"));
        let parts: Vec<_> = names
            .split(',')
            .map(|name| format!("coalesce({name}::text, '-')"))
            .collect();
        let is_row = format!("concat_ws(' / ', {}) = '{key}'", parts.join(", "));
        app.execute(&format!("CREATE TABLE kept_{table} AS SELECT * FROM {table}"))
            .await;
        app.execute(&drop_checks_of(&table)).await;
        // The values of identity columns can be changed like others.
        app.execute(&format!(
            "DO $$ DECLARE name text; BEGIN
                 FOR name IN SELECT attname FROM pg_attribute WHERE attrelid = '{table}'::regclass AND attidentity <> '' LOOP
                     EXECUTE format('ALTER TABLE {table} ALTER COLUMN %I DROP IDENTITY', name);
                 END LOOP;
             END $$"
        ))
        .await;
        let (names, types): (Vec<String>, Vec<String>) = (row.get(3), row.get(4));
        rows.push(Chained {
            table,
            key,
            is_row,
            columns: names.into_iter().zip(types).collect(),
        });
    }
    rows
}

/// An expression for another value of a column.
fn another_value(column: &str, data_type: &str) -> String {
    match data_type {
        "uuid" => "gen_random_uuid()".to_owned(),
        "boolean" => format!("NOT {column}"),
        "text" => format!("coalesce({column}, '') || 'x'"),
        "smallint" | "integer" | "bigint" | "numeric" => format!("coalesce({column}, 0) + 1"),
        "date" => format!("coalesce({column}, '2026-01-01') + 1"),
        "timestamp with time zone" => format!("coalesce({column}, now()) + interval '1 second'"),
        "bytea" => format!("coalesce({column}, '') || '\\x01'::bytea"),
        "json" | "jsonb" => "'{\"tampered\": 1}'".to_owned(),
        "inet" => "'10.9.8.7'".to_owned(),
        "text[]" => format!("array_append({column}, 'x')"),
        "smallint[]" | "bigint[]" => format!("array_append({column}, 7)"),
        other => panic!("add a value for {other}"),
    }
}

/// Reverts all changes of the table.
async fn restore(app: &TestApp, table: &str) {
    app.tamper(&format!(
        "DO $$ BEGIN
             EXECUTE (SELECT format('DELETE FROM {table}; INSERT INTO {table} (%1$s) SELECT %1$s FROM kept_{table}',
                                    string_agg(column_name, ', '))
                        FROM information_schema.columns
                       WHERE table_schema = 'public' AND table_name = '{table}' AND is_generated = 'NEVER');
         END $$"
    ))
    .await;
}

/// The columns that the audit passed in silence before, and that chains name.
const MUST_BE_CHAINED: [&str; 18] = [
    "link_order.amount",
    "link_order.business_id",
    "payment_link.business_id",
    "payment_link.amount",
    "order_attempt.paid_brand",
    "order_attempt.paid_last_four",
    "order_attempt.authorization_code",
    "order_attempt.acquirer_id",
    "order_attempt.pix_code",
    "bank_account.account_number",
    "plan_version.terms",
    "refund.status",
    "exception.body",
    "acquirer_receivable.net",
    "settlement_day.paid",
    "platform_setting.value",
    "admin_user.roles",
    "business.approval",
];

/// Each round changes one column of each table at once, without triggers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_changed_column_of_each_chained_table_is_named_with_table_and_row() {
    let app = filled().await;
    let rows = chained_rows(&app).await;
    let mut changed = vec![];
    for round in 0.. {
        let tampered: Vec<_> = rows.iter().filter(|row| row.columns.len() > round).collect();
        if tampered.is_empty() {
            break;
        }
        let mut sql = "SET timezone = 'UTC'".to_owned();
        for Chained {
            table,
            is_row,
            columns,
            ..
        } in &tampered
        {
            let (column, data_type) = &columns[round];
            let value = another_value(column, data_type);
            sql += &format!("; UPDATE {table} SET {column} = {value} WHERE {is_row}");
            changed.push(format!("{table}.{column}"));
        }
        app.tamper(&sql).await;
        let found = app.row_findings().await;
        for Chained {
            table, key, columns, ..
        } in &tampered
        {
            let named = [
                format!(" {table} {key}: the row differs from its last recorded change"),
                // The column is a part of the key.
                format!(" {table} {key}: the row is gone"),
            ];
            assert!(
                found
                    .iter()
                    .any(|line| named.iter().any(|named| line.contains(named))),
                "{table}.{} of {key} is not named: {found:#?}",
                columns[round].0
            );
        }
        for row in &tampered {
            restore(&app, &row.table).await;
        }
    }
    assert_eq!(
        app.row_findings().await,
        [""; 0],
        "after all changes are reverted"
    );
    for column in MUST_BE_CHAINED {
        assert!(
            changed.iter().any(|changed| changed == column),
            "{column} was not changed"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_deleted_row_and_each_added_row_of_each_chained_table_is_named() {
    let app = filled().await;
    let rows = chained_rows(&app).await;
    for Chained { table, is_row, .. } in &rows {
        app.tamper(&format!(
            "SET timezone = 'UTC'; DELETE FROM {table} WHERE {is_row}"
        ))
        .await;
    }
    let found = app.row_findings().await;
    for Chained { table, key, .. } in &rows {
        let named = format!(" {table} {key}: the row is gone");
        assert!(
            found.iter().any(|line| line.contains(&named)),
            "{named}: {found:#?}"
        );
    }
    for row in &rows {
        restore(&app, &row.table).await;
    }
    let id = Uuid::new_v4();
    app.tamper(&format!(
        "INSERT INTO bank_account (id, business_id, bank_code, account_type, routing_number, account_number, account_digit)
         SELECT '{id}', business_id, '001', 'CHECKING', '1', '999', '1' FROM bank_account LIMIT 1"
    ))
    .await;
    let found = app.row_findings().await;
    assert_eq!(found.len(), 1, "{found:#?}");
    let named = format!(" bank_account {id}: the row has no recorded change");
    assert!(found[0].contains(&named), "{found:#?}");
}

/// What is not chained because it follows from chained rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_uses_of_a_link_and_the_content_of_a_file_are_compared_with_their_rows() {
    let app = filled().await;
    let id = app.text("SELECT id::text FROM payment_link").await;
    app.tamper("UPDATE payment_link SET uses = 0").await;
    let found = app.row_findings().await;
    let named = format!(" payment_link {id}: uses: expected 1, found 0");
    assert!(found.len() == 1 && found[0].contains(&named), "{found:#?}");
    app.tamper(
        "UPDATE payment_link SET uses = 1; UPDATE stored_file_part SET content = 'x' WHERE content = 'c'",
    )
    .await;
    let found = app.row_findings().await;
    let named = " stored_file 00000000-0000-0000-0000-0000000000f1: content: expected";
    assert!(found.len() == 1 && found[0].contains(named), "{found:#?}");
    app.tamper("DELETE FROM stored_file_part WHERE content = 'abd'")
        .await;
    let found = app.row_findings().await;
    assert!(
        found.len() == 2 && found[1].ends_with("found no content"),
        "{found:#?}"
    );
}

/// Whoever connects with psql fires the triggers, but has no key for a proof.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_by_a_session_without_the_key_is_named_until_an_operator_accepts_it() {
    let app = filled().await;
    let psql = app.database.client().await;
    for (table, set) in [
        ("bank_account", "account_number = '99999'"),
        ("refund", "status = 'done', ended_at = now(), next_try_at = NULL"),
        ("exception", "body = '{\"amount\":1}'"),
        ("acquirer_receivable", "net = net + 1"),
        ("settlement_day", "paid = paid + 1"),
        ("tenant", "contact_email = 'x@example.com'"),
        ("admin_user", "roles = '{owner}'"),
        ("seller_user", "password_hash = '$argon2id$x'"),
    ] {
        psql.batch_execute(&format!("UPDATE {table} SET {set}"))
            .await
            .expect("changed");
        let found = app.row_findings().await;
        let [finding] = found.as_slice() else {
            panic!("{table}: {found:#?}")
        };
        let key = app
            .text("SELECT row_key FROM row_change ORDER BY id DESC LIMIT 1")
            .await;
        let named = format!(" {table} {key}: change");
        assert!(
            finding.contains(&named) && finding.ends_with("(changed) was not made by the program"),
            "{finding}"
        );
        let accept = async |key: &str| {
            let accepted = row_chains::accept(&app.app.state.pool, table, key, "Conferido com o dono").await;
            accepted.expect("an answer")
        };
        assert_eq!(accept("no such row").await, Acceptance::NoRow);
        assert_eq!(accept(&key).await, Acceptance::Accepted);
        assert_eq!(app.row_findings().await, [""; 0], "{table} is accepted");
    }
    psql.batch_execute("DELETE FROM exception")
        .await
        .expect("deleted");
    let found = app.row_findings().await;
    assert!(
        found.len() == 1 && found[0].ends_with("(deleted) was not made by the program"),
        "{found:#?}"
    );
    let pool = &app.app.state.pool;
    let accepted = row_chains::accept(pool, "mail", "x", "Conferido").await;
    assert_eq!(accepted.expect("an answer"), Acceptance::NoTable);
}

/// As after a migration that adds a column or a table: the present rows enter the chain.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rows_of_a_table_that_is_chained_later_enter_its_chain() {
    let app = filled().await;
    app.execute(
        "ALTER TABLE holiday ADD COLUMN state text; SELECT chain_rows('holiday', '{date}', NULL, '{}')",
    )
    .await;
    app.execute(
        "CREATE TABLE partner (id integer PRIMARY KEY, share bigint);
         INSERT INTO partner VALUES (1, 10), (2, 20);
         SELECT chain_rows('partner', '{id}', NULL, '{}')",
    )
    .await;
    assert_eq!(
        app.rows("row_change WHERE kind = 'entered' AND table_name = 'partner'")
            .await,
        2
    );
    assert_eq!(app.row_findings().await, [""; 0]);
    app.tamper("UPDATE partner SET share = 11 WHERE id = 1; UPDATE holiday SET state = 'PE'")
        .await;
    let found = app.row_findings().await;
    assert!(
        found.len() == 2 && found[0].contains(" holiday 2026-06-24: ") && found[1].contains(" partner 1: "),
        "{found:#?}"
    );
}
