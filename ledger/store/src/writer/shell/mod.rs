//! The shell of a lane does its I/O: passes it the callers' commands and PostgreSQL's results, and executes its
//! outputs.

mod shards;

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

use shards::{Acquired, Renewed};

use super::connection::{self, PostgresLog};
use super::status::WriterStatus;
use super::writer_metrics::{self, WriterMetrics};
use super::{RENEWALS_PER_LEASE, Submitted, Ticket, WriterError, WriterOptions};
use crate::causes::Causes;
use crate::lane::{
    Answer, AppendError, Appended, GROUPS_READING_CONTEXTS, Input, Lane, LaneOptions, LookUpFailure,
    LookUpResult, Output,
};
use crate::layout::Layout;
use crate::peers::{Members, Membership};
use crate::position::{SHARDS, Shard};
use crate::recorded::Recorded;
use crate::reference_data::ReferenceData;
use crate::submission::Outcome;
use crate::supervisor::{Failure, Pulse};
use crate::trace::{self, Span};

type Running<R> = Option<Pin<Box<dyn Future<Output = R> + Send>>>;

/// The arguments from which a lane is started, also again after a failure.
#[derive(Clone)]
pub(super) struct LaneParts {
    pub number: usize,
    pub options: WriterOptions,
    pub shards: Vec<Shard>,
    pub reference_data: Arc<dyn ReferenceData>,
    pub recorded: Recorded,
    pub status: Arc<WriterStatus>,
    pub members: Option<Members>,
    pub layout: Layout,
}

pub(super) struct Shell {
    number: usize,
    layout: Layout,
    options: WriterOptions,
    shards: Vec<Shard>,
    reference_data: Arc<dyn ReferenceData>,
    recorded: Recorded,
    status: Arc<WriterStatus>,
    members: Option<Members>,
    lane: Lane<Ticket>,
    log: Option<Arc<PostgresLog>>,
    metrics: WriterMetrics,
    /// The shards that the lane owned after its last input.
    owned: [bool; SHARDS as usize],
    /// When the running batch was sent, if traces are on.
    append_began: Option<SystemTime>,
    /// It takes no more commands, and other processes will.
    is_leaving: bool,
    /// When the leases were last renewed, as far as the database has confirmed.
    renewed_at: Instant,
    // The requests that PostgreSQL is working on.
    appending: Running<(u64, Result<Appended, AppendError>)>,
    looking: Running<(u64, Result<LookUpResult, LookUpFailure>)>,
    acquiring: Running<Result<Acquired, tokio_postgres::Error>>,
    renewing: Running<Result<Renewed, tokio_postgres::Error>>,
    releasing: Running<Result<Vec<Shard>, tokio_postgres::Error>>,
}

/// A server that does not answer within this time counts as lost. Its own statement time-out is shorter (5 s).
const REPLY_TIMEOUT: Duration = Duration::from_secs(8);

const NO_REPLY: &str = "the database did not answer an append in time";

/// The pause between two attempts to connect, and after a look-up that the database answered with an error.
const RETRY_PAUSE: Duration = Duration::from_millis(250);

impl Shell {
    /// Begins to acquire the shards. `connect` or `run` waits for them.
    pub fn new(parts: LaneParts) -> Self {
        let LaneParts {
            number,
            options,
            shards,
            reference_data,
            recorded,
            status,
            members,
            layout,
        } = parts;
        let lane = Lane::new(LaneOptions {
            batch_max: options.batch_max,
            cache_bytes: options.cache_bytes,
            sale_look_ups: options.sale_look_ups,
            groups_reading_contexts: GROUPS_READING_CONTEXTS,
        });
        let mut shell = Self {
            number,
            layout,
            options,
            shards,
            reference_data,
            recorded,
            status,
            members,
            lane,
            log: None,
            metrics: WriterMetrics::default(),
            owned: Default::default(),
            append_began: None,
            is_leaving: false,
            renewed_at: Instant::now(),
            appending: None,
            looking: None,
            acquiring: None,
            renewing: None,
            releasing: None,
        };
        shell.connect_after(Duration::ZERO);
        shell
    }

