//! Development data of an earlier version, whose baseline of migrations is another one.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use gateway::app::Database as AppDatabase;
use gateway_dev::embedded::{DATABASE, Embedded, EmbeddedOptions};
use ledger_store::migrate::MIGRATIONS;
use tokio_postgres::NoTls;

use crate::support::app as test_app;

/// A digest of the first migration as another baseline has it.
const OTHER_BASELINE: &str = "UPDATE schema_migration SET sha256 = sha256('another')";

#[tokio::test]
async fn data_of_another_baseline_is_set_aside() {
    let folder = tempfile::tempdir().expect("a folder");
    // PostgreSQL's user, if it is another one, can enter it.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
    let data = folder.path().join(".data");
    fs::create_dir_all(data.join("keys")).expect("a folder");
    fs::write(data.join("keys/jwt"), "a key").expect("a key");
    fs::write(data.join("sandbox-charges.jsonl"), "a charge").expect("a file");
    let outbox = tempfile::tempdir().expect("a folder");
    let mut config = test_app::config("postgres://unused", &outbox, &[]).database;
    (config.server, config.folder) = (None, data.clone());

    let database = AppDatabase::open(&config).await.expect("a database");
    assert_eq!(
        database.migrate().await.expect("the tables").len(),
        MIGRATIONS.len()
    );
    let client = database.pool().get().await.expect("a connection");
    client
        .batch_execute(OTHER_BASELINE)
        .await
        .expect("another baseline");
    drop(client);
    database.close().await;

    let database = AppDatabase::open(&config).await.expect("a new database");
    assert_eq!(
        database.migrate().await.expect("the tables").len(),
        MIGRATIONS.len()
    );
    database.close().await;
    let aside = folder.path().join(".data-earlier-1");
    let read = |path: &str| fs::read_to_string(aside.join(path)).expect("a file");
    assert_eq!(read("sandbox-charges.jsonl"), "a charge");
    assert!(!data.join("sandbox-charges.jsonl").exists());
    assert_eq!(fs::read_to_string(data.join("keys/jwt")).expect("a key"), "a key");

    // The data that were set aside are complete.
    let embedded = Embedded::start(EmbeddedOptions {
        data_dir: aside.join("postgres"),
        durable: true,
    });
    let embedded = embedded.await.expect("the earlier server");
    let url = embedded.url(DATABASE);
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.expect("a connection");
    tokio::spawn(connection);
    let sql = "SELECT count(*) FROM schema_migration WHERE sha256 = sha256('another')";
    let rows: i64 = client.query_one(sql, &[]).await.expect("a count").get(0);
    assert_eq!(usize::try_from(rows), Ok(MIGRATIONS.len()));
    drop(client);
    embedded.stop().await.expect("stopped");

    let database = AppDatabase::open(&config).await.expect("the database again");
    assert_eq!(database.migrate().await.expect("nothing").len(), 0);
    database.close().await;
}
