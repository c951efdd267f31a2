//! The status of an order as a stream of server-sent events, so that the buyer's page shows a payment at once.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::{Stream, stream};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use gateway_formats::short_code::OrderReference;
use gateway_identity::account::new_password::RequestOrigin;
use gateway_identity::rate_limit::LimitedCaller;
use gateway_platform::orders::{OrderChanges, OrderKey, order_view};

use super::status::unknown_order;
use super::status_bodies::OrderStatus;
use crate::AppState;
use crate::edge::panel::TenantLabel;
use crate::edge::slots::Slot;
use crate::edge::time_limit::TimeLimit;
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// The page connects again after the same time, and polls the status until then.
const RETRY_AFTER_SECONDS: u64 = 15;
const COMMENT_EVERY: Duration = Duration::from_secs(15);
/// The longest life of one stream. It ends streams whose client has gone without closing the connection. A browser that
/// is still there connects again by itself.
const LIFE: Duration = Duration::from_secs(15 * 60);

/// Follow the status of an order
///
/// Server-sent events named `status`, each with the status as JSON: at once, and at each change. A comment is sent
/// after 15 seconds without an event. The stream ends after a final status, or after 15 minutes at most. A caller (an
/// IP address, or the user who last signed in with the browser) may have 20 streams at once. A client whose stream is
/// refused polls the status instead.
#[utoipa::path(
    get, path = "/transactions/{id}/events", tag = "checkout",
    params(("id" = String, Path, description = "The order's reference", example = "7Q2M4Z9XKD")),
    responses(
        (status = 200, description = "Events named `status`", body = OrderStatus, content_type = "text/event-stream"),
        (status = 404, description = "No order has this reference"),
        (status = 429, description = "This caller has 20 streams already"),
    )
)]
pub(crate) async fn follow_order_status(
    State(state): State<AppState>,
    tenant: TenantLabel,
    origin: RequestOrigin,
    _endless: Endless,
    Path(id): Path<String>,
) -> Result<Response> {
    let reference = OrderReference::parse(&id).map_err(|_| unknown_order())?;
    let slot = state
        .slots
        .streams
        .take(origin.caller)
        .ok_or_else(too_many_streams)?;
    let view = order_view(&*state.db().await?, OrderKey::Reference(&reference)).await?;
    let order_id = view.ok_or_else(unknown_order)?.id;
    let changes = state.orders.follow(order_id);
    let status_stream = StatusStream {
        closed: state.orders.closed(),
        changes,
        state,
        tenant,
        order_id,
        last: None,
        ends_at: Instant::now() + LIFE,
        _slot: slot,
    };
    let events = Sse::new(status_stream.events());
    Ok(events
        .keep_alive(KeepAlive::new().interval(COMMENT_EVERY))
        .into_response())
}

fn too_many_streams() -> Problem {
    Problem {
        retry_after_seconds: Some(RETRY_AFTER_SECONDS),
        ..Problem::too_many_at_once("Há páginas demais abertas nesta rede ou por este usuário.")
    }
}

/// Lifts the time limit of the request, because a stream may last longer.
pub struct Endless;

impl<S: Send + Sync> FromRequestParts<S> for Endless {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        if let Some(limit) = parts.extensions.get::<TimeLimit>() {
            limit.lift();
        }
        Ok(Self)
    }
}

impl Documented for Endless {
    fn describe(_: &mut CallDocument) {}
}

/// The stream of one client.
struct StatusStream {
    state: AppState,
    tenant: TenantLabel,
    order_id: Uuid,
    changes: OrderChanges,
    /// Becomes true when the program stops.
    closed: watch::Receiver<bool>,
    /// The status that was sent last.
    last: Option<OrderStatus>,
    ends_at: Instant,
    _slot: Slot<LimitedCaller>,
}

impl StatusStream {
    fn events(self) -> impl Stream<Item = std::result::Result<Event, Infallible>> {
        stream::unfold(Some(self), |current| async {
            let mut current = current?;
            let status = current.next_status().await?;
            let event = Event::default().event("status").json_data(&status).ok()?;
            let is_final = status.r#final;
            current.last = Some(status);
            Some((Ok(event), (!is_final).then_some(current)))
        })
    }

    /// The next status that differs from the last. `None` ends the stream.
    async fn next_status(&mut self) -> Option<OrderStatus> {
        loop {
            // The browser connects again if the database cannot be read now.
            let status = self.status().await.ok()?;
            if self.last.as_ref() != Some(&status) {
                return Some(status);
            }
            if !self.wait().await {
                return None;
            }
        }
    }

    async fn status(&self) -> Result<OrderStatus> {
        let view = order_view(&*self.state.db().await?, OrderKey::Id(self.order_id)).await?;
        let view = view.ok_or_else(unknown_order)?;
        OrderStatus::of(&self.state, view, &self.tenant).await
    }

    /// Waits until the order may have changed. False if the stream must end: its life is over, or the program stops.
    async fn wait(&mut self) -> bool {
        tokio::select! {
            () = self.changes.changed() => true,
            _ = self.closed.wait_for(|closed| *closed) => false,
            () = sleep_until(self.ends_at) => false,
        }
    }
}
