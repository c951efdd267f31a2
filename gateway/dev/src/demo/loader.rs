//! Loads the demo story. One transaction writes the records, users, links and messages. Then the loader writes the past
//! orders, sends each week's sales as notices and settles the installments that are due. It charges the rentals of a
//! new month, and runs each Friday's cancels and withdrawals.
//!
//! An interrupted load can be repeated. The first transaction stores the instant at which the story ends, and a
//! repeated notice records nothing.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::request_context::RequestContext;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::credentials::passwords;
use gateway_identity::users::UserError;
use gateway_platform::notices::Notices;
use gateway_platform::orders::Orders;
use gateway_platform::reconciliation::{Reconciliation, ReconciliationError};
use gateway_platform::rentals::{RentalError, Rentals};
use gateway_platform::settlement::{Settlement, SettlementError};
use ledger_domain::calendar::{Date, start_of};
use ledger_store::LedgerPosition;
use ledger_store::log::shard_positions;
use projections::ReadModelGroup;
use serde_json::json;
use thiserror::Error;

use super::back_office;
use super::link_sales::LinkOrder;
use super::links::install_links;
use super::orders::{install_openings, install_orders, past_charges};
use super::progress::{AUDIT_SUBJECT, Progress, StoryEnd, progress};
use super::recent_orders::recent_orders;
use super::records::{install, user_create};
use super::reversals::canceled_on;
use super::sending::to_signed;
use super::settlements::import_reports;
use super::story::{Company, Story, StoryUser};
use super::trade::{DemoNotice, notices_of, notices_until, orders_until};
use super::withdrawal_plan::{
    adjustments, planned_withdrawal, recent_withdrawals, withdrawal_days, withdrawals_begin,
};
use super::withdrawals::PanelActions;
use crate::sandbox::ChargeBook;

