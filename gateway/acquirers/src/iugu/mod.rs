//! The adapter of Iugu: PIX, boletos, cards and pay outs.
//!
//! Unsure, so taken on the safe side:
//! - `resource_search` without a result: 404 and a missing `resource` are read as "none", anything else as unknown.
//! - Whether a boleto's invoice has its PIX code before its digitable line: the code is not shown alone.
//! - In Iugu's test mode a PIX has no real code. It fails the check against the order.
//! - Receivables: the path and the fields, and no filter by day is known, so the whole list is read. Cards only.

mod declines;
mod payouts;
mod receivables;
mod signature;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use ledger_domain::calendar::Date;
use ledger_domain::sale::{PaymentType, Provider};
use ledger_domain::{PayoutId, SaleId};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde::Serialize;

pub use self::signature::SigningKey;
use self::wire::{ChargeResponse, DirectCharge, Invoice, NewInvoice, SearchResult};
use crate::calls::{self, CallAnswer, CallFault, Response};
use crate::charge::{ApiKey, ChargeAnswer, ChargeKey, ChargeOrder, ChargeRefund, ChargeState, Means};
use crate::notice::{NoticeFault, NoticeHint, ReceivedNotice};
use crate::payout::{OutgoingPayment, PayoutAnswer};
use crate::port::{Acquirer, CardTokens, TokenFormat, origin};
use crate::receivable::ReceivablePage;

/// How an account at Iugu is reached.
#[derive(Debug, Clone)]
pub struct IuguAccess {
    /// For example `https://api.iugu.com/v1`.
    pub url: String,
    pub token: ApiKey,
    pub account_id: String,
    /// Whether card tokens are made for Iugu's test mode. The test mode of the other calls is a matter of the token.
    pub test: bool,
    /// Signs pay outs. The test mode needs none.
    pub signing_key: Option<SigningKey>,
    pub timeout: Duration,
}

pub struct Iugu {
    client: Client,
    access: IuguAccess,
}

impl Iugu {
    pub fn new(access: IuguAccess) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: calls::client(access.timeout)?,
            access,
        })
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.access.url))
            .basic_auth(&self.access.token.0, Some(""))
    }

    async fn order<Body: Serialize + Sync>(
        &self,
        path: &str,
        sale_id: SaleId,
        body: &Body,
    ) -> Result<Response, CallFault> {
        let request = self.request(Method::POST, path);
        let key = sale_id.to_string();
        calls::send(request.header("Idempotency-Key", key).json(body)).await
    }

    async fn charge_card(&self, order: &ChargeOrder) -> ChargeAnswer {
        let Some(body) = DirectCharge::of(order) else {
            return NOT_OFFERED;
        };
        match self.order("/charge", order.sale_id, &body).await {
            Err(fault) => CallAnswer::Unknown(fault),
            Ok(response) if response.status == StatusCode::CONFLICT => {
                self.look_up_first(order.sale_id).await
            }
            Ok(response) => response
                .read::<ChargeResponse>()
                .of_order()
                .map(|charged| charged.read(order.sale_id)),
        }
    }

    async fn create_invoice(&self, order: &ChargeOrder) -> ChargeAnswer {
        let Some(body) = NewInvoice::of(order) else {
            return NOT_OFFERED;
        };
        match self.order("/invoices", order.sale_id, &body).await {
            Err(fault) => CallAnswer::Unknown(fault),
            Ok(response) if response.status == StatusCode::CONFLICT => {
                self.look_up_first(order.sale_id).await
            }
            Ok(response) => response.read::<Invoice>().of_order().map(Invoice::read),
        }
    }

    /// The key was used before, and Iugu does not repeat its first answer.
    async fn look_up_first(&self, sale_id: SaleId) -> ChargeAnswer {
        match self.search(sale_id).await {
            // The first order may still be at work.
            CallAnswer::NotFound => CallAnswer::Unknown(CallFault("key_in_use")),
            known => known,
        }
    }

    async fn find(&self, id: &str) -> ChargeAnswer {
        let request = self.request(Method::GET, &format!("/invoices/{id}"));
        calls::ask::<Invoice>(request).await.map(Invoice::read)
    }

    async fn search(&self, sale_id: SaleId) -> ChargeAnswer {
        let path = format!("/resource_search?query_field=order_id&value={sale_id}");
        let answer = calls::ask::<SearchResult>(self.request(Method::GET, &path)).await;
        answer.map(|result| result.read(sale_id))
    }

    /// Iugu's id of a charge.
    async fn id_of(&self, charge: &ChargeKey) -> Result<String, ChargeAnswer> {
        match &charge.acquirer_id {
            Some(id) => Ok(id.clone()),
            None => match self.search(charge.sale_id).await {
                CallAnswer::Answered(found) => Ok(found.acquirer_id),
                other => Err(other),
            },
        }
    }

    /// Changes an invoice. Iugu answers 400 if the invoice's status does not allow the change: the look-up tells then.
    async fn change(&self, method: Method, charge: &ChargeKey, change: &str) -> (bool, ChargeAnswer) {
        let id = match self.id_of(charge).await {
            Ok(id) => id,
            Err(answer) => return (false, answer),
        };
        let request = self.request(method, &format!("/invoices/{id}/{change}"));
        match calls::send(request).await {
            Err(fault) => (true, CallAnswer::Unknown(fault)),
            Ok(response)
                if matches!(
                    response.status,
                    StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY
                ) =>
            {
                (false, self.find(&id).await)
            }
            Ok(response) => (true, response.read::<Invoice>().map(Invoice::read)),
        }
    }
}

