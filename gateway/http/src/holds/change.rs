//! What staff do with a hold: place, change, release, and pay a court from it.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use gateway_environment::config::Panel;
use gateway_identity::account::reauthentication;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::sessions::open_sessions::SessionOwner;
use gateway_identity::users::StaffCaller;
use gateway_platform::adjustments::holds::{HoldAction, HoldChange, hold_kind};
use gateway_platform::companies::company_fetch;
use gateway_platform::holds::hold_fetch;
use ledger_domain::{BusinessId, HoldId};
use projections::ReadModelGroup;

use super::bodies::HoldDetail;
use super::emails::documents_asked;
use super::forms::{CourtPaymentForm, HoldChangeForm, HoldForm, HoldReleaseForm};
use super::hold_detail;
use crate::AppState;
use crate::adjustments::AdjustmentRequest;
use crate::adjustments::way::{Way, way_of};
use crate::edge::{CurrentAdmin, IdempotencyKey, Ids, Json, PanelUrl};
use crate::problem::{Problem, Result};
use crate::shared::command::ReceiptHeaders;
use crate::shared::form::Form;

/// Hold money of a company
///
/// Moves the amount (in cents) from available to blocked: at most the available balance. A judicial hold takes what is
/// available, and then later credits, until it has what the court orders; it always waits for a second person.
#[utoipa::path(
    post, path = "/admin/balance/holds", tag = "balance",
    responses(
        (status = 201, body = HoldDetail),
        (status = 202, body = AdjustmentRequest, description = "A judicial hold waits for a second person; nothing is recorded"),
        (status = 409, description = "The court's order is known, or the company has too many open holds"),
    )
)]
pub(crate) async fn place_hold(
    State(state): State<AppState>,
    caller: StaffCaller,
    key: IdempotencyKey,
    PanelUrl(panel_url): PanelUrl,
    Form(form): Form<HoldForm>,
) -> Result<Response> {
    let change = form.into_change()?;
    let company = company_fetch(&*state.db().await?, change.business_id).await?;
    if company.is_none() {
        return Err(Problem::field("business_id", "Empresa não encontrada."));
    }
    Work::new(&state, caller, &panel_url, &key).make(change).await
}

/// Change what is said about a hold
///
/// The reason, the date on which staff look at it again, and the documents that the seller is asked to send. Moves no
/// money.
#[utoipa::path(
    post, path = "/admin/balance/holds/{business_id}/{hold_id}/change", tag = "balance",
    responses(
        (status = 200, body = HoldDetail),
        (status = 409, description = "The platform placed the hold itself"),
    )
)]
pub(crate) async fn change_hold(
    State(state): State<AppState>,
    caller: StaffCaller,
    Ids(business_id, hold_id): Ids<BusinessId, HoldId>,
    key: IdempotencyKey,
    PanelUrl(panel_url): PanelUrl,
    Form(form): Form<HoldChangeForm>,
) -> Result<Response> {
    let change = form.into_change(business_id, hold_id);
    Work::new(&state, caller, &panel_url, &key).make(change).await
}

/// Release a hold
///
/// Moves the amount (in cents) from blocked to available; at most what is held. Above what one person may release alone
/// in 24 hours (setting `releases_alone_up_to`) it is a request that another person approves; a judicial hold always is.
/// After a release in part, a judicial hold takes no more credits.
#[utoipa::path(
    post, path = "/admin/balance/holds/{business_id}/{hold_id}/release", tag = "balance",
    responses(
        (status = 200, body = HoldDetail),
        (status = 202, body = AdjustmentRequest, description = "The release waits for a second person; nothing is recorded"),
        (status = 409, description = "The hold releases itself"),
        (status = 422, description = "Invalid values, by field: amount, reason"),
    )
)]
pub(crate) async fn release_hold(
    State(state): State<AppState>,
    caller: StaffCaller,
    Ids(business_id, hold_id): Ids<BusinessId, HoldId>,
    key: IdempotencyKey,
    PanelUrl(panel_url): PanelUrl,
    Form(form): Form<HoldReleaseForm>,
) -> Result<Response> {
    let kind = hold_kind(&*state.db().await?, business_id, hold_id).await?;
    let change = form.into_change(business_id, hold_id, kind);
    Work::new(&state, caller, &panel_url, &key).make(change).await
}

