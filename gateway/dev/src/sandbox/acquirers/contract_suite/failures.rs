//! Cases in which a call fails, is repeated or finds nothing.

use gateway_acquirers::calls::CallOutcome;
use gateway_acquirers::charge::{ChargeKey, ChargeState};

use super::run::{Outcome, Run, Verdict, ensure, sale_key};
use super::world::World;

/// Amounts whose cents ask for the failure (`ChargeBehavior`).
pub const LOST_ANSWER: i64 = 100_21;
pub const BROKEN_ANSWER: i64 = 100_22;
pub const LOST_ORDER: i64 = 100_23;
pub const BROKEN_ORDER: i64 = 100_24;
const BROKEN_LOOK_UP: i64 = 100_28;

/// The charge was made, but its answer was lost or is a server error.
pub async fn answer_missing(run: &Run<'_>, amount: i64) -> Outcome {
    let order = run.pix_order(amount);
    let answer = run.adapter.charge(&order).await;
    ensure!(matches!(answer, CallOutcome::Unknown(_)), "{answer:?}");
    let found = run.look_up(&sale_key(&order)).await?;
    ensure!(
        found.state == ChargeState::Pending && found.next_action.is_some(),
        "{found:?}"
    );
    ensure!(run.charges_of(&order) == 1, "charged twice");
    Ok(Verdict::Passed)
}

/// Nothing was charged. The look-up proves that, so the order is sent again and charged once.
pub async fn order_missing(run: &Run<'_>, amount: i64) -> Outcome {
    let order = run.pix_order(amount);
    let answer = run.adapter.charge(&order).await;
    ensure!(matches!(answer, CallOutcome::Unknown(_)), "{answer:?}");
    let looked_up = run.adapter.look_up(&sale_key(&order)).await;
    ensure!(looked_up == CallOutcome::NotFound, "{looked_up:?}");
    let charge = run.charge(&order).await?;
    ensure!(charge.state == ChargeState::Pending, "{charge:?}");
    ensure!(run.charges_of(&order) == 1, "charged twice");
    Ok(Verdict::Passed)
}

/// A repeat without a look-up, as after a crash, is answered with the first charge.
pub async fn repeated_order(run: &Run<'_>) -> Outcome {
    for order in [run.pix_order(100_00), run.boleto_order(100_00)] {
        let first = run.charge(&order).await?;
        run.change(&order, "pay").await?;
        let second = run.charge(&order).await?;
        ensure!(
            second.charge_id == first.charge_id && second.state == ChargeState::Paid,
            "{first:?} then {second:?}"
        );
        ensure!(run.charges_of(&order) == 1, "charged twice");
    }
    Ok(Verdict::Passed)
}

pub async fn broken_look_up(run: &Run<'_>) -> Outcome {
    let order = run.pix_order(BROKEN_LOOK_UP);
    // Some adapters look up while they charge, so that the failure comes there.
    let charged = run.adapter.charge(&order).await;
    let looked_up = run.adapter.look_up(&sale_key(&order)).await;
    let failed = matches!(charged, CallOutcome::Unknown(_)) || matches!(looked_up, CallOutcome::Unknown(_));
    ensure!(failed, "{charged:?} then {looked_up:?}");
    let again = run.look_up(&sale_key(&order)).await?;
    ensure!(again.state == ChargeState::Pending, "{again:?}");
    Ok(Verdict::Passed)
}

pub async fn unknown_charge(run: &Run<'_>) -> Outcome {
    let order = run.pix_order(100_00);
    let by_sale = run.adapter.look_up(&sale_key(&order)).await;
    ensure!(by_sale == CallOutcome::NotFound, "{by_sale:?}");
    let by_id = ChargeKey {
        charge_id: Some("00000000000000000000000000000000".to_owned()),
        ..sale_key(&order)
    };
    let by_id = run.adapter.look_up(&by_id).await;
    ensure!(by_id == CallOutcome::NotFound, "{by_id:?}");
    Ok(Verdict::Passed)
}

/// A list without our sale ids may contain the charge that is looked up, so the answer must not be `NotFound`.
pub async fn list_without_our_ids(run: &Run<'_>) -> Outcome {
    if !run.contract.0.suite.searches_lists {
        return Ok(Verdict::NotOffered);
    }
    let world = World::without_our_ids().await;
    let run = Run::new(&world, run.contract);
    run.charge(&run.pix_order(100_00)).await?;
    let looked_up = run.adapter.look_up(&sale_key(&run.pix_order(100_00))).await;
    ensure!(matches!(looked_up, CallOutcome::Unknown(_)), "{looked_up:?}");
    Ok(Verdict::Passed)
}

pub async fn wrong_key(run: &Run<'_>) -> Outcome {
    let order = run.pix_order(100_00);
    let answer = run.with_wrong_key.charge(&order).await;
    ensure!(matches!(answer, CallOutcome::Rejected(_)), "{answer:?}");
    let looked_up = run.with_wrong_key.look_up(&sale_key(&order)).await;
    ensure!(matches!(looked_up, CallOutcome::Rejected(_)), "{looked_up:?}");
    Ok(Verdict::Passed)
}

pub async fn unreachable(run: &Run<'_>) -> Outcome {
    let order = run.pix_order(100_00);
    let answer = run.without_server.charge(&order).await;
    ensure!(matches!(answer, CallOutcome::Unknown(_)), "{answer:?}");
    let looked_up = run.without_server.look_up(&sale_key(&order)).await;
    ensure!(matches!(looked_up, CallOutcome::Unknown(_)), "{looked_up:?}");
    Ok(Verdict::Passed)
}
