//! Processes that share the shards: any of them answers, whoever owns the shard of the company.

use gateway::app::{App, Parts};
use ledger_store::log::shard_owners;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::acquirer::{self, SECRETS, json_of};
use crate::support::wait::until;
use crate::support::{Client, Company, PARTS, TestApp};

const PEER: (&str, &str) = ("RAZAO_PEER_ADDR", "127.0.0.1:0");

/// An installation of several processes, the first of which has the test's database.
struct Installation {
    first: TestApp,
    others: Vec<App>,
    /// The processes with a writer.
    takers: usize,
}

impl Installation {
    async fn start(processes: usize) -> Self {
        let first = TestApp::start_with(&[SECRETS, PEER], PARTS).await;
        let mut installation = Self {
            first,
            others: vec![],
            takers: 1,
        };
        for _ in 1..processes {
            installation.join(PARTS).await;
        }
        installation.until_all_answer().await;
        installation
    }

    async fn join(&mut self, parts: Parts) {
        let joined = self.first.second_gateway_with(&[SECRETS, PEER], parts).await;
        self.others.push(joined);
        self.takers += usize::from(parts.writer);
    }

    fn processes(&self) -> impl Iterator<Item = &App> {
        std::iter::once(&self.first.app).chain(&self.others)
    }

    /// How many shards each process owns.
    fn counts(&self) -> Vec<usize> {
        self.processes()
            .map(|app| app.state.writer.owned().count())
            .collect()
    }

    async fn until_all_answer(&self) {
        until("every process is ready, and has its share", async || {
            let counts = self.counts();
            // The processes without a writer joined last.
            let takers = &counts[..self.takers];
            let most = 16_usize.div_ceil(takers.len());
            let shared =
                counts.iter().sum::<usize>() == 16 && takers.iter().all(|count| (1..=most).contains(count));
            shared && self.processes().all(|app| app.state.writer.records_for_all())
        })
        .await;
    }

    /// Companies: at least one of each process that owns shards.
    async fn companies(&self) -> Vec<Company> {
        let mut companies = vec![];
        for app in self
            .processes()
            .filter(|app| app.state.writer.owned().count() > 0)
        {
            while !companies
                .iter()
                .any(|company: &Company| app.state.writer.owns(company.id))
            {
                let number = companies.len();
                companies.push(self.first.company(&format!("Empresa {number}")).await);
            }
        }
        companies
    }

    async fn stop(self) {
        for other in self.others {
            other.stop().await;
        }
        self.first.app.stop().await;
    }
}

