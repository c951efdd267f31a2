//! Cases after the payment: refunds, disputes, and what the acquirer pays.

use gateway_acquirers::calls::{CallFault, CallOutcome};
use gateway_acquirers::charge::{ChargePart, ChargeState};
use gateway_acquirers::receivable::AcquirerReceivable;
use ledger_domain::Cents;
use ledger_domain::calendar::{Date, business_date, days_after};
use ledger_domain::ids::RefundId;
use ledger_domain::sale::PaymentType;
use uuid::Uuid;

use super::run::{Outcome, Run, Verdict, answered, ensure, key, whole_charge};
use super::world::now;

/// Amounts whose cents ask for the failure (`ChargeBehavior`).
const REFUND_REFUSED: i64 = 100_11;
const REFUND_LOST_ANSWER: i64 = 100_12;

pub async fn refunded(run: &Run<'_>) -> Outcome {
    let (order, charge) = run.paid_pix(100_00).await?;
    for _ in 0..2 {
        let refunded = answered(run.adapter.refund(&whole_charge(&order, &charge)).await)?;
        ensure!(refunded.state == ChargeState::Refunded, "{refunded:?}");
    }
    let state = run.state(&order, &charge).await?;
    ensure!(state == ChargeState::Refunded, "{state:?}");
    Ok(Verdict::Passed)
}

/// A contract without idempotency keys for refunds gets one request: the repeat only looks up.
pub async fn refund_sent_once(run: &Run<'_>) -> Outcome {
    let (order, charge) = run.paid_pix(REFUND_LOST_ANSWER).await?;
    let lost = run.adapter.refund(&whole_charge(&order, &charge)).await;
    ensure!(matches!(lost, CallOutcome::Unknown(_)), "{lost:?}");
    let refunded = answered(run.adapter.refund(&whole_charge(&order, &charge)).await)?;
    ensure!(refunded.state == ChargeState::Refunded, "{refunded:?}");
    run.requested_once(&charge, run.contract.0.suite.refund_path)
}

pub async fn refund_refused(run: &Run<'_>) -> Outcome {
    let (order, charge) = run.paid_pix(REFUND_REFUSED).await?;
    let answer = run.adapter.refund(&whole_charge(&order, &charge)).await;
    ensure!(matches!(answer, CallOutcome::Rejected(_)), "{answer:?}");
    let state = run.state(&order, &charge).await?;
    ensure!(state == ChargeState::Paid, "{state:?}");
    Ok(Verdict::Passed)
}

pub async fn refund_lost_answer(run: &Run<'_>) -> Outcome {
    let (order, charge) = run.paid_pix(REFUND_LOST_ANSWER).await?;
    let answer = run.adapter.refund(&whole_charge(&order, &charge)).await;
    ensure!(matches!(answer, CallOutcome::Unknown(_)), "{answer:?}");
    let found = run.look_up(&key(&order, &charge)).await?;
    ensure!(found.state == ChargeState::Refunded, "{found:?}");
    Ok(Verdict::Passed)
}

/// A 429 is no refusal of the refund: it can be requested again.
pub async fn refund_rate_limited(run: &Run<'_>) -> Outcome {
    let (order, charge) = run.paid_pix(100_00).await?;
    let limited = run
        .with_limited_refunds
        .refund(&whole_charge(&order, &charge))
        .await;
    ensure!(
        limited == CallOutcome::Unknown(CallFault("rate_limited")),
        "{limited:?}"
    );
    let refunded = answered(run.adapter.refund(&whole_charge(&order, &charge)).await)?;
    ensure!(refunded.state == ChargeState::Refunded, "{refunded:?}");
    Ok(Verdict::Passed)
}

