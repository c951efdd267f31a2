//! The saved views of reports. A user sees only their own, and a seller only those of the request's company.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::ReportOwner;

/// The most views of one `ReportOwner` for one report. Longer lists are hard to read.
pub const VIEWS_MAX: usize = 30;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    pub id: Uuid,
    pub report: String,
    pub name: String,
    /// Parameters of the report's call.
    pub filters: BTreeMap<String, String>,
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
    pub report: &'a str,
    pub content: &'a ViewContent,
    pub at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewContent {
    pub name: String,
    pub filters: BTreeMap<String, String>,
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

const COLUMNS: &str = "id, report, name, filters, shown, updated_at";

/// The owner's views by name, of one report or of all.
pub async fn views_of(
    client: &impl GenericClient,
    owner: ReportOwner,
    report: Option<&str>,
) -> Result<Vec<SavedView>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM report_view
          WHERE user_id = $1 AND audience = $2 AND business_id IS NOT DISTINCT FROM $3
            AND ($4::text IS NULL OR report = $4)
          ORDER BY report, lower(name), id"
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&owner.user.uuid(), Type::UUID),
                (&owner.audience.as_str(), Type::TEXT),
                (&owner.business.map(|business| business.uuid()), Type::UUID),
                (&report, Type::TEXT),
            ],
        )
        .await?;
    rows.iter().map(view_of_row).collect()
}

/// One view of the owner, locked until the transaction ends.
pub async fn view_locked(
    client: &impl GenericClient,
    owner: ReportOwner,
    id: Uuid,
) -> Result<Option<SavedView>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM report_view
          WHERE id = $4 AND user_id = $1 AND audience = $2 AND business_id IS NOT DISTINCT FROM $3 FOR UPDATE"
    );
    let row = client
        .query_typed_opt(
            &sql,
            &[
                (&owner.user.uuid(), Type::UUID),
                (&owner.audience.as_str(), Type::TEXT),
                (&owner.business.map(|business| business.uuid()), Type::UUID),
                (&id, Type::UUID),
            ],
        )
        .await?;
    row.as_ref().map(view_of_row).transpose()
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
    let content = new.content;
    client
        .execute_typed(
            "INSERT INTO report_view (id, audience, user_id, business_id, report, name, filters, shown, created_at,
                                      updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)",
            &[
                (&new.id, Type::UUID),
                (&owner.audience.as_str(), Type::TEXT),
                (&owner.user.uuid(), Type::UUID),
                (&owner.business.map(|business| business.uuid()), Type::UUID),
                (&new.report, Type::TEXT),
                (&content.name, Type::TEXT),
                (&Json(&content.filters), Type::JSON),
                (&Json(&content.shown), Type::JSON),
                (&new.at, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    Ok(SavedView {
        id: new.id,
        report: new.report.to_owned(),
        name: content.name.clone(),
        filters: content.filters.clone(),
        shown: content.shown.clone(),
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
    let row = client
        .query_typed_one(
            "UPDATE report_view SET name = $2, filters = $3, shown = $4, updated_at = greatest(created_at, $5)
              WHERE id = $1 RETURNING updated_at",
            &[
                (&view.id, Type::UUID),
                (&content.name, Type::TEXT),
                (&Json(&content.filters), Type::JSON),
                (&Json(&content.shown), Type::JSON),
                (&at, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    Ok(SavedView {
        name: content.name,
        filters: content.filters,
        shown: content.shown,
        updated_at: row.try_get(0)?,
        ..view
    })
}

pub async fn view_delete(client: &impl GenericClient, id: Uuid) -> Result<(), Error> {
    client
        .execute_typed("DELETE FROM report_view WHERE id = $1", &[(&id, Type::UUID)])
        .await
        .map(drop)
}

fn view_of_row(row: &Row) -> Result<SavedView, Error> {
    let Json(filters) = row.try_get(3)?;
    let Json(shown) = row.try_get(4)?;
    Ok(SavedView {
        id: row.get(0),
        report: row.get(1),
        name: row.get(2),
        filters,
        shown,
        updated_at: row.get(5),
    })
}
