//! The form in which commands and answers travel between processes. Events travel as the log stores them.

use std::sync::Arc;

use ledger_domain::business::{BusinessCommand, BusinessEvent, DecodeError, Refusal, decode};
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, EventId};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;
use uuid::Uuid;

use crate::event::Metadata;
use crate::lane::{Answer, Task, Work};
use crate::position::Shard;
use crate::submission::{Idempotency, Outcome, Receipt, RecordedEvent};

#[derive(Debug, Error)]
enum SentError {
    #[error(transparent)]
    Event(#[from] DecodeError),
    #[error("there is no shard {0}")]
    Shard(u8),
    #[error(transparent)]
    Position(#[from] crate::position::PositionError),
}

#[derive(Serialize, Deserialize)]
struct SentWork {
    command_id: Uuid,
    business_id: BusinessId,
    task: SentTask,
    metadata: Metadata,
    key: Uuid,
    fingerprint: Uuid,
    may_be_recorded: bool,
}

#[derive(Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "nearly all are `Decide`")]
enum SentTask {
    Decide(BusinessCommand),
    Record { expected: i64, events: Vec<SentEvent> },
}

#[derive(Serialize, Deserialize)]
struct SentEvent {
    event_type: String,
    version: String,
    payload: Box<serde_json::value::RawValue>,
}

impl SentEvent {
    fn of(event: &BusinessEvent) -> Self {
        Self {
            event_type: event.type_name().to_owned(),
            version: event.version().to_owned(),
            payload: serde_json::value::to_raw_value(event).expect("an event serializes"),
        }
    }

    fn decoded(&self) -> Result<BusinessEvent, DecodeError> {
        decode(&self.event_type, &self.version, self.payload.get())
    }
}

impl From<&Work> for SentWork {
    fn from(work: &Work) -> Self {
        let task = match &work.task {
            Task::Decide(command) => SentTask::Decide(command.clone()),
            Task::Record { expected, events } => SentTask::Record {
                expected: *expected,
                events: events.iter().map(SentEvent::of).collect(),
            },
        };
        Self {
            command_id: work.command_id,
            business_id: work.business_id,
            task,
            metadata: work.metadata.clone(),
            key: Uuid::from_bytes(work.idempotency.key),
            fingerprint: Uuid::from_bytes(work.idempotency.fingerprint),
            may_be_recorded: work.may_be_recorded,
        }
    }
}

impl TryFrom<SentWork> for Work {
    type Error = SentError;

    fn try_from(sent: SentWork) -> Result<Self, SentError> {
        let task = match sent.task {
            SentTask::Decide(command) => Task::Decide(command),
            SentTask::Record { expected, events } => Task::Record {
                expected,
                events: events.iter().map(SentEvent::decoded).collect::<Result<_, _>>()?,
            },
        };
        Ok(Self {
            command_id: sent.command_id,
            business_id: sent.business_id,
            task,
            metadata: sent.metadata,
            idempotency: Idempotency {
                key: sent.key.into_bytes(),
                fingerprint: sent.fingerprint.into_bytes(),
            },
            // The sender repeats it under the same key if it loses the answer.
            keyed: true,
            may_be_recorded: sent.may_be_recorded,
        })
    }
}

#[derive(Serialize, Deserialize)]
enum SentAnswer {
    Recorded {
        events: Vec<SentRecord>,
        replayed: bool,
    },
    /// The position as its text.
    Duplicate(String),
    Refused(Refusal),
    BelongsToOther(BusinessId),
    KeyReused,
    NotOwner,
    Unknown,
    Rejected,
    Conflict,
}

#[derive(Serialize, Deserialize)]
struct SentRecord {
    event_id: EventId,
    sequence: i64,
    shard: u8,
    position: i64,
    recorded_at: Instant,
    event: SentEvent,
}

impl From<&Answer> for SentAnswer {
    fn from(answer: &Answer) -> Self {
        let outcome = match answer {
            Answer::Outcome(outcome) => outcome,
            Answer::Conflict => return Self::Conflict,
        };
        match outcome {
            Outcome::Recorded(receipt) => Self::Recorded {
                events: receipt.events.iter().map(SentRecord::from).collect(),
                replayed: receipt.replayed,
            },
            Outcome::Duplicate { position } => Self::Duplicate(position.to_string()),
            Outcome::Refused(refusal) => Self::Refused(refusal.clone()),
            Outcome::BelongsToOther(owner) => Self::BelongsToOther(*owner),
            Outcome::KeyReused => Self::KeyReused,
            Outcome::NotOwner => Self::NotOwner,
            Outcome::Unknown => Self::Unknown,
            Outcome::Rejected => Self::Rejected,
        }
    }
}

impl TryFrom<SentAnswer> for Answer {
    type Error = SentError;

    fn try_from(sent: SentAnswer) -> Result<Self, SentError> {
        Ok(Self::Outcome(match sent {
            SentAnswer::Recorded { events, replayed } => Outcome::Recorded(Receipt {
                events: events
                    .into_iter()
                    .map(RecordedEvent::try_from)
                    .collect::<Result<_, _>>()?,
                replayed,
            }),
            SentAnswer::Duplicate(position) => Outcome::Duplicate {
                position: position.parse()?,
            },
            SentAnswer::Refused(refusal) => Outcome::Refused(refusal),
            SentAnswer::BelongsToOther(owner) => Outcome::BelongsToOther(owner),
            SentAnswer::KeyReused => Outcome::KeyReused,
            SentAnswer::NotOwner => Outcome::NotOwner,
            SentAnswer::Unknown => Outcome::Unknown,
            SentAnswer::Rejected => Outcome::Rejected,
            SentAnswer::Conflict => return Ok(Self::Conflict),
        }))
    }
}

impl From<&RecordedEvent> for SentRecord {
    fn from(recorded: &RecordedEvent) -> Self {
        Self {
            event_id: recorded.event_id,
            sequence: recorded.sequence,
            shard: recorded.shard.number(),
            position: recorded.position,
            recorded_at: recorded.recorded_at,
            event: SentEvent::of(&recorded.event),
        }
    }
}

impl TryFrom<SentRecord> for RecordedEvent {
    type Error = SentError;

    fn try_from(sent: SentRecord) -> Result<Self, SentError> {
        Ok(Self {
            event_id: sent.event_id,
            sequence: sent.sequence,
            shard: Shard::new(sent.shard).ok_or(SentError::Shard(sent.shard))?,
            position: sent.position,
            recorded_at: sent.recorded_at,
            event: Arc::new(sent.event.decoded()?),
        })
    }
}

impl Serialize for Work {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SentWork::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Work {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(SentWork::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SentAnswer::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(SentAnswer::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
