//! Delivers a sale's notices in every order, also with one of them repeated, and retries refused ones. The balances at
//! the end are the same, or a refusal waits for staff.

use super::*;

pub(super) type Notices = Vec<BusinessCommand>;

/// The result of a sale's notices, without the instants of the creation and of the void, which depend on the order.
#[derive(Debug, PartialEq)]
pub(super) struct Outcome {
    pub accounts: Accounts,
    pub sale: Option<Sale>,
    pub waiting: Vec<Refusal>,
}

pub(super) fn outcome_of(notices: &[BusinessCommand]) -> Outcome {
    deliver(notices).0
}

/// Delivers the notices one by one and tries the refused ones again after each change. Returns the outcome, and the
/// notices that still wait.
pub(super) fn deliver(notices: &[BusinessCommand]) -> (Outcome, Notices) {
    let mut business = Business::default();
    let mut waiting: Vec<(BusinessCommand, Refusal)> = vec![];
    for notice in notices {
        let mut queue = vec![notice.clone()];
        while let Some(notice) = queue.pop() {
            match decide(&business, notice.clone()) {
                Ok(events) if events.is_empty() => {}
                Ok(events) => {
                    events.iter().for_each(|event| business.apply(event));
                    queue.extend(waiting.drain(..).map(|(notice, _)| notice));
                }
                Err(refusal) => waiting.push((notice, refusal)),
            }
        }
    }
    let sale = business.sales.remove(&sale_facts().sale_id);
    let (notices, refusals) = waiting.into_iter().unzip();
    let outcome = Outcome {
        accounts: business.accounts,
        sale: sale.map(|sale| Sale {
            created_at: None,
            voided_at: None,
            ..sale
        }),
        waiting: refusals,
    };
    (outcome, notices)
}

/// Decides as the store does: once more if the decision needs the plan's terms as of another instant.
pub(super) fn decide(
    business: &Business,
    mut notice: BusinessCommand,
) -> Result<Vec<BusinessEvent>, Refusal> {
    match business.decide(&notice) {
        Err(Refusal::TermsNeededAt(instant)) => {
            let (_, _, context) = notice
                .context_mut()
                .expect("only commands with a context need terms");
            context.terms_at = instant;
            business.decide(&notice)
        }
        decided => decided,
    }
}

fn orders(notices: &[BusinessCommand]) -> Vec<Notices> {
    match notices {
        [] => vec![vec![]],
        _ => (0..notices.len())
            .flat_map(|first| {
                let mut rest = notices.to_vec();
                let first = rest.remove(first);
                orders(&rest).into_iter().map(move |mut order| {
                    order.insert(0, first.clone());
                    order
                })
            })
            .collect(),
    }
}

/// Every order of the notices, and every order in which one of them is delivered twice. For 5 notices these are
/// 5! + 5 × 6! = 3,720 orders.
pub(super) fn every_delivery(notices: &[BusinessCommand]) -> Vec<Notices> {
    let once = orders(notices);
    let twice = (0..notices.len()).flat_map(|again| {
        let mut notices = notices.to_vec();
        notices.push(notices[again].clone());
        orders(&notices)
    });
    once.into_iter().chain(twice).collect()
}

fn paid() -> Outcome {
    outcome_of(&[capture_at(5).into()])
}

#[test]
fn notices_of_a_paid_sale_lead_to_the_same_balances_in_every_order() {
    let notices: [BusinessCommand; 4] = [
        create_at(0).into(),
        fail_at(2).into(),
        void_at(3).into(),
        capture_at(5).into(),
    ];
    for order in every_delivery(&notices) {
        assert_eq!(outcome_of(&order), paid(), "{order:#?}");
    }
}

#[test]
fn a_failure_dated_after_the_payment_changes_no_balance() {
    let notices: [BusinessCommand; 3] = [create_at(0).into(), capture_at(5).into(), fail_at(6).into()];
    for order in every_delivery(&notices) {
        let Outcome {
            accounts,
            sale,
            waiting,
        } = outcome_of(&order);
        assert_eq!((accounts, sale), (paid().accounts, paid().sale), "{order:#?}");
        let is_for_staff = |refusal: &Refusal| *refusal == Refusal::StatusForbids(SaleStatus::Succeeded);
        assert!(waiting.iter().all(is_for_staff), "{waiting:?}");
    }
}

/// The later one decides who gets the money. With equal times one of them waits for staff, and none is dropped.
#[test]
fn a_payment_and_a_void_at_one_instant_leave_one_waiting() {
    let notices: [BusinessCommand; 3] = [create_at(0).into(), capture_at(5).into(), void_at(5).into()];
    for order in every_delivery(&notices) {
        let Outcome {
            accounts,
            sale,
            waiting,
        } = outcome_of(&order);
        let consistent = match sale.map(|sale| sale.status) {
            Some(SaleStatus::Succeeded) => accounts == paid().accounts,
            Some(SaleStatus::Canceled) => accounts == Accounts::default(),
            _ => false,
        };
        assert!(consistent, "{accounts:?}: {order:#?}");
        let is_for_staff = |refusal: &Refusal| *refusal == Refusal::CaptureAndVoidAtOnce;
        assert!(
            !waiting.is_empty() && waiting.iter().all(is_for_staff),
            "{waiting:?}"
        );
    }
}

#[test]
fn a_payment_voided_afterwards_is_returned_in_every_order() {
    let notices: [BusinessCommand; 4] = [
        create_at(0).into(),
        fail_at(2).into(),
        capture_at(5).into(),
        void_at(6).into(),
    ];
    for order in every_delivery(&notices) {
        let outcome = outcome_of(&order);
        assert_eq!(outcome.waiting, [], "{order:#?}");
        assert_eq!(outcome.accounts, Accounts::default(), "{order:#?}");
        let sale = outcome.sale.expect("the sale is known");
        assert_eq!(
            (sale.status, sale.captured_at),
            (SaleStatus::Canceled, Some(minute(5)))
        );
    }
}

#[test]
fn a_void_reported_before_its_sale_waits_for_the_sale() {
    assert_eq!(outcome_of(&[void_at(3).into()]).waiting, [Refusal::UnknownSale]);
    let outcome = outcome_of(&[void_at(3).into(), create_at(0).into()]);
    assert_eq!(outcome.waiting, []);
    assert_eq!(outcome.sale.map(|sale| sale.status), Some(SaleStatus::Canceled));
}

#[test]
fn a_failed_and_voided_sale_moves_no_money_and_one_notice_waits() {
    let notices: [BusinessCommand; 3] = [create_at(0).into(), fail_at(2).into(), void_at(3).into()];
    for order in every_delivery(&notices) {
        let Outcome {
            accounts,
            sale,
            waiting,
        } = outcome_of(&order);
        assert_eq!(accounts, Accounts::default());
        let status = sale.map(|sale| sale.status).expect("the sale is known");
        assert!(
            matches!(status, SaleStatus::Failed | SaleStatus::Canceled),
            "{status}"
        );
        assert!(
            waiting
                .iter()
                .all(|refusal| *refusal == Refusal::StatusForbids(status)),
            "{waiting:?}"
        );
        assert!(!waiting.is_empty(), "{order:#?}");
    }
}
