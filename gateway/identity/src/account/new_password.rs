//! Sets a new password: by a link in an e-mail if the user forgot it, or with the current password. The user's other
//! sessions end, and the links that `end_links` names.
//!
//! A request for a link does the same for every valid address: it adds one row to the table `mail`. The account is
//! looked up when the e-mail is sent.

use std::net::IpAddr;
use std::time::Duration;

use chrono::Utc;
use gateway_environment::request_context;
use ledger_domain::ids::UserId;
use serde_json::json;
use tokio::time::sleep;
use tokio_postgres::GenericClient;

use super::{AccountError, AccountService, reauthentication};
use crate::audience::Audience;
use crate::credentials::account;
use crate::credentials::codes::{self, Purpose, RedeemedCode};
use crate::credentials::email_change::{self, Canceled};
use crate::email_queue::{EmailKind, Facts, OutboxEmail, QueuedEmail};
use crate::rate_limit::{LimitKind, LimitedCaller};
use crate::sessions::devices::Devices;
use crate::sessions::open_sessions::SessionOwner;
use crate::sessions::session_store;

/// An accepted request for a link is answered no sooner than this. Adding the row usually takes less time, so the
/// response time does not show how long it took.
const ANSWERED_AFTER: Duration = Duration::from_millis(50);

/// The origin of a request, and the panel to which the links in the e-mails lead.
pub struct RequestOrigin {
    pub panel_url: String,
    pub address: IpAddr,
    pub caller: LimitedCaller,
}

impl RequestOrigin {
    pub fn facts(&self) -> Facts {
        Facts {
            address: Some(self.address),
            ..Facts::default()
        }
    }
}

pub async fn request_link(
    accounts: &AccountService,
    audience: Audience,
    email: String,
    origin: RequestOrigin,
) -> Result<(), AccountError> {
    accounts
        .limits
        .take(LimitKind::PasswordLink, &audience.account(&email), origin.caller)
        .await?;
    let answered = sleep(ANSWERED_AFTER);
    let client = accounts.pool.get().await?;
    let outbox_email = OutboxEmail {
        kind: EmailKind::ResetPassword,
        audience,
        user: None,
        recipient: &email,
        panel_url: &origin.panel_url,
        facts: origin.facts(),
    };
    accounts.mail.enqueue(&**client, &outbox_email).await?.wake();
    drop(client);
    answered.await;
    Ok(())
}

/// The form that sets a new password by an e-mail's link.
pub struct PasswordReset {
    pub token: String,
    pub password: String,
    pub devices: Devices,
}

/// Returns the value of the device cookie. With it the user may sign in even if other callers have used up the
/// account's attempts.
pub async fn reset(
    accounts: &AccountService,
    audience: Audience,
    form: PasswordReset,
    origin: RequestOrigin,
) -> Result<String, AccountError> {
    accounts
        .limits
        .take_by_caller(LimitKind::CodeUse, origin.caller)
        .await?;
    let PasswordReset { token, password, .. } = &form;
    let mut client = accounts.pool.get().await?;
    if !codes::is_open(&**client, audience, Purpose::ResetPassword, token, Utc::now()).await? {
        return Err(AccountError::ResetLinkInvalid);
    }
    // Hashing is slow, so the connection is returned to the pool first.
    drop(client);
    let hash = accounts.passwords.hash(password).await?;

    client = accounts.pool.get().await?;
    let transaction = client.transaction().await?;
    let (tx, now) = (&*transaction, Utc::now());
    let redeemed = codes::redeem(tx, audience, Purpose::ResetPassword, token, now).await?;
    // A link that was sent to an earlier address of the user is invalid.
    let redeemed = redeemed.filter(|redeemed| redeemed.account.email == redeemed.email);
    let RedeemedCode { account, .. } = redeemed.ok_or(AccountError::ResetLinkInvalid)?;
    let provisional = account.link_sets_provisional(request_context::now());
    account::set_password(tx, audience, account.id, &hash, provisional).await?;
    // The link also confirms the address.
    if !account.email_verified {
        account::set_email_verified(tx, audience, account.id).await?;
    }
    session_store::revoke_all(tx, audience, account.id, "password", now).await?;
    end_links(tx, audience, account.id).await?;
    let audit_value =
        |verified: bool| (!account.email_verified).then(|| json!({ "email_verified": verified }));
    account::record_own_action(
        tx,
        audience,
        account.id,
        "reset-password",
        (audit_value(false), audit_value(true)),
    )
    .await?;
    let queued = tell_of_change(accounts, tx, (audience, account.id), &origin).await?;
    transaction.commit().await?;
    queued.into_iter().for_each(QueuedEmail::wake);
    accounts
        .limits
        .reset_failures(&audience.account(&account.email), origin.caller)
        .await;
    Ok(form
        .devices
        .cookie_after_sign_in(&accounts.tokens, account.id, &hash))
}

