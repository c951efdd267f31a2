//! Compares the sums over all companies with the rows of the companies, by SQL statements without the folds.

use std::collections::BTreeMap;

use chrono::Months;
use deadpool_postgres::Pool;
use ledger_domain::calendar::Date;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::Error;
use crate::balance::PlatformFeeSum;
use crate::daily_sales::Figures;
use crate::daily_sales::outcomes::OutcomeSum;
use crate::range::month_of;
use crate::read_model::finding::{Reporter, Subject};
use crate::withdrawals::TransferSum;

/// A table of sums over all companies, and the companies' rows that it sums up. The fields are SQL texts.
struct Summed {
    table: &'static str,
    /// The table or subquery with the companies' rows.
    of: &'static str,
    /// The columns of the key, which both sides have.
    key: &'static str,
    /// The date of a row of `table`. Months are compared whole, so it may be the first day of a month.
    date: &'static str,
    /// The date of a row of `of`.
    date_of: &'static str,
    sums: &'static [&'static str],
    /// The condition on the companies' rows that count.
    kept: &'static str,
}

/// `platform_sales_hourly` keeps 96 hours before the newest hour of its shard. A company that sells no more still has
/// hours older than that, because its rows are kept by its own newest hour (`daily_sales/hours.rs`).
const KEPT_HOURS: &str = "business_hour >= (SELECT max(newest.business_hour) - interval '96 hours'
                                              FROM platform_sales_hourly AS newest
                                             WHERE newest.shard = hourly_sales.shard)";

const SUMMED: [Summed; 10] = [
    Summed {
        table: "platform_sales_daily",
        of: "daily_sales",
        key: "business_date, shard",
        date: "business_date",
        date_of: "business_date",
        sums: &Figures::COLUMNS,
        kept: "true",
    },
    Summed {
        table: "platform_sales_by_attribute",
        of: "daily_sales",
        key: "business_date, shard, solution, payment_type, card_brand, installments",
        date: "business_date",
        date_of: "business_date",
        sums: &Figures::COLUMNS,
        kept: "true",
    },
    Summed {
        table: "platform_sales_monthly",
        of: "monthly_sales",
        key: "month, shard",
        date: "month",
        date_of: "month",
        sums: &Figures::COLUMNS,
        kept: "true",
    },
    Summed {
        table: "platform_sales_monthly_by_attribute",
        of: "(SELECT *, date_trunc('month', business_date::timestamp)::date AS month FROM daily_sales) AS days",
        key: "month, shard, solution, payment_type, card_brand, installments",
        date: "month",
        date_of: "business_date",
        sums: &Figures::COLUMNS,
        kept: "true",
    },
    Summed {
        table: "platform_sales_hourly",
        of: "hourly_sales",
        key: "business_hour, shard",
        date: "business_hour::date",
        date_of: "business_hour::date",
        sums: &Figures::COLUMNS,
        kept: KEPT_HOURS,
    },
    Summed {
        table: "platform_sales_hourly_by_attribute",
        of: "hourly_sales",
        key: "business_hour, shard, solution, payment_type, card_brand, installments",
        date: "business_hour::date",
        date_of: "business_hour::date",
        sums: &Figures::COLUMNS,
        kept: KEPT_HOURS,
    },
    Summed {
        table: "platform_revenue_daily",
        // The shard of a company's fees follows from its id.
        of: "(SELECT *, (get_byte(sha256(uuid_send(business_id)), 0) % 16)::int2 AS shard
                FROM platform_fees_daily) AS fees",
        key: "business_date, shard",
        date: "business_date",
        date_of: "business_date",
        sums: &PlatformFeeSum::COLUMNS,
        kept: "true",
    },
    Summed {
        table: "platform_transfers_daily",
        of: "daily_transfers",
        key: "business_date, shard, kind, status",
        date: "business_date",
        date_of: "business_date",
        sums: &TransferSum::COLUMNS,
        kept: "true",
    },
    Summed {
        table: "platform_outcomes_daily",
        of: "daily_outcomes",
        key: "business_date, shard, status",
        date: "business_date",
        date_of: "business_date",
        sums: &OutcomeSum::COLUMNS,
        kept: "true",
    },
    Summed {
        table: "platform_outcomes_monthly",
        of: "(SELECT *, date_trunc('month', business_date::timestamp)::date AS month FROM daily_outcomes) AS days",
        key: "month, shard, status",
        date: "month",
        date_of: "business_date",
        sums: &OutcomeSum::COLUMNS,
        kept: "true",
    },
];

