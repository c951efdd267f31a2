//! Kills the whole program during a stream of notices, on a durable cluster. Every acknowledged sale is in the log
//! once after the next start, and the audit has no findings.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use gateway_dev::embedded::{DATABASE, Embedded, EmbeddedOptions};
use gateway_platform::providers::{CanonicalNotice, CanonicalSale, SIGNATURE_HEADER, sign};
use tokio::process::{Child, Command};
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use crate::support::acquirer::{SECRET, SECRETS};
use crate::support::noon;
use crate::support::wait::{POLL_INTERVAL, until};

const ACKNOWLEDGED_BEFORE_KILL: usize = 100;
const SENDERS: usize = 16;

/// A temporary folder with the demo's records and no sales. It is deleted with the test.
struct Installation {
    folder: PathBuf,
    addr: SocketAddr,
    operations: SocketAddr,
}

impl Installation {
    async fn prepare() -> Self {
        let folder = std::env::temp_dir().join(format!("razao-kill-{}", Uuid::new_v4().simple()));
        fs::create_dir_all(&folder).expect("a folder");
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let operations = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let installation = Self {
            folder,
            addr: listener.local_addr().expect("its address"),
            operations: operations.local_addr().expect("its address"),
        };
        let (embedded, mut client) = installation.start_database().await;
        ledger_store::migrate::run(&mut client)
            .await
            .expect("the migrations");
        let transaction = client.transaction().await.expect("a transaction");
        gateway_dev::demo::install_records(&transaction, noon().date_naive())
            .await
            .expect("the records");
        transaction.commit().await.expect("a commit");
        drop(client);
        embedded.stop().await.expect("a stop");
        installation
    }

    fn cluster(folder: &Path) -> EmbeddedOptions {
        EmbeddedOptions {
            data_dir: folder.join("postgres"),
            durable: true,
        }
    }

    async fn start_database(&self) -> (Embedded, Client) {
        let embedded = Embedded::join(Self::cluster(&self.folder))
            .await
            .expect("the cluster");
        let (client, connection) = tokio_postgres::connect(&embedded.url(DATABASE), NoTls)
            .await
            .expect("a connection");
        tokio::spawn(connection);
        (embedded, client)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.join("razao.log"))
            .expect("a log");
        let mut command = Command::new(env!("CARGO_BIN_EXE_razao"));
        command
            .args(arguments)
            .env_remove("DATABASE_URL")
            .env("RAZAO_DATA", &self.folder)
            .env("RAZAO_ADDR", self.addr.to_string())
            .env("RAZAO_OPS_ADDR", self.operations.to_string())
            .env("RAZAO_SANDBOX_ADDR", "127.0.0.1:0")
            .env("RAZAO_LOG", "warn")
            .env("RAZAO_NOW", noon().to_rfc3339())
            .env(SECRETS.0, SECRET)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .kill_on_drop(true);
        command
    }

    async fn serve(&self) -> Child {
        let mut child = self.command(&["serve"]).spawn().expect("the program starts");
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let ready = crate::support::fetch(format!("http://{}/readyz", self.operations)).await;
            if ready.is_ok_and(|answer| answer.status().is_success()) {
                return child;
            }
            let ended = child.try_wait().expect("its state");
            assert!(
                ended.is_none() && Instant::now() < deadline,
                "{ended:?}: {}",
                self.log()
            );
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    async fn succeeds(&self, arguments: &[&str]) {
        let status = self.command(arguments).status().await.expect("the program runs");
        assert!(status.success(), "{arguments:?}: {status}\n{}", self.log());
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("razao.log")).unwrap_or_default()
    }
}

