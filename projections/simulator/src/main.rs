//! `simulate`: runs seeds until one fails, all are done, or the minutes are over.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use clap::Parser;
use simulator::{EventCounts, Failure, run, run_with_trace};

/// Simulates the ledger, seed by seed. For a failing seed it prints the trace and exits with 1.
#[derive(Debug, Parser)]
#[command(name = "simulate")]
struct Arguments {
    /// How many seeds to run.
    #[arg(long, default_value_t = 10_000)]
    seeds: u64,
    /// The first seed. The default is the current time in milliseconds since 1970.
    #[arg(long)]
    from: Option<u64>,
    /// Stop after this many minutes.
    #[arg(long)]
    minutes: Option<u64>,
    /// Run only this seed.
    #[arg(long)]
    seed: Option<u64>,
    /// Print the trace of that seed, also if it passes.
    #[arg(long, requires = "seed")]
    trace: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // A panic is a failure like any other and is reported with its seed.
    std::panic::set_hook(Box::new(|_| {}));
    let ended = match arguments.seed {
        Some(seed) => one(seed, arguments.trace),
        None => many(&arguments),
    };
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) | Err(_) => ExitCode::FAILURE,
    }
}

fn one(seed: u64, trace: bool) -> std::io::Result<bool> {
    let mut out = std::io::stdout().lock();
    let ended = if trace { run_with_trace(seed) } else { run(seed) };
    match ended {
        Ok(passed) => {
            for line in &passed.trace {
                writeln!(out, "{line}")?;
            }
            writeln!(out, "seed {seed} passes ({})", passed.fingerprint)?;
            Ok(true)
        }
        Err(failure) => print_failure(&mut out, &failure).map(|()| false),
    }
}

fn many(arguments: &Arguments) -> std::io::Result<bool> {
    let mut out = std::io::stdout().lock();
    let first = arguments.from.unwrap_or_else(seed_of_clock);
    let (began, mut reported, mut event_counts) = (Instant::now(), Instant::now(), EventCounts::default());
    let is_over = |began: Instant| {
        arguments
            .minutes
            .is_some_and(|minutes| began.elapsed().as_secs() >= 60 * minutes)
    };
    let mut done = 0;
    writeln!(out, "seeds from {first}")?;
    while done < arguments.seeds && !is_over(began) {
        match run(first + done) {
            Ok(passed) => event_counts.add(&passed.event_counts),
            Err(failure) => return print_failure(&mut out, &failure).map(|()| false),
        }
        done += 1;
        if reported.elapsed() > Duration::from_secs(5) {
            reported = Instant::now();
            writeln!(out, "{done} seeds, {} a minute", per_minute(done, began))?;
        }
    }
    for (event, count) in &event_counts.events {
        writeln!(out, "{count:>10}  {event}")?;
    }
    let EventCounts {
        recorded,
        duplicates,
        refused,
        faults,
        ..
    } = event_counts;
    writeln!(
        out,
        "{recorded} recorded, {duplicates} duplicates, {refused} refused, {faults} faults"
    )?;
    writeln!(out, "{done} seeds pass, {} a minute", per_minute(done, began))?;
    Ok(true)
}

fn print_failure(out: &mut impl Write, failure: &Failure) -> std::io::Result<()> {
    let Failure {
        seed,
        step,
        what,
        trace,
    } = failure;
    for line in trace {
        writeln!(out, "{line}")?;
    }
    writeln!(
        out,
        "\nseed {seed} fails at step {step}: {what}\nreplay: simulate --seed {seed} --trace"
    )
}

fn per_minute(done: u64, began: Instant) -> u64 {
    let elapsed = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    done * 60_000 / elapsed.max(1)
}

fn seed_of_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(0)
}
