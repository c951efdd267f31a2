//! The expected, reported and paid amounts of an acquirer, by day. Sums up changed days and finds missing installments.

use std::collections::BTreeSet;

use chrono::Days;
use ledger_domain::calendar::Date;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_rows::{FromRow, execute, fetch_opt, params, row};
use projections::SortOrder;
use projections::expected_payments::{ExpectedSale, companies_due, sales_due};
use tokio_postgres::{Error, GenericClient};

use super::differences::{self, Scope};
use super::stored_rows::{InstallmentKey, compare_installment, rows_of_installments};
use super::{Context, Result, rates};
use crate::list::{Conditions, List, Order};

/// Both limits bound the memory of a comparison.
const COMPANIES_PER_PAGE: i64 = 100;
const SALES_PER_PAGE: i64 = 2_000;
/// `mark_due_days` marks no days and no differences that are older.
const COMPARED_AGAIN_DAYS: Days = Days::new(60);

row! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct SettlementDay {
        pub provider: Provider,
        pub day: Date,
        /// `None` if the day was not summed up since it began.
        pub expected: Option<Cents>,
        pub expected_count: u64,
        pub reported: Cents,
        pub reported_count: u64,
        /// Net of `cost`, unlike `expected` and `reported`, which are gross.
        pub paid: Cents,
        /// The acquirer's fees: the part of the gross that it does not pay out.
        pub cost: Cents,
        /// Reported less expected gross, by the differences found so far, also resolved ones.
        pub difference: Cents,
        /// The number of open differences.
        pub open_count: u64,
        /// Whether missing installments are among the differences: the time for reports of the day is over.
        pub is_complete: bool,
        /// Whether a change is not summed up yet.
        pub is_stale: bool = "summed < changes",
    }
}

/// Selects the days of settlements, the latest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DayFilter {
    pub provider: Option<Provider>,
    pub start: Option<Date>,
    pub end: Option<Date>,
}

impl List for DayFilter {
    type Row = SettlementDay;
    const TABLE: &'static str = "settlement_day";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("provider", &self.provider);
        list.days("day", &self.start, &self.end);
    }

    fn order(&self) -> Order {
        Order::by(&["day", "provider"], SortOrder::Desc)
    }
}

/// Marks days to be summed up again. All processes lock the days' rows in the same order, so that none deadlocks.
pub(super) async fn mark_changed(
    client: &impl GenericClient,
    days: &BTreeSet<(Provider, Date)>,
) -> std::result::Result<(), Error> {
    if days.is_empty() {
        return Ok(());
    }
    let (providers, dates): (Vec<Provider>, Vec<Date>) = days.iter().copied().unzip();
    let sql = "INSERT INTO settlement_day AS d (provider, day)
               SELECT * FROM unnest($1::int2[], $2::date[]) AS given (provider, day) ORDER BY provider, day
               ON CONFLICT (provider, day) DO UPDATE SET changes = d.changes + 1";
    execute(client, sql, params![providers, dates]).await.map(drop)
}

/// Begins the coverage of an acquirer with its first report: every installment from `since` on is expected in reports.
pub(super) async fn begin_coverage(
    client: &impl GenericClient,
    provider: Provider,
    since: Date,
    today: Date,
) -> std::result::Result<(), Error> {
    // A wrong date in the first file must not make years of installments missing.
    let since = since.max(today - COMPARED_AGAIN_DAYS);
    let sql = "INSERT INTO settlement_coverage (provider, since) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    execute(client, sql, params![provider, since]).await.map(drop)
}

/// Marks each day of every covered acquirer to be summed up once it has begun, and again once its reports are complete.
/// If it marked any day, it also marks open differences of three kinds (unknown, amount and missing) to be compared
/// again, because a sale may have become known or been reversed since.
pub(super) async fn mark_due_days(client: &impl GenericClient, context: &Context) -> Result<()> {
    let today = context.today();
    let last_complete_day = today - Days::new(2);
    let since = today - COMPARED_AGAIN_DAYS;
    let mark = "INSERT INTO settlement_day AS d (provider, day)
                SELECT c.provider, due.on_day::date
                  FROM settlement_coverage c,
                       generate_series(greatest(c.since, $3)::timestamp, $1::timestamp, interval '1 day')
                           AS due (on_day)
                 WHERE NOT EXISTS (SELECT FROM settlement_day known
                                    WHERE known.provider = c.provider AND known.day = due.on_day::date
                                      AND known.expected IS NOT NULL AND (known.is_complete OR known.day > $2))
                ON CONFLICT (provider, day) DO UPDATE SET changes = d.changes + 1 WHERE d.summed = d.changes";
    let marked = execute(client, mark, params![today, last_complete_day, since]).await?;
    if marked == 0 {
        return Ok(());
    }
    let open = "FROM settlement_difference WHERE state = 'open' AND day >= $1";
    let rows = format!(
        "UPDATE acquirer_receivable SET compared = false
          WHERE compared AND id IN (SELECT receivable_id {open} AND kind IN ('unknown', 'amount'))"
    );
    execute(client, &rows, params![since]).await?;
    let days = format!(
        "UPDATE settlement_day d SET changes = changes + 1
           FROM (SELECT DISTINCT provider, day {open} AND kind = 'missing') AS open
          WHERE d.provider = open.provider AND d.day = open.day AND d.summed = d.changes"
    );
    execute(client, &days, params![since]).await?;
    Ok(())
}

