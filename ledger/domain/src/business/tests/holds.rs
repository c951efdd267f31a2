//! Holds that staff and courts place.

use super::transfers::*;
use super::*;
use crate::HoldId;
use crate::hold::{CourtOrder, HoldKind};

pub(super) const fn hold_id(number: u128) -> HoldId {
    HoldId::from_uuid(Uuid::from_u128(number))
}

/// A hold for an analysis, with the id 50.
pub(super) fn hold(cents: i64) -> PlaceHold {
    PlaceHold {
        hold_id: hold_id(50),
        reason: "Análise de risco".to_owned(),
        until: None,
        documents: vec![],
        sale_id: None,
        what: HoldRequest::Analysis(Cents::new(cents)),
        occurred_at: minute(6),
    }
}

/// A court's order, with the id 51.
pub(super) fn order(cents: i64, case_number: &str) -> PlaceHold {
    PlaceHold {
        hold_id: hold_id(51),
        what: HoldRequest::Judicial(CourtOrder {
            case_number: case_number.to_owned(),
            court: "1ª Vara Cível de Campinas".to_owned(),
            ordered: Cents::new(cents),
        }),
        ..hold(0)
    }
}

pub(super) fn change() -> ChangeHold {
    ChangeHold {
        hold_id: hold_id(50),
        reason: "Faltam documentos".to_owned(),
        until: Some(date("2026-12-10")),
        documents: vec!["Notas fiscais de novembro".to_owned()],
        occurred_at: minute(7),
    }
}

pub(super) fn release(cents: i64) -> ReleaseHold {
    ReleaseHold {
        hold_id: hold_id(50),
        amount: Cents::new(cents),
        reason: "Análise concluída".to_owned(),
        occurred_at: minute(7),
    }
}

pub(super) fn release_of_sales(cents: i64) -> ReleaseHold {
    ReleaseHold {
        hold_id: HoldId::COMPANY,
        ..release(cents)
    }
}

fn release_of_order(cents: i64) -> ReleaseHold {
    ReleaseHold {
        hold_id: hold_id(51),
        ..release(cents)
    }
}

pub(super) fn pay_court(cents: i64) -> PayCourt {
    PayCourt {
        hold_id: hold_id(51),
        amount: Cents::new(cents),
        receipt: "DJO 2026-1183".to_owned(),
        occurred_at: minute(8),
    }
}

fn funded<const N: usize>(commands: [BusinessCommand; N]) -> Vec<BusinessEvent> {
    history(std::iter::once(credit(500_00).into()).chain(commands))
}

/// (available, held by staff, clearing), in cents.
fn balances(events: &[BusinessEvent]) -> (i64, i64, i64) {
    let accounts = replay(events).accounts;
    let cents = [accounts.available, accounts.held_by_staff, accounts.clearing].map(Cents::get);
    (cents[0], cents[1], cents[2])
}

fn open_holds(events: &[BusinessEvent]) -> Vec<(HoldKind, i64)> {
    let holds = replay(events).holds;
    holds.iter().map(|hold| (hold.kind, hold.amount.get())).collect()
}

fn refused(history: Vec<BusinessEvent>, command: impl Into<BusinessCommand>, refusal: impl Into<Refusal>) {
    given(history)
        .when(command.into())
        .then_expect_error(refusal.into());
}

#[test]
fn a_hold_says_why_and_until_when() {
    let asked = PlaceHold {
        until: Some(date("2026-12-04")),
        documents: vec!["Contrato social".to_owned()],
        ..hold(500_00)
    };
    let placed = BusinessEvent::from(HoldPlaced {
        occurred_at: minute(6),
        hold_id: hold_id(50),
        kind: HoldKind::Analysis,
        amount: Cents::new(500_00),
        reason: "Análise de risco".to_owned(),
        until: Some(date("2026-12-04")),
        documents: vec!["Contrato social".to_owned()],
        sale_id: None,
        order: None,
    });
    given(funded([]))
        .when(asked.into())
        .then_expect_events(vec![placed]);
    assert_eq!(
        last_posted(&funded([hold(200_00).into()])),
        [("available", -200_00), ("held_by_staff", 200_00)]
    );
}

#[test]
fn a_release_of_a_part_leaves_the_hold_and_one_of_all_ends_it() {
    let in_part = funded([hold(200_00).into(), release(50_00).into()]);
    assert_eq!(
        last_posted(&in_part),
        [("available", 50_00), ("held_by_staff", -50_00)]
    );
    assert_eq!(open_holds(&in_part), [(HoldKind::Analysis, 150_00)]);
    let whole = funded([hold(200_00).into(), release(200_00).into()]);
    assert_eq!(open_holds(&whole), []);
    refused(whole, release(1), HoldRefusal::Unknown(hold_id(50)));
}

