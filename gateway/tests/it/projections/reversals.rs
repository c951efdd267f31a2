//! Reversals of a `PartlySettledSale`, to the cent, and the rental of a terminal.

use ledger_domain::Cents;
use ledger_domain::business::{Account, DisputeStage};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{Cancellation, Initiator, SaleStatus};
use ledger_domain::transfer::{TransferKind, TransferStatus};
use projections::balance::statement::{Movement, MovementKind, StatementFilter, statement_list};
use projections::daily_sales::Figures;
use projections::sales::{DateBasis, ReceivableStatus, SaleFilter, export_page};
use projections::{SortOrder, withdrawals};

use super::ledger::{cents, terminal};
use super::partly_settled_sale::{ALL, PartlySettledSale, at, date, reversed_on};

/// The two lines of the statement before the reversal.
const EARLIER_LINES: [(MovementKind, Movement, i64, i64); 2] = [
    (
        MovementKind::ManualTransfer,
        Movement::ManualCredit,
        400_00,
        400_00,
    ),
    (MovementKind::Transaction, Movement::Settlement, 97_00, 497_00),
];

/// The line of the two open installments, 2 × R$ 97,00, which a reversal pays early.
const ACCELERATED: (MovementKind, Movement, i64, i64) =
    (MovementKind::Transaction, Movement::Accelerated, 194_00, 691_00);

fn with_earlier_lines(
    lines: &[(MovementKind, Movement, i64, i64)],
) -> Vec<(MovementKind, Movement, i64, i64)> {
    [&EARLIER_LINES, lines].concat()
}

fn accelerated_schedule() -> Vec<(Date, i64, i64, i64)> {
    vec![
        (date(2026, 12, 23), 97_00, 97_00, 0),
        (date(2027, 1, 22), 97_00, 0, 97_00),
        (date(2027, 2, 22), 97_00, 0, 97_00),
    ]
}

#[tokio::test]
async fn a_cancel_restores_the_balance_from_before_the_sale() {
    let reversed = PartlySettledSale::after_first_settlement().await;
    reversed.reversal_commands().cancel(reversed.sale, at(0)).await;
    assert_eq!(reversed.balances().await, (400_00, 0, 0));
    assert_eq!(
        reversed.accounts().await.platform_fees,
        Cents::ZERO,
        "the fee is returned too"
    );
    let back = (
        MovementKind::ReturnedTransaction,
        Movement::Cancellation,
        -291_00,
        400_00,
    );
    assert_eq!(reversed.lines().await, with_earlier_lines(&[ACCELERATED, back]));
    assert_eq!(reversed.schedule().await, accelerated_schedule());
    assert_eq!(
        reversed.last_postings().await,
        [
            (Account::Receivable, -194_00, 0),
            (Account::Available, -97_00, 400_00),
            (Account::PlatformFees, -9_00, 0),
            (Account::Clearing, 300_00, -400_00),
        ]
    );
    let detail = reversed.detail().await;
    assert_eq!((detail.row.status, detail.dispute), (SaleStatus::Canceled, None));
    let parts: Vec<_> = detail
        .receivables
        .iter()
        .map(|part| (part.status, part.paid_on))
        .collect();
    let accelerated = (ReceivableStatus::Accelerated, Some(reversed_on()));
    let settled = (ReceivableStatus::Settled, Some(date(2026, 12, 23)));
    assert_eq!(parts, [settled, accelerated, accelerated]);
    let last = detail.events.last().expect("events");
    assert_eq!(
        (last.event_type, last.amount, last.initiator, last.outcome),
        (
            "SaleCanceled",
            Some(cents(300_00)),
            Some(Initiator::Platform),
            Some(Cancellation::Canceled)
        )
    );
    assert_eq!(last.reason.as_deref(), Some("cliente desistiu"));
    let expected = Figures {
        cancels: 1,
        canceled_gross: 300_00,
        canceled_net: 291_00,
        ..Figures::default()
    };
    assert_eq!(reversed.reversals_of_the_day().await, expected);
    reversed.assert_complete().await;
}

