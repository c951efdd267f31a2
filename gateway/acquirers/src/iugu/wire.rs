//! Iugu's bodies and notices.

use chrono::SecondsFormat;
use ledger_domain::calendar::{Date, Instant, business_date};
use ledger_domain::sale::CardBrand;
use ledger_domain::{Cents, SaleId};
use serde::{Deserialize, Serialize};
use url::form_urlencoded;

use super::declines::decline;
use crate::calls::{self, CallFault, CallOutcome, UNREADABLE};
use crate::charge::{
    Buyer, CardToken, Charge, ChargeAnswer, ChargeOrder, ChargeState, ChargedCard, CheckedCard, NextAction,
    PaymentMethod,
};
use crate::names::{ReportedNames, of_any_type};
use crate::notice::{NoticeFault, NoticeHint, ReceivedNotice, charge_id};

/// The most installments of a charge; Iugu counts one a month.
pub const MONTHS_MAX: u8 = 12;
const DESCRIPTOR_CHARACTERS_MAX: usize = 12;
/// How many days after its due date a boleto can be paid. It covers one business day and a long weekend.
const PAYABLE_DAYS_AFTER_DUE: &str = "4";

/// `POST /invoices`.
#[derive(Serialize)]
pub struct NewInvoice<'a> {
    email: &'a str,
    due_date: Date,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_in: Option<&'static str>,
    items: [Item<'a>; 1],
    payable_with: &'static [&'static str],
    payer: Payer<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pix_qr_code_expires_at: Option<String>,
    order_id: SaleId,
    external_reference: SaleId,
    #[serde(skip_serializing_if = "Option::is_none")]
    notification_url: Option<&'a str>,
    /// Iugu must not write to the buyer, because the platform does.
    ignore_due_email: bool,
    ignore_canceled_email: bool,
}

/// `POST /charge`.
#[derive(Serialize)]
pub struct DirectCharge<'a> {
    /// Or `customer_payment_method_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_payment_method_id: Option<&'a str>,
    email: &'a str,
    items: [Item<'a>; 1],
    payer: Payer<'a>,
    /// From 2 to `MONTHS_MAX`.
    #[serde(skip_serializing_if = "Option::is_none")]
    months: Option<u8>,
    order_id: SaleId,
    soft_descriptor_light: String,
}

#[derive(Serialize)]
struct Item<'a> {
    description: &'a str,
    quantity: u8,
    price_cents: Cents,
}

#[derive(Serialize)]
struct Payer<'a> {
    cpf_cnpj: &'a str,
    name: &'a str,
    email: &'a str,
    phone_prefix: &'a str,
    phone: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<Address<'a>>,
}

#[derive(Serialize)]
struct Address<'a> {
    zip_code: &'a str,
    street: &'a str,
    number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    complement: Option<&'a str>,
    district: &'a str,
    city: &'a str,
    state: &'a str,
}

impl<'a> NewInvoice<'a> {
    pub fn of(order: &'a ChargeOrder) -> Option<Self> {
        let (payable_with, due_date, expires_at) = match order.payment_method {
            PaymentMethod::Card { .. } => return None,
            PaymentMethod::Pix { expires_at } => (&["pix"][..], business_date(expires_at), Some(expires_at)),
            // The printed boleto has a PIX code of the same invoice.
            PaymentMethod::Boleto { due_on } => (&["bank_slip", "pix"][..], due_on, None),
        };
        Some(Self {
            email: &order.buyer.email,
            due_date,
            expires_in: expires_at.is_none().then_some(PAYABLE_DAYS_AFTER_DUE),
            items: [Item::of(order)],
            payable_with,
            payer: Payer::of(&order.buyer),
            pix_qr_code_expires_at: expires_at.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, false)),
            order_id: order.sale_id,
            external_reference: order.sale_id,
            notification_url: order.notice_url.as_ref().map(|url| url.0.as_str()),
            ignore_due_email: true,
            ignore_canceled_email: true,
        })
    }
}

