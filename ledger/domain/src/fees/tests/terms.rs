//! The stored form of a plan's terms.

use super::*;

#[test]
fn terms_are_stored_with_the_specifications_names() {
    let mut terms = effective("3.99");
    terms.kind = PlanKind::Effective {
        fees: FeeTable::new(vec![FeeRow {
            card_brand: CardBrand::Elo,
            payment_type: PaymentType::Credit,
            number_installments: 12,
            percent_amount: rate("3.99"),
        }])
        .expect("a valid table"),
    };
    insta::assert_json_snapshot!(terms, @r#"
    {
      "plan_id": "pln_00000000-0000-0000-0000-000000000001",
      "name": "Padrão",
      "version": 3,
      "solution": 1,
      "kind": {
        "effective": {
          "fees": [
            {
              "card_brand": "elo",
              "payment_type": "credit",
              "number_installments": 12,
              "percent_amount": "3.99"
            }
          ]
        }
      },
      "percentage_rate": "0",
      "flat_rate": 0,
      "settlement_days": 1,
      "boleto_fee": 299,
      "pix_fee": {
        "percent": "0.99"
      }
    }
    "#);
    insta::assert_json_snapshot!(mdr("3.5", "1.80").kind, @r#"
    {
      "mdr": {
        "visamaster": {
          "debit": "3.5",
          "credit_1": "3.5",
          "credit_2to6": "3.5",
          "credit_7to12": "3.5",
          "credit_13to21": "3.5",
          "advance": "1.8"
        },
        "others": {
          "debit": "3.5",
          "credit_1": "3.5",
          "credit_2to6": "3.5",
          "credit_7to12": "3.5",
          "credit_13to21": "3.5",
          "advance": "1.8"
        }
      }
    }
    "#);
    insta::assert_json_snapshot!(PixFee::Fixed(Cents::new(99)), @r#"
    {
      "fixed": 99
    }
    "#);
}

#[test]
fn stored_terms_round_trip() {
    for terms in [effective("3.99"), mdr("3.5", "1.80")] {
        let json = serde_json::to_string(&terms).expect("terms serialize");
        assert_eq!(
            serde_json::from_str::<PlanTerms>(&json).expect("terms read back"),
            terms
        );
    }
}

#[test]
fn a_stored_table_is_validated_when_read() {
    let row = r#"{"card_brand":"visa","payment_type":"credit","number_installments":1,"percent_amount":"2"}"#;
    assert!(serde_json::from_str::<FeeTable>(&format!("[{row}]")).is_ok());
    assert!(serde_json::from_str::<FeeTable>(&format!("[{row},{row}]")).is_err());
}

#[test]
fn a_plan_ref_has_the_plans_id_name_and_version() {
    let PlanRef { id, name, version } = effective("1").plan_ref();
    assert_eq!(
        (id, name.as_str(), version),
        (PlanId::from_uuid(Uuid::from_u128(1)), "Padrão", 3)
    );
}
