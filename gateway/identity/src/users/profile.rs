//! The settings that users change for themselves: name, theme, time zone and, for sellers, e-mails about paid links.

use gateway_environment::time_zone::TimeZone;
use ledger_domain::ids::UserId;
use serde::Serialize;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use crate::audience::Audience;
use crate::credentials::account::record_own_action;

// The API's document has this name, and no description of it.
ledger_domain::words! {
    pub enum Theme {
        Light = "light" => "Claro",
        Dark = "dark" => "Escuro",
    }
}

impl Theme {
    /// A theme of a newer version is shown as the light one, so that its users can still sign in.
    pub(super) fn of_column(text: &str) -> Self {
        Self::parse(text).unwrap_or(Self::Light)
    }
}

/// `None` if no zone is set, or if the time zone database no longer has it.
pub(super) fn zone_of_column(name: Option<&str>) -> Option<TimeZone> {
    name.and_then(TimeZone::parse)
}

/// A field that is `None` stays unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ProfileChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
    /// `Some(None)` removes the user's own zone, so that the tenant's applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<Option<TimeZone>>,
    /// Whether a seller user gets an e-mail for each paid link. Admin users get none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid_link_emails: Option<bool>,
}

impl ProfileChange {
    /// The field that users of this audience do not have, with its error.
    pub const fn fault(&self, audience: Audience) -> Option<(&'static str, &'static str)> {
        match (audience, self.paid_link_emails) {
            (Audience::Admin, Some(_)) => Some(("paid_link_emails", "Só vendedores recebem este aviso.")),
            _ => None,
        }
    }
}

/// Changes a user's own profile. Returns whether the user exists.
pub async fn profile_update(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
    change: &ProfileChange,
) -> Result<bool, Error> {
    let table = audience.table();
    let sql = format!("SELECT name, time_zone FROM {table} WHERE id = $1 AND deleted_at IS NULL FOR UPDATE");
    let rows = transaction
        .query_typed(&sql, &[(&user.uuid(), Type::UUID)])
        .await?;
    let Some(row) = rows.first() else {
        return Ok(false);
    };
    let before = (row.get(0), zone_of_column(row.get(1)));
    let sql = format!(
        "UPDATE {table}
            SET name = coalesce($2, name), theme = coalesce($3, theme),
                time_zone = CASE WHEN $4 THEN $5 ELSE time_zone END
          WHERE id = $1"
    );
    let zone = change.time_zone.flatten().map(TimeZone::as_str);
    transaction
        .execute(
            &sql,
            &[
                &user.uuid(),
                &change.name,
                &change.theme.map(Theme::as_str),
                &change.time_zone.is_some(),
                &zone,
            ],
        )
        .await?;
    if let (Audience::Seller, Some(wanted)) = (audience, change.paid_link_emails) {
        transaction
            .execute_typed(
                "UPDATE seller_user SET paid_link_emails = $2 WHERE id = $1",
                &[(&user.uuid(), Type::UUID), (&wanted, Type::BOOL)],
            )
            .await?;
    }
    record_changed_fields(transaction, audience, user, before, change).await?;
    Ok(true)
}

/// Changes of the theme and of wanted e-mails are not recorded: they may be frequent and would hide important entries.
async fn record_changed_fields(
    transaction: &impl GenericClient,
    audience: Audience,
    user: UserId,
    (name, time_zone): (&str, Option<TimeZone>),
    change: &ProfileChange,
) -> Result<(), Error> {
    let change = ProfileChange {
        name: change.name.clone().filter(|new| new != name),
        time_zone: change.time_zone.filter(|new| *new != time_zone),
        ..ProfileChange::default()
    };
    if change == ProfileChange::default() {
        return Ok(());
    }
    let before = ProfileChange {
        name: change.name.as_ref().map(|_| name.to_owned()),
        time_zone: change.time_zone.map(|_| time_zone),
        ..ProfileChange::default()
    };
    let values = (
        serde_json::to_value(before).ok(),
        serde_json::to_value(change).ok(),
    );
    record_own_action(transaction, audience, user, "update-profile", values).await
}
