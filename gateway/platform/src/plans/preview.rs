//! The nets of a sale under the terms of a form that is not saved yet, by the function that prices real sales. The form
//! may be incomplete.

use std::collections::BTreeSet;

use ledger_domain::Cents;
use ledger_domain::calendar::{Calendar, Date};
use ledger_domain::fees::{PlanKind, PlanTerms, PricingInput, quote};
use ledger_domain::sale::{CardBrand, PaymentType, Solution};

use super::form::{PlanForm, fee_field, terms};
use crate::form_errors::FormErrors;

/// The amount of the sale: R$ 100,00.
pub const AMOUNT: Cents = Cents::new(10_000);
/// The last number of installments of each credit fee of Taxa MDR.
const INSTALLMENTS: [u8; 4] = [1, 6, 12, 21];
/// The fields of the form that every price needs.
const COMMON: [&str; 4] = ["mdr", "percentage_rate", "flat_rate", "settlement_days"];

/// A net is `None` while the fees that it needs are missing or invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewRow {
    pub payment_type: PaymentType,
    pub installments: u8,
    /// With a Visa or Mastercard card; for boleto and pix the only net.
    pub visamaster: Option<Cents>,
    /// With a card of another brand.
    pub others: Option<Cents>,
}

pub fn preview(form: &PlanForm, today: Date) -> Vec<PreviewRow> {
    let solution = form
        .solution_id
        .and_then(|number| Solution::from_number(number).ok());
    let mut errors = FormErrors::default();
    // A card machine is the only solution that needs no boleto fee.
    let terms = terms(&mut errors, form, solution.unwrap_or(Solution::CardMachine));
    // Due dates do not change a net, so the national holidays suffice.
    let calendar = Calendar::new(BTreeSet::new());
    let net = |payment_type, brand: Option<CardBrand>, installments| {
        let group = required_fields(&terms, payment_type, brand.as_ref());
        if COMMON.iter().chain(group).any(|field| errors.has(field)) {
            return None;
        }
        // An entry of Taxa Efetiva without a valid rate is in the terms as zero.
        let own_fee = brand
            .as_ref()
            .map(|brand| fee_field(brand, payment_type, installments));
        if own_fee.is_some_and(|field| errors.has(&field)) {
            return None;
        }
        let sale = PricingInput {
            amount: AMOUNT,
            payment_type,
            card_brand: brand,
            installments,
        };
        quote(&terms, &sale, today, &calendar)
            .ok()
            .map(|priced| priced.net)
    };
    let card = |payment_type, installments| PreviewRow {
        payment_type,
        installments,
        visamaster: net(payment_type, Some(CardBrand::Visa), installments),
        others: net(payment_type, Some(CardBrand::Elo), installments),
    };
    let single = |payment_type| PreviewRow {
        payment_type,
        installments: 1,
        visamaster: net(payment_type, None, 1),
        others: None,
    };
    std::iter::once(card(PaymentType::Debit, 1))
        .chain(INSTALLMENTS.map(|count| card(PaymentType::Credit, count)))
        .chain([PaymentType::Pix, PaymentType::Boleto].map(single))
        .collect()
}

/// The fields of the form, besides the common ones, that must be valid before a row has a price. A card row of
/// Taxa MDR needs all six fees of its brands, also those that its sale does not use. A row of Taxa Efetiva needs none
/// here: its own fee is checked apart, and pricing fails if its fee has no entry.
fn required_fields(
    terms: &PlanTerms,
    payment_type: PaymentType,
    brand: Option<&CardBrand>,
) -> &'static [&'static str] {
    match (payment_type, brand, &terms.kind) {
        (PaymentType::Pix, ..) => &["pix_fee"],
        (PaymentType::Boleto, ..) => &["boleto_fee"],
        (_, Some(CardBrand::Visa), PlanKind::Mdr { .. }) => &[
            "mdr_advance_fee_visamaster",
            "mdr_debit_fee_visamaster",
            "mdr_credit_1_fee_visamaster",
            "mdr_credit_2to6_fee_visamaster",
            "mdr_credit_7to12_fee_visamaster",
            "mdr_credit_13to21_fee_visamaster",
        ],
        (_, _, PlanKind::Mdr { .. }) => &[
            "mdr_advance_fee_others",
            "mdr_debit_fee_others",
            "mdr_credit_1_fee_others",
            "mdr_credit_2to6_fee_others",
            "mdr_credit_7to12_fee_others",
            "mdr_credit_13to21_fee_others",
        ],
        _ => &[],
    }
}
