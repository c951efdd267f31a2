//! The adapter of the sandbox's own contract for online payments: credit cards (with a 3-D Secure challenge), PIX and
//! boletos.
//!
//! The contract promises what real ones may not: a repeat of the same order is answered with the same charge.

pub mod wire;

use std::time::Duration;

use async_trait::async_trait;
use gateway_environment::config::{AcquirerConfig, AcquirerContract};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{PaymentType, Provider};
use ledger_domain::{PayoutId, SaleId};
use reqwest::{Client, RequestBuilder};

use self::wire::{
    CardBody, ChargeBody, NoticeBody, OrderBody, PayoutAnswerBody, PayoutOrderBody, ReceivablesBody,
    RefundBody, TokenBody,
};
use crate::calls::{self, CallOutcome};
use crate::charge::{
    ApiKey, Buyer, CardToken, ChargeAnswer, ChargeKey, ChargeOrder, ChargePart, CheckedCard, WholeCharge,
};
use crate::notice::{NoticeFault, NoticeHint, ReceivedNotice, charge_id};
use crate::payout::{OutgoingPayment, PayoutAnswer};
use crate::port::{Acquirer, CardTokens, TokenFormat, origin};
use crate::receivable::ReceivablePage;
use crate::registration::{Address, ConnectError, Registration};

/// The platform knows the sandbox's own contract as Valori.
pub static REGISTRATION: Registration = Registration {
    contract: AcquirerContract {
        provider: Provider::Valori,
        public: false,
        account: false,
        seller: false,
        signing_key: false,
        pays_out: false,
    },
    sandbox_folder: "own",
    first_for: &[],
    adapter: connect,
};

fn connect(
    config: &AcquirerConfig,
    Address { url, key }: Address,
) -> Result<Box<dyn Acquirer>, ConnectError> {
    Ok(Box::new(SandboxOnlineAcquirer::new(SandboxAccess {
        url,
        key,
        provider: config.provider,
        timeout: config.timeout,
    })?))
}

/// How the sandbox's own contract is reached.
#[derive(Debug, Clone)]
pub struct SandboxAccess {
    /// For example `http://127.0.0.1:8081/own`.
    pub url: String,
    pub key: ApiKey,
    /// The provider under which the platform knows this acquirer.
    pub provider: Provider,
    pub timeout: Duration,
}

pub struct SandboxOnlineAcquirer {
    client: Client,
    access: SandboxAccess,
}

impl SandboxOnlineAcquirer {
    pub fn new(access: SandboxAccess) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: calls::client(access.timeout)?,
            access,
        })
    }

    fn post(&self, path: &str) -> RequestBuilder {
        self.with_key(self.client.post(format!("{}{path}", self.access.url)))
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.with_key(self.client.get(format!("{}{path}", self.access.url)))
    }

    fn with_key(&self, request: RequestBuilder) -> RequestBuilder {
        request.bearer_auth(self.access.key.reveal())
    }

    async fn send(&self, request: RequestBuilder) -> ChargeAnswer {
        calls::send_and_read::<ChargeBody>(request).await.map(Into::into)
    }

    /// A change needs the acquirer's id, so a charge without one is looked up first.
    async fn id_of(&self, charge: &ChargeKey) -> Result<String, ChargeAnswer> {
        match &charge.charge_id {
            Some(id) => Ok(id.clone()),
            None => match self.look_up(charge).await {
                CallOutcome::Answered(found) => Ok(found.charge_id),
                other => Err(other),
            },
        }
    }

    async fn change(&self, charge: &ChargeKey, change: &str, body: Option<RefundBody>) -> ChargeAnswer {
        let id = match self.id_of(charge).await {
            Ok(id) => id,
            Err(failure) => return failure,
        };
        let request = self.post(&format!("/charges/{id}/{change}"));
        self.send(match &body {
            Some(body) => request.json(body),
            None => request,
        })
        .await
    }
}

#[async_trait]
impl Acquirer for SandboxOnlineAcquirer {
    fn provider(&self) -> Provider {
        self.access.provider
    }

