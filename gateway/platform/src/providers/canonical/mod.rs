//! Parses the canonical body, the format of signed notices that the sandbox sends for every provider.
//!
//! Of the data of a notice of an unknown type, only the company, the sale and the terminal are parsed: the notice must
//! not be rejected for an unused field. A dispute's deadline is ignored: the dispute is answered at the acquirer, and
//! no decision of the ledger uses the deadline.

use gateway_acquirers::names::{ReportedNames, ReportedPayoutNames, ReportedThreeDSecure, UnreadableName};
use ledger_domain::sale::{CardBrand, DisputeId, PaymentNames, PaymentType, RefundReference, Solution};
use ledger_domain::{BusinessId, Cents, SaleId};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::fields::{FieldErrors, Fields};
use super::notice::{
    Notice, NoticeContent, PayoutReport, ReportedPayoutEnd, ReportedSale, SaleReference, SaleReport,
};

/// Parses one notice from a JSON value with cleaned free text. Errors name each field by its JSON pointer.
pub fn read_canonical(content: &Value) -> Result<Notice, FieldErrors> {
    let Some(object) = content.as_object() else {
        return Err(FieldErrors::one("", "Deve ser um objeto."));
    };
    let mut errors = FieldErrors::default();
    let mut envelope = Fields::new(object, "", &mut errors);
    envelope.require(&["id", "type", "occurred_at"]);
    let id = envelope.text("id", 100);
    let type_name = envelope.text("type", 60);
    let occurred_at = envelope.instant("occurred_at");
    let nothing = Map::new();
    let data = match object.get("data") {
        Some(Value::Object(data)) => data,
        Some(Value::Null) | None => &nothing,
        Some(_) => return Err(FieldErrors::one("/data", "Deve ser um objeto.")),
    };
    let mut fields = Fields::new(data, "/data", &mut errors);
    let business_id = fields.parsed("business_id", 40, "Deve ser o id de uma empresa.", business_id);
    let sale_id = fields.parsed("sale_id", 40, "Deve ser o id de uma venda.", sale_id);
    let external_id = fields.text("external_id", 100).map(str::to_owned);
    let terminal_serial = fields.text("terminal_serial", 40).map(str::to_owned);
    let mut unreadable_names = vec![];
    let content = content_of(type_name.unwrap_or_default(), &mut fields, &mut unreadable_names);
    let amount = match &content {
        Some(NoticeContent::Sale(content)) if content.concerns_known_sale() => amount(&mut fields),
        Some(_) | None => None,
    };
    match (id, type_name, occurred_at, content) {
        (Some(id), Some(type_name), Some(occurred_at), Some(content)) if errors.is_empty() => Ok(Notice {
            id: id.to_owned(),
            type_name: type_name.to_owned(),
            occurred_at,
            business_id,
            terminal_serial,
            reference: SaleReference { sale_id, external_id },
            amount,
            content,
            unreadable_names,
        }),
        _ => Err(errors),
    }
}

fn content_of(
    type_name: &str,
    fields: &mut Fields<'_, '_>,
    unreadable: &mut Vec<UnreadableName>,
) -> Option<NoticeContent> {
    let content = match type_name {
        "sale.created" => SaleReport::Created(reported_sale(fields, unreadable)?),
        "sale.captured" => SaleReport::Captured(reported_sale(fields, unreadable)?),
        "sale.failed" => {
            let reason = reason(fields);
            SaleReport::Failed {
                sale: reported_sale(fields, unreadable)?,
                reason,
            }
        }
        "sale.canceled" => {
            let reason = require_sale_and_read_reason(fields);
            SaleReport::Canceled {
                names: payment_names(fields, unreadable),
                reason,
            }
        }
        "sale.refunded" => {
            let reason = require_sale_and_read_reason(fields);
            SaleReport::Refunded {
                refund: refund_reference(fields)?,
                names: payment_names(fields, unreadable),
                reason,
            }
        }
        "sale.reversed" => {
            let reason = require_sale_and_read_reason(fields);
            SaleReport::Reversed {
                names: payment_names(fields, unreadable),
                reason,
            }
        }
        "dispute.opened" => {
            let reason = require_sale_and_read_reason(fields);
            SaleReport::DisputeOpened {
                dispute_id: dispute_id(fields)?,
                reason,
            }
        }
        "dispute.won" => {
            // The reason must be valid, and is not kept.
            require_sale_and_read_reason(fields);
            SaleReport::DisputeWon {
                dispute_id: dispute_id(fields)?,
            }
        }
        "dispute.lost" => {
            let reason = require_sale_and_read_reason(fields);
            SaleReport::DisputeLost {
                dispute_id: dispute_id(fields)?,
                reason,
            }
        }
        "payout.paid" => return payout_report(fields, ReportedPayoutEnd::Paid, unreadable),
        "payout.failed" => {
            let reason = reason(fields);
            return payout_report(fields, ReportedPayoutEnd::Failed { reason }, unreadable);
        }
        "payout.returned" => {
            let reason = reason(fields);
            return payout_report(fields, ReportedPayoutEnd::Returned { reason }, unreadable);
        }
        _ => return Some(NoticeContent::UnknownType),
    };
    Some(NoticeContent::Sale(content))
}

fn reason(fields: &mut Fields<'_, '_>) -> Option<String> {
    fields.free_text("reason", 200)
}

/// Checks that a report about an earlier sale identifies the sale, and reads its reason, if any. The report need not
/// repeat the facts of the sale.
fn require_sale_and_read_reason(fields: &mut Fields<'_, '_>) -> Option<String> {
    if !fields.has("sale_id") {
        fields.require(&["external_id"]);
    }
    reason(fields)
}

