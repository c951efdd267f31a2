//! One sale from capture to settlement or reversal, checked to the cent.

use super::reversals::*;
use super::*;

/// R$ 400,00 available, from a sale without fees that settled on its own day.
fn other_money() -> BusinessCommand {
    let free = PlanTerms {
        pix_fee: PixFee::Fixed(Cents::ZERO),
        settlement_days: 0,
        ..terms()
    };
    let context = SaleContext {
        terms: Some(Arc::new(free)),
        ..context_at(minute(-60))
    };
    let sale = SaleFacts {
        sale_id: sale_id(9),
        amount: Cents::new(400_00),
        ..pix_facts()
    };
    CaptureSale {
        sale,
        occurred_at: minute(-60),
        context,
    }
    .into()
}

/// (available, receivable, blocked), in cents.
fn balances(business: &Business) -> (i64, i64, i64) {
    let Accounts {
        available,
        receivable,
        ..
    } = business.accounts;
    (
        available.get(),
        receivable.get(),
        business.accounts.blocked().expect("small amounts").get(),
    )
}

#[test]
fn three_installments_of_97_00_settle_one_by_one() {
    let mut commands = vec![other_money(), capture_at(0).into()];
    let captured = replay(&history(commands.clone()));
    let open = &captured.sales[&sale_facts().sale_id].open;
    let promised: Vec<_> = open
        .iter()
        .map(|open| (open.due_date.to_string(), open.net.get()))
        .collect();
    let expected = [
        ("2026-12-23", 97_00),
        ("2027-01-22", 97_00),
        ("2027-02-22", 97_00),
    ];
    assert_eq!(
        promised,
        expected.map(|(due_date, net)| (due_date.to_owned(), net))
    );
    assert_eq!(balances(&captured), (400_00, 291_00, 0));

    commands.push(settle("2026-12-23", &[1]).into());
    assert_eq!(
        balances(&replay(&history(commands.clone()))),
        (400_00 + 97_00, 194_00, 0)
    );

    commands.extend([
        settle("2027-01-22", &[2]).into(),
        settle("2027-02-22", &[3]).into(),
    ]);
    let business = replay(&history(commands));
    assert_eq!(balances(&business), (400_00 + 3 * 97_00, 0, 0));
    assert_eq!(business.accounts.platform_fees, Cents::new(9_00));
    assert_eq!(business.accounts.clearing, Cents::new(-400_00 - 300_00));
}

/// The balances after the first installment settled and the commands were applied. Before the commands, 400,00 + 97,00
/// are available and 194,00 receivable.
fn after_the_first_installment<const N: usize>(commands: [BusinessCommand; N]) -> (i64, i64, i64) {
    let before = [
        other_money(),
        capture_at(0).into(),
        settle("2026-12-23", &[1]).into(),
    ];
    balances(&replay(&history(before.into_iter().chain(commands))))
}

#[test]
fn a_cancel_accelerates_the_rest_and_takes_the_net() {
    assert_eq!(after_the_first_installment([cancel(60).into()]), (400_00, 0, 0));
    assert_eq!(after_the_first_installment([refund(60).into()]), (400_00, 0, 0));
    assert_eq!(after_the_first_installment([reverse(60).into()]), (400_00, 0, 0));
}

#[test]
fn a_dispute_accelerates_the_rest_and_blocks_the_gross() {
    assert_eq!(
        after_the_first_installment([open(D1, 60).into()]),
        (391_00, 0, 300_00)
    );
    assert_eq!(
        after_the_first_installment([dispute(60).into()]),
        (391_00, 0, 300_00)
    );
}

#[test]
fn a_won_dispute_releases_the_gross_and_a_lost_one_does_not() {
    let opened = || open(D1, 60).into();
    assert_eq!(
        after_the_first_installment([opened(), win(D1, 61).into()]),
        (691_00, 0, 0)
    );
    assert_eq!(
        after_the_first_installment([opened(), lose(D1, 61).into()]),
        (391_00, 0, 0)
    );
    assert_eq!(after_the_first_installment([lose(D1, 61).into()]), (391_00, 0, 0));
}

#[test]
fn a_refund_during_a_dispute_ends_like_a_cancel() {
    let disputed = [open(D1, 60).into(), refund(61).into()];
    assert_eq!(after_the_first_installment(disputed), (400_00, 0, 0));
}

#[test]
fn a_sale_can_be_canceled_after_a_won_dispute() {
    let won = [open(D1, 60).into(), win(D1, 61).into(), cancel(62).into()];
    assert_eq!(after_the_first_installment(won), (400_00, 0, 0));
}

#[test]
fn the_platform_returns_its_fee_on_a_refund_and_keeps_it_on_a_chargeback() {
    let kept = |command: BusinessCommand| {
        let business = replay(&history([other_money(), capture_at(0).into(), command]));
        (
            business.accounts.platform_fees.get(),
            business.accounts.clearing.get(),
        )
    };
    assert_eq!(kept(refund(60).into()), (0, -400_00));
    assert_eq!(kept(lose(D1, 60).into()), (9_00, -400_00));
}
