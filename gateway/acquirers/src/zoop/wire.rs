//! The bodies of Zoop's calls and notices.

use ledger_domain::calendar::{Date, Instant, days_after};
use ledger_domain::{Cents, SaleId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::amounts::Reais;
use crate::calls::{self, CallFault, CallOutcome};
use crate::charge::{
    Buyer, Charge, ChargeAnswer, ChargeOrder, ChargeState, ChargedCard, Decline, NextAction, PaymentMethod,
};
use crate::names::{ReportedNames, of_any_type, text_of};
use crate::notice::{NoticeFault, NoticeHint, ReceivedNotice, charge_id};

/// How many days after its due date a boleto can be paid. It covers one business day and a long weekend.
const PAYABLE_DAYS_AFTER_DUE: u64 = 4;

/// `POST /transactions`.
#[derive(Serialize)]
pub struct NewTransaction<'a> {
    on_behalf_of: &'a str,
    payment_type: &'static str,
    /// Cents here, reais in the answers.
    amount: Cents,
    currency: &'static str,
    description: &'a str,
    reference_id: SaleId,
    statement_descriptor: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_method: Option<NewBoleto>,
}

#[derive(Serialize)]
struct NewBoleto {
    expiration_date: Date,
    payment_limit_date: Date,
}

impl<'a> NewTransaction<'a> {
    pub fn of(order: &'a ChargeOrder, seller_id: &'a str, customer: Option<String>) -> Option<Self> {
        let (payment_type, payment_method) = match order.payment_method {
            PaymentMethod::Card { .. } => return None,
            // `expires_at` is not sent: Zoop takes an expiry only if it is 24 hours away or more.
            PaymentMethod::Pix { .. } => ("pix", None),
            PaymentMethod::Boleto { due_on } => (
                "boleto",
                Some(NewBoleto {
                    expiration_date: due_on,
                    payment_limit_date: days_after(due_on, PAYABLE_DAYS_AFTER_DUE),
                }),
            ),
        };
        Some(Self {
            on_behalf_of: seller_id,
            payment_type,
            amount: order.amount,
            currency: "BRL",
            description: &order.description,
            reference_id: order.sale_id,
            statement_descriptor: &order.statement_descriptor,
            customer,
            payment_method,
        })
    }
}

/// `POST /buyers`.
#[derive(Serialize)]
pub struct NewBuyer<'a> {
    first_name: &'a str,
    last_name: &'a str,
    taxpayer_id: &'a str,
    email: &'a str,
    phone_number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<Address<'a>>,
}

#[derive(Serialize)]
struct Address<'a> {
    line1: &'a str,
    line2: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line3: Option<&'a str>,
    neighborhood: &'a str,
    city: &'a str,
    state: &'a str,
    postal_code: &'a str,
    country_code: &'static str,
}

impl<'a> NewBuyer<'a> {
    pub fn of(buyer: &'a Buyer) -> Self {
        let (first_name, last_name) = buyer.name.split_once(' ').unwrap_or((&buyer.name, ""));
        Self {
            first_name,
            last_name,
            taxpayer_id: buyer.document.unmasked(),
            email: &buyer.email,
            phone_number: &buyer.phone,
            address: buyer.address.as_ref().map(|address| Address {
                line1: &address.street,
                line2: &address.number,
                line3: address.complement.as_deref(),
                neighborhood: &address.district,
                city: &address.city,
                state: &address.state,
                postal_code: &address.postal_code,
                country_code: "BR",
            }),
        }
    }
}

#[derive(Deserialize)]
pub struct Created {
    pub id: String,
}

#[derive(Deserialize)]
pub struct TransactionList {
    items: Vec<Transaction>,
}

impl TransactionList {
    /// The transaction with that reference. `NotFound` only if the list is empty. A list of other transactions shows
    /// that Zoop did not search by the reference, so it proves nothing. Several transactions are a fault that staff
    /// must look at.
    pub fn only_of(self, sale_id: SaleId) -> CallOutcome<Transaction> {
        let reference = sale_id.to_string();
        let is_empty = self.items.is_empty();
        let mut of_sale = self
            .items
            .into_iter()
            .filter(|item| item.reference_id.as_deref() == Some(&reference));
        match (of_sale.next(), of_sale.next()) {
            (None, _) if is_empty => CallOutcome::NotFound,
            (None, _) => CallOutcome::Unknown(CallFault("other_transactions")),
            (Some(only), None) => CallOutcome::Answered(only),
            (Some(_), Some(_)) => {
                tracing::error!(%sale_id, "Zoop has several transactions of one sale");
                CallOutcome::Unknown(CallFault("several_transactions"))
            }
        }
    }
}

#[derive(Deserialize)]
pub struct Transaction {
    pub id: String,
    status: String,
    amount: Option<Reais>,
    payment_type: Option<String>,
    reference_id: Option<String>,
    #[serde(default)]
    captured: bool,
    #[serde(default)]
    voided: bool,
    payment_method: Option<PaymentMethodBody>,
    /// Null until a card is authorized.
    #[serde(default)]
    payment_authorization: Value,
}

#[derive(Deserialize)]
struct PaymentMethodBody {
    /// Of a boleto. Unsure: taken as the number by which the bank knows it, because Zoop shows no other.
    #[serde(default, deserialize_with = "of_any_type")]
    document_number: Option<String>,
    expiration_date: Option<String>,
    qr_code: Option<QrCode>,
    barcode: Option<String>,
    paid_at: Option<String>,
}

