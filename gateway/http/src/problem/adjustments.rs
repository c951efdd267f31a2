//! The problems of adjustments of balances. The rules are in `gateway_platform::adjustments`.

use gateway_platform::adjustments::requests::AdjustmentRequestStatus;
use gateway_platform::adjustments::{AdjustmentError, AdjustmentRefusal};
use gateway_platform::commands::KEY_REUSED;
use gateway_platform::plans::changes::Verdict;

use super::Problem;

impl From<AdjustmentError> for Problem {
    fn from(error: AdjustmentError) -> Self {
        match error {
            AdjustmentError::Database(error) => error.into(),
            AdjustmentError::Platform(error) => error.into(),
            AdjustmentError::Plans(error) => error.into(),
            AdjustmentError::Form(error) => Self::internal(error),
            AdjustmentError::ReadModels(error) => error.into(),
            AdjustmentError::Command(failure) => failure.into(),
            AdjustmentError::Refused(refusal) => refusal.into(),
        }
    }
}

impl From<AdjustmentRefusal> for Problem {
    fn from(refusal: AdjustmentRefusal) -> Self {
        use AdjustmentRefusal as R;
        match refusal {
            R::NotFound => Self::not_found(),
            R::KeyReused => Self::conflict(KEY_REUSED),
            R::PlansPending => Self::conflict(
                "Já há um pedido de mudança dos planos desta empresa. Ele precisa ser aprovado, rejeitado ou retirado antes.",
            ),
            R::Ledger(refusal) => refusal.into(),
            R::Ended(status) => Self::conflict(match status {
                AdjustmentRequestStatus::Pending => "Este ajuste ainda não foi decidido.",
                AdjustmentRequestStatus::Approved
                | AdjustmentRequestStatus::Recorded
                | AdjustmentRequestStatus::Refused => "Este ajuste já foi aprovado.",
                AdjustmentRequestStatus::Rejected => "Este ajuste já foi rejeitado.",
                AdjustmentRequestStatus::Withdrawn => "Este ajuste já foi retirado.",
                AdjustmentRequestStatus::Expired => "Este pedido expirou. Peça de novo.",
            }),
            R::OwnRequest(verdict) => {
                let verb = if verdict == Verdict::Approve {
                    "aprovar"
                } else {
                    "rejeitar"
                };
                Self {
                    message: format!(
                        "Quem pediu o ajuste não pode {verb}. Outra pessoa decide, ou você retira o pedido."
                    )
                    .into(),
                    ..Self::forbidden()
                }
            }
            R::RequestOfOther => Self {
                message: "Só quem pediu o ajuste pode retirá-lo. Você pode rejeitá-lo.".into(),
                ..Self::forbidden()
            },
        }
    }
}
