//! Tests which fields of a canonical body are parsed, and which errors are reported where.

use serde_json::json;

use super::*;

fn body(type_name: &str) -> Value {
    json!({"id": "evt_01", "type": type_name, "occurred_at": "2026-11-23T14:03:11Z",
           "data": {"business_id": "11111111-1111-4111-8111-111111111111", "external_id": "nsu-1", "sale_id": null,
                    "solution": 1, "payment_type": "credit", "card_brand": "visa", "installments": 3,
                    "amount": 30000, "terminal_serial": "SN-1", "payment_link_code": null,
                    "card_last_four": "4242", "authorization_code": "A1", "reason": null}})
}

fn pointers(content: &Value) -> Vec<String> {
    read_canonical(content)
        .expect_err("errors")
        .into_inner()
        .into_keys()
        .collect()
}

fn with(field: &str, value: Value) -> Value {
    let mut content = body("sale.captured");
    content["data"][field] = value;
    content
}

#[test]
fn a_capture_is_read_whole() {
    let text = |text: &str| Some(text.to_owned());
    let sale = ReportedSale {
        external_id: "nsu-1".to_owned(),
        solution: Solution::from_number(1).expect("a solution"),
        payment_type: PaymentType::Credit,
        card_brand: Some(CardBrand::Visa),
        installments: 3,
        amount: Cents::new(300_00),
        payment_link_code: None,
        card_last_four: text("4242"),
        authorization_code: text("A1"),
        names: PaymentNames::default(),
    };
    let expected = Notice {
        id: "evt_01".to_owned(),
        type_name: "sale.captured".to_owned(),
        occurred_at: "2026-11-23T14:03:11Z".parse().expect("an instant"),
        business_id: business_id("11111111-1111-4111-8111-111111111111"),
        terminal_serial: text("SN-1"),
        reference: SaleReference {
            sale_id: None,
            external_id: text("nsu-1"),
        },
        // Only a reversal or a dispute has it.
        amount: None,
        content: NoticeContent::Sale(SaleReport::Captured(sale)),
        unreadable_names: vec![],
    };
    assert_eq!(read_canonical(&body("sale.captured")), Ok(expected));
}

#[test]
fn every_error_is_listed_at_once_by_its_pointer() {
    let content = json!({"id": "", "type": "sale.captured", "occurred_at": "yesterday",
                      "data": {"external_id": "x", "solution": 9, "payment_type": "cash", "amount": 0}});
    assert_eq!(
        pointers(&content),
        [
            "/data/amount",
            "/data/payment_type",
            "/data/solution",
            "/id",
            "/occurred_at"
        ]
    );
}

#[test]
fn amounts_are_whole_cents_from_one_to_ten_digits() {
    for refused in [
        json!(0),
        json!(-1),
        json!(10_000_000_000_u64),
        json!(1.5),
        json!("100"),
    ] {
        assert_eq!(pointers(&with("amount", refused)), ["/data/amount"]);
    }
    for accepted in [1_i64, 9_999_999_999] {
        assert!(read_canonical(&with("amount", json!(accepted))).is_ok());
    }
}

#[test]
fn a_card_needs_its_brand_and_only_credit_has_installments() {
    assert_eq!(pointers(&with("card_brand", Value::Null)), ["/data/card_brand"]);
    assert_eq!(
        pointers(&with("payment_type", json!("debit"))),
        ["/data/installments"]
    );
    assert_eq!(pointers(&with("installments", json!(22))), ["/data/installments"]);
}

#[test]
fn a_payout_notice_needs_both_of_our_ids_and_no_sale() {
    let content = |data: Value| json!({"id": "1", "type": "payout.failed", "occurred_at": "2026-11-23T14:03:11Z", "data": data});
    let (transfer, payout) = (
        "trf_11111111-1111-4111-8111-111111111111",
        "pay_22222222-2222-4222-8222-222222222222",
    );
    let notice = read_canonical(&content(
        json!({"transfer_id": transfer, "payout_id": payout, "reason": "Conta encerrada"}),
    ))
    .expect("readable");
    let NoticeContent::Payout(payout_report) = notice.content else {
        panic!("a payout")
    };
    assert_eq!(payout_report.transfer_id.to_string(), transfer);
    assert_eq!(payout_report.payout_id.to_string(), payout);
    let reason = Some("Conta encerrada".to_owned());
    assert_eq!(
        payout_report.end,
        ReportedPayoutEnd::Failed {
            reason: reason.clone()
        }
    );
    let mut returned = content(json!({"transfer_id": transfer, "payout_id": payout, "reason": reason}));
    returned["type"] = json!("payout.returned");
    let notice = read_canonical(&returned).expect("readable");
    assert!(matches!(
        notice.content,
        NoticeContent::Payout(PayoutReport { end: ReportedPayoutEnd::Returned { reason: given }, .. }) if given == reason
    ));
    for data in [json!({}), json!({"transfer_id": payout, "payout_id": transfer})] {
        assert_eq!(pointers(&content(data)), ["/data/payout_id", "/data/transfer_id"]);
    }
}

