//! The form of a report by e-mail.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use gateway_identity::reports::Every;
use ledger_domain::calendar::business_date;
use serde::Deserialize;
use utoipa::ToSchema;

use super::bodies::Rhythm;
use super::file::with_period;
use crate::edge::query::QueryWord;
use crate::edge::{FormErrors, QueryValue};
use crate::problem::Result;
use crate::reports::names::ReportName;
use crate::reports::views::refuse_filters;

#[derive(Debug, Deserialize, ToSchema)]
pub struct ReportEmailForm {
    #[schema(required = true, nullable = false, value_type = ReportName)]
    pub report: Option<String>,
    #[schema(required = true, nullable = false, value_type = Rhythm)]
    pub every: Option<String>,
    /// Query parameters of the report's call, without `start` and `end`: the period is each week or month.
    #[schema(nullable = false, example = json!({ "brand": "visa" }))]
    pub filters: Option<BTreeMap<String, String>>,
}

pub struct ValidReportEmail {
    pub report: ReportName,
    pub every: Every,
    pub filters: BTreeMap<String, String>,
}

impl ReportEmailForm {
    pub fn read(self, now: DateTime<Utc>) -> Result<ValidReportEmail> {
        let mut errors = FormErrors::default();
        let report = self.report.as_deref().and_then(<ReportName as QueryValue>::parse);
        if report.is_none() {
            errors.add("report", <ReportName as QueryWord>::INVALID);
        }
        let every = match self.every.as_deref() {
            Some("week") => Some(Every::Week),
            Some("month") => Some(Every::Month),
            _ => {
                errors.add("every", "Deve ser week ou month.");
                None
            }
        };
        let filters = self.filters.unwrap_or_default();
        for end in ["start", "end"]
            .into_iter()
            .filter(|end| filters.contains_key(*end))
        {
            let message = "O período de cada e-mail é a semana ou o mês que terminou.";
            errors.add(&format!("filters.{end}"), message);
        }
        if let (Some(report), Some(every), false) = (report, every, !errors.is_empty()) {
            // The filters are checked with the period that ended last, because the job will send such periods.
            let (running, _) = every.period_before(every.end_after(business_date(now)));
            let period = every.period_before(running);
            refuse_filters(&mut errors, report, &with_period(report, &filters, period), now);
        }
        errors.finish()?;
        match (report, every) {
            (Some(report), Some(every)) => Ok(ValidReportEmail {
                report,
                every,
                filters,
            }),
            _ => Err(crate::Problem::internal("an invalid form without an error")),
        }
    }
}
