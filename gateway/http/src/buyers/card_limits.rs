//! The limits of cards on the page of a payment link: by token, by the buyer's address, and by link.

use axum::http::StatusCode;
use gateway_identity::rate_limit::{LimitKind, LimitedCaller};
use gateway_platform::buyers::{CardGate, card_gate};
use gateway_platform::orders::{AttemptState, OrderView};
use ledger_domain::PaymentLinkId;
use ledger_domain::sale::PaymentType;
use tokio_postgres::GenericClient;

use crate::AppState;
use crate::checkout::choices::Choice;
use crate::problem::{Problem, Result};

/// Call it before an attempt is added. Other payment types than cards pass.
pub async fn check_card(
    state: &AppState,
    client: &impl GenericClient,
    link_id: PaymentLinkId,
    choice: &Choice,
    caller: LimitedCaller,
) -> Result<()> {
    let Some(card) = &choice.card else {
        return Ok(());
    };
    let limits = &state.sessions.limits;
    limits
        .check_caller(LimitKind::DeclinedCard, caller)
        .map_err(Problem::too_many_requests)?;
    limits
        .take(LimitKind::Card, &card.token.0, caller)
        .map_err(Problem::too_many_requests)?;
    let now = state.clock.now();
    let gate = card_gate(client, link_id, now).await?;
    match gate.wait(now) {
        Some(seconds) => Err(closed(gate, seconds)),
        None => Ok(()),
    }
}

/// Call it with the answer to a new attempt.
pub fn count_if_declined(state: &AppState, view: &OrderView, caller: LimitedCaller) {
    let attempt = &view.attempt;
    if attempt.payment_type == PaymentType::Credit && attempt.state == AttemptState::Declined {
        // The next card is refused if none is left.
        let _counted = state
            .sessions
            .limits
            .take_by_caller(LimitKind::DeclinedCard, caller);
    }
}

fn closed(gate: CardGate, seconds: u64) -> Problem {
    let message = match gate {
        CardGate::ClosedUntil(_) => {
            "Este link não aceita cartões agora. Escolha outra forma de pagamento, se houver, ou tente mais tarde."
        }
        CardGate::SlowUntil(_) | CardGate::Open => "Aguarde alguns segundos e tente de novo.",
    };
    Problem {
        retry_after_seconds: Some(seconds),
        ..Problem::new(StatusCode::TOO_MANY_REQUESTS, message)
    }
}
