//! Random reversals and rentals, and properties of a sale's money.

use super::*;
use crate::TransferId;
use crate::business::tests::reversals::*;
use crate::sale::DisputeId;

pub(super) fn any_reversal_step() -> impl Strategy<Value = Step> {
    let reported = (0_u8..11, 1_u128..5, any_dispute(), 0_i64..40, any::<bool>());
    let submitted = reported.prop_map(|(which, sale, dispute_id, at, by_acquirer)| {
        let sale_id = sale_id(sale);
        match which {
            0 | 1 => submit(CancelSale {
                sale_id,
                ..cancel(at)
            }),
            2 => submit(RefundSale {
                sale_id,
                ..refund(at)
            }),
            3 => submit(ReverseSale {
                sale_id,
                ..reverse(at)
            }),
            4 | 5 => submit(DisputeSale {
                sale_id,
                ..dispute(at)
            }),
            6 | 7 => submit(OpenDispute {
                sale_id,
                dispute_id,
                ..open(D1, at)
            }),
            8 => submit(WinDispute {
                sale_id,
                dispute_id,
                ..win(D1, at)
            }),
            9 => submit(LoseDispute {
                sale_id,
                dispute_id,
                ..lose(D1, at)
            }),
            _ if by_acquirer => submit(VoidSale {
                sale_id,
                ..void_at(at)
            }),
            _ => submit(VoidSale {
                sale_id,
                ..void_by_platform(at)
            }),
        }
    });
    let answers = prop_oneof![Just(Answer::Confirmed), Just(Answer::Won), Just(Answer::Lost)];
    let answered =
        (any::<usize>(), answers).prop_map(|(which, answer)| Step::AnswerOpenDispute(which, answer));
    prop_oneof![6 => submitted, 1 => answered]
}

/// An acquirer's report about an open dispute.
#[derive(Debug, Clone, Copy)]
pub(super) enum Answer {
    Confirmed,
    Won,
    Lost,
}

pub(super) fn answer(business: &Business, which: usize, answer: Answer) -> Option<BusinessCommand> {
    let disputed: Vec<_> = business
        .sales
        .iter()
        .filter_map(|(sale_id, sale)| Some((*sale_id, sale.open_dispute()?.id.clone())))
        .collect();
    let (sale_id, dispute_id) = disputed.get(which % disputed.len().max(1))?.clone();
    Some(match answer {
        Answer::Confirmed => OpenDispute {
            sale_id,
            ..open(D2, 40)
        }
        .into(),
        Answer::Won => WinDispute {
            sale_id,
            dispute_id,
            ..win(D1, 40)
        }
        .into(),
        Answer::Lost => LoseDispute {
            sale_id,
            dispute_id,
            ..lose(D1, 40)
        }
        .into(),
    })
}

pub(super) fn any_rental_step() -> impl Strategy<Value = Step> {
    // Some ids belong to withdrawals.
    (3_u128..7, -1_i64..60_00, any::<bool>()).prop_map(|(number, amount, charges)| {
        let transfer_id = TransferId::from_uuid(Uuid::from_u128(number));
        if charges {
            submit(ChargeTerminalRental {
                transfer_id,
                ..rental(amount)
            })
        } else {
            submit(CancelTerminalRental {
                transfer_id,
                ..cancel_rental()
            })
        }
    })
}

fn any_dispute() -> impl Strategy<Value = DisputeId> {
    prop_oneof![3 => Just(dispute_id(D1)), 1 => Just(dispute_id(D2))]
}

