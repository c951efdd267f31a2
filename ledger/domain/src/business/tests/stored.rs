//! Pins the stored shape of events and states. An event's snapshot here is never edited: a new shape needs a version,
//! an upcaster, and a test that the old JSON still decodes.

use cqrs_es::DomainEvent;
use cqrs_es::persist::{EventUpcaster, SemanticVersionEventUpcaster};

use super::holds::*;
use super::names::{cancel_named, name, named_capture, names, pix_names};
use super::reserve::{release_reserve, settle_reserving, ten_percent};
use super::reversals::*;
use super::transfers::*;
use super::*;
use crate::business::decode::decode_with;
use crate::sale::{FraudLiability, ThreeDSecure};
use crate::transfer::PayoutNames;

fn one_of_each_type() -> Vec<BusinessEvent> {
    let mut events = history([
        create_at(0).into(),
        capture_of_created(0, 5).into(),
        settle("2026-12-23", &[1]).into(),
    ]);
    events.extend(history([fail_at(0).into()]));
    events.extend(history([create_at(0).into(), void_at(60).into()]).pop());
    events.extend(history([capture_at(0).into(), names(pix_names(), 1).into()]).pop());
    events.extend(withdrawals());
    events.extend(reversals());
    events
}

/// One event of each type of reversal and rental.
fn reversals() -> Vec<BusinessEvent> {
    let captured = || vec![capture_at(5).into(), settle("2026-12-23", &[1]).into()];
    let after = |commands: [BusinessCommand; 4]| history(captured().into_iter().chain(commands));
    let mut events = after([
        credit(500_00).into(),
        dispute(7).into(),
        open(D1, 8).into(),
        win(D1, 9).into(),
    ]);
    // The capture, the settlement and the credit are in the other histories.
    events.drain(..3);
    let ends = [history(captured().into_iter().chain([lose(D1, 8).into()])), {
        let refunded = captured()
            .into_iter()
            .chain([open(D1, 7).into(), refund(8).into()]);
        history(refunded)
    }];
    let parts = captured().into_iter().chain([
        credit(500_00).into(),
        part(30_00, R1, 7).into(),
        answer_refund(R1, Some(R2), 8).into(),
    ]);
    events.extend(history(parts).split_off(3));
    events.extend(ends.into_iter().filter_map(|mut history| history.pop()));
    events.extend(history([rental(49_90).into(), cancel_rental().into()]));
    events
}

/// The credit that funds the withdrawal, and then one event of each type of withdrawal and hold.
fn withdrawals() -> Vec<BusinessEvent> {
    let mut events = history([
        credit(500_00).into(),
        request(300_00).into(),
        first_approval_by(ANA).into(),
        pay_out(1).into(),
        failed(1).into(),
        paid(1).into(),
        returned(1).into(),
        PlaceHold {
            until: Some(date("2026-12-04")),
            documents: vec!["Contrato social".to_owned()],
            ..order(50_00, "0001")
        }
        .into(),
        ChangeHold {
            hold_id: hold_id(51),
            ..change()
        }
        .into(),
        ReleaseHold {
            hold_id: hold_id(51),
            ..release(20_00)
        }
        .into(),
    ]);
    events.extend(holds());
    events.extend(history([credit(500_00).into(), request(300_00).into(), refuse().into()]).pop());
    events
}

/// Holds without an id, the release of a reserve, a court that takes a credit and is paid, and a debt that is written off.
fn holds() -> Vec<BusinessEvent> {
    let held = BusinessEvent::from(AmountHeld {
        occurred_at: minute(6),
        amount: Cents::new(50_00),
        reason: "Análise de risco".to_owned(),
    });
    let released = BusinessEvent::from(AmountReleased {
        occurred_at: minute(7),
        amount: Cents::new(20_00),
        reason: "Análise concluída".to_owned(),
        sales: vec![],
    });
    let by_court = history([
        order(80_00, "0001").into(),
        credit(500_00).into(),
        pay_court(80_00).into(),
    ]);
    let raised_and_paid = by_court.into_iter().skip(2);
    let reserve = history([
        capture_at(0).into(),
        settle_reserving("2026-12-23", &[1], ten_percent()).into(),
        release_reserve(&[1]).into(),
    ]);
    let written_off = history([
        MakeManualTransfer {
            allow_negative: true,
            ..manual_out(40_00)
        }
        .into(),
        write_off(40_00).into(),
    ]);
    let written_off = written_off.into_iter().skip(1);
    [held, released]
        .into_iter()
        .chain(raised_and_paid)
        .chain(reserve.into_iter().skip(2))
        .chain(written_off)
        .collect()
}

fn stored(event: &BusinessEvent) -> String {
    serde_json::to_string(event).expect("events serialize")
}

