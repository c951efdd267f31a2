//! The adapter of Barte: PIX and boletos. It takes no cards, because a browser cannot call its card endpoint without
//! our key.
//!
//! Unsure, so taken on the safe side:
//! - The bodies of buyers, and the field names of PIX codes and barcodes: camel case and snake case are read.
//! - What a repeat of an idempotency key answers: the first order, or a conflict that is looked up.
//! - No search by reference is known. Our sale id is the title, and the list of charges is read for it. An order is
//!   unknown, and not absent, unless the whole list was read and each charge has a title.
//! - The report of receivables: its fields are unknown, so it is not called.

mod wire;

use std::time::Duration;

use async_trait::async_trait;
use gateway_environment::config::{AcquirerConfig, AcquirerContract};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{PaymentType, Provider};
use ledger_domain::{PayoutId, SaleId};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::json;

use self::wire::{BarteCharge, ChargeList, Created, NewBuyer, NewOrder, Order};
use crate::calls::{self, CallFault, CallOutcome};
use crate::charge::{
    ApiKey, Buyer, CardToken, ChargeAnswer, ChargeKey, ChargeOrder, ChargeState, CheckedCard, WholeCharge,
};
use crate::notice::{NoticeFault, NoticeHint, ReceivedNotice};
use crate::payout::{OutgoingPayment, PayoutAnswer};
use crate::port::{Acquirer, CardTokens};
use crate::receivable::ReceivablePage;
use crate::registration::{Address, ConnectError, Registration};

pub static REGISTRATION: Registration = Registration {
    contract: AcquirerContract {
        provider: Provider::Barte,
        public: true,
        account: false,
        seller: false,
        signing_key: false,
        pays_out: false,
    },
    sandbox_folder: "barte",
    first_for: &[],
    adapter: connect,
};

fn connect(
    config: &AcquirerConfig,
    Address { url, key }: Address,
) -> Result<Box<dyn Acquirer>, ConnectError> {
    Ok(Box::new(Barte::new(BarteAccess {
        url,
        key,
        timeout: config.timeout,
    })?))
}

/// Bounds the calls of one search. A charge that is not among the first 500 is an unknown answer.
const PAGES_MAX: u32 = 5;
const PAGE_SIZE: u32 = 100;

/// How a seller at Barte is reached.
#[derive(Debug, Clone)]
pub struct BarteAccess {
    /// For example `https://api.barte.com`.
    pub url: String,
    pub key: ApiKey,
    pub timeout: Duration,
}

pub struct Barte {
    client: Client,
    access: BarteAccess,
}

impl Barte {
    pub fn new(access: BarteAccess) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: calls::client(access.timeout)?,
            access,
        })
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}/v2{path}", self.access.url))
            .header("X-Token-Api", self.access.key.reveal())
    }

    async fn create(&self, order: &ChargeOrder, buyer: String) -> ChargeAnswer {
        let Some(body) = NewOrder::of(order, buyer) else {
            return NOT_OFFERED;
        };
        let key = order.sale_id.uuid().to_string();
        let request = self
            .request(Method::POST, "/orders")
            .header("x-idempotency-key", key);
        match calls::send(request.json(&body)).await {
            Err(fault) => CallOutcome::Unknown(fault),
            Ok(response) if response.status == StatusCode::CONFLICT => match self.search(order.sale_id).await
            {
                // Barte may still be executing the first order.
                CallOutcome::NotFound => CallOutcome::Unknown(CallFault("key_in_use")),
                known => known.and_then(BarteCharge::read),
            },
            Ok(response) => match response.read::<Order>().not_found_is_rejected().into_result() {
                Ok(created) => self.charge_with_code(created).await,
                Err(failure) => failure,
            },
        }
    }

    /// The charge of a new order. Its code may be in the answer to a look-up of the charge only.
    async fn charge_with_code(&self, order: Order) -> ChargeAnswer {
        let Some(charge) = order.into_charge() else {
            return CallOutcome::Unknown(calls::UNREADABLE);
        };
        let id = charge.uuid.clone();
        match charge.read() {
            CallOutcome::Answered(charge)
                if charge.state == ChargeState::Pending && charge.next_action.is_none() =>
            {
                self.charge_of(&id).await.and_then(BarteCharge::read)
            }
            other => other,
        }
    }

    async fn charge_of(&self, id: &str) -> CallOutcome<BarteCharge> {
        calls::send_and_read(self.request(Method::GET, &format!("/charges/{id}"))).await
    }

    async fn search(&self, sale_id: SaleId) -> CallOutcome<BarteCharge> {
        let mut has_all_titles = true;
        for page in 0..PAGES_MAX {
            let path = format!("/charges?page={page}&size={PAGE_SIZE}");
            let answer = calls::send_and_read::<ChargeList>(self.request(Method::GET, &path)).await;
            let list = match answer.into_result() {
                Ok(list) => list,
                Err(CallOutcome::NotFound) => return CallOutcome::Unknown(CallFault("no_list")),
                Err(failure) => return failure,
            };
            let is_last = list.is_last();
            has_all_titles &= list.has_all_titles();
            if let Some(found) = list.charge_of(sale_id) {
                // The list may leave out the code.
                return self.charge_of(&found.uuid).await;
            }
            if is_last && has_all_titles {
                return CallOutcome::NotFound;
            }
            if is_last {
                break;
            }
        }
        CallOutcome::Unknown(CallFault("not_proven"))
    }

    async fn find(&self, charge: &ChargeKey) -> CallOutcome<BarteCharge> {
        match &charge.charge_id {
            Some(id) => self.charge_of(id).await,
            None => self.search(charge.sale_id).await,
        }
    }
}