/// Record a judicial deposit
///
/// The amount (in cents) left the hold for the court's account. Needs the signed-in user's password, and always waits for
/// a second person.
#[utoipa::path(
    post, path = "/admin/balance/holds/{business_id}/{hold_id}/court-payment", tag = "balance",
    responses(
        (status = 202, body = AdjustmentRequest, description = "The deposit waits for a second person; nothing is recorded"),
        (status = 409, description = "No court ordered the hold"),
        (status = 422, description = "Invalid values, by field: amount, receipt, password"),
        (status = 429, description = "Too many wrong passwords in this session; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn pay_court(
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    caller: StaffCaller,
    Ids(business_id, hold_id): Ids<BusinessId, HoldId>,
    key: IdempotencyKey,
    PanelUrl(panel_url): PanelUrl,
    Form(form): Form<CourtPaymentForm>,
) -> Result<Response> {
    reauthentication::check(&state.accounts, SessionOwner::from(staff), &form.password).await?;
    let change = HoldChange {
        business_id,
        amount: form.amount,
        reason: format!("Depósito judicial {}", form.receipt),
        action: HoldAction::PayCourt {
            hold_id,
            receipt: form.receipt,
        },
    };
    Work::new(&state, caller, &panel_url, &key).make(change).await
}

struct Work<'a> {
    state: &'a AppState,
    caller: StaffCaller,
    panel_url: &'a str,
    key: &'a IdempotencyKey,
}

impl<'a> Work<'a> {
    const fn new(
        state: &'a AppState,
        caller: StaffCaller,
        panel_url: &'a str,
        key: &'a IdempotencyKey,
    ) -> Self {
        Self {
            state,
            caller,
            panel_url,
            key,
        }
    }

    /// Does it now, or asks for a second person.
    async fn make(self, change: HoldChange) -> Result<Response> {
        let Self {
            state,
            caller,
            panel_url,
            key,
        } = self;
        let business = change.business_id;
        let places = change.action.hold_id().is_none();
        let commands = state.commands(Actor::Admin(caller.id), key);
        let counted = match change.adjustment() {
            Some(adjustment) => {
                let key = commands.idempotency(&change.request());
                match way_of(state, (caller, panel_url), key, &adjustment).await? {
                    Way::Alone(counted) => Some(counted),
                    Way::Requested(answer) => return Ok(answer),
                }
            }
            None => {
                caller.check_still_allowed(&*state.db().await?).await?;
                None
            }
        };
        let asked = newly_asked(state, &change).await?;
        let (receipt, hold) = change.make(commands, counted, state.clock.now()).await?;
        let models = [
            ReadModelGroup::Balance,
            ReadModelGroup::Statement,
            ReadModelGroup::Holds,
        ];
        let headers = receipt.headers_when_visible(state, &models).await?;
        if !asked.is_empty() && !receipt.replayed {
            ask_for_documents(state, caller, (business, hold), asked).await;
        }
        let detail = hold_detail(state, Audience::Admin, business, hold).await?;
        let status = if places {
            StatusCode::CREATED
        } else {
            StatusCode::OK
        };
        Ok((status, headers, Json(detail)).into_response())
    }
}

/// What the change asks the seller for that the hold did not ask for before.
async fn newly_asked(state: &AppState, change: &HoldChange) -> Result<Vec<String>> {
    let (documents, before) = match &change.action {
        HoldAction::Place { documents, .. } => (documents, None),
        HoldAction::Change {
            hold_id, documents, ..
        } => {
            let hold = hold_fetch(&*state.db().await?, change.business_id, *hold_id).await?;
            (documents, hold)
        }
        HoldAction::Release { .. } | HoldAction::PayCourt { .. } => return Ok(vec![]),
    };
    let before = before.map(|hold| hold.documents).unwrap_or_default();
    let new = documents.iter().filter(|name| !before.contains(name));
    Ok(new.cloned().collect())
}

/// The ledger has recorded the hold, so a failure of the e-mails is only logged: the seller sees the hold in the panel.
async fn ask_for_documents(
    state: &AppState,
    caller: StaffCaller,
    (business, hold): (BusinessId, HoldId),
    asked: Vec<String>,
) {
    let told = async {
        let found = hold_fetch(&*state.db().await?, business, hold).await?;
        let Some(found) = found else {
            return Ok(());
        };
        let sellers_url = state.config.hosts.url(Panel::Seller);
        documents_asked(state, &sellers_url, caller.id, &found, asked).await
    };
    if let Err(problem) = told.await {
        let message: &str = &problem.message;
        tracing::warn!(code = "hold_email_failed", %business, %hold, message, "nobody was asked for documents");
    }
}