impl<'a> DirectCharge<'a> {
    pub fn of(order: &'a ChargeOrder) -> Option<Self> {
        let PaymentMethod::Card {
            token, installments, ..
        } = &order.payment_method
        else {
            return None;
        };
        let descriptor = order.statement_descriptor.chars();
        let saved = saved_card(token);
        Some(Self {
            token: saved.is_none().then_some(token.0.as_str()),
            customer_payment_method_id: saved.map(|(_, method)| method),
            email: &order.buyer.email,
            items: [Item::of(order)],
            payer: Payer::of(&order.buyer),
            months: (*installments > 1).then_some(*installments),
            order_id: order.sale_id,
            soft_descriptor_light: descriptor.take(DESCRIPTOR_CHARACTERS_MAX).collect(),
        })
    }
}

impl<'a> Item<'a> {
    fn of(order: &'a ChargeOrder) -> Self {
        Self {
            description: &order.description,
            quantity: 1,
            price_cents: order.amount,
        }
    }
}

impl<'a> Payer<'a> {
    fn of(buyer: &'a Buyer) -> Self {
        let (phone_prefix, phone) = buyer.phone.split_at_checked(2).unwrap_or_default();
        Self {
            cpf_cnpj: buyer.document.unmasked(),
            name: &buyer.name,
            email: &buyer.email,
            phone_prefix,
            phone,
            address: buyer.address.as_ref().map(|address| Address {
                zip_code: &address.postal_code,
                street: &address.street,
                number: &address.number,
                complement: address.complement.as_deref(),
                district: &address.district,
                city: &address.city,
                state: &address.state,
            }),
        }
    }
}

/// Separates the ids of a customer and of its payment method in the token of a saved card. New tokens do not have it.
const SAVED: char = '/';

/// `POST /customers`.
#[derive(Serialize)]
pub struct NewCustomer<'a> {
    email: &'a str,
    name: &'a str,
}

impl<'a> NewCustomer<'a> {
    pub fn of(buyer: &'a Buyer) -> Self {
        Self {
            email: &buyer.email,
            name: &buyer.name,
        }
    }
}

#[derive(Deserialize)]
pub struct Customer {
    id: String,
}

impl Customer {
    pub fn read(self) -> CallOutcome<String> {
        charge_id(&self.id).map_or(CallOutcome::Unknown(UNREADABLE), CallOutcome::Answered)
    }
}

/// `POST /customers/{id}/payment_methods`.
#[derive(Serialize)]
pub struct NewPaymentMethod<'a> {
    description: &'static str,
    token: &'a str,
}

impl<'a> NewPaymentMethod<'a> {
    pub fn of(token: &'a CardToken) -> Self {
        Self {
            description: "checkout",
            token: &token.0,
        }
    }
}

#[derive(Deserialize)]
pub struct SavedCard {
    id: String,
    data: Option<SavedCardData>,
}

#[derive(Deserialize)]
struct SavedCardData {
    brand: Option<String>,
    display_number: Option<String>,
}

impl SavedCard {
    pub fn read(self, customer: &str) -> CallOutcome<CheckedCard> {
        let Some(method) = charge_id(&self.id) else {
            return CallOutcome::Unknown(UNREADABLE);
        };
        let (brand, number) = self
            .data
            .map_or((None, None), |data| (data.brand, data.display_number));
        CallOutcome::Answered(CheckedCard {
            token: CardToken(format!("{customer}{SAVED}{method}")),
            brand: brand.as_deref().and_then(brand_of),
            last_four: number.as_deref().and_then(last_four),
        })
    }
}

/// Whether the text is a token as Iugu makes it for a browser, and not the one of a saved card.
pub fn is_new_token(token: &CardToken) -> bool {
    charge_id(&token.0).is_some()
}

fn saved_card(token: &CardToken) -> Option<(&str, &str)> {
    token.0.split_once(SAVED)
}

