//! Installments of all companies that were due before today and are not paid: the settlement is late.

use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use crate::each_shard::{Cut, list_of_each_shard, rows_of_each_shard};
use crate::page::{CountLimit, Page, Paging};
use crate::{Error, column_values};

/// The open installments of one company that are due on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDay {
    pub due_date: Date,
    pub business_id: BusinessId,
    pub installments: u64,
    pub net: Cents,
}

/// How far settlement is, over all companies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OverdueProgress {
    /// The oldest due date with an open installment, also if it is still to come.
    pub due_date: Option<Date>,
    /// The number of rows of `overdue_list`: one for each company and each of its late days. Counted up to 10,000.
    pub late: u64,
}

/// Reads the oldest due date with an open installment from the beginning of an index, and counts the late days.
pub async fn oldest_due(client: &impl GenericClient, today: Date) -> Result<OverdueProgress, Error> {
    let oldest = rows_of_each_shard("SELECT min(due_date) AS due_date FROM receivables_schedule WHERE open");
    let late = list_of_each_shard("", Cut::first("$2"), |limit| {
        format!(
            "SELECT DISTINCT due_date, business_id FROM receivables_schedule WHERE open AND due_date < $1 {limit}"
        )
    });
    let row = client
        .query_typed_one(
            &format!(
                "SELECT (SELECT min(due_date) FROM ({oldest}) AS oldest), (SELECT count(*) FROM ({late}) AS late)"
            ),
            &[(&today, Type::DATE), (&CountLimit::LIST.last_row(), Type::INT8)],
        )
        .await?;
    Ok(OverdueProgress {
        due_date: row.get(0),
        late: column_values::count("receivables_schedule", row.get(1))?,
    })
}

/// The companies with open installments that were due before today, one row for each company and day, the oldest first.
pub async fn overdue_list(
    client: &impl GenericClient,
    today: Date,
    paging: Paging,
) -> Result<Page<OpenDay>, Error> {
    let (limit, offset) = CountLimit::LIST.range(paging);
    // The columns `accelerated…` have the accelerated installments, which are paid already.
    let cut = Cut {
        limit: "$2",
        offset: "$3",
    };
    let sql = list_of_each_shard("due_date, business_id", cut, |range| {
        format!(
            "SELECT due_date, business_id, sum(installments - settled_count - accelerated_count)::int8 AS installments,
                    sum(expected - settled - accelerated)::int8 AS net
               FROM receivables_schedule WHERE open AND due_date < $1
              GROUP BY due_date, business_id ORDER BY due_date, business_id {range}"
        )
    });
    let rows = client
        .query_typed(
            &sql,
            &[(&today, Type::DATE), (&limit, Type::INT8), (&offset, Type::INT8)],
        )
        .await?;
    let day = |row: &Row| {
        Ok(OpenDay {
            due_date: row.get(0),
            business_id: BusinessId::from_uuid(row.get(1)),
            installments: column_values::count("receivables_schedule.installments", row.get(2))?,
            net: Cents::new(row.get(3)),
        })
    };
    let rows = rows.iter().map(day).collect::<Result<Vec<_>, Error>>()?;
    let list = "(SELECT DISTINCT due_date, business_id FROM receivables_schedule WHERE open AND due_date < $1) AS late";
    let page = CountLimit::LIST.counted_page(client, rows, list, vec![(&today, Type::DATE)]);
    Ok(page.await?)
}
