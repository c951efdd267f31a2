//! A lane and its connection to the simulated log. Each message waits until the driver of the process delivers it, so
//! that a test decides what arrives late or never.
//!
//! It makes no choices itself and has no randomness and no clock.

use std::sync::Arc;

use ledger_domain::business::{ContextRequest, SaleContext};
use ledger_domain::calendar::Instant;

use crate::{ModelLog, OnePlan};
use ledger_store::lane::{
    AcquiredShard, Answer, Append, AppendError, Appended, Input, Lane, LaneOptions, LookUpFailure,
    LookUpRequest, LookUpResult, Output, Work,
};
use ledger_store::position::Shard;

/// The context of a sale at a version of the reference data.
pub type ContextAtVersion<'a> = dyn Fn(&ContextRequest, i64) -> SaleContext + 'a;

#[derive(Debug)]
pub struct Process<T> {
    lane: Lane<T>,
    looking: Option<PendingLookUp>,
    appending: Option<PendingAppend>,
    /// It has no connection, and must acquire its shards.
    acquiring: bool,
    /// The version of the reference data in memory.
    remembered_version: Option<i64>,
}

#[derive(Debug)]
struct PendingLookUp {
    number: u64,
    asked: LookUpRequest,
    /// The result, after the query reached the database.
    found: Option<LookUpResult>,
}

#[derive(Debug)]
struct PendingAppend {
    number: u64,
    append: Arc<Append>,
    /// The result, after the batch reached the database.
    result: Option<Result<Appended, AppendError>>,
}

/// The output of a process.
#[derive(Debug)]
pub enum ProcessOutput<T> {
    Answer(T, Answer),
    /// The batch is durable, except the rows of shards whose position in `Appended` is `None`.
    Committed(Arc<Append>, Appended),
    /// The process has stopped using these shards: another may take them.
    Released(Vec<Shard>),
    /// The connection was lost before the batch reached the database: it may still arrive, or never.
    Unacknowledged(Arc<Append>),
}

impl<T> Process<T> {
    /// Owns no shard until its first `acquire`.
    pub fn new(options: LaneOptions) -> Self {
        Self {
            lane: Lane::new(options),
            looking: None,
            appending: None,
            acquiring: true,
            remembered_version: None,
        }
    }

    pub const fn lane(&self) -> &Lane<T> {
        &self.lane
    }

    /// Whether it must acquire its shards before it can continue.
    pub const fn needs_shards(&self) -> bool {
        self.acquiring
    }

    pub fn submit(&mut self, now: Instant, ticket: T, work: Work) -> Vec<ProcessOutput<T>> {
        self.on(now, Input::Submitted { ticket, work })
    }

    // ------------------------------------------------------------ shards

    pub fn acquire(
        &mut self,
        now: Instant,
        log: &mut ModelLog,
        shards: impl IntoIterator<Item = Shard>,
    ) -> (Vec<AcquiredShard>, Vec<ProcessOutput<T>>) {
        self.acquiring = false;
        let acquired = log.acquire(shards);
        (acquired.clone(), self.on(now, Input::Acquired(acquired)))
    }

    pub fn lose_shards(&mut self, now: Instant, shards: Vec<Shard>) -> Vec<ProcessOutput<T>> {
        self.on(now, Input::ShardsLost(shards))
    }

    /// Begins to hand these shards over.
    pub fn release(&mut self, now: Instant, shards: Vec<Shard>) -> Vec<ProcessOutput<T>> {
        self.on(now, Input::Release(shards))
    }

    pub fn fail_to_acquire(&mut self, now: Instant) -> Vec<ProcessOutput<T>> {
        if self.acquiring {
            self.on(now, Input::DatabaseUnreachable)
        } else {
            vec![]
        }
    }

    /// The connection is lost.
    pub fn disconnect(&mut self, now: Instant) -> Vec<ProcessOutput<T>> {
        if self.acquiring {
            vec![]
        } else {
            self.on(now, Input::Disconnected)
        }
    }

    /// The process ends and loses its memory. Returns the batch that has not reached the database: it may still arrive.
    pub fn crash(mut self) -> Option<Arc<Append>> {
        self.unacknowledged()
    }

    // ------------------------------------------------------------ looking up

    /// Another part of the process reads this version of the reference data into memory.
    pub const fn remember(&mut self, reference_version: i64) {
        self.remembered_version = Some(reference_version);
    }

    /// The look-up that waits for its result.
    pub fn asked(&self) -> Option<&LookUpRequest> {
        Some(&self.looking.as_ref()?.asked)
    }

    pub fn look_up_is_undelivered(&self) -> bool {
        self.looking
            .as_ref()
            .is_some_and(|looking| looking.found.is_none())
    }

    pub fn look_up_is_done(&self) -> bool {
        self.looking
            .as_ref()
            .is_some_and(|looking| looking.found.is_some())
    }

