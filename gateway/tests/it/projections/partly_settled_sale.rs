//! A sale whose first installment has settled, and what read models show of it. The sale is R$ 300,00 in 3
//! installments at an MDR of 3 %, without advance. It is captured on 23 November 2026, and the shop has R$ 400,00 of
//! other money.

use chrono::NaiveDate;
use ledger_domain::business::{Account, Accounts};
use ledger_domain::calendar::Date;
use ledger_domain::fees::{MdrFees, PixFee, PlanKind, PlanTerms};
use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, Cents, Rate, SaleId};
use projections::balance::as_of::{AsOf, Axis, balance_as_of};
use projections::balance::journal::{JournalFilter, journal_list};
use projections::balance::statement::{Movement, MovementKind, StatementFilter, statement_list};
use projections::daily_sales::Figures;
use projections::receivables::due::due_installments;
use projections::receivables::schedule_list;
use projections::sales::{SaleDetail, sale_fetch};
use projections::{Following, Paging, SortOrder, replay};

use super::figures::{figures_by_day, of_company, reversals_of};
use super::ledger::{Ledger, business, card, day, minute, monday, plan};
use super::reversal_commands::ReversalCommands;
use super::transfer_commands::TransferCommands;

pub(super) const ALL: Paging = Paging {
    page: 1,
    per_page: 100,
};

pub(super) fn date(year: i32, month: u32, day: u32) -> Date {
    NaiveDate::from_ymd_opt(year, month, day).expect("a date")
}

/// The Monday after the first installment settled, 35 days after the capture.
pub(super) fn reversed_on() -> Date {
    date(2026, 12, 28)
}

/// The instant this many minutes after 10:00 on the day of the reversal.
pub(super) fn at(minutes: i64) -> ledger_domain::calendar::Instant {
    minute(35 * 24 * 60 + minutes)
}

fn three_percent() -> PlanTerms {
    let rate = |percent: &str| Rate::parse(percent).expect("a rate");
    let fees = MdrFees {
        debit: rate("3"),
        credit_1: rate("3"),
        credit_2to6: rate("3"),
        credit_7to12: rate("3"),
        credit_13to21: rate("3"),
        advance: rate("0"),
    };
    PlanTerms {
        kind: PlanKind::Mdr {
            visamaster: fees.clone(),
            others: fees,
        },
        percentage_rate: rate("0"),
        flat_rate: Cents::ZERO,
        pix_fee: PixFee::Percent(rate("0")),
        ..plan()
    }
}

/// The shop after the settlement of the first installment.
pub(super) struct PartlySettledSale {
    pub(super) ledger: Ledger,
    pub(super) runner: Following,
    pub(super) shop: BusinessId,
    pub(super) sale: SaleId,
}

impl PartlySettledSale {
    pub(super) async fn after_first_settlement() -> Self {
        let ledger = Ledger::with_plan(three_percent()).await;
        let runner = ledger.follow();
        let shop = business(1);
        TransferCommands {
            ledger: &ledger,
            shop,
        }
        .make_manual(Direction::In, 400_00, "outro dinheiro", minute(-60))
        .await;
        let facts = card(ledger.new_sale());
        let sale = facts.sale_id;
        ledger.capture(shop, facts, minute(0)).await;
        ledger.settle_due(reversed_on()).await;
        let partly_settled = Self {
            ledger,
            runner,
            shop,
            sale,
        };
        // Each installment is R$ 100,00 less 3 %.
        assert_eq!(partly_settled.balances().await, (400_00 + 97_00, 2 * 97_00, 0));
        partly_settled
    }

