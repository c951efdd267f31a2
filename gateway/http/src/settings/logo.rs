//! The logo of a tenant, which the panels show in place of the product's name. A tenant is named by its host label.

use axum::extract::State;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::files::{file_create, logo_add, logo_remove, logos_all};
use gateway_platform::settings::tenant_locked;
use serde::Serialize;
use serde_json::{Value, json};
use tokio_postgres::GenericClient;
use utoipa::ToSchema;

use super::staff::TENANT;
use crate::AppState;
use crate::edge::{Db, Json, Query, Tx, query};
use crate::files::images::UploadUrl;
use crate::files::upload::Upload;
use crate::problem::{Problem, Result};

/// Every page loads the logo, so it must be small.
const LOGO_BYTES_MAX: usize = 1024 * 1024;

#[derive(Debug, Serialize, ToSchema)]
pub struct Logos {
    pub data: Vec<Logo>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Logo {
    /// The host label of the tenant, as in the settings. Empty: the default tenant.
    #[schema(example = "lojas")]
    pub label: String,
    /// The image's address. `GET /images` takes it as its parameter `url`.
    #[schema(example = "/api/logos/0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c")]
    pub url: String,
}

query! {
    pub struct LogoQuery {
        /// The host label of the tenant, as in the settings. Left out or empty: the default tenant.
        #[example = "lojas"]
        label: Option<String>,
    }
}

/// List the logos of the panels
#[utoipa::path(get, path = "/admin/settings/logos", tag = "settings", responses((status = 200, body = Logos)))]
pub(crate) async fn list_logos(db: Db) -> Result<Json<Logos>> {
    logos(&*db).await.map(Json)
}

/// Set the logo of a label
///
/// The body is the image: JPEG or PNG, up to 1 MB. It replaces the earlier logo.
#[utoipa::path(
    put, path = "/admin/settings/logos", tag = "settings",
    responses(
        (status = 200, body = Logos),
        (status = 404, description = "The label has no settings"),
    )
)]
pub(crate) async fn set_logo(
    State(state): State<AppState>,
    staff: StaffCaller,
    Query(query): Query<LogoQuery>,
    upload: Upload,
) -> Result<Json<Logos>> {
    if !upload.media_type.is_image() {
        return Err(Problem::field("file", "Envie um arquivo JPEG ou PNG."));
    }
    if upload.content.len() > LOGO_BYTES_MAX {
        return Err(Problem::field("file", "A imagem pode ter até 1 MB."));
    }
    let label = query.label();
    let tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    tenant_locked(&*tx, &label)
        .await?
        .ok_or_else(Problem::not_found)?;
    let before = logo_remove(&*tx, &label).await?;
    let id = state.ids.new_uuid();
    file_create(&*tx, &upload.as_new_file(&state, id)).await?;
    logo_add(&*tx, &label, id).await?;
    let logo = |id| json!({ "logo": id });
    let changed = (before.map(logo), Some(logo(id)));
    record_and_commit(tx, Actor::Admin(staff.id), &label, changed).await
}

/// Remove the logo of a label
#[utoipa::path(
    delete, path = "/admin/settings/logos", tag = "settings",
    responses((status = 200, body = Logos))
)]
pub(crate) async fn delete_logo(
    State(state): State<AppState>,
    staff: StaffCaller,
    Query(query): Query<LogoQuery>,
) -> Result<Json<Logos>> {
    let label = query.label();
    let tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    match logo_remove(&*tx, &label).await? {
        Some(before) => {
            let changed = (Some(json!({ "logo": before })), Some(json!({ "logo": null })));
            record_and_commit(tx, Actor::Admin(staff.id), &label, changed).await
        }
        // There is no logo to remove, so nothing is recorded.
        None => logos(&*tx).await.map(Json),
    }
}

impl LogoQuery {
    fn label(self) -> String {
        self.label.unwrap_or_default()
    }
}

/// Returns the logos after the change.
async fn record_and_commit(
    tx: Tx,
    actor: Actor,
    label: &str,
    (before, after): (Option<Value>, Option<Value>),
) -> Result<Json<Logos>> {
    let change = Change {
        action: "update",
        subject: TENANT.0,
        subject_id: label,
        before,
        after,
    };
    record(&*tx, actor, change).await?;
    let logos = logos(&*tx).await?;
    tx.commit().await?;
    Ok(Json(logos))
}

async fn logos(client: &impl GenericClient) -> Result<Logos> {
    let logos = logos_all(client).await?.into_iter();
    Ok(Logos {
        data: logos
            .map(|(label, id)| Logo {
                label,
                url: UploadUrl::Logo(id).to_string(),
            })
            .collect(),
    })
}
