//! The life cycle of a transfer: its row and its lines in the statement, from events that the real writer recorded.

use ledger_domain::Cents;
use ledger_domain::business::Approvals;
use ledger_domain::transfer::{Direction, PayoutNames, TransferKind, TransferStatus};
use ledger_store::{Actor, Outcome};
use projections::balance::as_of::Axis;
use projections::balance::balance_fetch;
use projections::balance::statement::{
    Movement, MovementKind, StatementFilter, StatementLine, event_behind, statement_list, statement_sums,
};
use projections::withdrawals::{self, Transfer};
use projections::{Paging, SortOrder, TimeRange};

use super::ledger::{Ledger, business, cents, day};
use super::transfer_commands::{FEE, TransferCommands, bank_account, later, payout, pix_key, user};

const FIRST_PAGE: Paging = Paging {
    page: 1,
    per_page: 20,
};

/// A shop with R$ 500,00 to withdraw.
async fn company_with_balance(ledger: &Ledger) -> TransferCommands<'_> {
    let commands = TransferCommands {
        ledger,
        shop: business(1),
    };
    commands
        .make_manual(Direction::In, 500_00, "crédito", later(0))
        .await;
    commands
}

impl TransferCommands<'_> {
    async fn find(&self, id: ledger_domain::TransferId) -> Transfer {
        self.ledger.until_caught_up().await;
        let client = self.ledger.client().await;
        let found = withdrawals::find(&**client, Some(self.shop), id).await;
        found.expect("a read").expect("the transfer")
    }

    /// The statement's lines, oldest first, without the initial credit of each test.
    async fn lines(&self) -> Vec<StatementLine> {
        self.ledger.until_caught_up().await;
        let client = self.ledger.client().await;
        let filter = StatementFilter {
            axis: Axis::Recorded,
            order: SortOrder::Asc,
            ..StatementFilter::of(self.shop)
        };
        let page = statement_list(&**client, &filter, FIRST_PAGE).await;
        page.expect("lines").rows.split_off(1)
    }
}

/// Each line's movement, its amount, and the available balance after it.
fn movements(lines: &[StatementLine]) -> Vec<(Movement, i64, i64)> {
    lines
        .iter()
        .map(|line| (line.movement, line.amount.get(), line.balance.get()))
        .collect()
}

#[tokio::test]
async fn a_request_is_pending_and_leaves_the_available_balance() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let commands = company_with_balance(&ledger).await;
    let id = commands.request(100_00, bank_account(), later(5)).await;
    let expected = Transfer {
        transfer_id: id,
        business_id: commands.shop,
        kind: TransferKind::Withdrawal,
        status: TransferStatus::Pending,
        amount: cents(100_00),
        fee: cents(FEE),
        destination: Some(bank_account()),
        direction: None,
        rental: None,
        description: None,
        reason: None,
        fee_given_back: None,
        names: PayoutNames::default(),
        return_names: PayoutNames::default(),
        by_hand: false,
        payout_id: None,
        approvals: 0,
        needs_attention: false,
        requested_by: Some(user().to_string()),
        requested_at: later(5),
        updated_at: later(5),
        updated_by: None,
        // After the initial credit.
        sequences: vec![2],
    };
    assert_eq!(commands.find(id).await, expected);
    assert_eq!(expected.net_amount(), cents(96_33));
    let lines = commands.lines().await;
    assert_eq!(movements(&lines), [(Movement::Withdrawal, -100_00, 400_00)]);
    assert_eq!(
        (lines[0].kind, lines[0].transfer_id),
        (MovementKind::Transfer, Some(id))
    );
    assert_eq!(lines[0].description(), "Saque");
    let client = ledger.client().await;
    let balance = balance_fetch(&**client, commands.shop).await.expect("a balance");
    assert_eq!(
        (balance.available, balance.in_transfer),
        (cents(400_00), cents(100_00))
    );
    let of_other_company = withdrawals::find(&**client, Some(business(2)), id).await;
    assert_eq!(
        of_other_company.expect("a read"),
        None,
        "another company's is not found"
    );
    runner.stop().await;
}

