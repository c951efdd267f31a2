//! Staff change a company: its data, and whether it is approved.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::companies::{Approval, lock, update};
use ledger_domain::BusinessId;
use projections::ReadModelGroup;

use super::read_detail;
use crate::AppState;
use crate::companies::bodies::detail::BusinessDetail;
use crate::companies::decisions::{decide_on, release_holds};
use crate::companies::editor;
use crate::companies::forms::BusinessChange;
use crate::edge::{Id, PanelUrl};
use crate::problem::Result;
use crate::shared::change::{Change, Changed};
use crate::shared::form::Form;
use crate::shared::read_models::wait_for_read_models;

/// Update a company
///
/// Changes the given fields only. `approval` decides on the company: `enabled` releases the sales that were held while
/// it was not approved. An approval needs the documents that the settings ask for; without them, only owners and admins
/// approve, with a reason. If the settings ask for a second person, the approval waits for one. The company's owners and
/// admins are notified by e-mail, with the reason of a denial or a deletion. A company with a balance that is not zero,
/// open sales or terminals cannot be deleted.
#[utoipa::path(
    patch, path = "/admin/businesses/{id}", tag = "businesses",
    responses(
        (status = 200, body = BusinessDetail),
        (status = 202, body = BusinessDetail, description = "The approval waits for a second person"),
        (status = 409, description = "The company was changed since `version`, or it cannot be deleted, or documents are missing (`/problems/documents-missing`), or its approval is already requested; the message says what"),
    )
)]
pub(crate) async fn update_business(
    State(state): State<AppState>,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<BusinessId>,
    change: Change<StaffCaller, Form<BusinessChange>>,
) -> Result<Response> {
    let mut is_approved = false;
    let answer = change
        .run_after(
            StatusCode::OK,
            async |_, _| Ok(()),
            async |state, form| wait_for_open_sales(state, id, form).await,
            async |work, form, ()| {
                let company = lock(&**work, id).await?;
                update(&**work, editor(work), &company, form.version, form.change).await?;
                let decided = match form.decision {
                    Some(requested) => decide_on(work, &panel_url, &company, requested).await?,
                    None => None,
                };
                let waits = decided.as_ref().is_some_and(|record| !record.is_in_force());
                is_approved = decided.is_some_and(|record| record.approval == Approval::Enabled) && !waits;
                let status = if waits {
                    StatusCode::ACCEPTED
                } else {
                    StatusCode::OK
                };
                let detail = read_detail(&work.state, &**work, id).await?;
                Ok(Changed::recorded(detail).with_status(status))
            },
        )
        .await?;
    if is_approved {
        release_holds(&state, id).await;
    }
    Ok(answer)
}

/// A company with open sales cannot be deleted, so a deletion must see all sales that are recorded.
async fn wait_for_open_sales(state: &AppState, company: BusinessId, form: &BusinessChange) -> Result<()> {
    let is_deletion = |requested| requested == Approval::Deleted;
    if form
        .decision
        .as_ref()
        .is_some_and(|decision| is_deletion(decision.approval))
    {
        wait_for_read_models(&state.pool, &[ReadModelGroup::Sales], company).await?;
    }
    Ok(())
}