pub(super) async fn report(pool: &Pool, reporter: &mut Reporter<'_>) -> Result<(), Error> {
    reporter.set_business(None);
    for summed in &SUMMED {
        let Some((first, last)) = summed.dates(&**pool.get().await?).await? else {
            continue;
        };
        // A month at a time, because no statement of an audit may run long.
        let mut month = month_of(first);
        while month <= last {
            let next = month.checked_add_months(Months::new(1)).unwrap_or(last);
            summed
                .compare(&**pool.get().await?, (month, next), reporter)
                .await?;
            if next <= month {
                break;
            }
            month = next;
        }
    }
    Ok(())
}

impl Summed {
    async fn dates(&self, client: &impl GenericClient) -> Result<Option<(Date, Date)>, Error> {
        let Self {
            table,
            of,
            date,
            date_of,
            ..
        } = self;
        let sql = format!(
            "SELECT min(date), max(date)
               FROM (SELECT {date} AS date FROM {table} UNION ALL SELECT {date_of} FROM {of}) AS all_rows"
        );
        let row = client.query_typed_one(&sql, &[]).await?;
        Ok(row.get::<_, Option<Date>>(0).zip(row.get(1)))
    }

    /// Reports the rows that differ. The statement returns the expected rows that are not stored, and the stored rows
    /// that are not expected. A key with a different sum is among both.
    async fn compare(
        &self,
        client: &impl GenericClient,
        (from, until): (Date, Date),
        reporter: &mut Reporter<'_>,
    ) -> Result<(), Error> {
        let &Self {
            table,
            of,
            key,
            date,
            date_of,
            sums,
            kept,
        } = self;
        let added: Vec<_> = sums
            .iter()
            .map(|sum| format!("sum({sum})::int8 AS {sum}"))
            .collect();
        let (added, columns) = (added.join(", "), sums.join(", "));
        let within = |date| format!("{date} >= $1 AND {date} < $2");
        let sql = format!(
            "WITH expected AS (SELECT {key}, {added} FROM {of} WHERE {of_month} AND {kept} GROUP BY {key}),
                  stored AS (SELECT {key}, {columns} FROM {table} WHERE {stored_of_month}),
                  expected_only AS (SELECT * FROM expected EXCEPT SELECT * FROM stored),
                  stored_only AS (SELECT * FROM stored EXCEPT SELECT * FROM expected)
             SELECT ({key})::text, true, ARRAY[{columns}] FROM expected_only
             UNION ALL SELECT ({key})::text, false, ARRAY[{columns}] FROM stored_only",
            of_month = within(date_of),
            stored_of_month = within(date),
        );
        let rows = client
            .query_typed(&sql, &[(&from, Type::DATE), (&until, Type::DATE)])
            .await?;
        let mut differing: BTreeMap<String, [Option<Vec<i64>>; 2]> = BTreeMap::new();
        for row in rows {
            // `[expected, found]`.
            let side = usize::from(!row.get::<_, bool>(1));
            differing.entry(row.get(0)).or_default()[side] = Some(row.get(2));
        }
        let subject = Subject::ReadModel(table);
        for (row, sides) in differing {
            match sides {
                [Some(expected), Some(found)] => {
                    for ((column, expected), found) in sums.iter().zip(expected).zip(found) {
                        reporter.equal(subject, format_args!("{row} {column}"), expected, found);
                    }
                }
                [Some(expected), None] => {
                    reporter.finding(subject, row, format_args!("{expected:?}"), "no row");
                }
                [None, found] => {
                    reporter.finding(
                        subject,
                        row,
                        "no row",
                        format_args!("{:?}", found.unwrap_or_default()),
                    );
                }
            }
        }
        Ok(())
    }
}
