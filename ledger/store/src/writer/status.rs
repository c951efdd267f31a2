//! What the writer of this process can do now: the shards that it owns, and how its last append went.

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::position::{SHARDS, Shard};

/// A success proves for so long that events can be recorded. Afterwards an insert that is rolled back must prove it.
const PROVEN_FOR: Duration = Duration::from_secs(10);
/// A failure counts for so long before it is tried again.
const FAILED_FOR: Duration = Duration::from_secs(1);
/// The rows of a proof after a failure: about as many bytes as a batch, because a full disk may still have room for one
/// row. Without a failure, one row is enough.
const ROWS_AFTER_FAILURE: i32 = 64;

#[derive(Debug, Default)]
pub(super) struct WriterStatus {
    /// A bit for each shard.
    owned: AtomicU16,
    last: Mutex<Option<Last>>,
}

/// The result of the last append or proof.
#[derive(Debug, Clone)]
struct Last {
    at: Instant,
    failure: Option<String>,
}

/// Whether the log takes events, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Appending {
    Works,
    /// The reason of the last failure.
    Fails(String),
    /// An insert of this many rows must prove it (`log::prove_append`), and its result belongs into `Writer::proved`.
    Unproven {
        rows: i32,
    },
}

impl WriterStatus {
    pub fn owned(&self) -> impl Iterator<Item = Shard> + use<> {
        let owned = self.owned.load(Ordering::Acquire);
        Shard::all().filter(move |shard| owned & bit(*shard) != 0)
    }

    pub fn owns(&self, shard: Shard) -> bool {
        self.owned.load(Ordering::Acquire) & bit(shard) != 0
    }

    pub fn set_owned(&self, shard: Shard, owned: bool) {
        if owned {
            self.owned.fetch_or(bit(shard), Ordering::AcqRel);
        } else {
            self.owned.fetch_and(!bit(shard), Ordering::AcqRel);
        }
    }

    pub fn succeeded(&self) {
        self.set_last(None);
    }

    pub fn failed(&self, reason: String) {
        self.set_last(Some(reason));
    }

    fn set_last(&self, failure: Option<String>) {
        *self.last() = Some(Last {
            at: Instant::now(),
            failure,
        });
    }

    pub fn appending(&self) -> Appending {
        self.appending_at(Instant::now())
    }

    fn appending_at(&self, now: Instant) -> Appending {
        match &*self.last() {
            None => Appending::Unproven { rows: 1 },
            Some(Last { at, failure: None }) if now.duration_since(*at) < PROVEN_FOR => Appending::Works,
            Some(Last { failure: None, .. }) => Appending::Unproven { rows: 1 },
            Some(Last {
                at,
                failure: Some(reason),
            }) if now.duration_since(*at) < FAILED_FOR => Appending::Fails(reason.clone()),
            Some(Last { failure: Some(_), .. }) => Appending::Unproven {
                rows: ROWS_AFTER_FAILURE,
            },
        }
    }

    fn last(&self) -> MutexGuard<'_, Option<Last>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const fn bit(shard: Shard) -> u16 {
    const { assert!(SHARDS as u32 <= u16::BITS) };
    1 << shard.number()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_owned_until_it_is_lost() {
        let status = WriterStatus::default();
        let shard = |number| Shard::new(number).expect("a shard");
        status.set_owned(shard(3), true);
        status.set_owned(shard(15), true);
        status.set_owned(shard(3), false);
        assert_eq!(status.owned().collect::<Vec<_>>(), [shard(15)]);
        assert!(status.owns(shard(15)) && !status.owns(shard(3)));
    }

    #[test]
    fn a_result_counts_for_some_time_and_then_must_be_proved_again() {
        let status = WriterStatus::default();
        assert_eq!(status.appending(), Appending::Unproven { rows: 1 });
        status.succeeded();
        let at = status.last().as_ref().expect("a result").at;
        assert_eq!(status.appending_at(at), Appending::Works);
        assert_eq!(
            status.appending_at(at + PROVEN_FOR),
            Appending::Unproven { rows: 1 }
        );
        status.failed("no space left".to_owned());
        let at = status.last().as_ref().expect("a result").at;
        let failure = Appending::Fails("no space left".to_owned());
        assert_eq!(status.appending_at(at), failure);
        let rows = ROWS_AFTER_FAILURE;
        assert_eq!(status.appending_at(at + FAILED_FOR), Appending::Unproven { rows });
    }
}
