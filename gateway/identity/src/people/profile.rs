//! What people set for themselves: name, theme, time zone.

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

    /// The column's constraint admits these two only.
    pub(super) fn of_column(text: &str) -> Self {
        Self::parse(text).unwrap_or(Self::Light)
    }
}

/// None where nothing is set, or a name that the database of zones has no more.
pub(super) fn zone_of_column(name: Option<&str>) -> Option<TimeZone> {
    name.and_then(TimeZone::parse)
}

impl ProfileChange {
    /// For an update: whether the zone changes, and to what.
    pub(super) fn zone_columns(&self) -> (bool, Option<&'static str>) {
        let name = self.time_zone.flatten().map(TimeZone::as_str);
        (self.time_zone.is_some(), name)
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
    /// `Some(None)` goes back to the tenant's.
    pub time_zone: Option<Option<TimeZone>>,
}

/// Records in the audit log what changed, if anything did. A theme is a matter of taste: switched a few times a day, it
/// would bury what matters.
pub async fn profile_record(
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
