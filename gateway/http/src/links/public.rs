//! The public call of a payment link: what its page shows before the buyer places an order.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use gateway_platform::buyers::card_closed_until;
use gateway_platform::links::{LinkStatus, PaymentLink, SOLUTION, link_by_code, link_opening_add, offer_of};
use gateway_platform::orders::uses_held_until;
use gateway_platform::settings::tenant_of;

use super::public_bodies::{PublicPageParts, PublicPaymentLink};
use crate::AppState;
use crate::checkout::{Offered, offered};
use crate::edge::panel::TenantLabel;
use crate::edge::{Json, Query, query};
use crate::plans::simulation::{AmountInCents, context_on};
use crate::problem::{Problem, Result};

/// Get what the page of a payment link shows
///
/// Needs no session. A code that no link has is a 404, whatever it looks like. A call without `amount` counts as an
/// opening of the page.
#[utoipa::path(
    get, path = "/pl/{code}", tag = "payment-links",
    params(
        ("code" = String, Path, description = "The code of the link; its case is ignored", example = "2F6F4F5A1B0B"),
    ),
    responses(
        (status = 200, body = PublicPaymentLink),
        (status = 404, description = "No link has this code"),
    )
)]
pub(crate) async fn get_public_link(
    State(state): State<AppState>,
    tenant: TenantLabel,
    Path(code): Path<String>,
    Query(query): Query<PriceQuery>,
) -> Result<Json<PublicPaymentLink>> {
    let db = state.db().await?;
    let (link, seller) = link_by_code(&*db, &code).await?.ok_or_else(unknown_link)?;
    let today = state.clock.today();
    let status = link.status_for_buyers(&seller, today);
    let chosen = query.amount.map(|AmountInCents(amount)| amount);
    if chosen.is_none() {
        link_opening_add(&*db, link.id, today).await?;
    }
    let amount = link.fields.amount_to_pay(chosen)?;
    let Offered { fields, card_tokens } = offered(&state, &*db, &link).await?;
    let offer = match amount.filter(|_| status == LinkStatus::Active) {
        None => None,
        Some(amount) => {
            let context = context_on(&state, &db, link.company.id, SOLUTION).await?;
            context.terms.map(|terms| offer_of(&terms, &fields, amount))
        }
    };
    let held_until = match status {
        LinkStatus::Exhausted => uses_held_until(&*db, link.id).await?,
        LinkStatus::Active | LinkStatus::Inactive | LinkStatus::Expired => None,
    };
    let page = PublicPageParts {
        status,
        held_until,
        seller,
        offer,
        card_tokens: card_tokens.map(Into::into),
        card_closed_until: card_closed_until(&*db, link.id, state.clock.now()).await?,
        tenant: tenant_of(&*db, &tenant.0).await?,
    };
    Ok(Json(PublicPaymentLink::of(PaymentLink { fields, ..link }, page)))
}

query! {
    pub struct PriceQuery {
        /// The amount in cents that the buyer chooses, if the link leaves it open.
        #[example = 5_000]
        amount: Option<AmountInCents>,
    }
}

pub fn unknown_link() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "Não encontramos este link de pagamento. Confira o endereço com quem o enviou.",
    )
}
