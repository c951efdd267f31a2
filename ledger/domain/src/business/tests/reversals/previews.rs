//! Previews of cancels and disputes.

use super::*;

fn business(available: i64, commands: &[BusinessCommand]) -> Business {
    let before = [
        super::super::transfers::credit(available).into(),
        capture_at(5).into(),
    ];
    replay(&history(before.into_iter().chain(commands.iter().cloned())))
}

/// (available, receivable, in_transfer, blocked), in cents.
fn cents(balances: Balances) -> (i64, i64, i64, i64) {
    let Balances {
        available,
        receivable,
        in_transfer,
        blocked,
        ..
    } = balances;
    (
        available.get(),
        receivable.get(),
        in_transfer.get(),
        blocked.get(),
    )
}

#[test]
fn a_cancel_preview_shows_what_it_takes_and_accelerates() {
    let settled = [
        settle("2026-12-23", &[1]).into(),
        super::super::holds::hold(50_00).into(),
        super::super::transfers::request(20_00).into(),
    ];
    let business = business(400_00, &settled);
    let preview = business.preview_cancel(&cancel(9)).expect("the sale stands");
    let available = 400_00 + 97_00 - 50_00 - 20_00;
    assert_eq!(cents(preview.before), (available, 194_00, 20_00, 50_00));
    assert_eq!(
        cents(preview.after),
        (available + 194_00 - 291_00, 0, 20_00, 50_00)
    );
    assert_eq!(preview.needed, Cents::new(291_00));
    let numbers: Vec<_> = preview
        .accelerated
        .iter()
        .map(|installment| installment.number)
        .collect();
    assert_eq!(numbers, [2, 3]);
    assert!(preview.is_covered());
}

#[test]
fn a_dispute_preview_shows_the_blocked_gross() {
    let preview = business(300_00, &[])
        .preview_dispute(&dispute(9))
        .expect("the sale stands");
    assert_eq!(cents(preview.before), (300_00, 291_00, 0, 0));
    assert_eq!(cents(preview.after), (300_00 + 291_00 - 300_00, 0, 0, 300_00));
    assert_eq!(preview.needed, Cents::new(300_00));
    assert!(preview.is_covered());
}

#[test]
fn a_preview_equals_what_is_recorded() {
    for available in [290_99, 291_00, 299_99, 300_00] {
        let business = business(available, &[]);
        let shown = |preview: Preview| (preview.is_covered(), cents(preview.after));
        for (command, preview) in [
            (
                BusinessCommand::from(cancel(9)),
                business.preview_cancel(&cancel(9)),
            ),
            (dispute(9).into(), business.preview_dispute(&dispute(9))),
        ] {
            let (covered, after) = shown(preview.expect("the sale stands"));
            let decided = business.decide(&command);
            assert_eq!(decided.is_ok(), covered, "{available}");
            let mut recorded = business.clone();
            decided
                .unwrap_or_default()
                .iter()
                .for_each(|event| recorded.apply(event));
            let accounts = recorded.accounts;
            let blocked = accounts.blocked().expect("small amounts");
            if covered {
                let now = (
                    accounts.available.get(),
                    accounts.receivable.get(),
                    0,
                    blocked.get(),
                );
                assert_eq!(after, now);
            }
        }
    }
}

#[test]
fn a_preview_is_refused_if_the_status_forbids_the_command() {
    let disputed = business(300_00, &[open(D1, 8).into()]);
    let forbids = Refusal::StatusForbids(SaleStatus::Dispute);
    assert_eq!(disputed.preview_cancel(&cancel(9)), Err(forbids.clone()));
    assert_eq!(disputed.preview_dispute(&dispute(9)), Err(forbids));
    let unknown = Business::default();
    assert_eq!(unknown.preview_cancel(&cancel(9)), Err(Refusal::UnknownSale));
    assert_eq!(unknown.preview_dispute(&dispute(9)), Err(Refusal::UnknownSale));
}

#[test]
fn the_schedule_gives_the_date_of_sufficient_balance() {
    let schedule = |needed, available| {
        let due = [
            ("2027-01-22", 97_00),
            ("2026-12-23", 50_00),
            ("2026-12-23", 47_00),
        ];
        covered_on(
            Cents::new(needed),
            Cents::new(available),
            due.map(|(due_date, net)| (date(due_date), Cents::new(net))),
        )
    };
    assert_eq!(schedule(97_00, 0), Some(date("2026-12-23")));
    assert_eq!(schedule(97_01, 0), Some(date("2027-01-22")));
    assert_eq!(schedule(97_01, 1), Some(date("2026-12-23")));
    assert_eq!(schedule(97_00, -1), Some(date("2027-01-22")));
    assert_eq!(schedule(194_00, 0), Some(date("2027-01-22")));
    assert_eq!(schedule(194_01, 0), None);
    // The balance is sufficient already.
    assert_eq!(schedule(100, 100), None);
}
