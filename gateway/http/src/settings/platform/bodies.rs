//! The bodies of the platform's dated settings.

use chrono::{DateTime, Utc};
use gateway_platform::settings::SettingKey;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::shared::schemas::string_enum;

string_enum!(
    /// terminal_rental: monthly price of a rented terminal without an individual price, in cents. two_approvals_above:
    /// withdrawals above this amount in cents need two admin users; null: none does. two_person_plan_changes: whether a
    /// second admin user must approve the change of a plan. marked_destination_days: for how many days after a change
    /// of a company's bank account its withdrawals are marked for staff. buyer_data_days: for how many days after the
    /// end of an order its buyer's data are kept.
    PlatformSettingKey {
        TerminalRental = "terminal_rental",
        TwoApprovalsAbove = "two_approvals_above",
        TwoPersonPlanChanges = "two_person_plan_changes",
        MarkedDestinationDays = "marked_destination_days",
        BuyerDataDays = "buyer_data_days",
    }
);

impl From<SettingKey> for PlatformSettingKey {
    fn from(key: SettingKey) -> Self {
        match key {
            SettingKey::TerminalRental => Self::TerminalRental,
            SettingKey::TwoApprovalsAbove => Self::TwoApprovalsAbove,
            SettingKey::TwoPersonPlanChanges => Self::TwoPersonPlanChanges,
            SettingKey::MarkedDestinationDays => Self::MarkedDestinationDays,
            SettingKey::BuyerDataDays => Self::BuyerDataDays,
        }
    }
}

/// Cents or days, or a boolean for two_person_plan_changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SettingValue {
    Flag(bool),
    Number(i64),
}

impl SettingValue {
    /// The value of a row. `None` is null.
    pub fn of(key: SettingKey, value: Option<i64>) -> Option<Self> {
        let value = value?;
        Some(match key {
            SettingKey::TwoPersonPlanChanges => Self::Flag(value != 0),
            SettingKey::TerminalRental
            | SettingKey::TwoApprovalsAbove
            | SettingKey::MarkedDestinationDays
            | SettingKey::BuyerDataDays => Self::Number(value),
        })
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlatformSettingList {
    pub data: Vec<PlatformSetting>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlatformSetting {
    pub key: PlatformSettingKey,
    /// The value in force. Null only for two_approvals_above: no withdrawal needs two users.
    #[schema(required = true, nullable = true, example = 4990)]
    pub value: Option<SettingValue>,
    /// UTC instant since which the value is in force. Null: the installation's value is in force.
    #[schema(required = true)]
    pub valid_from: Option<DateTime<Utc>>,
    /// The name of the user who set the value, if it is known.
    #[schema(required = true, example = "Regina Duque")]
    pub set_by: Option<String>,
    /// A value that takes effect later.
    #[schema(required = true)]
    pub scheduled: Option<ScheduledSetting>,
    /// Grows with each change of the setting. An edit sends the revision that it started from.
    #[schema(example = 0)]
    pub revision: i32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ScheduledSetting {
    #[schema(required = true, nullable = true, example = 5990)]
    pub value: Option<SettingValue>,
    /// UTC instant from which the value is in force.
    pub valid_from: DateTime<Utc>,
    /// The name of the user who scheduled the value, if it is known.
    #[schema(required = true, example = "Regina Duque")]
    pub set_by: Option<String>,
}

/// A new value of a setting.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PlatformSettingForm {
    #[schema(required = true, nullable = false, value_type = PlatformSettingKey)]
    pub key: Option<String>,
    /// Null only for two_approvals_above: no withdrawal needs two users.
    #[serde(default, deserialize_with = "null_as_some")]
    #[schema(required = true, nullable = true, value_type = Option<SettingValue>, example = 5990)]
    pub value: Option<Value>,
    /// UTC instant from which the value is in force. The default is now.
    pub valid_from: Option<DateTime<Utc>>,
    /// The revision of the setting that the edit started from.
    #[schema(required = true, nullable = false, example = 0)]
    pub revision: Option<i32>,
}

/// Distinguishes null from a field that is left out.
fn null_as_some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
