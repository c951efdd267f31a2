//! The panels' branding by the first label of the host name: product name, colors, contact channels and time zone.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::settings::{Tenant, tenant_locked, tenant_put, tenant_remove, tenants_all};
use tokio_postgres::Client;

use super::bodies::{Settings, TenantForm, TenantSettings};
use super::form::{TenantChange, read};
use crate::edge::{Db, Json, Paging, Query};
use crate::problem::Result;
use crate::shared::change::{Change, Changed, Entry, Subject};
use crate::shared::form::Form;
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

pub const TENANT: Subject = Subject("tenant");

/// Get the branding of the panels
///
/// Returns the settings of every label. The empty label is the default for hosts whose label is not listed.
#[utoipa::path(get, path = "/admin/settings", tag = "settings", responses((status = 200, body = Settings)))]
pub(crate) async fn get_settings(db: Db) -> Result<Json<Settings>> {
    Ok(Json(settings(tenants_all(&*db).await?)))
}

/// Set the branding of a label
///
/// Replaces all settings of the label, or adds the label. With `remove`, deletes the label. The default settings, whose
/// label is empty, cannot be removed. Returns the settings of every label.
#[utoipa::path(post, path = "/admin/settings", tag = "settings", responses((status = 200, body = Settings)))]
pub(crate) async fn update_settings(change: Change<StaffCaller, Form<TenantForm>>) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let entry = match read(&form)? {
                TenantChange::Set(tenant) => set(work, &tenant).await?,
                TenantChange::Remove(label) => remove(work, &label).await?,
            };
            let answer = settings(tenants_all(&**work).await?);
            Ok(Changed::with_entry(answer, entry))
        })
        .await
}

/// List the history of the branding
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/settings/history", tag = "settings",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_settings_history(Query(paging): Query<Paging>, db: Db) -> Result<Json<HistoryPage>> {
    staff_history(&db, TENANT.0, None, paging).await.map(Json)
}

fn settings(tenants: Vec<Tenant>) -> Settings {
    Settings {
        tenants: tenants.into_iter().map(TenantSettings::from).collect(),
    }
}

/// Unchanged settings have no entry in the audit log.
async fn set(client: &Client, tenant: &Tenant) -> Result<Option<Entry>> {
    let before = tenant_locked(client, &tenant.label).await?;
    if before.as_ref() == Some(tenant) {
        return Ok(None);
    }
    tenant_put(client, tenant).await?;
    let after = tenant.changed_fields(before.as_ref());
    Ok(Some(match before {
        Some(before) => TENANT
            .entry("update", &tenant.label)
            .before(before.changed_fields(Some(tenant)))
            .after(after),
        None => TENANT.entry("create", &tenant.label).after(after),
    }))
}

/// Removing a label that does not exist has no effect.
async fn remove(client: &Client, label: &str) -> Result<Option<Entry>> {
    let Some(before) = tenant_locked(client, label).await? else {
        return Ok(None);
    };
    tenant_remove(client, label).await?;
    let entry = TENANT.entry("delete", label);
    Ok(Some(entry.before(before.changed_fields(None))))
}
