//! The forms of saved views. Filters are read by the rules of the report's call.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use gateway_identity::reports::{SavedView, ShownParts, ViewContent};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::edge::query::QueryWord;
use crate::edge::{FormErrors, QueryValue};
use crate::problem::Result;
use crate::reports::names::ReportName;
use crate::shared::body_fields::{null_as_some, optional_text};

const NAME_CHARACTERS_MAX: usize = 60;
const WORD_CHARACTERS_MAX: usize = 40;
const COLUMNS_MAX: usize = 40;

#[derive(Debug, Deserialize, ToSchema)]
pub struct ReportViewForm {
    #[schema(required = true, nullable = false, value_type = ReportName)]
    pub report: Option<String>,
    /// Unique among the views that the list has for the report. Case is ignored.
    #[schema(
        required = true,
        nullable = false,
        max_length = 60,
        example = "Visa por semana"
    )]
    pub name: Option<String>,
    /// Query parameters of the report's call.
    #[schema(nullable = false, example = json!({ "group": "week", "brand": "visa" }))]
    pub filters: Option<BTreeMap<String, String>>,
    /// The columns of the screen, in their order.
    #[schema(example = json!(["count", "gross", "net"]))]
    pub columns: Option<Vec<String>>,
    /// The attribute by which the screen groups its rows.
    #[schema(example = "period")]
    pub rows: Option<String>,
    /// The column that the screen is sorted by.
    #[schema(example = "gross")]
    pub sort: Option<String>,
    /// asc or desc.
    #[schema(example = "desc")]
    pub order: Option<String>,
}

impl ReportViewForm {
    pub fn read(self, now: DateTime<Utc>) -> Result<(ReportName, ViewContent)> {
        let mut errors = FormErrors::default();
        let report = self
            .report
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty());
        let found = report.and_then(<ReportName as QueryValue>::parse);
        if found.is_none() {
            let message = report.map_or("Informe o relatório.", |_| <ReportName as QueryWord>::INVALID);
            errors.add("report", message);
        }
        let name = name(&mut errors, self.name);
        let filters = self.filters.unwrap_or_default();
        if let Some(report) = found {
            refuse_filters(&mut errors, report, &filters, now);
        }
        let shown = ShownParts {
            columns: columns(&mut errors, self.columns),
            rows: word(&mut errors, "rows", self.rows),
            sort: word(&mut errors, "sort", self.sort),
            order: order(&mut errors, self.order),
        };
        errors.finish()?;
        let content = ViewContent { name, filters, shown };
        found
            .map(|report| (report, content))
            .ok_or_else(|| crate::Problem::internal("an unknown report without an error"))
    }
}

/// A field that is left out keeps its value.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ReportViewChange {
    #[schema(nullable = false, max_length = 60, example = "Visa por semana")]
    pub name: Option<String>,
    /// Query parameters of the report's call. They replace all filters of the view.
    #[schema(nullable = false, example = json!({ "group": "week", "brand": "visa" }))]
    pub filters: Option<BTreeMap<String, String>>,
    /// Null for the report's own columns.
    #[serde(default, deserialize_with = "null_as_some")]
    #[schema(value_type = Option<Vec<String>>, example = json!(["count", "gross", "net"]))]
    pub columns: Option<Option<Vec<String>>>,
    /// Null for the report's own rows.
    #[serde(default, deserialize_with = "null_as_some")]
    #[schema(value_type = Option<String>, example = "period")]
    pub rows: Option<Option<String>>,
    /// Null for the report's own sort column.
    #[serde(default, deserialize_with = "null_as_some")]
    #[schema(value_type = Option<String>, example = "gross")]
    pub sort: Option<Option<String>>,
    /// asc or desc. Null for the report's own direction.
    #[serde(default, deserialize_with = "null_as_some")]
    #[schema(value_type = Option<String>, example = "desc")]
    pub order: Option<Option<String>>,
}

impl ReportViewChange {
    /// The content of the view after the change. Filters that it keeps are not checked, because they may be outdated.
    pub fn read(self, view: &SavedView, report: ReportName, now: DateTime<Utc>) -> Result<ViewContent> {
        let mut errors = FormErrors::default();
        let before = view.shown.clone();
        let name = match self.name {
            Some(given) => name(&mut errors, Some(given)),
            None => view.name.clone(),
        };
        let filters = match self.filters {
            Some(filters) => {
                refuse_filters(&mut errors, report, &filters, now);
                filters
            }
            None => view.filters.clone(),
        };
        let shown = ShownParts {
            columns: self
                .columns
                .map_or(before.columns, |given| columns(&mut errors, given)),
            rows: self
                .rows
                .map_or(before.rows, |given| word(&mut errors, "rows", given)),
            sort: self
                .sort
                .map_or(before.sort, |given| word(&mut errors, "sort", given)),
            order: self.order.map_or(before.order, |given| order(&mut errors, given)),
        };
        errors.finish()?;
        Ok(ViewContent { name, filters, shown })
    }
}

fn name(errors: &mut FormErrors, given: Option<String>) -> String {
    let name = optional_text(errors, "name", given, NAME_CHARACTERS_MAX);
    if name.is_none() {
        errors.add("name", "Dê um nome à visão.");
    }
    name.unwrap_or_default()
}

/// Adds each error of a filter to the field `filters.{name}`.
pub fn refuse_filters(
    errors: &mut FormErrors,
    report: ReportName,
    filters: &BTreeMap<String, String>,
    now: DateTime<Utc>,
) {
    for (name, messages) in report.refused(filters, now) {
        for message in messages {
            errors.add(&format!("filters.{name}"), &message);
        }
    }
}

fn columns(errors: &mut FormErrors, given: Option<Vec<String>>) -> Option<Vec<String>> {
    let given = given?;
    if given.len() > COLUMNS_MAX || !given.iter().all(|name| is_word(name)) {
        errors.add("columns", "As colunas não são deste relatório.");
    }
    Some(given)
}

fn word(errors: &mut FormErrors, field: &str, given: Option<String>) -> Option<String> {
    let given = given.filter(|text| !text.is_empty())?;
    if !is_word(&given) {
        errors.add(field, "Valor inválido.");
    }
    Some(given)
}

fn order(errors: &mut FormErrors, given: Option<String>) -> Option<String> {
    let given = given.filter(|text| !text.is_empty())?;
    if !matches!(given.as_str(), "asc" | "desc") {
        errors.add("order", "Deve ser asc ou desc.");
    }
    Some(given)
}

/// The screen defines the names of columns and rows, so only their form is checked.
fn is_word(text: &str) -> bool {
    let of_a_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    !text.is_empty() && text.len() <= WORD_CHARACTERS_MAX && text.chars().all(of_a_name)
}
