//! The independent reader: unmodified postgres-es reads all events of a business from a view with the columns that it
//! expects.
//!
//! It has its own driver and its own statements. Only the upcasters, the event types and the aggregate are this
//! program's. The number of events and the balances must equal those of the replay.

use cqrs_es::Aggregate;
use cqrs_es::EventEnvelope;
use cqrs_es::persist::PersistedEventRepository;
use ledger_domain::BusinessId;
use ledger_domain::business::{Account, Business, upcasters};
use postgres_es::PostgresEventRepository;
use sqlx::postgres::PgPoolOptions;

use super::folded::FoldedBusiness;
use crate::Error;
use crate::read_model::finding::{Reporter, Subject};

pub(super) struct Upstream {
    events: PostgresEventRepository,
}

impl Upstream {
    pub async fn connect(database_url: &str) -> Result<Self, Error> {
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .connect(database_url)
            .await
            .map_err(|error| Error::Upstream(error.to_string()))?;
        Ok(Self {
            events: PostgresEventRepository::new(pool),
        })
    }

    /// Leaves out the events that were recorded after the replay read the log.
    pub async fn compare(
        &self,
        business: BusinessId,
        folded: &FoldedBusiness,
        reporter: &mut Reporter<'_>,
    ) -> Result<(), Error> {
        // The replay has reported an unreadable event, or an overflow of a balance, on which the aggregate would panic.
        if folded.unreadable {
            return Ok(());
        }
        let stored = self
            .events
            .get_events::<Business>(&business.to_string())
            .await
            .map_err(|error| Error::Upstream(error.to_string()))?;
        let mut reached = Business::default();
        let mut events = 0_u64;
        let last = usize::try_from(folded.sequence).unwrap_or(0);
        for event in stored.into_iter().filter(|event| event.sequence <= last) {
            let event = upcasters().iter().fold(event, |event, upcaster| {
                if upcaster.can_upcast(&event.event_type, &event.event_version) {
                    upcaster.upcast(event)
                } else {
                    event
                }
            });
            match EventEnvelope::<Business>::try_from(event) {
                Ok(envelope) => Aggregate::apply(&mut reached, envelope.payload),
                Err(error) => {
                    reporter.finding(Subject::Upstream, "event", "an event that can be read", error)
                }
            }
            events += 1;
        }
        reporter.equal(Subject::Upstream, "events", folded.events, events);
        for account in Account::ALL {
            let expected = folded.accounts().get(account).get();
            reporter.equal(
                Subject::Upstream,
                account,
                expected,
                reached.accounts.get(account).get(),
            );
        }
        Ok(())
    }
}
