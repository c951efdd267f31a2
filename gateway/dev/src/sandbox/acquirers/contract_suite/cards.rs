//! Cases of cards.

use gateway_acquirers::charge::{ChargeState, Decline, NextAction};
use ledger_domain::sale::{CardBrand, PaymentType};
use reqwest::Method;

use super::run::{Outcome, Run, Verdict, answered, ensure, sale_key, whole_charge};
use crate::sandbox::acquirers::behavior::CardOutcome;
use crate::sandbox::acquirers::charge::SandboxCharge;

macro_rules! needs_cards {
    ($run:expr) => {
        if !$run.takes(PaymentType::Credit) {
            ensure!($run.adapter.card_tokens().is_none(), "tokens without cards");
            return Ok(Verdict::NotOffered);
        }
    };
}

pub async fn paid(run: &Run<'_>) -> Outcome {
    needs_cards!(run);
    let order = run.card_order("4242").await?;
    let charge = run.charge(&order).await?;
    ensure!(charge.state == ChargeState::Paid, "{charge:?}");
    let card = charge.card.clone().unwrap_or_default();
    ensure!(
        card.brand == Some(CardBrand::Visa) && card.last_four.as_deref() == Some("4242"),
        "{card:?}"
    );
    let looked_up = run.look_up(&sale_key(&order)).await?;
    ensure!(
        looked_up.state == ChargeState::Paid && looked_up.amount == Some(order.amount),
        "{looked_up:?}"
    );
    let charges = run.world.charges.list();
    let charged = charges.iter().find(|charge| charge.sale_id == order.sale_id);
    let installments = charged.map(SandboxCharge::installments);
    ensure!(installments == Some(3), "{installments:?}");
    Ok(Verdict::Passed)
}

pub async fn token_from_a_browser(run: &Run<'_>) -> Outcome {
    needs_cards!(run);
    let tokens = run.adapter.card_tokens().ok_or("no tokens")?;
    ensure!(
        tokens.origin == format!("http://{}", run.world.sandbox),
        "{}",
        tokens.origin
    );
    let preflight = run.world.http.request(Method::OPTIONS, &tokens.url).send().await;
    let preflight = preflight.map_err(|error| error.to_string())?;
    let allowed = preflight.headers().get("access-control-allow-origin");
    ensure!(allowed.is_some_and(|origin| origin == "*"), "{allowed:?}");
    // A JSON body needs this header.
    let headers = preflight.headers().get("access-control-allow-headers");
    ensure!(headers.is_some_and(|name| name == "content-type"), "{headers:?}");
    let empty = run.world.http.post(&tokens.url).json(&()).send().await;
    let empty = empty.map_err(|error| error.to_string())?;
    ensure!(empty.status().is_client_error(), "{}", empty.status());
    ensure!(
        empty.headers().contains_key("access-control-allow-origin"),
        "a browser cannot read the refusal"
    );
    Ok(Verdict::Passed)
}

pub async fn declined(run: &Run<'_>, decline: Decline) -> Outcome {
    needs_cards!(run);
    let outcome = CardOutcome::Becomes(ChargeState::Declined(decline));
    let (last_four, ..) = CardOutcome::RULES
        .iter()
        .find(|(_, rule, _)| *rule == outcome)
        .ok_or("no card for it")?;
    let order = run.card_order(last_four).await?;
    let charge = run.charge(&order).await?;
    ensure!(charge.state == ChargeState::Declined(decline), "{charge:?}");
    // The look-up may only know that nothing was paid.
    let looked_up = run.look_up(&sale_key(&order)).await?;
    ensure!(
        matches!(looked_up.state, ChargeState::Declined(_) | ChargeState::Canceled),
        "{looked_up:?}"
    );
    Ok(Verdict::Passed)
}

pub async fn pending(run: &Run<'_>) -> Outcome {
    needs_cards!(run);
    let order = run.card_order("0341").await?;
    // The charge may get no usable answer. An answer must say that it is pending.
    let answer = run.adapter.charge(&order).await;
    ensure!(
        answered(answer.clone()).map_or(true, |charge| charge.state == ChargeState::Pending),
        "{answer:?}"
    );
    let looked_up = run.look_up(&sale_key(&order)).await?;
    ensure!(looked_up.state == ChargeState::Pending, "{looked_up:?}");
    Ok(Verdict::Passed)
}

pub async fn captured(run: &Run<'_>) -> Outcome {
    needs_cards!(run);
    let order = run.card_order("0036").await?;
    let charge = run.charge(&order).await?;
    ensure!(charge.state == ChargeState::Authorized, "{charge:?}");
    let captured = answered(run.adapter.capture(&whole_charge(&order, &charge)).await)?;
    ensure!(captured.state == ChargeState::Paid, "{captured:?}");
    Ok(Verdict::Passed)
}

/// Captures twice, as after a lost answer. A contract without idempotency keys for captures gets no second request: the
/// repeat only looks up.
pub async fn capture_repeated(run: &Run<'_>) -> Outcome {
    needs_cards!(run);
    let order = run.card_order("0036").await?;
    let charge = run.charge(&order).await?;
    for _ in 0..2 {
        let captured = answered(run.adapter.capture(&whole_charge(&order, &charge)).await)?;
        ensure!(captured.state == ChargeState::Paid, "{captured:?}");
    }
    run.requested_once(&charge, "capture")
}

pub async fn challenge_confirmed(run: &Run<'_>) -> Outcome {
    challenge(run, "answer=confirm", ChargeState::Paid).await
}

pub async fn challenge_refused(run: &Run<'_>) -> Outcome {
    challenge(run, "answer=refuse", ChargeState::Declined(Decline::Other)).await
}

/// The buyer's answer on the page of the challenge, and the state of the charge after it.
async fn challenge(run: &Run<'_>, answer: &'static str, expected: ChargeState) -> Outcome {
    needs_cards!(run);
    if !run.contract.0.suite.challenges {
        return Ok(Verdict::NotOffered);
    }
    let order = run.card_order("0321").await?;
    let charge = run.charge(&order).await?;
    let Some(NextAction::Challenge { url }) = &charge.next_action else {
        return Err(format!("{charge:?}"));
    };
    let page = run.world.http.get(url).send().await;
    ensure!(page.is_ok_and(|page| page.status().is_success()), "no page");
    let form = run.world.http.post(url).body(answer);
    let form = form.header("content-type", "application/x-www-form-urlencoded");
    let returned = form.send().await.map_err(|error| error.to_string())?;
    let location = returned.headers().get("location");
    ensure!(
        location.is_some_and(|url| url == "http://checkout.example/transacao/7Q2M4Z9XKD/status"),
        "{location:?}"
    );
    let state = run.state(&order, &charge).await?;
    ensure!(state == expected, "{state:?}");
    Ok(Verdict::Passed)
}