impl Drop for Installation {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The state that the senders of notices share with the test, which kills the program.
#[derive(Default)]
struct Round {
    acknowledged: AtomicUsize,
    stop: AtomicBool,
}

impl Round {
    /// Waits until the load is at its peak, on a machine of any speed.
    async fn under_load(&self) {
        until("a load of acknowledged sales", async || {
            self.acknowledged.load(Ordering::Relaxed) >= ACKNOWLEDGED_BEFORE_KILL
        })
        .await;
    }
}

/// Reports one sale after another until it is stopped. Returns the acknowledged ones.
async fn send_sales(addr: SocketAddr, sender: usize, round: Arc<Round>) -> Vec<String> {
    let client = gateway_acquirers::calls::client_builder()
        .build()
        .expect("a client");
    let mut acknowledged = Vec::new();
    for number in 0.. {
        if round.stop.load(Ordering::Relaxed) {
            break;
        }
        let external_id = format!("kill-{sender}-{number}");
        let body = notice(&external_id, noon()).to_json();
        let request = client
            .post(format!("http://{addr}/api/webhooks/zoop"))
            .header(
                SIGNATURE_HEADER,
                sign(SECRET.as_bytes(), Utc::now().timestamp(), body.as_bytes()),
            )
            .body(body);
        match request.send().await {
            Ok(answer) if answer.status() == 200 => {
                acknowledged.push(external_id);
                round.acknowledged.fetch_add(1, Ordering::Relaxed);
            }
            Ok(answer) => assert_eq!(answer.status(), 503, "{external_id}"),
            // The program was killed during this request, so its outcome is unknown.
            Err(_) => tokio::time::sleep(POLL_INTERVAL).await,
        }
    }
    acknowledged
}

fn notice(external_id: &str, occurred_at: DateTime<Utc>) -> CanonicalNotice {
    CanonicalNotice {
        id: format!("evt-{external_id}"),
        r#type: "sale.captured",
        occurred_at,
        data: CanonicalSale {
            external_id: external_id.to_owned(),
            solution: 1,
            payment_type: "debit",
            card_brand: Some("visa".to_owned()),
            installments: 1,
            amount: 12_345,
            terminal_serial: Some("PDV0050001".to_owned()),
            ..CanonicalSale::default()
        },
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_neither_lose_nor_duplicate_an_acknowledged_sale() {
    let installation = Installation::prepare().await;
    let mut acknowledged = Vec::new();
    for round in 0..2 {
        let mut program = installation.serve().await;
        let shared = Arc::new(Round::default());
        let senders: Vec<_> = (0..SENDERS)
            .map(|sender| {
                tokio::spawn(send_sales(
                    installation.addr,
                    round * SENDERS + sender,
                    Arc::clone(&shared),
                ))
            })
            .collect();
        shared.under_load().await;
        program.kill().await.expect("a kill");
        shared.stop.store(true, Ordering::Relaxed);
        for sender in senders {
            acknowledged.extend(sender.await.expect("a sender"));
        }
    }
    let program = installation.serve().await;
    // All of them are reported again and are known already. Nothing is captured twice.
    let client = gateway_acquirers::calls::client_builder()
        .build()
        .expect("a client");
    for external_id in acknowledged.iter().take(50) {
        let body = notice(external_id, noon() + TimeDelta::seconds(1)).to_json();
        let signature = sign(SECRET.as_bytes(), Utc::now().timestamp(), body.as_bytes());
        let url = format!("http://{}/api/webhooks/zoop", installation.addr);
        let answer = client
            .post(url)
            .header(SIGNATURE_HEADER, signature)
            .body(body)
            .send()
            .await
            .expect("an answer");
        assert_eq!(
            answer.status(),
            202,
            "the same id with another time waits for staff"
        );
    }
    let (embedded, database) = installation.start_database().await;
    let rows = database
        .query(
            "SELECT payload->'SaleCaptured'->'sale'->>'external_id' FROM event WHERE event_type = 'SaleCaptured'",
            &[],
        )
        .await
        .expect("the log");
    let mut recorded: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    recorded.sort_unstable();
    let with_repeats = recorded.len();
    recorded.dedup();
    assert_eq!(recorded.len(), with_repeats, "a sale was captured twice");
    let missing: Vec<_> = acknowledged
        .iter()
        .filter(|id| recorded.binary_search(id).is_err())
        .collect();
    assert!(missing.is_empty(), "acknowledged and lost: {missing:?}");
    drop((database, embedded));

    installation.succeeds(&["audit", "verify"]).await;
    until_caught_up(&installation).await;
    installation.succeeds(&["audit", "replay"]).await;
    stop(program).await;
}

/// Waits until the read models have caught up: the replay compares only the part that they have reached.
async fn until_caught_up(installation: &Installation) {
    let (_embedded, database) = installation.start_database().await;
    let behind = "SELECT count(*) FROM projection_checkpoint c JOIN log_shard s USING (shard) WHERE c.position < s.position";
    until("read models that have caught up", async || {
        let row = database.query_one(behind, &[]).await.expect("positions");
        row.get::<_, i64>(0) == 0
    })
    .await;
}

async fn stop(mut program: Child) {
    let pid = program
        .id()
        .and_then(|pid| i32::try_from(pid).ok())
        .expect("it runs");
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGTERM)
        .expect("a signal");
    program.wait().await.expect("its end");
}
