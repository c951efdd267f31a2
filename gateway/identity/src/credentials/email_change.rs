//! Changes of e-mail addresses that wait: the rows of `email_change`. A change waits until the old address approves it,
//! or for 48 hours. A user's own change also needs the new address to be confirmed. Until then the old address signs in
//! and gets the links.
//!
//! How a change takes effect is in `account::changed_email`. Callers hold the lock of the user's row.

use chrono::{DateTime, TimeDelta, Utc};
use ledger_domain::ids::UserId;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::codes::{self, CodeOwner, Purpose};
use crate::audience::Audience;
use crate::audit::Actor;

/// How long a changed address waits, and how long a user must have an address before a link to it makes a password
/// the user's own. In this time the reader of the old address can refuse a change that someone else made.
pub const ADDRESS_SETTLES_AFTER: TimeDelta = TimeDelta::hours(48);

/// A change to be requested.
pub struct NewEmailChange<'a> {
    pub audience: Audience,
    pub user: UserId,
    pub email_before: &'a str,
    pub email: &'a str,
    pub asked_by: Actor,
    /// Scheme and host of the user's panel.
    pub panel_url: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailChange {
    pub id: Uuid,
    pub audience: Audience,
    pub user: UserId,
    pub email_before: String,
    pub email: String,
    pub asked_by: Actor,
    pub panel_url: String,
    pub waits_until: DateTime<Utc>,
    pub approved_at: Option<DateTime<Utc>>,
    pub confirmed_at: Option<DateTime<Utc>>,
}

/// How a change ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailChangeEnd {
    Effective,
    /// By the reader of the old address.
    Refused,
    /// By another change.
    Replaced,
    /// By a new password, a deactivation or a deletion.
    Canceled,
    /// Another user got the address first.
    Taken,
}

impl EmailChangeEnd {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Effective => "effective",
            Self::Refused => "refused",
            Self::Replaced => "replaced",
            Self::Canceled => "canceled",
            Self::Taken => "taken",
        }
    }
}

/// Who may end an open change with a new password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Canceled {
    /// The user's own change, which someone with the old password may have requested.
    Own,
    /// Also a change by another user.
    Any,
}

impl EmailChange {
    /// Whether the user asked for the change.
    pub fn is_own(&self) -> bool {
        match self.asked_by {
            Actor::Seller(user) => self.audience == Audience::Seller && user == self.user,
            Actor::Admin(user) => self.audience == Audience::Admin && user == self.user,
            Actor::System => false,
        }
    }

    /// Whether the change takes effect now.
    pub fn is_due(&self, now: DateTime<Utc>) -> bool {
        let may_pass = self.approved_at.is_some() || self.waits_until <= now;
        may_pass && (!self.is_own() || self.confirmed_at.is_some())
    }
}

const COLUMNS: &str =
    "id, audience, user_id, email_before, email, asked_by_audience, asked_by, panel_url, waits_until,
                       approved_at, confirmed_at";

fn read(row: &Row) -> EmailChange {
    let audience = |text: &str| match text {
        "admin" => Audience::Admin,
        // The column allows only the two.
        _ => Audience::Seller,
    };
    let asked_by = row.get::<_, Option<Uuid>>(6).map(UserId::from_uuid);
    EmailChange {
        id: row.get(0),
        audience: audience(row.get(1)),
        user: UserId::from_uuid(row.get(2)),
        email_before: row.get(3),
        email: row.get(4),
        asked_by: match (row.get::<_, &str>(5), asked_by) {
            ("seller", Some(user)) => Actor::Seller(user),
            ("admin", Some(user)) => Actor::Admin(user),
            _ => Actor::System,
        },
        panel_url: row.get(7),
        waits_until: row.get(8),
        approved_at: row.get(9),
        confirmed_at: row.get(10),
    }
}

