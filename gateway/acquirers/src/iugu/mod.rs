//! The adapter of Iugu: PIX, boletos, cards and payouts.
//!
//! Unsure, so taken on the safe side:
//! - `resource_search` without a result: only a 404 and a missing `resource` are read as "none".
//! - Whether a boleto's invoice has its PIX code before its digitable line: the code is not shown alone.
//! - A token tells its brand only once it is saved as a customer's payment method. The card is charged by that method,
//!   which is deleted after the charge was answered.
//! - Receivables, of cards only: the path and the fields. No filter by day is known, so the whole list is read.
//!
//! In Iugu's test mode a PIX has no real code, so it fails the check against the order.

mod declines;
mod payouts;
mod receivables;
mod signature;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use gateway_environment::config::{AcquirerConfig, AcquirerContract};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{PaymentType, Provider};
use ledger_domain::{PayoutId, SaleId};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde::Serialize;
use serde_json::json;

use self::signature::SigningKey;
use self::wire::{
    ChargeResponse, Customer, DirectCharge, Invoice, NewCustomer, NewInvoice, NewPaymentMethod, SavedCard,
    SearchResult,
};
use crate::calls::{self, CallFault, CallOutcome, Response};
use crate::charge::{
    ApiKey, Buyer, CardToken, ChargeAnswer, ChargeKey, ChargeOrder, ChargePart, ChargeState, CheckedCard,
    PaymentMethod, WholeCharge,
};
use crate::notice::{NoticeFault, NoticeHint, ReceivedNotice};
use crate::payout::{OutgoingPayment, PayoutAnswer};
use crate::port::{Acquirer, CardTokens, TokenFormat, origin};
use crate::receivable::ReceivablePage;
use crate::registration::{Address, ConnectError, Registration};

pub static REGISTRATION: Registration = Registration {
    contract: AcquirerContract {
        provider: Provider::Iugu,
        public: true,
        account: true,
        seller: false,
        signing_key: true,
        pays_out: true,
    },
    sandbox_folder: "iugu/v1",
    first_for: &[PaymentType::Credit, PaymentType::Debit, PaymentType::Boleto],
    adapter: connect,
};

fn connect(
    config: &AcquirerConfig,
    Address { url, key }: Address,
) -> Result<Box<dyn Acquirer>, ConnectError> {
    let given = config.signing_key.as_ref();
    let signing_key = given.map(|key| SigningKey::parse(key.reveal()).ok_or(ConnectError::SigningKey));
    // The configuration has checked that the account is there.
    Ok(Box::new(Iugu::new(IuguAccess {
        url,
        token: key,
        account_id: config.account.clone().unwrap_or_default(),
        test: config.test,
        signing_key: signing_key.transpose()?,
        timeout: config.timeout,
    })?))
}

