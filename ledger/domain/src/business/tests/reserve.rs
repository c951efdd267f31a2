//! The reserve: a share of each settlement is held in its event, and released on its day or with a reversal.

use super::held::balances;
use super::holds::{hold_id, order};
use super::reversals::*;
use super::transfers::*;
use super::*;
use crate::HoldId;
use crate::calendar::start_of;
use crate::hold::HoldKind;
use crate::reserve::{ReserveReleaseCause, ReserveTerms, SettlementReserve};

const RELEASE_ON: &str = "2027-01-22";

pub(super) fn ten_percent() -> ReserveTerms {
    ReserveTerms {
        percentage: rate("10"),
        maximum: None,
        release_on: date(RELEASE_ON),
    }
}

/// Three installments of R$ 97,00, the first settled with R$ 9,70 held.
pub(super) fn settle_reserving(
    due_date: &str,
    installments: &[u8],
    terms: ReserveTerms,
) -> SettleReceivables {
    SettleReceivables {
        reserve: Some(terms),
        ..settle(due_date, installments)
    }
}

pub(super) fn release_reserve(installments: &[u8]) -> ReleaseReserve {
    ReleaseReserve {
        release_on: date(RELEASE_ON),
        today: date(RELEASE_ON),
        installments: settle(RELEASE_ON, installments).installments,
    }
}

fn reserved() -> Vec<BusinessCommand> {
    vec![
        capture_at(0).into(),
        settle_reserving("2026-12-23", &[1], ten_percent()).into(),
    ]
}

fn after(commands: impl IntoIterator<Item = BusinessCommand>) -> Vec<BusinessEvent> {
    history(reserved().into_iter().chain(commands))
}

fn released(occurred_at: Instant, cause: ReserveReleaseCause, pieces: &[(u8, i64)]) -> BusinessEvent {
    let pieces = pieces.iter().map(|(number, cents)| ReleasedReserve {
        sale_id: sale_facts().sale_id,
        number: *number,
        amount: Cents::new(*cents),
        release_on: date(RELEASE_ON),
    });
    let pieces: Vec<_> = pieces.collect();
    BusinessEvent::from(ReserveReleased {
        occurred_at,
        cause,
        total: Cents::total(pieces.iter().map(|piece| piece.amount)).expect("a small sum"),
        released: pieces,
    })
}

#[test]
fn the_share_is_held_in_the_event_of_the_settlement() {
    let events = after([]);
    let [_, BusinessEvent::Sale(SaleEvent::ReceivablesSettled(settled))] = events.as_slice() else {
        panic!("a capture and its settlement, not {events:?}");
    };
    assert_eq!(settled.total, Cents::new(97_00));
    assert_eq!(settled.settled[0].reserved, Cents::new(9_70));
    let reserve = SettlementReserve {
        percentage: rate("10"),
        release_on: date(RELEASE_ON),
        total: Cents::new(9_70),
    };
    assert_eq!(settled.reserve, Some(reserve));
    assert_eq!(balances(&events), (194_00, 87_30, 9_70));
    let hold = replay(&events).hold(HoldId::RESERVE).cloned().expect("a hold");
    assert_eq!((hold.kind, hold.amount), (HoldKind::Reserve, Cents::new(9_70)));
}

#[test]
fn it_is_released_on_its_day_and_once() {
    given(after([]))
        .when(release_reserve(&[1, 2]).into())
        .then_expect_events(vec![released(
            start_of(date(RELEASE_ON)),
            ReserveReleaseCause::Due,
            &[(1, 9_70)],
        )]);
    let events = after([release_reserve(&[1]).into()]);
    assert_eq!(balances(&events), (194_00, 97_00, 0));
    assert_eq!(replay(&events).hold(HoldId::RESERVE), None);
    given(events)
        .when(release_reserve(&[1]).into())
        .then_expect_events(vec![]);
}

