//! The views of layout `schemas`: the tables of all shards under the name that the table has in a shard.

use tokio_postgres::{Error, GenericClient};

use super::{Layout, PUBLIC, TABLES};

/// The log in the columns of the upstream crate, over the views of all shards (`migrations/shard/0001_log.sql`).
const EVENTS: &str = "CREATE VIEW public.events AS
SELECT 'business'::text AS aggregate_type, 'biz_' || head.business_id::text AS aggregate_id, event.sequence,
       event.event_type, event.event_version, event.payload, event.metadata
  FROM public.business_head head
  JOIN public.event ON event.shard = head.shard AND event.business_id = head.business_id";

/// The views that show the transaction that wrote a row, as a table does: rankings of companies compare it.
const WITH_XMIN: [&str; 3] = [
    "platform_sales_daily",
    "platform_sales_monthly",
    "platform_revenue_daily",
];

pub async fn create_views(client: &impl GenericClient) -> Result<(), Error> {
    let places = Layout::Schemas.places();
    let schemas: Vec<_> = places.iter().map(|place| place.schema.as_str()).collect();
    let views: String = TABLES
        .iter()
        .map(|table| format!("{};", view(table, &schemas)))
        .collect();
    client.batch_execute(&format!("{views}{EVENTS}")).await
}

pub async fn drop_views(client: &impl GenericClient) -> Result<(), Error> {
    let views = TABLES.map(|table| format!("{PUBLIC}.{table}")).join(", ");
    client
        .batch_execute(&format!(
            "DROP VIEW IF EXISTS {PUBLIC}.events; DROP VIEW IF EXISTS {views}"
        ))
        .await
}

/// The views of some tables read those of another schema in place of a shard's, also once these are moved. A reader
/// locks a view before its tables, so this comes before the tables are locked.
pub async fn replace_in_views(
    client: &impl GenericClient,
    (old, new): (&str, &str),
    tables: impl Iterator<Item = &str>,
) -> Result<(), Error> {
    let places = Layout::Schemas.places();
    let schemas: Vec<_> = places
        .iter()
        .map(|place| {
            if place.schema == old {
                new
            } else {
                place.schema.as_str()
            }
        })
        .collect();
    let views: String = tables
        .map(|table| format!("{};", view(table, &schemas)))
        .collect();
    client.batch_execute(&views).await
}

fn view(table: &str, schemas: &[&str]) -> String {
    let columns = if WITH_XMIN.contains(&table) {
        "*, xmin"
    } else {
        "*"
    };
    let parts = schemas
        .iter()
        .map(|schema| format!("SELECT {columns} FROM {schema}.{table}"));
    let parts: Vec<_> = parts.collect();
    format!(
        "CREATE OR REPLACE VIEW {PUBLIC}.{table} AS {}",
        parts.join(" UNION ALL ")
    )
}