/// How an account at Iugu is reached.
#[derive(Debug, Clone)]
pub struct IuguAccess {
    /// For example `https://api.iugu.com/v1`.
    pub url: String,
    pub token: ApiKey,
    pub account_id: String,
    /// Whether `token` is of Iugu's test mode. Then card tokens are created in it too, and payouts need no signature.
    pub test: bool,
    /// Signs payouts. Without it, payouts are rejected unless `test` is set.
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
            .basic_auth(self.access.token.reveal(), Some(""))
    }

    async fn post_with_key<Body: Serialize + Sync>(
        &self,
        path: &str,
        sale_id: SaleId,
        body: &Body,
    ) -> Result<Response, CallFault> {
        let request = self.request(Method::POST, path);
        let key = sale_id.to_string();
        calls::send(request.header("Idempotency-Key", key).json(body)).await
    }

    /// Saves the card of a token with a new customer, and reads its brand. The token is then used.
    async fn save_card(&self, token: &CardToken, buyer: &Buyer) -> CallOutcome<CheckedCard> {
        if !wire::is_new_token(token) {
            return CallOutcome::Rejected(CallFault("token"));
        }
        let request = self
            .request(Method::POST, "/customers")
            .json(&NewCustomer::of(buyer));
        let customer = calls::send_and_read::<Customer>(request)
            .await
            .not_found_is_rejected();
        let customer = match customer.and_then(Customer::read).into_result() {
            Ok(customer) => customer,
            Err(failure) => return failure,
        };
        let path = format!("/customers/{customer}/payment_methods");
        let request = self
            .request(Method::POST, &path)
            .json(&NewPaymentMethod::of(token));
        let saved = calls::send_and_read::<SavedCard>(request)
            .await
            .not_found_is_rejected();
        saved.and_then(|saved| saved.read(&customer))
    }

    async fn charge_card(&self, order: &ChargeOrder) -> ChargeAnswer {
        let answer = self.charge_token(order).await;
        let is_final = matches!(answer, CallOutcome::Answered(_) | CallOutcome::Rejected(_));
        if let (true, PaymentMethod::Card { token, .. }) = (is_final, &order.payment_method) {
            self.forget_card(token).await;
        }
        answer
    }

    async fn charge_token(&self, order: &ChargeOrder) -> ChargeAnswer {
        let Some(body) = DirectCharge::of(order) else {
            return NOT_OFFERED;
        };
        match self.post_with_key("/charge", order.sale_id, &body).await {
            Err(fault) => CallOutcome::Unknown(fault),
            Ok(response) if response.status == StatusCode::CONFLICT => {
                self.look_up_after_conflict(order.sale_id).await
            }
            Ok(response) => response
                .read::<ChargeResponse>()
                .not_found_is_rejected()
                .and_then(|charged| charged.read(order.sale_id)),
        }
    }

    async fn create_invoice(&self, order: &ChargeOrder) -> ChargeAnswer {
        let Some(body) = NewInvoice::of(order) else {
            return NOT_OFFERED;
        };
        match self.post_with_key("/invoices", order.sale_id, &body).await {
            Err(fault) => CallOutcome::Unknown(fault),
            Ok(response) if response.status == StatusCode::CONFLICT => {
                self.look_up_after_conflict(order.sale_id).await
            }
            Ok(response) => response
                .read::<Invoice>()
                .not_found_is_rejected()
                .and_then(Invoice::read),
        }
    }

    /// Looks up a charge after a 409: the key was used before, and Iugu does not repeat its first answer.
    async fn look_up_after_conflict(&self, sale_id: SaleId) -> ChargeAnswer {
        match self.search(sale_id).await {
            // Iugu may still be executing the first order.
            CallOutcome::NotFound => CallOutcome::Unknown(CallFault("key_in_use")),
            known => known,
        }
    }

    async fn find(&self, id: &str) -> ChargeAnswer {
        let request = self.request(Method::GET, &format!("/invoices/{id}"));
        calls::send_and_read::<Invoice>(request)
            .await
            .and_then(Invoice::read)
    }

    async fn search(&self, sale_id: SaleId) -> ChargeAnswer {
        let path = format!("/resource_search?query_field=order_id&value={sale_id}");
        let answer = calls::send_and_read::<SearchResult>(self.request(Method::GET, &path)).await;
        answer.and_then(|result| result.read(sale_id))
    }

    /// Iugu's id of a charge.
    async fn id_of(&self, charge: &ChargeKey) -> Result<String, ChargeAnswer> {
        match &charge.charge_id {
            Some(id) => Ok(id.clone()),
            None => match self.search(charge.sale_id).await {
                CallOutcome::Answered(found) => Ok(found.charge_id),
                other => Err(other),
            },
        }
    }

    /// Changes an invoice. A 400 or 422 means that its status does not allow the change. Then the invoice is looked up.
    async fn change(&self, method: Method, charge: &ChargeKey, change: &str) -> ChangeAnswer {
        let id = match self.id_of(charge).await {
            Ok(id) => id,
            Err(failure) => return ChangeAnswer::NotAllowed(failure),
        };
        let request = self.request(method, &format!("/invoices/{id}/{change}"));
        match calls::send(request).await {
            Err(fault) => ChangeAnswer::Sent(CallOutcome::Unknown(fault)),
            Ok(response)
                if matches!(
                    response.status,
                    StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY
                ) =>
            {
                ChangeAnswer::NotAllowed(self.find(&id).await)
            }
            Ok(response) => ChangeAnswer::Sent(response.read::<Invoice>().and_then(Invoice::read)),
        }
    }
}