#[test]
fn it_is_not_released_before_its_day() {
    let early = ReleaseReserve {
        today: date("2027-01-21"),
        ..release_reserve(&[1])
    };
    given(after([]))
        .when(early.into())
        .then_expect_error(Refusal::NotDueYet(date(RELEASE_ON)));
    let another_day = ReleaseReserve {
        release_on: date("2027-01-21"),
        ..release_reserve(&[1])
    };
    given(after([]))
        .when(another_day.into())
        .then_expect_events(vec![]);
}

#[test]
fn no_more_is_held_than_the_maximum() {
    let limited = ReserveTerms {
        maximum: Some(Cents::new(15_00)),
        ..ten_percent()
    };
    let second = settle_reserving("2027-01-22", &[2], limited.clone());
    let third = settle_reserving("2027-02-22", &[3], limited);
    let events = after([second.into(), third.into()]);
    assert_eq!(balances(&events), (0, 3 * 97_00 - 15_00, 15_00));
}

#[test]
fn a_sale_that_settles_at_its_capture_has_its_share_held_too() {
    let at_once = PlanTerms {
        settlement_days: 0,
        ..terms()
    };
    let context = SaleContext {
        terms: Some(Arc::new(at_once)),
        reserve: Some(ten_percent()),
        ..context_at(minute(0))
    };
    let pix = CaptureSale {
        sale: pix_facts(),
        occurred_at: minute(0),
        context,
    };
    // The PIX fee is 1 %.
    assert_eq!(balances(&history([pix.into()])), (0, 297_00 - 29_70, 29_70));
}

/// All of such a sale is held already.
#[test]
fn nothing_of_a_held_sale_is_reserved() {
    let held = CaptureSale {
        context: SaleContext {
            company_status: CompanyStatus::Pending,
            ..context_at(minute(0))
        },
        ..capture_at(0)
    };
    let events = history([
        held.into(),
        settle_reserving("2026-12-23", &[1], ten_percent()).into(),
    ]);
    assert_eq!(balances(&events), (194_00, 0, 97_00));
    assert_eq!(replay(&events).hold(HoldId::RESERVE), None);
}

/// The seller has nothing but this sale, and R$ 87,30 of it available.
#[test]
fn a_reversal_uses_the_sales_reserve_first() {
    let ways: [BusinessCommand; 4] = [
        refund(9).into(),
        reverse(9).into(),
        void_at(9).into(),
        lose(D1, 9).into(),
    ];
    for way in ways {
        let events = after([way]);
        let used = released(minute(9), ReserveReleaseCause::Reversal, &[(1, 9_70)]);
        assert_eq!(events[2], used);
        assert_eq!(replay(&events).accounts.held_by_staff, Cents::ZERO);
        assert_eq!(replay(&events).sales[&sale_facts().sale_id].reserved, []);
    }
}

#[test]
fn the_reserve_counts_as_cover() {
    let rest = settle_reserving("2027-01-22", &[2, 3], ten_percent());
    let rest = SettleReceivables {
        installments: vec![(sale_facts().sale_id, 2)],
        ..rest
    };
    // R$ 174,60 are available and R$ 19,40 reserved. A cancel takes R$ 291,00, of which R$ 97,00 are still to come.
    let events = after([rest.into(), credit(97_00).into()]);
    let canceled = replay(&events).decide(&cancel(9).into());
    let canceled = canceled.expect("the available balance and the reserve cover it");
    let used = released(minute(9), ReserveReleaseCause::Reversal, &[(2, 9_70), (1, 9_70)]);
    assert_eq!(canceled[0], used);
    let all = [events, canceled].concat();
    assert_eq!(balances(&all), (0, 97_00, 0));

    let short = after([]);
    let refused = replay(&short).decide(&cancel(9).into());
    let needed = Cents::new(291_00);
    let available = Cents::new(87_30);
    let available = available.checked_add(Cents::new(9_70)).expect("a small sum");
    assert_eq!(refused, Err(Refusal::BalanceTooShort { needed, available }));
}

