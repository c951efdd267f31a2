//! Checkpoints of the tree over all events, and proofs for outsiders.

use chrono::Utc;
use ed25519_dalek::{SigningKey, VerifyingKey};
use gateway_platform::proofs::{ProofError, Proofs};
use ledger_domain::SaleId;
use ledger_store::audit::Difference;
use ledger_store::audit::checkpoint::{self, CheckpointError};
use ledger_store::audit::export::Heads;
use ledger_store::audit::prove::{ProveError, Prover, Range, snapshot};
use ledger_store::tree_head;
use razao_verify::check::{Invalid, Shows};
use razao_verify::merkle::check_consistency;
use razao_verify::note::Note;
use razao_verify::proof::Proof;
use serde_json::Value;
use tokio_postgres::Client;
use uuid::Uuid;

use super::{KEY, findings_with, shard};
use crate::support::database::{Database, wants_schemas};
use crate::writer::{self, business, capture_sales};

pub(super) const NAME: &str = "razao.example.com";

/// Enough for a stored subtree of 256 leaves before the first checkpoint.
const FIRST: u128 = 300;
const SECOND: u128 = 345;

fn sale(number: u128) -> SaleId {
    SaleId::from_uuid(Uuid::from_u128(number))
}

pub(super) fn keys() -> [VerifyingKey; 1] {
    [SigningKey::from_bytes(&KEY).verifying_key()]
}

pub(super) struct Log {
    pub database: Database,
    /// No trigger fires for it.
    pub client: Client,
    /// The checkpoints after the first sales, and after all.
    notes: [Note; 2],
}

impl Log {
    fn proofs(&self) -> Proofs {
        Proofs {
            pool: self.database.program_pool(),
            keys: keys().to_vec(),
        }
    }
}

/// A company with a sale for each event, of which two checkpoints were made.
pub(super) async fn checkpointed() -> Log {
    let database = Database::create().await;
    let (writer, task) = writer::start(&database, "one").await;
    let client = database.client().await;
    let mut notes = vec![];
    for sales in [1..=FIRST, FIRST + 1..=SECOND] {
        let sales: Vec<_> = sales.map(|number| (business(1), sale(number))).collect();
        capture_sales(&writer, &sales).await;
        notes.extend(sign(&client).await.expect("a checkpoint"));
    }
    writer.shutdown();
    task.join().await;
    if !wants_schemas() {
        client
            .batch_execute("SET session_replication_role = replica")
            .await
            .expect("no triggers");
    }
    Log {
        database,
        client,
        notes: notes.try_into().expect("two checkpoints"),
    }
}

pub(super) async fn sign(client: &Client) -> Result<Option<Note>, CheckpointError> {
    tree_head::make(client, shard(), &KEY, Utc::now())
        .await
        .expect("made");
    checkpoint::make(client, shard(), NAME, &KEY).await
}

async fn findings(database: &Database, copies: &[Note]) -> Vec<Difference> {
    let outside = Heads {
        checkpoints: copies.to_vec(),
        ..Heads::default()
    };
    let found = findings_with(database, outside).await;
    found.into_iter().map(|finding| finding.what).collect()
}

