//! What stands for one business in the read models, and the states of its sales.

use std::collections::BTreeMap;

use ledger_domain::business::Sale;
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::finding::Columns;
use crate::sale::{self, SaleRow, ScheduleRow};
use crate::statement::{self, Line, SumKey};
use crate::{Error, agenda, balance, daily};

pub(super) struct Rows {
    pub balance: balance::Sums,
    pub daily: daily::Sums,
    pub sales: BTreeMap<SaleId, SaleRow>,
    pub schedules: BTreeMap<SaleId, ScheduleRow>,
    pub agenda: agenda::Sums,
    pub lines: BTreeMap<i64, Line>,
    pub statement_daily: BTreeMap<SumKey, statement::Sum>,
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
                        next_due_date,
                    },
                );
            }
            sales.insert(record.row.sale_id, record.row);
        }
        Ok(Self {
            balance: balance::rows_of(client, business).await?,
            daily: daily::rows_of(client, business).await?,
            sales,
            schedules,
            agenda: agenda::rows_of(client, business).await?,
            lines,
            statement_daily,
        })
    }
}

/// A row of `sale_state`. The column `status` repeats what the state says, and is compared as well.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    pub business_id: BusinessId,
    pub status: String,
    pub created_at: Instant,
    pub sequence: i64,
    /// None where the text is not a state.
    pub sale: Option<Sale>,
}

const STATES_PER_PAGE: usize = 1_000;

/// The states of these sales, whichever business they say they are of.
pub(super) async fn states(
    client: &impl GenericClient,
    sales: impl Iterator<Item = SaleId>,
) -> Result<BTreeMap<SaleId, State>, Error> {
    let sales: Vec<Uuid> = sales.map(SaleId::uuid).collect();
    let mut states = BTreeMap::new();
    for page in sales.chunks(STATES_PER_PAGE) {
        let rows = client
            .query_typed(
                "SELECT sale_id, business_id, status, created_at, sequence, state::text
                   FROM sale_state WHERE sale_id = ANY ($1)",
                &[(&page, Type::UUID_ARRAY)],
            )
            .await?;
        states.extend(rows.iter().map(|row| (SaleId::from_uuid(row.get(0)), state(row))));
    }
    Ok(states)
}

fn state(row: &Row) -> State {
    State {
        business_id: BusinessId::from_uuid(row.get(1)),
        status: row.get(2),
        created_at: row.get(3),
        sequence: row.get(4),
        sale: serde_json::from_str(row.get(5)).ok(),
    }
}

impl Columns for State {
    fn columns(&self) -> Vec<(&'static str, String)> {
        let state = |sale: &Sale| serde_json::to_string(sale).unwrap_or_else(|error| error.to_string());
        vec![
            ("business_id", self.business_id.to_string()),
            ("status", self.status.clone()),
            ("created_at", self.created_at.to_string()),
            ("sequence", self.sequence.to_string()),
            (
                "state",
                self.sale.as_ref().map_or_else(|| "unreadable".to_owned(), state),
            ),
        ]
    }
}