/// The path of a saved card, to delete it. `None` for a new token, which has saved nothing.
pub fn saved_card_path(token: &CardToken) -> Option<String> {
    let (customer, method) = saved_card(token)?;
    Some(format!("/customers/{customer}/payment_methods/{method}"))
}

fn brand_of(word: &str) -> Option<CardBrand> {
    CardBrand::parse(word).ok()
}

/// The last digits of a masked number, such as `XXXX-XXXX-XXXX-4242`.
fn last_four(number: &str) -> Option<String> {
    let digits = number.get(number.len().checked_sub(4)?..)?;
    digits
        .bytes()
        .all(|digit| digit.is_ascii_digit())
        .then(|| digits.to_owned())
}

/// The answer of `POST /charge`. A decline is a 200 as well.
#[derive(Deserialize)]
pub struct ChargeResponse {
    success: bool,
    status: Option<String>,
    invoice_id: Option<String>,
    #[serde(rename = "LR")]
    lr: Option<String>,
    brand: Option<String>,
    last4: Option<String>,
}

impl ChargeResponse {
    pub fn read(self, sale_id: SaleId) -> ChargeAnswer {
        let state = match (self.success, self.status.as_deref()) {
            (false, _) => ChargeState::Declined(decline(self.lr.as_deref())),
            (true, Some("authorized")) => ChargeState::Authorized,
            (true, Some("captured") | None) => ChargeState::Paid,
            // For example `pending`: the look-up of the invoice tells more.
            (true, Some(_)) => return CallOutcome::Unknown(UNKNOWN_STATUS),
        };
        let status = self.status.unwrap_or_default();
        let charge_id = match (self.invoice_id, self.success) {
            (Some(id), _) => id,
            (None, true) => return CallOutcome::Unknown(UNREADABLE),
            // Unsure whether a declined charge has an invoice. Without one, our sale id takes its place.
            (None, false) => sale_id.to_string(),
        };
        CallOutcome::Answered(Charge {
            charge_id,
            state,
            status: calls::sanitized(&status),
            amount: None,
            refunded: None,
            next_action: None,
            card: Some(ChargedCard {
                brand: self.brand.as_deref().and_then(brand_of),
                last_four: self.last4,
                authorization_code: None,
            }),
            names: ReportedNames::default(),
            return_names: ReportedNames::default(),
            at: None,
        })
    }
}

const UNKNOWN_STATUS: CallFault = CallFault("unknown_status");

#[derive(Deserialize)]
pub struct Invoice {
    id: String,
    status: String,
    total_cents: Option<i64>,
    order_id: Option<String>,
    due_date: Option<Date>,
    paid_at: Option<String>,
    credit_card_brand: Option<String>,
    credit_card_last_4: Option<String>,
    pix: Option<InvoicePix>,
    bank_slip: Option<InvoiceBoleto>,
}

#[derive(Deserialize)]
struct InvoicePix {
    qrcode_text: Option<String>,
    /// Of the payment; absent until it is paid.
    #[serde(default, deserialize_with = "of_any_type")]
    end_to_end_id: Option<String>,
}

#[derive(Deserialize)]
struct InvoiceBoleto {
    digitable_line: Option<String>,
    barcode_data: Option<String>,
}

/// The answer of `GET /resource_search`.
#[derive(Deserialize)]
pub struct SearchResult {
    resource: Option<Invoice>,
}

impl SearchResult {
    pub fn read(self, sale_id: SaleId) -> ChargeAnswer {
        match self.resource {
            None => CallOutcome::NotFound,
            Some(invoice) if invoice.order_id.as_deref() == Some(&sale_id.to_string()) => invoice.read(),
            Some(_) => CallOutcome::Unknown(CallFault("other_invoice")),
        }
    }
}