    pub async fn connect(&mut self) -> Result<(), WriterError> {
        if self.rests() {
            return Ok(());
        }
        let acquired = finished(&mut self.acquiring).await?;
        self.on_acquired(Ok(acquired));
        Ok(())
    }

    /// Takes what is free of the share, before the lane runs.
    pub async fn take_known_share(&mut self) -> Result<(), WriterError> {
        self.take_free_share();
        if self.acquiring.is_some() {
            self.connect().await?;
        }
        if self.renewing.is_some() {
            let renewed = finished(&mut self.renewing).await?;
            self.on_renewed(Ok(renewed));
        }
        Ok(())
    }

    pub async fn run(
        mut self,
        queue: &mut mpsc::Receiver<Submitted>,
        mut stop: watch::Receiver<bool>,
        pulse: &Pulse,
    ) -> Result<(), Failure> {
        let mut renewal = interval(self.options.lease / RENEWALS_PER_LEASE);
        renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
        renewal.tick().await;
        let mut submitted = vec![];
        let (mut open, mut is_outdated) = (true, false);
        let mut stop_deadline: Running<()> = None;
        let mut seen = self.members.as_ref().map(Members::seen);
        let at_most = self.options.batch_max;
        while open || !self.lane.is_idle() {
            tokio::select! {
                // Results come before new commands, so that a full queue cannot hold answers up.
                biased;
                (number, result) = finished(&mut self.appending) => {
                    is_outdated = result == Err(AppendError::Outdated);
                    self.on(Input::Appended { number, result });
                }
                (number, found) = finished(&mut self.looking) => match found {
                    Ok(found) => self.on(Input::LookedUp { number, found }),
                    Err(failure) => self.on(Input::LookUpFailed { number, failure }),
                },
                acquired = finished(&mut self.acquiring) => self.on_acquired(acquired),
                renewed = finished(&mut self.renewing) => match renewed {
                    Err(error) if connection::is_outdated(&error) => is_outdated = true,
                    renewed => self.on_renewed(renewed),
                },
                released = finished(&mut self.releasing) => self.on_released(released),
                received = queue.recv_many(&mut submitted, at_most), if open && self.lane.backlog() < at_most => {
                    open = received > 0;
                    self.submit(submitted.drain(..));
                    writer_metrics::waiting(self.number, queue.len() + self.lane.backlog());
                }
                () = changed(&mut seen), if self.can_renew() => {
                    self.hand_over();
                    self.take_free_share();
                }
                _ = renewal.tick(), if self.can_renew() => self.renew(),
                _ = stop.wait_for(|stop| *stop), if stop_deadline.is_none() => {
                    queue.close();
                    self.leave();
                    // Commands that are not answered by then get `Unknown`.
                    stop_deadline = Some(Box::pin(sleep(self.options.lease)));
                }
                () = finished(&mut stop_deadline) => break,
            }
            if is_outdated {
                return Err(self.retire().await);
            }
            self.metrics.publish();
            // `log` is set once the shards are acquired. The lane works from then on.
            if self.log.is_some() || self.rests() {
                pulse.beat();
            }
        }
        if self.releasing.is_some()
            && let Ok(released) = timeout(REPLY_TIMEOUT, finished(&mut self.releasing)).await
        {
            self.on_released(released);
        }
        let (log, held) = (self.log.take(), self.lane.owned().collect::<Vec<_>>());
        self.own_nothing();
        release_shards(log, &held).await;
        Ok(())
    }

