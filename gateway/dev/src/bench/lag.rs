//! How far the read models are behind, read again and again during a load.

use std::time::{Duration, Instant};

use ledger_store::SHARDS;
use projections::lag;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_postgres::Client;

use super::BenchError;
use super::figures::Spread;

const READ_PAUSE: Duration = Duration::from_millis(10);

/// Reads until it is stopped.
pub struct LagReader {
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<Lags, BenchError>>,
}

/// The readings in the order of their instants.
pub struct Lags(Vec<Reading>);

struct Reading {
    at: Instant,
    /// By shard, the position that every read model has reached.
    reached: Vec<i64>,
    events_behind: u64,
}

impl LagReader {
    pub fn start(database: Client) -> Self {
        let (stop, stopped) = oneshot::channel();
        Self {
            stop,
            task: tokio::spawn(read(database, stopped)),
        }
    }

    pub async fn stop(self) -> Result<Lags, BenchError> {
        // A reader that has failed no longer listens, and its error follows.
        let _ = self.stop.send(());
        self.task.await?
    }
}

async fn read(database: Client, mut stopped: oneshot::Receiver<()>) -> Result<Lags, BenchError> {
    let mut readings = Vec::new();
    loop {
        let is_last = stopped.try_recv().is_ok();
        let shards = lag(&database).await?;
        let mut reached = vec![0; usize::from(SHARDS)];
        for shard in &shards {
            let slowest = shard.models.iter().map(|at| at.position).min();
            reached[usize::from(shard.shard)] = slowest.unwrap_or(0);
        }
        let behind: i64 = shards.iter().map(projections::ShardLag::events).sum();
        readings.push(Reading {
            at: Instant::now(),
            reached,
            events_behind: u64::try_from(behind).unwrap_or(0),
        });
        if is_last {
            return Ok(Lags(readings));
        }
        tokio::time::sleep(READ_PAUSE).await;
    }
}

impl Lags {
    /// The median of the events behind, in the second and in the last quarter of the readings. Both are alike if the
    /// lag does not grow.
    pub fn early_and_late(&self) -> (u64, u64) {
        let quarter = self.0.len() / 4;
        let median =
            |readings: &[Reading]| Spread::of(readings.iter().map(|reading| reading.events_behind)).median;
        (
            median(&self.0[quarter..quarter * 2]),
            median(&self.0[self.0.len() - quarter..]),
        )
    }

    /// The microseconds from each answer to the first reading in which every read model has its events, sorted. An
    /// answer without such a reading is left out.
    pub fn of_answers(&self, answers: &[(Instant, u8, i64)]) -> Vec<u32> {
        let mut lags: Vec<u32> = answers
            .iter()
            .filter_map(|(answered, shard, position)| {
                let shown = |reading: &Reading| reading.reached[usize::from(*shard)] >= *position;
                let first = self.0.partition_point(|reading| !shown(reading));
                let lag = self.0.get(first)?.at.saturating_duration_since(*answered);
                Some(u32::try_from(lag.as_micros()).unwrap_or(u32::MAX))
            })
            .collect();
        lags.sort_unstable();
        lags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lag_ends_with_the_first_reading_that_shows_the_position() {
        let began = Instant::now();
        let after = |millis| began + Duration::from_millis(millis);
        let reading = |millis, position| Reading {
            at: after(millis),
            reached: vec![0, position],
            events_behind: millis,
        };
        let lags = Lags(vec![
            reading(10, 1),
            reading(20, 4),
            reading(30, 5),
            reading(40, 5),
        ]);
        let answers = [(after(5), 1, 4), (after(25), 1, 3), (began, 1, 6)];
        assert_eq!(lags.of_answers(&answers), [0, 15_000]);
        assert_eq!(lags.early_and_late(), (20, 40));
    }
}
