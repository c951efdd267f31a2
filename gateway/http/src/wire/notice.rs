//! What a provider is answered. Acquirers read only the status; the body is for people who look into a delivery.

use std::collections::BTreeMap;

use gateway_platform::notices::Taken;
use gateway_platform::providers::FieldErrors;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeResult {
    /// In the log, and on the disk.
    Recorded,
    /// Known before; nothing was added.
    Already,
    /// Kept whole for staff, and tried again.
    Waiting,
    /// Of an array only: this one can't be read, and the place is in `errors`.
    Unreadable,
    /// Of an array only: not taken now, to be sent again.
    Unavailable,
}

/// What came of one notice.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct NoticeAnswer {
    /// The provider's id of the notice.
    #[schema(example = "evt_01")]
    pub id: Option<String>,
    pub result: NoticeResult,
    /// Why it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "no_plan")]
    pub reason: Option<String>,
    /// By JSON pointer.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub errors: BTreeMap<String, Vec<String>>,
}

/// What came of an array, in its order.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct NoticesAnswer {
    pub results: Vec<NoticeAnswer>,
}

impl NoticeAnswer {
    pub fn of(id: &str, result: NoticeResult) -> Self {
        Self {
            id: Some(id.to_owned()),
            result,
            reason: None,
            errors: BTreeMap::new(),
        }
    }

    pub fn of_taken(id: &str, taken: &Taken) -> Self {
        match taken {
            Taken::Recorded(_) => Self::of(id, NoticeResult::Recorded),
            Taken::Already(_) => Self::of(id, NoticeResult::Already),
            Taken::Waiting(reason) => Self {
                reason: Some((*reason).to_owned()),
                ..Self::of(id, NoticeResult::Waiting)
            },
            Taken::Unavailable => Self::of(id, NoticeResult::Unavailable),
        }
    }

    pub fn unreadable(errors: FieldErrors) -> Self {
        Self {
            id: None,
            result: NoticeResult::Unreadable,
            reason: None,
            errors: errors.into_inner(),
        }
    }
}

impl NoticeResult {
    /// Whether the sender is done with it.
    pub const fn is_taken(self) -> bool {
        matches!(self, Self::Recorded | Self::Already | Self::Waiting)
    }
}
