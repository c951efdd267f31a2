//! The gauges of one gateway at the moment of the scrape. They are rendered directly, because the recorder belongs to the
//! process and the values belong to one gateway.

use chrono::TimeDelta;
use ledger_domain::calendar::start_of;
use ledger_store::SHARDS;
use ledger_store::supervisor::TaskStatus;

use super::page::Page;
use crate::health::readiness::{Figures, Readiness};
use crate::health::slow_figures::SlowFigures;

pub struct StatusGauges {
    pub readiness: Readiness,
    pub pool_open: usize,
    pub pool_idle: usize,
    /// Tasks that wait for a connection.
    pub pool_wanted: usize,
    pub tasks: Vec<TaskStatus>,
    /// The machine's time less the database's.
    pub clock_difference: Option<TimeDelta>,
    /// `None` while the database cannot be read.
    pub slow: Option<SlowFigures>,
}

/// The failures of each task begin at 0, as the other counters do.
pub fn begin_task_failures(tasks: &[TaskStatus]) {
    for TaskStatus { task, .. } in tasks {
        metrics::counter!("razao_task_failures_total", "task" => task.clone()).increment(0);
    }
}

impl StatusGauges {
    pub fn render(&self) -> String {
        let mut page = Page::default();
        self.add_process(&mut page);
        add_figures(&mut page, self.readiness.figures.as_ref());
        add_slow_figures(&mut page, self.slow.as_ref());
        self.add_tasks(&mut page);
        page.into_text()
    }

    /// What the process can do, its shards and its clock.
    fn add_process(&self, page: &mut Page) {
        let readiness = &self.readiness;
        page.gauge(
            "razao_database_up",
            "Whether the database could be read for this scrape.",
            &[("", Some(u8::from(readiness.database)))],
        );
        page.gauge(
            "razao_ready",
            "Whether the process answers reads, and whether commands of every company are recorded.",
            &[
                ("kind=\"reads\"", Some(u8::from(readiness.reads))),
                ("kind=\"writes\"", Some(u8::from(readiness.writes))),
            ],
        );
        page.gauge(
            "razao_pool_connections",
            "Connections of the pool to the database; wanted are the tasks that wait for one.",
            &[
                ("state=\"open\"", Some(self.pool_open)),
                ("state=\"idle\"", Some(self.pool_idle)),
                ("state=\"wanted\"", Some(self.pool_wanted)),
            ],
        );
        let owned = &readiness.shards;
        page.gauge(
            "razao_ledger_shards_owned",
            "Shards of the log that this process owns.",
            &[("", Some(owned.len()))],
        );
        let labels: Vec<_> = (0..SHARDS)
            .map(|shard| (format!("shard=\"{shard}\""), owned.contains(&shard)))
            .collect();
        let each: Vec<_> = labels
            .iter()
            .map(|(label, is_owned)| (label.as_str(), Some(u8::from(*is_owned))))
            .collect();
        page.gauge(
            "razao_ledger_shard_owned",
            "Whether this process owns the shard of the log.",
            &each,
        );
        page.gauge(
            "razao_clock_difference_seconds",
            "The machine's time less the database's; absent for a clock that is not compared.",
            &[("", self.clock_difference.map(seconds))],
        );
    }

    /// A task is down if it failed and has not succeeded since. Task names are constants of the program and need no
    /// escaping.
    fn add_tasks(&self, page: &mut Page) {
        let labels: Vec<_> = self
            .tasks
            .iter()
            .map(|TaskStatus { task, failing, .. }| (format!("task=\"{task}\""), !failing))
            .collect();
        let each: Vec<_> = labels
            .iter()
            .map(|(label, up)| (label.as_str(), Some(u8::from(*up))))
            .collect();
        page.gauge(
            "razao_task_up",
            "Whether the task runs; 0 if it failed and has not succeeded since.",
            &each,
        );
    }
}

/// With three decimals, such as `-0.002`.
fn seconds(difference: TimeDelta) -> String {
    let milliseconds = difference.num_milliseconds();
    let sign = if milliseconds < 0 { "-" } else { "" };
    let (whole, rest) = (
        milliseconds.unsigned_abs() / 1_000,
        milliseconds.unsigned_abs() % 1_000,
    );
    format!("{sign}{whole}.{rest:03}")
}

