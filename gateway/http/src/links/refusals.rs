//! The problems of refused changes of links. Their texts are those of the refusals.

use gateway_platform::links::{LinkError, LinkRefusal, field_label};

use crate::problem::Problem;
use crate::shared::conflict::changed_meanwhile;

impl From<LinkError> for Problem {
    fn from(error: LinkError) -> Self {
        match error {
            LinkError::Database(error) => error.into(),
            LinkError::NoFreeCode => Self::internal(error),
            LinkError::Refused(refusal) => refusal.into(),
        }
    }
}

impl From<LinkRefusal> for Problem {
    fn from(refusal: LinkRefusal) -> Self {
        let message = refusal.to_string();
        match refusal {
            LinkRefusal::NotFound => Self::not_found(),
            LinkRefusal::Invalid(errors) => errors.into(),
            LinkRefusal::ChangedMeanwhile(fields) => changed_meanwhile("este link", &fields, field_label),
            LinkRefusal::CompanyPending | LinkRefusal::CompanyNotApproved => Self::conflict(message),
        }
    }
}
