//! Reports by e-mail in requests and answers.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use gateway_environment::request_context;
use gateway_platform::reports::{Filters, ReportEmail as Record, ReportName, Rhythm, StoppedBy};
use ledger_domain::calendar::business_date;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::reports::filters::{filters, refuse_filters};
use crate::shared::form::{form, optional, word};
use crate::shared::schemas::Word;

pub type ReportWord = Word<ReportName>;
pub type RhythmWord = Word<Rhythm>;
pub type StopWord = Word<StopReason>;

ledger_domain::words! {
    /// access: the user may no longer read the report. filters: the report no longer takes the filters, or its file has
    /// too many rows.
    pub enum StopReason {
        Access = "access" => "Parado: sem acesso",
        Filters = "filters" => "Parado: filtros inválidos",
    }
}

pub struct ReportEmailForm {
    pub report: ReportName,
    pub rhythm: Rhythm,
    pub filters: Filters,
}

form! {
    impl FromBody for ReportEmailForm with form {
        report: ReportName = word(),
        every: Rhythm = word(),
        /// Query parameters of the report's call, without `start` and `end`: the period is each week or month.
        #[example = json!({ "brand": "visa" })]
        filters: Option<Filters> = optional(filters()),
    } => {
        let filters = filters.unwrap_or_default();
        let has_period = filters.contains_key("start") || filters.contains_key("end");
        for end in ["start", "end"].into_iter().filter(|end| filters.contains_key(*end)) {
            let message = "O período de cada e-mail é a semana ou o mês que terminou.";
            form.error(&format!("filters.{end}"), message);
        }
        if !has_period {
            // The filters are checked with the period that ended last, because the job will send such periods.
            let now = request_context::now();
            let (running, _) = every.period_before(every.end_after(business_date(now)));
            let within = report.filters_within(&filters, every.period_before(running));
            refuse_filters(form, report, &within, now);
        }
        Self { report, rhythm: every, filters }
    }
}

/// A report that the user gets by e-mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportEmail {
    #[schema(example = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b21")]
    pub id: Uuid,
    pub report: ReportWord,
    /// The title of the report's screen.
    #[schema(example = "Relatório de totais")]
    pub title: &'static str,
    pub every: RhythmWord,
    /// Query parameters of the report's call. The period is each week or month.
    #[schema(example = json!({ "brand": "visa" }))]
    pub filters: BTreeMap<String, String>,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
    /// The first day of the period that is sent next. Null if the e-mails have stopped.
    #[schema(required = true, example = "2026-11-16")]
    pub next_start: Option<NaiveDate>,
    /// The last day of the period that is sent next; its e-mail follows on the day after it. Null if the e-mails have
    /// stopped.
    #[schema(required = true, example = "2026-11-22")]
    pub next_end: Option<NaiveDate>,
    /// The last day of the last period that was sent.
    #[schema(required = true, example = "2026-11-15")]
    pub last_sent: Option<NaiveDate>,
    /// Why the e-mails have stopped. Null while they are sent.
    #[schema(required = true)]
    pub stopped: Option<StopWord>,
}

impl ReportEmail {
    /// `None` for a report that this version does not have, and for one that the user stopped.
    pub fn of(record: Record) -> Option<Self> {
        let report = ReportName::parse(&record.report).ok()?;
        let stopped = match record.stopped {
            None => None,
            Some((_, StoppedBy::Access)) => Some(StopReason::Access.into()),
            Some((_, StoppedBy::Filters)) => Some(StopReason::Filters.into()),
            Some((_, StoppedBy::User)) => return None,
        };
        let next = stopped
            .is_none()
            .then(|| record.rhythm.period_before(record.due_on));
        Some(Self {
            id: record.id,
            report: report.into(),
            title: report.label(),
            every: record.rhythm.into(),
            filters: record.filters,
            created_at: record.created_at,
            next_start: next.map(|(start, _)| start),
            next_end: next.map(|(_, end)| end),
            last_sent: record.last_sent,
            stopped,
        })
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReportEmailList {
    pub data: Vec<ReportEmail>,
}

/// A workbook with one sheet, `Sheet1`.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary, example = "PK…")]
#[expect(dead_code, reason = "only documents the body of a file")]
pub struct ReportFile(Vec<u8>);
