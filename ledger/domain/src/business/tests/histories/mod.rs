//! Properties of random histories.

mod reversals;
mod transfers;

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::strategy::ValueTree;

use self::reversals::{any_rental_step, any_reversal_step};
use self::transfers::any_transfer_step;
use super::notices::decide;
use super::*;
use crate::HoldId;
use crate::calendar::days_after;
use crate::reserve::ReserveTerms;

/// Only a few sales, so that commands concern the same ones.
fn any_facts() -> impl Strategy<Value = SaleFacts> {
    let amount = prop_oneof![1_i64..50, 1_00_i64..1_000_00, Just(Cents::AMOUNT_MAX.get())];
    (1_u128..5, amount, 0_u8..14, any::<bool>()).prop_map(|(number, amount, installments, pix)| {
        let base = if pix {
            pix_facts()
        } else {
            SaleFacts {
                installments,
                ..sale_facts()
            }
        };
        SaleFacts {
            sale_id: sale_id(number),
            amount: Cents::new(amount),
            ..base
        }
    })
}

fn any_context() -> impl Strategy<Value = SaleContext> {
    let company_status = prop_oneof![
        8 => Just(CompanyStatus::Active),
        1 => Just(CompanyStatus::Denied),
        1 => Just(CompanyStatus::Pending)
    ];
    (
        company_status,
        0_u8..40,
        prop_oneof![Just("0"), Just("1.8")],
        0_i64..2_00,
        any_reserve(),
    )
        .prop_map(|(company_status, settlement_days, advance, flat_rate, reserve)| {
            let mdr = || MdrFees {
                advance: rate(advance),
                ..mdr()
            };
            let terms = PlanTerms {
                kind: PlanKind::Mdr {
                    visamaster: mdr(),
                    others: mdr(),
                },
                settlement_days,
                flat_rate: Cents::new(flat_rate),
                ..terms()
            };
            SaleContext {
                company_status,
                terms: Some(Arc::new(terms)),
                reserve,
                ..context_at(minute(0))
            }
        })
}

/// A quarter of a day's settlements have no reserve.
fn any_reserve() -> impl Strategy<Value = Option<ReserveTerms>> {
    let percentage = prop_oneof![Just("10"), Just("33.3333"), Just("100")];
    let maximum = proptest::option::of((1_i64..2_000_00).prop_map(Cents::new));
    let terms = (percentage, maximum, 0_u64..3).prop_map(|(percentage, maximum, days)| ReserveTerms {
        percentage: rate(percentage),
        maximum,
        release_on: days_after(date("2027-06-01"), days),
    });
    proptest::option::weighted(0.75, terms)
}

/// A command, or how to derive one from the state, so that not every command is refused.
#[derive(Debug, Clone)]
enum Step {
    Submit(Box<BusinessCommand>),
    CaptureAsRecorded(usize, i64, SaleContext),
    SettleDue(usize, Option<ReserveTerms>),
    ReleaseReserve(usize),
    AnswerOpenDispute(usize, reversals::Answer),
    AnswerRefund(usize, bool),
}

fn submit(command: impl Into<BusinessCommand>) -> Step {
    Step::Submit(Box::new(command.into()))
}

fn any_step() -> impl Strategy<Value = Step> {
    let reported = || (any_facts(), (0_i64..30).prop_map(minute), any_context());
    prop_oneof![
        reported().prop_map(|(sale, occurred_at, context)| submit(CreateSale {
            sale,
            occurred_at,
            context
        })),
        reported().prop_map(|(sale, occurred_at, context)| submit(CaptureSale {
            sale,
            occurred_at,
            context
        })),
        reported().prop_map(|(sale, occurred_at, context)| {
            submit(FailSale {
                sale,
                occurred_at,
                reason: None,
                context,
            })
        }),
        (1_u128..5, 0_i64..30).prop_map(|(number, at)| submit(VoidSale {
            sale_id: sale_id(number),
            ..void_at(at)
        })),
        (any::<usize>(), 0_i64..30, any_context())
            .prop_map(|(which, at, context)| Step::CaptureAsRecorded(which, at, context)),
        (any::<usize>(), any_reserve()).prop_map(|(which, reserve)| Step::SettleDue(which, reserve)),
        any::<usize>().prop_map(Step::ReleaseReserve),
    ]
}

/// Commands on sales, transfers, disputes and rentals.
fn any_command_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => any_step(),
        5 => any_transfer_step(),
        4 => any_reversal_step(),
        1 => any_rental_step(),
    ]
}