/// Adds a change, which replaces an open one: the time starts again, and the earlier codes end. `None` if an open
/// change by another user is to the same address, as when a form is saved twice.
pub async fn request(
    client: &impl GenericClient,
    new: &NewEmailChange<'_>,
    now: DateTime<Utc>,
) -> Result<Option<EmailChange>, Error> {
    let change = EmailChange {
        id: Uuid::now_v7(),
        audience: new.audience,
        user: new.user,
        email_before: new.email_before.to_owned(),
        email: new.email.to_owned(),
        asked_by: new.asked_by,
        panel_url: new.panel_url.to_owned(),
        waits_until: now + ADDRESS_SETTLES_AFTER,
        approved_at: None,
        confirmed_at: None,
    };
    if let Some(open) = open_of(client, new.audience, new.user).await? {
        if open.email == change.email && !open.is_own() && !change.is_own() {
            return Ok(None);
        }
        end(client, &open, EmailChangeEnd::Replaced, now).await?;
    }
    client
        .execute_typed(
            "INSERT INTO email_change (id, audience, user_id, email_before, email, asked_by_audience, asked_by,
                                       panel_url, asked_at, waits_until)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            &[
                (&change.id, Type::UUID),
                (&change.audience.as_str(), Type::TEXT),
                (&change.user.uuid(), Type::UUID),
                (&change.email_before, Type::TEXT),
                (&change.email, Type::TEXT),
                (&change.asked_by.audience(), Type::TEXT),
                (&change.asked_by.user_id().map(UserId::uuid), Type::UUID),
                (&change.panel_url, Type::TEXT),
                (&now, Type::TIMESTAMPTZ),
                (&change.waits_until, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    Ok(Some(change))
}

pub async fn open_of(
    client: &impl GenericClient,
    audience: Audience,
    user: UserId,
) -> Result<Option<EmailChange>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM email_change WHERE audience = $1 AND user_id = $2 AND ended_at IS NULL"
    );
    let row = client
        .query_typed(
            &sql,
            &[(&audience.as_str(), Type::TEXT), (&user.uuid(), Type::UUID)],
        )
        .await?
        .pop();
    Ok(row.as_ref().map(read))
}

/// The open changes that take effect now.
pub async fn due(client: &impl GenericClient, now: DateTime<Utc>) -> Result<Vec<EmailChange>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM email_change WHERE ended_at IS NULL AND waits_until <= $1 ORDER BY waits_until, id"
    );
    let rows = client.query_typed(&sql, &[(&now, Type::TIMESTAMPTZ)]).await?;
    let changes = rows.iter().map(read);
    Ok(changes.filter(|change| change.is_due(now)).collect())
}

/// The reader of the old address approves the change.
pub async fn approve(
    client: &impl GenericClient,
    change: &EmailChange,
    now: DateTime<Utc>,
) -> Result<EmailChange, Error> {
    let statement = "UPDATE email_change SET approved_at = $2 WHERE id = $1";
    client
        .execute_typed(statement, &[(&change.id, Type::UUID), (&now, Type::TIMESTAMPTZ)])
        .await?;
    Ok(EmailChange {
        approved_at: Some(now),
        ..change.clone()
    })
}

/// The reader of the new address confirms it.
pub async fn confirm(
    client: &impl GenericClient,
    change: &EmailChange,
    now: DateTime<Utc>,
) -> Result<EmailChange, Error> {
    let statement = "UPDATE email_change SET confirmed_at = $2 WHERE id = $1";
    client
        .execute_typed(statement, &[(&change.id, Type::UUID), (&now, Type::TIMESTAMPTZ)])
        .await?;
    Ok(EmailChange {
        confirmed_at: Some(now),
        ..change.clone()
    })
}

/// Ends an open change and its codes. A code that confirms the new address stays if the change takes effect.
pub async fn end(
    client: &impl GenericClient,
    change: &EmailChange,
    how: EmailChangeEnd,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE email_change SET ended_at = $2, ended_as = $3 WHERE id = $1 AND ended_at IS NULL",
            &[
                (&change.id, Type::UUID),
                (&now, Type::TIMESTAMPTZ),
                (&how.as_str(), Type::TEXT),
            ],
        )
        .await?;
    let machine_now = Utc::now();
    codes::end_open(
        client,
        change.audience,
        change.user,
        Purpose::ApproveEmail,
        machine_now,
    )
    .await?;
    let kept = if how == EmailChangeEnd::Effective {
        &change.email
    } else {
        &change.email_before
    };
    let owner = CodeOwner {
        audience: change.audience,
        user: change.user,
        email: kept,
    };
    codes::end_open_at_other_addresses(client, owner, Purpose::VerifyEmail, machine_now).await
}