#[tokio::test]
async fn a_won_dispute_pays_the_whole_sale_at_once() {
    let reversed = PartlySettledSale::after_first_settlement().await;
    reversed
        .reversal_commands()
        .dispute(reversed.sale, "ours", at(0))
        .await;
    assert_eq!(reversed.balances().await, (391_00, 0, 300_00));
    let blocked = (
        MovementKind::ReturnedTransaction,
        Movement::Dispute,
        -300_00,
        391_00,
    );
    assert_eq!(
        reversed.lines().await,
        with_earlier_lines(&[ACCELERATED, blocked])
    );
    reversed
        .reversal_commands()
        .open(reversed.sale, "dp-1", at(1))
        .await;
    let confirmed = reversed.detail().await;
    let dispute = confirmed.dispute.expect("a dispute");
    assert_eq!(
        (
            dispute.id.as_str(),
            dispute.initiator,
            dispute.opened_at,
            dispute.stage
        ),
        ("dp-1", Initiator::Platform, at(0), DisputeStage::Open)
    );
    assert_eq!(confirmed.row.status, SaleStatus::Dispute);
    assert_eq!(
        reversed.balances().await,
        (391_00, 0, 300_00),
        "a confirmation posts nothing"
    );

    reversed
        .reversal_commands()
        .win(reversed.sale, "dp-1", at(2))
        .await;
    assert_eq!(reversed.balances().await, (691_00, 0, 0));
    let won = (MovementKind::Transaction, Movement::DisputeWon, 300_00, 691_00);
    assert_eq!(
        reversed.lines().await,
        with_earlier_lines(&[ACCELERATED, blocked, won])
    );
    assert_eq!(reversed.schedule().await, accelerated_schedule());
    let detail = reversed.detail().await;
    assert_eq!(detail.row.status, SaleStatus::Succeeded);
    assert_eq!(detail.dispute.expect("a dispute").stage, DisputeStage::Won);
    let types: Vec<_> = detail.events.iter().map(|event| event.event_type).collect();
    assert_eq!(
        types,
        [
            "SaleCaptured",
            "ReceivablesSettled",
            "SaleDisputed",
            "DisputeConfirmed",
            "DisputeWon"
        ]
    );
    let expected = Figures {
        disputes: 1,
        disputed: 300_00,
        disputes_won: 1,
        won: 300_00,
        ..Figures::default()
    };
    assert_eq!(reversed.reversals_of_the_day().await, expected);
    reversed.assert_complete().await;
}

#[tokio::test]
async fn after_a_lost_dispute_the_platform_keeps_its_fee() {
    let reversed = PartlySettledSale::after_first_settlement().await;
    reversed
        .reversal_commands()
        .open(reversed.sale, "dp-1", at(0))
        .await;
    reversed
        .reversal_commands()
        .lose(reversed.sale, "dp-1", at(1))
        .await;
    assert_eq!(reversed.balances().await, (391_00, 0, 0));
    assert_eq!(reversed.accounts().await.platform_fees, cents(9_00));
    let blocked = (
        MovementKind::ReturnedTransaction,
        Movement::Dispute,
        -300_00,
        391_00,
    );
    let lines = with_earlier_lines(&[ACCELERATED, blocked]);
    assert_eq!(
        reversed.lines().await,
        lines,
        "the loss debits the blocked amount"
    );
    let detail = reversed.detail().await;
    let dispute = detail.dispute.expect("a dispute");
    assert_eq!(
        (detail.row.status, dispute.stage, dispute.initiator),
        (SaleStatus::ChargedBack, DisputeStage::Lost, Initiator::Acquirer)
    );
    let expected = Figures {
        disputes: 1,
        disputed: 300_00,
        chargebacks: 1,
        charged_back: 300_00,
        ..Figures::default()
    };
    assert_eq!(reversed.reversals_of_the_day().await, expected);
    reversed.assert_complete().await;
}

#[tokio::test]
async fn a_chargeback_without_a_dispute_costs_the_same_as_a_lost_dispute() {
    let reversed = PartlySettledSale::after_first_settlement().await;
    reversed
        .reversal_commands()
        .lose(reversed.sale, "dp-1", at(0))
        .await;
    assert_eq!(reversed.balances().await, (391_00, 0, 0));
    let taken = (
        MovementKind::ReturnedTransaction,
        Movement::Chargeback,
        -300_00,
        391_00,
    );
    assert_eq!(reversed.lines().await, with_earlier_lines(&[ACCELERATED, taken]));
    assert_eq!(reversed.schedule().await, accelerated_schedule());
    let dispute = reversed.detail().await.dispute.expect("a dispute");
    assert_eq!((dispute.id.as_str(), dispute.stage), ("dp-1", DisputeStage::Lost));
    let expected = Figures {
        chargebacks: 1,
        charged_back: 300_00,
        ..Figures::default()
    };
    assert_eq!(reversed.reversals_of_the_day().await, expected);
    reversed.assert_complete().await;
}

