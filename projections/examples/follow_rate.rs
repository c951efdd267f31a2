//! Measures the cost of a capture while the followers keep up. It records captures through the writer, with the
//! followers of the read models in the same process, and waits for the followers.
//!
//! It reports captures per second, without and with the catch-up of the followers, and the processor time per capture,
//! in this process and in PostgreSQL. PostgreSQL's time is split into the writer's connections, all other clients (the
//! followers), and the server's own processes such as autovacuum. Processor times need Linux and a server on this
//! machine.
//!
//! `cargo run -p projections --example follow_rate -- postgres://…/empty_database [captures] [in flight] [rounds]
//! [pace] [look up]`
//!
//! - `in flight`: the greatest number of captures that wait for an answer.
//! - `rounds`: the number of reported rounds. A round before them warms up and is not reported.
//! - `pace`: the greatest number of captures sent per second; 0 sends as fast as answers return. Choose `in flight`
//!   large enough that the pace is kept. Then compare the processor time per capture, not the captures per second.
//! - `look up`: `first` looks up each sale that is not in memory before its decision. By default the writer decides by
//!   the share of sales that existed.

#![allow(clippy::print_stdout, reason = "its output is the measurement")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::Utc;
use deadpool_postgres::{Manager, Pool};
use futures::{StreamExt, stream};
use ledger_domain::{BusinessId, SaleId};
use ledger_model::{OnePlan, capture};
use ledger_store::lane::SaleLookUps;
use ledger_store::{Actor, Idempotency, Job, Metadata, Outcome, Submission, Writer, WriterOptions, log};
use projections::{FollowerOptions, Freshness, ReadModelGroup};
use tokio_postgres::{Config, NoTls};
use uuid::Uuid;

const BUSINESSES: u128 = 200;

type Failed = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments
        .next()
        .ok_or("the address of an empty database is missing")?;
    let mut number = |usual: usize| arguments.next().map_or(Ok(usual), |text| text.parse());
    let (captures, in_flight, rounds, pace) = (number(20_000)?, number(64)?, number(3)?, number(0)?);
    if captures == 0 || in_flight == 0 {
        return Err("captures and in flight must be at least 1".into());
    }

    let sale_look_ups = match arguments.next().as_deref() {
        Some("first") => SaleLookUps::First,
        _ => SaleLookUps::Adaptive,
    };

    let config: Config = url.parse()?;
    let pool = Pool::builder(Manager::new(config.clone(), NoTls))
        .max_size(8)
        .build()?;
    ledger_store::migrate::run(&mut **pool.get().await?).await?;
    let options = WriterOptions {
        sale_look_ups,
        ..WriterOptions::new(config, "follow-rate")
    };
    let (writer, task) = Writer::start(options, Arc::new(OnePlan)).await?;
    let following =
        projections::follow_log(pool.clone(), Some(&writer.recorded()), FollowerOptions::default());
    for round in 0..=rounds {
        let before = Processors::read(&pool).await?;
        let began = Instant::now();
        let start = tokio::time::Instant::now();
        let mut latencies: Vec<Duration> = stream::iter(0..captures)
            .then(|number| async move {
                if pace > 0 {
                    let micros = 1_000_000 * number as u64 / pace as u64;
                    tokio::time::sleep_until(start + Duration::from_micros(micros)).await;
                }
                number
            })
            .map(|number| record(&writer, number))
            .buffer_unordered(in_flight)
            .collect()
            .await;
        latencies.sort_unstable();
        let recorded = began.elapsed();
        catch_up(&pool).await?;
        let caught_up = began.elapsed();
        let after = Processors::read(&pool).await?;
        if round > 0 {
            report(captures, recorded, caught_up, &before, &after);
            let at = |share: usize| latencies[(latencies.len() - 1) * share / 100].as_micros();
            println!("       p50 {} µs, p99 {} µs", at(50), at(99));
        }
    }
    following.stop().await;
    writer.shutdown();
    task.join().await;
    Ok(())
}

