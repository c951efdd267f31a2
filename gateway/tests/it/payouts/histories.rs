//! Random histories: companies withdraw concurrently, banks show every behavior, and gateways restart in between. In
//! every case the bank paid exactly what the ledger records as paid.

use std::time::Duration;

use gateway::app::Parts;
use ledger_domain::TransferId;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::Bench;
use crate::support::Company;

const SEEDS: u64 = 3;
const STEPS: usize = 60;

struct Asked {
    company: usize,
    transfer_id: TransferId,
    /// The cents of the net amount, which select the bank's behavior.
    cents: i64,
}

async fn play(seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut bench = Bench::open().await;
    let mut companies = Vec::new();
    for name in ["Livraria", "Oficina", "Farmácia"] {
        let company = bench.app.company(name).await;
        bench.credit(&company, 1_000_000_00).await;
        companies.push(company);
    }
    let mut asked: Vec<Asked> = Vec::new();
    for step in 0..STEPS {
        match random.random_range(0..20) {
            0 => bench = bench.restart(Parts::ALL).await,
            1..=3 => tokio::time::sleep(Duration::from_millis(random.random_range(10..300))).await,
            4..=7 => try_again(&bench, &companies, &asked).await,
            8 => repeat_a_notice(&bench, &mut random).await,
            _ => {
                let company = random.random_range(0..companies.len());
                let cents = random.random_range(0..12);
                let net = i64::try_from(step + 1).expect("few steps") * 100 + cents;
                let transfer_id = bench.request(&companies[company], net).await;
                bench.pay(&companies[company], transfer_id).await;
                asked.push(Asked {
                    company,
                    transfer_id,
                    cents,
                });
            }
        }
    }
    settled(&bench, seed).await;
    bench.books_agree().await;
    assert_eq!(bench.app.findings().await, [""; 0], "seed {seed}");
    let owed = "SELECT count(*) FROM business_head WHERE in_transfer <> 0";
    assert_eq!(
        bench.app.count(owed).await,
        0,
        "seed {seed}: money is still in transfer"
    );
    assert_eq!(
        bench.app.count("SELECT count(*) FROM exception").await,
        0,
        "seed {seed}: {}",
        bench.app.waiting().await
    );
}

/// Reopens the payouts that failed for good and pays them again. Those that a bank may still pay late are left alone,
/// as staff would do.
async fn try_again(bench: &Bench, companies: &[Company], asked: &[Asked]) {
    for transfer in asked.iter().filter(|asked| matches!(asked.cents, 1 | 8)) {
        if bench.transfer_status(transfer.transfer_id).await == "failed" {
            let company = &companies[transfer.company];
            bench.reopen(company, transfer.transfer_id).await;
            bench.pay(company, transfer.transfer_id).await;
            return;
        }
    }
}

/// The bank repeats a notice under another id.
async fn repeat_a_notice(bench: &Bench, random: &mut StdRng) {
    let decided: Vec<_> = bench
        .book()
        .await
        .into_values()
        .filter(|payment| payment["status"] != "pending")
        .collect();
    if decided.is_empty() {
        return;
    }
    let payment = &decided[random.random_range(0..decided.len())];
    let paid = payment["status"] == "paid";
    let notice = serde_json::json!({
        "id": format!("evt-again-{}", random.random_range(0..u64::MAX)),
        "type": if paid { "payout.paid" } else { "payout.failed" },
        "occurred_at": payment["decided_at"],
        "data": {"transfer_id": payment["transfer_id"], "payout_id": payment["payout_id"]}
    });
    let answer = bench.app.tell_json(&notice).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}

/// Waits until every payout has ended and every late notice has arrived.
async fn settled(bench: &Bench, seed: u64) {
    let open = "SELECT count(*) FROM payout WHERE ended_at IS NULL";
    let unseen = "SELECT count(*) FROM reactor_checkpoint c JOIN log_shard s USING (shard) WHERE c.position < s.position";
    for _ in 0..1_200 {
        let waits = bench.app.count(open).await + bench.app.count(unseen).await;
        let undecided = bench.book().await.into_values().any(|payment| {
            let comes_late = payment["amount"].as_i64().expect("cents") % 100 == 7;
            payment["status"] == "pending" || comes_late && payment["status"] != "paid"
        });
        let approved_late = "SELECT count(*) FROM transfer_state WHERE status = 'failed' AND transfer_id IN
                             (SELECT transfer_id FROM payout WHERE amount % 100 = 7)";
        if waits == 0 && !undecided && bench.app.count(approved_late).await == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("seed {seed}: payouts do not end: {:?}", bench.book().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_random_history_pays_each_withdrawal_once() {
    for seed in 0..SEEDS {
        play(seed).await;
    }
}
