//! Whether a company's plan can price what a link offers.

use ledger_domain::Cents;
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::PaymentType;

use super::offer::{credit_installments_max, offer_of};
use super::refusal::{LinkRefusal, Result};
use super::{FeePayer, LinkFields};
use crate::form_errors::FormErrors;

/// Refuses a link whose payment types, installments or amount have no price. `terms` are those of the plan for links.
pub(super) fn check_prices(terms: Option<&PlanTerms>, fields: &LinkFields) -> Result<()> {
    let Some(terms) = terms else {
        let message = "A empresa não tem plano em vigor para links de pagamento.";
        return Err(LinkRefusal::of_field("payment_types", message).into());
    };
    let mut errors = FormErrors::default();
    if fields.payment_types.contains(&PaymentType::Credit) {
        match credit_installments_max(terms) {
            0 => errors.add("payment_types", "O plano da empresa não tem taxa de cartão."),
            most if fields.installments_max > most => errors.add(
                "installments_max",
                &format!("O plano da empresa aceita até {most} parcelas."),
            ),
            _ => {}
        }
    }
    errors.finish()?;
    match (fields.amount, fields.amount_min) {
        (Some(amount), _) => check_price("amount", terms, fields, amount),
        (None, Some(least)) => check_price("amount_min", terms, fields, least),
        (None, None) => Ok(()),
    }
}

/// Every payment type of the link needs a price for the amount. For cards, one brand with a price suffices.
fn check_price(field: &str, terms: &PlanTerms, fields: &LinkFields, amount: Cents) -> Result<()> {
    let offer = offer_of(terms, fields, amount);
    let unpriced = fields.payment_types.iter().filter(|kind| match kind {
        PaymentType::Pix => offer.pix.is_none(),
        PaymentType::Boleto => offer.boleto.is_none(),
        _ => offer.credit.is_empty(),
    });
    let names: Vec<&str> = unpriced.map(|kind| name_of(*kind)).collect();
    if names.is_empty() {
        return Ok(());
    }
    let message = match fields.payer {
        FeePayer::Seller => "Com este valor, as taxas do plano não deixam nada a receber por",
        FeePayer::Buyer => "Neste plano, nenhum valor de venda resulta neste valor líquido por",
    };
    Err(LinkRefusal::of_field(field, &format!("{message} {}.", names.join(" e "))).into())
}

const fn name_of(kind: PaymentType) -> &'static str {
    match kind {
        PaymentType::Pix => "PIX",
        PaymentType::Boleto => "boleto",
        PaymentType::Credit | PaymentType::Debit => "cartão",
    }
}