    /// A newer program migrated the database, so that this one can record nothing more. This one releases its shards
    /// and takes none again. A connection prepares the append before it takes shards, and the preparation fails
    /// from now on.
    async fn retire(mut self) -> Failure {
        let (log, held) = (self.log.clone(), self.lane.owned().collect::<Vec<_>>());
        // Answers the commands that are certainly not recorded.
        self.on(Input::Disconnected);
        self.on(Input::DatabaseUnreachable);
        release_shards(log, &held).await;
        "a newer program migrated the database: this one records nothing more".into()
    }

    fn submit(&mut self, submitted: impl Iterator<Item = Submitted>) {
        let mut out = vec![];
        let commands = submitted.map(|Submitted { work, ticket }| (ticket, work));
        self.lane.submit(self.options.clock.now(), commands, &mut out);
        self.execute(out);
    }

    fn on(&mut self, input: Input<Ticket>) {
        let mut out = vec![];
        self.lane.on(self.options.clock.now(), input, &mut out);
        self.execute(out);
    }

    fn execute(&mut self, out: Vec<Output<Ticket>>) {
        self.publish_owned_shards();
        let commit = self.commit_span(&out);
        for output in out {
            match output {
                Output::LookUp { number, look_up } => self.look_up(number, look_up),
                Output::Append { number, append } => self.append(number, append),
                Output::Answer(ticket, answer) => {
                    let answer = self.within_lease(answer);
                    self.metrics.answered(&answer);
                    // The caller may be gone. The command stays recorded.
                    let _ = ticket.answer.send(answer);
                }
                Output::Reconnect => {
                    writer_metrics::connection_lost();
                    self.connect_after(Duration::ZERO);
                }
                Output::Released(shards) => self.free(shards),
                Output::Committed { append, appended } => {
                    self.recorded.note_trace(&append, &appended.0, &commit.place());
                    self.recorded.publish(&append, &appended.0);
                }
            }
        }
    }

    /// The append of the batch whose commands are answered now, after the commands. Of a batch that records nothing for
    /// anybody there is none.
    fn commit_span(&mut self, out: &[Output<Ticket>]) -> Span {
        if !trace::is_on() {
            return Span::default();
        }
        let committed = out.iter().find_map(|output| match output {
            Output::Committed { append, .. } => Some(append),
            _ => None,
        });
        let Some(append) = committed else {
            return Span::default();
        };
        let recorded = out.iter().filter_map(|output| match output {
            Output::Answer(ticket, Answer::Outcome(Outcome::Recorded(_))) => Some(ticket.place.clone()),
            _ => None,
        });
        let places: Vec<_> = recorded.filter(|place| !place.is_empty()).collect();
        if places.is_empty() {
            return Span::default();
        }
        let began = self.append_began.take().unwrap_or_else(SystemTime::now);
        let span = Span::since(began, &places, "commit");
        let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
        span.set("db.system.name", "postgresql");
        span.set("razao.statement", "append");
        span.set("razao.lane", count(self.number));
        span.set("razao.events", count(append.events.len()));
        span.set("razao.commands", count(places.len()));
        let shards: Vec<_> = append
            .shards
            .iter()
            .map(|advance| advance.shard.to_string())
            .collect();
        let epochs: Vec<_> = append
            .shards
            .iter()
            .map(|advance| advance.epoch.to_string())
            .collect();
        span.set("razao.shards", shards.join(","));
        span.set("razao.epochs", epochs.join(","));
        span
    }

    /// A lane that was paused for longer than its leases does not know yet that others may own its shards. It has
    /// recorded what it recorded, but whatever else it says may rest on an old state.
    fn within_lease(&self, answer: Answer) -> Answer {
        if answer.rests_on_ownership() && self.renewed_at.elapsed() > self.options.lease {
            Answer::Outcome(Outcome::NotOwner)
        } else {
            answer
        }
    }

    /// From now on other processes are asked for its shards, if there are any.
    fn leave(&mut self) {
        self.is_leaving = self.members.is_some();
        self.publish_owned_shards();
    }