#[test]
fn each_hold_is_released_for_itself() {
    let other = PlaceHold {
        hold_id: hold_id(52),
        what: HoldRequest::Contract(Cents::new(300_00)),
        ..hold(0)
    };
    let events = funded([hold(200_00).into(), other.into(), release(200_00).into()]);
    assert_eq!(open_holds(&events), [(HoldKind::Contract, 300_00)]);
    let above = HoldRefusal::AboveHeld {
        held: Cents::new(200_00),
        asked: Cents::new(200_01),
    };
    refused(funded([hold(200_00).into()]), release(200_01), above);
}

#[test]
fn a_change_moves_no_money() {
    let events = funded([hold(200_00).into(), change().into()]);
    assert_eq!(balances(&events), (300_00, 200_00, -500_00));
    refused(funded([]), change(), HoldRefusal::Unknown(hold_id(50)));
}

#[test]
fn a_repeated_hold_adds_nothing() {
    given(funded([hold(200_00).into()]))
        .when(hold(200_00).into())
        .then_expect_events(vec![]);
}

#[test]
fn invalid_holds_and_releases_are_refused() {
    let silent = PlaceHold {
        reason: " ".to_owned(),
        ..hold(1)
    };
    refused(funded([]), silent, TransferRefusal::ReasonMissing);
    let silent = ReleaseHold {
        reason: String::new(),
        ..release(1)
    };
    refused(funded([hold(1).into()]), silent, TransferRefusal::ReasonMissing);
    refused(funded([]), hold(500_01), TransferRefusal::AboveAvailable);
    for cents in [0, -1] {
        refused(funded([]), hold(cents), Refusal::AmountOutOfRange);
        refused(
            funded([hold(1).into()]),
            release(cents),
            Refusal::AmountOutOfRange,
        );
        refused(funded([]), order(cents, "0001"), Refusal::AmountOutOfRange);
    }
    let of_unknown_sale = PlaceHold {
        sale_id: Some(sale_id(77)),
        ..hold(1)
    };
    refused(funded([]), of_unknown_sale, Refusal::UnknownSale);
}

#[test]
fn a_business_has_few_open_holds() {
    let many = (0..=OPEN_HOLDS_MAX).map(|number| PlaceHold {
        hold_id: hold_id(1_000 + number as u128),
        ..hold(1)
    });
    let mut many: Vec<BusinessCommand> = many.map(BusinessCommand::from).collect();
    let last = many.pop().expect("one more than the limit");
    let events = history(std::iter::once(credit(500_00).into()).chain(many));
    given(events)
        .when(last)
        .then_expect_error(HoldRefusal::TooMany.into());
}

#[test]
fn staff_cannot_release_what_a_dispute_blocks() {
    let mut disputed = Business::default();
    disputed.accounts.in_dispute = Cents::new(300_00);
    for command in [release(1), release_of_sales(1)] {
        let unknown = HoldRefusal::Unknown(command.hold_id);
        assert_eq!(disputed.decide(&command.into()), Err(unknown.into()));
    }
}

#[test]
fn a_court_takes_what_is_there_and_then_later_credits() {
    let more = |number, cents| MakeManualTransfer {
        transfer_id: transfer_id(number),
        ..credit(cents)
    };
    let events = funded([order(800_00, "0001").into()]);
    assert_eq!(balances(&events), (0, 500_00, -500_00));
    let events = funded([order(800_00, "0001").into(), more(1, 250_00).into()]);
    assert_eq!(balances(&events), (0, 750_00, -750_00));
    let events = funded([
        order(800_00, "0001").into(),
        more(1, 250_00).into(),
        more(2, 90_00).into(),
    ]);
    let raised = BusinessEvent::from(HoldRaised {
        occurred_at: events[events.len() - 2].occurred_at(),
        hold_id: hold_id(51),
        amount: Cents::new(50_00),
    });
    assert_eq!(events.last(), Some(&raised));
    assert_eq!(balances(&events), (40_00, 800_00, -840_00));
}

#[test]
fn a_court_takes_no_balance_below_zero() {
    let into_debt = MakeManualTransfer {
        allow_negative: true,
        ..manual_out(40_00)
    };
    let events = history([into_debt.into(), order(100_00, "0001").into()]);
    assert_eq!(balances(&events), (-40_00, 0, 40_00));
    let events = history([
        MakeManualTransfer {
            allow_negative: true,
            ..manual_out(40_00)
        }
        .into(),
        order(100_00, "0001").into(),
        credit(60_00).into(),
    ]);
    assert_eq!(balances(&events), (0, 20_00, -20_00), "the debt is paid first");
}

#[test]
fn the_older_order_takes_first() {
    let second = PlaceHold {
        hold_id: hold_id(52),
        ..order(300_00, "0002")
    };
    let events = history([order(100_00, "0001").into(), second.into(), credit(250_00).into()]);
    assert_eq!(
        open_holds(&events),
        [(HoldKind::Judicial, 100_00), (HoldKind::Judicial, 150_00)]
    );
}

