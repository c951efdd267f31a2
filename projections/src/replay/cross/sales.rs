//! Sales against what stands of them elsewhere: in the roll-ups by day, in the statement and among the balances.

use std::collections::BTreeMap;

use ledger_domain::SaleId;
use ledger_domain::calendar::{Date, business_date};
use ledger_domain::sale::SaleStatus;

use super::super::finding::{Reporter, Subject};
use crate::model::Rows;
use crate::sale::SaleRow;
use crate::statement::Movement;

/// How a captured sale stands: who has its money.
enum Standing {
    Sellers,
    /// Its buyer, and the platform gave its fees back.
    Returned,
    /// Blocked, and the platform keeps its fees.
    Disputed,
    /// Its buyer, and the platform keeps its fees.
    ChargedBack,
}

impl Standing {
    const fn of(status: SaleStatus) -> Self {
        match status {
            SaleStatus::Canceled | SaleStatus::Refunded | SaleStatus::Reversed => Self::Returned,
            SaleStatus::Dispute => Self::Disputed,
            SaleStatus::ChargedBack => Self::ChargedBack,
            SaleStatus::New
            | SaleStatus::Created
            | SaleStatus::Pending
            | SaleStatus::Succeeded
            | SaleStatus::Failed => Self::Sellers,
        }
    }
}

/// The captured sales, each with its net and its standing.
fn captured(rows: &Rows) -> impl Iterator<Item = (&SaleRow, i64, Standing)> {
    rows.sale.values().map(|sale| &sale.row).filter_map(|sale| {
        let net = sale.net?.get();
        Some((sale, net, Standing::of(sale.status)))
    })
}

#[derive(Default)]
struct Captured {
    sales: i128,
    gross: i128,
    net: i128,
}

/// By business date what was captured; over all dates what was undone for good, since a sale's row does not say when.
pub(super) fn roll_ups_are_sums_of_sales(rows: &Rows, to: &mut Reporter<'_>) {
    let mut days: BTreeMap<Date, (Captured, Captured)> = BTreeMap::new();
    for sale in rows.sale.values().map(|sale| &sale.row) {
        if let (Some(captured_at), Some(net)) = (sale.captured_at, sale.net) {
            let (sums, _) = days.entry(business_date(captured_at)).or_default();
            sums.add(1, sale.amount.get(), net.get());
        }
    }
    for (key, sum) in &rows.daily_sales {
        let (_, rolled_up) = days.entry(key.business_date).or_default();
        rolled_up.add(sum.sales, sum.gross, sum.net);
    }
    for (date, (sums, rolled_up)) in days {
        let key = |column| format!("daily_sales {date} {column} is the sum of its sales");
        to.equal(Subject::CrossCheck, key("sales"), sums.sales, rolled_up.sales);
        to.equal(Subject::CrossCheck, key("gross"), sums.gross, rolled_up.gross);
        to.equal(Subject::CrossCheck, key("net"), sums.net, rolled_up.net);
    }
    let (mut canceled, mut charged_back) = (Captured::default(), Captured::default());
    for (sale, net, standing) in captured(rows) {
        match standing {
            Standing::Returned => canceled.add(1, sale.amount.get(), net),
            Standing::ChargedBack => charged_back.add(1, sale.amount.get(), net),
            Standing::Sellers | Standing::Disputed => {}
        }
    }
    let rolled_up = |column: fn(&crate::daily::Sum) -> i64| -> i128 {
        rows.daily_sales.values().map(|sum| i128::from(column(sum))).sum()
    };
    for (column, sales, found) in [
        ("cancels", canceled.sales, rolled_up(|sum| sum.cancels)),
        (
            "canceled_gross",
            canceled.gross,
            rolled_up(|sum| sum.canceled_gross),
        ),
        ("canceled_net", canceled.net, rolled_up(|sum| sum.canceled_net)),
        (
            "chargebacks",
            charged_back.sales,
            rolled_up(|sum| sum.chargebacks),
        ),
        (
            "charged_back",
            charged_back.gross,
            rolled_up(|sum| sum.charged_back),
        ),
    ] {
        let key = format!("daily_sales {column} is the sum of the sales undone");
        to.equal(Subject::CrossCheck, key, sales, found);
    }
}

