//! Loads the demo story. One transaction writes the records and users. Then, week by week, come the sales as notices
//! and the settlement of due installments. The rentals of a new month and Friday's cancels and withdrawals follow.
//!
//! An interrupted load continues where it stopped. The first transaction stores the instant at which the story ends,
//! and a notice that the ledger knows adds nothing.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::request_context::RequestContext;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::sessions::passwords;
use gateway_identity::users::UserError;
use gateway_platform::notices::{Notices, Processed, Signed};
use gateway_platform::rentals::{RentalError, Rentals};
use gateway_platform::settlement::{Settlement, SettlementError};
use ledger_domain::calendar::{Date, start_of};
use ledger_store::LedgerPosition;
use ledger_store::log::shard_positions;
use projections::Model;
use serde::{Deserialize, Serialize};
use serde_json::json;
use thiserror::Error;
use tokio_postgres::GenericClient;

use super::paydays::{adjustments, payday_begins, payday_withdrawal, paydays, recent_withdrawals};
use super::records::{install, user_create};
use super::reversals::canceled_on;
use super::story::{Company, Story, StoryUser};
use super::trade::{TimedNotice, notices_until, unregistered_machine};
use super::withdrawals::PanelActions;

/// Notices sent concurrently: enough to fill the writer's batches.
const CONCURRENT_NOTICES: usize = 512;

/// Far more than the followers need, unless something is broken.
pub(super) const CAUGHT_UP_WITHIN: Duration = Duration::from_secs(60);

const SUBJECT: &str = "demo_story";

