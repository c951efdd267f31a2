//! Random histories: three companies withdraw amounts whose cents select the bank's behavior, and the gateway restarts
//! in between. The payments of the bank equal those that the ledger records.

use std::time::Duration;

use ledger_domain::TransferId;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::{PayoutFixture, START_BALANCE};
use crate::support::wait::until;
use crate::support::{Company, PARTS};

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
        fixture.credit(&company, START_BALANCE).await;
        companies.push(company);
    }
    let mut requested: Vec<RequestedTransfer> = Vec::new();
    for step in 0..STEPS {
        match random.random_range(0..20) {
            0 => fixture = fixture.restart(PARTS).await,
            1..=3 => tokio::time::sleep(Duration::from_millis(random.random_range(10..300))).await,
            4..=7 => pay_a_failed_one_again(&fixture, &companies, &requested).await,
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
    until_payouts_ended(&fixture, seed).await;
    fixture.assert_books_agree().await;
    assert_eq!(fixture.app.audit_findings().await, [""; 0], "seed {seed}");
    let in_transfer = "SELECT count(*) FROM business_head WHERE in_transfer <> 0";
    assert_eq!(
        fixture.app.count(in_transfer).await,
        0,
        "seed {seed}: money is still in transfer"
    );
    assert_eq!(
        fixture.app.count("SELECT count(*) FROM exception").await,
        0,
        "seed {seed}: {}",
        fixture.app.waiting_exceptions().await
    );
}

/// Reopens one withdrawal that failed for good (cents ,01 and ,08) and pays it again. Those that the bank may still pay
/// late (,07) are left alone, as staff would do.
async fn pay_a_failed_one_again(
    fixture: &PayoutFixture,
    companies: &[Company],
    requested: &[RequestedTransfer],
) {
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

/// Waits until every payout has ended and every late notice has arrived: with the cents ,07, the bank reports a failure
/// and then a payment.
async fn until_payouts_ended(fixture: &PayoutFixture, seed: u64) {
    let open = "SELECT count(*) FROM payout WHERE ended_at IS NULL";
    let unread = "SELECT count(*) FROM effect_checkpoint c JOIN log_shard s USING (shard) WHERE c.position < s.position";
    let late = "SELECT count(*) FROM transfer_state WHERE status = 'failed' AND transfer_id IN
                (SELECT transfer_id FROM payout WHERE amount % 100 = 7)";
    until(&format!("the end of all payouts of seed {seed}"), async || {
        for waiting in [open, unread, late] {
            if fixture.app.count(waiting).await > 0 {
                return false;
            }
        }
        fixture.book().await.into_values().all(|payment| {
            let is_paid_late = payment["amount"].as_i64().expect("cents") % 100 == 7;
            payment["status"] == "paid" || payment["status"] != "pending" && !is_paid_late
        })
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_every_random_history_the_payments_of_the_bank_equal_those_of_the_ledger() {
    for seed in 0..SEEDS {
        play(seed).await;
    }
}
