//! Cases of PIX and boletos.

use gateway_acquirers::charge::{Charge, ChargeOrder, ChargeState, NextAction};
use gateway_formats::agreement::{AnsweredBoleto, OrderedBoleto, check_boleto, check_pix};
use ledger_domain::Cents;

use super::run::{Outcome, Run, Verdict, answered, due_on, ensure, key};

/// Whether the answered code is for the order.
fn agrees(order: &ChargeOrder, charge: &Charge) -> Result<(), String> {
    match &charge.next_action {
        Some(NextAction::Pix { code, .. }) => check_pix(code, order.amount)
            .map(drop)
            .map_err(|error| error.to_string()),
        Some(NextAction::Boleto {
            line, barcode, pix, ..
        }) => {
            let answered = AnsweredBoleto {
                line,
                barcode: barcode.as_deref(),
            };
            let ordered = OrderedBoleto {
                amount: order.amount,
                due: due_on(),
            };
            check_boleto(answered, ordered).map_err(|error| error.to_string())?;
            pix.as_ref().map_or(Ok(()), |code| {
                check_pix(code, order.amount)
                    .map(drop)
                    .map_err(|error| error.to_string())
            })
        }
        other => Err(format!("nothing to pay: {other:?}")),
    }
}

async fn paid(run: &Run<'_>, order: &ChargeOrder) -> Outcome {
    let charge = run.charge(order).await?;
    ensure!(
        charge.state == ChargeState::Pending && charge.amount == Some(order.amount),
        "{charge:?}"
    );
    agrees(order, &charge)?;
    let looked_up = run.look_up(&key(order, &charge)).await?;
    agrees(order, &looked_up)?;
    run.change(order, "pay").await?;
    let state = run.state(order, &charge).await?;
    ensure!(state == ChargeState::Paid, "{state:?}");
    let looked_up = run.look_up(&key(order, &charge)).await?;
    ensure!(looked_up.next_action.is_none(), "{looked_up:?}");
    Ok(Verdict::Passed)
}

pub async fn pix_paid(run: &Run<'_>) -> Outcome {
    let order = run.pix_order(123_45);
    paid(run, &order).await
}

pub async fn boleto_paid(run: &Run<'_>) -> Outcome {
    let order = run.boleto_order(543_20);
    paid(run, &order).await
}

pub async fn boleto_with_pix(run: &Run<'_>) -> Outcome {
    let order = run.boleto_order(100_00);
    let charge = run.charge(&order).await?;
    agrees(&order, &charge)?;
    let offered = run.contract.0.suite.adds_pix_to_boletos;
    match charge.next_action {
        Some(NextAction::Boleto { pix: Some(code), .. }) if offered && code.contains(&charge.charge_id) => {
            Ok(Verdict::Passed)
        }
        Some(NextAction::Boleto { pix: None, .. }) if !offered => Ok(Verdict::NotOffered),
        other => Err(format!("{other:?}")),
    }
}

pub async fn pix_expired(run: &Run<'_>) -> Outcome {
    let order = run.pix_order(100_00);
    let charge = run.charge(&order).await?;
    run.change(&order, "expire").await?;
    let state = run.state(&order, &charge).await?;
    ensure!(state == ChargeState::Canceled, "{state:?}");
    Ok(Verdict::Passed)
}

async fn canceled(run: &Run<'_>, order: &ChargeOrder) -> Result<ChargeState, String> {
    let charge = run.charge(order).await?;
    let canceled = answered(run.adapter.cancel(&key(order, &charge)).await)?;
    let state = run.state(order, &charge).await?;
    ensure!(
        canceled.state == state,
        "answered {canceled:?}, looked up {state:?}"
    );
    Ok(state)
}

pub async fn pix_canceled(run: &Run<'_>) -> Outcome {
    let order = run.pix_order(100_00);
    match (run.contract.0.suite.cancels_pix, canceled(run, &order).await?) {
        (false, ChargeState::Pending) => Ok(Verdict::StaysPending),
        (true, ChargeState::Canceled) => Ok(Verdict::Passed),
        (_, other) => Err(format!("{other:?}")),
    }
}

pub async fn boleto_canceled(run: &Run<'_>) -> Outcome {
    let order = run.boleto_order(100_00);
    let state = canceled(run, &order).await?;
    ensure!(state == ChargeState::Canceled, "{state:?}");
    Ok(Verdict::Passed)
}

pub async fn cancel_after_payment(run: &Run<'_>) -> Outcome {
    let (order, charge) = run.paid_pix(100_00).await?;
    let answer = answered(run.adapter.cancel(&key(&order, &charge)).await)?;
    ensure!(answer.state == ChargeState::Paid, "{answer:?}");
    let state = run.state(&order, &charge).await?;
    ensure!(state == ChargeState::Paid, "{state:?}");
    Ok(Verdict::Passed)
}

pub async fn paid_late(run: &Run<'_>) -> Outcome {
    let order = run.boleto_order(100_00);
    let charge = run.charge(&order).await?;
    run.change(&order, "expire").await?;
    run.change(&order, "pay").await?;
    let expected = if run.contract.0.takes_late_payments {
        ChargeState::Paid
    } else {
        ChargeState::Canceled
    };
    let state = run.state(&order, &charge).await?;
    ensure!(state == expected, "{state:?}");
    Ok(Verdict::Passed)
}

/// The amount of a paid charge is the acquirer's, not the order's.
pub async fn another_amount(run: &Run<'_>) -> Outcome {
    let (order, charge) = run.paid_pix(100_29).await?;
    let found = run.look_up(&key(&order, &charge)).await?;
    ensure!(
        found.state == ChargeState::Paid && found.amount == Some(Cents::new(100_30)),
        "{found:?}"
    );
    Ok(Verdict::Passed)
}

pub async fn wrong_code(run: &Run<'_>) -> Outcome {
    for order in [run.pix_order(100_27), run.boleto_order(100_27)] {
        let charge = run.charge(&order).await?;
        ensure!(charge.next_action.is_some(), "{charge:?}");
        ensure!(agrees(&order, &charge).is_err(), "{charge:?}");
    }
    Ok(Verdict::Passed)
}
