//! Saved views in answers.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use gateway_identity::reports::SavedView;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::edge::QueryValue;
use crate::reports::names::ReportName;

#[derive(Debug, Serialize, ToSchema)]
pub struct ReportView {
    #[schema(example = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b20")]
    pub id: Uuid,
    pub report: ReportName,
    #[schema(example = "Visa por semana")]
    pub name: String,
    /// Query parameters of the report's call.
    #[schema(example = json!({ "group": "week", "brand": "visa" }))]
    pub filters: BTreeMap<String, String>,
    /// The columns of the screen, in their order. Null for the report's own.
    #[schema(required = true, example = json!(["count", "gross", "net"]))]
    pub columns: Option<Vec<String>>,
    /// The attribute by which the screen groups its rows. Null for the report's own.
    #[schema(required = true, example = "period")]
    pub rows: Option<String>,
    /// The column that the screen is sorted by. Null for the report's own.
    #[schema(required = true, example = "gross")]
    pub sort: Option<String>,
    /// asc or desc. Null for the report's own.
    #[schema(required = true, example = "desc")]
    pub order: Option<String>,
    /// The filters that the report no longer takes, each with the reason.
    #[schema(example = json!({}))]
    pub outdated: BTreeMap<String, String>,
    /// UTC instant.
    pub updated_at: DateTime<Utc>,
}

impl ReportView {
    /// `None` for a report that this version does not have.
    pub fn of(view: SavedView, now: DateTime<Utc>) -> Option<Self> {
        let report = <ReportName as QueryValue>::parse(&view.report)?;
        let refused = report.refused(&view.filters, now).into_iter();
        let first = |(name, messages): (String, Vec<String>)| {
            let message = messages.into_iter().next().unwrap_or_default();
            (name, message)
        };
        Some(Self {
            id: view.id,
            report,
            name: view.name,
            outdated: refused.map(first).collect(),
            filters: view.filters,
            columns: view.shown.columns,
            rows: view.shown.rows,
            sort: view.shown.sort,
            order: view.shown.order,
            updated_at: view.updated_at,
        })
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReportViews {
    pub data: Vec<ReportView>,
}