#[test]
fn the_stored_json_of_every_type_of_event_is_pinned() {
    for event in one_of_each_type() {
        let name = match event.version() {
            "1.0" => event.type_name().to_owned(),
            version => format!("{}-{version}", event.type_name()),
        };
        insta::assert_json_snapshot!(name, event);
    }
}

#[test]
fn the_stored_json_of_a_sale_s_state_is_pinned() {
    let business = replay(&history([
        create_at(0).into(),
        void_at(4).into(),
        capture_of_created(0, 5).into(),
        settle("2026-12-23", &[1]).into(),
    ]));
    insta::assert_json_snapshot!("Sale", business.sales[&sale_facts().sale_id]);
}

#[test]
fn the_stored_json_of_a_transfer_s_state_and_of_recent_withdrawals_is_pinned() {
    let mut commands = vec![
        credit(500_00).into(),
        request(300_00).into(),
        pay_out(1).into(),
        failed(1).into(),
        reopen().into(),
        first_approval_by(ANA).into(),
        pay_out(2).into(),
    ];
    let mut business = replay(&history(commands.clone()));
    insta::assert_json_snapshot!("Transfer", business.transfers[&transfer_id(1)]);
    insta::assert_json_snapshot!("RecentWithdrawal", business.recent_withdrawals);

    commands.truncate(1);
    business = replay(&history(commands));
    insta::assert_json_snapshot!("ManualTransfer", business.transfers[&transfer_id(99)]);
}

#[test]
fn the_stored_json_of_a_returned_transfer_s_state_and_of_its_destination_is_pinned() {
    let business = replay(&history([
        credit(500_00).into(),
        request(300_00).into(),
        pay_out(1).into(),
        paid(1).into(),
        returned(1).into(),
    ]));
    insta::assert_json_snapshot!("ReturnedTransfer", business.transfers[&transfer_id(1)]);
    insta::assert_json_snapshot!("ReturnedDestination", business.recent_withdrawals);
}

#[test]
fn absent_optional_fields_of_a_capture_are_left_out() {
    let capture = CaptureSale {
        sale: pix_facts(),
        ..capture_at(0)
    };
    let json = serde_json::to_value(&history([capture.into()])[0]).expect("events serialize");
    let sale = json["SaleCaptured"]["sale"]
        .as_object()
        .expect("the facts are an object");
    assert!(!sale.values().any(serde_json::Value::is_null), "{sale:?}");
    assert!(!sale.contains_key("terminal"));
}

/// Every name is pinned: the stored JSON of a name never changes.
#[test]
fn the_stored_json_of_names_is_pinned() {
    let all = PaymentNames {
        nsu: name("000123456789"),
        tid: name("10069930690009F2A4C6"),
        acquirer_id: name("a1b2c3"),
        our_number: name("14/000000001-5"),
        three_d_secure: Some(Box::new(ThreeDSecure {
            version: name("2.2.0"),
            eci: name("05"),
            liability: Some(FraudLiability::Issuer),
        })),
        ..pix_names()
    };
    insta::assert_json_snapshot!("SaleCaptured-names", history([named_capture(all).into()])[0]);
    let business = replay(&history([
        named_capture(pix_names()).into(),
        cancel_named().into(),
    ]));
    insta::assert_json_snapshot!("SaleWithNames", business.sales[&sale_facts().sale_id]);
    let payout = PayoutPaid {
        names: PayoutNames {
            end_to_end_id: name("E60746948202611231403A1b2C3d4E5f"),
            control_number: name("STR20261123000000001"),
        },
        ..paid(1)
    };
    let events = history([
        credit(500_00).into(),
        request(300_00).into(),
        pay_out(1).into(),
        payout.into(),
    ]);
    insta::assert_json_snapshot!("TransferApproved-names", events.last());
}

#[test]
fn every_event_type_and_version_is_tested_here() {
    let events = one_of_each_type();
    let mut pinned: Vec<_> = events
        .iter()
        .map(|event| (event.type_name(), event.version()))
        .collect();
    let mut listed = BusinessEvent::TYPES.to_vec();
    pinned.sort_unstable();
    listed.sort_unstable();
    assert_eq!(pinned, listed);
    for event in &events {
        assert_eq!(
            (event.event_type(), event.event_version()),
            (event.type_name().into(), event.version().into())
        );
    }
}

#[test]
fn every_event_and_state_round_trips() {
    let events = one_of_each_type();
    for event in &events {
        let read = decode(event.type_name(), event.version(), &stored(event)).expect("a stored event reads");
        assert_eq!(read, *event);
    }
    let business = replay(&[&events[..3], &withdrawals()].concat());
    let json = serde_json::to_string(&business).expect("a state serializes");
    assert_eq!(
        serde_json::from_str::<Business>(&json).expect("a state reads"),
        business
    );
}

