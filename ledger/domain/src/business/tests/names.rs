//! The names of a payment: kept through its events, and added to by later reports.

use super::reversals::*;
use super::transfers::*;
use super::*;
use crate::sale::NamedPayment;
use crate::transfer::PayoutNames;

const E2E: &str = "E60746948202611231403A1b2C3d4E5f";
const RETURN: &str = "D60746948202611231415X1y2Z3w4V5u";

pub(super) fn name(text: &str) -> Option<PaymentName> {
    Some(PaymentName::parse(text).expect("a name"))
}

fn end_to_end(text: &str) -> PaymentNames {
    PaymentNames {
        end_to_end_id: name(text),
        ..PaymentNames::default()
    }
}

pub(super) fn pix_names() -> PaymentNames {
    PaymentNames {
        txid: name("PADARIA0001"),
        ..end_to_end(E2E)
    }
}

fn nsu(text: &str) -> PaymentNames {
    PaymentNames {
        nsu: name(text),
        ..PaymentNames::default()
    }
}

pub(super) fn named_capture(names: PaymentNames) -> CaptureSale {
    CaptureSale {
        sale: SaleFacts {
            names,
            ..sale_facts()
        },
        ..capture_at(5)
    }
}

pub(super) fn names(names: PaymentNames, at: i64) -> NameSale {
    NameSale {
        sale_id: sale_facts().sale_id,
        of: NamedPayment::Payment,
        names,
        occurred_at: minute(at),
    }
}

fn named(of: NamedPayment, names: PaymentNames, at: i64) -> BusinessEvent {
    BusinessEvent::from(SaleNamed {
        occurred_at: minute(at),
        sale_id: sale_facts().sale_id,
        of,
        names,
    })
}

/// The acquirer's report of a cancel, with the return's name.
pub(super) fn cancel_named() -> RefundSale {
    RefundSale {
        names: end_to_end(RETURN),
        ..refund(9)
    }
}

fn known(events: &[BusinessEvent]) -> Sale {
    replay(events).sales[&sale_facts().sale_id].clone()
}

#[test]
fn a_capture_after_the_creation_keeps_the_names_of_both() {
    let created = CreateSale {
        sale: SaleFacts {
            names: PaymentNames {
                nsu: name("1"),
                ..pix_names()
            },
            ..sale_facts()
        },
        ..create_at(0)
    };
    let captured = CaptureSale {
        context: context_at(minute(0)),
        ..named_capture(nsu("2"))
    };
    let events = history([created.into(), captured.into()]);
    let expected = PaymentNames {
        nsu: name("2"),
        ..pix_names()
    };
    assert_eq!(known(&events).names, expected);
}

#[tokio::test]
async fn a_later_report_of_the_same_payment_adds_the_names_that_are_new() {
    let recorded = history([named_capture(pix_names()).into()]);
    let later = PaymentNames {
        nsu: name("42"),
        ..pix_names()
    };
    given(recorded.clone())
        .when_async(
            CaptureSale {
                ..named_capture(later.clone())
            }
            .into(),
        )
        .await
        .then_expect_events(vec![named(NamedPayment::Payment, nsu("42"), 5)]);
    given(recorded.clone())
        .when_async(names(later.clone(), 7).into())
        .await
        .then_expect_events(vec![named(NamedPayment::Payment, nsu("42"), 7)]);
    let events = [recorded, vec![named(NamedPayment::Payment, nsu("42"), 7)]].concat();
    assert_eq!(known(&events).names, later);
    given(events)
        .when_async(named_capture(later).into())
        .await
        .then_expect_events(vec![]);
}

#[tokio::test]
async fn a_report_without_names_or_with_known_ones_adds_nothing() {
    let recorded = history([named_capture(pix_names()).into()]);
    for later in [PaymentNames::default(), end_to_end(E2E)] {
        given(recorded.clone())
            .when_async(named_capture(later.clone()).into())
            .await
            .then_expect_events(vec![]);
        given(recorded.clone())
            .when_async(names(later, 7).into())
            .await
            .then_expect_events(vec![]);
    }
}

#[tokio::test]
async fn another_text_for_a_known_name_is_refused() {
    let recorded = history([named_capture(pix_names()).into()]);
    let other = "E60746948202611231403000000000000";
    let refusal = Refusal::NameDiffers {
        recorded: E2E.to_owned(),
        reported: other.to_owned(),
    };
    given(recorded.clone())
        .when_async(named_capture(end_to_end(other)).into())
        .await
        .then_expect_error(refusal.clone());
    given(recorded)
        .when_async(names(end_to_end(other), 7).into())
        .await
        .then_expect_error(refusal);
}

