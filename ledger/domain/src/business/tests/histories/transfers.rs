//! Random withdrawals, and properties that hold whatever staff and banks do.

use super::super::holds::{change, hold, hold_id, order, pay_court, release, release_of_sales};
use super::*;
use crate::business::tests::transfers::*;
use crate::transfer::{Direction, TransferStatus};
use crate::{PayoutId, TransferId};

/// Only a few transfers and payouts, so that commands concern the same ones.
pub(super) fn any_transfer_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => any_request().prop_map(submit),
        6 => any_decision_or_report().prop_map(|answer| Step::Submit(Box::new(answer))),
        2 => any_adjustment().prop_map(|adjustment| Step::Submit(Box::new(adjustment))),
    ]
}

fn any_request() -> impl Strategy<Value = RequestTransfer> {
    (
        any_transfer(),
        0_i64..400_00,
        0_i64..6_00,
        any::<bool>(),
        any::<bool>(),
        0_i64..40,
    )
        .prop_map(
            |(transfer_id, amount, fee, confirm_duplicate, confirm_destination, at)| RequestTransfer {
                transfer_id,
                confirm_duplicate,
                confirm_destination,
                occurred_at: minute(at),
                context: WithdrawalContext {
                    fee: Some(Cents::new(fee)),
                    ..request(1).context
                },
                // Many amounts are equal, and some are exactly the fee.
                ..request(if amount < 50_00 {
                    fee
                } else {
                    amount / 100_00 * 100_00
                })
            },
        )
}

fn any_decision_or_report() -> impl Strategy<Value = BusinessCommand> {
    let approvals = prop_oneof![3 => Just(Approvals::One), 1 => Just(Approvals::Two)];
    let by = prop_oneof![Just(ANA), Just(BIA)];
    let fee = prop_oneof![Just(ReturnedFee::Kept), Just(ReturnedFee::GivenBack)];
    (0_u8..12, any_transfer(), any_payout(), approvals, by, fee).prop_map(
        |(which, transfer_id, payout_id, approvals, by, fee)| match which {
            0 => GiveTransferApproval {
                transfer_id,
                ..first_approval_by(by)
            }
            .into(),
            1 => ProcessTransfer {
                transfer_id,
                by,
                approvals,
                ..process()
            }
            .into(),
            2 | 3 => {
                let payout_id = Some(payout_id);
                ProcessTransfer {
                    transfer_id,
                    payout_id,
                    by,
                    approvals,
                    ..process()
                }
                .into()
            }
            4 => ApproveTransfer {
                transfer_id,
                by,
                approvals,
                ..approve()
            }
            .into(),
            5 => RefuseTransfer {
                transfer_id,
                ..refuse()
            }
            .into(),
            6 => FailTransfer {
                transfer_id,
                ..fail()
            }
            .into(),
            7 => ReopenTransfer {
                transfer_id,
                ..reopen()
            }
            .into(),
            8 => PayoutPaid {
                transfer_id,
                payout_id,
                ..paid(1)
            }
            .into(),
            9 => PayoutFailed {
                transfer_id,
                payout_id,
                ..failed(1)
            }
            .into(),
            10 => PayoutReturned {
                transfer_id,
                payout_id,
                fee,
                ..returned(1)
            }
            .into(),
            _ => ReturnTransfer {
                transfer_id,
                fee,
                ..return_by_hand()
            }
            .into(),
        },
    )
}

fn any_adjustment() -> impl Strategy<Value = BusinessCommand> {
    (0_u8..6, 90_u128..102, 0_i64..500_00, any::<bool>()).prop_map(
        |(which, number, amount, allow_negative)| match which {
            0 | 1 => any_hold(number, amount, allow_negative),
            2 | 3 => any_change_of_hold(number, amount / 2, allow_negative),
            4 if allow_negative => write_off(amount).into(),
            _ => MakeManualTransfer {
                transfer_id: transfer_id(number),
                direction: if which == 4 { Direction::Out } else { Direction::In },
                allow_negative,
                ..credit(amount)
            }
            .into(),
        },
    )
}

/// Few holds and cases, so that commands concern the same ones.
fn any_hold(number: u128, amount: i64, by_court: bool) -> BusinessCommand {
    let hold_id = hold_id(number % 3 + 50);
    if by_court {
        PlaceHold {
            hold_id,
            ..order(amount, "0001")
        }
        .into()
    } else {
        PlaceHold {
            hold_id,
            ..hold(amount)
        }
        .into()
    }
}

fn any_change_of_hold(number: u128, amount: i64, other: bool) -> BusinessCommand {
    let placed = hold_id(number % 3 + 50);
    match (number % 4, other) {
        (0, true) => ChangeHold {
            hold_id: placed,
            ..change()
        }
        .into(),
        (1, true) => PayCourt {
            hold_id: placed,
            ..pay_court(amount)
        }
        .into(),
        (2, true) => release_of_sales(amount).into(),
        _ => ReleaseHold {
            hold_id: placed,
            ..release(amount)
        }
        .into(),
    }
}

