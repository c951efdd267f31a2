//! The net of a sale under terms that are not saved yet, by the function that prices real sales.

use axum::extract::State;
use gateway_platform::plans::form::{fee_field, terms};
use ledger_domain::Cents;
use ledger_domain::calendar::Calendar;
use ledger_domain::fees::{PlanTerms, PricingInput, quote};
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use serde::Serialize;
use utoipa::ToSchema;

use super::bodies::form::PlanForm;
use crate::AppState;
use crate::edge::{FormErrors, Json};
use crate::problem::Result;
use crate::shared::cents;
use crate::shared::form::Form;

/// R$ 100,00.
const AMOUNT: Cents = Cents::new(10_000);
/// The last number of installments of each credit fee of Taxa MDR.
const INSTALLMENTS: [u8; 4] = [1, 6, 12, 21];

/// The nets of a sale of R$ 100,00, in cents. A net is null while the fees that it needs are missing or invalid.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanPreview {
    #[schema(example = 10_000)]
    pub amount: i64,
    pub rows: Vec<PlanPreviewRow>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlanPreviewRow {
    /// credit, debit, boleto or pix.
    #[schema(example = "credit")]
    pub payment_type: &'static str,
    #[schema(minimum = 1, maximum = 21, example = 12)]
    pub installments: u8,
    /// With a Visa or Mastercard card; for boleto and pix the only net.
    #[schema(required = true, example = 9_001)]
    pub visamaster: Option<i64>,
    /// With a card of another brand; null for boleto and pix.
    #[schema(required = true, example = 8_921)]
    pub others: Option<i64>,
}

/// Preview a sales plan
///
/// Prices a sale of R$ 100,00 by the terms of a form, which may be incomplete. Nothing is saved.
#[utoipa::path(
    post, path = "/admin/plans/preview", tag = "plans",
    responses((status = 200, body = PlanPreview))
)]
pub(crate) async fn preview_plan(
    State(state): State<AppState>,
    Form(PlanForm(form)): Form<PlanForm>,
) -> Result<Json<PlanPreview>> {
    let solution = form
        .solution_id
        .and_then(|number| Solution::from_number(number).ok());
    let mut errors = FormErrors::default();
    // A card machine is the only solution that needs no boleto fee.
    let terms = terms(&mut errors, &form, solution.unwrap_or(Solution::CardMachine));
    let invalid = |field: &str| errors.has(field);
    let common = ["mdr", "percentage_rate", "flat_rate", "settlement_days"];
    let today = state.clock.today();
    // Due dates do not change a net, so the national holidays suffice.
    let calendar = Calendar::new(std::collections::BTreeSet::new());
    let net = |payment_type, brand: Option<CardBrand>, installments| {
        let group = required_fields(&terms, payment_type, brand.as_ref());
        if common.iter().chain(group).any(|field| invalid(field)) {
            return None;
        }
        // An entry of Taxa Efetiva without a valid rate is in the terms as zero.
        let own_fee = brand
            .as_ref()
            .map(|brand| fee_field(brand, payment_type, installments));
        if own_fee.is_some_and(|field| invalid(&field)) {
            return None;
        }
        let sale = PricingInput {
            amount: AMOUNT,
            payment_type,
            card_brand: brand,
            installments,
        };
        let priced = quote(&terms, &sale, today, &calendar).ok()?;
        Some(cents(priced.net))
    };
    let card = |payment_type: PaymentType, installments| PlanPreviewRow {
        payment_type: payment_type.as_str(),
        installments,
        visamaster: net(payment_type, Some(CardBrand::Visa), installments),
        others: net(payment_type, Some(CardBrand::Elo), installments),
    };
    let single = |payment_type: PaymentType| PlanPreviewRow {
        payment_type: payment_type.as_str(),
        installments: 1,
        visamaster: net(payment_type, None, 1),
        others: None,
    };
    let credit = INSTALLMENTS.map(|count| card(PaymentType::Credit, count));
    let others = [PaymentType::Pix, PaymentType::Boleto].map(single);
    Ok(Json(PlanPreview {
        amount: cents(AMOUNT),
        rows: std::iter::once(card(PaymentType::Debit, 1))
            .chain(credit)
            .chain(others)
            .collect(),
    }))
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
        (_, Some(CardBrand::Visa), ledger_domain::fees::PlanKind::Mdr { .. }) => &[
            "mdr_advance_fee_visamaster",
            "mdr_debit_fee_visamaster",
            "mdr_credit_1_fee_visamaster",
            "mdr_credit_2to6_fee_visamaster",
            "mdr_credit_7to12_fee_visamaster",
            "mdr_credit_13to21_fee_visamaster",
        ],
        (_, _, ledger_domain::fees::PlanKind::Mdr { .. }) => &[
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
