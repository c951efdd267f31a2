//! What staff should look at before they pay a withdrawal, from the company's history.

use std::collections::HashMap;

use ledger_domain::calendar::Instant;
use ledger_domain::transfer::{TransferKind, TransferStatus};
use ledger_domain::{BusinessId, Cents, TransferId};
use projections::Error;
use projections::withdrawals::{Transfer, UsualBefore, usual_before};
use tokio_postgres::GenericClient;

/// A withdrawal above this many times the mean of the last paid ones is far above the usual.
const FAR_ABOVE: i64 = 3;
/// Fewer paid withdrawals say nothing about what is usual.
const PAID_MIN: u64 = 3;
/// Fewer disputes in 30 days are not a rise.
const DISPUTES_MIN: u64 = 3;

ledger_domain::words! {
    /// first: no earlier withdrawal of the company was paid. far_above_usual: more than three times the mean of the last
    /// ten that were paid. new_password, new_email: of the user who requested it, changed at most
    /// `marked_destination_days` before. disputes_rising: at least three disputes in the 30 days before, and more than in
    /// the 30 days before those. debt: the company's available balance is below zero now.
    pub enum TransferSignal {
        First = "first" => "Primeiro saque",
        FarAboveUsual = "far_above_usual" => "Muito acima do usual",
        NewPassword = "new_password" => "Senha trocada há pouco",
        NewEmail = "new_email" => "E-mail trocado há pouco",
        DisputesRising = "disputes_rising" => "Contestações em alta",
        Debt = "debt" => "Saldo negativo",
    }
}

/// Whether somebody still has to decide on the withdrawal or pay it. The others have no signals.
pub fn waits(transfer: &Transfer) -> bool {
    transfer.kind == TransferKind::Withdrawal
        && matches!(
            transfer.status,
            TransferStatus::Pending | TransferStatus::Processing
        )
}

/// The signals of the withdrawals that wait: those that follow from earlier withdrawals and from disputes.
pub async fn history_signals(
    client: &impl GenericClient,
    transfers: &[Transfer],
) -> Result<HashMap<TransferId, Vec<TransferSignal>>, Error> {
    let waiting: Vec<&Transfer> = transfers.iter().filter(|transfer| waits(transfer)).collect();
    let requests: Vec<(BusinessId, Instant)> = waiting
        .iter()
        .map(|transfer| (transfer.business_id, transfer.requested_at))
        .collect();
    let usual = usual_before(client, &requests).await?;
    let signals = waiting
        .into_iter()
        .zip(usual)
        .map(|(transfer, usual)| (transfer.transfer_id, signals_of(transfer.amount, usual)));
    Ok(signals.collect())
}

fn signals_of(amount: Cents, usual: UsualBefore) -> Vec<TransferSignal> {
    let UsualBefore {
        paid,
        amount: paid_amount,
        disputes,
        earlier_disputes,
    } = usual;
    // Compared by multiplication, so that nothing is rounded.
    let times = i64::try_from(paid).unwrap_or(i64::MAX);
    let is_far_above = amount.get().saturating_mul(times) > paid_amount.get().saturating_mul(FAR_ABOVE);
    [
        (paid == 0, TransferSignal::First),
        (paid >= PAID_MIN && is_far_above, TransferSignal::FarAboveUsual),
        (
            disputes >= DISPUTES_MIN && disputes > earlier_disputes,
            TransferSignal::DisputesRising,
        ),
    ]
    .into_iter()
    .filter_map(|(holds, signal)| holds.then_some(signal))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(amount: i64, (paid, paid_amount): (u64, i64), disputes: (u64, u64)) -> Vec<TransferSignal> {
        let usual = UsualBefore {
            paid,
            amount: Cents::new(paid_amount),
            disputes: disputes.0,
            earlier_disputes: disputes.1,
        };
        signals_of(Cents::new(amount), usual)
    }

    #[test]
    fn the_limits_of_each_signal() {
        use TransferSignal::{DisputesRising, FarAboveUsual, First};
        assert_eq!(signals(1, (0, 0), (0, 0)), [First]);
        assert_eq!(signals(30_000, (3, 30_000), (0, 0)), [], "three times the mean");
        assert_eq!(signals(30_001, (3, 30_000), (0, 0)), [FarAboveUsual]);
        assert_eq!(signals(90_000, (2, 20_000), (0, 0)), [], "two say nothing");
        assert_eq!(signals(1, (1, 1), (3, 2)), [DisputesRising]);
        assert_eq!(signals(1, (1, 1), (3, 3)), []);
        assert_eq!(signals(1, (1, 1), (2, 0)), []);
    }
}
