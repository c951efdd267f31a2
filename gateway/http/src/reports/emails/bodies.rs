//! Reports by e-mail in answers.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use gateway_identity::reports::{Every, ReportEmail as Record, StoppedBy};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::edge::QueryValue;
use crate::reports::names::ReportName;
use crate::shared::schemas::string_enum;

string_enum!(
    /// week: each Monday to Sunday. month: each calendar month. Days are those in Brasília. A period is sent once it
    /// has ended.
    Rhythm {
        Week = "week",
        Month = "month",
    }
);

impl From<Every> for Rhythm {
    fn from(every: Every) -> Self {
        match every {
            Every::Week => Self::Week,
            Every::Month => Self::Month,
        }
    }
}

string_enum!(
    /// access: the user may no longer read the report. filters: the report no longer takes the filters, or its file has
    /// too many rows.
    StopReason {
        Access = "access",
        Filters = "filters",
    }
);

/// A report that the user gets by e-mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportEmail {
    #[schema(example = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b21")]
    pub id: Uuid,
    pub report: ReportName,
    /// The title of the report's screen.
    #[schema(example = "Relatório de totais")]
    pub title: &'static str,
    pub every: Rhythm,
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
    pub stopped: Option<StopReason>,
}

impl ReportEmail {
    /// `None` for a report that this version does not have, and for one that the user stopped.
    pub fn of(record: Record) -> Option<Self> {
        let report = <ReportName as QueryValue>::parse(&record.report)?;
        let stopped = match record.stopped {
            None => None,
            Some((_, StoppedBy::Access)) => Some(StopReason::Access),
            Some((_, StoppedBy::Filters)) => Some(StopReason::Filters),
            Some((_, StoppedBy::User)) => return None,
        };
        let next = stopped
            .is_none()
            .then(|| record.every.period_before(record.due_on));
        Some(Self {
            id: record.id,
            report,
            title: report.title(),
            every: record.every.into(),
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
