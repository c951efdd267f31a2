//! The bodies of the notices by which the platform itself reports an acquirer's answers about an attempt (`report`).
//!
//! The sale was recorded before the acquirer made its id of the charge. So `external_id` is our id of the sale too.

use gateway_acquirers::names::ReportedNames;
use ledger_domain::Cents;
use ledger_domain::sale::Solution;

use super::attempt::Attempt;
use super::send::ChargeDetails;
use crate::providers::{CanonicalSale, CanonicalSaleReference};

pub(super) fn sale(attempt: &Attempt, amount: Cents, details: &ChargeDetails) -> CanonicalSale {
    CanonicalSale {
        business_id: Some(attempt.business_id.to_string()),
        external_id: attempt.sale_id.to_string(),
        sale_id: Some(attempt.sale_id.to_string()),
        solution: Solution::PaymentLink.number(),
        payment_type: attempt.payment_type.as_str(),
        card_brand: attempt.card_brand.as_ref().map(ToString::to_string),
        installments: attempt.installments,
        amount: amount.get(),
        payment_link_code: Some(details.link_code.clone()),
        card_last_four: attempt.card_last_four.clone(),
        ..CanonicalSale::default()
    }
}

pub(super) fn reversal(attempt: &Attempt) -> CanonicalSaleReference {
    CanonicalSaleReference {
        business_id: Some(attempt.business_id.to_string()),
        external_id: attempt.sale_id.to_string(),
        sale_id: Some(attempt.sale_id.to_string()),
        amount: None,
        reason: None,
        dispute_id: None,
        refund_id: None,
        names: ReportedNames::default(),
    }
}
