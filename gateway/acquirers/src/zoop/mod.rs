//! The adapter of Zoop (version 1 of its API): PIX and boletos. It takes no cards, because a browser cannot call its
//! token endpoint without the marketplace's key.
//!
//! Zoop has no idempotency keys: each order is searched by its reference first.
//!
//! Unsure, so taken on the safe side:
//! - An unpaid PIX cannot be canceled. It expires after the marketplace's setting (5 minutes by default), and Zoop
//!   voids a later payment. `cancel` only looks it up.
//! - A part that was voided shows as `partial_refunded`, or the status does not change. Its sum is not shown.
//! - A canceled transaction returned the money if it was captured and voided. Otherwise it was never paid.
//! - A boleto with a PIX code (`bolepix`) is another kind of transaction, and its cancellation is unknown: it is not
//!   used.
//! - The list of receivables has no known filter by day, so the whole list is read.

mod receivables;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use gateway_environment::config::{AcquirerConfig, AcquirerContract};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{PaymentType, Provider};
use ledger_domain::{Cents, PayoutId, SaleId};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::json;

use self::wire::{Created, NewBuyer, NewTransaction, Transaction, TransactionList};
use crate::calls::{self, CallFault, CallOutcome};
use crate::charge::{
    ApiKey, Buyer, CardToken, ChargeAnswer, ChargeKey, ChargeOrder, ChargePart, ChargeState, CheckedCard,
    PaymentMethod, WholeCharge,
};
use crate::notice::{NoticeFault, NoticeHint, ReceivedNotice};
use crate::payout::{OutgoingPayment, PayoutAnswer};
use crate::port::{Acquirer, CardTokens};
use crate::receivable::ReceivablePage;
use crate::registration::{Address, ConnectError, Registration};

pub static REGISTRATION: Registration = Registration {
    contract: AcquirerContract {
        provider: Provider::Zoop,
        public: true,
        account: true,
        seller: true,
        signing_key: false,
        pays_out: false,
    },
    sandbox_folder: "zoop",
    first_for: &[],
    adapter: connect,
};

fn connect(
    config: &AcquirerConfig,
    Address { url, key }: Address,
) -> Result<Box<dyn Acquirer>, ConnectError> {
    // The configuration has checked that account and seller are there.
    Ok(Box::new(Zoop::new(ZoopAccess {
        url,
        key,
        marketplace_id: config.account.clone().unwrap_or_default(),
        seller_id: config.seller.clone().unwrap_or_default(),
        timeout: config.timeout,
    })?))
}

/// How a seller of a marketplace at Zoop is reached.
#[derive(Debug, Clone)]
pub struct ZoopAccess {
    /// For example `https://api.zoop.ws`.
    pub url: String,
    /// `zpk_prod_…` or `zpk_test_…`.
    pub key: ApiKey,
    pub marketplace_id: String,
    /// The seller on whose behalf charges are made.
    pub seller_id: String,
    pub timeout: Duration,
}

pub struct Zoop {
    client: Client,
    access: ZoopAccess,
}

impl Zoop {
    pub fn new(access: ZoopAccess) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: calls::client(access.timeout)?,
            access,
        })
    }

    /// A call about the marketplace.
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.request_at(
            method,
            &format!("/v1/marketplaces/{}{path}", self.access.marketplace_id),
        )
    }

    fn request_at(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.access.url))
            .basic_auth(self.access.key.reveal(), Some(""))
    }

    async fn create(&self, order: &ChargeOrder) -> ChargeAnswer {
        let customer = match order.payment_method {
            PaymentMethod::Card { .. } => return NOT_OFFERED,
            PaymentMethod::Pix { .. } => None,
            PaymentMethod::Boleto { .. } => match self.create_buyer(order).await.into_result() {
                Ok(buyer) => Some(buyer.id),
                Err(failure) => return failure,
            },
        };
        let Some(body) = NewTransaction::of(order, &self.access.seller_id, customer) else {
            return NOT_OFFERED;
        };
        let request = self.request(Method::POST, "/transactions").json(&body);
        let answer = calls::send_and_read::<Transaction>(request).await;
        answer.not_found_is_rejected().and_then(Transaction::read)
    }

    /// A boleto needs a buyer at Zoop. A repeated order may create a second one, which does no harm.
    async fn create_buyer(&self, order: &ChargeOrder) -> CallOutcome<Created> {
        let body = NewBuyer::of(&order.buyer);
        let answer = calls::send_and_read(self.request(Method::POST, "/buyers").json(&body)).await;
        answer.not_found_is_rejected()
    }

    async fn transaction(&self, id: &str) -> CallOutcome<Transaction> {
        calls::send_and_read(self.request(Method::GET, &format!("/transactions/{id}"))).await
    }

    async fn search(&self, sale_id: SaleId) -> CallOutcome<Transaction> {
        let path = format!("/transactions?limit=100&reference_id={sale_id}");
        let answer = calls::send_and_read::<TransactionList>(self.request(Method::GET, &path)).await;
        match answer {
            // The 404 is about the list, not about the transaction.
            CallOutcome::NotFound => CallOutcome::Unknown(CallFault("no_list")),
            other => other.and_then(|list| list.only_of(sale_id)),
        }
    }

    fn void(&self, id: &str, amount: Cents) -> RequestBuilder {
        let body = json!({ "on_behalf_of": self.access.seller_id, "amount": amount });
        self.request(Method::POST, &format!("/transactions/{id}/void"))
            .json(&body)
    }

    async fn find(&self, charge: &ChargeKey) -> CallOutcome<Transaction> {
        match &charge.charge_id {
            Some(id) => self.transaction(id).await,
            None => self.search(charge.sale_id).await,
        }
    }
}

