//! What is wrong now, on one page: for each thing what it is, since when, how many rows or how much money, and the
//! section of the runbook that says what to do.
//!
//! Each figure is read by the function that serves the metrics or the screens. The limits are those of the alerts; a test
//! compares them with `deploy/alerts`. It only reads, so a role that may do nothing else can run it.

mod certificates;
mod ledger;
mod page;
mod proofs;
mod server;
mod service;
mod work;

use std::error::Error;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::{Config, ConfigFaults};
use ledger_domain::Cents;
use ledger_store::{Causes, Layout, migrate};
use serde::Serialize;
use tokio::time::timeout;
use tokio_postgres::Client;

use crate::app::{Database, start_clock};

/// A check that takes longer says so. The whole page is for somebody who waits for it.
const LOOK_MAX: Duration = Duration::from_secs(15);

type BoxError = Box<dyn Error + Send + Sync>;
type Found = Result<Vec<Finding>, BoxError>;

ledger_domain::words! {
    /// The sections of docs/operations/runbook.md.
    pub enum Section {
        ProgramDown = "The program is down",
        ProgramDoesNotStart = "The program does not start",
        DatabaseDown = "The database is down",
        LogTakesNoEvents = "The log takes no events",
        TooFewShards = "A process owns too few shards",
        RequestsFail = "Requests fail",
        TaskFails = "A task fails",
        ClockWrong = "A clock is wrong",
        ReadModelStopped = "A read model stopped",
        ReadModelsBehind = "Read models are behind",
        EffectStopped = "An effect stopped",
        AuditFindings = "The audit found something",
        AuditOverdue = "The audit did not run",
        NotSealed = "Rows or heads are not sealed",
        SettlementLate = "Settlement is late",
        PayoutsLate = "The bank does not answer",
        AcquirerLate = "An acquirer does not answer",
        ExceptionsOld = "Exceptions wait",
        EmailsStuck = "E-mails wait",
        ReplicaBehind = "The replica is behind",
        SessionsHoldOthersUp = "Sessions hold others up",
        PostgresqlNeedsUpkeep = "PostgreSQL needs upkeep",
        CertificateEnds = "A certificate ends",
    }
}

/// One line of the page.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The check that found it.
    check: &'static str,
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<i64>,
    #[serde(rename = "cents", skip_serializing_if = "Option::is_none")]
    amount: Option<i64>,
    /// `None` of what is worth knowing and not wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    runbook: Option<Section>,
}

impl Finding {
    fn wrong(runbook: Section, what: impl Into<String>) -> Self {
        Self {
            runbook: Some(runbook),
            ..Self::note(what)
        }
    }

    fn note(what: impl Into<String>) -> Self {
        Self {
            check: "",
            what: what.into(),
            since: None,
            rows: None,
            amount: None,
            runbook: None,
        }
    }

    fn since(self, since: impl Into<Option<DateTime<Utc>>>) -> Self {
        Self {
            since: since.into(),
            ..self
        }
    }

    fn since_seconds(self, age: impl Into<Option<i64>>) -> Self {
        let since = age
            .into()
            .and_then(TimeDelta::try_seconds)
            .and_then(|age| Utc::now().checked_sub_signed(age));
        self.since(since)
    }

    fn rows(self, rows: i64) -> Self {
        Self {
            rows: Some(rows),
            ..self
        }
    }

    fn amount(self, amount: Cents) -> Self {
        Self {
            amount: Some(amount.get()),
            ..self
        }
    }
}

/// What could not be looked at, with the cause.
#[derive(Debug, Clone, Serialize)]
pub struct NotSeen {
    check: &'static str,
    cause: String,
}

#[derive(Debug, Default, Serialize)]
pub struct Report {
    wrong: Vec<Finding>,
    /// Worth knowing, and not wrong.
    notes: Vec<Finding>,
    not_seen: Vec<NotSeen>,
    checked: Vec<&'static str>,
}

/// What the checks look at.
struct Place<'a> {
    config: &'a Config,
    database: &'a Database,
    client: &'a Client,
    /// Of the database, at the start.
    now: DateTime<Utc>,
    clock: BusinessClock,
    layout: Layout,
}

impl Report {
    pub const fn is_complete(&self) -> bool {
        self.not_seen.is_empty()
    }

    pub const fn is_good(&self) -> bool {
        self.wrong.is_empty()
    }

    /// The page for people.
    pub fn text(&self) -> String {
        page::text(self, Utc::now())
    }

    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// Adds what a check found, or why it could not look.
    async fn look(&mut self, check: &'static str, looking: impl Future<Output = Found>) {
        let found = timeout(LOOK_MAX, looking).await;
        let found =
            found.unwrap_or_else(|_| Err(format!("no answer within {} s", LOOK_MAX.as_secs()).into()));
        match found {
            Ok(findings) => {
                self.checked.push(check);
                for finding in findings {
                    let finding = Finding { check, ..finding };
                    match finding.runbook {
                        Some(_) => self.wrong.push(finding),
                        None => self.notes.push(finding),
                    }
                }
            }
            Err(error) => self.not_seen.push(NotSeen {
                check,
                cause: Causes(&*error).to_string(),
            }),
        }
    }

    fn add_unseen(&mut self, check: &'static str, cause: &str) {
        self.not_seen.push(NotSeen {
            check,
            cause: cause.to_owned(),
        });
    }
}

