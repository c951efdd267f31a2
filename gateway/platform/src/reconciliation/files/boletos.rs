//! Turns the movements of boletos into reported payments.

use gateway_formats::settlement_files::Meaning;
use gateway_formats::settlement_files::boletos::{BoletoMovement, Payment, Title};
use ledger_domain::Cents;
use serde_json::json;

use super::super::reported::{EntryKind, ReportedPayment};
use super::{BadRecord, excerpt, is_storable_id, is_zeros, names, with_possible_amounts};

/// A boleto has one installment. Its gross is the amount that the payer paid, with fines and discounts. Movements
/// without money, such as the registration of a boleto, give no row.
pub(super) fn boleto_row(movement: BoletoMovement) -> Result<Option<ReportedPayment>, BadRecord> {
    let BoletoMovement { title, payment } = movement;
    let for_staff = |reason| boleto_for_staff(&title, &payment, reason);
    let entry = match title.meaning {
        Meaning::Payment => EntryKind::Payment,
        Meaning::PartialPayment => EntryKind::Partial,
        Meaning::Reversal | Meaning::BouncedCheque => EntryKind::Cancellation,
        Meaning::PendingCheque | Meaning::Information if payment.paid == Cents::ZERO => return Ok(None),
        Meaning::PendingCheque => return Err(for_staff("pending_cheque")),
        Meaning::Information => return Err(for_staff("movement_with_amount")),
    };
    if payment.paid == Cents::ZERO {
        return Err(for_staff("no_amount"));
    }
    if !is_storable_id(&title.our_number) || is_zeros(&title.our_number) {
        return Err(for_staff("no_reference"));
    }
    let Some(expected_on) = payment.credited_on.or(payment.event_date) else {
        return Err(for_staff("no_date"));
    };
    let reference = match entry {
        EntryKind::Partial => format!("{}-{expected_on}-{}", title.our_number, payment.paid.get()),
        EntryKind::Payment | EntryKind::Cancellation | EntryKind::Chargeback => title.our_number.clone(),
    };
    let numbers = [&title.our_number].into_iter().chain(&title.other_numbers);
    let external_ids = names(numbers.chain([&title.document_number]).map(String::as_str));
    with_possible_amounts(ReportedPayment {
        external_ids,
        reference,
        installment: 1,
        entry,
        sale_id: None,
        authorization_code: None,
        brand: None,
        sold_on: None,
        gross: entry.signed(payment.paid),
        cost: title.fee,
        net: entry.signed(payment.net.unwrap_or_else(|| net_of(&title, &payment))),
        expected_on: Some(expected_on),
        paid_on: payment.credited_on,
        canceled: false,
        line: Some(title.line),
    })
    .map(Some)
}

/// The net amount if its field cannot be read.
fn net_of(title: &Title, payment: &Payment) -> Cents {
    let fee = title.fee.unwrap_or_default();
    payment.paid.checked_sub(fee).unwrap_or(payment.paid)
}

/// A movement with money that gives no row. Staff need its bank, number and amount to follow it up.
fn boleto_for_staff(title: &Title, payment: &Payment, reason: &'static str) -> BadRecord {
    BadRecord {
        line: title.line,
        reason,
        parameters: json!({
            "bank": title.bank, "code": title.code.to_string(), "amount": payment.paid.get(),
            "reference": excerpt(&title.our_number),
        }),
    }
}