pub async fn refunded_in_parts(run: &Run<'_>) -> Outcome {
    let types = run.adapter.part_refunds();
    let (order, charge) = if types.contains(&PaymentType::Pix) {
        run.paid_pix(100_00).await?
    } else if types.contains(&PaymentType::Credit) {
        let order = run.card_order("4242").await?;
        let charge = run.charge(&order).await?;
        (order, charge)
    } else {
        return Ok(Verdict::NotOffered);
    };
    let whole = order.amount.get();
    let part = |amount| ChargePart {
        refund_id: RefundId::from_uuid(Uuid::now_v7()),
        key: key(&order, &charge),
        amount: Cents::new(amount),
    };
    let first = part(30_01);
    // A repeat is the same part if the contract has keys.
    let repeats = usize::from(run.adapter.repeats_part_refunds());
    for _ in 0..=repeats {
        answered(run.adapter.refund_part(&first).await)?;
    }
    let found = run.look_up(&key(&order, &charge)).await?;
    ensure!(found.state == ChargeState::PartlyRefunded, "{found:?}");
    ensure!(found.refunded.is_none_or(|sum| sum == first.amount), "{found:?}");
    let above = run.adapter.refund_part(&part(whole - 30_00)).await;
    ensure!(matches!(above, CallOutcome::Rejected(_)), "{above:?}");
    answered(run.adapter.refund_part(&part(whole - 30_01)).await)?;
    let state = run.state(&order, &charge).await?;
    ensure!(state == ChargeState::Refunded, "{state:?}");
    Ok(Verdict::Passed)
}

pub async fn reversed(run: &Run<'_>) -> Outcome {
    let (order, charge) = run.paid_pix(100_00).await?;
    run.change(&order, "reverse").await?;
    let expected = if run.adapter.tells_reversals() {
        ChargeState::Reversed
    } else {
        ChargeState::Refunded
    };
    let state = run.state(&order, &charge).await?;
    ensure!(state == expected, "{state:?}");
    Ok(Verdict::Passed)
}

pub async fn disputed(run: &Run<'_>) -> Outcome {
    let (order, charge) = run.paid_pix(100_00).await?;
    for (change, expected) in [
        ("dispute", ChargeState::Disputed),
        ("win-dispute", ChargeState::Paid),
    ] {
        run.change(&order, change).await?;
        let state = run.state(&order, &charge).await?;
        ensure!(state == expected, "{change}: {state:?}");
    }
    Ok(Verdict::Passed)
}

pub async fn charged_back(run: &Run<'_>) -> Outcome {
    let (order, charge) = run.paid_pix(100_00).await?;
    run.change(&order, "dispute").await?;
    run.change(&order, "charge-back").await?;
    let state = run.state(&order, &charge).await?;
    ensure!(state == ChargeState::ChargedBack, "{state:?}");
    Ok(Verdict::Passed)
}

/// All pages of a day.
async fn list(run: &Run<'_>, day: Date) -> Result<Option<Vec<AcquirerReceivable>>, String> {
    let (mut all, mut page) = (Vec::new(), None::<String>);
    loop {
        let Some(answer) = run.adapter.receivables(day, page.as_deref()).await else {
            return Ok(None);
        };
        let CallOutcome::Answered(listed) = answer else {
            return Err(format!("{answer:?}"));
        };
        all.extend(listed.receivables);
        page = listed.next;
        if page.is_none() {
            return Ok(Some(all));
        }
    }
}

pub async fn receivables(run: &Run<'_>) -> Outcome {
    let today = business_date(now());
    let (order, charge, days, gross) = if run.takes(PaymentType::Credit) {
        let order = run.card_order("4242").await?;
        let charge = run.charge(&order).await?;
        // The second of three installments.
        (order, charge, 60, Cents::new(100_00))
    } else {
        let (order, charge) = run.paid_pix(200_00).await?;
        let gross = order.amount;
        (order, charge, 1, gross)
    };
    // Banks are open on both days.
    let day = days_after(today, days);
    let Some(listed) = list(run, day).await? else {
        return Ok(Verdict::NotOffered);
    };
    let of_charge: Vec<_> = listed
        .iter()
        .filter(|receivable| receivable.charge_id == charge.charge_id)
        .collect();
    let [receivable] = of_charge.as_slice() else {
        return Err(format!("{} of {}", of_charge.len(), listed.len()));
    };
    ensure!(
        receivable.gross == gross
            && receivable.net.checked_add(receivable.cost) == Some(gross)
            && receivable.cost > Cents::ZERO
            && receivable.expected_on == Some(day)
            && receivable.paid_on.is_none()
            && receivable.sale_id.is_none_or(|sale_id| sale_id == order.sale_id),
        "{receivable:?}"
    );
    Ok(Verdict::Passed)
}
