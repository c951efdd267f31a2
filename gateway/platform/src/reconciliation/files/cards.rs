//! Turns the records of a card file into reported payments.

use std::collections::HashMap;

use gateway_formats::settlement_files::card_file::{CardDetail, CardEntryType, FileKind, ReceivableUnit};
use ledger_domain::Cents;
use ledger_domain::calendar::Date;
use ledger_domain::sale::CardBrand;
use serde_json::json;

use super::super::reported::{EntryKind, ReportedPayment};
use super::{BadRecord, bad_without_parameters, excerpt, is_storable_id, names, with_possible_amounts};

/// At this many units, the remembered payment dates are dropped, to bound the memory. They are no longer needed then,
/// because the records of a unit's installments follow the unit's record.
const UNITS_MAX: usize = 10_000;

/// The receivable units of a card file: their records come before those of their installments.
#[derive(Default)]
pub(super) struct Units {
    pub kind: Option<FileKind>,
    units: HashMap<String, Unit>,
}

struct Unit {
    line: u64,
    net: Cents,
    entry_type: CardEntryType,
    paid_on: Option<Date>,
    brand: Option<CardBrand>,
    has_details: bool,
}

impl Units {
    /// Gives the earlier units that had no details, if it forgets them.
    pub fn add(&mut self, unit: ReceivableUnit) -> Vec<BadRecord> {
        let forgotten = if self.units.len() >= UNITS_MAX {
            self.drain()
        } else {
            vec![]
        };
        // Units with the same key differ in their type of entry only.
        let has_details = self
            .units
            .get(&unit.unit_key)
            .is_some_and(|unit| unit.has_details);
        let known = Unit {
            line: unit.line,
            net: unit.net,
            entry_type: unit.entry_type,
            paid_on: unit.paid_on,
            brand: brand_of(&unit.brand),
            has_details,
        };
        self.units.insert(unit.unit_key, known);
        forgotten
    }

    /// Forgets all units. Gives those with an amount and without details, such as the rent of a terminal: no payment
    /// shows their amount.
    pub fn drain(&mut self) -> Vec<BadRecord> {
        let units = std::mem::take(&mut self.units).into_values();
        let mut lost: Vec<_> = units
            .filter(|unit| !unit.has_details && unit.net != Cents::ZERO)
            .map(|unit| BadRecord {
                line: unit.line,
                reason: "unit_without_details",
                parameters: json!({ "code": unit.entry_type.code(), "amount": unit.net.get() }),
            })
            .collect();
        lost.sort_by_key(|bad| bad.line);
        lost
    }

    pub fn card_payment(&mut self, detail: CardDetail) -> Result<ReportedPayment, BadRecord> {
        let line = detail.line;
        let unit = self.units.get_mut(&detail.unit_key).map(|unit| {
            unit.has_details = true;
            (unit.paid_on, unit.brand.clone())
        });
        let (paid_on, brand) = unit.unwrap_or_default();
        let entry = match detail.entry_type {
            CardEntryType::Debit | CardEntryType::Credit | CardEntryType::Installments => EntryKind::Payment,
            CardEntryType::Cancellation => EntryKind::Cancellation,
            CardEntryType::Chargeback => EntryKind::Chargeback,
            CardEntryType::Other(code) => {
                return Err(BadRecord {
                    line,
                    reason: "entry",
                    parameters: json!({
                        "code": code, "amount": detail.net.get(), "reference": excerpt(&detail.tid),
                    }),
                });
            }
        };
        let reference = reference_of(&detail).ok_or_else(|| bad_without_parameters(line, "no_reference"))?;
        if detail.due.or(paid_on).is_none() {
            return Err(bad_without_parameters(line, "no_date"));
        }
        // In the other kinds of file the unit's date is only planned.
        let paid_on = paid_on.filter(|_| self.kind == Some(FileKind::Paid));
        with_possible_amounts(ReportedPayment {
            external_ids: names([detail.tid.as_str(), detail.nsu.as_str()]),
            reference,
            // A sale without installments has the number 0 or 1.
            installment: detail.installment.max(1),
            entry,
            sale_id: None,
            authorization_code: Some(detail.authorization).filter(|code| is_storable_id(code)),
            brand,
            sold_on: detail.sold_on,
            gross: entry.signed(detail.gross),
            cost: detail.fee.map(|fee| entry.signed(fee)),
            net: entry.signed(detail.net),
            expected_on: detail.due,
            paid_on,
            canceled: false,
            line: Some(line),
        })
    }
}

/// The brand of a code in Cielo's table of brands. Unsure of the rarer ones, so only these are read: another code is no
/// brand, and nothing is compared with it.
fn brand_of(code: &str) -> Option<CardBrand> {
    match code.trim().trim_start_matches('0') {
        "1" => Some(CardBrand::Visa),
        "2" => Some(CardBrand::Mastercard),
        "3" => Some(CardBrand::Amex),
        "7" => Some(CardBrand::Elo),
        "9" => Some(CardBrand::Diners),
        "40" => Some(CardBrand::Hipercard),
        _ => None,
    }
}

/// A TID is unique. An NSU is unique only together with its day and authorization.
fn reference_of(detail: &CardDetail) -> Option<String> {
    if is_storable_id(&detail.tid) {
        return Some(detail.tid.clone());
    }
    let sold_on = detail.sold_on?;
    let reference = format!("{sold_on}-{}-{}", detail.nsu, detail.authorization);
    (is_storable_id(&detail.nsu) && is_storable_id(&reference)).then_some(reference)
}
