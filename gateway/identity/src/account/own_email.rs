//! The user's own address: requests a change, which takes effect when the new address is confirmed, and confirms the
//! current address. A request for the address of another user gets the same answer. That address cannot be confirmed
//! while the other user has it.

use chrono::Utc;
use serde_json::json;

use super::new_password::RequestOrigin;
use super::{AccountError, AccountService, FieldErrors, reauthentication};
use crate::audience::Audience;
use crate::credentials::account;
use crate::credentials::codes::{self, CodeOwner, Purpose, RedeemedCode};
use crate::fields;
use crate::mail::{EmailKind, Facts, OutboxEmail};
use crate::rate_limit::{LimitKind, LimitedCaller};
use crate::sessions::open_sessions::SessionOwner;

pub async fn request_change(
    accounts: &AccountService,
    owner: SessionOwner,
    email: Option<String>,
    password: Option<String>,
    origin: RequestOrigin,
) -> Result<(), AccountError> {
    let mut errors = FieldErrors::default();
    let email = fields::email(&email.unwrap_or_default())
        .map_err(|message| errors.add("email", message))
        .unwrap_or_default();
    let password = password.unwrap_or_default();
    if password.is_empty() {
        errors.add("password", "Senha é requerida.");
    }
    errors.finish()?;
    let SessionOwner { audience, user, .. } = owner;
    let field = "password";
    let checked = reauthentication::check_field(accounts, owner, (field, &password)).await?;

    let mut client = accounts.pool.get().await?;
    let transaction = client.transaction().await?;
    let (tx, now) = (&*transaction, Utc::now());
    let account = account::lock_active_user(tx, audience, user)
        .await?
        .ok_or(AccountError::SignedOut)?;
    // The password may have been replaced while the old one was checked.
    if !account::lock_password_if_current(tx, audience, user, &checked).await? {
        return Err(AccountError::WrongPassword { field });
    }
    if account.email == email {
        return Err(AccountError::SameEmail);
    }
    limit_confirmations(accounts, audience, &account.email, origin.caller)?;
    // Ends the codes of addresses that were requested earlier. Codes for the current address stay open.
    let code_owner = CodeOwner {
        audience,
        user,
        email: &account.email,
    };
    codes::end_open_at_other_addresses(tx, code_owner, Purpose::VerifyEmail, now).await?;
    let outbox_email = |kind, recipient, facts| OutboxEmail {
        kind,
        audience,
        user: Some(user),
        recipient,
        panel_url: &origin.panel_url,
        facts,
    };
    let confirmation = outbox_email(EmailKind::VerifyEmail, &email, origin.facts());
    let facts_with_new_email = Facts {
        new_email: Some(email.clone()),
        ..origin.facts()
    };
    let notification = outbox_email(EmailKind::EmailChangeAsked, &account.email, facts_with_new_email);
    let first = accounts.mail.enqueue(tx, &confirmation).await?;
    let second = accounts.mail.enqueue(tx, &notification).await?;
    let change = (
        Some(json!({ "email": account.email })),
        Some(json!({ "email": email })),
    );
    account::record_own_action(tx, audience, user, "ask-email-change", change).await?;
    transaction.commit().await?;
    first.wake();
    second.wake();
    Ok(())
}

/// Sends the confirmation of the current address again.
pub async fn resend_confirmation(
    accounts: &AccountService,
    owner: SessionOwner,
    origin: RequestOrigin,
) -> Result<(), AccountError> {
    let SessionOwner { audience, user, .. } = owner;
    let mut client = accounts.pool.get().await?;
    let transaction = client.transaction().await?;
    let account = account::lock_active_user(&*transaction, audience, user)
        .await?
        .ok_or(AccountError::SignedOut)?;
    if account.email_verified {
        return Err(AccountError::EmailAlreadyConfirmed);
    }
    limit_confirmations(accounts, audience, &account.email, origin.caller)?;
    let confirmation = OutboxEmail {
        kind: EmailKind::VerifyEmail,
        audience,
        user: Some(user),
        recipient: &account.email,
        panel_url: &origin.panel_url,
        facts: origin.facts(),
    };
    let queued = accounts.mail.enqueue(&*transaction, &confirmation).await?;
    transaction.commit().await?;
    queued.wake();
    Ok(())
}

/// Returns the address that is now confirmed.
pub async fn confirm(
    accounts: &AccountService,
    audience: Audience,
    code: &str,
    origin: RequestOrigin,
) -> Result<String, AccountError> {
    accounts
        .limits
        .take_by_caller(LimitKind::CodeUse, origin.caller)
        .map_err(AccountError::too_many)?;
    let mut client = accounts.pool.get().await?;
    let transaction = client.transaction().await?;
    let (tx, now) = (&*transaction, Utc::now());
    let redeemed = codes::redeem(tx, audience, Purpose::VerifyEmail, code, now).await?;
    let RedeemedCode { account, email } = redeemed.ok_or(AccountError::ConfirmationLinkInvalid)?;
    // False if another user has the address.
    if !account::set_confirmed_email(tx, audience, account.id, &email).await? {
        return Err(AccountError::ConfirmationLinkInvalid);
    }
    codes::end_open(tx, audience, account.id, Purpose::VerifyEmail, now).await?;
    let is_new_address = account.email != email;
    let change = if is_new_address {
        (json!({ "email": account.email }), json!({ "email": email }))
    } else {
        (
            json!({ "email_verified": account.email_verified }),
            json!({ "email_verified": true }),
        )
    };
    account::record_own_action(
        tx,
        audience,
        account.id,
        "verify-email",
        (Some(change.0), Some(change.1)),
    )
    .await?;
    let queued = if is_new_address {
        let notification = OutboxEmail {
            kind: EmailKind::EmailChanged,
            audience,
            user: Some(account.id),
            recipient: &account.email,
            panel_url: &origin.panel_url,
            facts: Facts {
                new_email: Some(email.clone()),
                ..origin.facts()
            },
        };
        Some(accounts.mail.enqueue(tx, &notification).await?)
    } else {
        None
    };
    transaction.commit().await?;
    queued.into_iter().for_each(|email| email.wake());
    Ok(email)
}

fn limit_confirmations(
    accounts: &AccountService,
    audience: Audience,
    email: &str,
    caller: LimitedCaller,
) -> Result<(), AccountError> {
    accounts
        .limits
        .take(LimitKind::EmailConfirmation, &audience.account(email), caller)
        .map_err(AccountError::too_many)
}
