//! The limits of cards on the page of a payment link: by card token, by caller (`LimitedCaller`), and by link.

use std::time::Duration;

use axum::http::StatusCode;
use gateway_identity::rate_limit::{LimitKind, LimitedCaller};
use gateway_platform::buyers::{CardGate, card_gate};
use gateway_platform::orders::{AttemptState, OrderKey, OrderView, order_view};
use ledger_domain::PaymentLinkId;
use ledger_store::supervisor::spawn_once;
use tokio::time::timeout;
use tokio_postgres::GenericClient;

use crate::AppState;
use crate::checkout::choices::Choice;
use crate::problem::{Problem, Result};

/// How long to wait for a card's late answer. In this time the rate limit itself regains one attempt
/// (`LimitKind::DeclinedCard`), so giving the attempt back later has no use.
const LATE_ANSWER: Duration = Duration::from_mins(2);

/// A card attempt that counts as declined against the limit of its caller. It is taken before the card is sent, so that
/// concurrent cards cannot exceed the limit. `answered` gives it back if the card was not declined.
#[must_use = "call `answered` with the answer"]
pub struct CardAttempt {
    /// The caller to whom the attempt is given back. `None` for other payment types than cards.
    caller: Option<LimitedCaller>,
}

/// Checks all limits of cards, and takes an attempt from the caller's limit of declined cards. Must be called before
/// the attempt is added to the order. Other payment types than cards pass.
pub(crate) async fn take_card_attempt(
    state: &AppState,
    client: &impl GenericClient,
    link_id: PaymentLinkId,
    choice: &Choice,
    caller: LimitedCaller,
) -> Result<CardAttempt> {
    let Some(card) = &choice.card else {
        return Ok(CardAttempt { caller: None });
    };
    let limits = &state.accounts.limits;
    limits.take_by_caller(LimitKind::DeclinedCard, caller).await?;
    let attempt = CardAttempt { caller: Some(caller) };
    match check_card(state, client, link_id, &card.token.0, caller).await {
        Ok(()) => Ok(attempt),
        Err(refusal) => {
            attempt.give_back(state).await;
            Err(refusal)
        }
    }
}

async fn check_card(
    state: &AppState,
    client: &impl GenericClient,
    link_id: PaymentLinkId,
    token: &str,
    caller: LimitedCaller,
) -> Result<()> {
    let limits = &state.accounts.limits;
    limits.take(LimitKind::Card, token, caller).await?;
    let now = state.clock.now();
    let gate = card_gate(client, link_id, now).await?;
    match gate.wait_seconds(now) {
        Some(seconds) => Err(closed(gate, seconds)),
        None => Ok(()),
    }
}

impl CardAttempt {
    /// Must be called with the order after the wait for the acquirer's answer. If the attempt is still processing, a
    /// background task waits longer.
    pub async fn answered(self, state: &AppState, view: &OrderView) {
        match view.attempt.state {
            AttemptState::Declined => {}
            AttemptState::Processing if self.caller.is_some() => self.answered_later(state.clone(), view),
            _ => self.give_back(state).await,
        }
    }

    fn answered_later(self, state: AppState, view: &OrderView) {
        let (order_id, sale_id) = (view.id, view.attempt.sale_id);
        let mut changes = state.orders.follow(order_id);
        drop(spawn_once("card answer", async move {
            let answer = async {
                loop {
                    let db = state.db().await?;
                    let view = order_view(&*db, OrderKey::Id(order_id)).await?;
                    drop(db);
                    match view.map(|view| view.attempt) {
                        Some(attempt)
                            if attempt.sale_id == sale_id && attempt.state == AttemptState::Processing => {}
                        ended => return Ok::<_, Problem>(ended),
                    }
                    changes.changed().await;
                }
            };
            match timeout(LATE_ANSWER, answer).await {
                // If the order has another attempt by now, this card was not paid, and nothing is given back.
                Ok(Ok(Some(attempt)))
                    if attempt.sale_id == sale_id && attempt.state != AttemptState::Declined =>
                {
                    self.give_back(&state).await;
                }
                // Declined, or no answer in time: nothing is given back. A failed reading is in the log already.
                _ => {}
            }
        }));
    }

    async fn give_back(self, state: &AppState) {
        if let Some(caller) = self.caller {
            let limits = &state.accounts.limits;
            limits.give_back_by_caller(LimitKind::DeclinedCard, caller).await;
        }
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
