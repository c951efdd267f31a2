//! A provider that never answers: for workers that stop during a call.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gateway_environment::config::PayoutProvider;
use gateway_platform::PlatformError;
use gateway_platform::providers::payouts::{PayoutAnswer, PayoutOrder, Payouts};
use gateway_platform::providers::refunds::{RefundAnswer, RefundRequest, Refunds};
use ledger_domain::PayoutId;
use ledger_domain::sale::Provider;
use tokio::sync::Notify;

/// When the call breaks off: before the provider has the order, or after it answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breaks {
    BeforeTheCall,
    AfterTheCall,
}

/// A bank or an acquirer whose `send` never returns.
pub struct WithoutAnswer<P> {
    pub provider: P,
    pub breaks: Breaks,
    /// Notified at each call.
    pub called: Arc<Notify>,
}

impl<P> WithoutAnswer<P> {
    async fn never_answer<A>(&self, call: impl Future<Output = A>) -> A {
        if self.breaks == Breaks::AfterTheCall {
            call.await;
        }
        self.called.notify_one();
        std::future::pending().await
    }
}

#[async_trait]
impl<P: Payouts> Payouts for WithoutAnswer<P> {
    fn provider(&self) -> PayoutProvider {
        self.provider.provider()
    }

    async fn send(&self, order: &PayoutOrder) -> PayoutAnswer {
        self.never_answer(self.provider.send(order)).await
    }

    async fn look_up(&self, payout_id: PayoutId) -> PayoutAnswer {
        self.provider.look_up(payout_id).await
    }
}

#[async_trait]
impl<P: Refunds> Refunds for WithoutAnswer<P> {
    fn name(&self, provider: Provider) -> &'static str {
        self.provider.name(provider)
    }

    fn timeout(&self) -> Duration {
        self.provider.timeout()
    }

    async fn send(&self, request: &RefundRequest) -> Result<RefundAnswer, PlatformError> {
        self.never_answer(self.provider.send(request)).await
    }

    async fn look_up(&self, request: &RefundRequest, accepted: bool) -> Result<RefundAnswer, PlatformError> {
        self.provider.look_up(request, accepted).await
    }
}