/// Sums up the oldest changed day, in the caller's transaction. Returns false if none has changed.
///
/// Locks the rows of differences first and the day's row last, in the same order as decisions of staff.
pub(super) async fn sum_next(client: &impl GenericClient, context: &Context) -> Result<bool> {
    let sql = format!(
        "SELECT {} FROM settlement_day WHERE summed < changes ORDER BY day, provider LIMIT 1",
        ChangedDay::COLUMNS
    );
    let changed: Option<ChangedDay> = fetch_opt(client, &sql, params![]).await?;
    let Some(ChangedDay {
        provider,
        day,
        changes,
    }) = changed
    else {
        return Ok(false);
    };
    let expected = if day <= context.today() {
        Some(compare_day(client, context, provider, day).await?)
    } else {
        None
    };
    // A separate statement, so that the next one sees the decisions of staff that this one waited for.
    let lock = "SELECT FROM settlement_day WHERE provider = $1 AND day = $2 FOR UPDATE";
    execute(client, lock, params![provider, day]).await?;
    let sum = "UPDATE settlement_day
                  SET expected = $3, expected_count = $4, is_complete = $5, summed = $6,
                      (reported, reported_count, paid, cost) =
                          (SELECT coalesce(sum(gross * times), 0)::int8, coalesce(sum(times), 0)::int8,
                                  coalesce(sum(net * times) FILTER (WHERE paid_on IS NOT NULL), 0)::int8,
                                  coalesce(sum(cost * times), 0)::int8
                             FROM (SELECT gross, net, cost, paid_on, 1 + cardinality(repeated_lines) AS times
                                     FROM acquirer_receivable
                                    WHERE provider = $1 AND day = $2 AND NOT canceled) AS rows),
                      (difference, open_count) =
                          (SELECT coalesce(sum(delta), 0)::int8, count(*) FILTER (WHERE state = 'open')
                             FROM settlement_difference WHERE provider = $1 AND day = $2 AND state <> 'gone')
                WHERE provider = $1 AND day = $2";
    let (gross, count) = (expected.map(|sum| sum.gross), expected.map_or(0, |sum| sum.count));
    let is_complete = context.is_complete(day);
    let parameters = params![provider, day, gross, count, is_complete, changes];
    execute(client, sum, parameters).await?;
    Ok(true)
}

row! {
    struct ChangedDay {
        provider: Provider,
        day: Date,
        changes: i64,
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct ExpectedSum {
    gross: i64,
    count: i64,
}

/// Compares all installments that are due on the day.
async fn compare_day(
    client: &impl GenericClient,
    context: &Context,
    provider: Provider,
    day: Date,
) -> Result<ExpectedSum> {
    let rates = rates::Rates::of(client).await?;
    let mut sum = ExpectedSum::default();
    let mut after: Option<BusinessId> = None;
    loop {
        let companies = companies_due(client, provider, day, after, COMPANIES_PER_PAGE).await?;
        let Some((last, _)) = companies.last() else {
            return Ok(sum);
        };
        after = Some(*last);
        let mut after_sale: Option<(BusinessId, SaleId)> = None;
        loop {
            let sales = sales_due(client, provider, day, &companies, after_sale, SALES_PER_PAGE).await?;
            after_sale = sales.last().map(|sale| (sale.business_id, sale.sale_id));
            compare_sales(client, context, &rates, day, &sales, &mut sum).await?;
            if i64::try_from(sales.len()).is_ok_and(|count| count < SALES_PER_PAGE) {
                break;
            }
        }
    }
}

async fn compare_sales(
    client: &impl GenericClient,
    context: &Context,
    rates: &rates::Rates,
    day: Date,
    sales: &[ExpectedSale],
    sum: &mut ExpectedSum,
) -> Result<()> {
    let due: Vec<(InstallmentKey, &ExpectedSale)> = sales
        .iter()
        .flat_map(|sale| {
            let numbered = (1..).zip(&sale.schedule);
            let due = numbered.filter(|(_, installment)| installment.due_date == day);
            due.map(move |(number, _)| ((sale.sale_id, number), sale))
        })
        .collect();
    let keys: Vec<InstallmentKey> = due.iter().map(|(key, _)| *key).collect();
    let rows = rows_of_installments(client, &keys).await?;
    let mut differences = vec![];
    for (key, sale) in due {
        let rows = rows.get(&key).map(Vec::as_slice).unwrap_or_default();
        let compared = compare_installment(context, rates, Some(sale), key, rows);
        sum.gross += compared.expected;
        sum.count += i64::from(compared.expected != 0);
        differences.extend(compared.differences);
    }
    let scope = Scope {
        row_ids: &[],
        installments: &keys,
    };
    differences::replace(client, context.now, scope, &differences).await?;
    Ok(())
}