/// Absent while the database cannot be read.
fn add_figures(page: &mut Page, figures: Option<&Figures>) {
    let of = |value: fn(&Figures) -> i64| figures.map(value);
    let count = |value: fn(&Figures) -> usize| figures.map(value);
    page.gauge(
        "razao_projections_stopped",
        "Read models that stopped before an event that they cannot apply, counted by shard.",
        &[("", count(|figures| figures.models_stopped))],
    );
    page.gauge(
        "razao_projections_lag_events",
        "Events that the slowest read model has not applied, in the shard that has the most of them.",
        &[("", of(|figures| figures.lag_events))],
    );
    page.gauge(
        "razao_effects_stopped",
        "Effects that stopped before an event that they cannot apply, counted by shard.",
        &[("", count(|figures| figures.effects_stopped))],
    );
    page.gauge(
        "razao_payouts",
        "Payouts that have not ended; late ones are open for longer than a bank may take.",
        &[
            ("state=\"open\"", of(|figures| figures.payouts_open)),
            ("state=\"late\"", of(|figures| figures.payouts_late)),
        ],
    );
    page.gauge(
        "razao_refunds",
        "Refunds that have not ended; late ones are open for longer than an acquirer may take.",
        &[
            ("state=\"open\"", of(|figures| figures.refunds_open)),
            ("state=\"late\"", of(|figures| figures.refunds_late)),
        ],
    );
    page.gauge(
        "razao_order_attempts",
        "Attempts of orders that have not ended; late ones wait for an acquirer for longer than it may take.",
        &[
            ("state=\"open\"", of(|figures| figures.orders_open)),
            ("state=\"late\"", of(|figures| figures.orders_late)),
        ],
    );
    page.gauge(
        "razao_emails_waiting",
        "E-mails that are not sent yet.",
        &[("", of(|figures| figures.emails_waiting))],
    );
    page.gauge(
        "razao_emails_oldest_waiting_seconds",
        "Age of the oldest e-mail that waits; 0 if none does.",
        &[("", of(|figures| figures.emails_oldest_seconds))],
    );
    page.gauge(
        "razao_report_emails_late",
        "Reports by e-mail that were due before today.",
        &[("", of(|figures| figures.report_emails_late))],
    );
}

fn add_slow_figures(page: &mut Page, slow: Option<&SlowFigures>) {
    let due = slow.and_then(|figures| figures.oldest_due.due_date);
    page.gauge(
        "razao_receivables_oldest_due_timestamp_seconds",
        "The oldest due date with an installment that is not settled, as the day's first second in Brasilia since 1970; \
         absent if there is none.",
        &[("", due.map(|date| start_of(date).timestamp()))],
    );
    page.gauge(
        "razao_receivables_overdue_days",
        "Days of companies with installments that were due before today and are not settled; counted up to 10000.",
        &[("", slow.map(|figures| figures.oldest_due.late))],
    );
    page.gauge(
        "razao_negative_balances",
        "Companies whose available balance is below zero.",
        &[("", slow.map(|figures| figures.negative.companies))],
    );
    page.gauge(
        "razao_negative_balances_cents",
        "The sum of the available balances below zero, in cents; it is negative or 0.",
        &[("", slow.map(|figures| figures.negative.available.get()))],
    );
    page.gauge(
        "razao_exceptions_oldest_seconds",
        "Age of the oldest exception that waits; 0 if none does.",
        &[("", slow.map(|figures| figures.exceptions_oldest_seconds))],
    );
    let parts: Vec<_> = slow
        .into_iter()
        .flat_map(|figures| &figures.verifications)
        .collect();
    let labels: Vec<_> = parts
        .iter()
        .map(|last| format!("kind=\"{}\"", last.part.as_str()))
        .collect();
    let of = |value: fn(i64, i64) -> i64| -> Vec<(&str, Option<i64>)> {
        let each = labels.iter().zip(&parts);
        each.map(|(label, last)| {
            let value = value(last.findings, last.ended_at.timestamp());
            (label.as_str(), Some(value))
        })
        .collect()
    };
    page.gauge(
        "razao_audit_verify_findings",
        "Findings of the last audit verify: broken chains and all other differences, in the log and in the rows outside \
         of it; absent if it never ran.",
        &of(|findings, _| findings),
    );
    page.gauge(
        "razao_audit_verify_ended_timestamp_seconds",
        "When the last audit verify ended, in seconds since 1970; absent if it never ran.",
        &of(|_, ended_at| ended_at),
    );
    page.gauge(
        "razao_audit_recent_behind_events",
        "Events that the verification in the background has not read yet.",
        &[("", slow.map(|figures| figures.recent_behind))],
    );
    let kept_at = slow.and_then(|figures| figures.heads_outside_at);
    page.gauge(
        "razao_heads_outside_timestamp_seconds",
        "When signed heads were last written outside of the database, in seconds since 1970; absent if they never were.",
        &[("", kept_at.map(|at| at.timestamp()))],
    );
}