/// Looks at everything. `faults` are those of the service's configuration; `None` if the environment is not the
/// service's, and then no process is asked either.
pub async fn examine(config: &Config, database: &Database, faults: Option<&ConfigFaults>) -> Report {
    let mut report = Report::default();
    if let Some(ConfigFaults(faults)) = faults {
        let faults = faults
            .iter()
            .map(|fault| Finding::wrong(Section::ProgramDoesNotStart, fault.clone()));
        let faults = Ok(faults.collect());
        report.look("configuration", async { faults }).await;
        report.look("processes", service::processes(config)).await;
    }
    // A certificate that has ended is why the database cannot be reached.
    report
        .look("certificates", certificates::certificates(config))
        .await;
    let client = match timeout(LOOK_MAX, database.pool().get()).await {
        Ok(Ok(client)) => client,
        Ok(Err(error)) => {
            report.lose_database(&Causes(&error).to_string());
            return report;
        }
        Err(_) => {
            report.lose_database(&format!("no answer within {} s", LOOK_MAX.as_secs()));
            return report;
        }
    };
    report.checked.push("database");
    report.look("schema", schema(&client)).await;
    match place(config, database, &client).await {
        Ok(place) => report.look_at(&place).await,
        Err(error) => report.add_unseen("the ledger and the server", &Causes(&*error).to_string()),
    }
    report
}

impl Report {
    fn lose_database(&mut self, cause: &str) {
        let lost = Finding::wrong(
            Section::DatabaseDown,
            format!("the database cannot be reached: {cause}"),
        );
        self.wrong.push(Finding {
            check: "database",
            ..lost
        });
        self.add_unseen("everything in the database", cause);
    }

    async fn look_at(&mut self, place: &Place<'_>) {
        self.look("clock", clock(place)).await;
        self.look("shards", ledger::shards(place)).await;
        self.look("read models", ledger::read_models(place)).await;
        self.look("effects", ledger::effects(place)).await;
        self.look("settlement", ledger::settlement(place)).await;
        self.look("balances", ledger::balances(place)).await;
        self.look("payouts", work::payouts(place)).await;
        self.look("refunds", work::refunds(place)).await;
        self.look("orders", work::orders(place)).await;
        self.look("e-mails", work::emails(place)).await;
        self.look("exceptions", work::exceptions(place)).await;
        self.look("audits", proofs::audits(place)).await;
        self.look("signed heads", proofs::heads(place)).await;
        self.look("seals", proofs::seals(place)).await;
        self.look("durability", server::durability_of_commits(place))
            .await;
        self.look("replication", server::replication(place)).await;
        self.look("sessions", server::sessions(place)).await;
        self.look("locks", server::locks(place)).await;
        self.look("vacuum", server::vacuum(place)).await;
        self.look("statements", server::slow_statements(place)).await;
        if place.config.database.server.is_none() {
            self.look("disk", async { server::disk(place) }).await;
        }
        if place.config.database.replica.is_some() {
            self.look("replica for reads", server::replica(place)).await;
        }
    }
}

async fn place<'a>(
    config: &'a Config,
    database: &'a Database,
    client: &'a Client,
) -> Result<Place<'a>, BoxError> {
    let clock = start_clock(config, database.pool()).await?;
    let now = client
        .query_typed_one("SELECT clock_timestamp()", &[])
        .await?
        .get(0);
    Ok(Place {
        config,
        database,
        client,
        now,
        clock,
        layout: Layout::of(client).await?,
    })
}

/// Behind or ahead of this program.
async fn schema(client: &Client) -> Found {
    match migrate::check(client).await {
        Ok(()) => Ok(vec![]),
        Err(migrate::MigrateError::Database(error)) => Err(error.into()),
        Err(fault) => Ok(vec![Finding::wrong(
            Section::ProgramDoesNotStart,
            fault.to_string(),
        )]),
    }
}

/// A clock of a development variable is not compared.
async fn clock(place: &Place<'_>) -> Found {
    let fault = place.clock.fault();
    let finding = fault.map(|fault| {
        let what = format!("{fault}: {}", fault.consequence());
        Finding::wrong(Section::ClockWrong, what)
    });
    Ok(finding.into_iter().collect())
}

/// A number and its noun, such as `1 event` and `2 events`.
fn counted(count: i64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNBOOK: &str = include_str!("../../../docs/operations/runbook.md");
    const ALERTS: &str = include_str!("../../../deploy/alerts/razao.rules.yml");

    #[test]
    fn every_section_is_in_the_runbook() {
        for section in Section::ALL {
            let heading = format!("## {}", section.as_str());
            assert!(RUNBOOK.lines().any(|line| line == heading), "{heading}");
        }
    }

    #[test]
    fn the_limits_are_those_of_the_alerts() {
        let limits = [
            (
                "razao_exceptions_oldest_seconds",
                work::EXCEPTIONS_OLD.num_seconds(),
            ),
            (
                "razao_projections_lag_events",
                gateway_http::health::readiness::LAG_EVENTS_MAX,
            ),
            (
                "razao_audit_verify_ended_timestamp_seconds",
                proofs::AUDIT_OVERDUE.num_seconds(),
            ),
            ("razao_emails_oldest_waiting_seconds", 900),
        ];
        for (metric, limit) in limits {
            let rule = ALERTS
                .lines()
                .find(|line| line.contains(metric) && line.contains('>'));
            let rule = rule.unwrap_or_else(|| panic!("a rule about {metric}"));
            assert!(rule.ends_with(&format!("> {limit}")), "{rule} is not {limit}");
        }
    }
}
