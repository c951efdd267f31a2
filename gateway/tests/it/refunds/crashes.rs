//! Refunds are made once: if a worker is killed during a call, if several workers run, and if a gateway restarts.

use std::sync::Arc;
use std::time::Duration;

use gateway_outbox::WorkerHandle;
use gateway_platform::effects::refunds::{RefundEffects, RefundOutbox, RefundStatus};
use gateway_platform::effects::{Following, follow_log};
use gateway_platform::providers::refunds::{Refunds, SandboxAcquirer};
use ledger_domain::SaleId;
use tokio::sync::Notify;

use super::RefundFixture;
use crate::support::crashes::{Breaks, WithoutAnswer};
use crate::support::{PARTS, PARTS_WITHOUT_EFFECTS};

impl RefundFixture {
    fn acquirer(&self) -> SandboxAcquirer {
        let url = format!("http://{}", self.sandbox.addr);
        SandboxAcquirer::new(&url, Duration::from_millis(300)).expect("a client")
    }

    fn effect_handler(&self, woken: &Arc<Notify>) -> Following {
        let state = &self.app.app.state;
        let effect_handler = Arc::new(RefundEffects {
            woken: Arc::clone(woken),
        });
        follow_log(
            state.pool.clone(),
            &state.writer.recorded(),
            effect_handler,
            &state.supervisor,
        )
    }

    fn worker(&self, acquirer: Arc<dyn Refunds>, woken: &Arc<Notify>) -> WorkerHandle {
        let state = &self.app.app.state;
        let worker = RefundOutbox {
            pool: state.pool.clone(),
            writer: state.writer.clone(),
            notices: Arc::clone(&state.notices),
            clock: state.clock,
            charged: None,
            reported: Some(acquirer),
            woken: Arc::clone(woken),
        };
        let started = worker.start(&state.supervisor);
        started.expect("a worker of who refunds")
    }

    /// Cancels one sale. A worker is dropped during the call for its refund, and another worker makes the refund.
    async fn interrupted_refund(&self, breaks: Breaks) -> SaleId {
        let woken = Arc::new(Notify::new());
        let _following = self.effect_handler(&woken);
        let called = Arc::new(Notify::new());
        let silent_acquirer = WithoutAnswer {
            provider: self.acquirer(),
            breaks,
            called: Arc::clone(&called),
        };
        let killed = self.worker(Arc::new(silent_acquirer), &woken);
        // With 12 cents no notice is sent, so only a look-up can find the result.
        let sale = self.cancel(100_12).await;
        called.notified().await;
        drop(killed);
        let unknown = "SELECT count(*) FROM refund WHERE status = 'unknown'";
        assert_eq!(self.app.count(unknown).await, 1);
        let _next_worker = self.worker(Arc::new(self.acquirer()), &woken);
        self.becomes(sale, RefundStatus::Done).await;
        sale
    }
}

#[tokio::test]
async fn after_a_kill_between_the_acquirer_s_acceptance_and_our_record_the_sale_is_refunded_once() {
    let fixture = RefundFixture::open_with(PARTS_WITHOUT_EFFECTS).await;
    let sale = fixture.interrupted_refund(Breaks::AfterTheCall).await;
    assert_eq!(fixture.statuses_in_book(sale).await, ["done"]);
}

#[tokio::test]
async fn after_a_kill_before_the_call_the_request_is_sent_under_its_first_id() {
    let fixture = RefundFixture::open_with(PARTS_WITHOUT_EFFECTS).await;
    let sale = fixture.interrupted_refund(Breaks::BeforeTheCall).await;
    assert_eq!(fixture.statuses_in_book(sale).await, ["done"]);
    let book = fixture.book().await;
    let first_id = fixture.app.text("SELECT refund_id::text FROM refund").await;
    let sent_id = book[&sale.to_string()][0]["refund_id"].as_str().expect("an id");
    assert!(sent_id.ends_with(&first_id), "{sent_id}, not {first_id}");
}

#[tokio::test]
async fn three_handlers_and_three_workers_refund_each_sale_once() {
    let fixture = RefundFixture::open_with(PARTS_WITHOUT_EFFECTS).await;
    let woken = Arc::new(Notify::new());
    let effect_handlers: Vec<_> = (0..3).map(|_| fixture.effect_handler(&woken)).collect();
    let workers: Vec<_> = (0..3)
        .map(|_| fixture.worker(Arc::new(fixture.acquirer()), &woken))
        .collect();
    let mut sales = vec![];
    for number in 0..20 {
        sales.push(fixture.cancel(100_00 + number * 1_00).await);
    }
    for sale in &sales {
        fixture.becomes(*sale, RefundStatus::Done).await;
        assert_eq!(fixture.statuses_in_book(*sale).await, ["done"]);
    }
    assert_eq!(fixture.app.count("SELECT count(*) FROM refund").await, 20);
    assert_eq!(fixture.book().await.len(), 20);
    drop((effect_handlers, workers));
}

#[tokio::test]
async fn a_restarted_gateway_continues_the_open_refunds() {
    let mut fixture = RefundFixture::open().await;
    let mut sales = vec![];
    // 11 is refused, and 17 at its first request. All others are refunded.
    for cents in 10..19 {
        sales.push((cents, fixture.cancel(100_00 + cents).await));
    }
    let ended = "SELECT count(*) FROM refund WHERE ended_at IS NOT NULL";
    assert!(fixture.app.count(ended).await < 9, "some refunds are open");
    fixture = fixture.restart(PARTS).await;
    fixture = fixture.restart(PARTS).await;
    for (cents, sale) in sales {
        let refused = matches!(cents, 11 | 17);
        let end = if refused {
            RefundStatus::Refused
        } else {
            RefundStatus::Done
        };
        fixture.becomes(sale, end).await;
        let statuses = fixture.statuses_in_book(sale).await;
        assert_eq!(statuses, [end.as_str()], "{cents}");
    }
    assert_eq!(fixture.app.count("SELECT count(*) FROM refund").await, 9);
    assert_eq!(fixture.app.count("SELECT count(*) FROM exception").await, 2);
}
