//! Fixed intervals between requests, so that two systems can be compared at the same load.

use std::time::{Duration, Instant};

pub struct Pace {
    next: Instant,
    interval: Duration,
}

impl Pace {
    /// The pace of one of several connections, which take turns. Together they send `per_second` notices or rows, with
    /// `per_request` of them in a request.
    pub fn of(
        per_second: Option<u64>,
        per_request: usize,
        connections: usize,
        number: usize,
        began: Instant,
    ) -> Option<Self> {
        let per_second = per_second?.max(1);
        let micros = |requests: usize| requests as u64 * per_request as u64 * 1_000_000 / per_second;
        Some(Self {
            next: began + Duration::from_micros(micros(number)),
            interval: Duration::from_micros(micros(connections)),
        })
    }

    /// Waits for the next turn and returns the instant from which the latency counts. A request that had to wait for
    /// the answer of the one before is late by that time. The timer's own delay does not count.
    pub async fn wait(&mut self) -> Instant {
        let due = self.next;
        self.next += self.interval;
        let now = Instant::now();
        if due <= now {
            return due;
        }
        tokio::time::sleep_until(due.into()).await;
        Instant::now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_request_that_waited_for_the_one_before_counts_from_its_turn() {
        let began = Instant::now();
        let pace = |number| Pace::of(Some(1_000), 1, 4, number, began).expect("a pace");
        let mut second = pace(1);
        assert_eq!(second.next - began, Duration::from_millis(1));
        assert_eq!(second.interval, Duration::from_millis(4));
        tokio::time::sleep(Duration::from_millis(3)).await;
        assert_eq!(second.wait().await, began + Duration::from_millis(1));
        let mut last = Pace::of(Some(10), 1, 1, 1, began).expect("a pace");
        assert!(last.wait().await >= began + Duration::from_millis(100));
        assert!(Pace::of(None, 1, 4, 0, began).is_none());
    }
}
