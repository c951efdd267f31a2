//! Captured sales of a company that is not active: recorded like any other, and held by staff when they settle.

use super::holds::{hold, release_of_sales};
use super::reversals::*;
use super::transfers::*;
use super::*;
use crate::calendar::start_of;

fn denied() -> SaleContext {
    SaleContext {
        company_status: CompanyStatus::Denied,
        ..context_at(minute(0))
    }
}

fn capture_of(context: SaleContext) -> CaptureSale {
    CaptureSale {
        context,
        ..capture_at(0)
    }
}

fn held(occurred_at: Instant, cents: i64) -> BusinessEvent {
    BusinessEvent::from(AmountHeld {
        occurred_at,
        amount: Cents::new(cents),
        reason: HOLD_REASON.to_owned(),
    })
}

/// (receivable, available, held by staff), in cents.
pub(super) fn balances(events: &[BusinessEvent]) -> (i64, i64, i64) {
    let accounts = replay(events).accounts;
    let cents = [accounts.receivable, accounts.available, accounts.held_by_staff].map(Cents::get);
    (cents[0], cents[1], cents[2])
}

#[test]
fn a_capture_of_a_denied_company_is_recorded_and_marked() {
    for company_status in [CompanyStatus::Denied, CompanyStatus::Deleted] {
        let context = SaleContext {
            company_status,
            ..denied()
        };
        let events = history([capture_of(context).into()]);
        let [BusinessEvent::Sale(SaleEvent::SaleCaptured(captured))] = events.as_slice() else {
            panic!("a capture: {events:?}")
        };
        assert!(captured.held);
        assert_eq!(
            balances(&events),
            (291_00, 0, 0),
            "nothing has settled that could be held"
        );
    }
}

#[test]
fn a_sale_opened_before_the_company_was_denied_is_held_too() {
    let events = history([create_at(0).into(), capture_of(denied()).into()]);
    assert!(replay(&events).sales[&sale_facts().sale_id].held);
}

#[test]
fn each_installment_is_held_as_it_settles() {
    let captured = history([capture_of(denied()).into()]);
    let due = start_of(date("2026-12-23"));
    let events = replay(&captured)
        .decide(&settle("2026-12-23", &[1]).into())
        .expect("due");
    assert_eq!(events[1..], [held(due, 97_00)]);
    assert_eq!(events[1].occurred_at(), events[0].occurred_at());
    assert_eq!(balances(&[captured, events].concat()), (194_00, 0, 97_00));
}

#[test]
fn an_installment_due_at_the_capture_is_held_at_once() {
    let at_once = PlanTerms {
        settlement_days: 0,
        ..terms()
    };
    let capture = CaptureSale {
        sale: pix_facts(),
        ..capture_of(SaleContext {
            terms: Some(Arc::new(at_once)),
            ..denied()
        })
    };
    let events = history([capture.into()]);
    // The PIX fee is 1 %.
    let net = 300_00 - 3_00;
    assert_eq!(events[2..], [held(minute(0), net)]);
    assert_eq!(balances(&events), (0, 0, net));
}

#[test]
fn a_settlement_holds_only_the_marked_sales() {
    let before = CaptureSale {
        sale: SaleFacts {
            sale_id: sale_id(11),
            amount: Cents::new(30_00),
            ..sale_facts()
        },
        ..capture_at(0)
    };
    let both = SettleReceivables {
        installments: vec![(sale_id(10), 1), (sale_id(11), 1)],
        ..settle("2026-12-23", &[])
    };
    let events = history([before.into(), capture_of(denied()).into(), both.into()]);
    assert_eq!(balances(&events), (194_00 + 19_40, 9_70, 97_00));
}

#[test]
fn a_hold_leaves_other_money_alone_and_pays_no_debt() {
    for (first, left) in [(credit(500_00), 500_00), (into_debt(), -40_00)] {
        let events = history([
            first.into(),
            capture_of(denied()).into(),
            settle("2026-12-23", &[1]).into(),
        ]);
        assert_eq!(balances(&events), (194_00, left, 97_00));
    }
}

fn into_debt() -> MakeManualTransfer {
    MakeManualTransfer {
        allow_negative: true,
        ..manual_out(40_00)
    }
}

#[test]
fn the_seller_can_withdraw_what_staff_release() {
    let events = history([
        capture_of(denied()).into(),
        settle("2026-12-23", &[1]).into(),
        release_of_sales(97_00).into(),
    ]);
    assert_eq!(balances(&events), (194_00, 97_00, 0));
    let requested = replay(&events).decide(&request(97_00).into());
    assert!(requested.is_ok(), "{requested:?}");
}

