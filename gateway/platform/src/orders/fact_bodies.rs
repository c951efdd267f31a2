//! What an attempt gives to the notice of a fact.

use ledger_domain::Cents;
use ledger_domain::sale::Solution;

use super::attempt::Attempt;
use super::send::Ordered;
use crate::providers::{CanonicalReversal, CanonicalSale};

pub(super) fn sale(attempt: &Attempt, amount: Cents, ordered: &Ordered) -> CanonicalSale {
    CanonicalSale {
        business_id: Some(attempt.business_id.to_string()),
        external_id: attempt.sale_id.to_string(),
        sale_id: Some(attempt.sale_id.to_string()),
        solution: Solution::PaymentLink.number(),
        payment_type: attempt.payment_type.as_str(),
        card_brand: attempt.card_brand.as_ref().map(ToString::to_string),
        installments: attempt.installments,
        amount: amount.get(),
        payment_link_code: Some(ordered.link_code.clone()),
        card_last_four: attempt.card_last_four.clone(),
        ..CanonicalSale::default()
    }
}

pub(super) fn reversal(attempt: &Attempt) -> CanonicalReversal {
    CanonicalReversal {
        business_id: Some(attempt.business_id.to_string()),
        external_id: attempt.sale_id.to_string(),
        sale_id: Some(attempt.sale_id.to_string()),
        amount: None,
        reason: None,
        dispute_id: None,
    }
}