/// Open installments pay first, so the reserve is used only for the rest, and what is held longest first.
#[test]
fn a_refund_of_a_part_uses_what_it_needs() {
    let later = ReserveTerms {
        release_on: date("2027-02-22"),
        ..ten_percent()
    };
    let settled = after([
        settle_reserving("2027-01-22", &[2], later).into(),
        credit(100_00).into(),
    ]);
    // The net of R$ 105,00 is R$ 101,85: R$ 97,00 from the open installment, R$ 4,85 from the balance.
    let refunded = replay(&settled).decide(&part(105_00, R1, 9).into());
    let refunded = refunded.expect("it is covered");
    let BusinessEvent::Balance(BalanceEvent::ReserveReleased(used)) = &refunded[0] else {
        panic!("the release of the reserve first, not {refunded:?}");
    };
    assert_eq!(used.total, Cents::new(4_85));
    assert_eq!(used.released[0].number, 2);
    let all = replay(&[settled, refunded].concat());
    assert_eq!(
        all.hold(HoldId::RESERVE).map(|hold| hold.amount),
        Some(Cents::new(9_70 + 4_85))
    );
}

#[test]
fn a_won_dispute_is_not_reserved_again() {
    let events = after([credit(300_00).into(), open(D1, 7).into(), win(D1, 8).into()]);
    assert_eq!(replay(&events).accounts.held_by_staff, Cents::ZERO);
}

/// The day of its release comes while a dispute of a part is open.
#[test]
fn the_rest_of_a_sale_in_dispute_is_released_on_its_day() {
    let of_part = OpenDispute {
        amount: Some(Cents::new(20_00)),
        ..open(D1, 7)
    };
    let events = after([of_part.into(), release_reserve(&[1]).into()]);
    assert_eq!(balances(&events), (174_00, 97_00, 0));
}

/// A court takes it like any other credit.
#[test]
fn what_is_released_goes_to_a_waiting_court() {
    let events = after([order(200_00, "0001").into()]);
    let decided = replay(&events)
        .decide(&release_reserve(&[1]).into())
        .expect("due");
    let BusinessEvent::Balance(BalanceEvent::HoldRaised(raised)) = &decided[1] else {
        panic!("the court takes it, not {decided:?}");
    };
    assert_eq!(raised.amount, Cents::new(9_70));
}

#[test]
fn staff_neither_place_nor_release_it() {
    let release = ReleaseHold {
        hold_id: HoldId::RESERVE,
        amount: Cents::new(1),
        reason: "engano".to_owned(),
        occurred_at: minute(9),
    };
    given(after([]))
        .when(release.into())
        .then_expect_error(HoldRefusal::KindForbids(HoldKind::Reserve).into());
    assert_ne!(hold_id(51), HoldId::RESERVE);
}

#[test]
fn an_event_releases_at_most_500_installments() {
    let captures = (1..=30).map(|number| {
        let sale = SaleFacts {
            sale_id: sale_id(number),
            installments: 21,
            ..sale_facts()
        };
        CaptureSale {
            sale,
            ..advanced_capture()
        }
        .into()
    });
    let installments: Vec<_> = (1..=30)
        .flat_map(|sale| (1..=21).map(move |number| (sale_id(sale), number)))
        .collect();
    let settle = SettleReceivables {
        installments: installments.clone(),
        ..settle_reserving("2026-11-24", &[], ten_percent())
    };
    let business = replay(&history(captures.chain([settle.into()])));
    let release = ReleaseReserve {
        installments,
        ..release_reserve(&[])
    };
    let events = business.decide(&release.into()).expect("due");
    let counts: Vec<_> = events
        .iter()
        .map(|event| match event {
            BusinessEvent::Balance(BalanceEvent::ReserveReleased(event)) => event.released.len(),
            other => panic!("a release, not {other:?}"),
        })
        .collect();
    assert_eq!(counts, [INSTALLMENTS_PER_EVENT, 630 - INSTALLMENTS_PER_EVENT]);
}

/// Every installment settles on the next business day.
fn advanced_capture() -> CaptureSale {
    CaptureSale {
        context: SaleContext {
            terms: Some(Arc::new(advanced_terms())),
            ..context_at(minute(0))
        },
        ..capture_at(0)
    }
}
