//! Random reversals and rentals, and properties of a sale's money.

use super::*;
use crate::TransferId;
use crate::business::tests::names::{names, pix_names};
use crate::business::tests::reversals::*;
use crate::sale::{DisputeId, RefundReference};

pub(super) fn any_reversal_step() -> impl Strategy<Value = Step> {
    let reported = (0_u8..16, 1_u128..5, any_dispute(), 0_i64..40, any_part());
    let submitted = reported.prop_map(|(which, sale, dispute_id, at, part_of)| {
        let sale_id = sale_id(sale);
        let PartOf {
            amount,
            refund: id,
            named,
        } = part_of;
        let disputed = named.then_some(amount);
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
                amount: disputed,
                ..dispute(at)
            }),
            6 | 7 => submit(OpenDispute {
                sale_id,
                dispute_id,
                amount: disputed,
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
                amount: disputed,
                ..lose(D1, at)
            }),
            10 | 11 => submit(RefundPart {
                sale_id,
                refund: id,
                amount,
                ..part(1, R1, at)
            }),
            15 => submit(NameSale {
                sale_id,
                ..names(pix_names(), at)
            }),
            12 => submit(RefundSale {
                sale_id,
                refunded: Refunded::Amount {
                    amount,
                    refund: named.then_some(id),
                },
                ..refund(at)
            }),
            13 => submit(RefundSale {
                sale_id,
                ..refund_total(amount.get(), at)
            }),
            _ if named => submit(VoidSale {
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
    let refund_answered =
        (any::<usize>(), any::<bool>()).prop_map(|(which, named)| Step::AnswerRefund(which, named));
    prop_oneof![6 => submitted, 1 => answered, 1 => refund_answered]
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

/// The acquirer's answer to a refund of a part that a user asked for.
pub(super) fn refund_answer(business: &Business, which: usize, named: bool) -> Option<BusinessCommand> {
    let asked: Vec<_> = business
        .sales
        .iter()
        .flat_map(|(sale_id, sale)| sale.refunds.iter().map(|refund| (*sale_id, refund)))
        .filter(|(_, refund)| refund.unanswered)
        .collect();
    let (sale_id, refund) = asked.get(which % asked.len().max(1))?;
    let answer = AnswerRefund {
        sale_id: *sale_id,
        refund: refund.reference.clone()?,
        known_as: named.then(|| refund_id(R2)),
        occurred_at: minute(40),
        names: PaymentNames::default(),
    };
    Some(answer.into())
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

/// An amount, of which a sale may have less left, with the id of a refund that may be used twice.
#[derive(Debug, Clone)]
struct PartOf {
    amount: Cents,
    refund: RefundReference,
    named: bool,
}

fn any_part() -> impl Strategy<Value = PartOf> {
    let amounts = prop_oneof![1_i64..100, 1_00_i64..400_00];
    let ids = prop_oneof![2 => Just(R1), 1 => Just(R2), 1 => Just("rf_3"), 1 => Just("rf_4")];
    (amounts, ids, any::<bool>()).prop_map(|(amount, id, named)| PartOf {
        amount: Cents::new(amount),
        refund: refund_id(id),
        named,
    })
}

fn any_dispute() -> impl Strategy<Value = DisputeId> {
    prop_oneof![3 => Just(dispute_id(D1)), 1 => Just(dispute_id(D2))]
}

/// What went back to a sale's buyer.
struct Returned {
    /// Refunds and cancels.
    gross: Cents,
    /// The seller's part of it.
    net: Cents,
    /// Chargebacks.
    lost: Cents,
}

impl Returned {
    fn of(history: &[(BusinessEvent, Business)], sale_id: SaleId) -> Self {
        let (mut gross, mut net, mut lost) = (vec![], vec![], vec![]);
        for (event, _) in history {
            match event {
                BusinessEvent::Sale(SaleEvent::SalePartRefunded(event)) if event.sale_id == sale_id => {
                    gross.push(event.amount);
                    net.push(event.net);
                }
                BusinessEvent::Sale(SaleEvent::SaleCanceled(event)) if event.sale_id == sale_id => {
                    gross.push(event.amount);
                    net.push(event.net);
                }
                BusinessEvent::Sale(SaleEvent::SaleChargedBack(event)) if event.sale_id == sale_id => {
                    lost.push(event.amount)
                }
                _ => {}
            }
        }
        Self {
            gross: sum(gross),
            net: sum(net),
            lost: sum(lost),
        }
    }
}

/// The sale's share of each account, summed over its events.
fn shares(history: &[(BusinessEvent, Business)], sale_id: SaleId) -> Accounts {
    let mut shares = Accounts::default();
    for (event, _) in history {
        if let BusinessEvent::Sale(SaleEvent::ReceivablesSettled(event)) = event {
            let settled = event.settled.iter().filter(|settled| settled.sale_id == sale_id);
            let net = sum(settled.clone().map(|settled| settled.net));
            let reserved = sum(settled.map(|settled| settled.reserved));
            shares.receivable = shares.receivable.saturating_sub(net);
            shares.available = sum([shares.available, net.saturating_sub(reserved)]);
            shares.held_by_staff = sum([shares.held_by_staff, reserved]);
        } else if let BusinessEvent::Balance(BalanceEvent::ReserveReleased(event)) = event {
            let released = event
                .released
                .iter()
                .filter(|released| released.sale_id == sale_id);
            let released = sum(released.map(|released| released.amount));
            shares.held_by_staff = shares.held_by_staff.saturating_sub(released);
            shares.available = sum([shares.available, released]);
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
            let blocked = disputed.map(|sale| sale.open_dispute().and_then(|open| open.part).unwrap_or(sale.left()));
            prop_assert_eq!(business.accounts.in_dispute, sum(blocked), "{:?}", event);
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
            let outside = match sale.status {
                SaleStatus::Succeeded | SaleStatus::Dispute => Cents::ZERO.saturating_sub(sale.left()),
                _ => Cents::ZERO,
            };
            let returned = Returned::of(&history, *sale_id);
            let seller = sum([sale.net, Cents::new(-returned.net.get()), Cents::new(-returned.lost.get())]);
            prop_assert_eq!(shares.clearing, outside, "{:?}", sale);
            let of_seller = [shares.receivable, shares.available, shares.held_by_staff, shares.in_dispute];
            prop_assert_eq!(sum(of_seller), seller, "{:?}", sale);
            prop_assert_eq!(shares.held_by_staff, sale.reserved_amount(), "{:?}", sale);
            prop_assert_eq!(shares.receivable, sum(sale.open.iter().map(|open| open.net)), "{:?}", sale);
        }
    }

    /// The parts of the net and of the fees sum to both, to the cent.
    #[test]
    fn a_sale_that_went_back_whole_leaves_nothing(history in any_history()) {
        let Some((_, business)) = history.last() else { return Ok(()) };
        for (sale_id, sale) in &business.sales {
            let returned = Returned::of(&history, *sale_id);
            prop_assert!(sum([returned.gross, returned.lost]) <= sale.amount, "{sale:?}");
            prop_assert!(returned.net <= sale.net, "{sale:?}");
            if sale.captured_at.is_some() && returned.gross == sale.amount {
                prop_assert_eq!(returned.net, sale.net);
                let shares = shares(&history, *sale_id);
                prop_assert_eq!(shares, Accounts::default(), "{:?}", sale);
            }
        }
    }

    /// A refund is recorded once under each of its ids, of no more than what is left.
    #[test]
    fn no_refund_is_recorded_twice(history in any_history()) {
        let mut recorded = BTreeSet::new();
        for (event, _) in history {
            let refund = match event {
                BusinessEvent::Sale(SaleEvent::SalePartRefunded(event)) => event.refund.map(|id| (event.sale_id, id)),
                BusinessEvent::Sale(SaleEvent::SaleCanceled(event)) => event.refund.map(|id| (event.sale_id, id)),
                _ => None,
            };
            if let Some(refund) = refund {
                prop_assert!(recorded.insert(refund));
            }
        }
    }

    /// The installments of a part are the last due, and each keeps what it does not pay.
    #[test]
    fn a_part_takes_the_last_due_installments_first(history in any_history()) {
        let mut before = Business::default();
        for (event, business) in history {
            let part = match &event {
                BusinessEvent::Sale(SaleEvent::SalePartRefunded(event)) => Some((event.sale_id, event.net, &event.consumed)),
                BusinessEvent::Sale(SaleEvent::SaleDisputed(event)) => event.part.as_ref().map(|part| (event.sale_id, event.amount, part)),
                BusinessEvent::Sale(SaleEvent::SaleChargedBack(event)) => event.part.as_ref().map(|part| (event.sale_id, event.amount, part)),
                _ => None,
            };
            if let Some((sale_id, amount, consumed)) = part {
                let open = sum(before.sales[&sale_id].open.iter().map(|open| open.net));
                prop_assert_eq!(ConsumedReceivable::total(consumed), amount.min(open));
                let still_open = &business.sales[&sale_id].open;
                let first_consumed = consumed.iter().map(|one| (one.due_date, one.number)).min();
                if let Some(first) = first_consumed {
                    let later = still_open.iter().filter(|open| (open.due_date, open.number) > first && open.net != Cents::ZERO);
                    prop_assert_eq!(later.count(), 0, "{:?}", event);
                }
                let untouched = consumed.iter().skip(1).rev().skip(1).all(|one| one.left == Cents::ZERO);
                prop_assert!(untouched, "only the last one keeps something");
            }
            before = business;
        }
    }

    #[test]
    fn every_installment_is_settled_or_accelerated_at_most_once(history in any_history()) {
        let mut paid = BTreeSet::new();
        for (event, _) in history {
            let (sale_id, accelerated) = match event {
                BusinessEvent::Sale(SaleEvent::ReceivablesSettled(event)) => {
                    for one in event.settled {
                        prop_assert!(paid.insert((one.sale_id, one.number)));
                    }
                    continue;
                }
                BusinessEvent::Sale(SaleEvent::SaleCanceled(event)) => (event.sale_id, event.accelerated),
                BusinessEvent::Sale(SaleEvent::SaleDisputed(event)) => (event.sale_id, event.accelerated),
                BusinessEvent::Sale(SaleEvent::SaleChargedBack(event)) => (event.sale_id, event.accelerated),
                BusinessEvent::Sale(SaleEvent::SalePartRefunded(event)) => {
                    for one in event.consumed.iter().filter(|one| one.left == Cents::ZERO) {
                        prop_assert!(paid.insert((event.sale_id, one.number)));
                    }
                    continue;
                }
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
                BusinessEvent::Sale(SaleEvent::SaleDisputed(event)) => prop_assert!(opened.insert((event.sale_id, event.dispute_id))),
                BusinessEvent::Sale(SaleEvent::DisputeConfirmed(event)) => {
                    prop_assert!(ended.insert((event.sale_id, event.opened_as)));
                    prop_assert!(opened.insert((event.sale_id, event.dispute_id)));
                }
                BusinessEvent::Sale(SaleEvent::DisputeWon(event)) => {
                    prop_assert!(opened.contains(&(event.sale_id, event.dispute_id.clone())));
                    prop_assert!(ended.insert((event.sale_id, event.dispute_id)));
                }
                BusinessEvent::Sale(SaleEvent::SaleChargedBack(event)) => {
                    prop_assert!(ended.insert((event.sale_id, event.dispute_id)));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn no_cancel_dispute_or_withdrawal_of_a_user_overdraws(history in any_history()) {
        let (mut before, mut released) = (Business::default(), Cents::ZERO);
        for (event, business) in history {
            let taken = match &event {
                BusinessEvent::Sale(SaleEvent::SaleCanceled(event)) if event.initiator == Initiator::Platform => {
                    // A late capture of a voided sale is canceled at the time of the void, without a user's request.
                    let by_user = before.sales[&event.sale_id].voided_at != Some(event.occurred_at);
                    by_user.then_some(event.net)
                }
                BusinessEvent::Sale(SaleEvent::SalePartRefunded(event)) if event.initiator == Initiator::Platform => {
                    Some(event.net.saturating_sub(ConsumedReceivable::total(&event.consumed)))
                }
                BusinessEvent::Sale(SaleEvent::SaleDisputed(event)) if event.initiator == Initiator::Platform => {
                    let consumed = event.part.as_deref().map_or(Cents::ZERO, ConsumedReceivable::total);
                    Some(event.amount.saturating_sub(consumed))
                }
                BusinessEvent::Transfer(TransferEvent::TransferRequested(event)) => Some(event.amount),
                _ => None,
            };
            if let Some(taken) = taken {
                // A part that held money pays takes nothing from the balance, even if that is below zero.
                let takes_nothing = taken == Cents::ZERO;
                prop_assert!(takes_nothing || before.accounts.available >= taken || released >= taken, "{event:?}");
            }
            released = match &event {
                BusinessEvent::Balance(BalanceEvent::AmountReleased(event)) => event.amount,
                BusinessEvent::Balance(BalanceEvent::ReserveReleased(event)) => event.total,
                _ => Cents::ZERO,
            };
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
            business.preview_dispute(&DisputeSale { sale_id, amount: Some(Cents::new(1_50)), ..dispute(50) }),
            business.preview_refund(&RefundPart { sale_id, ..part(1_00, R1, 50) }),
        ];
        for preview in previews.into_iter().flatten() {
            let from_installments = sum([preview.accelerated_total(), preview.consumed_total()]);
            let parts = sum([preview.before.available, from_installments, preview.released]);
            prop_assert_eq!(preview.after.available, parts.saturating_sub(preview.needed));
            let scheduled = preview.before.receivable.saturating_sub(preview.after.receivable);
            prop_assert_eq!(from_installments, scheduled);
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
