//! The documents that a hold asks for: sellers send files, staff accept or refuse them.

pub mod bodies;
pub mod seller;
pub mod staff;

use gateway_platform::holds::documents::{HoldDocumentError, HoldDocumentRefusal};

use crate::problem::Problem;
use crate::shared::change::Subject;

/// The holds in the audit log.
const HOLD: Subject = Subject("hold");

impl From<HoldDocumentError> for Problem {
    fn from(error: HoldDocumentError) -> Self {
        match error {
            HoldDocumentError::Database(error) => error.into(),
            HoldDocumentError::Refused(refusal) => refusal.into(),
        }
    }
}

impl From<HoldDocumentRefusal> for Problem {
    fn from(refusal: HoldDocumentRefusal) -> Self {
        use HoldDocumentRefusal as R;
        let message = refusal.to_string();
        match refusal {
            R::NotFound => Self::not_found(),
            R::NotAsked => Self::field("asked", &message),
            R::TooSmall | R::SentAsOther(_) => Self::field("file", &message),
            R::NoteMissing => Self::field("note", &message),
            R::HoldEnded | R::TooMany | R::TooManyBytes | R::Answered(_) => Self::conflict(message),
        }
    }
}