    fn payment_types(&self) -> &'static [PaymentType] {
        &[PaymentType::Credit, PaymentType::Pix, PaymentType::Boleto]
    }

    fn card_tokens(&self) -> Option<CardTokens> {
        let url = format!("{}/card-tokens", self.access.url);
        Some(CardTokens {
            origin: origin(&url)?,
            url,
            format: TokenFormat::Sandbox,
            installments_max: PaymentType::INSTALLMENTS_MAX,
        })
    }

    fn tells_reversals(&self) -> bool {
        true
    }

    async fn check_card(&self, token: &CardToken, _buyer: &Buyer) -> Option<CallOutcome<CheckedCard>> {
        let request = self.post("/card-tokens/read");
        let body = TokenBody {
            token: token.0.clone(),
        };
        let answer = calls::send_and_read::<CardBody>(request.json(&body)).await;
        Some(answer.map(|card| CheckedCard {
            token: token.clone(),
            brand: card.brand,
            last_four: Some(card.last_four),
        }))
    }

    async fn charge(&self, order: &ChargeOrder) -> ChargeAnswer {
        let request = self.post("/charges");
        self.send(
            request
                .header("idempotency-key", order.sale_id.to_string())
                .json(&OrderBody::from(order)),
        )
        .await
    }

    async fn look_up(&self, charge: &ChargeKey) -> ChargeAnswer {
        self.send(match &charge.charge_id {
            Some(id) => self.get(&format!("/charges/{id}")),
            None => self.get(&format!("/sales/{}/charge", charge.sale_id)),
        })
        .await
    }

    async fn capture(&self, charge: &WholeCharge) -> ChargeAnswer {
        self.change(&charge.key, "capture", None).await
    }

    async fn cancel(&self, charge: &ChargeKey) -> ChargeAnswer {
        self.change(charge, "cancel", None).await
    }

    async fn refund(&self, charge: &WholeCharge) -> ChargeAnswer {
        let body = RefundBody {
            amount: charge.amount,
        };
        self.change(&charge.key, "refund", Some(body)).await
    }

    fn part_refunds(&self) -> &'static [PaymentType] {
        &[PaymentType::Credit, PaymentType::Pix]
    }

    fn repeats_part_refunds(&self) -> bool {
        true
    }

    async fn refund_part(&self, part: &ChargePart) -> ChargeAnswer {
        let id = match self.id_of(&part.key).await {
            Ok(id) => id,
            Err(failure) => return failure,
        };
        let request = self.post(&format!("/charges/{id}/refund"));
        let request = request.header("idempotency-key", part.refund_id.to_string());
        self.send(request.json(&RefundBody { amount: part.amount })).await
    }

    async fn pay_out(&self, payment: &OutgoingPayment) -> Option<PayoutAnswer> {
        let request = self.post("/payouts");
        let request = request.header("idempotency-key", payment.payout_id.to_string());
        let answer =
            calls::send_and_read::<PayoutAnswerBody>(request.json(&PayoutOrderBody::from(payment))).await;
        Some(answer.and_then(PayoutAnswerBody::read))
    }

    async fn look_up_payout(&self, payout_id: PayoutId) -> Option<PayoutAnswer> {
        let answer =
            calls::send_and_read::<PayoutAnswerBody>(self.get(&format!("/payouts/{payout_id}"))).await;
        Some(answer.and_then(PayoutAnswerBody::read))
    }

    fn read_notice(&self, notice: &ReceivedNotice<'_>) -> Result<NoticeHint, NoticeFault> {
        let body: NoticeBody = serde_json::from_slice(notice.body).map_err(|_| NoticeFault::Unreadable)?;
        if !body.event.starts_with("charge.") {
            return Err(NoticeFault::Unrelated);
        }
        let sale_id = body.sale_id.and_then(|id| id.parse::<SaleId>().ok());
        let charge_id = body.charge_id.as_deref().and_then(charge_id);
        if charge_id.is_none() && sale_id.is_none() {
            return Err(NoticeFault::Unreadable);
        }
        Ok(NoticeHint {
            charge_id,
            sale_id,
            event: calls::sanitized(&body.event),
        })
    }

    async fn receivables(&self, day: Date, page: Option<&str>) -> Option<CallOutcome<ReceivablePage>> {
        let after = page.unwrap_or_default();
        let request = self.get(&format!("/receivables?day={day}&after={after}"));
        let answer = calls::send_and_read::<ReceivablesBody>(request).await;
        Some(answer.map(Into::into))
    }
}
