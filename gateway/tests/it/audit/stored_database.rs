//! A database as a program of the baseline left it: sales, a reversal, a payout in flight, signed heads. Each later
//! version must migrate it and find it in order.
//!
//! `fixtures/databases/0010.gz` has the rows of all tables as `COPY` writes them. Their tables are those of the migrations
//! that the file names, which are never edited.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use futures::{SinkExt, TryStreamExt, pin_mut};
use ledger_domain::business::{BusinessCommand, CancelSale};
use ledger_domain::sale::Provider;
use ledger_store::migrate::{self, MIGRATIONS};
use projections::ReadModelGroup;
use tokio_postgres::Client;

use super::razao;
use crate::payouts::PayoutFixture;
use crate::support::PARTS;
use crate::support::acquirer::capture;
use crate::support::database::Database;
use crate::support::database::only_with_tables;
use crate::support::wait::until;

/// The end of a table's rows, as in a script of psql.
const END: &str = "\\.";

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/databases")
        .join(name)
}

/// The tables with their columns, except generated ones, which COPY neither writes nor reads.
async fn tables(client: &Client) -> Vec<(String, String)> {
    let sql = "SELECT table_name::text, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position)
                 FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
                WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
                GROUP BY 1 ORDER BY 1";
    let rows = client.query(sql, &[]).await.expect("the tables");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

async fn stored(client: &Client) -> String {
    let mut text = String::new();
    for (table, columns) in tables(client).await {
        let sql = format!("COPY {table} ({columns}) TO STDOUT");
        let rows = client.copy_out(&sql).await.expect("rows");
        let rows: Vec<_> = rows.try_collect().await.expect("rows");
        let rows = String::from_utf8(rows.concat()).expect("UTF-8");
        if !rows.is_empty() {
            text += &format!("{table} ({columns})\n{rows}{END}\n");
        }
    }
    text
}

/// Fills an empty schema with the tables and the rows of the file.
async fn restore(client: &mut Client, text: &str) {
    let run = async |client: &Client, sql: &str| {
        let done = client.batch_execute(sql).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    };
    run(client, "DROP SCHEMA public CASCADE; CREATE SCHEMA public").await;
    let (_, applied) = text.split_once("\nschema_migration (").expect("its migrations");
    let applied = applied.lines().skip(1).take_while(|line| *line != END).count();
    let made = migrate::run_list(client, &MIGRATIONS[..applied]).await;
    assert_eq!(made.expect("its tables").len(), applied);

    // No trigger fires: the rows are as the program left them.
    run(client, "SET session_replication_role = replica").await;
    let all: Vec<_> = tables(client).await.into_iter().map(|(table, _)| table).collect();
    run(client, &format!("TRUNCATE {}", all.join(", "))).await;
    let mut lines = text.lines();
    while let Some(table) = lines.next() {
        let sink = client.copy_in(&format!("COPY {table} FROM STDIN")).await;
        let sink = sink.unwrap_or_else(|error| panic!("{table}: {error:?}"));
        pin_mut!(sink);
        for row in lines.by_ref().take_while(|line| *line != END) {
            sink.send(Cursor::new(format!("{row}\n"))).await.expect("a row");
        }
        sink.finish()
            .await
            .unwrap_or_else(|error| panic!("{table}: {error:?}"));
    }
    run(
        client,
        "DO $$ DECLARE held record; BEGIN
             FOR held IN SELECT table_name, column_name FROM information_schema.columns
                          WHERE table_schema = 'public' AND is_identity = 'YES' LOOP
                 EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), coalesce(max(%I), 0) + 1, false) FROM %I',
                                held.table_name, held.column_name, held.column_name, held.table_name);
             END LOOP;
         END $$;
         RESET session_replication_role",
    )
    .await;
}

async fn read_models(client: &Client) -> Vec<(&'static str, Vec<String>)> {
    let mut all = vec![];
    for model in ReadModelGroup::ALL {
        for table in model.tables().iter().copied().chain(model.shared_tables()) {
            let sql = format!("SELECT row_of::text FROM {table} AS row_of ORDER BY 1");
            let rows = client.query(&sql, &[]).await.expect("rows");
            all.push((table, rows.iter().map(|row| row.get(0)).collect()));
        }
    }
    all
}