#[derive(Debug, Error)]
pub enum DemoError {
    #[error("the database is not empty")]
    NotEmpty,
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error(transparent)]
    User(#[from] UserError),
    #[error("a password of the story could not be hashed: {0}")]
    Password(String),
    #[error("the notice {id} of the story was not recorded: {why}")]
    NotTaken { id: String, why: String },
    #[error(transparent)]
    Settlement(#[from] SettlementError),
    #[error(transparent)]
    Rentals(#[from] RentalError),
    #[error(transparent)]
    Projections(#[from] projections::Error),
}

/// The result of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loaded {
    pub notices: usize,
    pub instalments_settled: usize,
}

pub struct Loader {
    pub pool: Pool,
    pub notices: Arc<Notices>,
    pub settlement: Settlement,
    pub rentals: Rentals,
    pub clock: BusinessClock,
}

/// The day and the instant at which the story ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct LoadState {
    today: Date,
    until: DateTime<Utc>,
}

/// The progress of a load.
enum Progress {
    Nothing,
    Begun(LoadState),
    Done,
    /// The database has records that are not the story's.
    Other,
}

impl Loader {
    /// Whether `load` would load: the database is empty, or a load was interrupted.
    pub async fn is_wanted(&self) -> Result<bool, DemoError> {
        Ok(matches!(
            progress(&**self.pool.get().await?).await?,
            Progress::Nothing | Progress::Begun(_)
        ))
    }

    /// Loads the story. `report` gets a sentence for each step.
    pub async fn load(&self, report: impl FnMut(String)) -> Result<Loaded, DemoError> {
        let context = RequestContext {
            clock: self.clock,
            ..RequestContext::default()
        };
        context.scope(self.load_story(report)).await
    }

    async fn load_story(&self, mut report: impl FnMut(String)) -> Result<Loaded, DemoError> {
        let story = Story::read();
        let state = match progress(&**self.pool.get().await?).await? {
            Progress::Begun(state) => state,
            Progress::Nothing => self.begin(&story).await?,
            Progress::Done | Progress::Other => return Err(DemoError::NotEmpty),
        };
        let timed = notices_until(&story, state.today, state.until);
        report(format!(
            "{} companies, {} users, {} notices",
            story.companies.len(),
            story.team.len(),
            timed.len()
        ));
        let settled = self.replay_weeks(&story, state, &timed, &mut report).await?;
        report(format!("{settled} installments settled"));
        self.report_unregistered_machine(state).await?;
        let done = Change {
            action: "load",
            subject: SUBJECT,
            subject_id: "done",
            before: None,
            after: Some(json!(state)),
        };
        record(&**self.pool.get().await?, Actor::System, done).await?;
        Ok(Loaded {
            notices: timed.len(),
            instalments_settled: settled,
        })
    }

    /// Runs Friday by Friday, so that every withdrawal finds exactly the balance that was settled by then. Returns
    /// the number of installments that were settled.
    async fn replay_weeks(
        &self,
        story: &Story,
        state: LoadState,
        timed: &[TimedNotice],
        report: &mut impl FnMut(String),
    ) -> Result<usize, DemoError> {
        let mut panel = PanelActions {
            story,
            pool: &self.pool,
            writer: &self.settlement.writer,
            wake: &self.settlement.wake,
            reached: LedgerPosition::default(),
        };
        let (mut settled, mut rest) = (0, timed);
        let paydays = paydays(state.today);
        for (place, day) in paydays.iter().enumerate() {
            let begins = payday_begins(*day);
            let until = rest.partition_point(|timed| timed.notice.occurred_at < begins);
            settled += self
                .send_and_settle(&rest[..until], *day, &mut panel.reached)
                .await?;
            rest = &rest[until..];
            for company in &story.companies {
                if let Some(sale) = canceled_on(company, *day, timed) {
                    self.cancel(&mut panel, company, sale, begins).await?;
                }
                for adjustment in adjustments(company, paydays.len() - place) {
                    panel.adjust(company, *day, begins, adjustment).await?;
                }
                if let Some(withdrawal) = payday_withdrawal(company, *day) {
                    panel.withdraw(company, &withdrawal).await?;
                }
            }
            report(format!("{} of {} notices", timed.len() - rest.len(), timed.len()));
        }
        let mut recent_withdrawals: Vec<_> = story
            .companies
            .iter()
            .flat_map(|company| {
                recent_withdrawals(company, state.until)
                    .into_iter()
                    .map(move |each| (company, each))
            })
            .collect();
        recent_withdrawals.sort_by_key(|(_, withdrawal)| withdrawal.asked_at);
        // Just after midnight, the last hours belong to yesterday, before today's settlement.
        let midnight = start_of(state.today);
        let (yesterday, today) = recent_withdrawals
            .split_at(recent_withdrawals.partition_point(|(_, withdrawal)| withdrawal.asked_at < midnight));
        let until = rest.partition_point(|timed| timed.notice.occurred_at < midnight);
        for (timed, day, withdrawals) in [
            (&rest[..until], state.today - TimeDelta::days(1), yesterday),
            (&rest[until..], state.today, today),
        ] {
            settled += self.send_and_settle(timed, day, &mut panel.reached).await?;
            for (company, withdrawal) in withdrawals {
                panel.withdraw(company, withdrawal).await?;
            }
        }
        // After the load, every screen shows the whole story.
        let wake = &self.settlement.wake;
        wake.wait_for(&self.pool, &Model::ALL, &panel.reached, CAUGHT_UP_WITHIN)
            .await?;
        Ok(settled)
    }

    async fn cancel(
        &self,
        panel: &mut PanelActions<'_>,
        company: &Company,
        sale: &TimedNotice,
        at: DateTime<Utc>,
    ) -> Result<(), DemoError> {
        let named = self.notices.intake.sale_named(sale.provider, &read(sale)?.notice);
        match named {
            Some(sale_id) => panel.cancel(company, sale_id, sale.notice.data.amount, at).await,
            None => Ok(()),
        }
    }

    async fn send_and_settle(
        &self,
        timed: &[TimedNotice],
        today: Date,
        reached: &mut LedgerPosition,
    ) -> Result<usize, DemoError> {
        reached.merge(&self.send(timed).await?);
        // The settlement reads the read model of sales.
        let wake = &self.settlement.wake;
        wake.wait_for(&self.pool, &[Model::Sales], reached, CAUGHT_UP_WITHIN)
            .await?;
        let clock = BusinessClock::stopped_on(today);
        let settlement = Settlement {
            clock,
            ..self.settlement.clone()
        };
        let settled = settlement.run(|_| ()).await?;
        let rentals = Rentals {
            clock,
            ..self.rentals.clone()
        };
        rentals.run().await?;
        // Later readers of balances must see the settled installments.
        reached.merge(&shard_positions(&**self.pool.get().await?).await?);
        Ok(settled.installments)
    }

    /// A sale of an unregistered card machine, which staff find in the exceptions queue.
    async fn report_unregistered_machine(&self, state: LoadState) -> Result<(), DemoError> {
        let signed = read(&unregistered_machine(state.until))?;
        let taken = self.notices.process(&signed).await;
        match taken.map_err(|error| not_taken(&signed, &error.to_string()))? {
            Processed::Waiting(_) => Ok(()),
            other => Err(not_taken(&signed, &format!("{other:?}"))),
        }
    }

    async fn begin(&self, story: &Story) -> Result<LoadState, DemoError> {
        let hashes = hash_passwords(&story.team).await?;
        let state = LoadState {
            today: self.clock.today(),
            until: self.clock.now(),
        };
        let mut client = self.pool.get().await?;
        let transaction = client.transaction().await?;
        install(&*transaction, story, state.today).await?;
        for (user, hash) in story.team.iter().zip(&hashes) {
            user_create(&*transaction, user, hash).await?;
        }
        let started = Change {
            action: "load",
            subject: SUBJECT,
            subject_id: "begun",
            before: None,
            after: Some(json!(state)),
        };
        record(&*transaction, Actor::System, started).await?;
        transaction.commit().await?;
        Ok(state)
    }

    /// Sends the notices in chunks of concurrent ones. The notices of one sale stay in order.
    async fn send(&self, timed: &[TimedNotice]) -> Result<LedgerPosition, DemoError> {
        let mut reached = LedgerPosition::default();
        for chunk in timed.chunks(CONCURRENT_NOTICES) {
            let signed: Vec<_> = chunk.iter().map(read).collect::<Result<_, _>>()?;
            for (taken, signed) in self.notices.process_all(&signed).await.into_iter().zip(&signed) {
                match taken.map_err(|error| not_taken(signed, &error.to_string()))? {
                    Processed::Recorded(position) | Processed::Duplicate(position) => {
                        reached.merge(&position)
                    }
                    other => return Err(not_taken(signed, &format!("{other:?}"))),
                }
            }
        }
        Ok(reached)
    }
}

fn read(timed: &TimedNotice) -> Result<Signed, DemoError> {
    Signed::read(timed.provider, &timed.notice.to_json()).map_err(|errors| DemoError::NotTaken {
        id: timed.notice.id.clone(),
        why: format!("{errors:?}"),
    })
}

fn not_taken(signed: &Signed, why: &str) -> DemoError {
    DemoError::NotTaken {
        id: signed.notice.id.clone(),
        why: why.to_owned(),
    }
}

async fn progress(client: &impl GenericClient) -> Result<Progress, tokio_postgres::Error> {
    let rows = client
        .query(
            "SELECT subject_id, after FROM audit_trail WHERE subject = $1 ORDER BY id",
            &[&SUBJECT],
        )
        .await?;
    if rows.iter().any(|row| row.get::<_, &str>("subject_id") == "done") {
        return Ok(Progress::Done);
    }
    if let Some(started) = rows.first() {
        let state: Result<LoadState, _> = serde_json::from_value(started.get("after"));
        return Ok(state.map_or(Progress::Other, Progress::Begun));
    }
    let row = client
        .query_one(
            "SELECT EXISTS (SELECT FROM business) OR EXISTS (SELECT FROM plan) OR EXISTS (SELECT FROM seller_user)
                 OR EXISTS (SELECT FROM admin_user)",
            &[],
        )
        .await?;
    let has_events = !shard_positions(client).await?.is_empty();
    Ok(if row.get(0) || has_events {
        Progress::Other
    } else {
        Progress::Nothing
    })
}

/// Hashes one password at a time. Two at a time would be faster, but this takes half a second, once.
async fn hash_passwords(team: &[StoryUser]) -> Result<Vec<String>, DemoError> {
    let words: Vec<String> = team.iter().map(|user| user.password.clone()).collect();
    let hashed = tokio::task::spawn_blocking(move || {
        words
            .iter()
            .map(|word| passwords::hash(word).map_err(|error| error.to_string()))
            .collect::<Result<Vec<_>, _>>()
    });
    hashed
        .await
        .map_err(|error| error.to_string())
        .and_then(|hashed| hashed)
        .map_err(DemoError::Password)
}
