//! The audit of the log and of the read models.

mod heads_outside;
mod history;
mod last_verification;
mod proof_vectors;
mod proofs;
mod recent;
mod replay;
mod replay_rows;
mod row_chains;
mod row_heads;
mod stored_database;
mod tables;
mod tampering;
mod tree_heads;
mod witnesses;

use chrono::Utc;
use ed25519_dalek::SigningKey;
use ledger_domain::SaleId;
use ledger_store::audit::Finding;
use ledger_store::audit::export::Heads;
use ledger_store::tree_head::{self, TreeHead};
use ledger_store::{Shard, verify};
use tokio_postgres::Client;
use uuid::Uuid;

use crate::support::database::{CHECKPOINT_KEY, Database, wants_schemas};
use crate::writer::{self, business, capture_sales};
use tree_heads::razao;

/// The key that signs tree heads.
const KEY: [u8; 32] = CHECKPOINT_KEY;

/// Ten captured sales of one business, each of R$ 100,00 with a fee of R$ 3,00, and a tree head after the first eight.
/// No trigger fires for the client: a superuser could change the log like this.
async fn recorded() -> (Database, Client) {
    let database = Database::create().await;
    let (writer, task) = writer::start(&database, "one").await;
    let sales: Vec<_> = (0..10)
        .map(|n| (business(1), SaleId::from_uuid(Uuid::from_u128(n + 1))))
        .collect();
    capture_sales(&writer, &sales[..8]).await;
    let client = database.client().await;
    let head = tree_head::make(&client, shard(), &KEY, Utc::now())
        .await
        .expect("made")
        .expect("a head");
    assert_eq!((head.position, head.businesses), (8, 1));
    assert!(
        tree_head::make(&client, shard(), &KEY, Utc::now())
            .await
            .expect("made")
            .is_none(),
        "nothing new"
    );
    capture_sales(&writer, &sales[8..]).await;
    writer.shutdown();
    task.join().await;
    // The views of layout `schemas` have triggers through which the tests change the tables.
    if !wants_schemas() {
        client
            .batch_execute("SET session_replication_role = replica")
            .await
            .expect("no triggers");
    }
    (database, client)
}

fn shard() -> Shard {
    Shard::of(business(1))
}

/// The findings of `audit verify`.
async fn walk(database: &Database) -> Vec<Finding> {
    walk_with(database, &[]).await
}

/// Like `walk`, with copies of tree heads from outside the database.
async fn walk_with(database: &Database, copies: &[TreeHead]) -> Vec<Finding> {
    let outside = Heads {
        log: copies.to_vec(),
        ..Heads::default()
    };
    findings_with(database, outside).await
}

/// The findings with copies of heads of every kind, in the order of their places.
async fn findings_with(database: &Database, outside: Heads) -> Vec<Finding> {
    let keys = [SigningKey::from_bytes(&KEY).verifying_key()];
    let mut findings = vec![];
    verify::run(
        &database.program_pool(),
        &keys,
        outside,
        &mut |finding: &Finding| findings.push(finding.clone()),
        &mut |_| {},
    )
    .await
    .expect("a walk");
    findings.sort_by_key(|finding| finding.sequence.or(finding.position));
    findings
}