/// The result of a change of an invoice.
enum ChangeAnswer {
    /// The answer to the change.
    Sent(ChargeAnswer),
    /// The change was not possible. The answer is that of a look-up of the invoice.
    NotAllowed(ChargeAnswer),
}

impl ChangeAnswer {
    fn into_answer(self) -> ChargeAnswer {
        match self {
            Self::Sent(answer) | Self::NotAllowed(answer) => answer,
        }
    }
}

const NOT_OFFERED: ChargeAnswer = CallOutcome::Rejected(CallFault("not_offered"));

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

    fn tells_reversals(&self) -> bool {
        false
    }

    async fn check_card(&self, token: &CardToken, buyer: &Buyer) -> Option<CallOutcome<CheckedCard>> {
        Some(self.save_card(token, buyer).await)
    }

    async fn forget_card(&self, token: &CardToken) {
        if let Some(path) = wire::saved_card_path(token) {
            // The charge or the refusal counts, whatever becomes of the saved card.
            let _deleted = calls::send(self.request(Method::DELETE, &path)).await;
        }
    }

    async fn charge(&self, order: &ChargeOrder) -> ChargeAnswer {
        match order.payment_method {
            PaymentMethod::Card { .. } => self.charge_card(order).await,
            PaymentMethod::Pix { .. } | PaymentMethod::Boleto { .. } => self.create_invoice(order).await,
        }
    }

    async fn look_up(&self, charge: &ChargeKey) -> ChargeAnswer {
        match &charge.charge_id {
            Some(id) => self.find(id).await,
            None => self.search(charge.sale_id).await,
        }
    }

    /// Iugu takes no key for a capture or a refund, so the charge is looked up before each.
    async fn capture(&self, charge: &WholeCharge) -> ChargeAnswer {
        match self.look_up(&charge.key).await {
            CallOutcome::Answered(found) if found.state == ChargeState::Authorized => self
                .change(Method::POST, &charge.key, "capture")
                .await
                .into_answer(),
            other => other,
        }
    }

    async fn cancel(&self, charge: &ChargeKey) -> ChargeAnswer {
        self.change(Method::PUT, charge, "cancel").await.into_answer()
    }

    async fn refund(&self, charge: &WholeCharge) -> ChargeAnswer {
        match self.look_up(&charge.key).await {
            CallOutcome::Answered(found) if found.state != ChargeState::Refunded => {}
            other => return other,
        }
        match self.change(Method::POST, &charge.key, "refund").await {
            ChangeAnswer::Sent(answer) => answer,
            ChangeAnswer::NotAllowed(look_up) => calls::rejected_refund(look_up),
        }
    }

    /// A PIX goes back in whole only, and a boleto not at all. A refund takes no key, and an invoice does not tell the sum
    /// that went back, so a part without an answer is not repeated.
    fn part_refunds(&self) -> &'static [PaymentType] {
        &[PaymentType::Credit, PaymentType::Debit]
    }

    async fn refund_part(&self, part: &ChargePart) -> ChargeAnswer {
        let id = match self.id_of(&part.key).await {
            Ok(id) => id,
            Err(failure) => return failure,
        };
        let request = self.request(Method::POST, &format!("/invoices/{id}/refund"));
        let request = request.json(&json!({ "partial_value_refund_cents": part.amount }));
        calls::send_and_read::<Invoice>(request)
            .await
            .and_then(Invoice::read)
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

    async fn receivables(&self, day: Date, page: Option<&str>) -> Option<CallOutcome<ReceivablePage>> {
        let start = page.and_then(|page| page.parse().ok()).unwrap_or(0);
        let path = receivables::path(start);
        let answer = calls::send_and_read::<receivables::List>(self.request(Method::GET, &path)).await;
        Some(answer.map(|list| list.read(day, start)))
    }
}