const NOT_OFFERED: ChargeAnswer = CallAnswer::Rejected(CallFault("not_offered"));

#[async_trait]
impl Acquirer for Iugu {
    fn provider(&self) -> Provider {
        Provider::Iugu
    }

    fn payment_types(&self) -> &'static [PaymentType] {
        &[PaymentType::Credit, PaymentType::Pix, PaymentType::Boleto]
    }

    fn card_tokens(&self) -> Option<CardTokens> {
        let url = format!("{}/payment_token", self.access.url);
        Some(CardTokens {
            origin: origin(&url)?,
            url,
            format: TokenFormat::Iugu {
                account_id: self.access.account_id.clone(),
                test: self.access.test,
            },
            installments_max: wire::MONTHS_MAX,
        })
    }

    async fn charge(&self, order: &ChargeOrder) -> ChargeAnswer {
        match order.means {
            Means::Card { .. } => self.charge_card(order).await,
            Means::Pix { .. } | Means::Boleto { .. } => self.create_invoice(order).await,
        }
    }

    async fn look_up(&self, charge: &ChargeKey) -> ChargeAnswer {
        match &charge.acquirer_id {
            Some(id) => self.find(id).await,
            None => self.search(charge.sale_id).await,
        }
    }

    /// Iugu takes no key for a capture or a refund, so the charge is looked up before each.
    async fn capture(&self, order: &ChargeRefund) -> ChargeAnswer {
        match self.look_up(&order.charge).await {
            CallAnswer::Answered(charge) if charge.state == ChargeState::Authorized => {
                self.change(Method::POST, &order.charge, "capture").await.1
            }
            other => other,
        }
    }

    async fn cancel(&self, charge: &ChargeKey) -> ChargeAnswer {
        self.change(Method::PUT, charge, "cancel").await.1
    }

    async fn refund(&self, refund: &ChargeRefund) -> ChargeAnswer {
        match self.look_up(&refund.charge).await {
            CallAnswer::Answered(charge) if charge.state != ChargeState::Refunded => {}
            other => return other,
        }
        let (taken, answer) = self.change(Method::POST, &refund.charge, "refund").await;
        calls::refund_answer(taken, answer)
    }

    async fn pay_out(&self, payment: &OutgoingPayment) -> Option<PayoutAnswer> {
        Some(self.transfer(payment).await)
    }

    async fn look_up_payout(&self, payout_id: PayoutId) -> Option<PayoutAnswer> {
        Some(self.find_transfer(payout_id).await)
    }

    fn read_notice(&self, notice: &ReceivedNotice<'_>) -> Result<NoticeHint, NoticeFault> {
        wire::read_notice(notice)
    }

    async fn receivables(&self, day: Date, page: Option<&str>) -> Option<CallAnswer<ReceivablePage>> {
        let start = page.and_then(|page| page.parse().ok()).unwrap_or(0);
        let path = receivables::path(start);
        let answer = calls::ask::<receivables::List>(self.request(Method::GET, &path)).await;
        Some(answer.map(|list| list.read(day, start)))
    }
}
