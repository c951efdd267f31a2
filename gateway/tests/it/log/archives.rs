//! Old events leave the database for files, and nothing of the ledger notices: histories, windows, the writer's
//! decisions, repeated commands, a rebuild and both audits.

use std::fs;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use ed25519_dalek::SigningKey;
use ledger_domain::business::{BusinessCommand, CaptureSale, SaleContext};
use ledger_domain::{BusinessId, SaleId};
use ledger_store::archive::{self, Archived, RefusedExport, archive_shard};
use ledger_store::audit::Finding;
use ledger_store::audit::export::Heads;
use ledger_store::layout::partitions;
use ledger_store::log::LogError;
use ledger_store::verify::VerifyError;
use ledger_store::{
    Idempotency, Layout, Outcome, Shard, StoredEvent, Submission, log, migrate, tree_head, verify,
};
use projections::{ReadModelGroup, replay};
use tempfile::TempDir;
use tokio_postgres::Client;

use crate::projections::ledger::{Ledger, business, card, day, minute, pix};
use crate::support::commands::submission;
use crate::support::database::{CHECKPOINT_KEY, PARTITION_SIZE, wants_schemas};
use crate::support::noon;

const SALES: usize = 45;
/// Of `razao archive`: `RAZAO` in ASCII and 3.
const ARCHIVE_LOCK: i64 = 0x5241_5a41_4f03;

/// A ledger of one shop with three partitions of events, in layout `schemas`.
struct Shop {
    ledger: Ledger,
    id: BusinessId,
    shard: Shard,
    /// Its only event is the second one.
    created: SaleId,
    captured: SaleId,
    folder: TempDir,
}

fn keyed_capture(id: BusinessId, sale: SaleId) -> Submission {
    let command = BusinessCommand::CaptureSale(CaptureSale {
        sale: pix(sale),
        occurred_at: minute(0),
        context: SaleContext::unknown(id, minute(0)),
    });
    Submission {
        idempotency: Some(Idempotency::new("test", "first", b"body")),
        ..submission(id, command)
    }
}

fn recorded(outcome: &Outcome) -> Vec<(i64, i64)> {
    match outcome {
        Outcome::Recorded(receipt) => {
            let places = receipt
                .events
                .iter()
                .map(|event| (event.sequence, event.position));
            places.collect()
        }
        other => panic!("not recorded: {other:?}"),
    }
}

