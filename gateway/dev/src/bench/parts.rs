//! The parts of the benchmark that run on one warm installation: rates, one connection, light load, and sustained load
//! with the lag of the read models.

use std::time::Duration;

use super::BenchError;
use super::figures::{Round, Spread, hundredths, micros_as_millis, percentile, ratio};
use super::lag::LagReader;
use super::load::Load;
use super::report::{Report, Series};
use super::system::{BASELINE_CONNECTIONS, System};

const PER_SECOND: fn(&Round) -> u64 = |round| round.figures.per_second;

/// The series of `rates`.
struct Rates {
    at_64: Series,
    at_256: Series,
    arrays: Series,
    hot: Series,
    inserts: Series,
}

/// Captures at 64 and 256 connections, arrays and one hot company, in rounds that alternate with INSERTs.
pub async fn rates(
    system: &System<'_>,
    rounds: u32,
    duration: Duration,
    report: &mut Report,
) -> Result<(), BenchError> {
    let idle_kib = system.gateway.resident_kib()?;
    let rates = measure_rates(system, rounds, duration).await?;
    report_rates(&rates, report);
    let memory = format!("{} / {}", idle_kib / 1024, system.gateway.resident_kib()? / 1024);
    report.line("memory of the gateway in MiB, before and after", memory, "");
    let Rates {
        at_64,
        at_256,
        arrays,
        hot,
        inserts,
    } = rates;
    report.series.extend([at_64, at_256, arrays, hot, inserts]);
    Ok(())
}

async fn measure_rates(system: &System<'_>, rounds: u32, duration: Duration) -> Result<Rates, BenchError> {
    let loads = [
        Load::of(64),
        Load::of(256),
        Load {
            notices: 100,
            ..Load::of(64)
        },
        Load {
            hot: true,
            ..Load::of(64)
        },
    ];
    let mut captures = [
        "captures, 64 connections",
        "captures, 256 connections",
        "captures, 64 connections, 100 a request",
        "captures, 64 connections, one company",
    ]
    .map(Series::new);
    let mut inserts = Series::new(format!("INSERTs of {} bytes, 64 connections", system.row_bytes()));
    for _ in 0..rounds {
        for (series, load) in captures.iter_mut().zip(loads) {
            series.rounds.push(system.captures(load, duration).await?);
        }
        inserts
            .rounds
            .push(system.inserts(BASELINE_CONNECTIONS, duration, None).await?);
    }
    let [at_64, at_256, arrays, hot] = captures;
    Ok(Rates {
        at_64,
        at_256,
        arrays,
        hot,
        inserts,
    })
}

fn report_rates(rates: &Rates, report: &mut Report) {
    let Rates {
        at_64,
        at_256,
        arrays,
        hot,
        inserts,
    } = rates;
    let each = |series: &Series| series.ratio_to(inserts, PER_SECOND).show(hundredths);
    report.line(
        "captures ÷ INSERT, 64 connections, catch-up counted",
        each(at_64),
        "≥ 0.7",
    );
    report.line(
        "captures ÷ INSERT, 256 connections, catch-up counted",
        each(at_256),
        "≥ 0.87",
    );
    let cost = |series: &Series| {
        series
            .ratio_to(inserts, Round::processor_micros_each)
            .show(hundredths)
    };
    report.line(
        "processor time of a capture ÷ of an INSERT, 64 connections",
        cost(at_64),
        "≤ 1.55",
    );
    report.line(
        "processor time of a capture ÷ of an INSERT, 256 connections",
        cost(at_256),
        "≤ 1.3",
    );
    report.line("captures in arrays of 100 ÷ INSERT", each(arrays), "≥ 1.0");
    report.line(
        "one hot company ÷ uniform",
        hot.ratio_to(at_64, PER_SECOND).show(hundredths),
        "≥ 1",
    );
    let wal = at_64.spread(Round::wal_bytes_each);
    report.line(
        "WAL bytes of a capture, 64 connections",
        wal.show(|bytes| bytes.to_string()),
        "≤ 2300",
    );
}