fn size(note: &Note) -> u64 {
    note.checkpoint.events.size
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_checkpoint_continues_the_one_before() {
    let log = checkpointed().await;
    let (client, [first, second]) = (&log.client, &log.notes);
    assert_eq!((size(first), size(second)), (300, 345));
    assert_eq!(second.checkpoint.origin, format!("{NAME}/shard/{}", shard()));
    assert_eq!(second.signed_by(&keys()), Ok(&keys()[0]));
    let path = checkpoint::consistency(client, shard(), 300, 345)
        .await
        .expect("a path");
    let events = [first.checkpoint.events, second.checkpoint.events];
    assert_eq!(check_consistency(&events[0], &events[1], &path), Ok(()));
    // A change of the configuration begins no other log.
    assert_eq!(sign(client).await.expect("no fault"), None, "nothing new");
    assert_eq!(findings(&log.database, &log.notes).await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_is_changed_in_checkpoints_is_found() {
    let subtree = |index| Difference::Subtree { height: 8, index };
    let root = Difference::CheckpointRoot;
    for (tampering, expected) in [
        ("UPDATE log_subtree SET hash = sha256(hash)", vec![subtree(0)]),
        ("DELETE FROM log_subtree", vec![subtree(0)]),
        (
            "INSERT INTO log_subtree SELECT shard, height, 7, hash FROM log_subtree",
            vec![subtree(7)],
        ),
        (
            "UPDATE log_checkpoint SET size = 301 WHERE size = 300",
            vec![root.clone()],
        ),
        (
            "DELETE FROM log_checkpoint WHERE size = 345",
            vec![Difference::OutsideCheckpointMissing],
        ),
        (
            "UPDATE log_checkpoint SET size = 400, note = replace(note, E'\\n345\\n', E'\\n400\\n') WHERE size = 345",
            vec![
                Difference::OutsideCheckpointMissing,
                Difference::CheckpointInvalid(razao_verify::note::NoteError::Signature),
            ],
        ),
    ] {
        let log = checkpointed().await;
        log.client.batch_execute(tampering).await.expect(tampering);
        assert_eq!(
            findings(&log.database, &log.notes[1..]).await,
            expected,
            "{tampering}"
        );
    }
}

/// As a person would who can write everything in the database, and computes all hashes again. Only what is kept outside
/// shows it.
pub(super) async fn rewrite_the_end(client: &Client) {
    client
        .batch_execute(
            "DELETE FROM log_checkpoint WHERE size = 345; DELETE FROM tree_head WHERE position = 345;
             UPDATE event SET payload = replace(payload::text, '\"amount\":10000', '\"amount\":90000')::json
              WHERE position = 340",
        )
        .await
        .expect("tampered");
    let columns = "sequence, payload::text, metadata::text";
    let rows = client
        .query(
            &format!("SELECT {columns} FROM event WHERE position >= 340 ORDER BY sequence"),
            &[],
        )
        .await
        .expect("events");
    let mut previous: Option<[u8; 32]> = None;
    for row in &rows {
        let sequence: i64 = row.get(0);
        let event = ledger_store::log::event(client, business(1), sequence)
            .await
            .expect("read")
            .expect("an event");
        let before = match previous {
            Some(chain) => chain,
            None => {
                let before = ledger_store::log::event(client, business(1), sequence - 1).await;
                before.expect("read").expect("an event").chain
            }
        };
        let digest = event.computed_digest();
        let chain = ledger_store::chain::next(&before, &digest);
        client
            .execute(
                "UPDATE event SET digest = $1, chain = $2 WHERE business_id = $3 AND sequence = $4",
                &[&&digest[..], &&chain[..], &business(1).uuid(), &sequence],
            )
            .await
            .expect("tampered");
        previous = Some(chain);
    }
    let chain = previous.expect("events");
    client
        .execute("UPDATE business_head SET chain = $1", &[&&chain[..]])
        .await
        .expect("tampered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rewritten_end_is_found_by_what_is_kept_outside_alone() {
    let log = checkpointed().await;
    let [_, second] = &log.notes;
    rewrite_the_end(&log.client).await;
    assert_eq!(
        findings(&log.database, &[]).await,
        [],
        "the database alone agrees with itself"
    );
    let found = findings(&log.database, std::slice::from_ref(second)).await;
    assert!(found.contains(&Difference::CheckpointRoot), "{found:?}");
    // The forged log can be signed again, but nobody can prove that it continues what was seen.
    let forged = sign(&log.client).await.expect("no fault").expect("a checkpoint");
    assert_eq!(size(&forged), 345);
    let refused = log.proofs().growth(second).await;
    assert!(
        matches!(
            refused,
            Err(ProofError::Prove(ProveError::NotProvable(Invalid::Rewritten(_))))
        ),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_does_not_continue_its_checkpoint_is_not_signed() {
    let Log { database, client, .. } = checkpointed().await;
    client
        .batch_execute("UPDATE event SET digest = sha256(digest) WHERE position = 340")
        .await
        .expect("tampered");
    let (writer, task) = writer::start(&database, "two").await;
    capture_sales(&writer, &[(business(1), sale(SECOND + 1))]).await;
    writer.shutdown();
    task.join().await;
    let refused = sign(&client).await;
    assert!(
        matches!(refused, Err(CheckpointError::Rewritten { size: 345, .. })),
        "{refused:?}"
    );
}

fn shown(proof: &Proof) -> Shows {
    razao_verify::check(&proof.text(), &keys(), &[])
        .expect("a valid proof")
        .shows
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_events_of_a_sale_are_proven() {
    let log = checkpointed().await;
    // Inside of the stored subtree, at its ends, and after it.
    for number in [1, 7, 128, 129, 256, 257, 300, SECOND] {
        let proof = log
            .proofs()
            .sale(business(1), sale(number))
            .await
            .expect("a proof");
        let expected = Shows::Sale {
            business_id: business(1).to_string(),
            sale_id: sale(number).to_string(),
            events: 1,
        };
        assert_eq!(shown(&proof), expected);
    }
    let unknown = log.proofs().sale(business(1), sale(999)).await;
    assert!(unknown.is_err_and(|error| error.is_not_yet()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_balances_of_a_company_are_proven_at_each_checkpoint() {
    let log = checkpointed().await;
    // The clock of these sales says the same instant for all.
    let range = Range {
        from: 0,
        to: Utc::now().timestamp_micros(),
    };
    for (at, sales) in [
        (None, SECOND),
        (Some(u64::try_from(FIRST).expect("small")), FIRST),
    ] {
        let mut client = log.database.client().await;
        let snapshot = snapshot(&mut client).await.expect("a snapshot");
        let keys = keys();
        let prover = Prover::at(&snapshot, shard(), at, &keys)
            .await
            .expect("a checkpoint");
        let proof = prover.company(business(1), Some(range)).await.expect("a proof");
        let Shows::Company {
            events,
            accounts,
            period: Some(period),
            ..
        } = shown(&proof)
        else {
            panic!("a company with a period")
        };
        assert_eq!(u128::try_from(events), Ok(sales));
        let sales = i64::try_from(sales).expect("small");
        assert_eq!(
            (accounts.receivable, accounts.platform_fees),
            (sales * 97_00, sales * 3_00)
        );
        assert_eq!((period.closing, period.fees), (accounts, sales * 3_00));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_growth_of_the_log_is_proven() {
    let log = checkpointed().await;
    let [first, second] = &log.notes;
    for (note, size) in [(first, 300), (second, 345)] {
        let proof = log.proofs().growth(note).await.expect("a proof");
        assert!(matches!(shown(&proof), Shows::Growth { from } if from.events.size == size));
    }
}

/// Each value of each proof, changed by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_changed_value_of_a_proof_is_valid() {
    let log = checkpointed().await;
    let proofs = [
        log.proofs().sale(business(1), sale(7)).await.expect("a proof"),
        log.proofs().growth(&log.notes[0]).await.expect("a proof"),
    ];
    for proof in proofs {
        let original: Value = serde_json::from_str(&proof.text()).expect("JSON");
        let mut changed = 0;
        for pointer in leaves(&original, String::new()) {
            let mut other = original.clone();
            let value = other.pointer_mut(&pointer).expect("a value");
            *value = match &*value {
                Value::String(text) => Value::String(one_letter_changed(text)),
                Value::Number(number) => (number.as_i64().expect("an integer") + 1).into(),
                // A key is there or not.
                other => panic!("{other}"),
            };
            let checked = razao_verify::check(&other.to_string(), &keys(), &[]);
            assert!(checked.is_err(), "{pointer}: {checked:?}");
            changed += 1;
        }
        assert!(changed > 8, "{changed}");
    }
}

fn leaves(value: &Value, pointer: String) -> Vec<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| leaves(value, format!("{pointer}/{name}")))
            .collect(),
        Value::Array(values) => values
            .iter()
            .enumerate()
            .flat_map(|(index, value)| leaves(value, format!("{pointer}/{index}")))
            .collect(),
        Value::Null => vec![],
        _ => vec![pointer],
    }
}

fn one_letter_changed(text: &str) -> String {
    let last = text.trim_end().chars().count().saturating_sub(8);
    let change = |(place, letter)| match (place == last, letter) {
        (true, 'a') => 'b',
        (true, _) => 'a',
        (false, letter) => letter,
    };
    text.chars().enumerate().map(change).collect()
}
