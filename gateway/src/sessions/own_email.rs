//! A person's own address: asking for another one, which counts once it is confirmed there, and confirming the one they
//! have. Nobody learns here whether an address is somebody else's: it only never gets confirmed.

use chrono::Utc;
use serde_json::json;

use super::codes::{self, Owner, Purpose, Redeemed};
use super::new_password::{AskedFrom, LINK_SPENT};
use super::open_sessions::Holder;
use super::rate_limit::{Caller, Kind};
use super::{Audience, account, password_again};
use crate::AppState;
use crate::http::QueryReader;
use crate::mail::{Facts, LetterKind, NewLetter};
use crate::people::fields;
use crate::problem::{Problem, Result};

pub async fn change(
    state: &AppState,
    holder: Holder,
    email: Option<String>,
    password: Option<String>,
    asking: AskedFrom,
) -> Result<()> {
    let mut faults = QueryReader::empty();
    let email = fields::email(&email.unwrap_or_default())
        .map_err(|fault| faults.error("email", fault))
        .unwrap_or_default();
    let password = password.unwrap_or_default();
    if password.is_empty() {
        faults.error("password", "Senha é requerida.");
    }
    faults.finish()?;
    let Holder { audience, user, .. } = holder;
    let field = "password";
    let checked = password_again::check_field(state, holder, (field, &password)).await?;

    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    let (tx, now) = (&*transaction, Utc::now());
    let account = account::account_lock(tx, audience, user)
        .await?
        .ok_or_else(Problem::signed_out)?;
    // Replaced meanwhile: whoever asks by the old one is whom that should keep out.
    if !account::password_holds(tx, audience, user, &checked).await? {
        return Err(Problem::field(field, password_again::WRONG));
    }
    if account.email == email {
        return Err(Problem::field("email", "Este já é o seu e-mail."));
    }
    take_letter(state, audience, &account.email, asking.caller)?;
    // One new address at a time: the one asked for last.
    let own = Owner {
        audience,
        user,
        email: &account.email,
    };
    codes::end_open_elsewhere(tx, own, Purpose::VerifyEmail, now).await?;
    let letter = |kind, recipient, facts| NewLetter {
        kind,
        audience,
        user: Some(user),
        recipient,
        panel_url: &asking.panel_url,
        facts,
    };
    let confirmation = letter(LetterKind::VerifyEmail, &email, asking.facts());
    let told = Facts {
        new_email: Some(email.clone()),
        ..asking.facts()
    };
    let notice = letter(LetterKind::EmailChangeAsked, &account.email, told);
    let first = state.mail.enqueue(tx, &confirmation).await?;
    let second = state.mail.enqueue(tx, &notice).await?;
    let change = (
        Some(json!({ "email": account.email })),
        Some(json!({ "email": email })),
    );
    account::note(tx, audience, user, "ask-email-change", change).await?;
    transaction.commit().await?;
    first.wake();
    second.wake();
    Ok(())
}

/// The confirmation of the present address once more.
pub async fn ask_again(state: &AppState, holder: Holder, asking: AskedFrom) -> Result<()> {
    let Holder { audience, user, .. } = holder;
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    let account = account::account_lock(&*transaction, audience, user)
        .await?
        .ok_or_else(Problem::signed_out)?;
    if account.email_verified {
        return Err(Problem::conflict("Seu e-mail já está confirmado."));
    }
    take_letter(state, audience, &account.email, asking.caller)?;
    let confirmation = NewLetter {
        kind: LetterKind::VerifyEmail,
        audience,
        user: Some(user),
        recipient: &account.email,
        panel_url: &asking.panel_url,
        facts: asking.facts(),
    };
    let posted = state.mail.enqueue(&*transaction, &confirmation).await?;
    transaction.commit().await?;
    posted.wake();
    Ok(())
}

/// The address that is confirmed now.
pub async fn confirm(state: &AppState, audience: Audience, code: &str, asking: AskedFrom) -> Result<String> {
    state
        .sessions
        .limits
        .take_by_caller(Kind::Code, asking.caller)
        .map_err(Problem::too_many_requests)?;
    let spent = || Problem::unprocessable(LINK_SPENT);
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    let (tx, now) = (&*transaction, Utc::now());
    let redeemed = codes::redeem(tx, audience, Purpose::VerifyEmail, code, now).await?;
    let Redeemed { account, email } = redeemed.ok_or_else(spent)?;
    if !account::email_confirm(tx, audience, account.id, &email).await? {
        return Err(spent());
    }
    codes::end_open(tx, audience, account.id, Purpose::VerifyEmail, now).await?;
    let moved = account.email != email;
    let change = if moved {
        (json!({ "email": account.email }), json!({ "email": email }))
    } else {
        (
            json!({ "email_verified": account.email_verified }),
            json!({ "email_verified": true }),
        )
    };
    account::note(
        tx,
        audience,
        account.id,
        "verify-email",
        (Some(change.0), Some(change.1)),
    )
    .await?;
    let posted = if moved {
        let notice = NewLetter {
            kind: LetterKind::EmailChanged,
            audience,
            user: Some(account.id),
            recipient: &account.email,
            panel_url: &asking.panel_url,
            facts: Facts {
                new_email: Some(email.clone()),
                ..asking.facts()
            },
        };
        Some(state.mail.enqueue(tx, &notice).await?)
    } else {
        None
    };
    transaction.commit().await?;
    posted.into_iter().for_each(|posted| posted.wake());
    Ok(email)
}

fn take_letter(state: &AppState, audience: Audience, email: &str, caller: Caller) -> Result<()> {
    state
        .sessions
        .limits
        .take(Kind::Confirm, &audience.account(email), caller)
        .map_err(Problem::too_many_requests)
}