impl Captured {
    fn add(&mut self, sales: i64, gross: i64, net: i64) {
        self.sales += i128::from(sales);
        self.gross += i128::from(gross);
        self.net += i128::from(net);
    }
}

pub(super) fn disputed_sales_are_in_dispute(rows: &Rows, to: &mut Reporter<'_>) {
    let disputed: i128 = captured(rows)
        .filter(|(.., standing)| matches!(standing, Standing::Disputed))
        .map(|(sale, ..)| i128::from(sale.amount.get()))
        .sum();
    let in_dispute: i128 = rows
        .balance
        .values()
        .map(|accounts| i128::from(accounts.in_dispute.get()))
        .sum();
    to.equal(
        Subject::CrossCheck,
        "balance.in_dispute is the sum of disputed sales",
        disputed,
        in_dispute,
    );
}

/// Each sale's lines come to what its instalments paid, less what its standing took from the available balance: the
/// net where the fees were given back, else the gross.
pub(super) fn sales_came_to_the_statement(rows: &Rows, to: &mut Reporter<'_>) {
    let mut moved: BTreeMap<SaleId, i128> = BTreeMap::new();
    for line in rows.statement_line.values() {
        if let Some(sale) = line.sale_id {
            *moved.entry(sale).or_default() += i128::from(line.amount);
        }
    }
    for (sale, net, standing) in captured(rows) {
        let paid: i128 = rows
            .sale
            .get(&sale.sale_id)
            .into_iter()
            .flat_map(|sale| &sale.schedule)
            .filter(|instalment| instalment.settled_by.is_some())
            .map(|instalment| i128::from(instalment.net.get()))
            .sum();
        let taken = match standing {
            Standing::Sellers => 0,
            Standing::Returned => net,
            Standing::Disputed | Standing::ChargedBack => sale.amount.get(),
        };
        let key = format!("{} is the sum of its lines in the statement", sale.sale_id);
        let found = moved.remove(&sale.sale_id).unwrap_or(0);
        to.equal(Subject::CrossCheck, key, paid - i128::from(taken), found);
    }
    for (sale, amount) in moved {
        let key = format_args!("{sale} is not a captured sale");
        to.equal(Subject::CrossCheck, key, 0, amount);
    }
}

/// Disputes opened and won, by their own day: the only places that tell of those that ended otherwise since.
pub(super) fn disputes_of_a_day_are_its_lines(rows: &Rows, to: &mut Reporter<'_>) {
    #[derive(Default)]
    struct Disputes {
        disputed: i128,
        won: i128,
    }
    let mut days: BTreeMap<Date, (Disputes, Disputes)> = BTreeMap::new();
    for line in rows.statement_line.values() {
        let (lines, _) = days.entry(line.business_date).or_default();
        if line.movement == Movement::Dispute {
            lines.disputed -= i128::from(line.amount);
        }
        if line.movement == Movement::DisputeWon {
            lines.won += i128::from(line.amount);
        }
    }
    for (key, sum) in &rows.daily_sales {
        let (_, rolled_up) = days.entry(key.business_date).or_default();
        rolled_up.disputed += i128::from(sum.disputed);
        rolled_up.won += i128::from(sum.won);
    }
    for (date, (lines, rolled_up)) in days {
        let key = |column| format!("daily_sales {date} {column} is the sum of its lines in the statement");
        to.equal(
            Subject::CrossCheck,
            key("disputed"),
            lines.disputed,
            rolled_up.disputed,
        );
        to.equal(Subject::CrossCheck, key("won"), lines.won, rolled_up.won);
    }
}