/// The sale's share of each account, summed over its events.
fn shares(history: &[(BusinessEvent, Business)], sale_id: SaleId) -> Accounts {
    let mut shares = Accounts::default();
    for (event, _) in history {
        if let BusinessEvent::ReceivablesSettled(event) = event {
            let settled = event.settled.iter().filter(|settled| settled.sale_id == sale_id);
            let settled = sum(settled.map(|settled| settled.net));
            shares.receivable = shares.receivable.saturating_sub(settled);
            shares.available = shares.available.saturating_add(settled);
        } else if event.sale_ids() == [sale_id] {
            shares = shares.posted(&event.postings()).expect("one sale fits");
        }
    }
    shares
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn disputes_block_the_gross_of_the_sales_in_dispute(history in any_history()) {
        for (event, business) in history {
            let disputed = business.sales.values().filter(|sale| sale.status == SaleStatus::Dispute);
            prop_assert_eq!(business.accounts.in_dispute, sum(disputed.map(|sale| sale.amount)), "{:?}", event);
            for sale in business.sales.values() {
                let open = sale.disputes.iter().filter(|dispute| dispute.stage == DisputeStage::Open).count();
                prop_assert_eq!(open, usize::from(sale.status == SaleStatus::Dispute));
            }
        }
    }

    /// The money is with the seller, blocked, or back with the buyer: exactly one of these.
    #[test]
    fn no_sale_loses_its_money_twice(history in any_history()) {
        let Some((_, business)) = history.last() else { return Ok(()) };
        for (sale_id, sale) in &business.sales {
            let shares = shares(&history, *sale_id);
            let (gross, fees) = (sale.amount, sale.fees);
            let outside = match sale.status {
                SaleStatus::Succeeded | SaleStatus::Dispute => Cents::ZERO.saturating_sub(gross),
                _ => Cents::ZERO,
            };
            let seller = match sale.status {
                SaleStatus::Succeeded | SaleStatus::Dispute => gross.saturating_sub(fees),
                SaleStatus::ChargedBack => Cents::ZERO.saturating_sub(fees),
                _ => Cents::ZERO,
            };
            prop_assert_eq!(shares.clearing, outside, "{:?}", sale);
            prop_assert_eq!(sum([shares.receivable, shares.available, shares.in_dispute]), seller, "{:?}", sale);
            prop_assert_eq!(shares.receivable, sum(sale.open.iter().map(|open| open.net)), "{:?}", sale);
        }
    }

    #[test]
    fn every_installment_is_settled_or_accelerated_at_most_once(history in any_history()) {
        let mut paid = BTreeSet::new();
        for (event, _) in history {
            let (sale_id, accelerated) = match event {
                BusinessEvent::ReceivablesSettled(event) => {
                    for one in event.settled {
                        prop_assert!(paid.insert((one.sale_id, one.number)));
                    }
                    continue;
                }
                BusinessEvent::SaleCanceled(event) => (event.sale_id, event.accelerated),
                BusinessEvent::SaleDisputed(event) => (event.sale_id, event.accelerated),
                BusinessEvent::SaleChargedBack(event) => (event.sale_id, event.accelerated),
                _ => continue,
            };
            for one in accelerated {
                prop_assert!(paid.insert((sale_id, one.number)));
            }
        }
    }

    #[test]
    fn no_dispute_opens_or_ends_twice(history in any_history()) {
        let (mut opened, mut ended) = (BTreeSet::new(), BTreeSet::new());
        for (event, _) in history {
            match event {
                BusinessEvent::SaleDisputed(event) => prop_assert!(opened.insert((event.sale_id, event.dispute_id))),
                BusinessEvent::DisputeConfirmed(event) => {
                    prop_assert!(ended.insert((event.sale_id, event.opened_as)));
                    prop_assert!(opened.insert((event.sale_id, event.dispute_id)));
                }
                BusinessEvent::DisputeWon(event) => {
                    prop_assert!(opened.contains(&(event.sale_id, event.dispute_id.clone())));
                    prop_assert!(ended.insert((event.sale_id, event.dispute_id)));
                }
                BusinessEvent::SaleChargedBack(event) => {
                    prop_assert!(ended.insert((event.sale_id, event.dispute_id)));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn no_cancel_dispute_or_withdrawal_of_a_user_overdraws(history in any_history()) {
        let mut before = Business::default();
        for (event, business) in history {
            let taken = match &event {
                BusinessEvent::SaleCanceled(event) if event.initiator == Initiator::Platform => {
                    // A late capture of a voided sale is canceled at the time of the void, without a user's request.
                    let by_user = before.sales[&event.sale_id].voided_at != Some(event.occurred_at);
                    by_user.then_some(event.net)
                }
                BusinessEvent::SaleDisputed(event) if event.initiator == Initiator::Platform => Some(event.amount),
                BusinessEvent::TransferRequested(event) => Some(event.amount),
                _ => None,
            };
            if let Some(taken) = taken {
                prop_assert!(before.accounts.available >= taken, "{event:?}");
            }
            before = business;
        }
    }

    /// The panel's text and its table use these parts, which must agree to the cent.
    #[test]
    fn a_preview_s_parts_sum_to_its_available_balance(history in any_history(), sale in 1_u128..5) {
        let business = history.last().map(|(_, business)| business.clone()).unwrap_or_default();
        let sale_id = sale_id(sale);
        let previews = [
            business.preview_cancel(&CancelSale { sale_id, ..cancel(50) }),
            business.preview_dispute(&DisputeSale { sale_id, ..dispute(50) }),
        ];
        for preview in previews.into_iter().flatten() {
            let parts = preview.before.available.saturating_add(preview.accelerated_total()).saturating_add(preview.held);
            prop_assert_eq!(preview.after.available, parts.saturating_sub(preview.needed));
            let scheduled = preview.before.receivable.saturating_sub(preview.after.receivable);
            prop_assert_eq!(preview.accelerated_total(), scheduled);
        }
    }

    #[test]
    fn a_preview_equals_the_recorded_result(history in any_history(), sale in 1_u128..5) {
        let business = history.last().map(|(_, business)| business.clone()).unwrap_or_default();
        let cancel = CancelSale { sale_id: sale_id(sale), ..cancel(50) };
        match (business.preview_cancel(&cancel), business.decide(&cancel.clone().into())) {
            (Ok(preview), Ok(events)) => {
                prop_assert!(preview.is_covered());
                let mut after = business.clone();
                events.iter().for_each(|event| after.apply(event));
                prop_assert_eq!(preview.after.available, after.accounts.available);
                prop_assert_eq!(preview.after.receivable, after.accounts.receivable);
                prop_assert_eq!(Some(preview.after.blocked), after.accounts.blocked());
            }
            (Ok(preview), Err(refusal)) => {
                prop_assert!(!preview.is_covered());
                let available = business.accounts.available.saturating_add(preview.held);
                prop_assert_eq!(refusal, Refusal::BalanceTooShort { needed: preview.needed, available });
            }
            (Err(shown), decided) => prop_assert_eq!(decided, Err(shown)),
        }
    }
}
