//! The open sessions of the signed-in user: the list, ending one, and ending all others.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use chrono::Utc;
use gateway_identity::sessions::open_sessions::{self, SessionId, SessionOwner};

use super::bodies::open_session::{OpenSession, OpenSessions};
use crate::AppState;
use crate::edge::cookies::SetCookies;
use crate::edge::fetch_site::is_from_elsewhere;
use crate::edge::{Db, Id, Json, Tx};
use crate::problem::{Problem, Result};

/// List own sessions
///
/// Returns the open sessions of the signed-in user, the last used first.
#[utoipa::path(
    get, path = "/sellers/me/sessions", tag = "session",
    responses((status = 200, body = OpenSessions))
)]
pub(crate) async fn list_sessions(owner: SessionOwner, db: Db) -> Result<Json<OpenSessions>> {
    let open = open_sessions::open_sessions(&*db, owner, Utc::now()).await?;
    let data = open
        .into_iter()
        .map(|row| OpenSession::of_row(row, owner.session_id));
    Ok(Json(OpenSessions { data: data.collect() }))
}

/// End an own session
///
/// Ending the current session signs the user out and clears its cookies.
#[utoipa::path(
    delete, path = "/sellers/me/sessions/{id}", tag = "session",
    responses(
        (status = 204, description = "The session is ended"),
        (status = 404, description = "The user has no such open session"),
    )
)]
pub(crate) async fn end_session(
    State(state): State<AppState>,
    headers: HeaderMap,
    Id(id): Id<SessionId>,
    owner: SessionOwner,
) -> Result<impl IntoResponse> {
    end(&state, &headers, owner, id).await
}

/// End all other own sessions
///
/// The current session stays open.
#[utoipa::path(
    delete, path = "/sellers/me/sessions", tag = "session",
    responses((status = 204, description = "Only the current session is left"))
)]
pub(crate) async fn end_other_sessions(owner: SessionOwner, tx: Tx) -> Result<StatusCode> {
    open_sessions::end_others(&*tx, owner, Utc::now()).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends the current session. If a page of another origin caused the request, the session stays and the answer redirects
/// to the panel's home. Such a page can send a browser here with its cookies, but cannot set an `Authorization` header.
pub(crate) async fn sign_out(
    state: &AppState,
    headers: &HeaderMap,
    requested_url: &str,
    owner: SessionOwner,
) -> Result<Response> {
    if !headers.contains_key(header::AUTHORIZATION) && is_from_elsewhere(headers, requested_url) {
        return Ok(Redirect::to("/").into_response());
    }
    let present = SessionId(owner.session_id);
    end(state, headers, owner, present)
        .await
        .map(IntoResponse::into_response)
}

/// Ends a session of the user. If it is the current one, the cookies are cleared as well.
async fn end(
    state: &AppState,
    headers: &HeaderMap,
    owner: SessionOwner,
    SessionId(session_id): SessionId,
) -> Result<impl IntoResponse + use<>> {
    let tx = state.begin().await?;
    if !open_sessions::end_one(&*tx, owner, session_id, Utc::now()).await? {
        return Err(Problem::not_found());
    }
    tx.commit().await?;
    let cookies = SetCookies::answering(headers);
    let cookies = if session_id == owner.session_id {
        cookies.forget(owner.audience)
    } else {
        cookies
    };
    Ok((StatusCode::NO_CONTENT, cookies.into_headers()))
}
