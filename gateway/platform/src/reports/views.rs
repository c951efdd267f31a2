//! The saved views of reports. A user sees only their own, and a seller only those of the request's company.

use chrono::{DateTime, Utc};
use ledger_rows::{FromRow, execute, fetch, fetch_opt, params, row, value};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Json;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::{Filters, ReportName, ReportOwner};

/// The most views of one `ReportOwner` for one report. Longer lists are hard to read.
pub const VIEWS_MAX: usize = 30;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    pub id: Uuid,
    /// In most cases a `ReportName`. A newer version of the program may store others.
    pub report: String,
    pub name: String,
    pub filters: Filters,
    pub shown: ShownParts,
    pub updated_at: DateTime<Utc>,
}

/// How the screen shows a report. A part that is left out has the report's default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownParts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// The attribute by which the screen groups the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<String>,
    /// The column by which the screen sorts the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// `asc` or `desc`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
}

/// A view to be saved.
#[derive(Debug, Clone, Copy)]
pub struct NewView<'a> {
    pub id: Uuid,
    pub report: ReportName,
    pub content: &'a ViewContent,
    pub at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewContent {
    pub name: String,
    pub filters: Filters,
    pub shown: ShownParts,
}

#[derive(Debug, Error)]
pub enum ViewError {
    #[error("the user already has a view of the report with this name")]
    NameTaken,
    #[error("the user already has {VIEWS_MAX} views of the report, which is the limit")]
    TooMany,
    #[error("the database failed: {0}")]
    Database(Error),
}

impl From<Error> for ViewError {
    fn from(error: Error) -> Self {
        let constraint = error.as_db_error().and_then(|database| database.constraint());
        if error.code() == Some(&SqlState::UNIQUE_VIOLATION) && constraint == Some("report_view_by_name") {
            return Self::NameTaken;
        }
        Self::Database(error)
    }
}

row! {
    impl FromRow for SavedView {
        id: Uuid,
        report: String,
        name: String,
        filters: Json<Filters>,
        shown: Json<ShownParts>,
        updated_at: DateTime<Utc>,
    } => Self { id, report, name, filters: filters.0, shown: shown.0, updated_at }
}

/// The conditions of the owner's views, by the parameters from `$1` to `$3`.
const OF_OWNER: &str = "user_id = $1 AND audience = $2 AND business_id IS NOT DISTINCT FROM $3";

/// The owner's views by name, of one report or of all.
pub async fn views_of(
    client: &impl GenericClient,
    owner: ReportOwner,
    report: Option<ReportName>,
) -> Result<Vec<SavedView>, Error> {
    let sql = format!(
        "SELECT {} FROM report_view WHERE {OF_OWNER} AND ($4::text IS NULL OR report = $4)
          ORDER BY report, lower(name), id",
        SavedView::COLUMNS
    );
    fetch(
        client,
        &sql,
        params![owner.user, owner.audience, owner.business, report],
    )
    .await
}

/// One view of the owner, locked until the transaction ends.
pub async fn view_locked(
    client: &impl GenericClient,
    owner: ReportOwner,
    id: Uuid,
) -> Result<Option<SavedView>, Error> {
    let sql = format!(
        "SELECT {} FROM report_view WHERE {OF_OWNER} AND id = $4 FOR UPDATE",
        SavedView::COLUMNS
    );
    fetch_opt(
        client,
        &sql,
        params![owner.user, owner.audience, owner.business, id],
    )
    .await
}

/// The caller has locked the user's row, so that two requests at once cannot pass the limit.
pub async fn view_create(
    client: &impl GenericClient,
    owner: ReportOwner,
    new: &NewView<'_>,
) -> Result<SavedView, ViewError> {
    if views_of(client, owner, Some(new.report)).await?.len() >= VIEWS_MAX {
        return Err(ViewError::TooMany);
    }
    let ViewContent { name, filters, shown } = new.content;
    let sql = "INSERT INTO report_view (id, audience, user_id, business_id, report, name, filters, shown, created_at,
                                        updated_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)";
    let (stored_filters, stored_shown) = (Json(filters), Json(shown));
    let parameters = params![
        new.id,
        owner.audience,
        owner.user,
        owner.business,
        new.report,
        *name,
        stored_filters,
        stored_shown,
        new.at,
    ];
    execute(client, sql, parameters).await?;
    Ok(SavedView {
        id: new.id,
        report: new.report.as_str().to_owned(),
        name: name.clone(),
        filters: filters.clone(),
        shown: shown.clone(),
        updated_at: new.at,
    })
}

/// Replaces the content of a view that the caller has locked. `updated_at` is never before `created_at`, even if the
/// business clock was set back.
pub async fn view_update(
    client: &impl GenericClient,
    view: SavedView,
    content: ViewContent,
    at: DateTime<Utc>,
) -> Result<SavedView, ViewError> {
    let sql =
        "UPDATE report_view SET name = $2, filters = $3, shown = $4, updated_at = greatest(created_at, $5)
                WHERE id = $1 RETURNING updated_at";
    let (filters, shown) = (Json(&content.filters), Json(&content.shown));
    let updated_at = value(client, sql, params![view.id, content.name, filters, shown, at]).await?;
    Ok(SavedView {
        name: content.name,
        filters: content.filters,
        shown: content.shown,
        updated_at,
        ..view
    })
}

pub async fn view_delete(client: &impl GenericClient, id: Uuid) -> Result<(), Error> {
    let sql = "DELETE FROM report_view WHERE id = $1";
    execute(client, sql, params![id]).await.map(drop)
}