fn dispute_id(fields: &mut Fields<'_, '_>) -> Option<DisputeId> {
    fields.require(&["dispute_id"]);
    let expected = "Deve ser o id de uma contestação.";
    fields.parsed("dispute_id", DisputeId::LENGTH_MAX, expected, |text| {
        DisputeId::parse(text).ok()
    })
}

/// The id of a refund, which a notice may leave out. `None` if it is unreadable.
#[allow(clippy::option_option, reason = "unreadable and absent are different")]
fn refund_reference(fields: &mut Fields<'_, '_>) -> Option<Option<RefundReference>> {
    if !fields.has("refund_id") {
        return Some(None);
    }
    let expected = "Deve ser o id de um estorno.";
    let parsed = fields.parsed("refund_id", RefundReference::LENGTH_MAX, expected, |text| {
        RefundReference::parse(text).ok()
    });
    parsed.map(Some)
}

fn payout_report(
    fields: &mut Fields<'_, '_>,
    end: ReportedPayoutEnd,
    unreadable: &mut Vec<UnreadableName>,
) -> Option<NoticeContent> {
    fields.require(&["transfer_id", "payout_id"]);
    let transfer_id = fields.parsed("transfer_id", 40, "Deve ser o id de um saque.", |text| {
        text.parse().ok()
    });
    let payout_id = fields.parsed(
        "payout_id",
        40,
        "Deve ser o id de um pagamento de saque.",
        |text| text.parse().ok(),
    );
    let reported = ReportedPayoutNames {
        end_to_end_id: fields.name("end_to_end_id"),
        control_number: fields.name("control_number"),
    };
    let (names, found) = reported.checked();
    unreadable.extend(found);
    Some(NoticeContent::Payout(PayoutReport {
        transfer_id: transfer_id?,
        payout_id: payout_id?,
        end,
        names,
    }))
}

/// The names of a payment or of a refund. None of them stops the notice.
fn payment_names(fields: &Fields<'_, '_>, unreadable: &mut Vec<UnreadableName>) -> PaymentNames {
    let reported = ReportedNames {
        end_to_end_id: fields.name("end_to_end_id"),
        txid: fields.name("txid"),
        nsu: fields.name("nsu"),
        tid: fields.name("tid"),
        acquirer_id: fields.name("acquirer_id"),
        our_number: fields.name("our_number"),
        three_d_secure: fields
            .object("three_d_secure")
            .map(|result| ReportedThreeDSecure {
                version: result("version"),
                eci: result("eci"),
                liability: result("liability"),
            }),
    };
    if fields.has("three_d_secure") && reported.three_d_secure.is_none() {
        let value = fields.name("three_d_secure").unwrap_or_default();
        unreadable.push(UnreadableName::new("three_d_secure", &value));
    }
    let (names, found) = reported.checked();
    unreadable.extend(found);
    names
}

fn reported_sale(fields: &mut Fields<'_, '_>, unreadable: &mut Vec<UnreadableName>) -> Option<ReportedSale> {
    fields.require(&["external_id", "solution", "payment_type", "amount"]);
    let external_id = fields.text("external_id", 100);
    let solution = fields
        .integer("solution", 1..=4)
        .and_then(|number| u8::try_from(number).ok())
        .and_then(|number| Solution::from_number(number).ok());
    let payment_type = fields.parsed(
        "payment_type",
        20,
        "Deve ser credit, debit, boleto ou pix.",
        |text| text.parse().ok(),
    );
    let on_card = matches!(payment_type, Some(PaymentType::Credit | PaymentType::Debit));
    if on_card {
        fields.require(&["card_brand"]);
    }
    // Some providers repeat the payment type as a brand. A brand has a meaning for cards only.
    let card_brand = if on_card {
        fields.parsed("card_brand", 20, "Deve ser uma bandeira.", |text| {
            text.parse::<CardBrand>().ok()
        })
    } else {
        None
    };
    let installments_max = if payment_type == Some(PaymentType::Credit) {
        PaymentType::INSTALLMENTS_MAX.into()
    } else {
        1
    };
    let installments = fields.integer("installments", 1..=installments_max).unwrap_or(1);
    let amount = amount(fields);
    let card_last_four = fields.parsed(
        "card_last_four",
        4,
        "Deve ter os 4 últimos dígitos do cartão.",
        four_digits,
    );
    let payment_link_code = fields.text("payment_link_code", 40).map(str::to_owned);
    let authorization_code = fields.text("authorization_code", 40).map(str::to_owned);
    let names = payment_names(fields, unreadable);
    Some(ReportedSale {
        external_id: external_id?.to_owned(),
        solution: solution?,
        payment_type: payment_type?,
        card_brand,
        installments: u8::try_from(installments).ok()?,
        amount: amount?,
        payment_link_code,
        card_last_four,
        authorization_code,
        names,
    })
}

fn amount(fields: &mut Fields<'_, '_>) -> Option<Cents> {
    let limits = Cents::AMOUNT_MIN.get()..=Cents::AMOUNT_MAX.get();
    fields.integer("amount", limits).map(Cents::new)
}

fn four_digits(text: &str) -> Option<String> {
    (text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.to_owned())
}

/// Our ids have a prefix. A provider that stores ids as UUIDs may omit it.
fn business_id(text: &str) -> Option<BusinessId> {
    text.parse()
        .ok()
        .or_else(|| bare_uuid(text).map(BusinessId::from_uuid))
}

fn sale_id(text: &str) -> Option<SaleId> {
    text.parse()
        .ok()
        .or_else(|| bare_uuid(text).map(SaleId::from_uuid))
}

fn bare_uuid(text: &str) -> Option<Uuid> {
    if text.len() == 36 {
        Uuid::try_parse(text).ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