impl Invoice {
    pub fn read(self) -> ChargeAnswer {
        let state = match self.status.as_str() {
            "pending" | "draft" => ChargeState::Pending,
            "in_analysis" => ChargeState::Authorized,
            "paid" => ChargeState::Paid,
            "canceled" | "expired" => ChargeState::Canceled,
            "refunded" => ChargeState::Refunded,
            "in_protest" => ChargeState::Disputed,
            "chargeback" => ChargeState::ChargedBack,
            "partially_refunded" => ChargeState::PartlyRefunded,
            // `partially_paid`: a part of a boleto. `externally_paid`: the money did not come by Iugu.
            _ => ChargeState::Unlisted,
        };
        let paid_at = self.paid_at.as_deref().and_then(instant);
        let names = ReportedNames {
            end_to_end_id: self.pix.as_ref().and_then(|pix| pix.end_to_end_id.clone()),
            ..ReportedNames::default()
        };
        CallOutcome::Answered(Charge {
            state,
            status: calls::sanitized(&self.status),
            amount: self.total_cents.map(Cents::new),
            refunded: None,
            at: paid_at.filter(|_| state == ChargeState::Paid),
            next_action: if state == ChargeState::Pending {
                next_action(self.pix, self.bank_slip, self.due_date)
            } else {
                None
            },
            card: self.credit_card_brand.is_some().then(|| ChargedCard {
                brand: self.credit_card_brand.as_deref().and_then(brand_of),
                last_four: self.credit_card_last_4,
                authorization_code: None,
            }),
            names,
            return_names: ReportedNames::default(),
            charge_id: self.id,
        })
    }
}

/// The objects of the other payment types are there too, with empty fields.
fn next_action(
    pix: Option<InvoicePix>,
    boleto: Option<InvoiceBoleto>,
    due_on: Option<Date>,
) -> Option<NextAction> {
    let code = pix.and_then(|pix| pix.qrcode_text);
    let (line, barcode) = boleto.map_or((None, None), |boleto| {
        (boleto.digitable_line, boleto.barcode_data)
    });
    match (line, code) {
        (Some(line), pix) => Some(NextAction::Boleto {
            line,
            barcode,
            due_on,
            pix,
        }),
        (None, Some(code)) => Some(NextAction::Pix {
            code,
            expires_at: None,
        }),
        (None, None) => None,
    }
}

fn instant(text: &str) -> Option<Instant> {
    text.parse().ok()
}

/// A form: `event=invoice.status_changed&data[id]=…&data[order_id]=…`.
pub fn read_notice(notice: &ReceivedNotice<'_>) -> Result<NoticeHint, NoticeFault> {
    let (mut event, mut id, mut order_id) = (None, None, None);
    for (name, value) in form_urlencoded::parse(notice.body) {
        match name.as_ref() {
            "event" => event = Some(value.into_owned()),
            "data[id]" => id = Some(value.into_owned()),
            "data[order_id]" => order_id = Some(value.into_owned()),
            _ => {}
        }
    }
    let event = event.ok_or(NoticeFault::Unreadable)?;
    // The release of an installment is about its receivable.
    if !event.starts_with("invoice.") || event.ends_with("released") {
        return Err(NoticeFault::Unrelated);
    }
    let id = id.as_deref().and_then(charge_id);
    Ok(NoticeHint {
        charge_id: Some(id.ok_or(NoticeFault::Unreadable)?),
        sale_id: order_id.and_then(|id| id.parse().ok()),
        event: calls::sanitized(&event),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invoice_paid_by_pix_has_its_end_to_end_id() {
        for (written, expected) in [
            (
                r#""E60746948202611231403A1b2C3d4E5f""#,
                Some("E60746948202611231403A1b2C3d4E5f"),
            ),
            ("null", None),
            // Unreadable as a name, and no reason to lose the payment.
            ("{}", Some("{}")),
        ] {
            let body = format!(
                r#"{{"id": "i1", "status": "paid", "total_cents": 100, "pix": {{"qrcode_text": null, "end_to_end_id": {written}}}}}"#
            );
            let invoice: Invoice = serde_json::from_str(&body).expect("an invoice");
            let CallOutcome::Answered(charge) = invoice.read() else {
                panic!("an answer: {body}");
            };
            assert_eq!(charge.names.end_to_end_id.as_deref(), expected);
        }
    }
}
