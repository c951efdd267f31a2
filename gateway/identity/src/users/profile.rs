//! The settings that users change for themselves: name, theme, time zone.

use gateway_environment::time_zone::TimeZone;
use serde::{Deserialize, Serialize};
use tokio_postgres::{Error, GenericClient};

use crate::audit::{Actor, Change, record};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

    pub fn parse(text: &str) -> Option<Self> {
        [Self::Light, Self::Dark]
            .into_iter()
            .find(|theme| theme.as_str() == text)
    }

    /// The column's constraint admits these two values only.
    pub(super) fn of_column(text: &str) -> Self {
        Self::parse(text).unwrap_or(Self::Light)
    }
}

/// `None` if no zone is set, or if the time zone database no longer has it.
pub(super) fn zone_of_column(name: Option<&str>) -> Option<TimeZone> {
    name.and_then(TimeZone::parse)
}

impl ProfileChange {
    /// The parameters of an update: whether the zone changes, and its new name.
    pub(super) fn zone_columns(&self) -> (bool, Option<&'static str>) {
        let name = self.time_zone.flatten().map(TimeZone::as_str);
        (self.time_zone.is_some(), name)
    }
}

/// A missing field stays unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ProfileChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// `Some(None)` resets it to the tenant's zone.
    pub time_zone: Option<Option<TimeZone>>,
}

/// Records the changed fields in the audit log. Changes of the theme are not recorded: they may be frequent and would
/// hide important entries.
pub async fn record_profile_change(
    client: &impl GenericClient,
    actor: Actor,
    subject: &str,
    was: (&str, Option<TimeZone>),
    change: &ProfileChange,
) -> Result<(), Error> {
    let (Actor::Seller(id) | Actor::Admin(id)) = actor else {
        return Ok(());
    };
    let change = ProfileChange {
        name: change.name.clone().filter(|name| name != was.0),
        theme: None,
        time_zone: change.time_zone.filter(|zone| *zone != was.1),
    };
    if change == ProfileChange::default() {
        return Ok(());
    }
    let before = ProfileChange {
        name: change.name.as_ref().map(|_| was.0.to_owned()),
        theme: None,
        time_zone: change.time_zone.map(|_| was.1),
    };
    let change = Change {
        action: "update-profile",
        subject,
        subject_id: &id.to_string(),
        before: serde_json::to_value(before).ok(),
        after: serde_json::to_value(change).ok(),
    };
    record(client, actor, change).await
}
