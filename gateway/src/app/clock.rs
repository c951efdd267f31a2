//! The business clock of one process, and the task that compares it with the database's clock.

use std::time::{Duration, Instant};

use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::Config;
use gateway_http::AppState;
use ledger_store::supervisor::Supervised;

use super::AppError;

/// Between two comparisons the machine's monotonic clock counts, so a clock that is set is noticed at once.
const COMPARE_EVERY: Duration = Duration::from_secs(10);

/// The clock that `RAZAO_NOW` starts, or the machine's, compared once before anything uses it.
pub(crate) async fn start(config: &Config, pool: &Pool) -> Result<BusinessClock, AppError> {
    if config.clock_start.is_some() {
        return Ok(BusinessClock::new(config.clock_start));
    }
    let clock = BusinessClock::compared(config.clock_error);
    compare(clock, pool).await?;
    report(clock, false);
    Ok(clock)
}

/// Compares the clock as long as the handle lives. `None` if it is not the machine's.
pub(super) fn keep_comparing(state: &AppState) -> Option<Supervised> {
    let clock = state.clock;
    if !clock.is_compared() {
        return None;
    }
    let pool = state.pool.clone();
    let mut faulty = clock.fault().is_some();
    Some(
        state
            .supervisor
            .every("comparison of clocks", COMPARE_EVERY, move || {
                let (pool, before) = (pool.clone(), faulty);
                faulty = clock.fault().is_some();
                async move {
                    compare(clock, &pool).await?;
                    report(clock, before);
                    Ok::<_, AppError>(())
                }
            }),
    )
}

async fn compare(clock: BusinessClock, pool: &Pool) -> Result<(), AppError> {
    let client = pool.get().await?;
    let asked = Instant::now();
    let row = client.query_typed("SELECT clock_timestamp()", &[]).await;
    let row = row.map_err(AppError::Clock)?;
    if let Some(row) = row.first() {
        clock.compare(asked, row.get(0));
    }
    Ok(())
}

/// Alarms at each comparison while the clock is wrong, and says once that it is right again.
fn report(clock: BusinessClock, was_faulty: bool) {
    let difference_ms = clock.difference().map(|by| by.num_milliseconds());
    match clock.fault() {
        Some(fault) => {
            tracing::error!(
                code = fault.code(),
                difference_ms,
                "{fault}: {}",
                fault.consequence()
            );
        }
        None if was_faulty => tracing::info!("the machine's clock agrees with the database's again"),
        None => {}
    }
}