/// Far more than the followers need, unless something is broken.
pub(super) const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(60);

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
    #[error("{id} of the story was not recorded: {why}")]
    NotRecorded { id: String, why: String },
    #[error(transparent)]
    Settlement(#[from] SettlementError),
    #[error(transparent)]
    Rentals(#[from] RentalError),
    #[error("the charges of the sandbox cannot be written: {0}")]
    Charges(#[from] std::io::Error),
    #[error(transparent)]
    Reconciliation(#[from] ReconciliationError),
    #[error(transparent)]
    Projections(#[from] projections::Error),
}

/// The result of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadCounts {
    pub notices: usize,
    pub installments_settled: usize,
}

pub struct Loader {
    pub pool: Pool,
    pub notices: Arc<Notices>,
    pub settlement: Settlement,
    pub rentals: Rentals,
    pub orders: Arc<Orders>,
    pub reconciliation: Reconciliation,
    /// The sandbox's charges. The load adds those of attempts that have ended.
    pub charges: ChargeBook,
    pub clock: BusinessClock,
}

impl Loader {
    /// True if the database is empty or a load was interrupted.
    pub async fn can_load(&self) -> Result<bool, DemoError> {
        Ok(matches!(
            progress(&**self.pool.get().await?).await?,
            Progress::Nothing | Progress::Begun(_)
        ))
    }

    /// Loads the story. `report` gets a line of text for each step.
    pub async fn load(&self, report: impl FnMut(String)) -> Result<LoadCounts, DemoError> {
        let context = RequestContext {
            clock: self.clock,
            ..RequestContext::default()
        };
        context.scope(self.load_story(report)).await
    }

    async fn load_story(&self, mut report: impl FnMut(String)) -> Result<LoadCounts, DemoError> {
        let story = Story::read();
        let end = match progress(&**self.pool.get().await?).await? {
            Progress::Begun(end) => end,
            Progress::Nothing => self.begin(&story).await?,
            Progress::Done | Progress::NotOurs => return Err(DemoError::NotEmpty),
        };
        let orders = orders_until(&story, end.day, end.instant);
        let (open, past): (Vec<_>, Vec<_>) = orders
            .into_iter()
            .partition(|order| order.has_open_attempt(end.instant));
        install_orders(&self.pool, &story, &past, end.instant).await?;
        self.charges.remember(past_charges(&past, end.instant))?;
        // Open orders and their notices are added last, because the worker takes them at once.
        let is_open: HashSet<_> = open.iter().map(|order| order.name.as_str()).collect();
        let in_open = |notice: &DemoNotice| {
            let attempt = notice.attempt.as_ref();
            attempt.is_some_and(|attempt| is_open.contains(attempt.order.as_str()))
        };
        let mut notices = notices_until(&story, end.day, end.instant);
        notices.retain(|notice| !in_open(notice));
        report(format!(
            "{} companies, {} users, {} notices",
            story.companies.len(),
            story.team.len(),
            notices.len()
        ));
        let settled = self.load_weeks(&story, end, &notices, &mut report).await?;
        report(format!("{settled} installments settled"));
        self.report_unregistered_machine(end.instant).await?;
        self.load_open_orders(&story, past, open, end).await?;
        if let Some(admin) = story.team.iter().find(|user| user.panel == "admin") {
            import_reports(&self.reconciliation, &notices, admin.id(), end).await?;
        }
        let done = Change {
            action: "load",
            subject: AUDIT_SUBJECT,
            subject_id: "done",
            before: None,
            after: Some(json!(end)),
        };
        record(&**self.pool.get().await?, Actor::System, done).await?;
        Ok(LoadCounts {
            notices: notices.len(),
            installments_settled: settled,
        })
    }

    /// Adds the open orders, which the order worker then charges at the sandbox, and how often the links were opened.
    async fn load_open_orders(
        &self,
        story: &Story,
        past: Vec<LinkOrder>,
        mut open: Vec<LinkOrder>,
        end: StoryEnd,
    ) -> Result<(), DemoError> {
        open.extend(recent_orders(end.instant));
        install_orders(&self.pool, story, &open, end.instant).await?;
        self.charges.remember(past_charges(&open, end.instant))?;
        let notices = notices_of(open.iter().flat_map(|order| &order.attempts), end.instant);
        let reached = self.send(&notices).await?;
        self.orders.wake();
        let all: Vec<_> = past.into_iter().chain(open).collect();
        install_openings(&**self.pool.get().await?, story, &all).await?;
        let wake = &self.settlement.wake;
        wake.wait_for(&self.pool, &ReadModelGroup::ALL, &reached, CATCH_UP_TIMEOUT)
            .await?;
        Ok(())
    }

    /// Loads the weeks one by one, each up to its Friday, so that a withdrawal finds the balance of that Friday.
    /// Returns the number of installments that were settled.
    async fn load_weeks(
        &self,
        story: &Story,
        end: StoryEnd,
        notices: &[DemoNotice],
        report: &mut impl FnMut(String),
    ) -> Result<usize, DemoError> {
        let mut panel = PanelActions {
            story,
            pool: &self.pool,
            writer: &self.settlement.writer,
            wake: &self.settlement.wake,
            reached: LedgerPosition::default(),
        };
        let (mut settled, mut rest) = (0, notices);
        let days = withdrawal_days(end.day);
        for (index, day) in days.iter().enumerate() {
            let begins = withdrawals_begin(*day);
            let until = rest.partition_point(|notice| notice.content.occurred_at < begins);
            settled += self
                .send_and_settle(&rest[..until], *day, &mut panel.reached)
                .await?;
            rest = &rest[until..];
            for company in &story.companies {
                if let Some(sale) = canceled_on(company, *day, notices) {
                    self.cancel(&mut panel, company, sale, begins).await?;
                }
                for adjustment in adjustments(company, days.len() - index) {
                    panel.adjust(company, *day, begins, adjustment).await?;
                }
                if let Some(withdrawal) = planned_withdrawal(company, *day) {
                    panel.withdraw(company, &withdrawal).await?;
                }
            }
            report(format!(
                "{} of {} notices",
                notices.len() - rest.len(),
                notices.len()
            ));
        }
        settled += self.load_last_days(&mut panel, rest, end).await?;
        // Every screen then shows what was loaded.
        let wake = &self.settlement.wake;
        wake.wait_for(&self.pool, &ReadModelGroup::ALL, &panel.reached, CATCH_UP_TIMEOUT)
            .await?;
        Ok(settled)
    }

    /// Sends the notices since the last Friday and requests the recent withdrawals. Returns the number of installments
    /// that were settled.
    async fn load_last_days(
        &self,
        panel: &mut PanelActions<'_>,
        rest: &[DemoNotice],
        end: StoryEnd,
    ) -> Result<usize, DemoError> {
        let mut recent_withdrawals: Vec<_> = panel
            .story
            .companies
            .iter()
            .flat_map(|company| {
                recent_withdrawals(company, end.instant)
                    .into_iter()
                    .map(move |each| (company, each))
            })
            .collect();
        recent_withdrawals.sort_by_key(|(_, withdrawal)| withdrawal.requested_at);
        // Shortly after midnight, some of the recent withdrawals were requested yesterday. They must precede today's
        // settlement.
        let midnight = start_of(end.day);
        let (yesterday, today) = recent_withdrawals.split_at(
            recent_withdrawals.partition_point(|(_, withdrawal)| withdrawal.requested_at < midnight),
        );
        let until = rest.partition_point(|notice| notice.content.occurred_at < midnight);
        let mut settled = 0;
        for (notices, day, withdrawals) in [
            (&rest[..until], end.day - TimeDelta::days(1), yesterday),
            (&rest[until..], end.day, today),
        ] {
            settled += self.send_and_settle(notices, day, &mut panel.reached).await?;
            for (company, withdrawal) in withdrawals {
                panel.withdraw(company, withdrawal).await?;
            }
        }
        // Not yesterday: the court takes what was settled today too.
        let at = (end.instant - TimeDelta::minutes(5)).max(midnight);
        let story = panel.story;
        for company in &story.companies {
            match company.key.as_str() {
                // After the withdrawals, for which it leaves nothing.
                "farmacia" => {
                    panel.order_by_court(company, at).await?;
                    panel.charge_machine(company, at).await?;
                }
                "eletronicos" => panel.send_document(company, at).await?,
                _ => {}
            }
        }
        Ok(settled)
    }

    async fn cancel(
        &self,
        panel: &mut PanelActions<'_>,
        company: &Company,
        sale: &DemoNotice,
        at: DateTime<Utc>,
    ) -> Result<(), DemoError> {
        let named = self
            .notices
            .intake
            .sale_id_of(sale.provider, &to_signed(sale)?.notice);
        match named {
            Some(sale_id) => panel.cancel(company, sale_id, sale.content.data.amount, at).await,
            None => Ok(()),
        }
    }

    async fn send_and_settle(
        &self,
        notices: &[DemoNotice],
        today: Date,
        reached: &mut LedgerPosition,
    ) -> Result<usize, DemoError> {
        reached.merge(&self.send(notices).await?);
        // The settlement reads the read model of sales.
        let wake = &self.settlement.wake;
        wake.wait_for(&self.pool, &[ReadModelGroup::Sales], reached, CATCH_UP_TIMEOUT)
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

    async fn begin(&self, story: &Story) -> Result<StoryEnd, DemoError> {
        let hashes = hash_passwords(&story.team).await?;
        let end = StoryEnd {
            day: self.clock.today(),
            instant: self.clock.now(),
        };
        let mut client = self.pool.get().await?;
        let transaction = client.transaction().await?;
        install(&*transaction, story, end.day).await?;
        for (user, hash) in story.team.iter().zip(&hashes) {
            user_create(&*transaction, user, hash).await?;
        }
        let orders = orders_until(story, end.day, end.instant);
        install_links(&*transaction, story, &orders, end.day, end.instant).await?;
        back_office::install(&*transaction, story, end.instant).await?;
        let started = Change {
            action: "load",
            subject: AUDIT_SUBJECT,
            subject_id: "begun",
            before: None,
            after: Some(json!(end)),
        };
        record(&*transaction, Actor::System, started).await?;
        transaction.commit().await?;
        Ok(end)
    }
}

async fn hash_passwords(team: &[StoryUser]) -> Result<Vec<String>, DemoError> {
    let passwords: Vec<String> = team.iter().map(|user| user.password.clone()).collect();
    let hashed = tokio::task::spawn_blocking(move || {
        passwords
            .iter()
            .map(|password| passwords::hash(password).map_err(|error| error.to_string()))
            .collect::<Result<Vec<_>, _>>()
    });
    hashed
        .await
        .map_err(|error| error.to_string())
        .and_then(|hashed| hashed)
        .map_err(DemoError::Password)
}
