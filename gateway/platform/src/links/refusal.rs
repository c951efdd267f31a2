//! Why a change of a payment link is not made. The texts are shown to the user.

use thiserror::Error;

use crate::error::DatabaseCause;
use crate::form_errors::FormErrors;

#[derive(Debug, Error)]
pub enum LinkError {
    #[error("the database failed: {}", DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error("no free code for a payment link")]
    NoFreeCode,
    #[error("refused: {0:?}")]
    Refused(LinkRefusal),
}

pub type Result<T, E = LinkError> = std::result::Result<T, E>;

/// What the user may correct, or has to ask somebody else for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LinkRefusal {
    #[error("not found")]
    NotFound,
    /// Fields of the form.
    #[error("invalid fields")]
    Invalid(FormErrors),
    /// These fields were changed since the version that an edit started from.
    #[error("changed fields: {0:?}")]
    ChangedMeanwhile(Vec<String>),
    #[error(
        "O cadastro da empresa ainda está em análise. Os links de pagamento ficam disponíveis depois da aprovação."
    )]
    CompanyPending,
    #[error("A empresa está negada ou deletada e não pode vender por link de pagamento.")]
    CompanyNotApproved,
}

/// The Portuguese word for a field of the audit log. `None` for a field that is not named to users.
pub fn field_label(field: &str) -> Option<&'static str> {
    Some(match field {
        "description" => "descrição",
        "amount" | "amount_min" | "amount_max" => "valor",
        "payment_types" => "formas de pagamento",
        "installments_max" => "parcelas",
        "payer" => "quem paga as taxas",
        "expires_on" => "validade",
        "use_limit" => "limite de usos",
        "active" => "status",
        _ => return None,
    })
}

impl LinkRefusal {
    /// The error of one field of the form.
    pub(super) fn of_field(field: &str, message: &str) -> Self {
        let mut errors = FormErrors::default();
        errors.add(field, message);
        Self::Invalid(errors)
    }
}

impl From<LinkRefusal> for LinkError {
    fn from(refusal: LinkRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<FormErrors> for LinkError {
    fn from(errors: FormErrors) -> Self {
        Self::Refused(LinkRefusal::Invalid(errors))
    }
}
