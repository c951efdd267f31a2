//! A sale through its life, to the cent: the figures of the field, step by step.

use super::*;

/// R$ 400,00 that the seller can withdraw, from a sale without fees paid on its own day.
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
fn three_instalments_of_97_00_are_promised_and_settle_one_by_one() {
    let mut commands = vec![other_money(), capture_at(0).into()];
    let captured = replay(&history(commands.clone()));
    let open = &captured.sales[&facts().sale_id].open;
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
    assert_eq!(balances(&replay(&history(commands.clone()))), (497_00, 194_00, 0));

    commands.extend([
        settle("2027-01-22", &[2]).into(),
        settle("2027-02-22", &[3]).into(),
    ]);
    let business = replay(&history(commands));
    assert_eq!(balances(&business), (691_00, 0, 0));
    assert_eq!(business.accounts.platform_fees, Cents::new(9_00));
    assert_eq!(business.accounts.clearing, Cents::new(-700_00));
}