const NOT_OFFERED: ChargeAnswer = CallOutcome::Rejected(CallFault("not_offered"));

#[async_trait]
impl Acquirer for Barte {
    fn provider(&self) -> Provider {
        Provider::Barte
    }

    fn payment_types(&self) -> &'static [PaymentType] {
        &[PaymentType::Pix, PaymentType::Boleto]
    }

    fn card_tokens(&self) -> Option<CardTokens> {
        None
    }

    fn tells_reversals(&self) -> bool {
        false
    }

    /// It takes no cards.
    async fn check_card(&self, _token: &CardToken, _buyer: &Buyer) -> Option<CallOutcome<CheckedCard>> {
        None
    }

    async fn charge(&self, order: &ChargeOrder) -> ChargeAnswer {
        let body = NewBuyer::of(&order.buyer);
        let request = self.request(Method::POST, "/buyers").json(&body);
        let buyer = calls::send_and_read::<Created>(request).await;
        match buyer.not_found_is_rejected().into_result() {
            Ok(buyer) => self.create(order, buyer.uuid).await,
            Err(failure) => failure,
        }
    }

    async fn look_up(&self, charge: &ChargeKey) -> ChargeAnswer {
        self.find(charge).await.and_then(BarteCharge::read)
    }

    /// It takes no cards, so nothing is authorized.
    async fn capture(&self, _charge: &WholeCharge) -> ChargeAnswer {
        NOT_OFFERED
    }

    async fn cancel(&self, charge: &ChargeKey) -> ChargeAnswer {
        let found = match self.find(charge).await {
            CallOutcome::Answered(found) => found,
            other => return other.and_then(BarteCharge::read),
        };
        if !found.is_open() {
            return found.read();
        }
        let request = self.request(Method::DELETE, &format!("/charges/{}", found.uuid));
        match calls::send(request).await {
            Err(fault) => CallOutcome::Unknown(fault),
            // The look-up shows whether it was canceled.
            Ok(_) => self.charge_of(&found.uuid).await.and_then(BarteCharge::read),
        }
    }

    async fn refund(&self, charge: &WholeCharge) -> ChargeAnswer {
        let found = match self.find(&charge.key).await {
            CallOutcome::Answered(found) => found,
            other => return other.and_then(BarteCharge::read),
        };
        let id = found.uuid.clone();
        match found.read() {
            CallOutcome::Answered(charge) if charge.state != ChargeState::Refunded => {}
            other => return other,
        }
        let request = self.request(Method::PATCH, &format!("/charges/{id}/refund"));
        match calls::send(request.json(&json!({ "asFraud": false }))).await {
            Err(fault) => CallOutcome::Unknown(fault),
            Ok(response) if response.is_rejected() => {
                let answer = self.charge_of(&id).await.and_then(BarteCharge::read);
                calls::rejected_refund(answer)
            }
            Ok(response) => response.read::<BarteCharge>().and_then(BarteCharge::read),
        }
    }

    /// None: Barte has a call for it (`PATCH /v2/charges/partial-refund/{uuid}`), but documents neither its payment types
    /// nor the charge's status afterwards.
    fn part_refunds(&self) -> &'static [PaymentType] {
        &[]
    }

    /// Not supported: Barte documents no call for it.
    async fn pay_out(&self, _payment: &OutgoingPayment) -> Option<PayoutAnswer> {
        None
    }

    async fn look_up_payout(&self, _payout_id: PayoutId) -> Option<PayoutAnswer> {
        None
    }

    fn read_notice(&self, notice: &ReceivedNotice<'_>) -> Result<NoticeHint, NoticeFault> {
        wire::read_notice(notice)
    }

    async fn receivables(&self, _day: Date, _page: Option<&str>) -> Option<CallOutcome<ReceivablePage>> {
        None
    }
}
