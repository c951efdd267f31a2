//! The way into the log: submits commands to the lanes of this process, and tells readers when something was recorded.
//!
//! Nothing is decided here. Each lane is a task that owns two connections; what it does is [`crate::lane`]'s matter.

mod append;
mod connection;
mod look_up;
mod meters;
mod shell;
mod task;

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_postgres::Config;

pub use connection::PostgresLog;
use shell::Parts;
use task::LaneTask;

use crate::back_office::BackOffice;
use crate::clock::{Clock, SystemClock};
use crate::lane::{Answer, Work};
use crate::position::{LedgerPosition, SHARDS, Shard};
use crate::submission::{Outcome, Submission};
use crate::supervisor::{Supervised, Supervisor};

#[derive(Clone)]
pub struct WriterOptions {
    pub database: Config,
    /// Which shards to take, where they are free.
    pub shards: Vec<Shard>,
    /// Tasks that share the shards between them. One does best where the database is on the same machine.
    pub lanes: usize,
    /// The most events in one batch, but for a command that alone leads to more.
    pub batch_max: usize,
    /// What a lane keeps in memory of heads, sales and transfers.
    pub cache_bytes: usize,
    /// How many commands may wait in a lane. Beyond it `submit` waits for a place, which slows its callers down.
    pub queue: usize,
    pub clock: Arc<dyn Clock>,
    /// Stable over restarts of the same installation, so that it need not wait for its own lease to run out; different
    /// between processes that run at once.
    pub owner: String,
    /// How long the shards stay this process's without a sign of life.
    pub lease: Duration,
    /// Starts the lanes again when they fail.
    pub supervisor: Supervisor,
}

impl WriterOptions {
    pub fn new(database: Config, owner: impl Into<String>) -> Self {
        Self {
            database,
            shards: Shard::all().collect(),
            lanes: 1,
            batch_max: 256,
            cache_bytes: 128 << 20,
            queue: 1024,
            clock: Arc::new(SystemClock),
            owner: owner.into(),
            lease: Duration::from_secs(10),
            supervisor: Supervisor::default(),
        }
    }
}

#[derive(Debug, Error)]
pub enum WriterError {
    #[error("the writer can't use the database")]
    Database(#[from] tokio_postgres::Error),
}

#[derive(Clone)]
pub struct Writer {
    /// A shard's lane is its number modulo the lanes.
    lanes: Arc<[mpsc::Sender<Submitted>]>,
    recorded: Recorded,
    stop: watch::Sender<bool>,
}

struct Submitted {
    work: Work,
    answer: oneshot::Sender<Answer>,
}

/// The lanes' tasks. They end after [`Writer::shutdown`], or when every `Writer` is gone.
pub struct WriterTask {
    lanes: Vec<Supervised>,
}

impl Writer {
    /// Connects, takes the shards that are free, and starts the lanes. Shards that another process holds are taken
    /// when their lease runs out.
    pub async fn start(
        options: WriterOptions,
        back_office: Arc<dyn BackOffice>,
    ) -> Result<(Self, WriterTask), WriterError> {
        let (told, recorded) = Recorded::new();
        let (stop, _) = watch::channel(false);
        let lanes = options.lanes.clamp(1, usize::from(SHARDS));
        let mut senders = vec![];
        let mut tasks = vec![];
        for lane in 0..lanes {
            let shards = options
                .shards
                .iter()
                .copied()
                .filter(|shard| shard.index() % lanes == lane)
                .collect();
            let (sender, queue) = mpsc::channel(options.queue.max(1));
            let parts = Parts {
                number: lane,
                options: options.clone(),
                shards,
                back_office: back_office.clone(),
                told: told.clone(),
            };
            let task = LaneTask::connect(parts, queue, stop.subscribe()).await?;
            let name = format!("ledger lane {lane}");
            tasks.push(options.supervisor.start_until(name, stop.subscribe(), task));
            senders.push(sender);
        }
        Ok((
            Self {
                lanes: senders.into(),
                recorded,
                stop,
            },
            WriterTask { lanes: tasks },
        ))
    }

    /// Answers when the outcome is durable. Waits for a place where the queue is full; dropping the future before the
    /// answer leaves the outcome unknown to the caller, and asking again with the same idempotency key tells it.
    pub async fn submit(&self, submission: Submission) -> Outcome {
        match self.ask(submission.into()).await {
            Answer::Outcome(outcome) => outcome,
            Answer::Overtaken => unreachable!("a lane decides submissions itself, on what it holds"),
        }
    }

    pub(crate) async fn ask(&self, work: Work) -> Answer {
        let lane = Shard::of(work.business_id()).index() % self.lanes.len();
        let (answer, answered) = oneshot::channel();
        if self.lanes[lane].send(Submitted { work, answer }).await.is_err() {
            // The queue is closed: no lane has seen it.
            return Answer::Outcome(Outcome::NotOwner);
        }
        match answered.await {
            Ok(answer) => answer,
            // A lane had it and failed, or was cut off at its end.
            Err(_) => {
                meters::unanswered();
                Answer::Outcome(Outcome::Unknown)
            }
        }
    }

    /// Wakes readers: the last position of each shard that this process recorded.
    pub fn recorded(&self) -> Recorded {
        self.recorded.clone()
    }

    /// Takes no more commands, records and answers those that it has, and gives the shards up. [`WriterTask::join`]
    /// waits for it.
    pub fn shutdown(&self) {
        self.stop.send_replace(true);
    }
}

impl WriterTask {
    pub async fn join(self) {
        for mut lane in self.lanes {
            lane.ended().await;
        }
    }
}

/// What this process recorded, by shard. Other processes' events don't show here, so a reader polls as well.
#[derive(Debug, Clone)]
pub struct Recorded(Arc<[watch::Receiver<i64>]>);

type Told = Arc<[watch::Sender<i64>]>;

impl Recorded {
    fn new() -> (Told, Self) {
        let (told, recorded): (Vec<_>, Vec<_>) = Shard::all().map(|_| watch::channel(0)).unzip();
        (told.into(), Self(recorded.into()))
    }

    /// Changes when the shard's position does.
    pub fn follow(&self, shard: Shard) -> watch::Receiver<i64> {
        self.0[shard.index()].clone()
    }

    pub fn position(&self) -> LedgerPosition {
        let mut position = LedgerPosition::default();
        for shard in Shard::all() {
            match *self.0[shard.index()].borrow() {
                0 => {}
                reached => position.advance(shard, reached),
            }
        }
        position
    }
}