async fn readiness(app: &App) -> (u16, Value) {
    let answer = Client::new(app.operations_address().expect("operations listen"))
        .get("/readyz")
        .await;
    (answer.status, answer.body)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_processes_share_the_shards_and_each_records_for_every_company() {
    let installation = Installation::start(3).await;
    assert!(installation.counts().iter().all(|count| (1..=6).contains(count)));
    let companies = installation.companies().await;
    for (at, process) in installation.processes().enumerate() {
        let (status, ready) = readiness(process).await;
        assert_eq!(
            (status, &ready["writes"], &ready["reasons"]),
            (200, &json!(true), &json!([]))
        );
        let addr = process.address().expect("it listens");
        for company in &companies {
            let notice = acquirer::capture(company, &format!("{at}-{}", company.id));
            let recorded = acquirer::send_to(addr, &notice).await;
            assert_eq!(
                (recorded.status, recorded.text("/result")),
                (200, "recorded"),
                "{}",
                recorded.body
            );
            // The answer names the position, at whichever process.
            assert!(!recorded.headers["ledger-position"].is_empty());
            for again in installation.processes() {
                let repeated = acquirer::send_to(again.address().expect("it listens"), &notice).await;
                assert_eq!(repeated.text("/result"), "already", "{}", repeated.body);
            }
        }
    }
    // An array with notices of all processes.
    let notices: Vec<_> = companies
        .iter()
        .map(|company| json_of(&acquirer::capture(company, &format!("array-{}", company.id))))
        .collect();
    let answer = installation.first.send_json(&json!(notices)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let results: Vec<_> = answer
        .at("/results")
        .as_array()
        .expect("answers")
        .iter()
        .map(|one| one["result"].clone())
        .collect();
    assert!(results.iter().all(|result| result == "recorded"), "{results:?}");
    let captures = i64::try_from(companies.len() * 4).expect("a count");
    assert_eq!(installation.first.count_events("SaleCaptured").await, captures);
    installation.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_without_a_writer_sends_its_commands_to_the_owners() {
    let mut installation = Installation::start(2).await;
    let without_writer = Parts {
        writer: false,
        ..PARTS
    };
    installation.join(without_writer).await;
    installation.until_all_answer().await;
    assert_eq!(installation.counts()[2], 0);
    assert_eq!(readiness(&installation.others[1]).await.0, 200);
    let addr = installation.others[1].address().expect("it listens");
    for company in installation.companies().await {
        let recorded = acquirer::send_to(addr, &acquirer::capture(&company, &company.id.to_string())).await;
        assert_eq!(recorded.text("/result"), "recorded", "{}", recorded.body);
    }
    installation.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_leaves_gives_its_shards_to_the_others_at_once() {
    let mut installation = Installation::start(3).await;
    let companies = installation.companies().await;
    let left = installation.others.pop().expect("a process");
    installation.takers -= 1;
    // The lease of the process that leaves would last longer than this test waits for anything.
    installation
        .first
        .execute("UPDATE log_shard SET lease_until = now() + interval '1 day'")
        .await;
    left.stop().await;
    installation.until_all_answer().await;
    assert_eq!(installation.counts(), [8, 8]);
    let members = "SELECT count(*) FROM gateway_process";
    assert_eq!(installation.first.count(members).await, 2);
    for company in companies {
        let recorded = installation
            .first
            .send(&acquirer::capture(&company, &company.id.to_string()))
            .await;
        assert_eq!(recorded.text("/result"), "recorded", "{}", recorded.body);
    }
    installation.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_is_open_when_its_process_stops_is_recorded_by_another() {
    let mut installation = Installation::start(2).await;
    let companies = installation.companies().await;
    let leaving = installation.others.pop().expect("a process");
    let own = |company: &&Company| leaving.state.writer.owns(company.id);
    let company = companies.iter().find(own).expect("a company of the process");
    let request = acquirer::request_text(&acquirer::capture(company, "slow"));
    let (begun, rest) = request.split_at(request.len() - 5);
    let mut slow = TcpStream::connect(leaving.address().expect("it listens"))
        .await
        .expect("a connection");
    slow.write_all(begun.as_bytes()).await.expect("sent");
    // The server has the connection when it answers the next one.
    let client = Client::new(leaving.address().expect("it listens"));
    assert_eq!(client.get("/healthz").await.status, 200);
    let stopping = tokio::spawn(leaving.stop());
    until("the other process records for all", async || {
        installation.counts() == [16]
    })
    .await;
    assert!(!stopping.is_finished(), "it still waits for the slow client");
    slow.write_all(rest.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    slow.read_to_string(&mut answer).await.expect("an answer");
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("\"recorded\""),
        "{answer}"
    );
    stopping.await.expect("it stops");
    assert_eq!(installation.first.count_events("SaleCaptured").await, 1);
    installation.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_of_different_secrets_do_not_talk_and_say_so() {
    let installation = Installation::start(1).await;
    let company = installation.first.company("Padaria").await;
    let other_key = hex::encode([3; 32]);
    let variables = [SECRETS, PEER, ("RAZAO_KEY_CHECKPOINT", other_key.as_str())];
    let without_writer = Parts {
        writer: false,
        ..PARTS
    };
    let stranger = installation
        .first
        .second_gateway_with(&variables, without_writer)
        .await;
    let notice = acquirer::capture(&company, "nsu-1");
    let refused = acquirer::send_to(stranger.address().expect("it listens"), &notice).await;
    assert_eq!(
        (refused.status, refused.text("/type")),
        (503, "/problems/other-process-records")
    );
    let (status, ready) = readiness(&stranger).await;
    assert_eq!((status, &ready["reads"]), (503, &json!(true)));
    let reason = ready["reasons"][0].as_str().expect("a reason");
    let owner = installation.first.app.state.writer.owner();
    assert!(
        reason.contains(&format!("{owner}, which owns shard 0, cannot be asked: ")),
        "{reason}"
    );
    assert_eq!(installation.first.count_events("SaleCaptured").await, 0);
    stranger.stop().await;
    installation.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_stays_alone_keeps_all_shards() {
    let installation = Installation::start(1).await;
    // Without an address for others, a process waits for shards that are free.
    let alone = installation.first.second_gateway_with(&[SECRETS], PARTS).await;
    assert_eq!(alone.state.writer.owned().count(), 0);
    assert_eq!(installation.counts(), [16]);
    let owners = shard_owners(&installation.first.database.client().await)
        .await
        .expect("the owners");
    let own = installation.first.app.state.writer.owner();
    assert!(owners.iter().all(|shard| shard.owner.as_deref() == Some(own)));
    alone.stop().await;
    installation.stop().await;
}
