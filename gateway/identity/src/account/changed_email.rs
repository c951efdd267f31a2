//! A changed address takes effect: it signs in and gets the links from then on. Both addresses are told.
//!
//! Changes whose 48 hours have passed are applied before a sign-in, before an e-mail is composed, and every minute.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_platform::PlatformError;
use ledger_store::Supervisor;
use ledger_store::supervisor::Supervised;
use serde_json::json;
use tokio_postgres::{Error, GenericClient};

use crate::audit::{Change, record};
use crate::credentials::account::{NewAddress, lock_active_user, set_email};
use crate::credentials::codes::{self, Purpose};
use crate::credentials::email_change::{self, EmailChange, EmailChangeEnd};
use crate::email_queue::{EmailKind, Facts, Mail, OutboxEmail, QueuedEmail};

const RUN_INTERVAL: Duration = Duration::from_secs(60);

/// Applies a change that is due. The caller holds the lock of the user's row. Returns false if another user has the
/// address: the change ends without effect.
pub async fn take_effect(
    client: &impl GenericClient,
    mail: &Mail,
    change: &EmailChange,
    now: DateTime<Utc>,
) -> Result<Option<[QueuedEmail; 2]>, Error> {
    let (audience, user) = (change.audience, change.user);
    let new = NewAddress {
        email: &change.email,
        is_verified: change.confirmed_at.is_some(),
        since: now,
    };
    if !set_email(client, audience, user, &new).await? {
        email_change::end(client, change, EmailChangeEnd::Taken, now).await?;
        return Ok(None);
    }
    email_change::end(client, change, EmailChangeEnd::Effective, now).await?;
    codes::end_open(client, audience, user, Purpose::ResetPassword, Utc::now()).await?;
    // The rules of two people read these entries (`users::independence`): from now on, who set the address may get the
    // links.
    let entry = Change {
        action: if change.is_own() { "verify-email" } else { "update" },
        subject: audience.table(),
        subject_id: &user.to_string(),
        before: Some(json!({ "email": change.email_before })),
        after: Some(json!({ "email": change.email })),
    };
    record(client, change.asked_by, entry).await?;
    let told = |recipient| OutboxEmail {
        kind: EmailKind::EmailChanged,
        audience,
        user: Some(user),
        recipient,
        panel_url: &change.panel_url,
        facts: Facts {
            new_email: Some(change.email.clone()),
            ..Facts::default()
        },
    };
    Ok(Some([
        mail.enqueue(client, &told(&change.email_before)).await?,
        mail.enqueue(client, &told(&change.email)).await?,
    ]))
}

/// Applies the changes whose time has come, each in a transaction. A change of an inactive user ends.
pub async fn apply_due(
    client: &mut deadpool_postgres::Client,
    mail: &Mail,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    for due in email_change::due(&***client, now).await? {
        let transaction = client.transaction().await?;
        let tx = &*transaction;
        let is_active = lock_active_user(tx, due.audience, due.user).await?.is_some();
        // The change may have ended before the lock.
        let open = email_change::open_of(tx, due.audience, due.user).await?;
        let Some(change) = open.filter(|open| open.id == due.id && open.is_due(now)) else {
            continue;
        };
        let queued = if is_active {
            take_effect(tx, mail, &change, now).await?
        } else {
            email_change::end(tx, &change, EmailChangeEnd::Canceled, now).await?;
            None
        };
        transaction.commit().await?;
        queued.into_iter().flatten().for_each(QueuedEmail::wake);
    }
    Ok(())
}

/// Lists then show the new address soon after it takes effect.
pub fn start(pool: Pool, mail: Arc<Mail>, clock: BusinessClock, supervisor: &Supervisor) -> Supervised {
    supervisor.every("changes of e-mail addresses", RUN_INTERVAL, move || {
        let (pool, mail) = (pool.clone(), Arc::clone(&mail));
        async move {
            let mut client = pool.get().await?;
            apply_due(&mut client, &mail, clock.now()).await?;
            Ok::<(), PlatformError>(())
        }
    })
}
