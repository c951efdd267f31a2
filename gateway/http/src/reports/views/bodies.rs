//! Saved views in requests and answers. Filters are read by the rules of the report's call.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use gateway_environment::request_context;
use gateway_platform::reports::{Filters, ReportName, SavedView, ShownParts, ViewContent};
use projections::SortOrder;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::edge::query;
use crate::problem::{Problem, Result};
use crate::reports::filters::{filters, refuse_filters, refused};
use crate::shared::form::{Kind, form, given, line, nullable, optional, required, text, word_kind};
use crate::shared::schemas::Word;

const WORD_CHARACTERS_MAX: usize = 40;
const COLUMNS_MAX: usize = 40;

pub type ViewedReport = Word<ReportName>;

pub struct ReportViewForm {
    pub report: ReportName,
    pub content: ViewContent,
}

form! {
    impl FromBody for ReportViewForm with form {
        report: ReportName = required(word_kind(), "Informe o relatório."),
        /// Unique among the views that the list has for the report. Case is ignored.
        #[example = "Visa por semana"]
        name: String = required(name(), NAME_MISSING),
        /// Query parameters of the report's call.
        #[example = json!({ "group": "week", "brand": "visa" })]
        filters: Option<Filters> = optional(filters()),
        /// The columns of the screen, in their order.
        #[example = json!(["count", "gross", "net"])]
        columns: Option<Option<Vec<String>>> = nullable(columns()),
        /// The attribute by which the screen groups its rows.
        #[example = "period"]
        rows: Option<Option<String>> = nullable(part_of_screen()),
        /// The column that the screen is sorted by.
        #[example = "gross"]
        sort: Option<Option<String>> = nullable(part_of_screen()),
        /// asc or desc.
        #[example = "desc"]
        order: Option<Option<String>> = nullable(order()),
    } => {
        let filters = filters.unwrap_or_default();
        refuse_filters(form, report, &filters, request_context::now());
        let shown = ShownParts {
            columns: columns.flatten(),
            rows: rows.flatten(),
            sort: sort.flatten(),
            order: order.flatten(),
        };
        Self { report, content: ViewContent { name, filters, shown } }
    }
}

form! {
    /// A field that is left out keeps its value.
    pub struct ReportViewChange {
        #[example = "Visa por semana"]
        name: Option<String> = optional(name().not_blank(NAME_MISSING)),
        /// Query parameters of the report's call. They replace all filters of the view.
        #[example = json!({ "group": "week", "brand": "visa" })]
        filters: Option<Filters> = optional(filters()),
        /// Null for the report's own columns.
        #[example = json!(["count", "gross", "net"])]
        columns: Option<Option<Vec<String>>> = nullable(columns()),
        /// Null for the report's own rows.
        #[example = "period"]
        rows: Option<Option<String>> = nullable(part_of_screen()),
        /// Null for the report's own sort column.
        #[example = "gross"]
        sort: Option<Option<String>> = nullable(part_of_screen()),
        /// asc or desc. Null for the report's own direction.
        #[example = "desc"]
        order: Option<Option<String>> = nullable(order()),
    }
}

impl ReportViewChange {
    /// The content of the view after the change. Filters that it keeps are not checked, because they may be outdated.
    pub fn apply(self, view: &SavedView, report: ReportName, now: DateTime<Utc>) -> Result<ViewContent> {
        if let Some(filters) = &self.filters {
            let refused = refused(report, filters, now).into_iter();
            let errors: BTreeMap<_, _> = refused
                .map(|(name, messages)| (format!("filters.{name}"), messages))
                .collect();
            if !errors.is_empty() {
                return Err(Problem::fields(errors));
            }
        }
        let before = view.shown.clone();
        Ok(ViewContent {
            name: self.name.unwrap_or_else(|| view.name.clone()),
            filters: self.filters.unwrap_or_else(|| view.filters.clone()),
            shown: ShownParts {
                columns: self.columns.unwrap_or(before.columns),
                rows: self.rows.unwrap_or(before.rows),
                sort: self.sort.unwrap_or(before.sort),
                order: self.order.unwrap_or(before.order),
            },
        })
    }
}

const NAME_MISSING: &str = "Dê um nome à visão.";

fn name() -> Kind<String> {
    line(60)
}

fn columns() -> Kind<Vec<String>> {
    given::<Vec<String>, Vec<String>>().then(|columns: Vec<String>| {
        if columns.len() <= COLUMNS_MAX && columns.iter().all(|name| is_word(name)) {
            Ok(columns)
        } else {
            Err("As colunas não são deste relatório.")
        }
    })
}

/// The name of a column or of an attribute.
fn part_of_screen() -> Kind<String> {
    let schema = || query::text().into();
    text(schema, |given, _| Some(given.to_owned())).then(|given| {
        if is_word(&given) {
            Ok(given)
        } else {
            Err("Valor inválido.")
        }
    })
}

fn order() -> Kind<String> {
    let schema = || query::text().into();
    text(schema, |given, _| Some(given.to_owned())).then(|given| match SortOrder::parse(&given) {
        Ok(_) => Ok(given),
        Err(_) => Err(<SortOrder as ledger_domain::Words>::INVALID),
    })
}

/// The screen defines the names of columns and rows, so only their form is checked.
fn is_word(text: &str) -> bool {
    let of_a_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    !text.is_empty() && text.len() <= WORD_CHARACTERS_MAX && text.chars().all(of_a_name)
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReportView {
    #[schema(example = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b20")]
    pub id: Uuid,
    pub report: ViewedReport,
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
        let report = ReportName::parse(&view.report).ok()?;
        let outdated = refused(report, &view.filters, now).into_iter();
        let first = |(name, messages): (String, Vec<String>)| {
            let message = messages.into_iter().next().unwrap_or_default();
            (name, message)
        };
        Some(Self {
            id: view.id,
            report: report.into(),
            name: view.name,
            outdated: outdated.map(first).collect(),
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
