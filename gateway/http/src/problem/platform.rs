//! The problems of errors and refusals of the platform.

use gateway_platform::closing::ClosingError;
use gateway_platform::error::PlatformError;
use gateway_platform::resolution::ActionError;

use super::{COMPANY_UNKNOWN, Problem};

impl From<PlatformError> for Problem {
    fn from(error: PlatformError) -> Self {
        match error {
            PlatformError::Database(error) => error.into(),
            PlatformError::Pool(error) => error.into(),
            PlatformError::Ledger(error) => error.into(),
            error @ PlatformError::NotAppended => Self::internal(error),
        }
    }
}

impl From<ActionError> for Problem {
    fn from(error: ActionError) -> Self {
        match error {
            ActionError::RefundHasItsCompany => {
                Self::conflict("Um estorno não pode ser atribuído: ele pertence à empresa que fez a venda.")
            }
            ActionError::NotANotice => Self::conflict("Só uma notificação pode ser atribuída."),
            ActionError::CanOnlyBeClosed => {
                Self::conflict("Esta exceção não pode ser tentada de novo. Resolva e feche com o motivo.")
            }
            ActionError::Ended => Self::conflict("Esta exceção já saiu da fila."),
            ActionError::UnknownCompany => Self::field("business_id", COMPANY_UNKNOWN),
            ActionError::NamesBuyer => Self::names_buyer(),
            ActionError::Platform(error) => error.into(),
        }
    }
}

impl From<ClosingError> for Problem {
    fn from(error: ClosingError) -> Self {
        let message = error.to_string();
        match error {
            ClosingError::Database(error) => error.into(),
            ClosingError::ReadModels(error) => error.into(),
            ClosingError::CompanyUnknown => Self::not_found(),
            ClosingError::NotEnded => Self::field("month", &message),
            error @ (ClosingError::TooLarge | ClosingError::Checkpoint(_)) => Self::internal(error),
        }
    }
}
