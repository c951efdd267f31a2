//! The expected, reported and paid amounts of an acquirer, by day. Sums up changed days and finds missing installments.

use std::collections::BTreeSet;

use chrono::Days;
use ledger_domain::calendar::Date;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, Cents, SaleId};
use projections::expected_payments::{ExpectedSale, companies_due, sales_due};
use projections::{CountLimit, Page, Paging};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};

use super::differences::{self, Scope};
use super::stored_rows::{InstallmentKey, compare_installment, rows_of_installments};
use super::{Context, Result, provider_number, rates};
use crate::columns;

/// Both limits bound the memory of a comparison.
const COMPANIES_PER_PAGE: i64 = 100;
const SALES_PER_PAGE: i64 = 2_000;
/// `mark_due_days` marks no days and no differences that are older.
const COMPARED_AGAIN_DAYS: Days = Days::new(60);

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
    pub is_stale: bool,
}

/// The days from `start` to `end`, the latest first.
pub async fn days_list(
    client: &impl GenericClient,
    provider: Option<Provider>,
    (start, end): (Option<Date>, Option<Date>),
    paging: Paging,
) -> std::result::Result<Page<SettlementDay>, Error> {
    let (limit, offset) = CountLimit::LIST.range(paging);
    let number = provider.map(provider_number);
    let which = "($1::smallint IS NULL OR provider = $1) AND ($2::date IS NULL OR day >= $2)
                 AND ($3::date IS NULL OR day <= $3)";
    let rows = client
        .query_typed(
            &format!(
                "SELECT provider, day, expected, expected_count, reported, reported_count, paid, cost, difference,
                        open_count, is_complete, summed < changes
                   FROM settlement_day WHERE {which} ORDER BY day DESC, provider DESC LIMIT $4 OFFSET $5"
            ),
            &[
                (&number, Type::INT2),
                (&start, Type::DATE),
                (&end, Type::DATE),
                (&limit, Type::INT8),
                (&offset, Type::INT8),
            ],
        )
        .await?;
    let rows = rows.iter().map(settlement_day).collect::<Result<_, Error>>()?;
    let parameters: Vec<(&(dyn ToSql + Sync), Type)> =
        vec![(&number, Type::INT2), (&start, Type::DATE), (&end, Type::DATE)];
    CountLimit::LIST
        .counted_page(client, rows, &format!("settlement_day WHERE {which}"), parameters)
        .await
}

fn settlement_day(row: &Row) -> Result<SettlementDay, Error> {
    let cents = |index| Cents::new(row.get(index));
    let count = |index| row.get::<_, i64>(index).unsigned_abs();
    Ok(SettlementDay {
        provider: columns::read(row, 0)?,
        day: row.get(1),
        expected: row.get::<_, Option<i64>>(2).map(Cents::new),
        expected_count: count(3),
        reported: cents(4),
        reported_count: count(5),
        paid: cents(6),
        cost: cents(7),
        difference: cents(8),
        open_count: count(9),
        is_complete: row.get(10),
        is_stale: row.get(11),
    })
}

/// Marks days to be summed up again. All processes lock the days' rows in the same order, so that none deadlocks.
pub(super) async fn mark_changed(
    client: &impl GenericClient,
    days: &BTreeSet<(Provider, Date)>,
) -> std::result::Result<(), Error> {
    if days.is_empty() {
        return Ok(());
    }
    let providers: Vec<i16> = days
        .iter()
        .map(|(provider, _)| provider_number(*provider))
        .collect();
    let dates: Vec<Date> = days.iter().map(|(_, day)| *day).collect();
    client
        .execute_typed(
            "INSERT INTO settlement_day AS d (provider, day)
             SELECT * FROM unnest($1::int2[], $2::date[]) AS given (provider, day) ORDER BY provider, day
             ON CONFLICT (provider, day) DO UPDATE SET changes = d.changes + 1",
            &[(&providers, Type::INT2_ARRAY), (&dates, Type::DATE_ARRAY)],
        )
        .await
        .map(drop)
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
    client
        .execute_typed(
            "INSERT INTO settlement_coverage (provider, since) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            &[(&provider_number(provider), Type::INT2), (&since, Type::DATE)],
        )
        .await
        .map(drop)
}

