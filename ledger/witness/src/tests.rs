//! The rules of tlog-witness, each with what a witness must answer.

use chrono::{DateTime, Utc};
use ed25519_dalek::SigningKey;
use razao_verify::merkle::{Growing, Hash, Tree, consistency_ranges, leaf};
use razao_verify::note::{Checkpoint, Note, Witness as PublicKey};

use super::*;

const ORIGIN: &str = "razao.example.com/shard/3";

fn ledger_key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_262_400, 0).expect("an instant")
}

fn open(folder: &std::path::Path) -> Witness {
    let ledger = Ledger {
        name: "razao.example.com".to_owned(),
        key: ledger_key().verifying_key(),
    };
    let memory = Memory::open(folder).expect("a folder");
    Witness::new(
        "witness.example.org".to_owned(),
        SigningKey::from_bytes(&[9; 32]),
        vec![ledger],
        memory,
    )
}

/// A history is its leaves; two histories of one ledger differ from some leaf on.
fn leaves(size: u64, forked_at: u64) -> Vec<Hash> {
    (0..size)
        .map(|n| leaf(&[u8::from(n >= forked_at), n.to_be_bytes()[7]]))
        .collect()
}

const HONEST: u64 = u64::MAX;

fn note_of(origin: &str, size: u64, forked_at: u64, key: &SigningKey) -> Note {
    let events = Tree {
        size,
        root: leaves(size, forked_at).into_iter().collect::<Growing>().root(),
    };
    let checkpoint = Checkpoint {
        origin: origin.to_owned(),
        events,
        companies: events,
        made_at: now(),
    };
    checkpoint.sign(key)
}

fn body(old: u64, note: &Note, forked_at: u64) -> String {
    use base64::Engine;
    let size = note.checkpoint.events.size;
    let leaves = leaves(size, forked_at);
    let mut body = format!("old {old}\n");
    for (first, end) in consistency_ranges(old, size) {
        let place = |n: u64| usize::try_from(n).expect("small");
        let root = leaves[place(first)..place(end)]
            .iter()
            .copied()
            .collect::<Growing>()
            .root();
        body += &(base64::engine::general_purpose::STANDARD.encode(root) + "\n");
    }
    format!("{body}\n{note}")
}

fn honest(old: u64, size: u64) -> String {
    body(old, &note_of(ORIGIN, size, HONEST, &ledger_key()), HONEST)
}

#[test]
fn checkpoints_that_continue_are_cosigned() {
    let folder = tempfile::tempdir().expect("a folder");
    let witness = open(folder.path());
    for (old, size) in [(0, 3), (3, 3), (3, 10), (10, 64)] {
        let line = witness
            .add_checkpoint(&honest(old, size), now())
            .expect("cosigned");
        let mut note = note_of(ORIGIN, size, HONEST, &ledger_key());
        let known: [PublicKey; 1] = [witness.public_key()];
        let added = note.add_cosignatures(&line, &known).expect("a valid line");
        assert_eq!(
            (added[0].witness.as_str(), added[0].at),
            ("witness.example.org", now())
        );
    }
}

#[test]
fn what_was_seen_outlives_the_process() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(
        open(folder.path())
            .add_checkpoint(&honest(0, 10), now())
            .expect("cosigned"),
    );
    let witness = open(folder.path());
    let refused = witness.add_checkpoint(&honest(0, 3), now());
    assert!(
        matches!(refused, Err(Refusal::OtherSize { seen: 10 })),
        "{refused:?}"
    );
    let last = witness
        .last(ORIGIN)
        .expect("readable")
        .map(|note| note.checkpoint.events.size);
    assert_eq!(last, Some(10));
}

#[test]
fn two_processes_do_not_share_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let _first = open(folder.path());
    assert!(Memory::open(folder.path()).is_err());
}

#[test]
fn a_forked_history_is_refused_and_kept_as_evidence() {
    let folder = tempfile::tempdir().expect("a folder");
    let witness = open(folder.path());
    witness.add_checkpoint(&honest(0, 10), now()).expect("cosigned");
    let same_size = note_of(ORIGIN, 10, 9, &ledger_key());
    let refused = witness.add_checkpoint(&body(10, &same_size, 9), now());
    assert!(matches!(refused, Err(Refusal::Fork)), "{refused:?}");
    let later = note_of(ORIGIN, 20, 9, &ledger_key());
    let refused = witness.add_checkpoint(&body(10, &later, 9), now());
    assert!(
        matches!(refused, Err(Refusal::NotContinued(PathError::Root))),
        "{refused:?}"
    );
    let kept = std::fs::read_dir(folder.path().join("refused"))
        .expect("a folder")
        .count();
    assert_eq!(kept, 2);
    // What was seen stays, and the honest history goes on.
    witness.add_checkpoint(&honest(10, 20), now()).expect("cosigned");
}

#[test]
fn a_witness_that_lost_what_it_saw_accepts_any_history() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(
        open(folder.path())
            .add_checkpoint(&honest(0, 10), now())
            .expect("cosigned"),
    );
    let other = tempfile::tempdir().expect("a folder");
    let forked = note_of(ORIGIN, 10, 0, &ledger_key());
    open(other.path())
        .add_checkpoint(&body(0, &forked, 0), now())
        .expect("that is why its folder is backed up");
}

#[test]
fn other_requests_are_refused_for_their_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let witness = open(folder.path());
    let note = |origin| note_of(origin, 3, HONEST, &ledger_key());
    let stranger = note_of(ORIGIN, 3, HONEST, &SigningKey::from_bytes(&[8; 32]));
    let long = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n".repeat(64);
    for (body, expected) in [
        (
            body(0, &note("other.example.com/shard/3"), HONEST),
            "no ledger of that origin",
        ),
        (body(0, &stranger, HONEST), "no known key signed"),
        (format!("old 4\n\n{}", note(ORIGIN)), "the old size is larger"),
        (
            format!(
                "old 0\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n{}",
                note(ORIGIN)
            ),
            "does not continue",
        ),
        (format!("old 00\n\n{}", note(ORIGIN)), "not a request"),
        (format!("old 0\nshort\n\n{}", note(ORIGIN)), "not a request"),
        (format!("old 0\n{long}\n{}", note(ORIGIN)), "not a request"),
        (
            "old 0\n\nrazao.example.com/shard/3\n3\n".to_owned(),
            "the checkpoint",
        ),
        (String::new(), "not a request"),
    ] {
        let refused = witness.add_checkpoint(&body, now()).expect_err(&body).to_string();
        assert!(refused.contains(expected), "{refused}: {body}");
    }
}
