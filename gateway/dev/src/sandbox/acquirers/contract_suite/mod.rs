//! The contract suite: one table of cases, run for each adapter over HTTP against the sandbox's server of its contract.

mod cards;
mod codes;
mod failures;
mod notices;
mod payouts;
mod reversals;
mod run;
mod world;

use std::fmt::Write;
use std::net::TcpListener;
use std::time::Duration;

use futures::future::join_all;
use gateway_acquirers::calls::{CallFault, CallOutcome};
use gateway_acquirers::charge::Decline;

use self::run::{Run, Verdict, adapter};
use self::world::World;
use super::CONTRACTS;
use super::contract::Contract;

#[derive(Debug, Clone, Copy)]
enum Case {
    CardPaid,
    CardTokenFromABrowser,
    CardDeclined(Decline),
    CardPending,
    CardCaptured,
    CaptureRepeated,
    ChallengeConfirmed,
    ChallengeRefused,
    PixPaid,
    BoletoPaid,
    BoletoWithPix,
    PixExpired,
    PixCanceled,
    BoletoCanceled,
    CancelAfterPayment,
    PaidLate,
    WrongCode,
    AnotherAmount,
    LostAnswer,
    BrokenAnswer,
    LostOrder,
    BrokenOrder,
    RepeatedOrder,
    BrokenLookUp,
    UnknownCharge,
    UnnamedCharges,
    WrongKey,
    Unreachable,
    Refunded,
    RefundSentOnce,
    RefundRefused,
    RefundLostAnswer,
    RefundRateLimited,
    RefundedInParts,
    Reversed,
    Disputed,
    ChargedBack,
    Notice,
    NoticeTwice,
    UnreadableNotice,
    UnrelatedNotice,
    Receivables,
    PaidOut,
    PayOutFailed,
    PayOutLostAnswer,
    PayOutLostOrder,
    PayOutRepeated,
    PayOutWrongKey,
}

const CASES: [(&str, Case); 57] = [
    ("card: paid in installments", Case::CardPaid),
    (
        "card: token from a browser of any site",
        Case::CardTokenFromABrowser,
    ),
    (
        "card: declined, no funds",
        Case::CardDeclined(Decline::InsufficientFunds),
    ),
    (
        "card: declined, wrong data",
        Case::CardDeclined(Decline::CardData),
    ),
    (
        "card: declined, security code",
        Case::CardDeclined(Decline::SecurityCode),
    ),
    (
        "card: declined, expired",
        Case::CardDeclined(Decline::ExpiredCard),
    ),
    (
        "card: declined, blocked",
        Case::CardDeclined(Decline::BlockedCard),
    ),
    (
        "card: declined, call the issuer",
        Case::CardDeclined(Decline::CallIssuer),
    ),
    (
        "card: declined, installments",
        Case::CardDeclined(Decline::Installments),
    ),
    ("card: declined, risk", Case::CardDeclined(Decline::Risk)),
    (
        "card: declined, issuer out of reach",
        Case::CardDeclined(Decline::Temporary),
    ),
    ("card: declined, no reason", Case::CardDeclined(Decline::Other)),
    ("card: pending", Case::CardPending),
    ("card: authorized, captured", Case::CardCaptured),
    ("capture, repeated: requested once", Case::CaptureRepeated),
    ("card: 3-D Secure confirmed", Case::ChallengeConfirmed),
    ("card: 3-D Secure refused", Case::ChallengeRefused),
    ("PIX: pending, paid", Case::PixPaid),
    ("boleto: pending, paid", Case::BoletoPaid),
    ("boleto: with a PIX code of the same charge", Case::BoletoWithPix),
    ("PIX: expired", Case::PixExpired),
    ("PIX: canceled", Case::PixCanceled),
    ("boleto: canceled", Case::BoletoCanceled),
    ("canceled after the payment: stays paid", Case::CancelAfterPayment),
    ("paid after the expiry", Case::PaidLate),
    ("a code of another amount is refused", Case::WrongCode),
    ("paid with another amount: look-up has it", Case::AnotherAmount),
    ("lost answer: looked up by the sale", Case::LostAnswer),
    ("server error after the charge: looked up", Case::BrokenAnswer),
    ("lost order: absent, charged once on repeat", Case::LostOrder),
    ("server error, no charge: charged on repeat", Case::BrokenOrder),
    ("repeated order: charged once", Case::RepeatedOrder),
    ("server error of a look-up: unknown", Case::BrokenLookUp),
    ("look-up of an unknown charge: absent", Case::UnknownCharge),
    (
        "a list without our ids: no proof of absence",
        Case::UnnamedCharges,
    ),
    ("wrong key: rejected, never absent", Case::WrongKey),
    ("acquirer out of reach: unknown", Case::Unreachable),
    ("refund, repeated", Case::Refunded),
    ("refund, lost answer: looked up, sent once", Case::RefundSentOnce),
    ("refund refused", Case::RefundRefused),
    ("lost answer of a refund: looked up", Case::RefundLostAnswer),
    ("refund, too many requests: sent again", Case::RefundRateLimited),
    ("refund in parts, up to the whole", Case::RefundedInParts),
    ("reversed by the acquirer", Case::Reversed),
    ("disputed, won", Case::Disputed),
    ("charged back", Case::ChargedBack),
    ("notice: hint, look-up", Case::Notice),
    ("notice twice", Case::NoticeTwice),
    ("notice: unreadable", Case::UnreadableNotice),
    ("notice: about something else", Case::UnrelatedNotice),
    ("receivables of a day", Case::Receivables),
    ("pay out: to a PIX key, to an account", Case::PaidOut),
    ("pay out: failed", Case::PayOutFailed),
    ("pay out, lost answer: looked up", Case::PayOutLostAnswer),
    (
        "pay out, lost order: absent, paid on repeat",
        Case::PayOutLostOrder,
    ),
    ("pay out, repeated: answered as paid", Case::PayOutRepeated),
    ("pay out, wrong key: rejected", Case::PayOutWrongKey),
];