#[tokio::test]
async fn a_database_of_the_baseline_is_migrated_and_verified() {
    only_with_tables!();
    let mut text = String::new();
    let packed = fs::File::open(file("0010.gz")).expect("the fixture");
    GzDecoder::new(packed)
        .read_to_string(&mut text)
        .expect("its text");
    let database = Database::create().await;
    let mut client = database.client().await;
    restore(&mut client, &text).await;
    // The program proves the changes of chained rows.
    let folder = tempfile::tempdir().expect("a folder");
    let (status, applied) = razao(&database, folder.path(), &["migrate"]).await;
    assert_eq!(status, Some(0), "{applied}");
    let before: i64 = client
        .query_one("SELECT count(*) FROM schema_migration", &[])
        .await
        .expect("a count")
        .get(0);
    assert_eq!(usize::try_from(before), Ok(MIGRATIONS.len()), "{applied}");

    let heads = file("0010.heads.json");
    let heads = heads.to_str().expect("a path");
    let (status, output) = razao(&database, folder.path(), &["audit", "verify", "--head", heads]).await;
    assert_eq!(status, Some(0), "{output}");
    let in_flight = "SELECT count(*) FROM payout WHERE status = 'sent'";
    let in_flight: i64 = client.query_one(in_flight, &[]).await.expect("a count").get(0);
    assert_eq!(in_flight, 1);

    let stored = read_models(&client).await;
    assert!(stored.iter().filter(|(_, rows)| !rows.is_empty()).count() > 10);
    let (status, output) = razao(&database, folder.path(), &["rebuild"]).await;
    assert_eq!(status, Some(0), "{output}");
    for (stored, rebuilt) in stored.iter().zip(read_models(&client).await) {
        assert_eq!(*stored, rebuilt);
    }
    let (status, output) = razao(&database, folder.path(), &["audit", "replay"]).await;
    assert_eq!(status, Some(0), "{output}");
}

/// Writes the fixture anew. Only a new baseline needs it: the stored file is what later versions are tested with.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "writes the fixture"]
async fn write_the_database_of_the_baseline() {
    let fixture = PayoutFixture::open_with(PARTS).await;
    let (app, company) = (&fixture.app, &fixture.company);
    for amount in [100_00, 250_00, 99_90] {
        let mut notice = capture(company, &format!("nsu-{amount}"));
        notice.data.amount = amount;
        assert_eq!(app.send(&notice).await.text("/result"), "recorded");
    }
    let state = &app.app.state;
    let cancel = CancelSale {
        sale_id: state.ids.sale(Provider::Zoop, "nsu-25000"),
        occurred_at: state.clock.now(),
        reason: None,
    };
    app.submit(company, BusinessCommand::CancelSale(cancel)).await;
    let (paid, _) = fixture.withdraw(500_00).await;
    until("a paid withdrawal", async || {
        fixture.transfer_status(paid).await == "approved"
    })
    .await;
    // The bank sends no notice about it, so it stays in flight for a while.
    let (_, payout) = fixture.withdraw(700_03).await;
    fixture.until_payout_is(payout, "sent").await;
    app.until_effect_handlers_read_all().await;
    app.until_projected().await;
    let PayoutFixture { app, sandbox, .. } = fixture;
    app.app.stop().await;
    drop(sandbox);

    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(file("")).expect("a folder");
    let heads = file("0010.heads.json");
    let heads = heads.to_str().expect("a path");
    let (status, output) = razao(
        &app.database,
        folder.path(),
        &["audit", "checkpoint", "--out", heads],
    )
    .await;
    assert_eq!(status, Some(0), "{output}");
    let client = app.database.client().await;
    let mut packed = GzEncoder::new(
        fs::File::create(file("0010.gz")).expect("a file"),
        Compression::best(),
    );
    packed
        .write_all(stored(&client).await.as_bytes())
        .expect("written");
    packed.finish().expect("written");
}
