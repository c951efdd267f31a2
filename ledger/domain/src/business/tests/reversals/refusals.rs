//! Refusals of reversals: too early, contradicting, and their Portuguese messages.

use super::*;

#[test]
fn a_reversal_of_an_unknown_sale_is_refused() {
    let reported: [BusinessCommand; 7] = [
        cancel(9).into(),
        refund(9).into(),
        reverse(9).into(),
        dispute(9).into(),
        open(D1, 9).into(),
        win(D1, 9).into(),
        lose(D1, 9).into(),
    ];
    for command in reported {
        refused(vec![], command, Refusal::UnknownSale);
    }
}

#[test]
fn a_notice_about_a_sale_without_a_capture_is_refused() {
    for uncaptured in [
        history([create_at(0).into()]),
        history([fail_at(0).into()]),
        history([create_at(0).into(), void_at(1).into()]),
    ] {
        let reported: [BusinessCommand; 5] = [
            refund(9).into(),
            reverse(9).into(),
            open(D1, 9).into(),
            win(D1, 9).into(),
            lose(D1, 9).into(),
        ];
        for command in reported {
            refused(uncaptured.clone(), command, Refusal::NotCaptured);
        }
    }
}

#[test]
fn a_user_can_reverse_only_a_succeeded_sale() {
    for (events, status) in [
        (history([create_at(0).into()]), SaleStatus::Created),
        (history([fail_at(0).into()]), SaleStatus::Failed),
        (captured([cancel(8).into()]), SaleStatus::Canceled),
        (captured([refund(8).into()]), SaleStatus::Refunded),
        (captured([reverse(8).into()]), SaleStatus::Reversed),
        (captured([open(D1, 8).into()]), SaleStatus::Dispute),
        (captured([lose(D1, 8).into()]), SaleStatus::ChargedBack),
    ] {
        refused(events.clone(), cancel(9), Refusal::StatusForbids(status));
        refused(events, dispute(9), Refusal::StatusForbids(status));
    }
}

#[test]
fn a_sale_loses_its_money_once() {
    for (returned, status) in [
        (captured([cancel(8).into()]), SaleStatus::Canceled),
        (captured([refund(8).into()]), SaleStatus::Refunded),
        (
            captured([open(D1, 7).into(), reverse(8).into()]),
            SaleStatus::Reversed,
        ),
    ] {
        refused(returned.clone(), open(D2, 9), Refusal::StatusForbids(status));
        refused(returned.clone(), lose(D2, 9), Refusal::StatusForbids(status));
        // Also for the dispute that the reversal ended: the acquirer may have taken the money twice.
        refused(returned, lose(D1, 9), Refusal::StatusForbids(status));
    }
    let charged_back = || captured([lose(D1, 8).into()]);
    let forbids = || Refusal::StatusForbids(SaleStatus::ChargedBack);
    refused(charged_back(), refund(9), forbids());
    refused(charged_back(), reverse(9), forbids());
    refused(charged_back(), void_at(9), forbids());
    refused(charged_back(), open(D2, 9), forbids());
    refused(charged_back(), lose(D2, 9), forbids());
}

#[test]
fn a_void_by_the_platform_after_the_capture_is_refused() {
    let paid = || Refusal::StatusForbids(SaleStatus::Succeeded);
    refused(captured([]), void_by_platform(5), paid());
    refused(captured([]), void_by_platform(6), paid());
}

#[test]
fn refusals_have_portuguese_messages() {
    let messages: Vec<_> = [
        Refusal::NotCaptured,
        Refusal::BalanceTooShort {
            needed: Cents::new(300_00),
            available: Cents::ZERO,
        },
        Refusal::DisputeNotOpened(dispute_id(D1)),
        Refusal::AnotherDisputeOpen(dispute_id(D1)),
        Refusal::DisputeWon(dispute_id(D1)),
        Refusal::DisputeLost(dispute_id(D1)),
        Refusal::NotARental,
    ]
    .iter()
    .map(Refusal::message)
    .collect();
    insta::assert_snapshot!(messages.join("\n"));
}
