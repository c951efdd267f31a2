//! A worker stops during a call to the bank, several workers run at once, and the whole program is killed repeatedly.

use std::sync::Arc;
use std::time::Duration;

use gateway_outbox::WorkerHandle;
use gateway_platform::effects::payouts::{PayoutEffects, PayoutOutbox};
use gateway_platform::effects::{Following, follow_log};
use gateway_platform::providers::payouts::{Payouts, SandboxBank};
use ledger_domain::{PayoutId, TransferId};
use tokio::sync::Notify;

use super::execution::outcomes;
use super::{PayoutFixture, TIMEOUT, assert_books_agree};
use crate::support::crashes::{Breaks, WithoutAnswer};
use crate::support::program::Program;
use crate::support::wait::until;
use crate::support::{PARTS, PARTS_WITHOUT_EFFECTS, TestApp};

impl PayoutFixture {
    fn bank_client(&self) -> SandboxBank {
        SandboxBank::new(
            &format!("http://{}", self.sandbox.addr),
            Duration::from_millis(300),
        )
        .expect("a client")
    }

    fn effect_handler(&self, woken: &Arc<Notify>) -> Following {
        let state = &self.app.app.state;
        let effect_handler = Arc::new(PayoutEffects {
            woken: Arc::clone(woken),
            seller_panel_url: "http://localhost".to_owned(),
        });
        follow_log(
            state.pool.clone(),
            &state.writer.recorded(),
            effect_handler,
            &state.supervisor,
        )
    }

    fn worker(&self, bank: Arc<dyn Payouts>, woken: &Arc<Notify>) -> WorkerHandle {
        let state = &self.app.app.state;
        let worker = PayoutOutbox {
            pool: state.pool.clone(),
            writer: state.writer.clone(),
            bank,
            timeout: Duration::from_millis(300),
            woken: Arc::clone(woken),
            clock: state.clock,
        };
        worker.start(&state.supervisor)
    }

    /// One withdrawal whose worker stops during the call. Another worker continues from the recorded state.
    async fn interrupted_payout(&self, net: i64, breaks: Breaks) -> (TransferId, PayoutId) {
        let woken = Arc::new(Notify::new());
        let _effect_handler = self.effect_handler(&woken);
        let called = Arc::new(Notify::new());
        let silent_bank = WithoutAnswer {
            provider: self.bank_client(),
            breaks,
            called: Arc::clone(&called),
        };
        let stopped = self.worker(Arc::new(silent_bank), &woken);
        let (transfer_id, payout_id) = self.withdraw(net).await;
        called.notified().await;
        drop(stopped);
        assert_eq!(self.payout_status(payout_id).await.as_deref(), Some("unknown"));
        let _next_worker = self.worker(Arc::new(self.bank_client()), &woken);
        self.until_payout_is(payout_id, "paid").await;
        self.assert_books_agree().await;
        (transfer_id, payout_id)
    }
}

#[tokio::test]
async fn a_worker_stopped_after_the_banks_answer_pays_once() {
    let fixture = PayoutFixture::open_with(PARTS_WITHOUT_EFFECTS).await;
    // The cents ,03: no notice is delivered, so only the look-up can find the result.
    let (transfer_id, payout_id) = fixture.interrupted_payout(100_03, Breaks::AfterTheCall).await;
    assert_eq!(
        fixture.book().await.keys().collect::<Vec<_>>(),
        [&payout_id.to_string()]
    );
    // Staff see that the answer was lost, and the look-up that explains it. To the seller the bank did not answer.
    let steps = fixture.steps_until(transfer_id, "paid").await;
    assert_eq!(
        outcomes(&steps.staff)[2..4],
        [("order", "unrecorded"), ("look_up", "paid")]
    );
    assert_eq!(
        outcomes(&steps.seller)[2..4],
        [("order", "no_answer"), ("look_up", "paid")]
    );
}

#[tokio::test]
async fn a_worker_stopped_before_the_call_leaves_an_order_that_is_sent_under_its_id() {
    let fixture = PayoutFixture::open_with(PARTS_WITHOUT_EFFECTS).await;
    let (_, payout_id) = fixture.interrupted_payout(100_00, Breaks::BeforeTheCall).await;
    assert_eq!(
        fixture.book().await.keys().collect::<Vec<_>>(),
        [&payout_id.to_string()]
    );
}

