//! The task that keeps an effect handler at the end of the log. The writer of this process wakes it, and it polls every
//! second for events of other processes.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use futures::future::select_all;
use ledger_store::supervisor::{Failure, Pulse, Supervised, Task};
use ledger_store::{RecordedPositions, Shard, Supervisor};
use tokio::sync::watch;
use tokio::time::timeout;

use super::checkpoint;
use super::effect_handler::EffectHandler;
use super::follow::{FollowError, catch_up};

const POLL: Duration = Duration::from_secs(1);
/// The shortest time between two polls. Under load events gather into larger windows, and the database serves the
/// writer.
const POLL_INTERVAL_MIN: Duration = Duration::from_millis(250);

/// A running effect handler. Dropping it stops it at once, which is safe at any point; `stop` ends it between two
/// windows.
pub struct Following {
    stop: watch::Sender<bool>,
    task: Supervised,
}

impl Following {
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        self.task.ended().await;
    }
}

pub fn follow_log(
    pool: Pool,
    recorded: &RecordedPositions,
    effect_handler: Arc<dyn EffectHandler>,
    supervisor: &Supervisor,
) -> Following {
    let (stop, stopping) = watch::channel(false);
    let recorded = Shard::all().map(|shard| recorded.follow(shard)).collect();
    let name = format!("effects of {}", effect_handler.name());
    let task = FollowTask {
        pool,
        recorded,
        effect_handler,
        stopping: stopping.clone(),
        started: false,
    };
    Following {
        stop,
        task: supervisor.start_until(name, stopping, task),
    }
}

struct FollowTask {
    pool: Pool,
    recorded: Vec<watch::Receiver<i64>>,
    effect_handler: Arc<dyn EffectHandler>,
    stopping: watch::Receiver<bool>,
    /// The shards that had stopped were tried again once.
    started: bool,
}

#[async_trait]
impl Task for FollowTask {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        while !*self.stopping.borrow() {
            self.recorded.iter_mut().for_each(watch::Receiver::mark_unchanged);
            follow_all(
                &self.pool,
                &*self.effect_handler,
                &mut self.started,
                &self.stopping,
            )
            .await?;
            pulse.beat();
            let _ = timeout(POLL_INTERVAL_MIN, self.stopping.wait_for(|stop| *stop)).await;
            tokio::select! {
                _ = self.stopping.wait_for(|stop| *stop) => {}
                () = anything(&mut self.recorded) => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
        Ok(())
    }
}

/// Waits for a change of any shard. Without a writer in this process it waits forever.
async fn anything(recorded: &mut [watch::Receiver<i64>]) {
    let changes = recorded.iter_mut().map(|shard| Box::pin(shard.changed()));
    if select_all(changes).await.0.is_err() {
        std::future::pending().await
    }
}

async fn follow_all(
    pool: &Pool,
    effect_handler: &dyn EffectHandler,
    started: &mut bool,
    stopping: &watch::Receiver<bool>,
) -> Result<(), FollowError> {
    let mut client = pool.get().await?;
    if !*started {
        checkpoint::try_again(&**client, effect_handler.name()).await?;
        *started = true;
    }
    let behind = checkpoint::behind(&**client, effect_handler.name()).await?;
    publish_lag(effect_handler.name(), &behind);
    for shard in behind.iter().filter(|behind| !behind.stopped) {
        if *stopping.borrow() {
            return Ok(());
        }
        catch_up(&mut client, effect_handler, shard.shard).await?;
    }
    Ok(())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a metric is a float, and no lag reaches 2^53"
)]
fn publish_lag(effect_handler: &'static str, behind: &[checkpoint::Behind]) {
    let events: i64 = behind.iter().map(|shard| shard.events).sum();
    let stopped = behind.iter().filter(|shard| shard.stopped).count();
    metrics::gauge!("razao_effects_lag_events", "effect" => effect_handler).set(events as f64);
    metrics::gauge!("razao_effects_stopped_shards", "effect" => effect_handler).set(stopped as f64);
}