#[test]
fn of_its_sale_a_reversal_gives_only_the_id_and_the_amount() {
    let content = |r#type: &str, data: Value| json!({"id": "1", "type": r#type, "occurred_at": "2026-11-23T14:03:11Z", "data": data});
    let read = |r#type: &str, data: Value| read_canonical(&content(r#type, data)).expect("readable").content;
    let reason = Some("Produto devolvido".to_owned());
    let data = json!({"external_id": "nsu-1", "solution": "whatever", "reason": "Produto devolvido"});
    assert_eq!(
        read("sale.refunded", data.clone()),
        NoticeContent::Sale(SaleReport::Refunded {
            names: PaymentNames::default(),
            refund: None,
            reason: reason.clone()
        })
    );
    assert_eq!(
        read("sale.reversed", data),
        NoticeContent::Sale(SaleReport::Reversed {
            names: PaymentNames::default(),
            reason
        })
    );
    let named = json!({"external_id": "nsu-1", "refund_id": "rf-7"});
    assert_eq!(
        read("sale.refunded", named),
        NoticeContent::Sale(SaleReport::Refunded {
            names: PaymentNames::default(),
            refund: RefundReference::parse("rf-7").ok(),
            reason: None
        })
    );
    let long = json!({"external_id": "nsu-1", "refund_id": "r".repeat(101)});
    assert_eq!(pointers(&content("sale.refunded", long)), ["/data/refund_id"]);
    for r#type in ["sale.canceled", "sale.refunded", "sale.reversed"] {
        assert_eq!(
            pointers(&content(r#type, json!({}))),
            ["/data/external_id"],
            "{type}"
        );
        let of = |amount: Value| content(r#type, json!({"external_id": "nsu-1", "amount": amount}));
        let amount = read_canonical(&of(json!(100_00))).expect("readable").amount;
        assert_eq!(amount, Some(Cents::new(100_00)));
        // An unreadable partial amount could be mistaken for the whole.
        assert_eq!(pointers(&of(json!("whatever"))), ["/data/amount"]);
    }
}

#[test]
fn a_dispute_is_known_by_its_id_and_its_deadline_is_ignored() {
    let content = |data: Value| json!({"id": "1", "type": "dispute.opened", "occurred_at": "2026-11-23T14:03:11Z", "data": data});
    let data = json!({"external_id": "nsu-1", "dispute_id": "dp-1", "dispute_deadline": "whenever"});
    let opened = SaleReport::DisputeOpened {
        dispute_id: DisputeId::parse("dp-1").expect("an id"),
        reason: None,
    };
    assert_eq!(
        read_canonical(&content(data)).expect("readable").content,
        NoticeContent::Sale(opened)
    );
    assert_eq!(
        pointers(&content(json!({"external_id": "nsu-1"}))),
        ["/data/dispute_id"]
    );
    let long = json!({"external_id": "nsu-1", "dispute_id": "d".repeat(101)});
    assert_eq!(pointers(&content(long)), ["/data/dispute_id"]);
}

#[test]
fn an_unknown_type_is_parsed_only_for_its_common_fields() {
    let content = json!({"id": "1", "type": "moon.risen", "occurred_at": "2026-11-23T14:03:11Z",
                      "data": {"amount": "whatever", "external_id": "nsu-1"}});
    let notice = read_canonical(&content).expect("readable");
    assert_eq!(notice.content, NoticeContent::UnknownType);
    assert_eq!(notice.reference.external_id.as_deref(), Some("nsu-1"));
}

#[test]
fn names_are_read_and_those_in_another_form_are_kept_apart() {
    let mut content = with("nsu", json!(123_456));
    content["data"]["end_to_end_id"] = json!("E60746948202611231403A1b2C3d4E5f");
    content["data"]["tid"] = json!("duas palavras");
    content["data"]["three_d_secure"] = json!({"version": "2.2.0", "eci": 5, "liability": "bank"});
    let notice = read_canonical(&content).expect("a notice");
    let NoticeContent::Sale(SaleReport::Captured(sale)) = notice.content else {
        panic!("a capture");
    };
    let name = |text| ledger_domain::sale::PaymentName::parse(text).ok();
    assert_eq!(
        (sale.names.nsu, sale.names.end_to_end_id, sale.names.tid),
        (name("123456"), name("E60746948202611231403A1b2C3d4E5f"), None)
    );
    let secure = sale.names.three_d_secure.expect("a result of 3-D Secure");
    assert_eq!(
        (secure.version, secure.eci, secure.liability),
        (name("2.2.0"), name("5"), None)
    );
    let fields: Vec<_> = notice.unreadable_names.iter().map(|name| name.field).collect();
    assert_eq!(fields, ["tid", "liability"]);
}

#[test]
fn a_payout_has_the_banks_names() {
    let content = json!({"id": "evt_01", "type": "payout.paid", "occurred_at": "2026-11-23T14:03:11Z",
        "data": {"transfer_id": "trf_11111111-1111-4111-8111-111111111111",
                 "payout_id": "pay_11111111-1111-4111-8111-111111111111", "control_number": "STR20261123000000001"}});
    let notice = read_canonical(&content).expect("a notice");
    let NoticeContent::Payout(payout) = notice.content else {
        panic!("a payout");
    };
    let number = payout.names.control_number.expect("a control number");
    assert_eq!(
        (number.as_str(), payout.names.end_to_end_id),
        ("STR20261123000000001", None)
    );
}
