//! Compares the sums over all companies with the rows of the companies, by statements that share no code with the folds.

use std::collections::BTreeMap;

use chrono::Months;
use deadpool_postgres::Pool;
use ledger_domain::calendar::Date;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use super::finding::{Reporter, Subject};
use crate::Error;
use crate::balance::PlatformFeeSum;
use crate::daily_sales::{Figures, month_of};
use crate::withdrawals::TransferSum;

/// A table of sums over companies, and the table with the rows of the companies.
struct Summed {
    table: &'static str,
    of: &'static str,
    /// The columns of its key.
    key: &'static str,
    /// The date of a row, in both tables.
    date: &'static str,
    sums: &'static [&'static str],
    /// Which rows of the companies count.
    kept: &'static str,
}

const SUMMED: [Summed; 5] = [
    Summed {
        table: "platform_sales_daily",
        of: "daily_sales",
        key: "business_date, shard",
        date: "business_date",
        sums: &Figures::COLUMNS,
        kept: "true",
    },
    Summed {
        table: "platform_sales_by_attribute",
        of: "daily_sales",
        key: "business_date, shard, solution, payment_type, card_brand, installments",
        date: "business_date",
        sums: &Figures::COLUMNS,
        kept: "true",
    },
    Summed {
        table: "platform_sales_hourly",
        of: "hourly_sales",
        key: "business_hour, shard",
        date: "business_hour::date",
        sums: &Figures::COLUMNS,
        // Older hours are kept of companies that sell no more.
        kept: "business_hour >= (SELECT max(newest.business_hour) - interval '96 hours'
                                   FROM platform_sales_hourly AS newest WHERE newest.shard = hourly_sales.shard)",
    },
    Summed {
        table: "platform_revenue_daily",
        of: "platform_fees_daily",
        key: "business_date, shard",
        date: "business_date",
        sums: &PlatformFeeSum::COLUMNS,
        kept: "true",
    },
    Summed {
        table: "platform_transfers_daily",
        of: "daily_transfers",
        key: "business_date, shard, kind, status",
        date: "business_date",
        sums: &TransferSum::COLUMNS,
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
        let Self { table, of, date, .. } = self;
        let sql = format!(
            "SELECT min(date), max(date) FROM (SELECT {date} AS date FROM {table} UNION ALL SELECT {date} FROM {of}) AS all_rows"
        );
        let row = client.query_typed_one(&sql, &[]).await?;
        Ok(row.get::<_, Option<Date>>(0).zip(row.get(1)))
    }

    /// Rows that only one side has. A row of a sum that differs is on both sides.
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
            sums,
            kept,
        } = self;
        let added: Vec<_> = sums
            .iter()
            .map(|sum| format!("sum({sum})::int8 AS {sum}"))
            .collect();
        let (added, columns) = (added.join(", "), sums.join(", "));
        // The shard of a company's fees follows from its id.
        let of = if of == "platform_fees_daily" {
            "(SELECT *, (get_byte(sha256(uuid_send(business_id)), 0) % 16)::int2 AS shard FROM platform_fees_daily) AS fees"
        } else {
            of
        };
        let within = format!("{date} >= $1 AND {date} < $2");
        let sql = format!(
            "WITH expected AS (SELECT {key}, {added} FROM {of} WHERE {within} AND {kept} GROUP BY {key}),
                  stored AS (SELECT {key}, {columns} FROM {table} WHERE {within}),
                  expected_only AS (SELECT * FROM expected EXCEPT SELECT * FROM stored),
                  stored_only AS (SELECT * FROM stored EXCEPT SELECT * FROM expected)
             SELECT ({key})::text, true, ARRAY[{columns}] FROM expected_only
             UNION ALL SELECT ({key})::text, false, ARRAY[{columns}] FROM stored_only"
        );
        let rows = client
            .query_typed(&sql, &[(&from, Type::DATE), (&until, Type::DATE)])
            .await?;
        let mut differing: BTreeMap<String, [Option<Vec<i64>>; 2]> = BTreeMap::new();
        for row in rows {
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
