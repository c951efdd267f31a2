//! The page of a 3-D Secure challenge, in place of an issuer's. It returns the buyer's browser to the checkout.

use axum::Form;
use axum::extract::{Path, State};
use axum::response::{Html, Redirect};
use gateway_acquirers::charge::ChargeState;
use serde::Deserialize;

use super::{CONTRACT, not_found};
use crate::sandbox::acquirers::behavior::CardOutcome;
use crate::sandbox::acquirers::charge::{Change, ChargedMethod, SandboxCharge};
use crate::sandbox::acquirers::charges::Charges;
use crate::sandbox::server::Refused;

const PAGE: &str = r#"<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Confirme a compra</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 3rem auto; padding: 0 1rem; }
button { font: inherit; padding: .75rem 1rem; margin-right: .5rem; }
</style>
</head>
<body>
<main>
<h1>Confirme a compra</h1>
<p>Seu banco pede uma confirmação. Esta é uma página de testes.</p>
<form method="post">
<button name="answer" value="confirm">Confirmar</button>
<button name="answer" value="refuse">Recusar</button>
</form>
</main>
</body>
</html>
"#;

#[derive(Deserialize)]
pub struct AnswerForm {
    answer: Answer,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Confirm,
    Refuse,
}

pub async fn show(
    State(charges): State<Charges>,
    Path(id): Path<String>,
) -> Result<Html<&'static str>, Refused> {
    return_url(&charges, &id).map(|_| Html(PAGE))
}

/// Ends the challenge. A second answer changes nothing.
pub async fn answer(
    State(charges): State<Charges>,
    Path(id): Path<String>,
    Form(form): Form<AnswerForm>,
) -> Result<Redirect, Refused> {
    let return_url = return_url(&charges, &id)?;
    let still_open = charges
        .find(CONTRACT, &id)?
        .is_some_and(|charge| charge.state == ChargeState::Pending);
    if still_open {
        charges.change(
            &id,
            match form.answer {
                Answer::Confirm => Change::Pay,
                Answer::Refuse => Change::Decline,
            },
        );
    }
    Ok(Redirect::to(&return_url))
}

fn return_url(charges: &Charges, id: &str) -> Result<String, Refused> {
    let found = charges.find(CONTRACT, id)?.ok_or_else(not_found)?;
    match found.payment_method {
        ChargedMethod::Card {
            return_url: Some(url),
            ..
        } if found.is_challenged() => Ok(url),
        _ => Err(not_found()),
    }
}

impl SandboxCharge {
    /// Whether the payment has a challenge, open or ended.
    pub fn is_challenged(&self) -> bool {
        match &self.payment_method {
            ChargedMethod::Card {
                last_four,
                return_url: Some(_),
                ..
            } => CardOutcome::of_card(last_four) == CardOutcome::Challenged,
            _ => false,
        }
    }
}