/// A denied company's sale with its first installment settled and held, R$ 500,00 of other money, and then the
/// commands.
pub(super) fn after_held_sale<const N: usize>(commands: [BusinessCommand; N]) -> Vec<BusinessEvent> {
    let before = [
        credit(500_00).into(),
        capture_of(denied()).into(),
        settle("2026-12-23", &[1]).into(),
    ];
    history(before.into_iter().chain(commands))
}

#[test]
fn the_hold_of_a_sale_pays_for_its_reversal() {
    let ways: [BusinessCommand; 4] = [
        cancel(9).into(),
        refund(9).into(),
        reverse(9).into(),
        void_at(9).into(),
    ];
    for way in ways {
        let events = after_held_sale([way]);
        let released = AmountReleased {
            occurred_at: minute(9),
            amount: Cents::new(97_00),
            reason: RELEASE_REASON.to_owned(),
            sales: vec![],
        };
        assert_eq!(
            events[events.len() - 2],
            BusinessEvent::Balance(BalanceEvent::AmountReleased(released)),
            "of the settled installment, before the reversal"
        );
        assert_eq!(balances(&events), (0, 500_00, 0));
    }
}

#[test]
fn a_hold_for_another_reason_stays() {
    let events = after_held_sale([hold(80_00).into(), refund(9).into()]);
    assert_eq!(balances(&events), (0, 420_00, 80_00));
}

#[test]
fn a_reversal_takes_what_staff_already_released() {
    let events = after_held_sale([release_of_sales(97_00).into(), refund(9).into()]);
    assert_eq!(balances(&events), (0, 500_00, 0));
    let in_part = after_held_sale([release_of_sales(90_00).into(), refund(9).into()]);
    assert_eq!(balances(&in_part), (0, 500_00, 0));
}

#[test]
fn a_chargeback_of_a_held_sale_costs_only_the_fee() {
    for ways in [
        vec![lose(D1, 9).into()],
        vec![open(D1, 8).into(), lose(D1, 9).into()],
        vec![dispute(8).into(), lose(OURS, 9).into()],
    ] {
        let mut events = after_held_sale([]);
        for way in ways {
            let more = replay(&events)
                .decide(&way)
                .expect("a decision on a captured sale");
            events.extend(more);
        }
        assert_eq!(balances(&events), (0, 500_00 - 9_00, 0));
    }
}

#[test]
fn a_won_dispute_holds_the_whole_net_again() {
    let events = after_held_sale([open(D1, 8).into(), win(D1, 9).into()]);
    assert_eq!(events.last(), Some(&held(minute(9), 291_00)));
    assert_eq!(balances(&events), (0, 500_00, 291_00));
    let refunded = replay(&events).decide(&refund(10).into()).expect("a refund");
    assert_eq!(balances(&[events, refunded].concat()), (0, 500_00, 0));
}

#[test]
fn a_refund_during_a_dispute_does_not_release_twice() {
    let events = after_held_sale([hold(80_00).into(), open(D1, 8).into(), refund(9).into()]);
    assert_eq!(balances(&events), (0, 420_00, 80_00));
}

#[test]
fn the_hold_of_a_sale_counts_for_its_own_reversal() {
    let first_settlement = [
        capture_of(denied()).into(),
        settle("2026-12-23", &[1, 2, 3]).into(),
    ];
    let later = [
        settle("2027-01-22", &[2]).into(),
        settle("2027-02-22", &[3]).into(),
    ];
    let settled = history(first_settlement.into_iter().chain(later));
    assert_eq!(balances(&settled), (0, 0, 291_00));
    let preview = replay(&settled).preview_cancel(&cancel(9)).expect("a preview");
    assert!(preview.is_covered());
    assert_eq!(
        (preview.after.available, preview.after.blocked),
        (Cents::ZERO, Cents::ZERO)
    );
    let canceled = replay(&settled).decide(&cancel(9).into()).expect("covered");
    assert_eq!(balances(&[settled.clone(), canceled].concat()), (0, 0, 0));
    given(settled)
        .when(dispute(9).into())
        .then_expect_error(Refusal::BalanceTooShort {
            needed: Cents::new(300_00),
            available: Cents::new(291_00),
        });
}

#[test]
fn a_capture_reported_after_its_later_void_leaves_no_hold() {
    let at_once = PlanTerms {
        settlement_days: 0,
        ..terms()
    };
    let capture = CaptureSale {
        sale: pix_facts(),
        ..capture_of(SaleContext {
            terms: Some(Arc::new(at_once)),
            ..denied()
        })
    };
    let created = CreateSale {
        sale: pix_facts(),
        ..create_at(0)
    };
    let voided = VoidSale {
        sale_id: pix_facts().sale_id,
        ..void_at(9)
    };
    let events = history([created.into(), voided.into(), capture.into()]);
    assert_eq!(balances(&events), (0, 0, 0));
    assert!(matches!(
        events.last(),
        Some(BusinessEvent::Sale(SaleEvent::SaleCanceled(_)))
    ));
}
