//! Runs of the simulator in every test run: fixed seeds, and new seeds for up to five seconds. `just simulate` runs
//! more.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ledger_domain::business::BusinessEvent;
use simulator::{EventCounts, Failure, Passed, run, run_with_trace};

fn passed(seed: u64) -> Passed {
    match run(seed) {
        Ok(passed) => passed,
        Err(failure) => {
            let Failure {
                step, what, trace, ..
            } = *failure;
            panic!(
                "{}\nseed {seed} fails at step {step}: {what}\nreplay: just simulate --seed {seed} --trace",
                trace.join("\n")
            )
        }
    }
}

#[test]
fn the_fixed_seeds_pass_and_reach_every_event_type_and_history() {
    let mut event_counts = EventCounts::default();
    for seed in 901..=1500 {
        event_counts.add(&passed(seed).event_counts);
    }
    for (event, _) in BusinessEvent::TYPES {
        assert!(
            event_counts.events.contains_key(event),
            "no run recorded a {event}: the simulator no longer reaches it"
        );
    }
    for history in [
        "order paid in time",
        "order paid late",
        "order paid after expiry",
        "order paid twice",
        "order declined, then paid",
        "order never paid",
        "presumed sale exists",
        "batch on changed reference data",
        "batch of a deposed owner",
        "refused by the reference data",
        "sale of another business",
        "key reused",
        "window from memory",
        "window from the log",
    ] {
        assert!(
            event_counts.events.contains_key(history),
            "no run had {history:?}: the simulator no longer reaches it"
        );
    }
    assert!(
        event_counts.faults > 0 && event_counts.refused > 0 && event_counts.duplicates > 0,
        "{event_counts:?}"
    );
}

#[test]
fn new_seeds_pass() {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock after 1970");
    let first = u64::try_from(since.as_micros()).expect("a clock of these centuries");
    let began = Instant::now();
    let mut seed = first;
    while seed < first + 2_000 && began.elapsed() < Duration::from_secs(5) {
        passed(seed);
        seed += 1;
    }
    eprintln!("seeds {first} to {} pass", seed - 1);
}

#[test]
fn a_seed_replays_to_the_same_log_and_counts_with_a_trace() {
    for seed in [1, 7, 4_242, 18_446_744_073_709_551_615] {
        let (first, again) = (passed(seed), run_with_trace(seed).expect("the same run"));
        assert_eq!(
            (first.fingerprint, first.event_counts),
            (again.fingerprint, again.event_counts),
            "seed {seed}"
        );
        assert!(!again.trace.is_empty());
    }
}