/// The step's command in this state; `None` if nothing matches.
fn command(business: &Business, step: Step) -> Option<BusinessCommand> {
    match step {
        Step::Submit(command) => Some(*command),
        Step::CaptureAsRecorded(which, at, context) => {
            let (sale_id, sale) = business.sales.iter().nth(which % business.sales.len().max(1))?;
            let base = if sale.payment_type == PaymentType::Pix {
                pix_facts()
            } else {
                sale_facts()
            };
            let facts = SaleFacts {
                sale_id: *sale_id,
                amount: sale.amount,
                installments: sale.installments,
                ..base
            };
            Some(
                CaptureSale {
                    sale: facts,
                    occurred_at: minute(at),
                    context,
                }
                .into(),
            )
        }
        Step::AnswerOpenDispute(which, answer) => reversals::answer(business, which, answer),
        Step::AnswerRefund(which, named) => reversals::refund_answer(business, which, named),
        Step::ReleaseReserve(which) => {
            let reserved = business.sales.values().flat_map(|sale| &sale.reserved);
            let dates: BTreeSet<_> = reserved.map(|reserved| reserved.release_on).collect();
            let release_on = *dates.iter().nth(which % dates.len().max(1))?;
            Some(
                ReleaseReserve {
                    release_on,
                    today: release_on,
                    installments: every_installment(business),
                }
                .into(),
            )
        }
        Step::SettleDue(which, reserve) => {
            let dates: BTreeSet<_> = business
                .sales
                .values()
                .flat_map(|sale| &sale.open)
                .map(|open| open.due_date)
                .collect();
            let due_date = *dates.iter().nth(which % dates.len().max(1))?;
            Some(
                SettleReceivables {
                    due_date,
                    today: due_date,
                    installments: every_installment(business),
                    reserve,
                }
                .into(),
            )
        }
    }
}

fn every_installment(business: &Business) -> Vec<(SaleId, u8)> {
    business
        .sales
        .keys()
        .flat_map(|sale| (1..=21).map(|number| (*sale, number)))
        .collect()
}

/// Every event of a random history with the state after it.
fn applied(steps: Vec<Step>) -> Vec<(BusinessEvent, Business)> {
    let mut business = Business::default();
    let mut applied = vec![];
    for step in steps {
        let Some(command) = command(&business, step) else {
            continue;
        };
        let before = business.clone();
        let Ok(events) = decide(&business, command) else {
            assert_eq!(business, before, "a refusal changes nothing");
            continue;
        };
        for event in events {
            business.apply(&event);
            applied.push((event, business.clone()));
        }
    }
    applied
}

fn any_history() -> impl Strategy<Value = Vec<(BusinessEvent, Business)>> {
    let steps = proptest::collection::vec(any_command_step(), 1..120);
    (steps, any::<bool>()).prop_map(|(mut steps, funded)| {
        if funded {
            steps.insert(0, submit(super::transfers::credit(3_000_00)));
        }
        applied(steps)
    })
}

fn sum(amounts: impl IntoIterator<Item = Cents>) -> Cents {
    Cents::total(amounts).expect("a few sales fit")
}