/// Cancels an open change, if there is one of this kind.
pub async fn cancel(
    client: &impl GenericClient,
    (audience, user): (Audience, UserId),
    which: Canceled,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    match open_of(client, audience, user).await? {
        Some(open) if which == Canceled::Any || open.is_own() => {
            end(client, &open, EmailChangeEnd::Canceled, now).await
        }
        _ => Ok(()),
    }
}

/// The addresses that are told about a change of the password: the present one, and while an address is changing also
/// the other one. A user's own new address counts once it is confirmed, because the user may have mistyped it.
pub async fn addresses_to_tell(
    client: &impl GenericClient,
    (audience, user): (Audience, UserId),
    now: DateTime<Utc>,
) -> Result<Vec<String>, Error> {
    let sql = format!(
        "SELECT u.email FROM {table} u WHERE u.id = $1
         UNION
         SELECT c.email FROM email_change c
          WHERE c.audience = $2 AND c.user_id = $1 AND c.ended_at IS NULL
            AND (c.confirmed_at IS NOT NULL OR c.asked_by IS DISTINCT FROM c.user_id)
         UNION
         SELECT c.email_before FROM email_change c
          WHERE c.audience = $2 AND c.user_id = $1 AND c.ended_as = 'effective' AND c.ended_at > $3",
        table = audience.table(),
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&user.uuid(), Type::UUID),
                (&audience.as_str(), Type::TEXT),
                (&(now - ADDRESS_SETTLES_AFTER), Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: i64) -> DateTime<Utc> {
        let start: DateTime<Utc> = "2026-11-21T15:00:00Z".parse().expect("an instant");
        start + TimeDelta::hours(hours)
    }

    fn user(number: u128) -> UserId {
        UserId::from_uuid(Uuid::from_u128(number))
    }

    /// A change of the address of user 1, asked at hour 0.
    fn change(asked_by: Actor) -> EmailChange {
        EmailChange {
            id: Uuid::from_u128(9),
            audience: Audience::Seller,
            user: user(1),
            email_before: "ana@padaria.example".to_owned(),
            email: "nova@padaria.example".to_owned(),
            asked_by,
            panel_url: "http://localhost:8080".to_owned(),
            waits_until: at(0) + ADDRESS_SETTLES_AFTER,
            approved_at: None,
            confirmed_at: None,
        }
    }

    #[test]
    fn a_change_by_another_user_waits_for_the_old_address_or_for_48_hours() {
        for by in [Actor::Admin(user(1)), Actor::Seller(user(2)), Actor::System] {
            let waiting = change(by);
            assert!(!waiting.is_own(), "{by:?}");
            assert_eq!((waiting.is_due(at(47)), waiting.is_due(at(48))), (false, true));
            let approved = EmailChange {
                approved_at: Some(at(1)),
                ..waiting.clone()
            };
            assert!(approved.is_due(at(1)));
            let confirmed = EmailChange {
                confirmed_at: Some(at(1)),
                ..waiting
            };
            assert!(!confirmed.is_due(at(47)), "the new address alone proves nothing");
        }
    }

    #[test]
    fn an_own_change_needs_the_new_address_too() {
        let own = change(Actor::Seller(user(1)));
        let approved = EmailChange {
            approved_at: Some(at(1)),
            ..own.clone()
        };
        let confirmed = EmailChange {
            confirmed_at: Some(at(1)),
            ..own.clone()
        };
        let both = EmailChange {
            confirmed_at: Some(at(1)),
            ..approved.clone()
        };
        assert!(own.is_own() && !own.is_due(at(48)) && !approved.is_due(at(48)));
        assert_eq!(
            (confirmed.is_due(at(47)), confirmed.is_due(at(48))),
            (false, true)
        );
        assert!(both.is_due(at(1)));
    }
}