/// The bank paid, and a restore of the database has forgotten that the order was ever sent.
#[tokio::test]
async fn an_order_that_a_restore_forgot_is_looked_up_before_it_is_sent() {
    let fixture = PayoutFixture::open_with(PARTS_WITHOUT_EFFECTS).await;
    let woken = Arc::new(Notify::new());
    let _effect_handler = fixture.effect_handler(&woken);
    let called = Arc::new(Notify::new());
    let silent_bank = WithoutAnswer {
        provider: fixture.bank_client(),
        breaks: Breaks::AfterTheCall,
        called: Arc::clone(&called),
    };
    let stopped = fixture.worker(Arc::new(silent_bank), &woken);
    // The cents ,03: no notice is delivered.
    let (transfer_id, payout_id) = fixture.withdraw(100_03).await;
    called.notified().await;
    drop(stopped);
    fixture
        .app
        .execute(
            "UPDATE payout SET status = 'waiting', provider = NULL, tries = 0, next_try_at = now();
             DELETE FROM payout_step;
             INSERT INTO database_restore DEFAULT VALUES",
        )
        .await;
    let _next_worker = fixture.worker(Arc::new(fixture.bank_client()), &woken);
    fixture.until_payout_is(payout_id, "paid").await;
    let steps = fixture.steps_until(transfer_id, "paid").await;
    let steps = outcomes(&steps.staff);
    assert!(steps.contains(&("look_up", "paid")), "{steps:?}");
    assert!(steps.iter().all(|(kind, _)| *kind != "order"), "{steps:?}");
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn a_restarted_gateway_continues_the_open_payouts() {
    let mut fixture = PayoutFixture::open().await;
    let mut payouts = Vec::new();
    for cents in 0..10 {
        payouts.push(fixture.withdraw(200_00 + cents).await.1);
    }
    let ended = "SELECT count(*) FROM payout WHERE ended_at IS NOT NULL";
    assert!(fixture.app.count(ended).await < 10, "some payouts are open");
    fixture = fixture.restart(PARTS).await;
    fixture = fixture.restart(PARTS).await;
    for (cents, payout_id) in payouts.iter().enumerate() {
        // The bank fails ,01 and refuses ,08. All others end as paid.
        let end = if matches!(cents, 1 | 8) { "failed" } else { "paid" };
        fixture.until_payout_is(*payout_id, end).await;
    }
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn three_handlers_and_three_workers_pay_each_withdrawal_once() {
    let fixture = PayoutFixture::open_with(PARTS_WITHOUT_EFFECTS).await;
    let woken = Arc::new(Notify::new());
    let effect_handlers: Vec<_> = (0..3).map(|_| fixture.effect_handler(&woken)).collect();
    let workers: Vec<_> = (0..3)
        .map(|_| fixture.worker(Arc::new(fixture.bank_client()), &woken))
        .collect();
    let mut payouts = Vec::new();
    for n in 0..20 {
        payouts.push(fixture.withdraw(1_000_00 + n * 1_00).await.1);
    }
    for payout_id in &payouts {
        fixture.until_payout_is(*payout_id, "paid").await;
    }
    fixture.assert_books_agree().await;
    assert_eq!(fixture.app.count("SELECT count(*) FROM payout").await, 20);
    assert_eq!(fixture.app.count_events("TransferApproved").await, 20);
    drop((effect_handlers, workers));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_kill_of_the_program_loses_a_payout_or_pays_it_twice() {
    let fixture = PayoutFixture::open_with(PARTS_WITHOUT_EFFECTS).await;
    for n in 0..20 {
        fixture.withdraw(300_00 + n).await;
    }
    let PayoutFixture {
        app, sandbox, addr, ..
    } = fixture;
    let TestApp { app, database, .. } = app;
    app.stop().await;
    let program = Program::new(&database.url, sandbox.addr, addr, &[TIMEOUT]);
    let client = database.client().await;
    // Each program is killed once this many payouts have begun.
    let begun = "SELECT count(*) FROM payout WHERE status <> 'waiting'";
    for payouts in [1, 4, 8, 12, 16] {
        let mut running = program.start();
        until(&format!("{payouts} payouts that have begun"), async || {
            let begun: i64 = client.query_one(begun, &[]).await.expect("payouts").get(0);
            begun >= payouts
        })
        .await;
        running.kill().await.expect("a kill");
    }
    let running = program.start();
    // Of the cents 0 to 19, the bank fails ,01 and refuses ,08.
    let all_ended =
        "SELECT (SELECT count(*) FROM payout) = 20 AND NOT EXISTS (SELECT FROM payout WHERE ended_at IS NULL)
                   AND (SELECT count(*) FROM event WHERE event_type = 'TransferApproved') = 18";
    until("the end of all payouts", async || {
        client.query_one(all_ended, &[]).await.expect("payouts").get(0)
    })
    .await;
    assert_books_agree(&database, sandbox.addr).await;
    drop(running);
}
