//! Barte's bodies and notices.

use ledger_domain::SaleId;
use ledger_domain::calendar::{Date, business_date};
use ledger_domain::documents::Document;
use serde::{Deserialize, Serialize};

use crate::amounts::Reais;
use crate::calls::{self, CallOutcome};
use crate::charge::{
    Buyer, Charge, ChargeAnswer, ChargeOrder, ChargeState, Decline, NextAction, PaymentMethod,
};
use crate::names::ReportedNames;
use crate::notice::{NoticeFault, NoticeHint, ReceivedNotice, charge_id};

/// The key of our sale id among an order's metadata, which notices repeat.
const SALE_ID: &str = "sale_id";

/// `POST /v2/buyers`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewBuyer<'a> {
    document: BuyerDocument<'a>,
    name: &'a str,
    email: &'a str,
    country_code: &'static str,
    phone: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<Address<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BuyerDocument<'a> {
    document_number: &'a str,
    document_type: &'static str,
    document_nation: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Address<'a> {
    country: &'static str,
    state: &'a str,
    city: &'a str,
    district: &'a str,
    street: &'a str,
    zip_code: &'a str,
    number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    complement: Option<&'a str>,
}

impl<'a> NewBuyer<'a> {
    pub fn of(buyer: &'a Buyer) -> Self {
        Self {
            document: BuyerDocument {
                document_number: buyer.document.unmasked(),
                document_type: match buyer.document {
                    Document::Cpf(_) => "cpf",
                    Document::Cnpj(_) => "cnpj",
                },
                document_nation: "BR",
            },
            name: &buyer.name,
            email: &buyer.email,
            country_code: "+55",
            phone: &buyer.phone,
            address: buyer.address.as_ref().map(|address| Address {
                country: "BR",
                state: &address.state,
                city: &address.city,
                district: &address.district,
                street: &address.street,
                zip_code: &address.postal_code,
                number: &address.number,
                complement: address.complement.as_deref(),
            }),
        }
    }
}

#[derive(Deserialize)]
pub struct Created {
    pub uuid: String,
}

/// `POST /v2/orders`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewOrder<'a> {
    /// Our sale id: the list of charges repeats it.
    title: String,
    description: &'a str,
    attempt_reference: String,
    uuid_buyer: String,
    /// The day on which the charge is due.
    start_date: Date,
    value: Reais,
    installments: u8,
    payment: Payment,
    metadata: [Metadata; 1],
}

#[derive(Serialize)]
struct Payment {
    method: &'static str,
}

#[derive(Serialize, Deserialize)]
struct Metadata {
    key: String,
    value: String,
}

impl<'a> NewOrder<'a> {
    pub fn of(order: &'a ChargeOrder, uuid_buyer: String) -> Option<Self> {
        let (method, start_date) = match order.payment_method {
            PaymentMethod::Card { .. } => return None,
            PaymentMethod::Pix { expires_at } => ("PIX", business_date(expires_at)),
            PaymentMethod::Boleto { due_on } => ("BANK_SLIP", due_on),
        };
        let sale_id = order.sale_id.to_string();
        Some(Self {
            title: sale_id.clone(),
            description: &order.description,
            attempt_reference: order.sale_id.uuid().to_string(),
            uuid_buyer,
            start_date,
            value: Reais(order.amount),
            installments: 1,
            payment: Payment { method },
            metadata: [Metadata {
                key: SALE_ID.to_owned(),
                value: sale_id,
            }],
        })
    }
}

#[derive(Deserialize)]
pub struct Order {
    charges: Vec<BarteCharge>,
}

impl Order {
    /// The only charge: an order without installments has one.
    pub fn into_charge(self) -> Option<BarteCharge> {
        let mut charges = self.charges.into_iter();
        match (charges.next(), charges.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }
}

/// `GET /v2/charges`.
#[derive(Deserialize)]
pub struct ChargeList {
    content: Vec<BarteCharge>,
    last: bool,
}

impl ChargeList {
    pub const fn is_last(&self) -> bool {
        self.last
    }