    fn publish_owned_shards(&mut self) {
        let mut owned = [false; SHARDS as usize];
        for (shard, _) in self.lane.owned() {
            owned[shard.index()] = true;
        }
        if owned != self.owned {
            let lost = |shard: &Shard| self.owned[shard.index()] && !owned[shard.index()];
            self.recorded.lose(Shard::all().filter(lost));
            self.owned = owned;
        }
        let takes = |shard: &Shard| self.lane.takes(*shard) && !self.is_leaving;
        for shard in self
            .shards
            .iter()
            .filter(|shard| self.status.owns(**shard) != takes(shard))
        {
            self.status.set_owned(*shard, takes(shard));
        }
    }

    fn own_nothing(&self) {
        for shard in &self.shards {
            self.status.set_owned(*shard, false);
        }
    }

    fn look_up(&mut self, number: u64, request: crate::lane::LookUpRequest) {
        let Some(log) = self.log.clone() else { return };
        let reference_data = self.reference_data.clone();
        self.looking = Some(Box::pin(async move {
            let found = timeout(REPLY_TIMEOUT, log.look_up(reference_data.as_ref(), &request))
                .await
                .unwrap_or(Err(LookUpFailure::ConnectionLost));
            if let Err(LookUpFailure::DatabaseError) = found {
                // Commands that may be recorded are looked up again at once, so this pause prevents a busy loop.
                sleep(RETRY_PAUSE).await;
            }
            (number, found)
        }));
    }

    fn append(&mut self, number: u64, batch: Arc<crate::lane::Append>) {
        let Some(log) = self.log.clone() else { return };
        let status = Arc::clone(&self.status);
        self.append_began = trace::is_on().then(SystemTime::now);
        self.appending = Some(Box::pin(async move {
            let began = Instant::now();
            let result = timeout(REPLY_TIMEOUT, log.append_explained(&batch))
                .await
                .unwrap_or_else(|_| Err((AppendError::ConnectionLost, NO_REPLY.to_owned())));
            let result = note_result(&status, result);
            if let Ok(Appended(bases)) = &result {
                writer_metrics::batch(batch.events.len(), began.elapsed());
                writer_metrics::shards_lost(bases.iter().filter(|base| base.is_none()).count());
            }
            (number, result)
        }));
    }
}

/// Also after a panic of the lane: nobody records for its shards until a new shell has taken them.
impl Drop for Shell {
    fn drop(&mut self) {
        self.own_nothing();
    }
}

/// Notes whether the log takes events. An append that the log's state or one of its commands forbids says nothing about
/// that.
fn note_result(
    status: &WriterStatus,
    result: Result<Appended, (AppendError, String)>,
) -> Result<Appended, AppendError> {
    match result {
        Ok(appended) => {
            status.succeeded();
            Ok(appended)
        }
        Err((error, reason)) => {
            if matches!(
                error,
                AppendError::ConnectionLost | AppendError::Unavailable | AppendError::Outdated
            ) {
                status.failed(reason);
            }
            Err(error)
        }
    }
}

async fn release_shards(log: Option<Arc<PostgresLog>>, held: &[(Shard, i64)]) {
    let Some(log) = log else { return };
    // A stop must not wait for a server that is silent.
    match timeout(REPLY_TIMEOUT, log.renew(held, Duration::ZERO)).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => {
            tracing::warn!(error = %Causes(&error), "the shards could not be released; their lease will expire");
        }
        Err(_) => tracing::warn!("the shards were not released in time; their lease will expire"),
    }
}

/// Waits until the task of members has looked; for ever if there is none.
async fn changed(seen: &mut Option<watch::Receiver<Membership>>) {
    let has_changed = match seen {
        Some(seen) => seen.changed().await.is_ok(),
        None => false,
    };
    if !has_changed {
        pending().await
    }
}

/// Waits for the running request and clears it; never returns if there is none.
async fn finished<R>(running: &mut Running<R>) -> R {
    match running {
        Some(future) => {
            let result = future.await;
            *running = None;
            result
        }
        None => pending().await,
    }
}
