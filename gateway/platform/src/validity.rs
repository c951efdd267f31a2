//! Values that change over time and whose past never changes: each row is valid from an instant until the next row.

use ledger_domain::calendar::Instant;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

/// The start of a row's validity. The tables refuse the past, except after `allow_past_validity`.
#[derive(Debug, Clone, Copy)]
pub enum Since {
    Now,
    /// The time of the business clock or a later instant. `set_business_now` gives the tables that clock's time.
    At(Instant),
    /// A past instant. The tables accept it only after `allow_past_validity`, while no sale exists.
    Past(Instant),
}

impl Since {
    pub(crate) const fn instant(self) -> Option<Instant> {
        match self {
            Self::Now => None,
            Self::At(instant) | Self::Past(instant) => Some(instant),
        }
    }

    pub(crate) const fn past_instant(self) -> Option<Instant> {
        match self {
            Self::Past(instant) => Some(instant),
            Self::Now | Self::At(_) => None,
        }
    }
}

/// Allows rows that are valid from a past instant in this transaction, as long as no sale exists.
pub async fn allow_past_validity(client: &impl GenericClient) -> Result<(), Error> {
    client.batch_execute("SET LOCAL razao.installing = 'on'").await
}

/// Sets the business clock's time for this transaction. Triggers refuse rows that are valid before it.
pub async fn set_business_now(client: &impl GenericClient, now: Instant) -> Result<Since, Error> {
    client
        .query_typed(
            "SELECT set_config('razao.business_now', $1, true)",
            &[(&now.to_rfc3339(), Type::TEXT)],
        )
        .await
        .map(|_| Since::At(now))
}

/// All values of one subject, by the instant from which each is valid.
#[derive(Debug, Clone)]
pub struct History<T>(Vec<(Instant, T)>);

impl<T> Default for History<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> History<T> {
    /// Entries can be added in any order. Two entries never have the same instant (the tables' keys ensure it).
    pub fn add(&mut self, valid_from: Instant, value: T) {
        let place = self.0.partition_point(|(earlier, _)| *earlier <= valid_from);
        self.0.insert(place, (valid_from, value));
    }

    /// The instants after `from` and before `until` at which another entry comes into force.
    pub fn changes_between(
        &self,
        from: Instant,
        until: Option<Instant>,
    ) -> impl DoubleEndedIterator<Item = Instant> {
        let changes = self.0.iter().map(|(instant, _)| *instant);
        changes.filter(move |instant| *instant > from && until.is_none_or(|until| *instant < until))
    }

    /// The value in force at the instant. An entry is in force from its own instant on.
    pub fn at(&self, instant: Instant) -> Option<&T> {
        let next = self.0.partition_point(|(valid_from, _)| *valid_from <= instant);
        next.checked_sub(1).map(|last| &self.0[last].1)
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn second(seconds: i64) -> Instant {
        DateTime::from_timestamp(seconds, 0).expect("in range")
    }

    #[test]
    fn an_entry_is_in_force_from_its_instant_until_the_next() {
        let mut history = History::default();
        history.add(second(20), 'b');
        history.add(second(10), 'a');
        assert_eq!(history.at(second(9)), None);
        assert_eq!(history.at(second(10)), Some(&'a'));
        assert_eq!(history.at(second(19)), Some(&'a'));
        assert_eq!(history.at(second(20)), Some(&'b'));
        assert_eq!(history.at(second(99)), Some(&'b'));
        let changes = |from, until| history.changes_between(second(from), until).collect::<Vec<_>>();
        assert_eq!(changes(9, None), [second(10), second(20)]);
        assert_eq!(changes(10, Some(second(20))), Vec::<Instant>::new());
        assert_eq!(changes(10, Some(second(21))), [second(20)]);
    }
}
