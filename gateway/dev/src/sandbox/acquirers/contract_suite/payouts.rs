//! Cases of money that the acquirer sends out of our account there.

use gateway_acquirers::calls::CallOutcome;
use gateway_acquirers::payout::{OutgoingPayment, PayoutAnswer, PayoutResult, Receiver};
use gateway_acquirers::port::Acquirer;
use ledger_domain::documents::Document;
use ledger_domain::transfer::{AccountType, BankAccount, Destination, DestinationKind};
use ledger_domain::{Cents, PayoutId};
use uuid::Uuid;

use super::run::{Outcome, Run, Verdict, ensure};
use super::world::now;
use crate::sandbox::names;

/// Amounts whose cents ask for the failure (`PayoutBehavior`).
const FAILS: i64 = 100_01;
const LOST_ANSWER: i64 = 100_02;
const LOST_ORDER: i64 = 100_05;
const REFUSED: i64 = 100_08;
const BROKEN_ANSWER: i64 = 100_09;

fn payment(amount: i64, destination: Destination) -> OutgoingPayment {
    OutgoingPayment {
        payout_id: PayoutId::from_uuid(Uuid::now_v7()),
        amount: Cents::new(amount),
        receiver: Receiver {
            name: "Padaria São João Ltda".to_owned(),
            document: Document::parse("11.222.333/0001-81").expect("a CNPJ"),
        },
        destination,
    }
}

fn to_key() -> Destination {
    Destination::Pix {
        key: "11222333000181".to_owned(),
    }
}

fn to_account() -> Destination {
    Destination::BankAccount(BankAccount {
        bank_code: "341".to_owned(),
        account_type: AccountType::CheckingConjunct,
        routing_number: "0912".to_owned(),
        routing_digit: None,
        account_number: "12345".to_owned(),
        account_digit: "X".to_owned(),
    })
}

/// The answer, or `None` if the adapter offers no payouts. It must then offer no look-up of them either.
async fn pay_out(
    run: &Run<'_>,
    adapter: &dyn Acquirer,
    payment: &OutgoingPayment,
) -> Result<Option<PayoutAnswer>, String> {
    let answer = adapter.pay_out(payment).await;
    if answer.is_none() {
        let looked_up = run.adapter.look_up_payout(payment.payout_id).await;
        ensure!(looked_up.is_none(), "a look-up without pay outs: {looked_up:?}");
    }
    Ok(answer)
}

macro_rules! offered {
    ($answer:expr) => {
        match $answer {
            Some(answer) => answer,
            None => return Ok(Verdict::NotOffered),
        }
    };
}

/// Looks the payment up until it has ended.
async fn end(run: &Run<'_>, payment: &OutgoingPayment) -> Result<PayoutResult, String> {
    loop {
        match run.adapter.look_up_payout(payment.payout_id).await {
            Some(CallOutcome::Answered(PayoutResult::Accepted)) => {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
            Some(CallOutcome::Answered(end)) => return Ok(end),
            other => return Err(format!("{other:?}")),
        }
    }
}

const ACCEPTED: PayoutAnswer = CallOutcome::Answered(PayoutResult::Accepted);

/// The result of a payment that is made at once, with its end-to-end id.
fn paid_now(payment: &OutgoingPayment) -> PayoutResult {
    PayoutResult::Paid {
        at: now(),
        names: names::of_payout(DestinationKind::Pix, &payment.payout_id.to_string(), now()),
    }
}

pub async fn paid(run: &Run<'_>) -> Outcome {
    for destination in [to_key(), to_account()] {
        let payment = payment(100_00, destination);
        let answer = offered!(pay_out(run, &*run.adapter, &payment).await?);
        ensure!(answer == ACCEPTED, "{answer:?}");
        let ended = end(run, &payment).await?;
        ensure!(ended == paid_now(&payment), "{ended:?}");
    }
    Ok(Verdict::Passed)
}

pub async fn failed(run: &Run<'_>) -> Outcome {
    for amount in [FAILS, REFUSED] {
        let payment = payment(amount, to_key());
        let answer = offered!(pay_out(run, &*run.adapter, &payment).await?);
        ensure!(matches!(answer, CallOutcome::Answered(_)), "{answer:?}");
        let ended = end(run, &payment).await?;
        let reason = Some("Conta de destino encerrada".to_owned());
        ensure!(ended == (PayoutResult::Failed { at: now(), reason }), "{ended:?}");
    }
    Ok(Verdict::Passed)
}

pub async fn lost_answer(run: &Run<'_>) -> Outcome {
    for amount in [LOST_ANSWER, BROKEN_ANSWER] {
        let payment = payment(amount, to_key());
        let answer = offered!(pay_out(run, &*run.adapter, &payment).await?);
        ensure!(matches!(answer, CallOutcome::Unknown(_)), "{answer:?}");
        let ended = end(run, &payment).await?;
        ensure!(matches!(ended, PayoutResult::Paid { .. }), "{ended:?}");
    }
    Ok(Verdict::Passed)
}

pub async fn lost_order(run: &Run<'_>) -> Outcome {
    let payment = payment(LOST_ORDER, to_key());
    let answer = offered!(pay_out(run, &*run.adapter, &payment).await?);
    ensure!(matches!(answer, CallOutcome::Unknown(_)), "{answer:?}");
    let looked_up = run.adapter.look_up_payout(payment.payout_id).await;
    ensure!(looked_up == Some(CallOutcome::NotFound), "{looked_up:?}");
    let again = offered!(pay_out(run, &*run.adapter, &payment).await?);
    ensure!(again == ACCEPTED, "{again:?}");
    let ended = end(run, &payment).await?;
    ensure!(ended == paid_now(&payment), "{ended:?}");
    Ok(Verdict::Passed)
}

/// A repeat without a look-up, as after a crash, is answered with the first payment.
pub async fn repeated(run: &Run<'_>) -> Outcome {
    let payment = payment(100_00, to_account());
    let first = offered!(pay_out(run, &*run.adapter, &payment).await?);
    end(run, &payment).await?;
    let second = offered!(pay_out(run, &*run.adapter, &payment).await?);
    ensure!(
        first == ACCEPTED && second == CallOutcome::Answered(paid_now(&payment)),
        "{first:?} then {second:?}"
    );
    Ok(Verdict::Passed)
}

pub async fn wrong_key(run: &Run<'_>) -> Outcome {
    let payment = payment(100_00, to_key());
    let answer = offered!(pay_out(run, &*run.with_wrong_key, &payment).await?);
    ensure!(matches!(answer, CallOutcome::Rejected(_)), "{answer:?}");
    let looked_up = run.with_wrong_key.look_up_payout(payment.payout_id).await;
    ensure!(
        matches!(looked_up, Some(CallOutcome::Rejected(_))),
        "{looked_up:?}"
    );
    Ok(Verdict::Passed)
}