/// The dispute blocked the gross amount. The refund returns the fee, so the balances are the same as after a cancel.
#[tokio::test]
async fn a_refund_during_a_dispute_returns_the_fee_to_the_seller() {
    let reversed = PartlySettledSale::after_first_settlement().await;
    reversed
        .reversal_commands()
        .open(reversed.sale, "dp-1", at(0))
        .await;
    reversed.reversal_commands().refund(reversed.sale, at(1)).await;
    assert_eq!(reversed.balances().await, (400_00, 0, 0));
    assert_eq!(reversed.accounts().await.platform_fees, Cents::ZERO);
    let blocked = (
        MovementKind::ReturnedTransaction,
        Movement::Dispute,
        -300_00,
        391_00,
    );
    let fees = (
        MovementKind::ReturnedTransaction,
        Movement::FeesReturned,
        9_00,
        400_00,
    );
    assert_eq!(
        reversed.lines().await,
        with_earlier_lines(&[ACCELERATED, blocked, fees])
    );
    let detail = reversed.detail().await;
    assert_eq!(
        (detail.row.status, detail.dispute.expect("a dispute").stage),
        (SaleStatus::Refunded, DisputeStage::Closed)
    );
    reversed.assert_complete().await;
}

#[tokio::test]
async fn a_rental_is_a_kind_of_transfer_and_is_returned_in_full() {
    let reversed = PartlySettledSale::after_first_settlement().await;
    let due = date(2027, 1, 1);
    let id = reversed.reversal_commands().rent(89_90, due, at(0)).await;
    assert_eq!(reversed.balances().await, (407_10, 194_00, 0));
    let row = withdrawals::find(&**reversed.ledger.client().await, None, id).await;
    let row = row.expect("a look").expect("a transfer");
    assert_eq!(
        (row.kind, row.status, row.amount),
        (
            TransferKind::TerminalRental,
            TransferStatus::Approved,
            cents(89_90)
        )
    );
    let rental = row.rental.expect("of a terminal");
    assert_eq!(
        (rental.terminal_serial, rental.due_date),
        (terminal(1).serial_number, due)
    );
    let charged_at = row.updated_at;

    reversed.reversal_commands().cancel_rental(id, at(5)).await;
    assert_eq!(reversed.balances().await, (497_00, 194_00, 0));
    let client = reversed.ledger.client().await;
    let row = withdrawals::find(&**client, None, id)
        .await
        .expect("a look")
        .expect("a transfer");
    assert_eq!(
        (row.status, row.reason.as_deref()),
        (TransferStatus::Refused, Some("maquininha devolvida"))
    );
    assert!(row.updated_at > charged_at);
    let page = statement_list(&**client, &StatementFilter::of(reversed.shop), ALL).await;
    let lines: Vec<_> = page.expect("lines").rows[..2]
        .iter()
        .map(|line| (line.kind, line.amount, line.transfer_id, line.description()))
        .collect();
    let (back, charged) = (
        "Devolução do aluguel de maquininha",
        "Aluguel de maquininha: PB000001",
    );
    assert_eq!(
        lines,
        [
            (
                MovementKind::ReturnedTransfer,
                cents(89_90),
                Some(id),
                back.to_owned()
            ),
            (
                MovementKind::Transfer,
                cents(-89_90),
                Some(id),
                charged.to_owned()
            ),
        ]
    );
    drop(client);
    reversed.runner.stop().await;
}

#[tokio::test]
async fn two_reversals_of_a_sale_at_one_instant_are_listed_by_pages_of_one_row() {
    let reversed = PartlySettledSale::after_first_settlement().await;
    let commands = reversed.reversal_commands();
    commands.open(reversed.sale, "dp-1", at(0)).await;
    commands.lose(reversed.sale, "dp-1", at(0)).await;
    reversed.ledger.until_caught_up().await;
    let client = reversed.ledger.client().await;
    for (order, expected) in [
        (SortOrder::Asc, [SaleStatus::ChargedBack, SaleStatus::Dispute]),
        (SortOrder::Desc, [SaleStatus::Dispute, SaleStatus::ChargedBack]),
    ] {
        let filter = SaleFilter {
            date_basis: DateBasis::Reversed,
            order,
            ..SaleFilter::default()
        };
        let mut listed = vec![];
        let mut after = None;
        for _ in expected {
            let page = export_page(&**client, &filter, after, 1).await.expect("a page");
            listed.extend(
                page.rows
                    .iter()
                    .filter_map(|row| row.counted.and_then(|part| part.status)),
            );
            after = page.next;
        }
        assert_eq!(listed, expected);
    }
}
