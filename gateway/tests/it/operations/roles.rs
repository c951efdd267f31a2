//! The three roles of `deploy/postgresql/roles.sql`: one migrates, one runs, one audits.

use tokio_postgres::Client as Session;
use tokio_postgres::error::SqlState;

use crate::support::database::{Database, only_with_tables};
use crate::support::movements::MovementsFixture;
use crate::support::program::Program;
use crate::support::sandbox::free_address;

const ROLES: &str = include_str!("../../../../deploy/postgresql/roles.sql");
const KEY: (&str, &str) = ("RAZAO_KEY_CHECKPOINT", "");

/// Runs a command of production with the database alone, and returns its exit code and what it said.
async fn command(url: &str, variables: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String) {
    let production = [
        ("RAZAO_ENV", "production"),
        ("RAZAO_NOW", ""),
        ("RAZAO_SANDBOX_ADDR", ""),
    ];
    let variables = [&production, variables].concat();
    let program = Program::new(url, free_address(), free_address(), &variables);
    let output = program.output(arguments).await;
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).expect("text"))
}

/// The SQLSTATE of a statement that is refused.
async fn refusal(session: &Session, sql: &str) -> Option<SqlState> {
    session.batch_execute(sql).await.err()?.code().cloned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_role_migrates_one_runs_and_one_audits() {
    only_with_tables!();
    let database = Database::empty().await;
    let owner = database.client().await;
    let (_, place) = database.url.rsplit_once('@').expect("an address with a user");
    let url = |role: &str| format!("postgres://{role}:{role}@{place}");
    let [migrates, runs, audits] = ["razao_migrate", "razao_run", "razao_audit"].map(url);
    owner.batch_execute(ROLES).await.expect("roles");
    for role in ["razao_migrate", "razao_run", "razao_audit"] {
        let password = format!("ALTER ROLE {role} PASSWORD '{role}'");
        owner.batch_execute(&password).await.expect("a password");
    }

    // A start changes no schema, and says who does.
    let (code, text) = command(&runs, &[KEY], &["rebuild"]).await;
    assert_eq!(code, Some(1), "{text}");
    let (code, text) = command(&runs, &[KEY], &["migrate"]).await;
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("permission denied for schema public"), "{text}");
    let (code, text) = command(&migrates, &[KEY], &["migrate"]).await;
    assert_eq!(code, Some(0), "{text}");
    owner.batch_execute(ROLES).await.expect("roles");
    let of_reports = "CREATE ROLE razao_test_reports; GRANT SELECT ON sale TO razao_test_reports";
    let _exists_already = owner
        .batch_execute("DROP ROLE IF EXISTS razao_test_reports")
        .await;
    owner.batch_execute(of_reports).await.expect("a role for reports");

    // Sales, withdrawals, holds and adjustments over HTTP.
    let fixture = MovementsFixture::open_at(database.for_role("razao_run")).await;
    let sales = fixture.staff.get("/api/admin/transactions").await;
    assert_eq!(sales.status, 200);
    let running = fixture.app.database.client().await;
    for (sql, expected) in [
        ("UPDATE event SET sequence = 1", SqlState::INSUFFICIENT_PRIVILEGE),
        ("DELETE FROM tree_head", SqlState::INSUFFICIENT_PRIVILEGE),
        ("CREATE TABLE mine (a int)", SqlState::INSUFFICIENT_PRIVILEGE),
        (
            "ALTER TABLE sale DISABLE TRIGGER ALL",
            SqlState::INSUFFICIENT_PRIVILEGE,
        ),
    ] {
        assert_eq!(refusal(&running, sql).await, Some(expected), "{sql}");
    }
    let audited = [&KEY, &("RAZAO_CHECKPOINT_PUBLIC_KEYS", PUBLIC)].map(|variable| *variable);
    for check in [["audit", "verify"], ["audit", "replay"]] {
        let (code, text) = command(&audits, &audited, &check).await;
        assert_eq!(code, Some(0), "{check:?}: {text}");
    }

    let (code, text) = command(&audits, &[], &["doctor", "--database-only"]).await;
    assert!(code.is_some_and(|code| code < 2), "{text}");
    assert!(
        !text.contains("Could not look") && !text.contains("only sessions of"),
        "{text}"
    );

    // What a rebuild makes has the grants of what it replaces.
    let (code, text) = command(&migrates, &[KEY], &["rebuild"]).await;
    assert_eq!(code, Some(0), "{text}");
    let again = fixture.staff.get("/api/admin/transactions").await;
    assert_eq!((again.status, again.body), (200, sales.body));
    let granted = "SELECT has_table_privilege('razao_test_reports', 'sale', 'SELECT'), \
                   has_table_privilege('razao_audit', 'sale', 'INSERT')";
    let granted = owner.query_one(granted, &[]).await.expect("privileges");
    assert_eq!((granted.get(0), granted.get(1)), (true, false));
    owner
        .batch_execute("DROP OWNED BY razao_test_reports; DROP ROLE razao_test_reports")
        .await
        .expect("dropped");
}

/// The public half of the tests' checkpoint key.
const PUBLIC: &str = "d04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_in_production_refuses_a_schema_that_is_behind() {
    let database = Database::empty().await;
    let key = ("RAZAO_KEY_CHECKPOINT", "11".repeat(32));
    let variables = [
        ("RAZAO_KEY_JWT", key.1.as_str()),
        ("RAZAO_KEY_REFRESH", &key.1),
        ("RAZAO_KEY_SALES", "5f6e7a52-3c1d-4b8e-9a70-2d1f0c4b6e81"),
        ("RAZAO_SELLER_HOSTS", "app.pagamentos.example"),
        ("RAZAO_ADMIN_HOSTS", "staff.pagamentos.example"),
        ("RAZAO_SMTP_URL", "smtps://razao@smtp.internal:465"),
        ("RAZAO_MAIL_FROM", "Pagamentos <nao-responda@pagamentos.example>"),
        (crate::support::acquirer::SECRETS.0, "0123456789abcdef"),
    ];
    let (code, text) = command(&database.url, &variables, &["serve"]).await;
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("run `razao migrate`"), "{text}");
    let tables = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    let tables = database
        .client()
        .await
        .query_one(tables, &[])
        .await
        .expect("tables");
    assert_eq!(tables.get::<_, i64>(0), 0);
}
