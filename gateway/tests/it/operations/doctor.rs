//! `razao doctor`: each fault of a database, of the configuration and of a process is named with its section of the
//! runbook, and nothing else is.

use serde_json::Value;

use crate::support::acquirer;
use crate::support::database::{Database, only_with_tables};
use crate::support::movements::MovementsFixture;
use crate::support::program::Program;
use crate::support::sandbox::free_address;

/// The tests' server does not wait for its disk, which the page would name.
const DURABLE: &str = "?options=-c%20synchronous_commit%3Don";

/// Runs it with the environment of a service, and returns its exit code and its page.
async fn doctor(url: &str, variables: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String) {
    let program = Program::new(url, free_address(), free_address(), variables);
    let output = program.output(&[&["doctor"], arguments].concat()).await;
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).expect("text"))
}

fn operations(fixture: &MovementsFixture) -> String {
    let address = fixture.app.app.operations_address();
    address.expect("operations listen").to_string()
}

/// What PostgreSQL shows of itself, as it would look in an installation that is in trouble.
const SERVER: &str = "
    CREATE VIEW pg_stat_activity AS
        SELECT 4711 AS pid, 'ana'::name AS usename, 'psql' AS application_name, 'idle in transaction' AS state,
               now() - interval '3 hours' AS xact_start, current_database()::name AS datname,
               'client backend' AS backend_type;
    CREATE VIEW pg_locks AS
        SELECT pid, relation, locktype, granted, database, waitstart, classid, objid, objsubid, mode
          FROM pg_catalog.pg_locks
         UNION ALL
        SELECT 4712, 'payout'::regclass::oid, 'relation', false, NULL, now() - interval '5 minutes', NULL, NULL, NULL,
               'AccessShareLock';
    CREATE VIEW pg_stat_replication AS
        SELECT 'node-b' AS application_name, 'streaming' AS state, interval '42 seconds' AS replay_lag
         UNION ALL SELECT 'node-c', 'catchup', interval '0';
    CREATE VIEW pg_replication_slots AS
        SELECT 'forgotten'::name AS slot_name, false AS active, '0/0'::pg_lsn AS restart_lsn,
               1 AS one;
    CREATE FUNCTION pg_wal_lsn_diff(pg_lsn, pg_lsn) RETURNS numeric LANGUAGE sql AS 'SELECT 5000000000';
    CREATE VIEW pg_stat_user_tables AS
        SELECT 'balance'::regclass::oid AS relid, 9000000::bigint AS n_dead_tup, 10::bigint AS n_live_tup,
               NULL::timestamptz AS last_vacuum, NULL::timestamptz AS last_autovacuum;
    CREATE VIEW pg_database AS
        SELECT oid, datname, '3'::xid AS datfrozenxid, '1'::xid AS datminmxid FROM pg_catalog.pg_database;
    CREATE FUNCTION age(xid) RETURNS integer LANGUAGE sql AS 'SELECT 900000000';
    CREATE VIEW pg_stat_statements AS
        SELECT 'SELECT pg_sleep($1)  FROM sale' AS query, 7300.4::float8 AS mean_exec_time, 12::bigint AS calls,
               (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AS dbid;";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_wrong_with_a_new_installation_and_each_seeded_fault_is_named() {
    only_with_tables!();
    let fixture = MovementsFixture::open().await;
    assert_eq!(fixture.staff.get("/api/admin/overview").await.status, 200);
    // No effects run here, and the checkpoints are as old as the database that this one was copied from: after five
    // minutes the page would rightly say that they stand still.
    fixture
        .app
        .execute("UPDATE effect_checkpoint SET moved_at = now()")
        .await;
    let url = fixture.app.database.url.clone();
    let ops = operations(&fixture);
    let variables = [("RAZAO_OPS_ADDR", ops.as_str())];
    let (code, page) = doctor(&format!("{url}{DURABLE}"), &variables, &[]).await;
    assert_eq!(code, Some(0), "{page}");
    assert!(page.starts_with("Nothing is wrong.\n"), "{page}");
    for check in [
        "configuration",
        "processes",
        "settlement",
        "seals",
        "locks",
        "vacuum",
    ] {
        assert!(page.contains(check), "{check} in {page}");
    }

    let mut without_company = acquirer::capture(&fixture.company, "without-company");
    without_company.data.business_id = None;
    assert_eq!(fixture.app.send(&without_company).await.status, 202);
    fixture.app.stop_read_model("sales").await;
    for sql in [
        "UPDATE effect_checkpoint SET poison = 'a torn event', poison_position = position + 1, \
                moved_at = now() - interval '3 days' WHERE effect = 'payouts' AND shard = 3",
        "UPDATE exception SET received_at = received_at - interval '5 hours'",
        "UPDATE receivables_schedule SET due_date = due_date - 60 WHERE open",
        "UPDATE balance SET clearing = clearing + available + 700, available = -700",
        "INSERT INTO payout (payout_id, transfer_id, business_id, amount, destination, provider, status, tries, last_error,
                              created_at)
         SELECT gen_random_uuid(), gen_random_uuid(), id, 123456, '{}', 'sandbox', 'unknown', 3, 'timeout', now() - interval '3 days'
           FROM business ORDER BY id LIMIT 1",
        "INSERT INTO refund (refund_id, sale_id, business_id, provider, external_id, amount, charged, status, next_try_at)
         SELECT gen_random_uuid(), gen_random_uuid(), id, 1, 'x', 4200, false, 'unreadable', NULL
           FROM business ORDER BY id LIMIT 1",
        "INSERT INTO audit_verification VALUES ('log', now() - interval '3 days', 3)",
        "INSERT INTO mail (id, kind, audience, recipient, panel_url, facts, created_at) VALUES
         (gen_random_uuid(), 'welcome', 'seller', 'ana@padaria.example', 'http://x', '{}', now() - interval '1 hour')",
        "ALTER TABLE row_change DISABLE TRIGGER USER;
         UPDATE row_change SET changed_at = changed_at - interval '2 hours';
         ALTER TABLE row_change ENABLE TRIGGER USER",
        "UPDATE schema_migration SET applied_at = applied_at - interval '9 days'",
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$;
         CREATE TRIGGER full_disk BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION full_disk()",
        SERVER,
    ] {
        fixture.app.execute(sql).await;
    }
    // The last append decides what the process says of itself.
    let refused = acquirer::capture(&fixture.company, "refused");
    assert_eq!(fixture.app.send(&refused).await.status, 503);
    let troubled = format!("{url}?options=-c%20search_path%3Dpublic%2Cpg_catalog");
    let (code, page) = doctor(&troubled, &variables, &[]).await;
    assert_eq!(code, Some(1), "{page}");
    let expected: &[&[&str]] = &[
        &[
            "processes: process-",
            "the log takes no events: ",
            "No space left",
            "runbook: The log takes no events",
        ],
        &[
            "read models: sales of 16 shards (0, 1, ",
            "a test",
            "runbook: A read model stopped",
        ],
        &[
            "durability: the database's synchronous_commit is off",
            "runbook: PostgreSQL needs upkeep",
        ],
        &[
            "effects: payouts of shard 3 stopped before position ",
            "a torn event",
            "(3 days)",
            "runbook: An effect stopped",
        ],
        &[
            "settlement: ",
            "before today",
            "R$ ",
            "days)",
            "runbook: Settlement is late",
        ],
        &[
            "payouts: 1 payout is late in the status unknown, most of them with timeout; 1 row; R$ 1.234,56; since ",
            "(3 days)",
            "runbook: The bank does not answer",
        ],
        &[
            "refunds: 1 refund is unreadable",
            "R$ 42,00",
            "runbook: Exceptions wait",
        ],
        &[
            "e-mails: ",
            "not sent for more than 15 minutes",
            "runbook: E-mails wait",
        ],
        &[
            "exceptions: 1 exception waits",
            "(5 h)",
            "runbook: Exceptions wait",
        ],
        &[
            "audits: the last audit verify of the log had findings; 3 rows",
            "runbook: The audit found something",
        ],
        &[
            "audits: audit verify of the log has not ended since",
            "runbook: The audit did not run",
        ],
        &[
            "audits: audit verify of the rows has never ended",
            "(9 days)",
            "runbook: The audit did not run",
        ],
        &[
            "signed heads: the new events of these shards",
            "runbook: Rows or heads are not sealed",
        ],
        &[
            "seals: changes of rows",
            "(2 h)",
            "runbook: Rows or heads are not sealed",
        ],
        &[
            "replication: the standby node-b is 42 s behind",
            "runbook: The replica is behind",
        ],
        &[
            "replication: the standby node-c is in the state catchup",
            "runbook: The replica is behind",
        ],
        &[
            "replication: nobody reads the replication slot forgotten",
            "runbook: PostgreSQL needs upkeep",
        ],
        &[
            "sessions: session 4711 of ana (psql) has an open transaction: idle in transaction",
            "(3 h)",
            "runbook: Sessions hold others up",
        ],
        &[
            "locks: session 4712 waits for a lock on payout",
            "(5 min)",
            "runbook: Sessions hold others up",
        ],
        &[
            "vacuum: the oldest row is 900000000 transactions old",
            "runbook: PostgreSQL needs upkeep",
        ],
        &[
            "vacuum: balance has more dead rows than living ones",
            "runbook: PostgreSQL needs upkeep",
        ],
        &["balances: 2 companies have a negative available balance; -R$ 14,00"],
        &["statements: 7300 ms on average in 12 calls: SELECT pg_sleep($1) FROM sale"],
    ];
    for parts in expected {
        let line = page
            .lines()
            .find(|line| line.starts_with(&format!("- {}", parts[0])));
        let line = line.unwrap_or_else(|| panic!("{parts:?} in {page}"));
        assert!(parts.iter().all(|part| line.contains(part)), "{parts:?}: {line}");
    }

    let (code, json) = doctor(&troubled, &variables, &["--json"]).await;
    assert_eq!(code, Some(1), "{json}");
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let payout = report["wrong"].as_array().expect("findings").iter();
    let payout = payout
        .clone()
        .find(|finding| finding["check"] == "payouts")
        .expect("the payout");
    assert_eq!((&payout["cents"], &payout["rows"]), (&123_456.into(), &1.into()));
    assert_eq!(payout["runbook"], "The bank does not answer");
    assert!(payout["since"].is_string(), "{payout}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_without_a_program_a_clock_and_an_older_schema_are_named() {
    let database = Database::create().await;
    let (code, page) = doctor(&database.url, &[], &[]).await;
    assert_eq!(code, Some(1), "{page}");
    assert!(
        page.contains("- shards: no living process owns 16 of 16 shards")
            && page.contains("runbook: The program is down")
            && page.contains("- processes: no process listens at "),
        "{page}"
    );

    let wrong = [("RAZAO_NOW", ""), ("RAZAO_CLOCK_ERROR_SECONDS", "-3600")];
    let (_, page) = doctor(&database.url, &wrong, &[]).await;
    assert!(
        page.contains("- clock: the machine's clock is 3600 s behind"),
        "{page}"
    );
    assert!(page.contains("runbook: A clock is wrong"), "{page}");

    let client = database.client().await;
    let newer =
        "INSERT INTO schema_migration (version, name, sha256) VALUES (9999, 'public/9999_new', '\\x00')";
    client.batch_execute(newer).await.expect("a newer schema");
    let (_, page) = doctor(&database.url, &[], &[]).await;
    assert!(page.contains("- schema: the database has version 9999"), "{page}");
    let older = "DELETE FROM schema_migration WHERE version = 9999;
                 DELETE FROM schema_migration WHERE version = (SELECT max(version) FROM schema_migration)";
    client.batch_execute(older).await.expect("an older schema");
    let (_, page) = doctor(&database.url, &[], &[]).await;
    assert!(
        page.contains("- schema: the database lacks 1 migrations"),
        "{page}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_cannot_see_is_named_with_its_cause_and_has_an_exit_code_of_its_own() {
    let nobody = free_address();
    let url = format!("postgres://razao:s3cret-word@{nobody}/razao");
    let (code, page) = doctor(&url, &[], &[]).await;
    assert_eq!(code, Some(2), "{page}");
    assert!(
        page.contains("- database: the database cannot be reached: ")
            && page.contains("Connection refused")
            && page.contains("runbook: The database is down")
            && page.contains("- everything in the database: "),
        "{page}"
    );
    assert!(!page.contains("s3cret-word"), "{page}");

    // A table that is gone hides one check, and the others go on.
    let database = Database::create().await;
    let client = database.client().await;
    client
        .batch_execute("ALTER TABLE audit_verification RENAME TO gone")
        .await
        .expect("renamed");
    let (code, page) = doctor(&database.url, &[], &[]).await;
    assert_eq!(code, Some(2), "{page}");
    assert!(page.contains("- audits: ") && page.contains("42P01"), "{page}");
    assert!(page.contains("signed heads, seals"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_of_the_services_configuration_do_not_hide_the_database() {
    let database = Database::create().await;
    let production = [
        ("RAZAO_ENV", "production"),
        ("RAZAO_NOW", ""),
        ("RAZAO_SANDBOX_ADDR", ""),
    ];
    let (code, page) = doctor(&database.url, &production, &[]).await;
    assert_eq!(code, Some(1), "{page}");
    for expected in [
        "- configuration: RAZAO_KEY_JWT ",
        "runbook: The program does not start",
        "- shards: ",
    ] {
        assert!(page.contains(expected), "{expected} in {page}");
    }
    // The environment of an audit has the database alone.
    let (_, page) = doctor(&database.url, &production, &["--database-only"]).await;
    assert!(
        !page.contains("configuration") && page.contains("- shards: "),
        "{page}"
    );
    let misspelled = [("RAZAO_PAYOUT", "none")];
    let (code, page) = doctor(&database.url, &misspelled, &[]).await;
    assert_eq!(code, Some(2), "{page}");
    assert!(page.contains("is RAZAO_PAYOUTS meant?"), "{page}");
}
