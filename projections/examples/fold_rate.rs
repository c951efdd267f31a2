//! Measures the rate, in events per second, at which one connection folds the log into the read models. It fills a log
//! through the writer. Then it times a rebuild of each group and of all groups, which runs the followers' statements.
//!
//! `cargo run -p projections --example fold_rate -- postgres://…/empty_database [events] [installments]`

#![allow(clippy::print_stdout, reason = "its output is the measurement")]

use std::sync::Arc;
use std::time::Instant;

use chrono::{TimeDelta, Utc};
use deadpool_postgres::{Manager, Pool};
use futures::{StreamExt, stream};
use ledger_domain::business::{BusinessCommand, CaptureSale, SaleContext};
use ledger_domain::sale::SaleFacts;
use ledger_domain::{BusinessId, SaleId};
use ledger_model::{OnePlan, sale};
use ledger_store::{Actor, Job, Metadata, Outcome, Submission, Writer, WriterOptions, log};
use projections::ReadModelGroup;
use tokio_postgres::{Config, NoTls};
use uuid::Uuid;

const BUSINESSES: u128 = 200;
/// The captures are spread over this number of days, so that they have as many rows of roll-ups as a few months.
const DAYS: i64 = 90;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments
        .next()
        .ok_or("the address of an empty database is missing")?;
    let events: u32 = arguments.next().map_or(Ok(20_000), |events| events.parse())?;
    let installments: u8 = arguments
        .next()
        .map_or(Ok(1), |installments| installments.parse())?;

    let config: Config = url.parse()?;
    let pool = Pool::builder(Manager::new(config.clone(), NoTls))
        .max_size(4)
        .build()?;
    ledger_store::migrate::run(&mut **pool.get().await?).await?;
    let (writer, task) = Writer::start(WriterOptions::new(config, "fold-rate"), Arc::new(OnePlan)).await?;
    let began = Instant::now();
    stream::iter(0..events)
        .map(|number| capture(&writer, number, installments))
        .buffer_unordered(256)
        .for_each(|()| std::future::ready(()))
        .await;
    report("recorded", events.into(), began);
    writer.shutdown();
    task.join().await;

    let recorded: i64 = log::shard_positions(&**pool.get().await?)
        .await?
        .iter()
        .map(|(_, position)| position)
        .sum();
    for models in ReadModelGroup::ALL
        .map(|model| vec![model])
        .into_iter()
        .chain([ReadModelGroup::ALL.to_vec()])
    {
        let names: Vec<_> = models.iter().map(ToString::to_string).collect();
        let began = Instant::now();
        projections::rebuild(&pool, &models, |_| {}).await?;
        report(&format!("folded into {}", names.join(", ")), recorded, began);
    }
    Ok(())
}

async fn capture(writer: &Writer, number: u32, installments: u8) {
    let business_id = BusinessId::from_uuid(Uuid::from_u128(1 + u128::from(number) % BUSINESSES));
    let sale_id = SaleId::from_uuid(Uuid::new_v4());
    let occurred_at = Utc::now() - TimeDelta::days(i64::from(number) % DAYS);
    let command = BusinessCommand::CaptureSale(CaptureSale {
        sale: SaleFacts {
            installments,
            ..sale(sale_id)
        },
        occurred_at,
        context: SaleContext::unknown(business_id, occurred_at),
    });
    let command_id = Uuid::new_v4();
    let submission = Submission {
        command_id,
        business_id,
        command,
        metadata: Metadata::by(Actor::Job(Job::Installation)),
        idempotency: None,
    };
    match writer.submit(submission).await {
        Outcome::Recorded(_) => {}
        other => panic!("not recorded: {other:?}"),
    }
}

fn report(what: &str, events: i64, began: Instant) {
    let micros = i64::try_from(began.elapsed().as_micros().max(1)).unwrap_or(i64::MAX);
    println!(
        "{:>8} events/s {what} ({} ms)",
        events.saturating_mul(1_000_000) / micros,
        micros / 1_000
    );
}