impl Shop {
    async fn open() -> Self {
        let ledger = Ledger::create().await;
        let id = business(1);
        let runner = ledger.follow();
        let captured = ledger.new_sale();
        let first = ledger.writer.submit(keyed_capture(id, captured)).await;
        assert_eq!(recorded(&first), [(1, 1)]);
        let created = ledger.new_sale();
        ledger.create_sale(id, card(created), minute(1)).await;
        for _ in 2..SALES {
            ledger.capture(id, pix(ledger.new_sale()), minute(2)).await;
        }
        ledger
            .capture(business(2), pix(ledger.new_sale()), minute(2))
            .await;
        ledger.settle_due(day(10)).await;
        runner.stop().await;
        let move_to_schemas = async |client: &mut Client| {
            let moved = migrate::run_to_schemas(client, PARTITION_SIZE, |_| {}).await;
            assert_eq!(moved.expect("layout `schemas`"), !wants_schemas());
        };
        // The restarted writer has nothing in memory.
        let ledger = ledger.restarted_after(move_to_schemas).await;
        Self {
            ledger,
            id,
            shard: Shard::of(id),
            created,
            captured,
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    async fn sign(&self) {
        let client = self.ledger.database_client().await;
        for shard in Shard::all() {
            let signed = tree_head::make(&client, shard, &CHECKPOINT_KEY, self.ledger.now()).await;
            signed.expect("a tree head");
        }
    }

    async fn archive(&self, before: DateTime<Utc>) -> Result<Archived, RefusedExport> {
        let mut client = self.ledger.database_client().await;
        let folder = self.folder.path();
        archive_shard(&mut client, self.shard, folder, before, &mut |_| {}).await
    }

    async fn archived(&self) -> Archived {
        self.sign().await;
        self.archive(later()).await.expect("an archiving")
    }

    async fn history(&self) -> Result<Vec<StoredEvent>, LogError> {
        let client = self.ledger.database_client().await;
        let mut events: Vec<StoredEvent> = vec![];
        loop {
            let after = events.last().map_or(0, |last| last.sequence);
            // Pages that end within a file, at its end, and in the database.
            let page = log::of_business(&client, self.id, after, 7).await?;
            if page.is_empty() {
                return Ok(events);
            }
            events.extend(page);
        }
    }

    async fn in_order(&self) -> Vec<StoredEvent> {
        let client = self.ledger.database_client().await;
        let mut events: Vec<StoredEvent> = vec![];
        loop {
            let after = events.last().map_or(0, |last| last.position);
            let page = log::window(&client, self.shard, after, 9)
                .await
                .expect("a window");
            if page.is_empty() {
                return events;
            }
            events.extend(page);
        }
    }

    async fn verified(&self) -> Result<Vec<String>, VerifyError> {
        let keys = [SigningKey::from_bytes(&CHECKPOINT_KEY).verifying_key()];
        let mut findings = vec![];
        let mut report = |finding: &Finding| findings.push(finding.to_string());
        verify::run(
            &self.ledger.pool,
            &keys,
            Heads::default(),
            &mut report,
            &mut |_| {},
        )
        .await?;
        Ok(findings)
    }

    async fn replayed(&self) -> Vec<String> {
        let mut findings = vec![];
        let Ledger { pool, connector, .. } = &self.ledger;
        let replayed = replay::run(
            pool,
            connector,
            |_| {},
            |finding| findings.push(finding.to_string()),
        );
        assert!(replayed.await.expect("a replay").events > 40);
        findings
    }

    async fn rows(&self, table: &str) -> Vec<String> {
        let sql = format!("SELECT (to_jsonb(t) - 'xmin')::text FROM {table} AS t ORDER BY 1");
        let rows = self.ledger.database_client().await.query(&sql, &[]).await;
        rows.expect("rows").iter().map(|row| row.get(0)).collect()
    }

    /// Changes the log as only a superuser can.
    async fn tamper(&self, sql: &str) {
        let sql = format!("SET session_replication_role = replica; {sql}");
        let changed = self.ledger.database_client().await.batch_execute(&sql).await;
        changed.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    }
}

/// After everything that the tests record.
fn later() -> DateTime<Utc> {
    noon() + TimeDelta::days(10_000)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archived_events_are_read_decided_on_rebuilt_and_audited_like_others() {
    let shop = Shop::open().await;
    let (history, in_order) = (shop.history().await.expect("a history"), shop.in_order().await);
    assert!(history.len() > SALES);
    let archived = shop.archived().await;
    let positions: Vec<_> = archived
        .exported
        .iter()
        .map(|exported| (exported.archive.first, exported.archive.last))
        .collect();
    assert_eq!(positions, [(1, 20), (21, 40)]);
    assert_eq!(archived.next, Some("is not full"));
    let client = shop.ledger.database_client().await;
    let sql = format!("SELECT min(position) FROM event WHERE shard = {}", shop.shard);
    let oldest: i64 = client.query_one(&sql, &[]).await.expect("an event").get(0);
    assert_eq!(oldest, 41, "the database has the newest partition only");
    // Read.
    assert_eq!(shop.history().await.expect("a history"), history);
    assert_eq!(shop.in_order().await, in_order);
    for sequence in [1, 20, 21, 40, 41] {
        let event = log::event(&client, shop.id, sequence).await.expect("a read");
        assert_eq!(
            event.as_ref(),
            history.get(usize::try_from(sequence - 1).expect("a place"))
        );
    }
    let instants = log::instants_of(&client, shop.id, &[45, 3, 22])
        .await
        .expect("instants");
    assert_eq!(instants.keys().copied().collect::<Vec<_>>(), [3, 22, 45]);
    let named = log::events_containing(&client, shop.id, &shop.captured.to_string()).await;
    let named: Vec<_> = named
        .expect("events")
        .iter()
        .map(|event| event.sequence)
        .collect();
    assert_eq!(named[0], 1);
    assert!(*named.last().expect("its settlement") > 40, "{named:?}");
    // Audited.
    assert_eq!(shop.verified().await.expect("a verification"), [""; 0]);
    assert_eq!(shop.replayed().await, [""; 0]);
    // Decided on: the answer of a repeated command, a sale whose only event is archived, and one that exists.
    let again = shop
        .ledger
        .writer
        .submit(keyed_capture(shop.id, shop.captured))
        .await;
    assert_eq!(recorded(&again), [(1, 1)]);
    shop.ledger.void(shop.id, shop.created, minute(30)).await;
    let voided = shop.history().await.expect("a history");
    assert_eq!(voided.len(), history.len() + 1);
    let known = submission(
        shop.id,
        BusinessCommand::CaptureSale(CaptureSale {
            sale: pix(shop.captured),
            occurred_at: minute(0),
            context: SaleContext::unknown(shop.id, minute(0)),
        }),
    );
    let known = shop.ledger.writer.submit(known).await;
    assert_eq!(shop.history().await.expect("a history"), voided, "{known:?}");
    // Rebuilt, by followers that begin with the first event.
    let runner = shop.ledger.follow();
    shop.ledger.until_caught_up().await;
    runner.stop().await;
    let mut live = vec![];
    for table in ReadModelGroup::ALL.iter().flat_map(|model| model.tables()) {
        live.push((table, shop.rows(table).await));
    }
    projections::rebuild(&shop.ledger.pool, &ReadModelGroup::ALL, |_| {})
        .await
        .expect("a rebuild");
    for (table, rows) in live {
        assert_eq!(shop.rows(table).await, rows, "{table}");
    }
    assert_eq!(shop.verified().await.expect("a verification"), [""; 0]);
    assert_eq!(shop.replayed().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_audit_sees_changes_of_archived_events_and_of_what_they_name() {
    let shop = Shop::open().await;
    let archived = shop.archived().await;
    let shard = shop.shard;
    let claim = format!("sale_claim WHERE sale_id = '{}'", shop.created.uuid());
    let kept = shop.rows("sale_claim").await;
    shop.tamper(&format!("DELETE FROM {claim}")).await;
    let found = shop.verified().await.expect("a verification");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("sequence 2") && found[0].contains("is not claimed"),
        "{found:?}"
    );
    shop.tamper(&format!(
        "INSERT INTO sale_claim (sale_id, business_id, sequence, shard)
         VALUES ('{}', '{}', 2, {shard}), (gen_random_uuid(), '{}', 3, {shard})",
        shop.created.uuid(),
        shop.id.uuid(),
        shop.id.uuid()
    ))
    .await;
    let found = shop.verified().await.expect("a verification");
    let counted = format!("shard {shard}: 41 claims name archived events, of which 40 have such a claim");
    assert_eq!(
        found,
        [counted],
        "a claim of an archived event that claims another sale"
    );
    shop.tamper("DELETE FROM sale_claim WHERE sequence = 3 AND sale_id::text NOT LIKE '00000000%'")
        .await;
    assert_eq!(shop.rows("sale_claim").await, kept);
    // Files.
    let file = archived.exported[1].archive.file.clone();
    let bytes = fs::read(&file).expect("a file");
    let mut changed = bytes.clone();
    changed[100] ^= 1;
    fs::write(&file, changed).expect("a changed file");
    let failed = shop.verified().await.expect_err("an unreadable file").to_string();
    assert!(failed.contains(file.to_str().expect("a path")), "{failed}");
    fs::remove_file(&file).expect("no file");
    assert!(matches!(shop.history().await, Err(LogError::Archive(_))));
    // Moved: every file must be in the new folder.
    let other = tempfile::tempdir().expect("a folder");
    let mut client = shop.ledger.database_client().await;
    archive::move_files(&mut client, other.path())
        .await
        .expect_err("a folder without the files");
    let copy = |from: &Path| fs::copy(from, other.path().join(from.file_name().expect("a name")));
    copy(&archived.exported[0].archive.file).expect("a copy");
    fs::write(other.path().join(file.file_name().expect("a name")), bytes).expect("a file");
    let moved = archive::move_files(&mut client, other.path()).await;
    assert_eq!(moved.expect("a move"), 2);
    assert_eq!(shop.verified().await.expect("a verification"), [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_new_unsound_or_not_covered_by_a_head_stays() {
    let shop = Shop::open().await;
    let uncovered = shop.archive(later()).await;
    assert!(
        matches!(uncovered, Err(RefusedExport::NoTreeHead { position: 20, .. })),
        "{uncovered:?}"
    );
    shop.sign().await;
    let new = shop
        .archive(DateTime::UNIX_EPOCH)
        .await
        .expect("nothing to archive");
    assert_eq!(
        (new.exported, new.next),
        (vec![], Some("has events that are too new"))
    );
    // An audit that reads the log meanwhile.
    let reader = shop.ledger.database_client().await;
    archive::hold_log(&reader).await.expect("a lock");
    assert!(matches!(
        shop.archive(later()).await,
        Err(RefusedExport::AuditRuns(_))
    ));
    archive::release_log(&reader).await.expect("no lock");
    // Another run, and a folder with another installation's file of the same name: it may be the only copy.
    let locked = format!("SELECT pg_advisory_lock({ARCHIVE_LOCK})");
    reader.batch_execute(&locked).await.expect("a lock");
    assert!(matches!(
        shop.archive(later()).await,
        Err(RefusedExport::AlreadyRuns)
    ));
    let unlocked = format!("SELECT pg_advisory_unlock({ARCHIVE_LOCK})");
    reader.batch_execute(&unlocked).await.expect("no lock");
    let name = format!(
        "s{:02}-000000000001-000000000020.events.jsonl.zst",
        shop.shard.number()
    );
    let file = shop.folder.path().join(name);
    let own = fs::read(&file).expect("the file of the run that an audit stopped");
    fs::write(&file, "of another installation").expect("a file");
    let exists = shop.archive(later()).await;
    assert!(matches!(exists, Err(RefusedExport::FileExists(_))), "{exists:?}");
    assert_eq!(fs::read(&file).expect("the file"), b"of another installation");
    fs::write(&file, own).expect("a file");
    let names = fs::read_dir(shop.folder.path()).expect("a folder");
    assert_eq!(names.count(), 1, "nothing unfinished is left");
    // The second partition has a changed payload: the first one leaves, and this one stays.
    let event = format!("s{}.event", shop.shard);
    let change = "SET payload = replace(payload::text, '50', '60')::json WHERE position = 33";
    shop.tamper(&format!("UPDATE {event} {change}")).await;
    let unsound = shop
        .archive(later())
        .await
        .expect_err("a broken digest")
        .to_string();
    assert!(
        unsound.contains("position 33") && unsound.contains("digest"),
        "{unsound}"
    );
    let client = shop.ledger.database_client().await;
    let left = partitions(&client, shop.shard).await.expect("partitions");
    assert_eq!(left[0].first, 21, "{left:?}");
    assert_eq!(
        archive::archives(&client, shop.shard)
            .await
            .expect("archives")
            .len(),
        1
    );
    let mut client = shop.ledger.database_client().await;
    let relative = archive_shard(&mut client, shop.shard, Path::new("files"), later(), &mut |_| {}).await;
    assert!(matches!(relative, Err(RefusedExport::Folder(_))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn layout_one_keeps_all_events() {
    if wants_schemas() {
        return; // Its databases have the other layout.
    }
    let ledger = Ledger::create().await;
    let mut client = ledger.database_client().await;
    assert_eq!(Layout::of(&client).await.expect("a layout"), Layout::One);
    let folder = tempfile::tempdir().expect("a folder");
    let shard = Shard::of(business(1));
    let refused = archive_shard(&mut client, shard, folder.path(), later(), &mut |_| {}).await;
    assert!(matches!(refused, Err(RefusedExport::LayoutOne)), "{refused:?}");
}
