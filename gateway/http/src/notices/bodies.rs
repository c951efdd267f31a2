//! The response to a provider. Providers read only the status; the body is for people who investigate a delivery.

use std::collections::BTreeMap;

use gateway_platform::notices::{NoticeOutcome, UnreadableNotice};
use serde::Serialize;
use utoipa::ToSchema;

/// recorded: durable in the ledger. already: the ledger had it before. waiting: stored for staff and tried again. Two
/// occur in arrays only: unreadable (the notice can never be read, and staff see it) and unavailable (it must be sent
/// again).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeResult {
    Recorded,
    Already,
    Waiting,
    Unreadable,
    Unavailable,
}

/// The result of one notice.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct NoticeAnswer {
    /// The notice's place in the array, from 0. Absent for a notice that was sent alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 0)]
    pub index: Option<usize>,
    /// The provider's id of the notice. Null if it is unreadable.
    #[schema(example = "evt_01")]
    pub id: Option<String>,
    pub result: NoticeResult,
    /// A code for the reason of the wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "no_plan")]
    pub reason: Option<String>,
    /// The messages for each invalid field, by its JSON pointer.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub errors: BTreeMap<String, Vec<String>>,
}

/// recorded: the charge was looked up, or it is unknown and staff have an exception. unrelated: the notice
/// is about something that has no charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HintResult {
    Recorded,
    Unrelated,
}

/// The result of a notice that is not signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct HintAnswer {
    pub result: HintResult,
}

/// The results of an array, in its order.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct NoticesAnswer {
    pub results: Vec<NoticeAnswer>,
}

impl NoticeAnswer {
    pub fn of(id: &str, result: NoticeResult) -> Self {
        Self {
            index: None,
            id: Some(id.to_owned()),
            result,
            reason: None,
            errors: BTreeMap::new(),
        }
    }

    pub fn of_processed(id: &str, processed: &NoticeOutcome) -> Self {
        match processed {
            NoticeOutcome::Recorded(_) => Self::of(id, NoticeResult::Recorded),
            NoticeOutcome::Duplicate(_) => Self::of(id, NoticeResult::Already),
            NoticeOutcome::Waiting(reason) => Self {
                reason: Some((*reason).to_owned()),
                ..Self::of(id, NoticeResult::Waiting)
            },
            NoticeOutcome::Unavailable => Self::of(id, NoticeResult::Unavailable),
        }
    }

    /// `is_stored`: whether staff have it. If not, it must be sent again.
    pub fn unreadable(unreadable: UnreadableNotice, is_stored: bool) -> Self {
        let result = if is_stored {
            NoticeResult::Unreadable
        } else {
            NoticeResult::Unavailable
        };
        Self {
            index: None,
            id: unreadable.id,
            result,
            reason: None,
            errors: unreadable.errors.into_inner(),
        }
    }

    pub fn at(self, index: usize) -> Self {
        Self {
            index: Some(index),
            ..self
        }
    }
}

impl NoticeResult {
    /// True if the sender need not send the notice again: it is recorded, or stored for staff.
    pub const fn is_recorded_or_stored(self) -> bool {
        match self {
            Self::Recorded | Self::Already | Self::Waiting | Self::Unreadable => true,
            Self::Unavailable => false,
        }
    }
}