async fn record(writer: &Writer, number: usize) -> Duration {
    let business_id = BusinessId::from_uuid(Uuid::from_u128(1 + number as u128 % BUSINESSES));
    let sale_id = SaleId::from_uuid(Uuid::new_v4());
    let command_id = Uuid::new_v4();
    let submission = Submission {
        command_id,
        business_id,
        command: capture(business_id, sale_id, Utc::now()),
        metadata: Metadata::by(Actor::Job(Job::Installation)),
        idempotency: Some(Idempotency::new("follow-rate", &command_id.to_string(), b"")),
    };
    let began = Instant::now();
    match writer.submit(submission).await {
        Outcome::Recorded(_) => began.elapsed(),
        other => panic!("not recorded: {other:?}"),
    }
}

async fn catch_up(pool: &Pool) -> Result<(), Failed> {
    let position = log::shard_positions(&**pool.get().await?).await?;
    match projections::wait_for(pool, &ReadModelGroup::ALL, &position, Duration::from_secs(120)).await? {
        Freshness::Fresh => Ok(()),
        Freshness::Stale => Err("the followers did not catch up".into()),
    }
}

/// Clock ticks of processor time, by the part that spent it.
struct Processors(BTreeMap<&'static str, u64>);

impl Processors {
    async fn read(pool: &Pool) -> Result<Self, Failed> {
        let client = pool.get().await?;
        let rows = client
            .query(
                "SELECT pid, coalesce(application_name, '') FROM pg_stat_activity",
                &[],
            )
            .await?;
        let own: i32 = client.query_one("SELECT pg_backend_pid()", &[]).await?.get(0);
        let writers: Vec<i32> = rows
            .iter()
            .filter(|row| row.get::<_, &str>(1) == "razao-writer")
            .map(|row| row.get(0))
            .collect();
        let clients: Vec<i32> = client
            .query(
                "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'",
                &[],
            )
            .await?
            .iter()
            .map(|row| row.get(0))
            .collect();
        let server = stat(&own.to_string())?.parent;
        let mut spent = BTreeMap::from([("program", stat("self")?.ticks), ("server", 0)]);
        for entry in std::fs::read_dir("/proc")? {
            let name = entry?.file_name().into_string().unwrap_or_default();
            let Ok(pid) = name.parse::<i32>() else { continue };
            // A process may end at the same time.
            let Ok(stat) = stat(&name) else { continue };
            if pid != server && stat.parent != server {
                continue;
            }
            let part = if writers.contains(&pid) {
                "writer's SQL"
            } else if clients.contains(&pid) {
                "followers' SQL"
            } else {
                "server's rest"
            };
            let ticks = stat.ticks + if pid == server { stat.ticks_of_ended } else { 0 };
            *spent.entry(part).or_default() += ticks;
            *spent.entry("server").or_default() += ticks;
        }
        Ok(Self(spent))
    }
}

struct Stat {
    parent: i32,
    /// The clock ticks of the process.
    ticks: u64,
    /// The clock ticks of its children that have ended.
    ticks_of_ended: u64,
}

/// The fields of `/proc/…/stat` after the name, which may hold spaces. Index 0 is the state, field 3 in proc(5).
fn stat(pid: &str) -> Result<Stat, Failed> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let (_, fields) = text.rsplit_once(')').ok_or("an unknown form")?;
    let fields: Vec<_> = fields.split_whitespace().collect();
    let number = |index: usize| {
        fields
            .get(index)
            .and_then(|field| field.parse::<u64>().ok())
            .unwrap_or(0)
    };
    Ok(Stat {
        parent: i32::try_from(number(1))?,
        ticks: number(11) + number(12),
        ticks_of_ended: number(13) + number(14),
    })
}

fn report(captures: usize, recorded: Duration, caught_up: Duration, before: &Processors, after: &Processors) {
    let count = captures as u128;
    let rate = |time: Duration| count * 1_000_000 / time.as_micros().max(1);
    print!(
        "{:>6} captures/s, {:>6} with catch-up of {:>4} ms; µs of processor per capture:",
        rate(recorded),
        rate(caught_up),
        (caught_up - recorded).as_millis()
    );
    for (part, ticks) in &after.0 {
        // A clock tick is 10 ms (100 a second) on Linux.
        let spent = ticks.saturating_sub(before.0.get(part).copied().unwrap_or(0));
        print!(" {part} {}", u128::from(spent) * 10_000 / count);
    }
    println!();
}
