//! What stands for one business in the read models.

use std::collections::BTreeMap;

use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::GenericClient;

use crate::sale::{self, SaleRow, ScheduleRow};
use crate::statement::{self, Line, SumKey};
use crate::{Error, agenda, balance, daily, journal, transfer};

pub(super) struct Rows {
    pub balance: balance::Sums,
    /// By sequence.
    pub journal: BTreeMap<i64, journal::Entry>,
    pub daily: daily::Sums,
    pub sales: BTreeMap<SaleId, SaleRow>,
    pub schedules: BTreeMap<SaleId, ScheduleRow>,
    pub agenda: agenda::Sums,
    pub lines: BTreeMap<i64, Line>,
    pub statement_daily: BTreeMap<SumKey, statement::Sum>,
    pub transfers: transfer::Book,
}

impl Rows {
    pub async fn read(client: &impl GenericClient, business: BusinessId) -> Result<Self, Error> {
        let (lines, statement_daily) = statement::rows_of(client, business).await?;
        let (mut sales, mut schedules) = (BTreeMap::new(), BTreeMap::new());
        for (record, next_due_date) in sale::rows_of(client, business).await? {
            if !record.schedule.is_empty() {
                schedules.insert(
                    record.row.sale_id,
                    ScheduleRow {
                        instalments: record.schedule,
                        brought_forward_by: record.brought_forward_by,
                        next_due_date,
                    },
                );
            }
            sales.insert(record.row.sale_id, record.row);
        }
        Ok(Self {
            balance: balance::rows_of(client, business).await?,
            journal: journal::rows_of(client, business).await?,
            daily: daily::rows_of(client, business).await?,
            sales,
            schedules,
            agenda: agenda::rows_of(client, business).await?,
            lines,
            statement_daily,
            transfers: transfer::rows_of(client, business).await?,
        })
    }
}
