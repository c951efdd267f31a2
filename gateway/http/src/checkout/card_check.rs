//! Reads the brand of a card from its acquirer before an order is placed, so that a card is not charged at the price of
//! another brand. No database connection is held during the call.

use gateway_acquirers::calls::CallOutcome;
use gateway_acquirers::charge::Buyer;
use ledger_domain::sale::Provider;

use super::choices::Choice;
use crate::AppState;
use crate::problem::{Problem, Result};

/// Puts what the acquirer tells about the card into the choice. A 422 if the acquirer does not take the token.
pub async fn check_card(
    state: &AppState,
    provider: Provider,
    buyer: &Buyer,
    choice: &mut Choice,
) -> Result<()> {
    let Some(card) = &mut choice.card else {
        return Ok(());
    };
    let acquirer = state.acquirers.of(provider).ok_or_else(Problem::unavailable)?;
    let checked = match acquirer.check_card(&card.token, buyer).await {
        // The sale then says that only the buyer has named the brand.
        None => return Ok(()),
        Some(CallOutcome::Answered(checked)) => checked,
        Some(CallOutcome::Rejected(fault)) => {
            tracing::warn!(
                code = "card_not_read",
                provider = provider.slug(),
                fault = fault.0,
                "an acquirer does not take a card's token"
            );
            let message = "Não conseguimos ler o cartão. Digite os dados dele de novo.";
            return Err(Problem::field("card.token", message));
        }
        Some(CallOutcome::NotFound | CallOutcome::Unknown(_)) => return Err(Problem::unavailable()),
    };
    card.token = checked.token;
    card.told_brand = checked.brand;
    if let Some(last_four) = checked.last_four.filter(|digits| is_last_four(digits)) {
        card.last_four = last_four;
    }
    Ok(())
}

/// Deletes what the check has saved of a card that is not charged after all.
pub async fn forget_card(state: &AppState, provider: Provider, choice: &Choice) {
    if let (Some(card), Some(acquirer)) = (&choice.card, state.acquirers.of(provider)) {
        acquirer.forget_card(&card.token).await;
    }
}

fn is_last_four(digits: &str) -> bool {
    digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_digit())
}
