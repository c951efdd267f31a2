//! The bodies of the platform's dated settings.

use chrono::{DateTime, Utc};
use gateway_platform::companies::{DocumentKind, DocumentKinds};
use gateway_platform::settings::SettingKey;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::schemas::Word;

pub type SettingKeyWord = Word<SettingKey>;
pub type AskedDocumentWord = Word<AskedDocument>;

ledger_domain::words! {
    /// A document that an approval can ask for: identity, address (a proof of it) or articles (of association).
    pub enum AskedDocument {
        Identity = "identity",
        Address = "address",
        Articles = "articles",
    }
}

/// Cents or days, a boolean for the rules that are yes or no, or the documents that an approval asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(example = 5990)]
pub enum SettingValue {
    Flag(bool),
    Number(i64),
    Documents(Vec<AskedDocumentWord>),
}

impl SettingValue {
    /// The value of a row. `None` is null.
    pub fn of(key: SettingKey, value: Option<i64>) -> Option<Self> {
        let value = value?;
        Some(match key {
            SettingKey::TwoPersonPlanChanges
            | SettingKey::TwoPersonCompanyApprovals
            | SettingKey::ReturnedWithdrawalFee => Self::Flag(value != 0),
            SettingKey::DocumentsOfPf | SettingKey::DocumentsOfPj => Self::Documents(
                DocumentKinds::from_stored(value)
                    .kinds()
                    .filter_map(AskedDocument::of)
                    .map(Word)
                    .collect(),
            ),
            SettingKey::TerminalRental
            | SettingKey::TwoApprovalsAbove
            | SettingKey::MarkedDestinationDays
            | SettingKey::BuyerDataDays
            | SettingKey::CreditsAloneUpTo
            | SettingKey::RemovalsAloneUpTo
            | SettingKey::ReleasesAloneUpTo
            | SettingKey::PlanExceptionsAloneUpTo => Self::Number(value),
        })
    }
}

impl AskedDocument {
    /// No setting can ask for other documents.
    const fn of(kind: DocumentKind) -> Option<Self> {
        match kind {
            DocumentKind::Identity => Some(Self::Identity),
            DocumentKind::Address => Some(Self::Address),
            DocumentKind::Articles => Some(Self::Articles),
            DocumentKind::Other => None,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlatformSettingList {
    pub data: Vec<PlatformSetting>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlatformSetting {
    pub key: SettingKeyWord,
    /// The value in force. Null only for limits: nothing needs two users.
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
