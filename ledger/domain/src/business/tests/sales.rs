//! Accepted commands on sales, and commands that add no event.

use super::*;
use crate::fees::SaleFees;
use crate::sale::Receivable;

fn created() -> BusinessEvent {
    BusinessEvent::from(SaleCreated {
        occurred_at: minute(0),
        sale: sale_facts(),
        awaits_buyer: false,
    })
}

fn captured_at(minutes: i64) -> BusinessEvent {
    let installment = |number, due_date| Receivable {
        number,
        gross: Cents::new(100_00),
        net: Cents::new(97_00),
        due_date: date(due_date),
    };
    BusinessEvent::from(SaleCaptured {
        occurred_at: minute(minutes),
        sale: sale_facts(),
        plan: terms().plan_ref(),
        fees: SaleFees {
            percentage_fee: Cents::new(9_00),
            ..SaleFees::default()
        },
        net: Cents::new(291_00),
        receivables: vec![
            installment(1, "2026-12-23"),
            installment(2, "2027-01-22"),
            installment(3, "2027-02-22"),
        ],
        held: false,
        until_approved: false,
    })
}

fn failed_at(minutes: i64) -> BusinessEvent {
    BusinessEvent::from(SaleFailed {
        occurred_at: minute(minutes),
        sale: sale_facts(),
        reason: Some("insufficient_funds".to_owned()),
    })
}

fn voided_at(minutes: i64) -> BusinessEvent {
    BusinessEvent::from(SaleVoided {
        occurred_at: minute(minutes),
        sale_id: sale_facts().sale_id,
        initiator: Initiator::Acquirer,
        reason: Some("expired".to_owned()),
    })
}

#[tokio::test]
async fn a_sale_is_created() {
    given_nothing()
        .when_async(create_at(0).into())
        .await
        .then_expect_events(vec![created()]);
}

#[tokio::test]
async fn a_sale_is_captured_with_its_fees_and_its_schedule() {
    given_nothing()
        .when_async(capture_at(0).into())
        .await
        .then_expect_events(vec![captured_at(0)]);
}

#[tokio::test]
async fn a_sale_fails() {
    given_nothing()
        .when_async(fail_at(0).into())
        .await
        .then_expect_events(vec![failed_at(0)]);
}

#[tokio::test]
async fn a_created_sale_is_voided() {
    given(vec![created()])
        .when_async(void_at(5).into())
        .await
        .then_expect_events(vec![voided_at(5)]);
}

#[test]
fn a_card_sale_is_created_and_a_pix_sale_waits_for_its_buyer() {
    let status = |sale: SaleFacts| {
        let sale_id = sale.sale_id;
        replay(&history([CreateSale { sale, ..create_at(0) }.into()])).sales[&sale_id].status
    };
    assert_eq!(status(sale_facts()), SaleStatus::Created);
    assert_eq!(status(pix_facts()), SaleStatus::Pending);
    let boleto = SaleFacts {
        payment_type: PaymentType::Boleto,
        ..pix_facts()
    };
    assert_eq!(status(boleto), SaleStatus::Pending);
}

#[test]
fn a_created_sale_is_captured_under_the_terms_of_its_creation() {
    given(vec![created()])
        .when(capture_of_created(0, 5).into())
        .then_expect_events(vec![captured_at(5)]);
}

#[test]
fn a_known_sale_is_captured_after_its_terminal_changed_owners() {
    let mut capture = capture_of_created(0, 5);
    capture.context.terminal_owner = Some(OTHER_BUSINESS);
    given(vec![created()])
        .when(capture.into())
        .then_expect_events(vec![captured_at(5)]);
}

#[test]
fn a_failed_sale_may_still_be_paid() {
    given(vec![failed_at(0)])
        .when(capture_at(5).into())
        .then_expect_events(vec![captured_at(5)]);
}

#[test]
fn a_sale_paid_after_its_void_is_captured() {
    given(vec![created(), voided_at(5)])
        .when(capture_of_created(0, 6).into())
        .then_expect_events(vec![captured_at(6)]);
}

#[test]
fn a_created_sale_fails() {
    given(vec![created()])
        .when(fail_at(5).into())
        .then_expect_events(vec![failed_at(5)]);
}

#[test]
fn a_failure_of_a_denied_company_is_recorded() {
    let context = SaleContext {
        company_status: CompanyStatus::Denied,
        ..context_at(minute(0))
    };
    given_nothing()
        .when(
            FailSale {
                context,
                ..fail_at(0)
            }
            .into(),
        )
        .then_expect_events(vec![failed_at(0)]);
}

#[test]
fn a_repeated_capture_adds_nothing_even_for_a_deleted_company_without_a_plan() {
    let context = SaleContext {
        company_status: CompanyStatus::Deleted,
        terms: None,
        ..context_at(minute(9))
    };
    given(vec![captured_at(0)])
        .when(
            CaptureSale {
                context,
                ..capture_at(0)
            }
            .into(),
        )
        .then_expect_events(vec![]);
}

#[test]
fn a_repeated_failure_adds_nothing() {
    given(vec![failed_at(0)])
        .when(fail_at(1).into())
        .then_expect_events(vec![]);
}

#[test]
fn a_repeated_void_adds_nothing() {
    for again in [4, 5] {
        given(vec![created(), voided_at(5)])
            .when(void_at(again).into())
            .then_expect_events(vec![]);
    }
}

/// A capture between the two may still be reported.
#[test]
fn a_void_with_a_later_time_is_recorded() {
    given(vec![created(), voided_at(5)])
        .when(void_at(6).into())
        .then_expect_events(vec![voided_at(6)]);
}

#[test]
fn a_creation_of_a_known_sale_adds_nothing() {
    for known in [created(), captured_at(0), failed_at(0)] {
        given(vec![known])
            .when(create_at(0).into())
            .then_expect_events(vec![]);
    }
}

#[test]
fn a_failure_dated_before_the_payment_adds_nothing_after_it() {
    given(vec![captured_at(5)])
        .when(fail_at(4).into())
        .then_expect_events(vec![]);
}

#[test]
fn a_void_dated_before_the_payment_adds_nothing_after_it() {
    given(vec![captured_at(5)])
        .when(void_at(4).into())
        .then_expect_events(vec![]);
}

#[test]
fn a_capture_whose_fees_take_everything_is_recorded() {
    let terms = PlanTerms {
        flat_rate: Cents::new(1_000_00),
        ..terms()
    };
    let context = SaleContext {
        terms: Some(Arc::new(terms)),
        ..context_at(minute(0))
    };
    let business = replay(&history([CaptureSale {
        context,
        ..capture_at(0)
    }
    .into()]));
    assert_eq!(
        business.sales[&sale_facts().sale_id].status,
        SaleStatus::Succeeded
    );
    assert_eq!(business.accounts.receivable, Cents::ZERO);
    assert_eq!(business.accounts.platform_fees, Cents::new(300_00));
}
