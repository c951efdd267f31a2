//! The problems of errors and refusals of the platform.

use gateway_platform::closing::ClosingError;
use gateway_platform::error::PlatformError;
use gateway_platform::outboxes::Work;
use gateway_platform::resolution::ActionError;
use gateway_platform::retries::RetryError;

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

impl From<RetryError> for Problem {
    fn from(error: RetryError) -> Self {
        let named = |work, says: &str| {
            let name = match work {
                Work::Payout => "O pagamento",
                Work::Refund => "O estorno",
                Work::OrderAttempt => "A cobrança",
                Work::Email => "O e-mail",
            };
            Self::conflict(format!("{name} {says}"))
        };
        match error {
            RetryError::NoSuchRow => Self::not_found(),
            RetryError::Ended(work) => named(work, "já terminou: não há o que tentar de novo."),
            RetryError::InHand(work) => named(
                work,
                "está em andamento agora. Aguarde o resultado desta tentativa.",
            ),
            RetryError::Parked(work) => named(
                work,
                "tem dados ilegíveis e está na fila de exceções. Tente de novo por lá.",
            ),
            RetryError::UnknownProvider(_) => Self::field("provider", "Deve ser quem faz este trabalho."),
            RetryError::Database(error) => error.into(),
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
