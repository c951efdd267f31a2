//! A cqrs-es `EventStore` on this log, so that `CqrsFramework` can run together with the writer.
//!
//! It loads a business by applying its whole history, and commits through the writer, so its events are chained, fenced
//! and in order. It is meant for small histories and for cqrs-es tools; the product uses the writer's `submit`.

use std::collections::HashMap;

use cqrs_es::{AggregateError, EventEnvelope, EventStore};
use deadpool_postgres::Pool;
use ledger_domain::BusinessId;
use ledger_domain::business::{Business, BusinessEvent, Refusal};
use uuid::Uuid;

use crate::actor::Actor;
use crate::event::Metadata;
use crate::lane::{Answer, Work};
use crate::log;
use crate::submission::Outcome;
use crate::writer::Writer;

type Failure = AggregateError<Refusal>;

pub struct LedgerEventStore {
    pool: Pool,
    writer: Writer,
}

/// The most events that one statement reads.
const PAGE: i64 = 1_000;

impl LedgerEventStore {
    pub fn new(pool: Pool, writer: Writer) -> Self {
        Self { pool, writer }
    }
}

impl EventStore<Business> for LedgerEventStore {
    type AC = LoadedBusiness;

    async fn load_events(&self, aggregate_id: &str) -> Result<Vec<EventEnvelope<Business>>, Failure> {
        let business_id = business_id(aggregate_id)?;
        let client = self.pool.get().await.map_err(connection_error)?;
        let mut envelopes: Vec<EventEnvelope<Business>> = vec![];
        loop {
            let after = envelopes.len() as i64;
            let page = log::of_business(&**client, business_id, after, PAGE)
                .await
                .map_err(connection_error)?;
            let more = page.len() as i64 == PAGE;
            for event in page {
                let payload = event.decode().map_err(unreadable)?;
                let metadata = serde_json::from_str(&event.metadata).map_err(unreadable)?;
                let sequence = usize::try_from(event.sequence).map_err(unreadable)?;
                envelopes.push(EventEnvelope {
                    aggregate_id: aggregate_id.to_owned(),
                    sequence,
                    payload,
                    metadata,
                });
            }
            if !more {
                return Ok(envelopes);
            }
        }
    }

    async fn load_aggregate(&self, aggregate_id: &str) -> Result<LoadedBusiness, Failure> {
        let mut loaded = LoadedBusiness {
            business_id: business_id(aggregate_id)?,
            business: Business::default(),
            version: 0,
        };
        for envelope in self.load_events(aggregate_id).await? {
            loaded.business.apply(&envelope.payload);
            loaded.version += 1;
        }
        Ok(loaded)
    }

    async fn commit(
        &self,
        events: Vec<BusinessEvent>,
        context: LoadedBusiness,
        metadata: HashMap<String, String>,
    ) -> Result<Vec<EventEnvelope<Business>>, Failure> {
        if events.is_empty() {
            return Ok(vec![]);
        }
        let LoadedBusiness {
            business_id, version, ..
        } = context;
        let stored_metadata = Metadata {
            actor: Actor::read(metadata.get("actor").cloned(), metadata.get("audience").cloned()),
            request_id: metadata.get("request_id").cloned(),
            cause: metadata.get("cause").cloned(),
            idempotency_key: None,
        };
        let work = Work::decided(Uuid::new_v4(), business_id, version, events, stored_metadata);
        let receipt = match self.writer.ask(work).await {
            Answer::Outcome(Outcome::Recorded(receipt)) => receipt,
            Answer::Outcome(Outcome::Refused(refusal)) => return Err(AggregateError::UserError(refusal)),
            Answer::Conflict | Answer::Outcome(Outcome::BelongsToOther(_)) => {
                return Err(AggregateError::AggregateConflict);
            }
            Answer::Outcome(other) => {
                return Err(AggregateError::UnexpectedError(format!("{other:?}").into()));
            }
        };
        let envelopes = receipt.events.into_iter().map(|recorded| EventEnvelope {
            aggregate_id: business_id.to_string(),
            sequence: usize::try_from(recorded.sequence).unwrap_or(usize::MAX),
            payload: recorded.event.as_ref().clone(),
            metadata: metadata.clone(),
        });
        Ok(envelopes.collect())
    }
}

/// A business after its whole history, and the version that the commit expects.
pub struct LoadedBusiness {
    business_id: BusinessId,
    business: Business,
    version: i64,
}

impl cqrs_es::AggregateContext<Business> for LoadedBusiness {
    fn aggregate(&mut self) -> &mut Business {
        &mut self.business
    }
}

fn business_id(aggregate_id: &str) -> Result<BusinessId, Failure> {
    aggregate_id
        .parse()
        .map_err(|error| AggregateError::UnexpectedError(Box::new(error)))
}

fn connection_error(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    AggregateError::DatabaseConnectionError(Box::new(error))
}

fn unreadable(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    AggregateError::DeserializationError(Box::new(error))
}