impl Case {
    async fn run(self, run: &Run<'_>) -> Result<Verdict, String> {
        match self {
            Self::CardPaid => cards::paid(run).await,
            Self::CardTokenFromABrowser => cards::token_from_a_browser(run).await,
            Self::CardDeclined(decline) => cards::declined(run, decline).await,
            Self::CardPending => cards::pending(run).await,
            Self::CardCaptured => cards::captured(run).await,
            Self::CaptureRepeated => cards::capture_repeated(run).await,
            Self::ChallengeConfirmed => cards::challenge_confirmed(run).await,
            Self::ChallengeRefused => cards::challenge_refused(run).await,
            Self::PixPaid => codes::pix_paid(run).await,
            Self::BoletoPaid => codes::boleto_paid(run).await,
            Self::BoletoWithPix => codes::boleto_with_pix(run).await,
            Self::PixExpired => codes::pix_expired(run).await,
            Self::PixCanceled => codes::pix_canceled(run).await,
            Self::BoletoCanceled => codes::boleto_canceled(run).await,
            Self::CancelAfterPayment => codes::cancel_after_payment(run).await,
            Self::PaidLate => codes::paid_late(run).await,
            Self::WrongCode => codes::wrong_code(run).await,
            Self::AnotherAmount => codes::another_amount(run).await,
            Self::LostAnswer => failures::answer_missing(run, failures::LOST_ANSWER).await,
            Self::BrokenAnswer => failures::answer_missing(run, failures::BROKEN_ANSWER).await,
            Self::LostOrder => failures::order_missing(run, failures::LOST_ORDER).await,
            Self::BrokenOrder => failures::order_missing(run, failures::BROKEN_ORDER).await,
            Self::RepeatedOrder => failures::repeated_order(run).await,
            Self::BrokenLookUp => failures::broken_look_up(run).await,
            Self::UnknownCharge => failures::unknown_charge(run).await,
            Self::UnnamedCharges => failures::list_without_our_ids(run).await,
            Self::WrongKey => failures::wrong_key(run).await,
            Self::Unreachable => failures::unreachable(run).await,
            Self::Refunded => reversals::refunded(run).await,
            Self::RefundSentOnce => reversals::refund_sent_once(run).await,
            Self::RefundRefused => reversals::refund_refused(run).await,
            Self::RefundLostAnswer => reversals::refund_lost_answer(run).await,
            Self::RefundRateLimited => reversals::refund_rate_limited(run).await,
            Self::RefundedInParts => reversals::refunded_in_parts(run).await,
            Self::Reversed => reversals::reversed(run).await,
            Self::Disputed => reversals::disputed(run).await,
            Self::ChargedBack => reversals::charged_back(run).await,
            Self::Notice => notices::leads_to_a_look_up(run).await,
            Self::NoticeTwice => notices::twice(run).await,
            Self::UnreadableNotice => notices::unreadable(run),
            Self::UnrelatedNotice => notices::unrelated(run),
            Self::Receivables => reversals::receivables(run).await,
            Self::PaidOut => payouts::paid(run).await,
            Self::PayOutFailed => payouts::failed(run).await,
            Self::PayOutLostAnswer => payouts::lost_answer(run).await,
            Self::PayOutLostOrder => payouts::lost_order(run).await,
            Self::PayOutRepeated => payouts::repeated(run).await,
            Self::PayOutWrongKey => payouts::wrong_key(run).await,
        }
    }
}

#[tokio::test]
async fn every_adapter_keeps_its_contract() {
    let world = World::open().await;
    let runs: Vec<_> = CONTRACTS
        .iter()
        .map(|contract| Run::new(&world, *contract))
        .collect();
    // All at once, because some cases wait for notices.
    let rows = join_all(CASES.iter().map(|(name, case)| async {
        let cells = join_all(runs.iter().map(|run| case.run(run))).await;
        (*name, cells)
    }))
    .await;
    let mut table = format!("{:44}", "case");
    for contract in CONTRACTS {
        let _ = write!(table, "{:15}", contract.0.name);
    }
    let mut failures = String::new();
    for (case, cells) in &rows {
        let _ = write!(table, "\n{case:44}");
        for (cell, contract) in cells.iter().zip(CONTRACTS) {
            let shown = match cell {
                Ok(verdict) => verdict.label(),
                Err(failure) => {
                    let _ = writeln!(failures, "{contract:?}, {case}: {failure}");
                    "FAILED"
                }
            };
            let _ = write!(table, "{shown:15}");
        }
    }
    eprintln!("{table}");
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn the_sandbox_serves_the_contract_of_every_adapter() {
    for registration in gateway_acquirers::ACQUIRERS {
        let provider = registration.contract.provider;
        let contract = Contract::of(provider).unwrap_or_else(|| panic!("{provider} has no server"));
        let folder = registration.sandbox_folder.split('/').next();
        assert_eq!(folder, Some(contract.0.name));
    }
}

#[tokio::test]
async fn a_call_that_gets_no_answer_is_unknown_after_its_timeout() {
    // It accepts connections in its backlog and answers none.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let server = format!("http://{}", silent.local_addr().expect("its address"));
    let world = World::open().await;
    for contract in CONTRACTS {
        let order = Run::new(&world, contract).pix_order(100_00);
        let caller = adapter(contract, &server, "zpk_test_sandbox", Duration::from_millis(50));
        let answer = caller.charge(&order).await;
        assert_eq!(answer, CallOutcome::Unknown(CallFault("timeout")), "{contract:?}");
    }
}
