//! Companies whose available balance is below zero: they owe the platform.

use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use crate::each_shard::{Cut, list_of_each_shard, sums_of_each_shard};
use crate::page::{CountLimit, Page, Paging};
use crate::{Error, column_values};

/// The totals of the companies with a negative available balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NegativeBalances {
    pub companies: u64,
    /// The sum of their balances: negative or zero.
    pub available: Cents,
}

pub async fn negative_balances(client: &impl GenericClient) -> Result<NegativeBalances, Error> {
    let row = client
        .query_typed_one(
            &sums_of_each_shard(
                "SELECT count(*), coalesce(sum(available), 0)::int8 FROM balance WHERE is_negative",
                0,
                2,
                "",
            ),
            &[],
        )
        .await?;
    Ok(NegativeBalances {
        companies: column_values::count("balance", row.get(0))?,
        available: Cents::new(row.get(1)),
    })
}

/// The companies behind `negative_balances` with their balances, the lowest first.
pub async fn negative_balance_list(
    client: &impl GenericClient,
    paging: Paging,
) -> Result<Page<(BusinessId, Cents)>, Error> {
    let (limit, offset) = CountLimit::LIST.range(paging);
    let list = "balance WHERE is_negative";
    let cut = Cut {
        limit: "$1",
        offset: "$2",
    };
    let sql = list_of_each_shard("available, business_id", cut, |range| {
        format!("SELECT business_id, available FROM {list} ORDER BY available, business_id {range}")
    });
    let rows = client
        .query_typed(&sql, &[(&limit, Type::INT8), (&offset, Type::INT8)])
        .await?;
    let company = |row: &Row| (BusinessId::from_uuid(row.get(0)), Cents::new(row.get(1)));
    let rows = rows.iter().map(company).collect();
    Ok(CountLimit::LIST.counted_page(client, rows, list, vec![]).await?)
}
