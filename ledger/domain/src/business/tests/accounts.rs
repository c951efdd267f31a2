//! The net changes of accounts by events of sales, and the names of the accounts.

use super::*;

fn posted(event: &BusinessEvent) -> Vec<(&'static str, i64)> {
    event
        .balance_changes()
        .into_iter()
        .map(|(account, amount)| (account.as_str(), amount.get()))
        .collect()
}

#[test]
fn a_capture_credits_the_seller_and_the_platform_from_clearing() {
    let events = history([capture_at(0).into()]);
    assert_eq!(
        posted(&events[0]),
        [
            ("receivable", 291_00),
            ("platform_fees", 9_00),
            ("clearing", -300_00)
        ]
    );
}

#[test]
fn a_settlement_makes_a_receivable_available() {
    let events = history([capture_at(0).into(), settle("2026-12-23", &[1]).into()]);
    assert_eq!(posted(&events[1]), [("receivable", -97_00), ("available", 97_00)]);
}

#[test]
fn events_that_move_no_money_have_no_postings() {
    for events in [
        history([create_at(0).into(), void_at(1).into()]),
        history([fail_at(0).into()]),
    ] {
        assert!(
            events
                .iter()
                .all(|event| event.postings().is_empty() && event.balance_changes().is_empty()),
            "{events:?}"
        );
    }
}

#[test]
fn every_account_name_matches_its_json_field() {
    let mut accounts = Accounts::default();
    for (amount, account) in (1..).zip(Account::ALL) {
        let posting = Posting {
            from: Account::Clearing,
            to: account,
            amount: Cents::new(amount),
        };
        accounts = accounts.posted(&[posting]).expect("small amounts");
        let json = serde_json::to_value(accounts).expect("accounts serialize");
        assert_eq!(json[account.as_str()], accounts.get(account).get(), "{account}");
    }
    assert_eq!(accounts.get(Account::PlatformFees), Cents::new(6));
    // The clearing account's own 7 is posted to itself and changes nothing.
    let other_accounts = 1 + 2 + 3 + 4 + 5 + 6;
    assert_eq!(accounts.get(Account::Clearing), Cents::new(-other_accounts));
    assert_eq!(accounts.blocked(), Some(Cents::new(4 + 5)));
}
