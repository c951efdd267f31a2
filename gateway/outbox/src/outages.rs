//! The providers that an outbox calls: which are silent, and when the orders that wait for them are due.
//!
//! The pause of an order grows with its tries. After an outage of ten minutes each order would wait up to eight more
//! minutes. So an order that found its provider silent waits for the provider instead: one such order is tried every few
//! seconds, and once one is answered, all are due.
//!
//! What a process knows here is lost when it ends. The next one finds the providers for which rows wait.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::outbox::{Health, Outbox};

/// A provider is silent after so many calls in a row. A single one may be lost, or be about an order that it cannot take.
const SILENT_CALLS: u32 = 2;

/// The time between two tries of a silent provider: a twentieth of the outage, within these.
const PROBE_MIN: Duration = Duration::from_secs(5);
const PROBE_MAX: Duration = Duration::from_secs(60);

/// The shortest time between two releases of the orders that wait for a provider. It doubles as long as most calls after a
/// release find the provider silent: one that answers look-ups and fails orders would else be sent all orders at each
/// look-up.
const HOLD_MIN: Duration = Duration::from_secs(10);
const HOLD_MAX: Duration = Duration::from_secs(15 * 60);

#[derive(Debug, Default)]
pub struct Outages {
    providers: Mutex<HashMap<String, Provider>>,
}

#[derive(Debug, Default)]
struct Provider {
    /// Calls without an answer since the last answer.
    silent_calls: u32,
    /// Set while it is silent.
    outage: Option<Outage>,
    answered_at: Option<Instant>,
    /// Whether orders may wait that would be answered now.
    owes_release: bool,
    release: Option<Release>,
}

#[derive(Debug, Clone, Copy)]
struct Outage {
    since: Instant,
    probe_at: Instant,
}

#[derive(Debug, Clone, Copy)]
struct Release {
    at: Instant,
    hold: Duration,
    /// Calls that were answered in the hold, less those that were not.
    balance: i32,
}

/// What a call changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Silent,
    Answers { after: Duration },
}

impl Outages {
    /// Rows wait for this provider.
    pub fn found(&self, provider: &str, now: Instant) {
        self.of(provider, |state| {
            state.outage.get_or_insert(Outage {
                since: now,
                probe_at: now,
            });
        });
    }

    /// Notes what a call showed. `began` is the start of its try.
    pub fn note<O: Outbox>(&self, provider: &str, health: Health, began: Instant) {
        match self.of(provider, |state| state.note(health, began, Instant::now())) {
            // Once for each outage: the tries of all its orders would say the same.
            Some(Change::Silent) => {
                tracing::warn!(
                    work = O::NAME,
                    provider,
                    "a provider does not answer: its orders wait"
                );
            }
            Some(Change::Answers { after }) => {
                let seconds = after.as_secs();
                tracing::info!(work = O::NAME, provider, seconds, "a provider answers again");
            }
            None => {}
        }
    }

    /// The providers of which waiting orders are due now, and how many.
    pub fn due(&self, now: Instant) -> Vec<(String, i64)> {
        let mut providers = self.lock();
        let due = |(name, state): (&String, &mut Provider)| Some((name.clone(), state.due(now)?));
        providers.iter_mut().filter_map(due).collect()
    }

    /// A release found rows. Others may have been locked then, or may be of a call that is still to fail.
    pub fn release_again(&self, provider: &str) {
        self.of(provider, |state| state.owes_release = state.outage.is_none());
    }

