//! How long a row waits: between two tries, and after a claim.

use std::time::Duration;

/// Added to the time of a try's two calls (look-up and sending), for the ledger and the database.
const LEASE_MARGIN: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// How long a claim excludes other processes. It must be longer than a try.
    pub lease: Duration,
    pub backoff: Backoff,
}

/// The pauses between the tries of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// After the first try. The pause doubles with each try.
    pub first: Duration,
    /// The longest pause.
    pub last: Duration,
}

impl Backoff {
    /// The pause after the try with this number. The first try is 1.
    pub fn after(self, tries: i32) -> Duration {
        let doublings = u32::try_from(tries.saturating_sub(1)).unwrap_or(0).min(20);
        (self.first * 2_u32.pow(doublings)).min(self.last)
    }
}

/// The lease of an outbox whose tries make two calls at most, each of which takes `timeout` at most.
pub fn lease_of(timeout: Duration) -> Duration {
    2 * timeout + LEASE_MARGIN
}

/// For an interval in SQL.
pub fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(pauses: Backoff) -> [u64; 6] {
        [1, 2, 3, 10, 11, i32::MAX].map(|tries| pauses.after(tries).as_secs())
    }

    #[test]
    fn pauses_double_up_to_the_last() {
        let quarter_of_an_hour = Backoff {
            first: Duration::from_secs(1),
            last: Duration::from_secs(15 * 60),
        };
        assert_eq!(seconds(quarter_of_an_hour), [1, 2, 4, 512, 900, 900]);
        let hour = Backoff {
            first: Duration::from_secs(5),
            last: Duration::from_secs(3_600),
        };
        assert_eq!(seconds(hour), [5, 10, 20, 2_560, 3_600, 3_600]);
    }

    #[test]
    fn a_lease_is_longer_than_the_two_calls_of_a_try() {
        let timeout = Duration::from_secs(10);
        assert!(lease_of(timeout) > 2 * timeout);
    }
}
