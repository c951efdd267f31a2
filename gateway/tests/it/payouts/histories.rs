//! Random histories: companies withdraw concurrently, banks show every behavior, and gateways restart in between. In
//! every case the bank paid exactly what the ledger records as paid.

use std::time::Duration;

use gateway::app::Parts;
use ledger_domain::TransferId;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::PayoutFixture;
use crate::support::Company;
use crate::support::wait::until;

const SEEDS: u64 = 3;
const STEPS: usize = 60;

struct RequestedTransfer {
    company: usize,
    transfer_id: TransferId,
    /// The cents of the net amount, which select the bank's behavior.
    cents: i64,
}

async fn play(seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut fixture = PayoutFixture::open().await;
    let mut companies = Vec::new();
    for name in ["Livraria", "Oficina", "Farmácia"] {
        let company = fixture.app.company(name).await;
        fixture.credit(&company, 1_000_000_00).await;
        companies.push(company);
    }
    let mut requested: Vec<RequestedTransfer> = Vec::new();
    for step in 0..STEPS {
        match random.random_range(0..20) {
            0 => fixture = fixture.restart(Parts::ALL).await,
            1..=3 => tokio::time::sleep(Duration::from_millis(random.random_range(10..300))).await,
            4..=7 => try_again(&fixture, &companies, &requested).await,
            8 => repeat_a_notice(&fixture, &mut random).await,
            _ => {
                let company = random.random_range(0..companies.len());
                let cents = random.random_range(0..12);
                let net = i64::try_from(step + 1).expect("few steps") * 100 + cents;
                let transfer_id = fixture.request(&companies[company], net).await;
                fixture.pay(&companies[company], transfer_id).await;
                requested.push(RequestedTransfer {
                    company,
                    transfer_id,
                    cents,
                });
            }
        }
    }
    until_settled(&fixture, seed).await;
    fixture.books_agree().await;
    assert_eq!(fixture.app.findings().await, [""; 0], "seed {seed}");
    let owed = "SELECT count(*) FROM business_head WHERE in_transfer <> 0";
    assert_eq!(
        fixture.app.count(owed).await,
        0,
        "seed {seed}: money is still in transfer"
    );
    assert_eq!(
        fixture.app.count("SELECT count(*) FROM exception").await,
        0,
        "seed {seed}: {}",
        fixture.app.waiting().await
    );
}

/// Reopens the payouts that failed for good and pays them again. Those that a bank may still pay late are left alone,
/// as staff would do.
async fn try_again(fixture: &PayoutFixture, companies: &[Company], requested: &[RequestedTransfer]) {
    for transfer in requested
        .iter()
        .filter(|requested| matches!(requested.cents, 1 | 8))
    {
        if fixture.transfer_status(transfer.transfer_id).await == "failed" {
            let company = &companies[transfer.company];
            fixture.reopen(company, transfer.transfer_id).await;
            fixture.pay(company, transfer.transfer_id).await;
            return;
        }
    }
}

/// The bank repeats a notice under another id.
async fn repeat_a_notice(fixture: &PayoutFixture, random: &mut StdRng) {
    let decided: Vec<_> = fixture
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
    let answer = fixture.app.send_json(&notice).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}

/// Waits until every payout has ended and every late notice has arrived.
async fn until_settled(fixture: &PayoutFixture, seed: u64) {
    let open = "SELECT count(*) FROM payout WHERE ended_at IS NULL";
    let unseen = "SELECT count(*) FROM reactor_checkpoint c JOIN log_shard s USING (shard) WHERE c.position < s.position";
    let late = "SELECT count(*) FROM transfer_state WHERE status = 'failed' AND transfer_id IN
                (SELECT transfer_id FROM payout WHERE amount % 100 = 7)";
    until(&format!("the end of all payouts of seed {seed}"), async || {
        for waiting in [open, unseen, late] {
            if fixture.app.count(waiting).await > 0 {
                return false;
            }
        }
        fixture.book().await.into_values().all(|payment| {
            let comes_late = payment["amount"].as_i64().expect("cents") % 100 == 7;
            payment["status"] == "paid" || payment["status"] != "pending" && !comes_late
        })
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_random_history_pays_each_withdrawal_once() {
    for seed in 0..SEEDS {
        play(seed).await;
    }
}