/// The event as a proof has it; only what its postings need.
fn recorded_text(event: &BusinessEvent) -> razao_verify::proof::Event {
    razao_verify::proof::Event {
        sequence: 1,
        position: 1,
        event_id: String::new(),
        event_type: event.type_name().to_owned(),
        event_version: event.version().to_owned(),
        recorded_at: 0,
        occurred_at: 0,
        key: None,
        metadata_sha256: razao_verify::proof::Hex([0; 32]),
        payload: serde_json::to_string(event).expect("JSON"),
        path: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn accounts_and_postings_sum_to_zero(history in any_history()) {
        for (event, business) in history {
            prop_assert_eq!(sum(Account::ALL.map(|account| business.accounts.get(account))), Cents::ZERO);
            prop_assert_eq!(sum(event.balance_changes().into_iter().map(|(_, amount)| amount)), Cents::ZERO);
        }
    }

    /// Outsiders add up a second statement of the rules, by the recorded text alone.
    #[test]
    fn a_proof_of_the_recorded_events_gives_the_same_balances(history in any_history()) {
        let mut proven = razao_verify::Accounts::default();
        for (event, business) in history {
            let recorded = recorded_text(&event);
            proven.post(&razao_verify::postings::postings(&recorded).expect("a known event")).expect("small amounts");
            let accounts = serde_json::to_value(business.accounts).expect("JSON");
            prop_assert_eq!(serde_json::to_value(proven).expect("JSON"), accounts, "{:?}", event);
        }
    }

    /// A command and its refusal arrive unchanged at another process. The reference data stay behind.
    #[test]
    fn commands_and_refusals_can_be_sent(steps in proptest::collection::vec(any_command_step(), 1..60)) {
        let mut business = Business::default();
        for step in steps {
            let Some(mut given) = command(&business, step) else {
                continue;
            };
            let decided = decide(&business, given.clone());
            if let Some((_, _, context)) = given.context_mut() {
                *context = SaleContext::unknown(context.business_id, context.terms_at);
            }
            let sent = serde_json::to_vec(&given).expect("a text");
            let received: BusinessCommand = serde_json::from_slice(&sent).expect("a command");
            prop_assert_eq!(format!("{received:?}"), format!("{given:?}"));
            match decided {
                Ok(events) => events.iter().for_each(|event| business.apply(event)),
                Err(refusal) => {
                    let sent = serde_json::to_vec(&refusal).expect("a text");
                    prop_assert_eq!(serde_json::from_slice::<Refusal>(&sent).expect("a refusal"), refusal);
                }
            }
        }
    }

    #[test]
    fn the_receivable_account_is_the_sum_of_the_open_receivables(history in any_history()) {
        for (event, business) in history {
            let open = sum(business.sales.values().flat_map(|sale| &sale.open).map(|open| open.net));
            prop_assert_eq!(business.accounts.receivable, open, "{:?}", event);
            prop_assert!(business.accounts.receivable >= Cents::ZERO);
            prop_assert!(business.sales.values().flat_map(|sale| &sale.open).all(|open| open.net >= Cents::ZERO));
        }
    }

    #[test]
    fn every_sale_is_captured_and_every_installment_settled_at_most_once(history in any_history()) {
        let (mut captured, mut settled) = (BTreeSet::new(), BTreeSet::new());
        for (event, _) in history {
            match event {
                BusinessEvent::Sale(SaleEvent::SaleCaptured(event)) => prop_assert!(captured.insert(event.sale.sale_id)),
                BusinessEvent::Sale(SaleEvent::ReceivablesSettled(event)) => {
                    for one in event.settled {
                        prop_assert!(captured.contains(&one.sale_id));
                        prop_assert!(settled.insert((one.sale_id, one.number)));
                    }
                }
                _ => {}
            }
        }
    }

    /// A sale is marked as `held` if the company was not active at the capture. No part of it can be withdrawn before
    /// staff release it.
    #[test]
    fn a_settlement_of_a_held_sale_is_held_in_the_same_decision(
        steps in proptest::collection::vec(any_step(), 1..120),
    ) {
        let mut expected = Cents::ZERO;
        for (event, business) in applied(steps) {
            match event {
                BusinessEvent::Sale(SaleEvent::ReceivablesSettled(event)) => {
                    let held = event.settled.iter().filter(|one| business.sales[&one.sale_id].held);
                    expected = sum(held.map(|one| one.net));
                }
                BusinessEvent::Balance(BalanceEvent::AmountHeld(event)) => {
                    prop_assert_eq!(event.amount, expected);
                    expected = Cents::ZERO;
                }
                _ => prop_assert_eq!(expected, Cents::ZERO, "no event in between: {:?}", event),
            }
        }
        prop_assert_eq!(expected, Cents::ZERO);
    }

    /// Whatever else staff hold, an approval releases no more than the unreleased holds on sales.
    #[test]
    fn an_approval_takes_no_other_hold(
        steps in proptest::collection::vec(any_step(), 1..60), other in 1..50_000_i64,
    ) {
        let mut business = Business::default();
        for (_, after) in applied(steps) {
            prop_assert!(after.held_for_sales >= Cents::ZERO);
            prop_assert!(after.held_for_sales <= after.accounts.held_by_staff);
            business = after;
        }
        business.apply(&BusinessEvent::from(AmountHeld {
            occurred_at: minute(500),
            amount: Cents::new(other),
            reason: "Ordem judicial".to_owned(),
        }));
        let approval = ReleaseSales {
            sale_ids: business.sales.keys().copied().collect(),
            occurred_at: minute(501),
        };
        let released = business.decide(&approval.into()).expect("an approval");
        released.iter().for_each(|event| business.apply(event));
        prop_assert!(business.accounts.held_by_staff >= Cents::new(other));
    }

    /// No cent is held without a hold, and a court that has not got what it ordered leaves nothing available.
    #[test]
    fn the_holds_are_what_staff_hold(history in any_history()) {
        for (event, business) in &history {
            let holds = business.holds.iter().map(|hold| hold.amount);
            prop_assert!(holds.clone().all(|amount| amount >= Cents::ZERO));
            let held = sum(holds.chain([business.held_for_sales]));
            prop_assert_eq!(business.accounts.held_by_staff, held, "{:?}", event);
        }
        if let Some((_, business)) = history.last() {
            let missing = sum(business.holds.iter().map(Hold::missing));
            prop_assert!(missing == Cents::ZERO || business.accounts.available <= Cents::ZERO);
        }
    }

    /// Each share that is held belongs to a sale that may still be reversed, and leaves with it.
    #[test]
    fn the_reserve_is_what_is_held_of_the_sales(history in any_history()) {
        for (event, business) in &history {
            let of_sales = sum(business.sales.values().flat_map(|sale| &sale.reserved).map(|reserved| reserved.amount));
            let hold = business.hold(HoldId::RESERVE).map_or(Cents::ZERO, |hold| hold.amount);
            prop_assert_eq!(hold, of_sales, "{:?}", event);
            for sale in business.sales.values() {
                prop_assert!(sale.reserved.is_empty() || !sale.held);
                let reserved = sum(sale.reserved.iter().map(|reserved| reserved.amount));
                prop_assert!(reserved <= sale.net);
            }
        }
        if let Some((_, business)) = history.last() {
            let ended = |sale: &&Sale| !matches!(sale.status, SaleStatus::Succeeded | SaleStatus::Dispute);
            prop_assert!(business.sales.values().filter(ended).all(|sale| sale.reserved.is_empty()));
        }
    }

    /// Through the stored JSON, like the audit.
    #[test]
    fn replaying_the_stored_events_reaches_the_same_state(history in any_history()) {
        let mut replayed = Business::default();
        for (event, business) in history {
            let stored = serde_json::to_string(&event).expect("events serialize");
            replayed.apply(&decode(event.type_name(), event.version(), &stored).expect("stored events read"));
            prop_assert_eq!(&replayed, &business);
        }
    }

    /// The writer loads only the sales and transfers that a command names. The decision must be the same.
    #[test]
    fn a_decision_reads_only_what_its_command_names(history in any_history(), step in any_command_step()) {
        let business = history.last().map(|(_, business)| business.clone()).unwrap_or_default();
        if let Some(command) = command(&business, step) {
            let mut loaded = business.clone();
            loaded.sales.retain(|sale_id, _| command.sale_ids().contains(sale_id));
            loaded.transfers.retain(|transfer_id, _| command.transfer_ids().contains(transfer_id));
            prop_assert_eq!(loaded.decide(&command), business.decide(&command));
        }
    }
}

/// Guards the properties above: they also hold for empty histories.
#[test]
fn random_histories_contain_every_event_type() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = BTreeSet::new();
    for _ in 0..512 {
        let history = any_history().new_tree(&mut runner).expect("a history").current();
        seen.extend(history.iter().map(|(event, _)| event.type_name()));
    }
    assert_eq!(seen, BusinessEvent::TYPES.iter().map(|(name, _)| *name).collect());
}