#[test]
fn unknown_types_and_versions_are_errors() {
    let event = &one_of_each_type()[0];
    let read = |event_type, version| decode(event_type, version, &stored(event));
    assert!(
        matches!(read("SaleForgotten", "1.0"), Err(DecodeError::UnknownType(event_type)) if event_type == "SaleForgotten")
    );
    assert!(
        matches!(read("SaleCreated", "2.0"), Err(DecodeError::UnknownVersion { version, .. }) if version == "2.0")
    );
    assert!(matches!(
        read("SaleVoided", "1.0"),
        Err(DecodeError::TypeDiffers {
            payload: "SaleCreated",
            ..
        })
    ));
    assert!(matches!(
        decode("SaleCreated", "1.0", "{"),
        Err(DecodeError::Payload { .. })
    ));
    assert!(matches!(
        decode("SaleCreated", "1.0", "{\"SaleCreated\":{}}"),
        Err(DecodeError::Payload { .. })
    ));
}

#[test]
fn an_event_of_an_older_version_is_upcast() {
    let event = &one_of_each_type()[0];
    let older = stored(event).replace("awaits_buyer", "waits_for_buyer");
    let raise = |mut payload: serde_json::Value| {
        let created = payload["SaleCreated"]
            .as_object_mut()
            .expect("the payload is an object");
        let waits = created
            .remove("waits_for_buyer")
            .expect("the older version has it");
        created.insert("awaits_buyer".to_owned(), waits);
        payload
    };
    let upcasters: Vec<Box<dyn EventUpcaster>> = vec![Box::new(SemanticVersionEventUpcaster::new(
        "SaleCreated",
        "1.0.0",
        Box::new(raise),
    ))];
    let read = decode_with(&upcasters, "SaleCreated", "0.9", &older).expect("an older event reads");
    assert_eq!(read, *event);
}

/// The JSON of version 1.0 stays pinned, because the log still holds it.
#[test]
fn a_void_of_version_1_0_has_the_acquirer_as_initiator() {
    let pinned = include_str!("snapshots/ledger_domain__business__tests__stored__SaleVoided.snap");
    let (_, json) = pinned
        .split_once("---\n{")
        .expect("a snapshot is a header and JSON");
    let read = decode("SaleVoided", "1.0", &format!("{{{json}")).expect("an older event reads");
    assert_eq!(read, history([create_at(0).into(), void_at(60).into()])[1]);
}

/// A settlement without a reserve has no field for one.
#[test]
fn a_settlement_names_what_it_reserves() {
    let reserved = history([
        capture_at(5).into(),
        settle_reserving("2026-12-23", &[1], ten_percent()).into(),
    ]);
    insta::assert_json_snapshot!("ReceivablesSettled-reserve", reserved[1]);
    insta::assert_json_snapshot!("SaleWithReserve", replay(&reserved).sales[&sale_facts().sale_id]);
}

#[test]
fn the_stored_json_of_a_charged_back_sale_s_state_is_pinned() {
    let business = replay(&history([
        create_at(0).into(),
        void_by_platform(6).into(),
        capture_of_created(0, 7).into(),
        lose(D1, 8).into(),
    ]));
    insta::assert_json_snapshot!("SaleChargedBackState", business.sales[&sale_facts().sale_id]);
}

#[test]
fn the_stored_json_of_the_state_of_a_sale_with_parts_is_pinned() {
    let in_part = |cents| Some(Cents::new(cents));
    let business = replay(&history([
        capture_at(5).into(),
        credit(500_00).into(),
        part(30_00, R1, 7).into(),
        answer_refund(R1, Some(R2), 8).into(),
        refund_total(40_00, 9).into(),
        LoseDispute {
            amount: in_part(20_00),
            ..lose(D1, 10)
        }
        .into(),
        OpenDispute {
            amount: in_part(50_00),
            ..open(D2, 11)
        }
        .into(),
    ]));
    insta::assert_json_snapshot!("SaleWithParts", business.sales[&sale_facts().sale_id]);
}

/// A stored dispute of a whole sale has no field for a part.
#[test]
fn an_event_of_a_part_names_its_installments() {
    let disputed = OpenDispute {
        amount: Some(Cents::new(50_00)),
        ..open(D1, 8)
    };
    let events = history([capture_at(5).into(), disputed.into(), lose(D1, 9).into()]);
    insta::assert_json_snapshot!("SaleDisputed-part", events[1]);
    let lost = LoseDispute {
        amount: Some(Cents::new(50_00)),
        ..lose(D1, 9)
    };
    let events = history([capture_at(5).into(), lost.into()]);
    insta::assert_json_snapshot!("SaleChargedBack-part", events[1]);
}
