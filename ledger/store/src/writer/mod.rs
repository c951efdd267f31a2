//! The writer: submits commands to the lanes of this process, and wakes readers when something was recorded.
//!
//! Nothing is decided here. Each lane is a task with two connections; [`crate::lane`] holds its logic.

mod append;
mod connection;
mod look_up;
mod shell;
mod status;
mod task;
mod writer_metrics;

use std::sync::Arc;
use std::time::Duration;

use futures::future::try_join_all;
use ledger_domain::BusinessId;
use thiserror::Error;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use uuid::Uuid;

pub use connection::PostgresLog;
pub(crate) use connection::open as open_session;
use shell::LaneParts;
pub use status::Appending;
use status::WriterStatus;
use task::LaneTask;

use crate::clock::{Clock, SystemClock};
use crate::connector::Connector;
use crate::lane::{Answer, SaleLookUps, Work};
use crate::layout::{Layout, LayoutError, PARTITION_POSITIONS};
use crate::peers::{Members, MembersTask, PeerOptions, Reply, Route, StopSignals};
use crate::position::{SHARDS, Shard};
use crate::recorded::Recorded;
use crate::reference_data::ReferenceData;
use crate::submission::{Outcome, Submission};
use crate::supervisor::{Supervised, Supervisor, spawn_once};
use crate::trace::{self, SpanKind};

#[derive(Clone)]
pub struct WriterOptions {
    pub database: Connector,
    /// The shards to take when they are free.
    pub shards: Vec<Shard>,
    /// The number of tasks that share the shards in layout `one`. One is fastest if the database is on the same machine.
    /// In layout `schemas` each shard has its own.
    pub lanes: usize,
    /// The positions of a partition of events in layout `schemas`.
    pub partition_size: i64,
    /// A batch with this many events takes no further command. Commands with several events may exceed it.
    pub batch_max: usize,
    /// The size of a lane's cache of heads, sales and transfers.
    pub cache_bytes: usize,
    /// Whether sales that memory does not know are looked up before they are decided on.
    pub sale_look_ups: SaleLookUps,
    /// How many commands may wait in a lane's queue. When it is full, `submit` waits, which slows its callers down.
    pub queue: usize,
    pub clock: Arc<dyn Clock>,
    /// The owner of the leases. It differs between all processes, also between a process and its restart
    /// ([`new_owner`]).
    pub owner: String,
    /// How long the shards stay reserved for this process without a renewal.
    pub lease: Duration,
    /// Restarts failed lanes.
    pub supervisor: Supervisor,
    /// The other processes. Without them this one takes every free shard, and answers `NotOwner` for the others.
    pub peers: Option<PeerOptions>,
}

/// The default lease. A shorter one would be lost in a short pause of the process, a longer one delays the takeover
/// after a crash.
pub const LEASE: Duration = Duration::from_secs(10);
/// A command is sent from owner to owner for so long before it is answered with `NotOwner` or `Unknown`.
const OWNER_SOUGHT_FOR: Duration = Duration::from_secs(2);
/// From the second time on, a command waits for so long before it has the owners looked up again.
const SEEK_PAUSE: Duration = Duration::from_millis(20);
/// In layout `schemas` a process that stops goes on for so long, while the others connect to the tables of its shards.
const STOP_NOTICE: Duration = Duration::from_millis(500);
/// A process renews its leases, and looks for free shards, this many times during one.
pub const RENEWALS_PER_LEASE: u32 = 3;

/// A new name for the writer of a process. A process of such a name counts as ended once its connections are closed
/// (`take_shards`); of others only the lease counts.
pub fn new_owner() -> String {
    format!("process-{}", Uuid::new_v4())
}

impl WriterOptions {
    pub fn new(database: Connector, owner: impl Into<String>) -> Self {
        Self {
            database,
            shards: Shard::all().collect(),
            lanes: 1,
            partition_size: PARTITION_POSITIONS,
            batch_max: 256,
            cache_bytes: 128 << 20,
            sale_look_ups: SaleLookUps::default(),
            queue: 1024,
            clock: Arc::new(SystemClock),
            owner: owner.into(),
            lease: LEASE,
            supervisor: Supervisor::default(),
            peers: None,
        }
    }

    fn lanes_in(&self, layout: Layout) -> usize {
        match layout {
            Layout::One => self.lanes.clamp(1, usize::from(SHARDS)),
            // A lane's session sees the tables of one shard.
            Layout::Schemas => usize::from(SHARDS),
        }
    }

    fn shards_of_lane(&self, lane: usize, lanes: usize) -> Vec<Shard> {
        let shards = self.shards.iter().copied();
        shards.filter(|shard| shard.index() % lanes == lane).collect()
    }
}