/// Marks each day of every covered acquirer to be summed up once it has begun, and again once its reports are complete.
/// If it marked any day, it also marks open differences of three kinds (unknown, amount and missing) to be compared
/// again, because a sale may have become known or been reversed since.
pub(super) async fn mark_due_days(client: &impl GenericClient, context: &Context) -> Result<()> {
    let today = context.today();
    let last_complete_day = today - Days::new(2);
    let since = today - COMPARED_AGAIN_DAYS;
    let marked = client
        .execute_typed(
            "INSERT INTO settlement_day AS d (provider, day)
             SELECT c.provider, due.on_day::date
               FROM settlement_coverage c,
                    generate_series(greatest(c.since, $3)::timestamp, $1::timestamp, interval '1 day') AS due (on_day)
              WHERE NOT EXISTS (SELECT FROM settlement_day known
                                 WHERE known.provider = c.provider AND known.day = due.on_day::date
                                   AND known.expected IS NOT NULL AND (known.is_complete OR known.day > $2))
             ON CONFLICT (provider, day) DO UPDATE SET changes = d.changes + 1 WHERE d.summed = d.changes",
            &[
                (&today, Type::DATE),
                (&last_complete_day, Type::DATE),
                (&since, Type::DATE),
            ],
        )
        .await?;
    if marked == 0 {
        return Ok(());
    }
    let open = "FROM settlement_difference WHERE state = 'open' AND day >= $1";
    let rows = format!(
        "UPDATE acquirer_receivable SET compared = false
          WHERE compared AND id IN (SELECT receivable_id {open} AND kind IN ('unknown', 'amount'))"
    );
    client.execute_typed(&rows, &[(&since, Type::DATE)]).await?;
    let days = format!(
        "UPDATE settlement_day d SET changes = changes + 1
           FROM (SELECT DISTINCT provider, day {open} AND kind = 'missing') AS open
          WHERE d.provider = open.provider AND d.day = open.day AND d.summed = d.changes"
    );
    client.execute_typed(&days, &[(&since, Type::DATE)]).await?;
    Ok(())
}

/// Sums up the oldest changed day, in the caller's transaction. Returns false if none has changed.
///
/// Locks the rows of differences first and the day's row last, in the same order as decisions of staff.
pub(super) async fn sum_next(client: &impl GenericClient, context: &Context) -> Result<bool> {
    let row = client
        .query_typed_opt(
            "SELECT provider, day, changes FROM settlement_day WHERE summed < changes ORDER BY day, provider LIMIT 1",
            &[],
        )
        .await?;
    let Some(row) = row else { return Ok(false) };
    let (provider, day, changes): (_, Date, i64) = (columns::read(&row, 0)?, row.get(1), row.get(2));
    let expected = if day <= context.today() {
        Some(compare_day(client, context, provider, day).await?)
    } else {
        None
    };
    // A separate statement, so that the next one sees the decisions of staff that this one waited for.
    let lock = "SELECT FROM settlement_day WHERE provider = $1 AND day = $2 FOR UPDATE";
    let key = [
        (&provider_number(provider) as &(dyn ToSql + Sync), Type::INT2),
        (&day, Type::DATE),
    ];
    client.query_typed(lock, &key).await?;
    client
        .execute_typed(
            "UPDATE settlement_day
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
              WHERE provider = $1 AND day = $2",
            &[
                (&provider_number(provider), Type::INT2),
                (&day, Type::DATE),
                (&expected.map(|sum| sum.gross), Type::INT8),
                (&expected.map_or(0, |sum| sum.count), Type::INT8),
                (&context.is_complete(day), Type::BOOL),
                (&changes, Type::INT8),
            ],
        )
        .await?;
    Ok(true)
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
