//! The user's own address: requests a change, confirms an address by a link, and approves or refuses a change.
//!
//! A request for the address of another user gets the same answer. That address cannot be confirmed while the other
//! user has it.

use chrono::{DateTime, Utc};
use gateway_environment::request_context;
use serde_json::json;
use tokio_postgres::GenericClient;

use super::changed_email::take_effect;
use super::new_password::RequestOrigin;
use super::{AccountError, AccountService, reauthentication};
use crate::audience::Audience;
use crate::credentials::account::{self, email_is_taken};
use crate::credentials::codes::{self, Purpose, RedeemedCode};
use crate::credentials::email_change::{self, EmailChange, EmailChangeEnd, NewEmailChange};
use crate::email_queue::{EmailKind, Facts, OutboxEmail, QueuedEmail};
use crate::rate_limit::{LimitKind, LimitedCaller};
use crate::sessions::open_sessions::SessionOwner;

/// The result of a link that confirms or approves an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedAddress {
    pub email: String,
    /// Whether the user signs in with it now.
    pub is_effective: bool,
    /// When it takes effect without the approval of the present address. `None` if it has, or if it has to be confirmed
    /// first.
    pub takes_effect_at: Option<DateTime<Utc>>,
}

pub async fn request_change(
    accounts: &AccountService,
    owner: SessionOwner,
    email: String,
    password: String,
    origin: RequestOrigin,
) -> Result<(), AccountError> {
    let SessionOwner { audience, user, .. } = owner;
    let field = "password";
    let checked = reauthentication::check_field(accounts, owner, (field, &password)).await?;

    let mut client = accounts.pool.get().await?;
    let transaction = client.transaction().await?;
    let tx = &*transaction;
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
    limit_confirmations(accounts, audience, &account.email, origin.caller).await?;
    let new = NewEmailChange {
        audience,
        user,
        email_before: &account.email,
        email: &email,
        asked_by: audience.actor(user),
        panel_url: &origin.panel_url,
    };
    let requested = email_change::request(tx, &new, request_context::now()).await?;
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
        takes_effect_at: requested.map(|change| change.waits_until),
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
    limit_confirmations(accounts, audience, &account.email, origin.caller).await?;
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

/// Uses the code of a link: one that confirms an address, or one by which the old address approves a change.
pub async fn confirm(
    accounts: &AccountService,
    audience: Audience,
    code: &str,
    origin: RequestOrigin,
) -> Result<ConfirmedAddress, AccountError> {
    limit_codes(accounts, origin.caller).await?;
    let mut client = accounts.pool.get().await?;
    let transaction = client.transaction().await?;
    let (tx, now) = (&*transaction, request_context::now());
    let (confirmed, queued) = match redeem(tx, audience, Purpose::VerifyEmail, code).await? {
        Some(redeemed) if redeemed.account.email == redeemed.email => {
            (confirm_present(tx, audience, redeemed).await?, None)
        }
        Some(redeemed) => {
            let change = email_change::open_of(tx, audience, redeemed.account.id).await?;
            let change = change.filter(|change| change.email == redeemed.email);
            let change = change.ok_or(AccountError::ConfirmationLinkInvalid)?;
            let change = email_change::confirm(tx, &change, now).await?;
            conclude(accounts, tx, &change, now).await?
        }
        None => {
            let approved = redeem(tx, audience, Purpose::ApproveEmail, code).await?;
            let RedeemedCode { account, .. } = approved.ok_or(AccountError::ConfirmationLinkInvalid)?;
            let change = email_change::open_of(tx, audience, account.id).await?;
            let change = change.ok_or(AccountError::ConfirmationLinkInvalid)?;
            let change = email_change::approve(tx, &change, now).await?;
            let values = (None, Some(json!({ "email": change.email })));
            account::record_own_action(tx, audience, account.id, "approve-email-change", values).await?;
            conclude(accounts, tx, &change, now).await?
        }
    };
    transaction.commit().await?;
    queued.into_iter().flatten().for_each(QueuedEmail::wake);
    Ok(confirmed)
}

/// The reader of the old address refuses the change. Nothing changes then.
pub async fn refuse(
    accounts: &AccountService,
    audience: Audience,
    code: &str,
    origin: RequestOrigin,
) -> Result<(), AccountError> {
    limit_codes(accounts, origin.caller).await?;
    let mut client = accounts.pool.get().await?;
    let transaction = client.transaction().await?;
    let tx = &*transaction;
    let refused = redeem(tx, audience, Purpose::ApproveEmail, code).await?;
    let RedeemedCode { account, .. } = refused.ok_or(AccountError::ConfirmationLinkInvalid)?;
    let change = email_change::open_of(tx, audience, account.id).await?;
    let change = change.ok_or(AccountError::ConfirmationLinkInvalid)?;
    email_change::end(tx, &change, EmailChangeEnd::Refused, request_context::now()).await?;
    let values = (Some(json!({ "email": change.email })), None);
    account::record_own_action(tx, audience, account.id, "refuse-email-change", values).await?;
    Ok(transaction.commit().await?)
}

async fn redeem(
    tx: &impl GenericClient,
    audience: Audience,
    purpose: Purpose,
    code: &str,
) -> Result<Option<RedeemedCode>, AccountError> {
    Ok(codes::redeem(tx, audience, purpose, code, Utc::now()).await?)
}

async fn confirm_present(
    tx: &impl GenericClient,
    audience: Audience,
    RedeemedCode { account, email }: RedeemedCode,
) -> Result<ConfirmedAddress, AccountError> {
    account::set_email_verified(tx, audience, account.id).await?;
    codes::end_open_at(
        tx,
        audience,
        account.id,
        (Purpose::VerifyEmail, &email),
        Utc::now(),
    )
    .await?;
    let values = (
        Some(json!({ "email_verified": account.email_verified })),
        Some(json!({ "email_verified": true })),
    );
    account::record_own_action(tx, audience, account.id, "verify-email", values).await?;
    Ok(ConfirmedAddress {
        email,
        takes_effect_at: None,
        is_effective: true,
    })
}

/// Applies the change if it is due, else says when it will be.
async fn conclude(
    accounts: &AccountService,
    tx: &impl GenericClient,
    change: &EmailChange,
    now: DateTime<Utc>,
) -> Result<(ConfirmedAddress, Option<[QueuedEmail; 2]>), AccountError> {
    if email_is_taken(tx, change.audience, change.user, &change.email).await? {
        return Err(AccountError::ConfirmationLinkInvalid);
    }
    let is_effective = change.is_due(now);
    let queued = if is_effective {
        take_effect(tx, &accounts.mail, change, now).await?
    } else {
        None
    };
    let needs_only_time = !change.is_own() || change.confirmed_at.is_some();
    let confirmed = ConfirmedAddress {
        email: change.email.clone(),
        takes_effect_at: (!is_effective && needs_only_time).then_some(change.waits_until),
        is_effective,
    };
    Ok((confirmed, queued))
}

async fn limit_codes(accounts: &AccountService, caller: LimitedCaller) -> Result<(), AccountError> {
    let limits = &accounts.limits;
    Ok(limits.take_by_caller(LimitKind::CodeUse, caller).await?)
}

async fn limit_confirmations(
    accounts: &AccountService,
    audience: Audience,
    email: &str,
    caller: LimitedCaller,
) -> Result<(), AccountError> {
    let (limits, account) = (&accounts.limits, audience.account(email));
    Ok(limits
        .take(LimitKind::EmailConfirmation, &account, caller)
        .await?)
}