    fn of<T>(&self, provider: &str, change: impl FnOnce(&mut Provider) -> T) -> T {
        change(self.lock().entry(provider.to_owned()).or_default())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Provider>> {
        self.providers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Provider {
    fn note(&mut self, health: Health, began: Instant, now: Instant) -> Option<Change> {
        match health {
            Health::Unsaid => None,
            Health::Answers => {
                self.count(1, now);
                self.silent_calls = 0;
                self.answered_at = Some(now);
                self.owes_release = true;
                let outage = self.outage.take()?;
                Some(Change::Answers {
                    after: now - outage.since,
                })
            }
            // It has answered since this call began, and so would answer this order now.
            Health::Silent if self.answered_at.is_some_and(|at| began < at) => {
                self.owes_release = true;
                None
            }
            Health::Silent => {
                self.count(-1, now);
                self.silent_calls += 1;
                self.owes_release = false;
                if self.outage.is_some() || self.silent_calls < SILENT_CALLS {
                    return None;
                }
                self.outage = Some(Outage {
                    since: began,
                    probe_at: now + PROBE_MIN,
                });
                Some(Change::Silent)
            }
        }
    }

    /// How many of the orders that wait for it are due now. `None`: no more than before.
    fn due(&mut self, now: Instant) -> Option<i64> {
        if let Some(outage) = &mut self.outage {
            if now < outage.probe_at {
                return None;
            }
            let pause = (now - outage.since) / 20;
            outage.probe_at = now + pause.clamp(PROBE_MIN, PROBE_MAX);
            return Some(1);
        }
        if !self.owes_release {
            return None;
        }
        let hold = match self.release {
            Some(release) if release.balance < 0 => (release.hold * 2).min(HOLD_MAX),
            _ => HOLD_MIN,
        };
        if self.release.is_some_and(|last| now < last.at + hold) {
            return None;
        }
        self.owes_release = false;
        self.release = Some(Release {
            at: now,
            hold,
            balance: 0,
        });
        Some(i64::MAX)
    }

    fn count(&mut self, calls: i32, now: Instant) {
        if let Some(release) = &mut self.release
            && now < release.at + release.hold
        {
            release.balance = release.balance.saturating_add(calls);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A provider, and the seconds of its story.
    struct Story {
        began: Instant,
        provider: Provider,
    }

    impl Story {
        fn new() -> Self {
            Self {
                began: Instant::now(),
                provider: Provider::default(),
            }
        }

        fn at(&self, seconds: u64) -> Instant {
            self.began + Duration::from_secs(seconds)
        }

        /// A call that lasts no time.
        fn call(&mut self, seconds: u64, health: Health) -> Option<Change> {
            let at = self.at(seconds);
            self.provider.note(health, at, at)
        }

        fn due(&mut self, seconds: u64) -> Option<i64> {
            self.provider.due(self.at(seconds))
        }
    }

    const ALL: Option<i64> = Some(i64::MAX);

    #[test]
    fn a_silent_provider_is_asked_about_one_order_at_a_time_and_then_about_all() {
        let mut story = Story::new();
        assert_eq!(story.call(0, Health::Silent), None, "one call may be lost");
        assert_eq!(story.due(30), None);
        assert_eq!(story.call(31, Health::Silent), Some(Change::Silent));
        assert_eq!(story.call(32, Health::Silent), None, "it is said once");
        let probes: Vec<_> = (31..700).filter(|second| story.due(*second).is_some()).collect();
        assert_eq!(probes[..3], [36, 41, 46]);
        // A twentieth of the outage lies between two probes.
        assert!(probes.windows(2).all(|two| two[1] - two[0] <= 34), "{probes:?}");
        assert!(probes.len() < 60, "{probes:?}");
        let after = Duration::from_secs(700 - 31);
        assert_eq!(story.call(700, Health::Answers), Some(Change::Answers { after }));
        assert_eq!(story.due(700), ALL);
        assert_eq!(story.due(701), None, "once");
    }

    #[test]
    fn an_order_that_a_provider_always_fails_is_no_outage() {
        let mut story = Story::new();
        for second in [0, 100, 200] {
            assert_eq!(story.call(second, Health::Silent), None);
            assert_eq!(story.call(second + 1, Health::Answers), None);
        }
    }

    #[test]
    fn a_late_failure_of_a_call_from_before_the_answer_is_released_and_ends_nothing() {
        let mut story = Story::new();
        story.call(0, Health::Answers);
        assert_eq!(story.due(0), ALL);
        story.call(60, Health::Answers);
        assert_eq!(story.due(60), ALL);
        let (began, now) = (story.at(59), story.at(69));
        for _ in 0..5 {
            assert_eq!(story.provider.note(Health::Silent, began, now), None);
        }
        assert_eq!(story.due(69), None, "the hold");
        assert_eq!(story.due(70), ALL);
    }

    #[test]
    fn what_says_nothing_changes_nothing() {
        let mut story = Story::new();
        for second in 0..10 {
            assert_eq!(story.call(second, Health::Unsaid), None);
            assert_eq!(story.due(second), None);
        }
    }

    /// The bank answers each look-up and fails each order.
    #[test]
    fn releases_that_do_not_help_become_rare() {
        let mut story = Story::new();
        let mut releases = vec![];
        for second in 0..3_600 {
            story.call(second, Health::Answers);
            if story.due(second) == ALL {
                releases.push(second);
                for _ in 0..2_000 {
                    story.call(second, Health::Silent);
                }
            }
        }
        assert_eq!(releases[..5], [0, 20, 60, 140, 300]);
        assert!(releases.len() < 12, "{releases:?}");
        // It helps again after the longest hold.
        let mut healthy = vec![];
        for second in 3_600..7_200 {
            story.call(second, Health::Answers);
            healthy.extend(story.due(second).map(|_| second));
        }
        assert!(healthy.len() > 200, "{}", healthy.len());
    }
}