fn any_transfer() -> impl Strategy<Value = TransferId> {
    (1_u128..5).prop_map(transfer_id)
}

fn any_payout() -> impl Strategy<Value = PayoutId> {
    (1_u128..4).prop_map(payout_id)
}

/// The history starts with money to withdraw.
fn any_withdrawals() -> impl Strategy<Value = Vec<(BusinessEvent, Business)>> {
    proptest::collection::vec(any_transfer_step(), 1..80).prop_map(|mut steps| {
        steps.insert(0, submit(credit(1_500_00)));
        applied(steps)
    })
}

/// A bank that decides each payout once and reports it late or repeatedly.
#[derive(Default)]
struct Bank {
    orders: Vec<PayoutOrder>,
}

struct PayoutOrder {
    transfer_id: TransferId,
    payout_id: PayoutId,
    paid: bool,
}

impl Bank {
    fn take(&mut self, events: &[BusinessEvent], paid: bool) {
        for event in events {
            if let BusinessEvent::Transfer(TransferEvent::TransferProcessing(TransferProcessing {
                transfer_id,
                payout_id: Some(payout_id),
                ..
            })) = event
            {
                self.orders.push(PayoutOrder {
                    transfer_id: *transfer_id,
                    payout_id: *payout_id,
                    paid,
                });
            }
        }
    }
}

impl PayoutOrder {
    fn notice(&self) -> BusinessCommand {
        let Self {
            transfer_id,
            payout_id,
            ..
        } = *self;
        if self.paid {
            PayoutPaid {
                transfer_id,
                payout_id,
                ..paid(1)
            }
            .into()
        } else {
            PayoutFailed {
                transfer_id,
                payout_id,
                ..failed(1)
            }
            .into()
        }
    }
}

fn recorded(business: &mut Business, command: &BusinessCommand) -> Result<Vec<BusinessEvent>, Refusal> {
    let events = business.decide(command)?;
    events.iter().for_each(|event| business.apply(event));
    Ok(events)
}