/// The form that changes the signed-in user's password.
pub struct PasswordChange {
    pub current: String,
    pub new: String,
    pub devices: Devices,
}

/// Returns the value of the device cookie. The old password's trusted devices end; this device stays trusted.
pub async fn change(
    accounts: &AccountService,
    owner: SessionOwner,
    form: PasswordChange,
    origin: RequestOrigin,
) -> Result<String, AccountError> {
    let SessionOwner {
        audience,
        user,
        session_id,
    } = owner;
    let field = "current_password";
    let checked = reauthentication::check_field(accounts, owner, (field, &form.current)).await?;
    let hash = accounts.passwords.hash(&form.new).await?;

    let mut client = accounts.pool.get().await?;
    let transaction = client.transaction().await?;
    let (tx, now) = (&*transaction, Utc::now());
    let account = account::lock_active_user(tx, audience, user)
        .await?
        .ok_or(AccountError::SignedOut)?;
    if !account::lock_password_if_current(tx, audience, user, &checked).await? {
        return Err(AccountError::WrongPassword { field });
    }
    // Whoever set a provisional password knows it, so a change by it proves nothing.
    account::set_password(tx, audience, user, &hash, account.password_provisional).await?;
    session_store::revoke_others(tx, audience, user, session_id, "password", now).await?;
    end_links(tx, audience, user).await?;
    account::record_own_action(tx, audience, user, "change-password", (None, None)).await?;
    let queued = tell_of_change(accounts, tx, (audience, user), &origin).await?;
    transaction.commit().await?;
    queued.into_iter().for_each(QueuedEmail::wake);
    Ok(form.devices.cookie_after_sign_in(&accounts.tokens, user, &hash))
}

/// Tells the user's address that the password changed, and while an address is changing also the other one.
async fn tell_of_change(
    accounts: &AccountService,
    transaction: &impl GenericClient,
    (audience, user): (Audience, UserId),
    origin: &RequestOrigin,
) -> Result<Vec<QueuedEmail>, AccountError> {
    let mut queued = vec![];
    let told = email_change::addresses_to_tell(transaction, (audience, user), request_context::now()).await?;
    for recipient in &told {
        let notification = OutboxEmail {
            kind: EmailKind::PasswordChanged,
            audience,
            user: Some(user),
            recipient,
            panel_url: &origin.panel_url,
            facts: origin.facts(),
        };
        queued.push(accounts.mail.enqueue(transaction, &notification).await?);
    }
    Ok(queued)
}

/// Ends the open links for a new password, and the user's own change of the address. Someone who had the old password
/// may have requested it; its notification advises the user to replace the password. A change by another user stays:
/// the present address can refuse it.
async fn end_links(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
) -> Result<(), AccountError> {
    codes::end_open(transaction, audience, user, Purpose::ResetPassword, Utc::now()).await?;
    Ok(email_change::cancel(
        transaction,
        (audience, user),
        Canceled::Own,
        request_context::now(),
    )
    .await?)
}
