//! A lane and its connection to the simulated log. Each message waits until the driver of the process delivers it, so
//! that a test decides what arrives late, twice or never.
//!
//! It makes no choices itself and has no randomness and no clock.

use std::sync::Arc;

use ledger_domain::business::{ContextRequest, SaleContext};
use ledger_domain::calendar::Instant;

use crate::ModelLog;
use ledger_store::lane::{
    Answer, Append, AppendError, Appended, Found, Input, Lane, LaneOptions, LookUp, LookUpFailure, Output,
    Work,
};
use ledger_store::position::Shard;

#[derive(Debug)]
pub struct Process<T> {
    lane: Lane<T>,
    looking: Option<Looking>,
    appending: Option<Appending>,
    taking: bool,
}

#[derive(Debug)]
struct Looking {
    number: u64,
    asked: LookUp,
    /// The result, after the query reached the database.
    found: Option<Found>,
}

#[derive(Debug)]
struct Appending {
    number: u64,
    append: Arc<Append>,
    /// The result, after the batch reached the database.
    result: Option<Result<Appended, AppendError>>,
}

/// The output of a process.
#[derive(Debug)]
pub enum Heard<T> {
    Answer(T, Answer),
    /// The shard is durable up to this position.
    Durable(Shard, i64),
    /// The connection was lost before the batch reached the database: it may still arrive, or never.
    Adrift(Arc<Append>),
}

impl<T> Process<T> {
    /// Owns no shard until its first `take`.
    pub fn new(options: LaneOptions) -> Self {
        Self {
            lane: Lane::new(options),
            looking: None,
            appending: None,
            taking: true,
        }
    }

    pub const fn lane(&self) -> &Lane<T> {
        &self.lane
    }

    /// Whether it must take its shards before it can continue.
    pub const fn is_taking(&self) -> bool {
        self.taking
    }

    pub fn submit(&mut self, now: Instant, ticket: T, work: Work) -> Vec<Heard<T>> {
        self.on(now, Input::Submitted { ticket, work })
    }

    // ------------------------------------------------------------ shards

    pub fn take(
        &mut self,
        now: Instant,
        log: &mut ModelLog,
        shards: impl IntoIterator<Item = Shard>,
    ) -> Vec<Heard<T>> {
        self.taking = false;
        let taken = log.take(shards);
        self.on(now, Input::Taken(taken))
    }

    pub fn hear_of_loss(&mut self, now: Instant, shards: Vec<Shard>) -> Vec<Heard<T>> {
        self.on(now, Input::Lost(shards))
    }

    pub fn fail_to_take(&mut self, now: Instant) -> Vec<Heard<T>> {
        if self.taking {
            self.on(now, Input::OutOfReach)
        } else {
            vec![]
        }
    }

    /// The connection is lost.
    pub fn disconnect(&mut self, now: Instant) -> Vec<Heard<T>> {
        if self.taking {
            vec![]
        } else {
            self.on(now, Input::Disconnected)
        }
    }

    /// The process ends and loses its memory.
    pub fn crash(mut self) -> Option<Arc<Append>> {
        self.adrift()
    }

    // ------------------------------------------------------------ looking up

    pub fn look_up_is_on_its_way(&self) -> bool {
        self.looking
            .as_ref()
            .is_some_and(|looking| looking.found.is_none())
    }

    pub fn look_up_is_read(&self) -> bool {
        self.looking
            .as_ref()
            .is_some_and(|looking| looking.found.is_some())
    }

    /// Delivers the query to the database. The contexts come from `back_office` if given, else from the log.
    pub fn let_look_up_reach(
        &mut self,
        log: &ModelLog,
        back_office: Option<&dyn Fn(&ContextRequest) -> SaleContext>,
    ) {
        if let Some(Looking { asked, found, .. }) = &mut self.looking
            && found.is_none()
        {
            let read = found.insert(log.look_up(asked));
            if let Some(back_office) = back_office {
                read.contexts = asked.contexts.iter().map(back_office).collect();
            }
        }
    }

    pub fn let_look_up_return(&mut self, now: Instant) -> Vec<Heard<T>> {
        match self.looking.take_if(|looking| looking.found.is_some()) {
            Some(Looking { number, found, .. }) => {
                let found = found.unwrap_or_default();
                self.on(now, Input::LookedUp { number, found })
            }
            None => vec![],
        }
    }

    pub fn fail_look_up(&mut self, now: Instant, failure: LookUpFailure) -> Vec<Heard<T>> {
        match self.looking.take() {
            Some(Looking { number, .. }) => self.on(now, Input::LookUpFailed { number, failure }),
            None => vec![],
        }
    }

    // ------------------------------------------------------------ appending

    pub fn append_is_on_its_way(&self) -> bool {
        self.appending
            .as_ref()
            .is_some_and(|appending| appending.result.is_none())
    }

    pub fn append_is_done(&self) -> bool {
        self.appending
            .as_ref()
            .is_some_and(|appending| appending.result.is_some())
    }

    pub fn let_append_reach(&mut self, log: &mut ModelLog) {
        if let Some(Appending { append, result, .. }) = &mut self.appending
            && result.is_none()
        {
            *result = Some(log.append(append));
        }
    }

    pub fn let_append_return(&mut self, now: Instant) -> Vec<Heard<T>> {
        match self.appending.take_if(|appending| appending.result.is_some()) {
            Some(Appending { number, result, .. }) => {
                let result = result.unwrap_or(Err(AppendError::Lost));
                self.on(now, Input::Appended { number, result })
            }
            None => vec![],
        }
    }

    /// The database refuses the batch temporarily. Nothing of it is recorded.
    pub fn refuse_append(&mut self, now: Instant) -> Vec<Heard<T>> {
        match self.appending.take_if(|appending| appending.result.is_none()) {
            Some(Appending { number, .. }) => {
                let result = Err(AppendError::Unavailable);
                self.on(now, Input::Appended { number, result })
            }
            None => vec![],
        }
    }

    /// The connection is lost, before or after the batch reached the database.
    pub fn lose_append(&mut self, now: Instant) -> Vec<Heard<T>> {
        let Some(number) = self.appending.as_ref().map(|appending| appending.number) else {
            return vec![];
        };
        let adrift = self.adrift().map(Heard::Adrift);
        let result = Err(AppendError::Lost);
        let heard = self.on(now, Input::Appended { number, result });
        adrift.into_iter().chain(heard).collect()
    }

    fn adrift(&mut self) -> Option<Arc<Append>> {
        let unseen = self
            .appending
            .take()
            .filter(|appending| appending.result.is_none());
        unseen.map(|appending| appending.append)
    }

    fn on(&mut self, now: Instant, input: Input<T>) -> Vec<Heard<T>> {
        let mut out = vec![];
        self.lane.on(now, input, &mut out);
        let mut heard = vec![];
        for output in out {
            match output {
                Output::LookUp { number, look_up } => {
                    self.looking = Some(Looking {
                        number,
                        asked: look_up,
                        found: None,
                    });
                }
                Output::Append { number, append } => {
                    assert!(self.appending.is_none(), "at most one batch is in flight");
                    self.appending = Some(Appending {
                        number,
                        append,
                        result: None,
                    });
                }
                Output::Answer(ticket, answer) => heard.push(Heard::Answer(ticket, answer)),
                Output::TakeAgain => {
                    heard.extend(self.adrift().map(Heard::Adrift));
                    self.looking = None;
                    self.taking = true;
                }
                Output::Durable(shard, position) => heard.push(Heard::Durable(shard, position)),
            }
        }
        heard
    }
}