const NOT_OFFERED: ChargeAnswer = CallOutcome::Rejected(CallFault("not_offered"));

#[async_trait]
impl Acquirer for Zoop {
    fn provider(&self) -> Provider {
        Provider::Zoop
    }

    fn payment_types(&self) -> &'static [PaymentType] {
        &[PaymentType::Pix, PaymentType::Boleto]
    }

    fn card_tokens(&self) -> Option<CardTokens> {
        None
    }

    fn tells_reversals(&self) -> bool {
        true
    }

    /// It takes no cards.
    async fn check_card(&self, _token: &CardToken, _buyer: &Buyer) -> Option<CallOutcome<CheckedCard>> {
        None
    }

    async fn charge(&self, order: &ChargeOrder) -> ChargeAnswer {
        match self.search(order.sale_id).await {
            CallOutcome::NotFound => self.create(order).await,
            other => other.and_then(Transaction::read),
        }
    }

    async fn look_up(&self, charge: &ChargeKey) -> ChargeAnswer {
        self.find(charge).await.and_then(Transaction::read)
    }

    /// It takes no cards, so nothing is authorized.
    async fn capture(&self, _charge: &WholeCharge) -> ChargeAnswer {
        NOT_OFFERED
    }

    async fn cancel(&self, charge: &ChargeKey) -> ChargeAnswer {
        let found = match self.find(charge).await {
            CallOutcome::Answered(found) => found,
            other => return other.and_then(Transaction::read),
        };
        if !found.is_open_boleto() {
            return found.read();
        }
        let path = format!(
            "/v1/boletos/cancellation/marketplaces/{}/transactions/{}",
            self.access.marketplace_id, found.id
        );
        match calls::send(self.request_at(Method::POST, &path)).await {
            Err(fault) => CallOutcome::Unknown(fault),
            // 202 only says that the cancellation was requested. After any answer, the transaction is read.
            Ok(_) => self.transaction(&found.id).await.and_then(Transaction::read),
        }
    }

    async fn refund(&self, charge: &WholeCharge) -> ChargeAnswer {
        let found = match self.find(&charge.key).await {
            CallOutcome::Answered(found) => found,
            other => return other.and_then(Transaction::read),
        };
        let id = found.id.clone();
        match found.read() {
            CallOutcome::Answered(charge) if charge.state != ChargeState::Refunded => {}
            other => return other,
        }
        match calls::send(self.void(&id, charge.amount)).await {
            Err(fault) => CallOutcome::Unknown(fault),
            Ok(response) if response.is_rejected() => {
                let answer = self.transaction(&id).await.and_then(Transaction::read);
                calls::rejected_refund(answer)
            }
            Ok(response) => response.read::<Transaction>().and_then(Transaction::read),
        }
    }

    /// A void is documented for cards and PIX. It takes no key, so a part without an answer is not repeated.
    fn part_refunds(&self) -> &'static [PaymentType] {
        &[PaymentType::Pix]
    }

    async fn refund_part(&self, part: &ChargePart) -> ChargeAnswer {
        let found = match self.find(&part.key).await {
            CallOutcome::Answered(found) => found,
            other => return other.and_then(Transaction::read),
        };
        let request = self.void(&found.id, part.amount);
        calls::send_and_read::<Transaction>(request)
            .await
            .and_then(Transaction::read)
    }

    /// Not supported. Zoop pays out to bank accounts that are registered there (`POST /bank_accounts/{id}/transfers`),
    /// but how one is registered and how an order is repeated is unsure.
    async fn pay_out(&self, _payment: &OutgoingPayment) -> Option<PayoutAnswer> {
        None
    }

    async fn look_up_payout(&self, _payout_id: PayoutId) -> Option<PayoutAnswer> {
        None
    }

    fn read_notice(&self, notice: &ReceivedNotice<'_>) -> Result<NoticeHint, NoticeFault> {
        wire::read_notice(notice)
    }

    async fn receivables(&self, day: Date, page: Option<&str>) -> Option<CallOutcome<ReceivablePage>> {
        let offset = page.and_then(|page| page.parse().ok()).unwrap_or(0);
        let path = receivables::path(&self.access.seller_id, offset);
        let answer = calls::send_and_read::<receivables::List>(self.request(Method::GET, &path)).await;
        Some(answer.map(|list| list.read(day, offset)))
    }
}