    /// Delivers the query to the database. The contexts come from `reference_data`, or else from [`OnePlan`].
    /// Their version is the one in memory. It is the log's if memory has none, or if the lane needs the data in force.
    pub fn deliver_look_up(&mut self, log: &ModelLog, reference_data: Option<&ContextAtVersion<'_>>) {
        if let Some(PendingLookUp { asked, found, .. }) = &mut self.looking
            && found.is_none()
        {
            let read = found.insert(log.look_up(asked));
            if asked.contexts.is_empty() {
                return;
            }
            read.remembered_version = self.remembered_version.filter(|_| !asked.contexts_in_force);
            let version = read.remembered_version.unwrap_or(log.reference_version);
            self.remembered_version = Some(version);
            let context = |request: &ContextRequest| match reference_data {
                Some(reference_data) => reference_data(request, version),
                None => OnePlan::context_at_version(request, version),
            };
            read.contexts = asked.contexts.iter().map(context).collect();
        }
    }

    pub fn return_look_up(&mut self, now: Instant) -> Vec<ProcessOutput<T>> {
        match self.looking.take_if(|looking| looking.found.is_some()) {
            Some(PendingLookUp { number, found, .. }) => {
                let found = found.unwrap_or_default();
                self.on(now, Input::LookedUp { number, found })
            }
            None => vec![],
        }
    }

    pub fn fail_look_up(&mut self, now: Instant, failure: LookUpFailure) -> Vec<ProcessOutput<T>> {
        match self.looking.take() {
            Some(PendingLookUp { number, .. }) => self.on(now, Input::LookUpFailed { number, failure }),
            None => vec![],
        }
    }

    // ------------------------------------------------------------ appending

    pub fn append_is_undelivered(&self) -> bool {
        self.appending
            .as_ref()
            .is_some_and(|appending| appending.result.is_none())
    }

    pub fn append_is_done(&self) -> bool {
        self.appending
            .as_ref()
            .is_some_and(|appending| appending.result.is_some())
    }

    /// The result of the batch that reached the database, before the lane gets it.
    pub fn append_result(&self) -> Option<&Result<Appended, AppendError>> {
        self.appending.as_ref()?.result.as_ref()
    }

    pub fn deliver_append(&mut self, log: &mut ModelLog) {
        if let Some(PendingAppend { append, result, .. }) = &mut self.appending
            && result.is_none()
        {
            *result = Some(log.append(append));
        }
    }

    pub fn return_append(&mut self, now: Instant) -> Vec<ProcessOutput<T>> {
        match self.appending.take_if(|appending| appending.result.is_some()) {
            Some(PendingAppend { number, result, .. }) => {
                let result = result.unwrap_or(Err(AppendError::ConnectionLost));
                self.on(now, Input::Appended { number, result })
            }
            None => vec![],
        }
    }

    /// The database refuses the batch temporarily. Nothing of it is recorded.
    pub fn refuse_append(&mut self, now: Instant) -> Vec<ProcessOutput<T>> {
        match self.appending.take_if(|appending| appending.result.is_none()) {
            Some(PendingAppend { number, .. }) => {
                let result = Err(AppendError::Unavailable);
                self.on(now, Input::Appended { number, result })
            }
            None => vec![],
        }
    }

    /// The connection is lost, before or after the batch reached the database.
    pub fn lose_append(&mut self, now: Instant) -> Vec<ProcessOutput<T>> {
        let Some(number) = self.appending.as_ref().map(|appending| appending.number) else {
            return vec![];
        };
        let unacknowledged = self.unacknowledged().map(ProcessOutput::Unacknowledged);
        let result = Err(AppendError::ConnectionLost);
        let outputs = self.on(now, Input::Appended { number, result });
        unacknowledged.into_iter().chain(outputs).collect()
    }

    fn unacknowledged(&mut self) -> Option<Arc<Append>> {
        let unseen = self
            .appending
            .take()
            .filter(|appending| appending.result.is_none());
        unseen.map(|appending| appending.append)
    }

    fn on(&mut self, now: Instant, input: Input<T>) -> Vec<ProcessOutput<T>> {
        let mut out = vec![];
        self.lane.on(now, input, &mut out);
        let mut outputs = vec![];
        for output in out {
            match output {
                Output::LookUp { number, look_up } => {
                    self.looking = Some(PendingLookUp {
                        number,
                        asked: look_up,
                        found: None,
                    });
                }
                Output::Append { number, append } => {
                    assert!(self.appending.is_none(), "at most one batch is in flight");
                    self.appending = Some(PendingAppend {
                        number,
                        append,
                        result: None,
                    });
                }
                Output::Answer(ticket, answer) => outputs.push(ProcessOutput::Answer(ticket, answer)),
                Output::Reconnect => {
                    outputs.extend(self.unacknowledged().map(ProcessOutput::Unacknowledged));
                    self.looking = None;
                    self.acquiring = true;
                }
                Output::Released(shards) => {
                    let shards = shards.into_iter().map(|(shard, _)| shard);
                    outputs.push(ProcessOutput::Released(shards.collect()));
                }
                Output::Committed { append, appended } => {
                    outputs.push(ProcessOutput::Committed(append, appended));
                }
            }
        }
        outputs
    }
}