    pub(super) fn reversal_commands(&self) -> ReversalCommands<'_> {
        ReversalCommands {
            ledger: &self.ledger,
            shop: self.shop,
        }
    }

    pub(super) async fn accounts(&self) -> Accounts {
        self.ledger.until_caught_up().await;
        let now = AsOf {
            instant: self.ledger.now(),
            axis: Axis::Recorded,
        };
        balance_as_of(&**self.ledger.client().await, self.shop, now)
            .await
            .expect("balances")
            .accounts
    }

    /// The balances available, receivable and blocked.
    pub(super) async fn balances(&self) -> (i64, i64, i64) {
        let accounts = self.accounts().await;
        let blocked = accounts.blocked().expect("a sum");
        (accounts.available.get(), accounts.receivable.get(), blocked.get())
    }

    pub(super) async fn detail(&self) -> SaleDetail {
        self.ledger.until_caught_up().await;
        sale_fetch(&**self.ledger.client().await, Some(self.shop), self.sale)
            .await
            .expect("a sale")
            .expect("known")
    }

    /// All lines of the statement: kind, movement, amount, and the balance after the line. All but manual transfers are
    /// of the sale.
    pub(super) async fn lines(&self) -> Vec<(MovementKind, Movement, i64, i64)> {
        self.ledger.until_caught_up().await;
        let filter = StatementFilter {
            axis: Axis::Recorded,
            order: SortOrder::Asc,
            ..StatementFilter::of(self.shop)
        };
        let page = statement_list(&**self.ledger.client().await, &filter, ALL)
            .await
            .expect("lines");
        let own = page
            .rows
            .iter()
            .filter(|line| line.kind != MovementKind::ManualTransfer);
        assert!(own.clone().all(|line| line.sale_id == Some(self.sale)));
        page.rows
            .iter()
            .map(|line| (line.kind, line.movement, line.amount.get(), line.balance.get()))
            .collect()
    }

    /// Due date, expected, settled and accelerated amount.
    pub(super) async fn schedule(&self) -> Vec<(Date, i64, i64, i64)> {
        let days = schedule_list(&**self.ledger.client().await, self.shop, monday(), day(120)).await;
        days.expect("a schedule")
            .iter()
            .map(|day| {
                (
                    day.due_date,
                    day.expected.get(),
                    day.settled.get(),
                    day.accelerated.get(),
                )
            })
            .collect()
    }

    /// The postings of the last event: account, amount, balance after it.
    pub(super) async fn last_postings(&self) -> Vec<(Account, i64, i64)> {
        self.ledger.until_caught_up().await;
        let filter = JournalFilter {
            axis: Axis::Recorded,
            order: SortOrder::Asc,
            ..JournalFilter::of(self.shop)
        };
        let page = journal_list(&**self.ledger.client().await, &filter, ALL)
            .await
            .expect("postings");
        let last = page.rows.last().expect("postings").sequence;
        page.rows
            .iter()
            .filter(|row| row.sequence == last)
            .map(|row| (row.account, row.amount.get(), row.balance.get()))
            .collect()
    }

    /// The figures of reversals on the day of the reversal. Earlier days have none.
    pub(super) async fn reversals_of_the_day(&self) -> Figures {
        let client = self.ledger.client().await;
        let days = figures_by_day(&client, of_company(self.shop), (monday(), reversed_on())).await;
        let (first, captured) = days[0];
        assert_eq!(
            (first, captured.sales, captured.gross, captured.net),
            (monday(), 1, 300_00, 291_00),
            "the past day does not change"
        );
        for (day, figures) in days.iter().filter(|(day, _)| *day < reversed_on()) {
            assert_eq!(reversals_of(*figures), Figures::default(), "{day}");
        }
        let (last, figures) = days[days.len() - 1];
        assert_eq!(last, reversed_on());
        reversals_of(figures)
    }

    /// No installment is due any more, and the audit has no findings.
    pub(super) async fn assert_complete(self) {
        let client = self.ledger.client().await;
        let due = due_installments(&**client, date(2030, 1, 1), None, 100)
            .await
            .expect("what is due");
        assert_eq!(due.days, []);
        let mut findings = vec![];
        replay::run(
            &self.ledger.pool,
            &self.ledger.connector,
            |_| {},
            |finding| findings.push(finding.to_string()),
        )
        .await
        .expect("an audit");
        assert_eq!(findings, Vec::<String>::new());
        drop(client);
        self.runner.stop().await;
    }
}
