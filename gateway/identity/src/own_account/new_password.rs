//! A new password: by a link in a letter for whoever forgot theirs, or by the present one. Whatever else stood open by the
//! old password ends with it.
//!
//! Asking for a link does the same for every address, one row of `mail`; whose it is, is found out when it is sent.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::json;
use tokio::time::sleep;
use tokio_postgres::GenericClient;

use super::{AccountError, FieldFaults, Sessions, password_again};
use crate::audience::Audience;
use crate::fields;
use crate::mail::{EmailKind, Facts, OutboxEmail};
use crate::sessions::account::{self, Account};
use crate::sessions::codes::{self, Owner, Purpose, Redeemed};
use crate::sessions::devices::Devices;
use crate::sessions::families;
use crate::sessions::open_sessions::SessionOwner;
use crate::sessions::rate_limit::{Caller, Kind};

/// Whoever asks for a link waits for as long as this: longer than the row takes, so that the database's unsteady
/// milliseconds, and the letter before this one, are not in the answer's time.
const ANSWERED_AFTER: Duration = Duration::from_millis(50);

/// From where somebody asks, and where the links in the letters lead.
pub struct AskedFrom {
    pub panel_url: String,
    pub address: IpAddr,
    pub caller: Caller,
}

impl AskedFrom {
    pub fn facts(&self) -> Facts {
        Facts {
            address: Some(self.address),
            new_email: None,
        }
    }
}

pub async fn forgot(
    sessions: &Sessions,
    audience: Audience,
    email: Option<String>,
    asking: AskedFrom,
) -> Result<(), AccountError> {
    let email =
        fields::email(&email.unwrap_or_default()).map_err(|fault| AccountError::field("email", fault))?;
    sessions
        .limits
        .take(Kind::Forgot, &audience.account(&email), asking.caller)
        .map_err(AccountError::too_many)?;
    let answered = sleep(ANSWERED_AFTER);
    let client = sessions.pool.get().await?;
    let outbox_email = OutboxEmail {
        kind: EmailKind::ResetPassword,
        audience,
        user: None,
        recipient: &email,
        panel_url: &asking.panel_url,
        facts: asking.facts(),
    };
    sessions.mail.enqueue(&**client, &outbox_email).await?.wake();
    drop(client);
    answered.await;
    Ok(())
}

/// What somebody sends to set a new password by a letter's link.
pub struct Reset {
    pub token: Option<String>,
    pub password: Option<String>,
    pub devices: Devices,
}

/// Answers the value of the device cookie: whoever reads the person's e-mail may sign in however many others guess.
pub async fn reset(
    sessions: &Sessions,
    audience: Audience,
    form: Reset,
    asking: AskedFrom,
) -> Result<String, AccountError> {
    sessions
        .limits
        .take_by_caller(Kind::Code, asking.caller)
        .map_err(AccountError::too_many)?;
    let (token, password) = (form.token.unwrap_or_default(), form.password.unwrap_or_default());
    fields::password(&password).map_err(|fault| AccountError::field("password", fault))?;
    let mut client = sessions.pool.get().await?;
    if !codes::is_open(&**client, audience, Purpose::ResetPassword, &token, Utc::now()).await? {
        return Err(AccountError::ResetLinkSpent);
    }
    // Hashing takes its time, and the connection is for others meanwhile.
    drop(client);
    let hash = sessions.passwords.hash(&password).await?;

    client = sessions.pool.get().await?;
    let transaction = client.transaction().await?;
    let (tx, now) = (&*transaction, Utc::now());
    let redeemed = codes::redeem(tx, audience, Purpose::ResetPassword, &token, now).await?;
    // A letter to an address that is not theirs any more opens nothing.
    let sound = redeemed.filter(|redeemed| redeemed.account.email == redeemed.email);
    let Redeemed { account, .. } = sound.ok_or(AccountError::ResetLinkSpent)?;
    account::password_set(tx, audience, account.id, &hash).await?;
    if !account.email_verified {
        account::email_confirm(tx, audience, account.id, &account.email).await?;
    }
    families::revoke_all(tx, audience, account.id, "password", now).await?;
    end_links(tx, audience, &account, now).await?;
    let verified = |verified: bool| (!account.email_verified).then(|| json!({ "email_verified": verified }));
    account::note(
        tx,
        audience,
        account.id,
        "reset-password",
        (verified(false), verified(true)),
    )
    .await?;
    let notice = OutboxEmail {
        kind: EmailKind::PasswordChanged,
        audience,
        user: Some(account.id),
        recipient: &account.email,
        panel_url: &asking.panel_url,
        facts: asking.facts(),
    };
    let posted = sessions.mail.enqueue(tx, &notice).await?;
    transaction.commit().await?;
    posted.wake();
    // Who guessed before in despair may come in now.
    sessions
        .limits
        .forgive(&audience.account(&account.email), asking.caller);
    Ok(form.devices.signed_in(&sessions.tokens, account.id, &hash))
}

/// What somebody sends who changes their own password.
pub struct NewPassword {
    pub current: Option<String>,
    pub new: Option<String>,
    pub devices: Devices,
}

/// Answers the value of the device cookie: the trust in all devices ends with the old password, but not in this one.
pub async fn change(
    sessions: &Sessions,
    holder: SessionOwner,
    form: NewPassword,
    asking: AskedFrom,
) -> Result<String, AccountError> {
    let (current, new) = (form.current.unwrap_or_default(), form.new.unwrap_or_default());
    let mut faults = FieldFaults::default();
    if current.is_empty() {
        faults.add("current_password", "Senha é requerida.");
    }
    if let Err(fault) = fields::password(&new) {
        faults.add("new_password", fault);
    }
    faults.finish()?;
    let SessionOwner {
        audience,
        user,
        family,
    } = holder;
    let field = "current_password";
    let checked = password_again::check_field(sessions, holder, (field, &current)).await?;
    let hash = sessions.passwords.hash(&new).await?;

    let mut client = sessions.pool.get().await?;
    let transaction = client.transaction().await?;
    let (tx, now) = (&*transaction, Utc::now());
    let account = account::account_lock(tx, audience, user)
        .await?
        .ok_or(AccountError::SignedOut)?;
    if !account::password_holds(tx, audience, user, &checked).await? {
        return Err(AccountError::WrongPassword { field });
    }
    account::password_set(tx, audience, user, &hash).await?;
    families::revoke_others(tx, audience, user, family, "password", now).await?;
    end_links(tx, audience, &account, now).await?;
    account::note(tx, audience, user, "change-password", (None, None)).await?;
    let notice = OutboxEmail {
        kind: EmailKind::PasswordChanged,
        audience,
        user: Some(user),
        recipient: &account.email,
        panel_url: &asking.panel_url,
        facts: asking.facts(),
    };
    let posted = sessions.mail.enqueue(tx, &notice).await?;
    transaction.commit().await?;
    posted.wake();
    Ok(form.devices.signed_in(&sessions.tokens, user, &hash))
}

/// Those for another new password, and those that would move the account to an address which whoever had the old password
/// may have asked for: the notice of that says to replace the password.
async fn end_links(
    transaction: &impl GenericClient,
    audience: Audience,
    account: &Account,
    now: DateTime<Utc>,
) -> Result<(), AccountError> {
    codes::end_open(transaction, audience, account.id, Purpose::ResetPassword, now).await?;
    let own = Owner {
        audience,
        user: account.id,
        email: &account.email,
    };
    Ok(codes::end_open_elsewhere(transaction, own, Purpose::VerifyEmail, now).await?)
}
