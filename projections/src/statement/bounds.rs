//! Which lines of a statement: a period, and how much of it was known, or had happened, by an instant.

use ledger_domain::BusinessId;
use ledger_domain::calendar::{Date, Instant, business_date};
use tokio_postgres::GenericClient;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use crate::Error;
use crate::as_of::{AsOf, Axis};
use crate::page::Order;

/// What is left out does not restrict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementFilter {
    pub business_id: BusinessId,
    /// Business dates of the movements, both inclusive.
    pub start: Option<Date>,
    pub end: Option<Date>,
    /// The lines recorded by then; or, on the effective axis, those of what had happened by then, with the balance
    /// recounted in the order in which things happened.
    pub as_of: Option<AsOf>,
    pub order: Order,
}

impl StatementFilter {
    /// Every line of the business, the newest day first.
    pub const fn of(business_id: BusinessId) -> Self {
        Self {
            business_id,
            start: None,
            end: None,
            as_of: None,
            order: Order::Desc,
        }
    }
}

/// The filter as SQL takes it: `$1` to `$5` of `lines_within`.
pub(super) struct Bounds {
    pub business: Uuid,
    pub start: Option<Date>,
    pub end: Option<Date>,
    /// The last line that was recorded by an instant: the index by date knows numbers.
    pub last_number: Option<i64>,
    pub last_instant: Option<Instant>,
}

/// Parameters that are null fold away when the statement is planned, so one text serves every filter.
macro_rules! lines_within {
    () => {
        "business_id = $1 AND business_date BETWEEN coalesce($2, '-infinity') AND coalesce($3, 'infinity')
         AND ($4::int8 IS NULL OR number <= $4)
         AND ($5::timestamptz IS NULL OR occurred_at <= $5)"
    };
}
pub(super) use lines_within;

impl Bounds {
    pub async fn of(client: &impl GenericClient, filter: &StatementFilter) -> Result<Self, Error> {
        let bounds = Self {
            business: filter.business_id.uuid(),
            start: filter.start,
            end: filter.end,
            last_number: None,
            last_instant: None,
        };
        Ok(match filter.as_of {
            None => bounds,
            Some(AsOf {
                instant,
                axis: Axis::Recorded,
            }) => Self {
                last_number: Some(last_recorded(client, filter.business_id, instant).await?),
                ..bounds
            },
            Some(AsOf {
                instant,
                axis: Axis::Effective,
            }) => {
                let last_date = business_date(instant);
                Self {
                    end: Some(filter.end.map_or(last_date, |end| end.min(last_date))),
                    last_instant: Some(instant),
                    ..bounds
                }
            }
        })
    }

    /// Within a day as things happened, rather than as they were recorded.
    pub const fn recounts(&self) -> bool {
        self.last_instant.is_some()
    }

    pub fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.business, Type::UUID),
            (&self.start, Type::DATE),
            (&self.end, Type::DATE),
            (&self.last_number, Type::INT8),
            (&self.last_instant, Type::TIMESTAMPTZ),
        ]
    }
}

/// Zero where nothing was recorded by then.
async fn last_recorded(
    client: &impl GenericClient,
    business: BusinessId,
    instant: Instant,
) -> Result<i64, Error> {
    let row = client
        .query_typed_opt(
            "SELECT number FROM statement_line
              WHERE business_id = $1 AND recorded_at <= $2
              ORDER BY recorded_at DESC, number DESC LIMIT 1",
            &[(&business.uuid(), Type::UUID), (&instant, Type::TIMESTAMPTZ)],
        )
        .await?;
    Ok(row.map_or(0, |row| row.get(0)))
}