/// One connection with one notice after another, against INSERTs from one client.
pub async fn one(
    system: &System<'_>,
    rounds: u32,
    duration: Duration,
    report: &mut Report,
) -> Result<(), BenchError> {
    let mut captures = Series::new("captures, one connection");
    let mut inserts = Series::new("INSERTs, one connection");
    for _ in 0..rounds {
        captures
            .rounds
            .push(system.captures(Load::of(1), duration).await?);
        inserts.rounds.push(system.inserts(1, duration, None).await?);
    }
    let ratio = captures.ratio_to(&inserts, PER_SECOND).show(hundredths);
    report.line(
        "one notice after another ÷ INSERT from one client",
        ratio,
        "≥ 0.3",
    );
    report.series.extend([captures, inserts]);
    Ok(())
}

/// Captures and INSERTs at the same pace: a tenth of the rate of unpaced INSERTs.
pub async fn light(
    system: &System<'_>,
    rounds: u32,
    duration: Duration,
    report: &mut Report,
) -> Result<(), BenchError> {
    let unpaced = system.inserts(BASELINE_CONNECTIONS, duration, None).await?;
    let per_second = unpaced.figures.per_second / 10;
    let load = Load {
        per_second: Some(per_second),
        ..Load::of(BASELINE_CONNECTIONS)
    };
    let mut captures = Series::new(format!("captures, paced at {per_second} a second"));
    let mut inserts = Series::new(format!("INSERTs, paced at {per_second} a second"));
    for _ in 0..rounds {
        captures.rounds.push(system.captures(load, duration).await?);
        inserts.rounds.push(
            system
                .inserts(BASELINE_CONNECTIONS, duration, Some(per_second))
                .await?,
        );
    }
    let p99 = captures.ratio_to(&inserts, |round| round.figures.p99_micros);
    report.line(
        "light load: p99 ÷ the paced INSERT's",
        p99.show(hundredths),
        "≤ 5",
    );
    let millis = captures
        .spread(|round| round.figures.p99_micros)
        .show(micros_as_millis);
    report.line("light load: p99 in ms", millis, "");
    let busy = captures
        .spread(Round::busy_percent)
        .show(|percent| percent.to_string());
    report.line("light load: processors busy, percent", busy, "≤ 60");
    report.series.extend([captures, inserts]);
    Ok(())
}

/// One long run at 64 connections between two rounds of INSERTs. A run at half of its rate follows and measures the lag
/// of the read models.
pub async fn sustained(
    system: &System<'_>,
    duration: Duration,
    report: &mut Report,
) -> Result<(), BenchError> {
    let inserts_duration = (duration / 10).max(Duration::from_secs(3));
    let mut inserts = Series::new("INSERTs around the sustained run");
    inserts.rounds.push(
        system
            .inserts(BASELINE_CONNECTIONS, inserts_duration, None)
            .await?,
    );
    let mut captures = Series::new(format!("captures, {} seconds", duration.as_secs()));
    let lag = LagReader::start(system.connect().await?);
    captures
        .rounds
        .push(system.captures(Load::of(64), duration).await?);
    let (early, late) = lag.stop().await?.early_and_late();
    let mebibytes = system.gateway.resident_kib()? / 1024;
    inserts.rounds.push(
        system
            .inserts(BASELINE_CONNECTIONS, inserts_duration, None)
            .await?,
    );
    let rate = captures.per_second();
    let ratios = Spread::of(inserts.rounds.iter().map(|round| ratio(rate, PER_SECOND(round))));
    let what = format!(
        "sustained {} seconds ÷ INSERT, 64 connections",
        duration.as_secs()
    );
    report.line(what, ratios.show(hundredths), "≥ 0.6");
    report.line(
        "memory of the gateway after the sustained run, MiB",
        mebibytes.to_string(),
        "≤ 320",
    );
    let growth = format!("{early} / {late}");
    report.line(
        "sustained: events behind, median of second and last quarter",
        growth,
        "not growing",
    );

    let load = Load {
        per_second: Some(rate / 2),
        ..Load::of(64)
    };
    let lag = LagReader::start(system.connect().await?);
    let half_rate_duration = (duration / 3).max(Duration::from_secs(5));
    let (half, answers) = system.acknowledged_captures(load, half_rate_duration).await?;
    let lags = lag.stop().await?.of_answers(&answers.positions);
    let at = |percent| micros_as_millis(percentile(&lags, percent));
    report.line("read-model lag p50 at half the sustained rate, ms", at(50), "");
    report.line(
        "read-model lag p99 at half the sustained rate, ms",
        at(99),
        "≤ 150",
    );
    let mut at_half = Series::new(format!("captures, paced at {} a second", rate / 2));
    at_half.rounds.push(half);
    report.series.extend([captures, inserts, at_half]);
    Ok(())
}
