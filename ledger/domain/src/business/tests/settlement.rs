//! Settlement of installments: each once and at its own due date.

use super::*;
use crate::calendar::start_of;

fn captured() -> Vec<BusinessEvent> {
    history([capture_at(0).into()])
}

fn first_settled() -> BusinessEvent {
    BusinessEvent::from(ReceivablesSettled {
        occurred_at: start_of(date("2026-12-23")),
        due_date: date("2026-12-23"),
        settled: vec![SettledReceivable {
            sale_id: sale_facts().sale_id,
            number: 1,
            net: Cents::new(97_00),
            reserved: Cents::ZERO,
        }],
        total: Cents::new(97_00),
        reserve: None,
    })
}

#[tokio::test]
async fn an_installment_settles_at_the_start_of_its_due_date() {
    given(captured())
        .when_async(settle("2026-12-23", &[1]).into())
        .await
        .then_expect_events(vec![first_settled()]);
    assert_eq!(
        first_settled().occurred_at().to_rfc3339(),
        "2026-12-23T03:00:00+00:00"
    );
}

#[test]
fn a_late_settlement_is_effective_at_the_due_date() {
    let late = SettleReceivables {
        today: date("2027-03-01"),
        ..settle("2026-12-23", &[1])
    };
    given(captured())
        .when(late.into())
        .then_expect_events(vec![first_settled()]);
}

#[test]
fn an_installment_suggested_twice_settles_once() {
    given(captured())
        .when(settle("2026-12-23", &[1, 1]).into())
        .then_expect_events(vec![first_settled()]);
    given(captured())
        .and(vec![first_settled()])
        .when(settle("2026-12-23", &[1]).into())
        .then_expect_events(vec![]);
}

#[test]
fn an_installment_of_another_due_date_or_unknown_sale_is_ignored() {
    given(captured())
        .when(settle("2026-12-23", &[1, 2, 3, 4]).into())
        .then_expect_events(vec![first_settled()]);
    let unknown = SettleReceivables {
        installments: vec![(sale_id(99), 1)],
        ..settle("2026-12-23", &[])
    };
    given(captured()).when(unknown.into()).then_expect_events(vec![]);
}

/// 60 sales in 12 installments that all settle on the next business day: 720 installments of one due date.
#[test]
fn an_event_settles_at_most_500_installments() {
    let terms = Arc::new(advanced_terms());
    let captures = (1..=60).map(|number| {
        let sale = SaleFacts {
            sale_id: sale_id(number),
            installments: 12,
            ..sale_facts()
        };
        let context = SaleContext {
            terms: Some(Arc::clone(&terms)),
            ..context_at(minute(0))
        };
        CaptureSale {
            sale,
            occurred_at: minute(0),
            context,
        }
        .into()
    });
    let installments = (1..=60)
        .flat_map(|sale| (1..=12).map(move |number| (sale_id(sale), number)))
        .collect();
    let command = SettleReceivables {
        installments,
        ..settle("2026-11-24", &[])
    };

    let mut business = replay(&history(captures));
    let promised = business.accounts.receivable;
    let settled = business.decide(&command.into()).expect("all are due");
    settled.iter().for_each(|event| business.apply(event));

    let counts: Vec<_> = settled
        .iter()
        .map(|event| match event {
            BusinessEvent::Sale(SaleEvent::ReceivablesSettled(event)) => event.settled.len(),
            other => panic!("a settlement, not {other:?}"),
        })
        .collect();
    assert_eq!(counts, [INSTALLMENTS_PER_EVENT, 720 - INSTALLMENTS_PER_EVENT]);
    assert_eq!(
        (business.accounts.receivable, business.accounts.available),
        (Cents::ZERO, promised)
    );
}

#[test]
fn a_plan_of_zero_days_settles_at_the_capture() {
    let terms = PlanTerms {
        settlement_days: 0,
        solution: Solution::PaymentLink,
        ..terms()
    };
    let context = SaleContext {
        terms: Some(Arc::new(terms)),
        ..context_at(minute(0))
    };
    let pix = CaptureSale {
        sale: pix_facts(),
        occurred_at: minute(0),
        context,
    };
    let events = history([pix.into()]);
    let [
        BusinessEvent::Sale(SaleEvent::SaleCaptured(captured)),
        BusinessEvent::Sale(SaleEvent::ReceivablesSettled(settled)),
    ] = events.as_slice()
    else {
        panic!("a capture and its settlement, not {events:?}");
    };
    assert_eq!(captured.receivables[0].due_date, date("2026-11-23"));
    assert_eq!(
        (settled.due_date, settled.occurred_at),
        (date("2026-11-23"), minute(0))
    );
    // The PIX fee is 1 %.
    assert_eq!(settled.total, Cents::new(300_00 - 3_00));
    assert_eq!(replay(&events).sales[&sale_facts().sale_id].open, []);
}

#[test]
fn a_settlement_names_each_sale_once() {
    let (one, other) = (sale_id(1), sale_id(2));
    let installments = vec![(other, 1), (one, 1), (other, 2), (one, 2)];
    let command = SettleReceivables {
        installments: installments.clone(),
        ..settle("2026-12-23", &[])
    };
    assert_eq!(BusinessCommand::from(command).sale_ids(), [one, other]);

    let settled = installments
        .into_iter()
        .map(|(sale_id, number)| SettledReceivable {
            sale_id,
            number,
            net: Cents::new(1),
            reserved: Cents::ZERO,
        });
    let event = BusinessEvent::from(ReceivablesSettled {
        occurred_at: minute(0),
        due_date: date("2026-12-23"),
        settled: settled.collect(),
        total: Cents::new(4),
        reserve: None,
    });
    assert_eq!(event.sale_ids(), [one, other]);
}