    /// Whether every charge has the title by which it is found. Without it, a search that finds nothing proves nothing.
    pub fn has_all_titles(&self) -> bool {
        self.content.iter().all(|charge| charge.title.is_some())
    }

    pub fn charge_of(self, sale_id: SaleId) -> Option<BarteCharge> {
        let title = sale_id.to_string();
        let mut charges = self.content.into_iter();
        charges.find(|charge| charge.title.as_deref() == Some(&title))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BarteCharge {
    pub uuid: String,
    title: Option<String>,
    status: String,
    value: Option<Reais>,
    expiration_date: Option<String>,
    #[serde(alias = "pix_code")]
    pix_code: Option<String>,
    #[serde(alias = "bank_slip_barcode")]
    bank_slip_barcode: Option<String>,
}

impl BarteCharge {
    pub fn is_open(&self) -> bool {
        matches!(self.status.as_str(), "SCHEDULED" | "LATE")
    }

    pub fn read(self) -> ChargeAnswer {
        let state = match self.status.as_str() {
            // A late boleto can still be paid.
            "SCHEDULED" | "LATE" => ChargeState::Pending,
            "PRE_AUTHORIZED" => ChargeState::Authorized,
            "PAID" => ChargeState::Paid,
            "CANCELED" | "ABANDONED" => ChargeState::Canceled,
            "FAILED" => ChargeState::Declined(Decline::Other),
            "REFUND" => ChargeState::Refunded,
            "DISPUTE" => ChargeState::Disputed,
            "CHARGEBACK" => ChargeState::ChargedBack,
            _ => ChargeState::Unlisted,
        };
        let due_on = self
            .expiration_date
            .as_deref()
            .and_then(|date| date.get(..10)?.parse().ok());
        let next_action = match (self.bank_slip_barcode, self.pix_code) {
            (Some(digits), pix) => calls::boleto_line(&digits).map(|line| NextAction::Boleto {
                line,
                barcode: None,
                due_on,
                pix,
            }),
            (None, Some(code)) => Some(NextAction::Pix {
                code,
                // Only the day is known.
                expires_at: None,
            }),
            (None, None) => None,
        };
        CallOutcome::Answered(Charge {
            charge_id: self.uuid,
            state,
            status: calls::sanitized(&self.status),
            amount: self.value.map(|value| value.0),
            refunded: None,
            next_action: next_action.filter(|_| state == ChargeState::Pending),
            card: None,
            // Its documents name none.
            names: ReportedNames::default(),
            return_names: ReportedNames::default(),
            at: None,
        })
    }
}

#[derive(Deserialize)]
struct NoticeBody {
    uuid: String,
    domain: String,
    status: Option<String>,
    #[serde(default)]
    metadata: Vec<Metadata>,
}

/// The uuid in a notice is the order's, and a charge has another one. So the charge is looked up by the sale id.
/// A hint needs an id: without a sale id it has the order's, under which no charge is found.
pub fn read_notice(notice: &ReceivedNotice<'_>) -> Result<NoticeHint, NoticeFault> {
    let body: NoticeBody = serde_json::from_slice(notice.body).map_err(|_| NoticeFault::Unreadable)?;
    if body.domain != "ORDER" {
        return Err(NoticeFault::Unrelated);
    }
    let mut metadata = body.metadata.into_iter();
    let sale_id: Option<SaleId> = metadata
        .find(|entry| entry.key == SALE_ID)
        .and_then(|entry| entry.value.parse().ok());
    let order_id = charge_id(&body.uuid).ok_or(NoticeFault::Unreadable)?;
    Ok(NoticeHint {
        charge_id: sale_id.is_none().then_some(order_id),
        sale_id,
        event: calls::sanitized(&format!("order.{}", body.status.unwrap_or_default())),
    })
}