#[tokio::test]
async fn a_transfer_with_two_approvals_is_paid_by_its_payout_once() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let commands = company_with_balance(&ledger).await;
    let id = commands.request(100_00, pix_key(), later(5)).await;
    commands.give_approval(id, later(6)).await;
    let once = commands.find(id).await;
    assert_eq!((once.status, once.approvals), (TransferStatus::Pending, 1));
    assert_eq!(once.sequences, [2, 3]);
    assert_eq!(once.updated_by, Some(user().to_string()));
    commands
        .process(id, Some(payout(1)), Approvals::Two, later(7))
        .await;
    let twice = commands.find(id).await;
    assert_eq!(
        (twice.status, twice.approvals, twice.by_hand, twice.payout_id),
        (TransferStatus::Processing, 2, false, Some(payout(1)))
    );
    assert!(matches!(
        commands.report_paid(id, payout(1), later(8)).await,
        Outcome::Recorded(_)
    ));
    let paid = commands.find(id).await;
    assert_eq!(
        (paid.status, paid.approvals, paid.by_hand, paid.payout_id),
        (TransferStatus::Approved, 2, false, Some(payout(1)))
    );
    assert_eq!((paid.needs_attention, paid.updated_at), (false, later(8)));
    // A repeated report adds nothing.
    let again = commands.report_paid(id, payout(1), later(9)).await;
    assert!(matches!(again, Outcome::Duplicate { .. }), "{again:?}");
    assert_eq!(commands.find(id).await, paid);
    assert_eq!(
        movements(&commands.lines().await),
        [(Movement::Withdrawal, -100_00, 400_00)]
    );
    runner.stop().await;
}

#[tokio::test]
async fn a_refused_or_failed_transfer_returns_the_money_with_its_reason() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let commands = company_with_balance(&ledger).await;
    let refused = commands.request(100_00, pix_key(), later(5)).await;
    commands.refuse(refused, "dados divergentes", later(6)).await;
    let failed = commands.request(60_00, pix_key(), later(7)).await;
    commands
        .process(failed, Some(payout(1)), Approvals::One, later(8))
        .await;
    commands.report_failed(failed, payout(1), later(9)).await;
    let repeated = commands.report_failed(failed, payout(1), later(10)).await;
    assert!(matches!(repeated, Outcome::Duplicate { .. }), "{repeated:?}");
    let (refused, failed) = (commands.find(refused).await, commands.find(failed).await);
    assert_eq!(
        (refused.status, refused.reason.as_deref()),
        (TransferStatus::Refused, Some("dados divergentes"))
    );
    assert_eq!(
        (failed.status, failed.reason.as_deref(), failed.payout_id),
        (TransferStatus::Failed, Some("conta encerrada"), Some(payout(1)))
    );
    let lines = commands.lines().await;
    assert_eq!(
        movements(&lines),
        [
            (Movement::Withdrawal, -100_00, 400_00),
            (Movement::WithdrawalRefused, 100_00, 500_00),
            (Movement::Withdrawal, -60_00, 440_00),
            (Movement::WithdrawalFailed, 60_00, 500_00),
        ]
    );
    assert_eq!(lines[1].kind, MovementKind::ReturnedTransfer);
    assert_eq!(lines[3].note.as_deref(), Some("conta encerrada"));
    let client = ledger.client().await;
    let of_the_day = StatementFilter {
        range: TimeRange::of_business_dates(Some(day(54)), Some(day(54))),
        ..StatementFilter::of(commands.shop)
    };
    let sums = statement_sums(&**client, &of_the_day).await.expect("sums");
    let sums: Vec<_> = sums.iter().map(|sum| (sum.kind, sum.amount, sum.lines)).collect();
    assert_eq!(
        sums,
        [
            (MovementKind::Transfer, cents(-160_00), 2),
            (MovementKind::ManualTransfer, cents(500_00), 1),
            (MovementKind::ReturnedTransfer, cents(160_00), 2),
        ]
    );
    runner.stop().await;
}

#[tokio::test]
async fn a_reopened_transfer_is_debited_again_only_if_its_amount_was_returned() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let commands = company_with_balance(&ledger).await;
    let id = commands.request(60_00, pix_key(), later(5)).await;
    commands.process(id, None, Approvals::One, later(6)).await;
    assert!(commands.find(id).await.by_hand);
    commands.reopen(id, later(7)).await;
    assert_eq!(commands.lines().await.len(), 1, "its amount was still reserved");
    commands
        .process(id, Some(payout(1)), Approvals::One, later(8))
        .await;
    commands.report_failed(id, payout(1), later(9)).await;
    commands.reopen(id, later(10)).await;
    let pending = commands.find(id).await;
    assert_eq!(
        (pending.status, pending.approvals, pending.by_hand),
        (TransferStatus::Pending, 0, false)
    );
    assert_eq!((pending.reason, pending.payout_id), (None, None));
    let lines = commands.lines().await;
    assert_eq!(
        movements(&lines),
        [
            (Movement::Withdrawal, -60_00, 440_00),
            (Movement::WithdrawalFailed, 60_00, 500_00),
            (Movement::WithdrawalTakenAgain, -60_00, 440_00),
        ]
    );
    assert_eq!(lines[2].kind, MovementKind::Transfer);
    commands.approve(id, later(11)).await;
    let approved = commands.find(id).await;
    assert_eq!(
        (approved.status, approved.approvals, approved.by_hand),
        (TransferStatus::Approved, 1, true)
    );
    runner.stop().await;
}