#[derive(Debug, Error)]
pub enum WriterError {
    #[error("the writer cannot use the database")]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

#[derive(Clone)]
pub struct Writer {
    /// A shard's lane is its number modulo the number of lanes.
    lanes: Arc<[mpsc::Sender<Submitted>]>,
    recorded: Recorded,
    status: Arc<WriterStatus>,
    owner: Arc<str>,
    layout: Layout,
    members: Option<Members>,
    stop_announced: watch::Sender<bool>,
    stop: watch::Sender<bool>,
}

struct Submitted {
    work: Work,
    ticket: Ticket,
}

/// Where the answer goes, and the place in a trace from which the command came.
struct Ticket {
    answer: oneshot::Sender<Answer>,
    place: trace::Place,
}

/// The tasks of the lanes. They end after [`Writer::shutdown`], or when every `Writer` is dropped.
pub struct WriterTask {
    lanes: Vec<Supervised>,
    members: Option<(Members, Supervised)>,
}

impl Writer {
    /// Connects, takes the free shards and starts the lanes. Shards of another process are acquired when their lease
    /// expires.
    pub async fn start(
        options: WriterOptions,
        reference_data: Arc<dyn ReferenceData>,
    ) -> Result<(Self, WriterTask), WriterError> {
        let recorded = Recorded::default();
        let status = Arc::new(WriterStatus::default());
        let owner = options.owner.as_str().into();
        let (stop_announced, _) = watch::channel(false);
        let (stop, _) = watch::channel(false);
        let mut visit = None;
        if let Some(peers) = options.peers.clone() {
            let takes_shards = !options.shards.is_empty();
            let visiting = MembersTask::visit(
                options.database.clone(),
                options.owner.clone(),
                takes_shards,
                options.lease,
                peers,
                StopSignals {
                    announced: stop_announced.subscribe(),
                    begun: stop.subscribe(),
                },
            );
            visit = Some(visiting.await?);
        }
        let known = visit.as_ref().map(|(known, _)| known.clone());
        let layout = Layout::of(&open_session(&options.database).await?).await?;
        let lanes = options.lanes_in(layout);
        let (mut senders, mut connecting) = (vec![], vec![]);
        for lane in 0..lanes {
            let (sender, queue) = mpsc::channel(options.queue.max(1));
            let parts = LaneParts {
                number: lane,
                options: options.clone(),
                shards: options.shards_of_lane(lane, lanes),
                reference_data: reference_data.clone(),
                recorded: recorded.clone(),
                status: Arc::clone(&status),
                members: known.clone(),
                layout,
            };
            connecting.push(LaneTask::connect(parts, queue, stop.subscribe()));
            senders.push(sender);
        }
        let mut connected = try_join_all(connecting).await?;
        let mut members = None;
        if let Some((known, mut task)) = visit {
            // Nobody waits for these connections: only now do the other processes begin to hand shards over.
            task.join().await?;
            try_join_all(connected.iter_mut().map(LaneTask::take_free_share)).await?;
            let task = options
                .supervisor
                .start_until("processes", stop.subscribe(), task);
            members = Some((known, task));
        }
        let tasks = connected.into_iter().enumerate().map(|(lane, task)| {
            let name = format!("ledger lane {lane}");
            options.supervisor.start_until(name, stop.subscribe(), task)
        });
        let tasks = tasks.collect();
        Ok((
            Self {
                lanes: senders.into(),
                recorded,
                status,
                owner,
                layout,
                members: known,
                stop_announced,
                stop,
            },
            WriterTask {
                lanes: tasks,
                members,
            },
        ))
    }

    /// Returns when the outcome is durable. Waits while the queue is full. If the caller drops the future, the outcome
    /// is unknown to it; a repeat with the same idempotency key returns it.
    pub async fn submit(&self, submission: Submission) -> Outcome {
        let span = trace::Span::start("command", SpanKind::Internal);
        span.set_with("razao.shard", || {
            i64::from(Shard::of(submission.business_id).number())
        });
        let answer = span.within(self.ask(submission.into())).await;
        span.set_with("razao.outcome", || writer_metrics::outcome(&answer));
        match answer {
            Answer::Outcome(outcome) => outcome,
            Answer::Conflict => unreachable!("a lane decides submissions itself, on its own state"),
        }
    }

    /// Decides the command here, or sends it to the process that owns its shard.
    pub(crate) async fn ask(&self, work: Work) -> Answer {
        let Some(members) = &self.members else {
            return self.ask_lane(work).await;
        };
        let shard = Shard::of(work.business_id());
        let mut route = Route::default();
        let mut deadline = None;
        let mut seen = members.seen();
        loop {
            let mut work = work.clone();
            work.may_be_recorded = route.may_be_recorded();
            seen.mark_unchanged();
            let is_own = self.owns_shard(shard);
            let reply = if is_own {
                Reply::Answered(self.ask_lane(work).await)
            } else if let Some(owner) = members.owner_of(shard) {
                members.peers.ask(&owner, &work).await
            } else {
                Reply::NotSent
            };
            if let Some(answer) = route.after(reply) {
                return answer;
            }
            // The lane cannot record now, and no other process may.
            if is_own && self.owns_shard(shard) {
                return route.given_up();
            }
            if deadline.is_some() {
                sleep(SEEK_PAUSE).await;
            }
            members.look_again();
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + OWNER_SOUGHT_FOR);
            let is_seen = timeout_at(deadline, seen.changed()).await;
            // Owners that change all the time must not keep a command for ever.
            if !matches!(is_seen, Ok(Ok(()))) || Instant::now() >= deadline {
                return route.given_up();
            }
        }
    }