#[tokio::test]
async fn an_unknown_sale_cannot_be_named() {
    given_nothing()
        .when_async(names(pix_names(), 7).into())
        .await
        .then_expect_error(Refusal::UnknownSale);
}

#[test]
fn a_reported_refund_keeps_its_names() {
    let whole = history([capture_at(5).into(), cancel_named().into()]);
    assert_eq!(known(&whole).return_names, end_to_end(RETURN));
    let part = RefundSale {
        names: nsu("77"),
        ..refund_of(30_00, R1, 9)
    };
    let events = history([capture_at(5).into(), part.into()]);
    let [_, BusinessEvent::Sale(SaleEvent::SalePartRefunded(refunded))] = &events[..] else {
        panic!("a refund of a part: {events:?}");
    };
    assert_eq!(refunded.names, nsu("77"));
}

#[test]
fn the_answer_to_a_user_s_refund_of_a_part_keeps_its_names() {
    let answer = AnswerRefund {
        names: nsu("77"),
        ..answer_refund(R1, Some(R2), 8)
    };
    let events = history([
        capture_at(5).into(),
        credit(500_00).into(),
        part(30_00, R1, 7).into(),
        answer.into(),
    ]);
    let Some(BusinessEvent::Sale(SaleEvent::RefundAnswered(answered))) = events.last() else {
        panic!("an answer: {events:?}");
    };
    assert_eq!(answered.names, nsu("77"));
}

#[tokio::test]
async fn the_echo_of_a_user_s_cancel_adds_the_names_of_the_return_once() {
    let canceled = history([capture_at(5).into(), credit(500_00).into(), cancel(8).into()]);
    let of_return = named(NamedPayment::Return, end_to_end(RETURN), 9);
    let amounts = [
        Refunded::Rest { refund: None },
        Refunded::Amount {
            amount: Cents::new(300_00),
            refund: None,
        },
        Refunded::Total(Cents::new(300_00)),
    ];
    for refunded in amounts {
        let echo = RefundSale {
            refunded,
            ..cancel_named()
        };
        given(canceled.clone())
            .when_async(echo.clone().into())
            .await
            .then_expect_events(vec![of_return.clone()]);
        given([canceled.clone(), vec![of_return.clone()]].concat())
            .when_async(echo.into())
            .await
            .then_expect_events(vec![]);
    }
}

#[test]
fn a_reported_cancel_and_a_reversal_keep_the_names_of_the_return() {
    let canceled = VoidSale {
        names: end_to_end(RETURN),
        ..void_at(9)
    };
    let reversed = ReverseSale {
        names: end_to_end(RETURN),
        ..reverse(9)
    };
    for reported in [BusinessCommand::from(canceled), reversed.into()] {
        let events = history([named_capture(pix_names()).into(), reported]);
        let sale = known(&events);
        assert_eq!((sale.names, sale.return_names), (pix_names(), end_to_end(RETURN)));
    }
}

#[tokio::test]
async fn a_reported_cancel_of_a_canceled_sale_adds_the_names_of_the_return_once() {
    let canceled = history([capture_at(5).into(), credit(500_00).into(), cancel(8).into()]);
    let of_return = named(NamedPayment::Return, end_to_end(RETURN), 9);
    let void = VoidSale {
        names: end_to_end(RETURN),
        ..void_at(9)
    };
    let reversed = ReverseSale {
        names: end_to_end(RETURN),
        ..reverse(9)
    };
    for echo in [BusinessCommand::from(void), reversed.into()] {
        given(canceled.clone())
            .when_async(echo.clone())
            .await
            .then_expect_events(vec![of_return.clone()]);
        given([canceled.clone(), vec![of_return.clone()]].concat())
            .when_async(echo)
            .await
            .then_expect_events(vec![]);
    }
}

#[test]
fn a_payout_and_its_return_keep_the_banks_names() {
    let pix = |text| PayoutNames {
        end_to_end_id: name(text),
        ..PayoutNames::default()
    };
    let events = history([
        credit(500_00).into(),
        request(300_00).into(),
        pay_out(1).into(),
        PayoutPaid {
            names: pix(E2E),
            ..paid(1)
        }
        .into(),
        PayoutReturned {
            names: pix(RETURN),
            ..returned(1)
        }
        .into(),
    ]);
    let of_banks: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            BusinessEvent::Transfer(TransferEvent::TransferApproved(event)) => Some(event.names.clone()),
            BusinessEvent::Transfer(TransferEvent::TransferReturned(event)) => Some(event.names.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(of_banks, [pix(E2E), pix(RETURN)]);
}