#[tokio::test]
async fn a_late_payment_overrides_the_failure_and_makes_the_balance_negative() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let commands = company_with_balance(&ledger).await;
    let id = commands.request(400_00, pix_key(), later(5)).await;
    commands
        .process(id, Some(payout(1)), Approvals::One, later(6))
        .await;
    commands.report_failed(id, payout(1), later(8)).await;
    let other = commands.request(300_00, pix_key(), later(9)).await;
    // The bank paid it a minute before it reported the failure.
    let reported = commands.report_paid(id, payout(1), later(7)).await;
    assert!(matches!(reported, Outcome::Recorded(_)), "{reported:?}");
    let overruled = commands.find(id).await;
    assert_eq!(
        (overruled.status, overruled.needs_attention, overruled.by_hand),
        (TransferStatus::Approved, true, false)
    );
    assert_eq!((overruled.payout_id, overruled.reason), (Some(payout(1)), None));
    assert_eq!(
        overruled.updated_at,
        later(8),
        "the time of the last change does not go back"
    );
    assert_eq!(
        movements(&commands.lines().await),
        [
            (Movement::Withdrawal, -400_00, 100_00),
            (Movement::WithdrawalFailed, 400_00, 500_00),
            (Movement::Withdrawal, -300_00, 200_00),
            (Movement::WithdrawalTakenAgain, -400_00, -200_00),
        ]
    );
    let client = ledger.client().await;
    let balance = balance_fetch(&**client, commands.shop).await.expect("a balance");
    assert_eq!(
        (balance.available, balance.in_transfer),
        (cents(-200_00), cents(300_00))
    );
    assert!(!commands.find(other).await.needs_attention);
    let pending = commands.find(other).await;
    assert_eq!(pending.status, TransferStatus::Pending);
    commands.process(other, None, Approvals::One, later(10)).await;
    commands.report_paid(other, payout(2), later(11)).await;
    let paid_by_bank = commands.find(other).await;
    assert!(
        paid_by_bank.needs_attention,
        "the user who pays it by hand must stop"
    );
    runner.stop().await;
}

#[tokio::test]
async fn manual_transfers_and_holds_are_described_in_the_statement() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let commands = company_with_balance(&ledger).await;
    let made = commands
        .make_manual(Direction::Out, 20_00, "bobinas", later(1))
        .await;
    commands.hold(40_00, later(2)).await;
    commands.release(15_00, later(3)).await;
    let row = commands.find(made).await;
    assert_eq!(
        (row.kind, row.status, row.direction, row.fee),
        (
            TransferKind::Adjustment,
            TransferStatus::Approved,
            Some(Direction::Out),
            Cents::ZERO
        )
    );
    assert_eq!((row.description.as_deref(), row.by_hand), (Some("bobinas"), true));
    let lines = commands.lines().await;
    assert!(lines.iter().all(|line| line.kind == MovementKind::ManualTransfer));
    assert_eq!(
        movements(&lines),
        [
            (Movement::ManualRemoval, -20_00, 480_00),
            (Movement::Hold, -40_00, 440_00),
            (Movement::Release, 15_00, 455_00),
        ]
    );
    let words: Vec<_> = lines.iter().map(StatementLine::description).collect();
    assert_eq!(
        words,
        [
            "Ajuste manual (débito): bobinas",
            "Bloqueio de saldo",
            "Liberação de saldo"
        ]
    );
    assert_eq!(lines[1].note.as_deref(), Some("em análise"), "for staff");
    let client = ledger.client().await;
    let balance = balance_fetch(&**client, commands.shop).await.expect("a balance");
    assert_eq!(
        (balance.available, balance.blocked),
        (cents(455_00), cents(25_00))
    );
    runner.stop().await;
}

#[tokio::test]
async fn a_line_leads_to_its_event_only_for_its_own_company() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let commands = company_with_balance(&ledger).await;
    commands.request(60_00, pix_key(), later(5)).await;
    let line = commands.lines().await.remove(0);
    let client = ledger.client().await;
    let stored = event_behind(&**client, commands.shop, line.event_id)
        .await
        .expect("a read")
        .expect("its event");
    assert_eq!(
        (stored.event_id, stored.event_type.as_str(), stored.sequence),
        (line.event_id, "TransferRequested", 2)
    );
    let metadata = stored.metadata().expect("metadata");
    assert_eq!(metadata.actor, Actor::Seller(user()));
    let postings = stored.decode().expect("an event").balance_changes();
    let postings: Vec<_> = postings
        .iter()
        .map(|(account, amount)| (account.as_str(), amount.get()))
        .collect();
    assert_eq!(postings, [("available", -60_00), ("in_transfer", 60_00)]);
    let of_other_company = event_behind(&**client, business(2), line.event_id).await;
    assert_eq!(of_other_company.expect("a read"), None);
    runner.stop().await;
}
