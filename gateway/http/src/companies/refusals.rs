//! The problems of refused changes of companies. Their texts are those of the refusals.

use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::companies::{CompanyError, CompanyRefusal, field_label};
use tokio_postgres::GenericClient;

use crate::problem::{Problem, Result};
use crate::shared::conflict::changed_meanwhile;

/// The result of a decision, or its problem with the name of the user who is in the way.
pub(crate) async fn answered<T>(
    client: &impl GenericClient,
    result: std::result::Result<T, CompanyError>,
) -> Result<T> {
    match result {
        Err(CompanyError::Refused(CompanyRefusal::AlreadyRequested(Some(by)))) => {
            let names = user_names(client, Audience::Admin, &[by]).await?;
            Err(already_requested(names.get(&by).map(String::as_str)))
        }
        result => Ok(result?),
    }
}

fn already_requested(by: Option<&str>) -> Problem {
    let who = by.unwrap_or("Outra pessoa");
    Problem::conflict(format!(
        "{who} já pediu a aprovação desta empresa. Ela precisa ser confirmada, rejeitada ou retirada antes."
    ))
}

/// The problem of a new company, whose form has the fields of the company in an object.
pub fn of_creation(error: CompanyError) -> Problem {
    use CompanyRefusal as R;
    let field = match &error {
        CompanyError::Refused(R::DocumentKnown(_)) => "business.document",
        CompanyError::Refused(R::ReceivingPlanInactive | R::ReceivingPlanMissing) => {
            "business.receiving_plan_id"
        }
        _ => return error.into(),
    };
    match error {
        CompanyError::Refused(refusal) => Problem::field(field, &refusal.to_string()),
        other => other.into(),
    }
}

impl From<CompanyError> for Problem {
    fn from(error: CompanyError) -> Self {
        match error {
            CompanyError::Database(error) => error.into(),
            CompanyError::Ledger(error) => error.into(),
            CompanyError::Sales(error) => error.into(),
            CompanyError::Refused(refusal) => refusal.into(),
        }
    }
}

impl From<CompanyRefusal> for Problem {
    fn from(refusal: CompanyRefusal) -> Self {
        use CompanyRefusal as R;
        let message = refusal.to_string();
        match refusal {
            R::NotFound => Self::not_found(),
            R::Invalid(errors) => errors.into(),
            R::ChangedMeanwhile(fields) => changed_meanwhile("este cadastro", &fields, field_label),
            R::AlreadyRequested(_) => already_requested(None),
            R::DocumentsMissing(_) | R::RequestOutdated(_) => Self::documents_missing(message),
            R::DocumentKnown(_) => Self::field("document", &message),
            R::ReceivingPlanInactive | R::ReceivingPlanMissing => Self::field("receiving_plan_id", &message),
            R::PlanUnusable => Self::field("plans", &message),
            R::ReasonForDocumentsMissing(_) | R::ReasonMissing => Self::field("reason", &message),
            R::NotADecision => Self::field("approval", &message),
            R::OwnRequest(_) | R::RequestOfOther => Self {
                message: message.into(),
                ..Self::forbidden()
            },
            R::TooManyAddresses
            | R::TooManyAccounts
            | R::DefaultAccount
            | R::Deleted
            | R::InUse(_)
            | R::TooManyDocumentsOfStaff
            | R::TooManyDocuments
            | R::TooManyBytesOfStaff
            | R::TooManyBytes
            | R::DocumentsDecidedOn
            | R::DocumentOfStaff
            | R::Answered(_) => Self::conflict(message),
        }
    }
}
