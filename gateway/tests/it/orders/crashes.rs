//! A worker loses its connection at the worst moments. The next one continues from what is recorded: no charge without
//! a sale, and none twice.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gateway::app::Parts;
use gateway_acquirers::calls::CallOutcome;
use gateway_acquirers::charge::{ApiKey, ChargeAnswer, ChargeKey, ChargeOrder, WholeCharge};
use gateway_acquirers::notice::{NoticeFault, NoticeHint, ReceivedNotice};
use gateway_acquirers::payout::{OutgoingPayment, PayoutAnswer};
use gateway_acquirers::port::{Acquirer, CardTokens};
use gateway_acquirers::receivable::ReceivablePage;
use gateway_acquirers::sandbox::{SandboxAccess, SandboxOnlineAcquirer};
use gateway_outbox::WorkerHandle;
use gateway_platform::acquirers::Acquirers;
use gateway_platform::effects::{Following, follow_log};
use gateway_platform::orders::{OrderEffects, OrderOutbox, Orders};
use ledger_domain::PayoutId;
use ledger_domain::calendar::Date;
use ledger_domain::sale::{PaymentType, Provider};
use serde_json::json;
use tokio::sync::Notify;

use super::{OrderFixture, credit};
use crate::support::sandbox::free_address;

/// The call in which the worker's connection breaks. The next worker finds the same state as after a kill.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Breaks {
    /// After the sale was created, before the acquirer has the charge.
    BeforeTheCharge,
    /// After the acquirer has the charge, before anything of it is recorded.
    AfterTheCharge,
    /// In the first look-up.
    InTheLookUp,
}

struct BrokenAcquirer {
    acquirer: SandboxOnlineAcquirer,
    breaks: Breaks,
    called: Arc<Notify>,
}

impl BrokenAcquirer {
    async fn broken<T>(&self) -> T {
        self.called.notify_one();
        std::future::pending().await
    }
}

#[async_trait]
impl Acquirer for BrokenAcquirer {
    fn provider(&self) -> Provider {
        self.acquirer.provider()
    }

    fn payment_types(&self) -> &'static [PaymentType] {
        self.acquirer.payment_types()
    }

    fn card_tokens(&self) -> Option<CardTokens> {
        self.acquirer.card_tokens()
    }

    async fn charge(&self, order: &ChargeOrder) -> ChargeAnswer {
        if self.breaks == Breaks::BeforeTheCharge {
            return self.broken().await;
        }
        let answer = self.acquirer.charge(order).await;
        if self.breaks == Breaks::AfterTheCharge {
            return self.broken().await;
        }
        answer
    }

    async fn look_up(&self, _charge: &ChargeKey) -> ChargeAnswer {
        self.broken().await
    }

    async fn capture(&self, charge: &WholeCharge) -> ChargeAnswer {
        self.acquirer.capture(charge).await
    }

    async fn cancel(&self, charge: &ChargeKey) -> ChargeAnswer {
        self.acquirer.cancel(charge).await
    }

    async fn refund(&self, charge: &WholeCharge) -> ChargeAnswer {
        self.acquirer.refund(charge).await
    }

    async fn pay_out(&self, payment: &OutgoingPayment) -> Option<PayoutAnswer> {
        self.acquirer.pay_out(payment).await
    }

    async fn look_up_payout(&self, payout_id: PayoutId) -> Option<PayoutAnswer> {
        self.acquirer.look_up_payout(payout_id).await
    }

    fn read_notice(&self, notice: &ReceivedNotice<'_>) -> Result<NoticeHint, NoticeFault> {
        self.acquirer.read_notice(notice)
    }

    async fn receivables(&self, day: Date, page: Option<&str>) -> Option<CallOutcome<ReceivablePage>> {
        self.acquirer.receivables(day, page).await
    }
}

impl OrderFixture {
    pub(super) fn acquirer(&self) -> SandboxOnlineAcquirer {
        let address = self.links.app.app.sandbox_address().expect("the sandbox");
        let access = SandboxAccess {
            url: format!("http://{address}/own"),
            key: ApiKey("sandbox".to_owned()),
            provider: Provider::Valori,
            timeout: Duration::from_millis(300),
        };
        SandboxOnlineAcquirer::new(access).expect("a client")
    }

    /// The orders of a process with this acquirer, and its worker.
    fn worker(&self, acquirer: Box<dyn Acquirer>) -> (Arc<Orders>, WorkerHandle) {
        let state = &self.links.app.app.state;
        let acquirers = Arc::new(Acquirers::default());
        acquirers.set(vec![acquirer], vec![]);
        let orders = Orders::new(
            state.pool.clone(),
            state.writer.clone(),
            Arc::clone(&state.notices),
            acquirers,
            state.clock,
        );
        let worker = OrderOutbox {
            orders: Arc::clone(&orders),
            timeout: Duration::from_millis(300),
        };
        let handle = worker.start(&state.supervisor);
        (orders, handle)
    }

    fn following(&self, orders: &Arc<Orders>) -> Following {
        let state = &self.links.app.app.state;
        let effects = Arc::new(OrderEffects::new(Arc::clone(orders)));
        follow_log(
            state.pool.clone(),
            &state.writer.recorded(),
            effects,
            &state.supervisor,
        )
    }
}

#[tokio::test]
async fn a_kill_in_mid_order_charges_each_sale_once() {
    let fixture = OrderFixture::open_with(Parts {
        effects: false,
        ..Parts::ALL
    })
    .await;
    // No notice arrives: it would report the charge before the worker asks again.
    let nowhere = json!({ "provider": "valori", "url": format!("http://{}", free_address()) });
    assert_eq!(
        fixture
            .sandbox
            .post("/sandbox/notice-addresses", nowhere)
            .await
            .status,
        204
    );
    let link = fixture.link(json!({ "amount": 100_22 })).await;
    let (orders, worker) = fixture.worker(Box::new(fixture.acquirer()));
    let _following = fixture.following(&orders);
    drop(worker);
    for breaks in [
        Breaks::BeforeTheCharge,
        Breaks::AfterTheCharge,
        Breaks::InTheLookUp,
    ] {
        let called = Arc::new(Notify::new());
        let broken = BrokenAcquirer {
            acquirer: fixture.acquirer(),
            breaks,
            called: Arc::clone(&called),
        };
        let (_orders, killed) = fixture.worker(Box::new(broken));
        let card = fixture.card("4242424242424242", 1).await;
        let (order, _next_worker) = tokio::join!(fixture.placed(&link, credit(100_22, card)), async {
            called.notified().await;
            drop(killed);
            let unknown = "UPDATE order_attempt SET next_try_at = now() WHERE status = 'unknown'";
            fixture.links.app.execute(unknown).await;
            fixture.worker(Box::new(fixture.acquirer()))
        });
        fixture.becomes(&order, "paid").await;
    }
    assert_eq!(fixture.charges().await.len(), 3);
    assert_eq!(fixture.links.app.count_events("SaleCreated").await, 3);
    fixture
        .links
        .app
        .until_count("SELECT count(*) FROM link_order WHERE status = 'paid'", 3)
        .await;
}