/// Gives a user's payout a new id. Returns false for the bank's reports, which are not commands of users.
fn prepare_user_command(command: &mut BusinessCommand, payouts: usize) -> bool {
    match command {
        BusinessCommand::PayoutPaid(_)
        | BusinessCommand::PayoutFailed(_)
        | BusinessCommand::PayoutReturned(_)
        | BusinessCommand::ReturnTransfer(_) => false,
        BusinessCommand::ProcessTransfer(command) => {
            let fresh = payout_id(100 + payouts as u128);
            command.payout_id = command.payout_id.map(|_| fresh);
            true
        }
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn in_transfer_is_the_sum_of_the_open_transfers(history in any_withdrawals()) {
        for (event, business) in history {
            let open = business.transfers.values().filter(|transfer| transfer.is_open());
            prop_assert_eq!(business.accounts.in_transfer, sum(open.map(|transfer| transfer.amount)), "{:?}", event);
            prop_assert!(business.accounts.held_by_staff >= Cents::ZERO);
        }
    }

    #[test]
    fn accounts_of_withdrawals_sum_to_zero_and_replay_to_the_same_state(history in any_withdrawals()) {
        let mut replayed = Business::default();
        for (event, business) in history {
            prop_assert_eq!(sum(Account::ALL.map(|account| business.accounts.get(account))), Cents::ZERO);
            prop_assert_eq!(sum(event.balance_changes().into_iter().map(|(_, amount)| amount)), Cents::ZERO);
            let stored = serde_json::to_string(&event).expect("events serialize");
            replayed.apply(&decode(event.type_name(), event.version(), &stored).expect("stored events read"));
            prop_assert_eq!(&replayed, &business);
        }
    }

    /// Even if banks contradict themselves, a transfer is approved once. Afterwards it is returned at most once.
    #[test]
    fn no_transfer_is_paid_or_returned_twice(history in any_withdrawals()) {
        let (mut approved, mut returned) = (BTreeSet::new(), BTreeSet::new());
        for (event, _) in history {
            for transfer in event.transfer_ids() {
                if let BusinessEvent::Transfer(TransferEvent::TransferReturned(_)) = event {
                    prop_assert!(approved.contains(&transfer) && returned.insert(transfer), "{event:?}");
                } else {
                    prop_assert!(!approved.contains(&transfer), "{event:?}");
                }
            }
            if let BusinessEvent::Transfer(TransferEvent::TransferApproved(event)) = event {
                approved.insert(event.transfer_id);
            }
        }
    }

    /// No other command and no report of another payout ends a payout in flight, because the money may have left. The
    /// exception is an earlier payout that was reported as failed and was paid after all.
    #[test]
    fn only_its_result_or_an_earlier_payment_ends_a_payout(history in any_withdrawals()) {
        let mut before = Business::default();
        for (event, business) in history {
            let transfers = event.transfer_ids().into_iter().filter_map(|transfer| before.transfers.get(&transfer));
            for transfer in transfers {
                let Some(in_flight) = transfer.payout_in_flight() else { continue };
                if let BusinessEvent::Transfer(TransferEvent::TransferApproved(TransferApproved { payout_id: Some(earlier), .. })) = &event
                    && transfer.failed_payouts.contains(earlier)
                {
                    continue;
                }
                let reported_payout = match &event {
                    BusinessEvent::Transfer(TransferEvent::TransferApproved(event)) => event.payout_id,
                    BusinessEvent::Transfer(TransferEvent::TransferFailed(event)) => event.payout_id,
                    _ => None,
                };
                prop_assert_eq!(reported_payout, Some(in_flight), "{:?}", event);
            }
            before = business;
        }
    }

    #[test]
    fn withdrawals_and_reopenings_never_overdraw(history in any_withdrawals()) {
        let mut before = Business::default();
        for (event, business) in history {
            let must_be_covered = match &event {
                BusinessEvent::Transfer(TransferEvent::TransferRequested(_)) | BusinessEvent::Balance(BalanceEvent::HoldPlaced(_) | BalanceEvent::HoldRaised(_)) => true,
                // A bank's report reopens and approves at one instant, the report's time.
                BusinessEvent::Transfer(TransferEvent::TransferReopened(event)) => event.occurred_at != paid(1).occurred_at,
                _ => false,
            };
            let less = business.accounts.available < before.accounts.available;
            prop_assert!(!(must_be_covered && less) || business.accounts.available >= Cents::ZERO, "{event:?}");
            before = business;
        }
    }

    #[test]
    fn a_reported_payment_is_recorded_once_or_refused_for_a_known_reason(history in any_withdrawals(), transfer in any_transfer(), payout in any_payout()) {
        let mut business = history.last().map(|(_, business)| business.clone()).expect("a credit at least");
        let notice = PayoutPaid { transfer_id: transfer, payout_id: payout, ..paid(1) };
        match business.decide(&notice.clone().into()) {
            Ok(events) => {
                events.iter().for_each(|event| business.apply(event));
                let transfer = &business.transfers[&transfer];
                let status = match transfer.returned_at {
                    Some(_) => TransferStatus::Failed,
                    None => TransferStatus::Approved,
                };
                prop_assert_eq!((transfer.status, transfer.payout_id), (status, Some(payout)));
                prop_assert_eq!(business.decide(&notice.into()), Ok(vec![]));
            }
            Err(refusal) => prop_assert!(matches!(
                refusal,
                Refusal::Transfer(
                    TransferRefusal::UnknownTransfer
                        | TransferRefusal::AnotherPayoutInFlight
                        | TransferRefusal::PaidTwice
                        | TransferRefusal::PaidAfterReturn
                )
            ), "{refusal:?}"),
        }
    }

    /// The bank reports late and repeatedly. After all reports, the accounts agree with the bank.
    #[test]
    fn the_accounts_agree_with_a_bank_that_reports_late_and_twice(
        steps in proptest::collection::vec((any_transfer_step(), any::<bool>(), any::<usize>()), 1..80),
    ) {
        let (mut business, mut bank) = (Business::default(), Bank::default());
        let mut by_hand = Cents::ZERO;
        business.apply(&history([credit(1_500_00).into()])[0]);
        for (step, pays, which) in steps {
            // In about half of the steps, the bank reports one of its payouts.
            if let Some(order) = bank.orders.get(which % (2 * bank.orders.len()).max(1)) {
                prop_assert!(recorded(&mut business, &order.notice()).is_ok(), "a true report is never refused");
            }
            let Some(mut submitted) = command(&business, step) else { continue };
            if prepare_user_command(&mut submitted, bank.orders.len())
                && let Ok(events) = recorded(&mut business, &submitted)
            {
                bank.take(&events, pays);
                by_hand = events.iter().fold(by_hand, |by_hand, event| match event {
                    BusinessEvent::Transfer(TransferEvent::TransferApproved(event)) => by_hand.saturating_add(event.amount.saturating_sub(event.fee)),
                    BusinessEvent::Balance(BalanceEvent::CourtPaid(event)) => by_hand.saturating_add(event.amount),
                    _ => by_hand,
                });
            }
        }
        for order in &bank.orders {
            prop_assert!(recorded(&mut business, &order.notice()).is_ok());
        }

        let paid_orders: Vec<_> = bank.orders.iter().filter(|order| order.paid).collect();
        let paid_transfers: BTreeSet<_> = paid_orders.iter().map(|order| order.transfer_id).collect();
        prop_assert_eq!(paid_orders.len(), paid_transfers.len(), "nothing is paid twice");
        let by_bank = sum(paid_transfers.iter().map(|transfer| {
            let transfer = &business.transfers[transfer];
            assert_eq!(transfer.status, TransferStatus::Approved);
            transfer.amount.saturating_sub(transfer.fee)
        }));
        let adjusted = sum(business.transfers.values().filter_map(|transfer| {
            let adjusts = transfer.destination.is_none();
            adjusts.then(|| match transfer.direction {
                Direction::Out => transfer.amount,
                Direction::In => Cents::ZERO.saturating_sub(transfer.amount),
            })
        }));
        prop_assert_eq!(business.accounts.clearing, sum([by_bank, by_hand, adjusted]));
    }
}