#[derive(Deserialize)]
struct QrCode {
    emv: Option<String>,
}

impl Transaction {
    pub fn is_open_boleto(&self) -> bool {
        self.payment_type.as_deref() == Some("boleto") && matches!(self.status.as_str(), "new" | "pending")
    }

    pub fn read(self) -> ChargeAnswer {
        let state = match self.status.as_str() {
            "new" | "pending" => ChargeState::Pending,
            "pre_authorized" => ChargeState::Authorized,
            "succeeded" => ChargeState::Paid,
            "partial_refunded" => ChargeState::PartlyRefunded,
            "failed" => ChargeState::Declined(Decline::Other),
            // Assumed, because Zoop's pages do not say it: voided after the capture means that the money went back.
            "canceled" if self.captured && self.voided => ChargeState::Refunded,
            "canceled" => ChargeState::Canceled,
            "refunded" => ChargeState::Refunded,
            "reversed" => ChargeState::Reversed,
            "dispute" => ChargeState::Disputed,
            "charged_back" => ChargeState::ChargedBack,
            _ => ChargeState::Unlisted,
        };
        let method = self.payment_method;
        let paid_at = method
            .as_ref()
            .and_then(|method| instant(method.paid_at.as_deref()?));
        let authorization = self.payment_authorization;
        let names = ReportedNames {
            nsu: text_of(&authorization["authorization_nsu"]),
            our_number: method.as_ref().and_then(|method| method.document_number.clone()),
            ..ReportedNames::default()
        };
        CallOutcome::Answered(Charge {
            charge_id: self.id,
            state,
            status: calls::sanitized(&self.status),
            amount: self.amount.map(|amount| amount.0),
            refunded: None,
            next_action: method
                .filter(|_| state == ChargeState::Pending)
                .and_then(PaymentMethodBody::into_next_action),
            card: text_of(&authorization["authorization_code"]).map(|code| ChargedCard {
                authorization_code: Some(code),
                ..ChargedCard::default()
            }),
            names,
            return_names: ReportedNames::default(),
            at: paid_at.filter(|_| state == ChargeState::Paid),
        })
    }
}

impl PaymentMethodBody {
    fn into_next_action(self) -> Option<NextAction> {
        let expires = self.expiration_date.as_deref();
        if let Some(code) = self.qr_code.and_then(|code| code.emv) {
            return Some(NextAction::Pix {
                code,
                expires_at: expires.and_then(instant),
            });
        }
        Some(NextAction::Boleto {
            // Zoop's `barcode` holds the digitable line or the barcode. Either becomes the line.
            line: calls::boleto_line(&self.barcode?)?,
            barcode: None,
            due_on: expires.and_then(day),
            pix: None,
        })
    }
}

fn instant(text: &str) -> Option<Instant> {
    text.parse().ok()
}

/// The date at the beginning of `YYYY-MM-DD…`. A time after it is dropped, and no time zone is applied.
pub fn day(text: &str) -> Option<Date> {
    text.get(..10)?.parse().ok()
}

/// `{"type": "transaction.succeeded", "payload": {"object": {…}}}`. If the transaction failed, it is `payload` itself.
pub fn read_notice(notice: &ReceivedNotice<'_>) -> Result<NoticeHint, NoticeFault> {
    let body: Value = serde_json::from_slice(notice.body).map_err(|_| NoticeFault::Unreadable)?;
    let event = body["type"].as_str().ok_or(NoticeFault::Unreadable)?;
    if !event.starts_with("transaction.") {
        return Err(NoticeFault::Unrelated);
    }
    let payload = &body["payload"];
    let transaction = payload.get("object").unwrap_or(payload);
    let charge_id = transaction["id"].as_str().and_then(charge_id);
    let sale_id = transaction["reference_id"]
        .as_str()
        .and_then(|reference| reference.parse().ok());
    if charge_id.is_none() && sale_id.is_none() {
        return Err(NoticeFault::Unreadable);
    }
    Ok(NoticeHint {
        charge_id,
        sale_id,
        event: calls::sanitized(event),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charge(body: &str) -> Charge {
        let transaction: Transaction = serde_json::from_str(body).expect("a transaction");
        match transaction.read() {
            CallOutcome::Answered(charge) => charge,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_names_of_a_transaction_are_read_whatever_their_type() {
        let card = charge(
            r#"{"id": "t1", "status": "succeeded", "amount": "12.00", "payment_type": "credit", "payment_method": null,
                "payment_authorization": {"authorization_code": "A1B2C3", "authorization_nsu": 7405731}}"#,
        );
        assert_eq!(card.names.nsu.as_deref(), Some("7405731"));
        let code = card.card.and_then(|card| card.authorization_code);
        assert_eq!(code.as_deref(), Some("A1B2C3"));
        let boleto = charge(
            r#"{"id": "t2", "status": "pending", "amount": "12.00", "payment_type": "boleto",
                "payment_authorization": null, "payment_method": {"document_number": 15142}}"#,
        );
        assert_eq!(boleto.names.our_number.as_deref(), Some("15142"));
        let pix = charge(r#"{"id": "t3", "status": "succeeded", "payment_authorization": "none"}"#);
        assert!(pix.names.is_empty() && pix.card.is_none());
    }
}
