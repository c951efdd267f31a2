//! Figures over all companies for the metrics. Some grow with the installation, so they are kept for a while, however
//! often and from how many places the metrics are scraped.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_platform::exceptions::exceptions_oldest_seconds;
use gateway_platform::heads_outside::last_written;
use gateway_platform::recent_audit::events_behind;
use ledger_domain::calendar::Date;
use ledger_store::Causes;
use ledger_store::verify::last::{LastVerification, last};
use projections::balance::{NegativeBalances, negative_balances};
use projections::receivables::{OverdueProgress, oldest_due};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::AppState;

const KEPT_FOR: Duration = Duration::from_secs(15);
const DATABASE_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone)]
pub struct SlowFigures {
    pub oldest_due: OverdueProgress,
    pub negative: NegativeBalances,
    pub exceptions_oldest_seconds: i64,
    /// The parts of `audit verify` that have ever ended.
    pub verifications: Vec<LastVerification>,
    /// Events that the verification in the background has not read yet.
    pub recent_behind: i64,
    /// When signed heads were last written outside of the database.
    pub heads_outside_at: Option<DateTime<Utc>>,
}

/// The figures as they were last read, or the failure to do so: a database that is too slow is not asked at each scrape.
#[derive(Default)]
pub struct KeptFigures(Mutex<Option<(Instant, Option<SlowFigures>)>>);

impl KeptFigures {
    /// `None` if the database cannot be read, or not in time.
    pub async fn of(&self, state: &AppState) -> Option<SlowFigures> {
        let mut kept = self.0.lock().await;
        if let Some((at, figures)) = &*kept
            && at.elapsed() < KEPT_FOR
        {
            return figures.clone();
        }
        let figures = match timeout(DATABASE_TIMEOUT, read(state)).await {
            Ok(Ok(figures)) => Some(figures),
            Ok(Err(error)) => {
                tracing::warn!(error = %Causes(&*error), "figures over all companies cannot be read");
                None
            }
            Err(_) => {
                tracing::warn!(
                    seconds = DATABASE_TIMEOUT.as_secs(),
                    "figures over all companies were not read in time"
                );
                None
            }
        };
        *kept = Some((Instant::now(), figures.clone()));
        figures
    }
}

async fn read(state: &AppState) -> Result<SlowFigures, Box<dyn std::error::Error + Send + Sync>> {
    let db = state.pool.get().await?;
    let db = &**db;
    let today: Date = state.clock.today();
    let reading = async {
        Ok(SlowFigures {
            oldest_due: oldest_due(db, today).await?,
            negative: negative_balances(db).await?,
            exceptions_oldest_seconds: exceptions_oldest_seconds(db).await?,
            verifications: last(db).await?,
            recent_behind: events_behind(db).await?,
            heads_outside_at: last_written(db).await?.map(|written| written.at),
        })
    };
    state.writer.layout().reading_all(reading).await
}