    /// Decides a command that another process sent, if this one owns its shard.
    pub async fn answer_peer(&self, work: Work) -> Answer {
        let shard = Shard::of(work.business_id());
        if self.owns_shard(shard) {
            self.ask_lane(work).await
        } else {
            Answer::Outcome(Outcome::NotOwner)
        }
    }

    /// Another process joined, left or handed shards over.
    pub fn look_for_owners(&self) {
        if let Some(members) = &self.members {
            members.look_again();
        }
    }

    async fn ask_lane(&self, work: Work) -> Answer {
        let lane = Shard::of(work.business_id()).index() % self.lanes.len();
        let (answer, answered) = oneshot::channel();
        let ticket = Ticket {
            answer,
            place: trace::current(),
        };
        if self.lanes[lane].send(Submitted { work, ticket }).await.is_err() {
            // The queue is closed: no lane received the command.
            return Answer::Outcome(Outcome::NotOwner);
        }
        match answered.await {
            Ok(answer) => answer,
            // The lane failed, or stopped before it could answer.
            Err(_) => {
                writer_metrics::count_unanswered();
                Answer::Outcome(Outcome::Unknown)
            }
        }
    }

    /// The latest events of this process, for followers and readers.
    pub fn recorded(&self) -> Recorded {
        self.recorded.clone()
    }

    /// The name of this process in the log (`log_shard.owner`).
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Where the tables of the shards stand.
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// The shards that this process owns now.
    pub fn owned(&self) -> impl Iterator<Item = Shard> + use<> {
        self.status.owned()
    }

    fn owns_shard(&self, shard: Shard) -> bool {
        self.status.owns(shard)
    }

    /// Why commands of some shards find no process that records them. Without other processes it says nothing.
    pub fn unreachable(&self) -> Vec<String> {
        let Some(members) = &self.members else {
            return vec![];
        };
        Shard::all()
            .filter(|shard| !self.owns_shard(*shard))
            .filter_map(|shard| members.fault(shard))
            .collect()
    }

    /// Whether this process shares the shards with others.
    pub fn has_peers(&self) -> bool {
        self.members.is_some()
    }

    /// Whether another process would take the shards that this one gives up.
    pub fn has_takers(&self) -> bool {
        self.members.as_ref().is_some_and(Members::has_takers)
    }

    /// Whether commands of every company are recorded: by this process, or by others that it can ask.
    pub fn records_for_all(&self) -> bool {
        self.owns_all() || (self.members.is_some() && self.unreachable().is_empty())
    }

    /// Whether this process owns every shard, so that it records for every company itself.
    pub fn owns_all(&self) -> bool {
        self.owned().count() == usize::from(SHARDS)
    }

    /// Whether this process records the company's events. Work that ends in the ledger belongs to this process: in
    /// others the ledger would answer `NotOwner`.
    pub fn owns(&self, business_id: BusinessId) -> bool {
        self.owns_shard(Shard::of(business_id))
    }

    /// Whether the log takes events, judged by the last append.
    pub fn appending(&self) -> Appending {
        self.status.appending()
    }

    /// Takes the result of a proof, for which [`Self::appending`] asked.
    pub fn proved(&self, result: Result<(), String>) {
        match result {
            Ok(()) => self.status.succeeded(),
            Err(reason) => self.status.failed(reason),
        }
    }

    /// Accepts no more commands, completes those in progress, and releases the shards. [`WriterTask::join`] waits for
    /// it.
    pub fn shutdown(&self) {
        self.stop_announced.send_replace(true);
        let others_connect =
            self.layout == Layout::Schemas && self.owned().next().is_some() && self.has_takers();
        if !others_connect {
            self.stop.send_replace(true);
            return;
        }
        let stop = self.stop.clone();
        spawn_once("announced stop", async move {
            sleep(STOP_NOTICE).await;
            stop.send_replace(true);
        });
    }
}

impl WriterTask {
    /// Waits until the lanes have given their shards up. Commands of requests that are still open go to other processes
    /// until what it returns is dropped.
    pub async fn join(self) -> Option<Supervised> {
        for mut lane in self.lanes {
            lane.ended().await;
        }
        let (members, task) = self.members?;
        // A stop must not wait for a database that is silent.
        if timeout(LEASE, members.left()).await.is_err() {
            tracing::warn!("this process could not tell the database that it leaves");
        }
        members.announce();
        Some(task)
    }
}