/// Notes each field of a value with the kind of its value, such as `CaptureSale.sale.amount: number`.
fn note_fields(of: &serde_json::Value, at: &str, fields: &mut BTreeSet<String>) {
    use serde_json::Value;
    match of {
        Value::Object(object) => {
            for (name, value) in object {
                note_fields(value, &format!("{at}.{name}"), fields);
            }
        }
        Value::Array(values) => values
            .iter()
            .for_each(|value| note_fields(value, &format!("{at}[]"), fields)),
        Value::Null => {}
        Value::Bool(_) => drop(fields.insert(format!("{at}: bool"))),
        Value::Number(_) => drop(fields.insert(format!("{at}: number"))),
        Value::String(_) => drop(fields.insert(format!("{at}: text"))),
    }
}

/// A field that a process does not know would be lost: a change of this snapshot needs a higher
/// `ledger_store::peers::PROTOCOL`.
#[test]
fn the_fields_of_sent_commands() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut fields = BTreeSet::new();
    for _ in 0..600 {
        let steps = proptest::collection::vec(any_command_step(), 1..60);
        let steps = steps.new_tree(&mut runner).expect("steps").current();
        let mut business = Business::default();
        for step in steps {
            let Some(given) = command(&business, step) else {
                continue;
            };
            let sent = serde_json::to_value(&given).expect("a text");
            note_fields(&sent, "", &mut fields);
            match decide(&business, given) {
                Ok(events) => events.iter().for_each(|event| business.apply(event)),
                Err(refusal) => {
                    let sent = serde_json::to_value(&refusal).expect("a text");
                    note_fields(&sent, "refusal", &mut fields);
                }
            }
        }
    }
    insta::assert_snapshot!("sent_commands", fields.into_iter().collect::<Vec<_>>().join("\n"));
}
