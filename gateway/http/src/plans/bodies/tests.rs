use std::collections::BTreeSet;

use gateway_platform::plans::company_change::CompanyPlanChoice;
use gateway_platform::plans::terms::{FeeEntry, PlanFees};
use ledger_domain::fees::{FeeTable, PixFee, PlanKind, PlanTerms};
use ledger_domain::sale::Solution;
use ledger_domain::{Cents, PlanId, Rate};
use serde::Serialize;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::company::CompanyPlanChoiceDocument;
use super::terms::{FeeEntryDocument, PlanFeesDocument};

/// The fields that the document names, and those of the value.
fn fields<Document: ToSchema + PartialSchema>(value: impl Serialize) -> (BTreeSet<String>, BTreeSet<String>) {
    let RefOr::T(Schema::Object(object)) = Document::schema() else {
        panic!("{} is no object", Document::name());
    };
    let value = serde_json::to_value(value).expect("a value");
    let value = value.as_object().expect("an object");
    (
        object.properties.keys().cloned().collect(),
        value.keys().cloned().collect(),
    )
}

#[test]
fn the_document_has_the_fields_of_choices_and_of_terms() {
    let terms = PlanTerms {
        plan_id: PlanId::from_uuid(Uuid::nil()),
        name: String::new(),
        version: 1,
        solution: Solution::CardMachine,
        kind: PlanKind::Effective {
            fees: FeeTable::default(),
        },
        percentage_rate: Rate::ZERO,
        flat_rate: Cents::ZERO,
        settlement_days: 0,
        boleto_fee: Cents::ZERO,
        pix_fee: PixFee::Percent(Rate::ZERO),
    };
    let fee = FeeEntry {
        card_brand: "visa".to_owned(),
        payment_type: "debit".to_owned(),
        number_installments: 1,
        percent_amount: "1".to_owned(),
    };
    for (documented, own) in [
        fields::<CompanyPlanChoiceDocument>(CompanyPlanChoice::default()),
        fields::<PlanFeesDocument>(PlanFees::of(&terms)),
        fields::<FeeEntryDocument>(fee),
    ] {
        assert_eq!(documented, own);
    }
}
