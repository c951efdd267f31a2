//! Sales of a pending company: held like those of a denied one, until the company is approved.

use super::held::balances;
use super::holds::{hold, release_of_sales};
use super::reversals::*;
use super::transfers::*;
use super::*;

fn capture_while_pending() -> CaptureSale {
    capture_with_status(CompanyStatus::Pending)
}

fn capture_with_status(company_status: CompanyStatus) -> CaptureSale {
    CaptureSale {
        context: SaleContext {
            company_status,
            ..context_at(minute(0))
        },
        ..capture_at(0)
    }
}

/// Names the sale twice, and a sale that the business does not have. Neither changes the result.
fn approval() -> ReleaseSales {
    ReleaseSales {
        sale_ids: vec![sale_facts().sale_id, sale_id(77), sale_facts().sale_id],
        occurred_at: minute(90),
    }
}

fn released(cents: i64) -> BusinessEvent {
    BusinessEvent::from(AmountReleased {
        occurred_at: minute(90),
        amount: Cents::new(cents),
        reason: APPROVAL_REASON.to_owned(),
        sales: vec![sale_facts().sale_id],
    })
}

#[test]
fn an_approval_releases_what_has_settled_and_what_settles_later_is_not_held() {
    let before = history([capture_while_pending().into(), settle("2026-12-23", &[1]).into()]);
    assert_eq!(balances(&before), (194_00, 0, 97_00));
    let approved = replay(&before).decide(&approval().into()).expect("an approval");
    assert_eq!(approved, [released(97_00)]);
    let later = [before, approved].concat();
    assert_eq!(balances(&later), (194_00, 97_00, 0));
    let settled = replay(&later)
        .decide(&settle("2027-01-22", &[2]).into())
        .expect("due");
    assert_eq!(settled.len(), 1, "no hold follows: {settled:?}");
    assert_eq!(balances(&[later, settled].concat()), (97_00, 194_00, 0));
}

#[test]
fn an_approval_before_the_first_settlement_moves_no_money() {
    let captured = history([capture_while_pending().into()]);
    let approved = replay(&captured).decide(&approval().into()).expect("an approval");
    assert_eq!(approved, [released(0)]);
    let settled = history([
        capture_while_pending().into(),
        approval().into(),
        settle("2026-12-23", &[1]).into(),
    ]);
    assert_eq!(balances(&settled), (194_00, 97_00, 0));
}

#[test]
fn a_repeated_approval_adds_no_event() {
    given(history([
        capture_while_pending().into(),
        settle("2026-12-23", &[1]).into(),
        approval().into(),
    ]))
    .when(approval().into())
    .then_expect_events(vec![]);
}

#[test]
fn an_approval_releases_only_sales_that_were_captured_while_the_company_was_pending() {
    for company_status in [
        CompanyStatus::Denied,
        CompanyStatus::Deleted,
        CompanyStatus::Active,
    ] {
        given(history([
            capture_with_status(company_status).into(),
            settle("2026-12-23", &[1]).into(),
        ]))
        .when(approval().into())
        .then_expect_events(vec![]);
    }
}

#[test]
fn an_approval_releases_only_what_staff_have_not_released_before() {
    let events = history([
        capture_while_pending().into(),
        settle("2026-12-23", &[1]).into(),
        release_of_sales(60_00).into(),
        approval().into(),
    ]);
    assert_eq!(events.last(), Some(&released(37_00)));
    assert_eq!(balances(&events), (194_00, 97_00, 0));
}

#[test]
fn an_approval_leaves_what_staff_hold_for_another_reason() {
    let settled = [capture_while_pending().into(), settle("2026-12-23", &[1]).into()];
    let released_and_held_again = settled.clone().into_iter().chain([
        release_of_sales(97_00).into(),
        hold(97_00).into(),
        approval().into(),
    ]);
    let events = history(released_and_held_again);
    assert_eq!(events.last(), Some(&released(0)));
    assert_eq!(balances(&events), (194_00, 0, 97_00));
    let both = settled.into_iter().chain([approval().into()]);
    let events = history([credit(50_00).into(), hold(50_00).into()].into_iter().chain(both));
    assert_eq!(balances(&events), (194_00, 97_00, 50_00));
}

/// The stored event names no sale, and may be older than `held_for_sales`.
#[test]
fn a_stored_hold_on_sales_is_recognized_by_its_reason() {
    let hold = r#"{"AmountHeld":{"occurred_at":"2026-12-23T03:00:00Z","amount":9700,
                   "reason":"Venda capturada sem o cadastro da empresa aprovado."}}"#;
    let mut business = replay(&history([credit(97_00).into()]));
    business.apply(&decode("AmountHeld", "1.0", hold).expect("a stored event"));
    assert_eq!(business.held_for_sales, Cents::new(97_00));
}

#[test]
fn a_dispute_that_is_won_after_the_approval_leaves_nothing_held() {
    let events = history([
        capture_while_pending().into(),
        settle("2026-12-23", &[1]).into(),
        open(D1, 8).into(),
        approval().into(),
        win(D1, 95).into(),
    ]);
    let (_, available, held) = balances(&events);
    assert_eq!((available, held), (291_00, 0));
}

#[test]
fn only_an_approved_company_withdraws() {
    for company_status in [
        CompanyStatus::Pending,
        CompanyStatus::Denied,
        CompanyStatus::Deleted,
        CompanyStatus::Unknown,
    ] {
        let requested = request(100_00);
        let context = WithdrawalContext {
            company_status,
            ..requested.context.clone()
        };
        given(history([credit(500_00).into()]))
            .when(RequestTransfer { context, ..requested }.into())
            .then_expect_error(TransferRefusal::BusinessNotActive.into());
    }
}

#[test]
fn the_stored_json_of_a_sale_that_awaits_approval_is_pinned() {
    let events = history([capture_while_pending().into(), approval().into()]);
    insta::assert_json_snapshot!("SaleCaptured-until-approved", events[0]);
    insta::assert_json_snapshot!("AmountReleased-by-approval", events[1]);
}
