//! Cosignatures of a witness: the job that asks for them, and what a forged history gets.

use std::path::Path;

use axum::Router;
use ed25519_dalek::SigningKey;
use gateway_environment::config::WitnessAddress;
use gateway_platform::witnesses::{WitnessError, Witnesses};
use ledger_store::audit::checkpoint::{self, CheckpointError};
use razao_verify::note::{Note, Witness as PublicKey};
use razao_witness::{Ledger, Memory, Witness, router};
use tempfile::TempDir;
use tokio::net::TcpListener;

use super::proofs::{Log, NAME, checkpointed, rewrite_the_end, sign};
use super::tree_heads::razao_with;
use super::{KEY, shard};

/// A witness on a port of this machine.
struct Running {
    address: WitnessAddress,
    folder: TempDir,
}

impl Running {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (public_key, app) = witness(folder.path());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        tokio::spawn(async move { axum::serve(listener, app).await });
        let address = WitnessAddress {
            url,
            witness: public_key,
        };
        Self { address, folder }
    }

    fn job(&self, log: &Log) -> Witnesses {
        let addresses = vec![self.address.clone()];
        Witnesses::new(log.database.program_pool(), addresses).expect("a client")
    }

    fn refused(&self) -> usize {
        let refused = self.folder.path().join("refused");
        std::fs::read_dir(refused).expect("a folder").count()
    }
}

fn witness(folder: &Path) -> (PublicKey, Router) {
    let ledger = Ledger {
        name: NAME.to_owned(),
        key: SigningKey::from_bytes(&KEY).verifying_key(),
    };
    let key = SigningKey::from_bytes(&[9; 32]);
    let memory = Memory::open(folder).expect("a folder");
    let witness = Witness::new("witness.example.org".to_owned(), key, vec![ledger], memory);
    (witness.public_key(), router(witness))
}

async fn cosigned_by(log: &Log, address: &WitnessAddress) -> usize {
    let note = checkpoint::latest(&log.client, shard()).await.expect("readable");
    let note: Note = note.expect("a checkpoint");
    let witnesses = std::slice::from_ref(&address.witness);
    note.cosigned_by(witnesses).expect("valid lines").len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_checkpoint_is_cosigned_once() {
    let log = checkpointed().await;
    let running = Running::start().await;
    assert_eq!(cosigned_by(&log, &running.address).await, 0);
    for _ in 0..2 {
        running.job(&log).tick().await.expect("cosigned");
        assert_eq!(cosigned_by(&log, &running.address).await, 1);
    }
    // An answer that was lost: the witness has seen more than is stored here.
    log.client
        .batch_execute("DELETE FROM log_cosignature")
        .await
        .expect("deleted");
    running.job(&log).tick().await.expect("cosigned");
    assert_eq!(cosigned_by(&log, &running.address).await, 1);

    let folder = tempfile::tempdir().expect("a folder");
    let variable = format!("{} {}", running.address.url, running.address.witness);
    let variables = [("RAZAO_WITNESSES", variable.as_str())];
    let (status, output) = razao_with(&log.database, folder.path(), &["audit", "verify"], &variables).await;
    assert_eq!(status, Some(0), "{output}");
    assert!(
        output.contains("checkpoint of 345 events, cosigned by witness.example.org at "),
        "{output}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_history_is_not_cosigned_and_the_job_fails() {
    let log = checkpointed().await;
    let running = Running::start().await;
    running.job(&log).tick().await.expect("cosigned");
    // Whoever rewrites the history deletes what would show it here.
    log.client
        .batch_execute("DELETE FROM log_cosignature")
        .await
        .expect("deleted");
    rewrite_the_end(&log.client).await;
    let forged: Result<Option<Note>, CheckpointError> = sign(&log.client).await;
    assert!(forged.expect("signed").is_some());
    let failed = running.job(&log).tick().await;
    let Err(WitnessError::NotCosigned(reason)) = failed else {
        panic!("{failed:?}")
    };
    assert!(
        reason.contains("witness.example.org: it refused with 409"),
        "{reason}"
    );
    assert_eq!(cosigned_by(&log, &running.address).await, 0);
    assert_eq!(running.refused(), 1, "the evidence is kept");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_witness_that_is_gone_is_an_error_and_does_not_stop_the_other() {
    let log = checkpointed().await;
    let running = Running::start().await;
    let gone = WitnessAddress {
        url: "http://127.0.0.1:9".to_owned(),
        witness: PublicKey {
            name: "gone.example.org".to_owned(),
            key: SigningKey::from_bytes(&[8; 32]).verifying_key(),
        },
    };
    let addresses = vec![gone, running.address.clone()];
    let job = Witnesses::new(log.database.program_pool(), addresses).expect("a client");
    let failed = job.tick().await.expect_err("one is gone").to_string();
    assert!(
        failed.contains("gone.example.org: it cannot be reached"),
        "{failed}"
    );
    assert_eq!(cosigned_by(&log, &running.address).await, 1);
}
