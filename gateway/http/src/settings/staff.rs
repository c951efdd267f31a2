//! The panels' branding by the first label of the host name: product name, colors, contact channels and time zone.

use axum::extract::State;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::settings::{Tenant, tenant_locked, tenant_put, tenant_remove, tenants_all};
use tokio_postgres::GenericClient;

use super::bodies::{Settings, TenantForm, TenantSettings};
use super::form::{TenantChange, read};
use crate::AppState;
use crate::edge::{Db, Json, Paging, Query};
use crate::problem::Result;
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// The subject in the audit log.
pub const SUBJECT: &str = "tenant";

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
pub(crate) async fn update_settings(
    State(state): State<AppState>,
    caller: StaffCaller,
    Json(form): Json<TenantForm>,
) -> Result<Json<Settings>> {
    let change = read(&form)?;
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let actor = Actor::Admin(caller.id);
    match &change {
        TenantChange::Set(tenant) => set(&*tx, actor, tenant).await?,
        TenantChange::Remove(label) => remove(&*tx, actor, label).await?,
    }
    let after = tenants_all(&*tx).await?;
    tx.commit().await?;
    Ok(Json(settings(after)))
}

/// List the history of the branding
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/settings/history", tag = "settings",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_settings_history(Query(paging): Query<Paging>, db: Db) -> Result<Json<HistoryPage>> {
    staff_history(&db, SUBJECT, None, paging).await.map(Json)
}

fn settings(tenants: Vec<Tenant>) -> Settings {
    Settings {
        tenants: tenants.into_iter().map(TenantSettings::from).collect(),
    }
}

/// Unchanged settings write no row of the audit log.
async fn set(client: &impl GenericClient, actor: Actor, tenant: &Tenant) -> Result<()> {
    let before = tenant_locked(client, &tenant.label).await?;
    if before.as_ref() == Some(tenant) {
        return Ok(());
    }
    tenant_put(client, tenant).await?;
    let change = Change {
        action: if before.is_some() { "update" } else { "create" },
        subject: SUBJECT,
        subject_id: &tenant.label,
        before: before.as_ref().map(|before| before.changed_fields(Some(tenant))),
        after: Some(tenant.changed_fields(before.as_ref())),
    };
    Ok(record(client, actor, change).await?)
}

/// Removing a label that does not exist has no effect.
async fn remove(client: &impl GenericClient, actor: Actor, label: &str) -> Result<()> {
    let Some(before) = tenant_locked(client, label).await? else {
        return Ok(());
    };
    tenant_remove(client, label).await?;
    let change = Change {
        action: "delete",
        subject: SUBJECT,
        subject_id: label,
        before: Some(before.changed_fields(None)),
        after: None,
    };
    Ok(record(client, actor, change).await?)
}
