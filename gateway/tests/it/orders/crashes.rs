//! A worker stops during a call to its acquirer. The next worker continues from the recorded state: each charge has a
//! sale, and no sale is charged twice.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gateway::app::Parts;
use gateway_acquirers::calls::CallOutcome;
use gateway_acquirers::charge::{
    ApiKey, Buyer, CardToken, ChargeAnswer, ChargeKey, ChargeOrder, ChargePart, CheckedCard, WholeCharge,
};
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

use super::{OrderFixture, PAID_CARD, credit};
use crate::support::PARTS_AND_SANDBOX;
use crate::support::sandbox::free_address;

/// The first call that waits until the test lets it go on. Later look-ups wait too. Most tests stop the worker instead.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitsAt {
    /// After the sale was created, before the acquirer has the charge.
    BeforeTheCharge,
    /// After the acquirer has the charge, before its answer is recorded.
    AfterTheCharge,
    /// In the first look-up.
    InTheLookUp,
}

pub(super) struct WaitingAcquirer {
    acquirer: SandboxOnlineAcquirer,
    waits_at: WaitsAt,
    called: Arc<Notify>,
    goes_on: Arc<Notify>,
}

impl WaitingAcquirer {
    pub(super) fn new(acquirer: SandboxOnlineAcquirer, waits_at: WaitsAt) -> Self {
        Self {
            acquirer,
            waits_at,
            called: Arc::default(),
            goes_on: Arc::default(),
        }
    }

    /// Tells the test of the call.
    pub(super) fn called(&self) -> Arc<Notify> {
        Arc::clone(&self.called)
    }

    /// Lets the call go on.
    pub(super) fn goes_on(&self) -> Arc<Notify> {
        Arc::clone(&self.goes_on)
    }

    async fn hang(&self) {
        self.called.notify_one();
        self.goes_on.notified().await;
    }
}

#[async_trait]
impl Acquirer for WaitingAcquirer {
    fn provider(&self) -> Provider {
        self.acquirer.provider()
    }

    fn payment_types(&self) -> &'static [PaymentType] {
        self.acquirer.payment_types()
    }

    fn card_tokens(&self) -> Option<CardTokens> {
        self.acquirer.card_tokens()
    }

    fn tells_reversals(&self) -> bool {
        self.acquirer.tells_reversals()
    }

    async fn check_card(&self, token: &CardToken, buyer: &Buyer) -> Option<CallOutcome<CheckedCard>> {
        self.acquirer.check_card(token, buyer).await
    }

    async fn charge(&self, order: &ChargeOrder) -> ChargeAnswer {
        if self.waits_at == WaitsAt::BeforeTheCharge {
            self.hang().await;
        }
        let answer = self.acquirer.charge(order).await;
        if self.waits_at == WaitsAt::AfterTheCharge {
            self.hang().await;
        }
        answer
    }

    async fn look_up(&self, charge: &ChargeKey) -> ChargeAnswer {
        self.hang().await;
        self.acquirer.look_up(charge).await
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

    fn part_refunds(&self) -> &'static [PaymentType] {
        self.acquirer.part_refunds()
    }

    fn repeats_part_refunds(&self) -> bool {
        self.acquirer.repeats_part_refunds()
    }

    async fn refund_part(&self, part: &ChargePart) -> ChargeAnswer {
        self.acquirer.refund_part(part).await
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
            key: ApiKey::fixed("sandbox"),
            provider: Provider::Valori,
            timeout: Duration::from_millis(300),
        };
        SandboxOnlineAcquirer::new(access).expect("a client")
    }

    /// The orders of a process with this acquirer, and its worker.
    pub(super) fn worker(
        &self,
        acquirer: Box<dyn Acquirer>,
        timeout: Duration,
    ) -> (Arc<Orders>, WorkerHandle) {
        let state = &self.links.app.app.state;
        let acquirers = Arc::new(Acquirers::default());
        acquirers.set(vec![acquirer], None);
        let orders = Orders::new(
            state.pool.clone(),
            state.writer.clone(),
            Arc::clone(&state.notices),
            acquirers,
            state.clock,
        );
        let worker = OrderOutbox {
            orders: Arc::clone(&orders),
            timeout,
        };
        let handle = worker.start(&state.supervisor);
        (orders, handle)
    }

    fn start_effect_handler(&self, orders: &Arc<Orders>) -> Following {
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

/// The longest wait of this test's workers for the acquirer.
const TIMEOUT: Duration = Duration::from_millis(300);

/// The cents make the sandbox charge and answer with a 500, so that the worker looks the charge up.
const ANSWERED_WITH_500: i64 = 100_22;

#[tokio::test]
async fn a_worker_that_stops_in_mid_order_charges_each_sale_once() {
    let parts = Parts {
        effects: false,
        ..PARTS_AND_SANDBOX
    };
    let fixture = OrderFixture::open_with(&[], parts).await;
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
    let link = fixture.link(json!({ "amount": ANSWERED_WITH_500 })).await;
    let (orders, worker) = fixture.worker(Box::new(fixture.acquirer()), TIMEOUT);
    let _effect_handler = fixture.start_effect_handler(&orders);
    // Each case starts its own workers.
    drop(worker);
    for waits_at in [
        WaitsAt::BeforeTheCharge,
        WaitsAt::AfterTheCharge,
        WaitsAt::InTheLookUp,
    ] {
        let waiting = WaitingAcquirer::new(fixture.acquirer(), waits_at);
        let called = waiting.called();
        let (_orders, stopped) = fixture.worker(Box::new(waiting), TIMEOUT);
        let card = fixture.card(PAID_CARD, 1).await;
        let (order, _next_worker) =
            tokio::join!(fixture.placed(&link, credit(ANSWERED_WITH_500, card)), async {
                called.notified().await;
                drop(stopped);
                // Ends the stopped worker's lease.
                let retry_now = "UPDATE order_attempt SET next_try_at = now() WHERE status = 'unknown'";
                fixture.links.app.execute(retry_now).await;
                fixture.worker(Box::new(fixture.acquirer()), TIMEOUT)
            });
        fixture.until_attempt_is(&order, "paid").await;
    }
    assert_eq!(fixture.charges().await.len(), 3);
    assert_eq!(fixture.links.app.count_events("SaleCreated").await, 3);
    fixture
        .links
        .app
        .until_count("SELECT count(*) FROM link_order WHERE status = 'paid'", 3)
        .await;
}
