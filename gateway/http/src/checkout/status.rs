//! The status of an order.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use gateway_formats::short_code::OrderReference;
use gateway_platform::orders::{OrderKey, order_view};

use super::answer;
use super::status_bodies::OrderStatus;
use crate::AppState;
use crate::edge::panel::TenantLabel;
use crate::problem::{Problem, Result};

/// Get the status of an order
///
/// Needs no session. An invalid reference is a 404, like an unknown one.
#[utoipa::path(
    get, path = "/transactions/{id}/status", tag = "checkout",
    params(("id" = String, Path, description = "The order's reference", example = "7Q2M4Z9XKD")),
    responses(
        (status = 200, body = OrderStatus),
        (status = 404, description = "No order has this reference"),
    )
)]
pub(crate) async fn get_order_status(
    State(state): State<AppState>,
    tenant: TenantLabel,
    Path(id): Path<String>,
) -> Result<Response> {
    let status = status_of(&state, &tenant, &id).await?;
    answer::status(status, state.clock.now())
}

pub(crate) async fn status_of(
    state: &AppState,
    tenant: &TenantLabel,
    reference: &str,
) -> Result<OrderStatus> {
    let reference = OrderReference::parse(reference).map_err(|_| unknown_order())?;
    let view = order_view(&*state.db().await?, OrderKey::Reference(&reference)).await?;
    let view = view.ok_or_else(unknown_order)?;
    OrderStatus::of(state, view, tenant).await
}

pub fn unknown_order() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "Não encontramos este pedido. Confira o endereço com quem o enviou.",
    )
}
