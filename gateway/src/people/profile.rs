//! What people set for themselves: name, theme, time zone.

use serde::{Deserialize, Serialize};
use tokio_postgres::{Error, GenericClient};
use utoipa::ToSchema;

use super::{Actor, Change, record};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    Light,
    Dark,
}

impl Theme {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The column's constraint admits these two only.
    pub(super) fn of_column(text: &str) -> Self {
        if text == "dark" { Self::Dark } else { Self::Light }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum TimeZone {
    #[serde(rename = "UTC")]
    Utc,
    #[serde(rename = "America/Sao_Paulo")]
    SaoPaulo,
}

impl TimeZone {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Utc => "UTC",
            Self::SaoPaulo => "America/Sao_Paulo",
        }
    }

    pub(super) fn of_column(text: &str) -> Self {
        if text == "UTC" { Self::Utc } else { Self::SaoPaulo }
    }
}

/// What is left out stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ProfileChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<TimeZone>,
}

/// Leaves the trail of a change, where it changed anything.
pub async fn profile_record(
    client: &impl GenericClient,
    actor: Actor,
    subject: &str,
    was: (&str, Theme, TimeZone),
    change: &ProfileChange,
) -> Result<(), Error> {
    let (Actor::Seller(id) | Actor::Admin(id)) = actor else {
        return Ok(());
    };
    let before = ProfileChange {
        name: change.name.as_ref().map(|_| was.0.to_owned()),
        theme: change.theme.map(|_| was.1),
        time_zone: change.time_zone.map(|_| was.2),
    };
    if before == *change {
        return Ok(());
    }
    let change = Change {
        action: "update-profile",
        subject,
        subject_id: &id.to_string(),
        before: serde_json::to_value(before).ok(),
        after: serde_json::to_value(change).ok(),
    };
    record(client, actor, change).await
}