#[test]
fn a_settlement_feeds_the_court_in_the_same_decision() {
    let events = history([
        capture_at(0).into(),
        order(50_00, "0001").into(),
        settle("2026-12-23", &[1]).into(),
    ]);
    assert_eq!(balances(&events), (47_00, 50_00, -300_00));
}

#[test]
fn a_court_is_paid_from_its_hold() {
    let events = funded([order(80_00, "0001").into(), pay_court(30_00).into()]);
    assert_eq!(
        last_posted(&events),
        [("held_by_staff", -30_00), ("clearing", 30_00)]
    );
    assert_eq!(open_holds(&events), [(HoldKind::Judicial, 50_00)]);
    let paid = funded([order(80_00, "0001").into(), pay_court(80_00).into()]);
    assert_eq!(open_holds(&paid), []);
    let in_part = funded([order(800_00, "0001").into(), pay_court(500_00).into()]);
    assert_eq!(
        open_holds(&in_part),
        [(HoldKind::Judicial, 0)],
        "R$ 300,00 are still ordered"
    );
    let above = HoldRefusal::AboveHeld {
        held: Cents::new(80_00),
        asked: Cents::new(80_01),
    };
    refused(funded([order(80_00, "0001").into()]), pay_court(80_01), above);
    let of_analysis = PayCourt {
        hold_id: hold_id(50),
        ..pay_court(1)
    };
    refused(
        funded([hold(80_00).into()]),
        of_analysis,
        HoldRefusal::KindForbids(HoldKind::Analysis),
    );
    let no_receipt = PayCourt {
        receipt: " ".to_owned(),
        ..pay_court(1)
    };
    refused(
        funded([order(80_00, "0001").into()]),
        no_receipt,
        HoldRefusal::ReceiptMissing,
    );
}

#[test]
fn a_court_order_twice_is_refused_until_the_first_ends() {
    let again = || PlaceHold {
        hold_id: hold_id(52),
        ..order(80_00, "0001")
    };
    refused(
        funded([order(80_00, "0001").into()]),
        again(),
        HoldRefusal::CourtOrderKnown(hold_id(51)),
    );
    let lifted = funded([
        order(80_00, "0001").into(),
        release_of_order(80_00).into(),
        again().into(),
    ]);
    assert_eq!(open_holds(&lifted), [(HoldKind::Judicial, 80_00)]);
    for (case_number, court) in [(" ", "1ª Vara"), ("0001", "")] {
        let incomplete = PlaceHold {
            what: HoldRequest::Judicial(CourtOrder {
                case_number: case_number.to_owned(),
                court: court.to_owned(),
                ordered: Cents::new(1),
            }),
            ..hold(0)
        };
        refused(funded([]), incomplete, HoldRefusal::CourtOrderIncomplete);
    }
}

#[test]
fn what_a_court_releases_it_does_not_take_again() {
    let events = funded([order(800_00, "0001").into(), release_of_order(200_00).into()]);
    assert_eq!(balances(&events), (200_00, 300_00, -500_00));
    let lifted_empty = history([
        order(80_00, "0001").into(),
        release_of_order(0).into(),
        credit(90_00).into(),
    ]);
    assert_eq!(balances(&lifted_empty), (90_00, 0, -90_00));
}

/// Logs from before holds had ids have one amount and releases of it.
#[test]
fn earlier_holds_are_one_hold_that_staff_can_release() {
    let held = BusinessEvent::from(AmountHeld {
        occurred_at: minute(1),
        amount: Cents::new(200_00),
        reason: "Análise de risco".to_owned(),
    });
    let released = BusinessEvent::from(AmountReleased {
        occurred_at: minute(2),
        amount: Cents::new(80_00),
        reason: "Análise concluída".to_owned(),
        sales: vec![],
    });
    let mut events = funded([]);
    events.extend([held, released]);
    assert_eq!(open_holds(&events), [(HoldKind::Analysis, 120_00)]);
    let release = ReleaseHold {
        hold_id: HoldId::EARLIER,
        ..release(120_00)
    };
    let rest = replay(&events).decide(&release.into()).expect("a release");
    assert_eq!(balances(&[events, rest].concat()), (500_00, 0, -500_00));
}

#[test]
fn refusals_have_portuguese_messages() {
    let refusals = [
        HoldRefusal::Unknown(hold_id(50)),
        HoldRefusal::AboveHeld {
            held: Cents::new(1_00),
            asked: Cents::new(1_234_56),
        },
        HoldRefusal::KindForbids(HoldKind::Reserve),
        HoldRefusal::CourtOrderKnown(hold_id(51)),
        HoldRefusal::CourtOrderIncomplete,
        HoldRefusal::ReceiptMissing,
        HoldRefusal::TooMany,
    ];
    let messages: Vec<_> = refusals.map(|refusal| Refusal::from(refusal).message()).into();
    insta::assert_snapshot!(messages.join("\n"));
}
