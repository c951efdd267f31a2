//! Measures how many captures the writer records per second, without HTTP, for each given number of concurrent callers.
//!
//! `DATABASE_URL=… cargo run -p ledger-model --example append_rate [-- <seconds> <callers>…]` on an empty database.

#![expect(
    clippy::disallowed_methods,
    reason = "a measurement is run by hand: its tasks need no supervisor"
)]
#![allow(clippy::print_stdout, reason = "its output is the measurement")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chrono::Utc;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, SaleId};
use ledger_model::{OnePlan, capture};
use ledger_store::{Actor, Idempotency, Metadata, Outcome, Submission, Writer, WriterOptions, migrate};
use tokio_postgres::{Config, NoTls};
use uuid::Uuid;

type Failure = Box<dyn std::error::Error>;

const BUSINESSES: u128 = 500;

#[tokio::main(worker_threads = 2)]
async fn main() -> Result<(), Failure> {
    let database: Config = std::env::var("DATABASE_URL")?.parse()?;
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let seconds = numbers.next().transpose()?.unwrap_or(5);
    if seconds == 0 {
        return Err("seconds must be at least 1".into());
    }
    let mut callers = numbers.collect::<Result<Vec<_>, _>>()?;
    if callers.is_empty() {
        callers = vec![64, 256];
    }
    let (mut client, connection) = database.connect(NoTls).await?;
    tokio::spawn(connection);
    migrate::run(&mut client).await?;
    let (writer, task) =
        Writer::start(WriterOptions::new(database, "append_rate"), Arc::new(OnePlan)).await?;
    for callers in callers {
        let recorded = measure(&writer, callers, Duration::from_secs(seconds as u64)).await?;
        println!(
            "{callers:>5} callers: {:>7} captures/s",
            recorded / seconds as u64
        );
    }
    writer.shutdown();
    task.join().await;
    Ok(())
}

async fn measure(writer: &Writer, callers: usize, time: Duration) -> Result<u64, Failure> {
    let recorded = Arc::new(AtomicU64::new(0));
    let stop = Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> = (0..callers)
        .map(|caller| {
            tokio::spawn(call(
                writer.clone(),
                caller as u128,
                recorded.clone(),
                stop.clone(),
            ))
        })
        .collect();
    // The first commands load their businesses, so they are not measured.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let (before, began) = (recorded.load(Ordering::Relaxed), Instant::now());
    tokio::time::sleep(time).await;
    let after = recorded.load(Ordering::Relaxed);
    assert!(
        began.elapsed() < time + Duration::from_millis(200),
        "the machine is too busy to measure"
    );
    stop.store(true, Ordering::Relaxed);
    for task in tasks {
        task.await?;
    }
    Ok(after - before)
}

async fn call(writer: Writer, caller: u128, recorded: Arc<AtomicU64>, stop: Arc<AtomicBool>) {
    for n in 0_u128.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        // Spreads the callers, so that they mostly use different businesses at the same time.
        let business_id = BusinessId::from_uuid(Uuid::from_u128((caller * 7919 + n * 31) % BUSINESSES + 1));
        let sale_id = SaleId::from_uuid(Uuid::new_v4());
        let submission = Submission {
            command_id: Uuid::new_v4(),
            business_id,
            command: capture(business_id, sale_id, Utc::now()),
            metadata: Metadata {
                request_id: Some(sale_id.to_string()),
                ..Metadata::by(Actor::Provider(Provider::Zoop))
            },
            idempotency: Some(Idempotency::new(
                "zoop",
                &sale_id.to_string(),
                sale_id.uuid().as_bytes(),
            )),
        };
        match writer.submit(submission).await {
            Outcome::Recorded(_) => recorded.fetch_add(1, Ordering::Relaxed),
            other => panic!("not recorded: {other:?}"),
        };
    }
}
