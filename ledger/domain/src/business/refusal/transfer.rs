//! Refusals of withdrawals and manual transfers: one variant for each reason.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Cents;
use crate::business::DUPLICATE_WINDOW;
use crate::transfer::{DestinationKind, TransferStatus};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
pub enum TransferRefusal {
    #[error("the business is not active and cannot withdraw")]
    BusinessNotActive,
    #[error("the business has no receiving plan")]
    NoReceivingPlan,
    #[error("the business has no {0} as a destination")]
    NoDestination(DestinationKind),
    #[error("a withdrawal must be at least {0}")]
    BelowMinimum(Cents),
    #[error("a manual removal must be at least {0}")]
    BelowManualMinimum(Cents),
    #[error("the amount is above the available balance")]
    AboveAvailable,
    #[error("the company owes {0}, which is less than the amount")]
    AboveDebt(Cents),
    /// The caller can repeat the request with the user's confirmation.
    #[error("a withdrawal of {0} to the same destination was just requested")]
    PossibleDuplicate(Cents),
    /// The caller can repeat the request with the user's confirmation.
    #[error("a bank returned an earlier withdrawal to the same destination")]
    DestinationReturned,
    #[error("unknown transfer")]
    UnknownTransfer,
    #[error("the transfer is not a withdrawal")]
    NotAWithdrawal,
    #[error("the transfer's status {0} does not allow this")]
    StatusForbids(TransferStatus),
    /// Until the bank answers, it is unknown whether the money left.
    #[error("a payout is in flight; only the bank's answer can end it")]
    PayoutInFlight,
    #[error("the first of two approvals is missing")]
    ApprovalMissing,
    #[error("the first of two approvals is already given")]
    ApprovalGiven,
    #[error("the second approval must be from another user")]
    SameApprover,
    #[error("the fee equals the amount: nothing is left to pay out")]
    NothingToPayOut,
    /// A bank that knows the id would report the old attempt and pay nothing.
    #[error("the payout id is already used")]
    PayoutUsed,
    /// The reported payout never belonged to the transfer. Staff must check it.
    #[error("a payout was reported while another one is in flight")]
    AnotherPayoutInFlight,
    /// Only staff can get the second payment back.
    #[error("the transfer is already paid, by another payout or manually")]
    PaidTwice,
    /// A returned withdrawal ends. The seller requests another one.
    #[error("the bank returned the transfer")]
    Returned,
    /// A bank that returned a payment reports it as paid again. Staff must ask which is true.
    #[error("the payout is reported as paid after it was returned")]
    PaidAfterReturn,
    #[error("a reason is required")]
    ReasonMissing,
    #[error("a description is required")]
    DescriptionMissing,
}

impl TransferRefusal {
    /// The message for users, in Portuguese.
    pub fn message(&self) -> String {
        match self {
            Self::BusinessNotActive => {
                "O cadastro da empresa não está aprovado: ela não pode solicitar saques.".to_owned()
            }
            Self::NoReceivingPlan => {
                "Sua empresa ainda não tem plano de recebimento. Fale com o suporte para liberar os saques."
                    .to_owned()
            }
            Self::NoDestination(DestinationKind::BankAccount) => {
                "Cadastre uma conta bancária para solicitar o saque.".to_owned()
            }
            Self::NoDestination(DestinationKind::Pix) => {
                "Sua empresa ainda não pode receber saques por PIX. Escolha a conta bancária ou fale com o suporte.".to_owned()
            }
            Self::BelowMinimum(minimum) => format!("Valor mínimo é de {minimum}"),
            Self::BelowManualMinimum(minimum) => format!("Valor não pode ser menor que: {minimum}"),
            Self::AboveAvailable => "Valor não pode ser maior que o saldo".to_owned(),
            Self::AboveDebt(debt) => format!("A empresa deve {debt}: não é possível dar baixa em mais."),
            Self::PossibleDuplicate(amount) => {
                format!(
                    "Um saque de {amount} para o mesmo destino foi solicitado há menos de {} minutos. Quer solicitar outro?",
                    DUPLICATE_WINDOW.num_minutes()
                )
            }
            Self::DestinationReturned => {
                "O banco devolveu um saque anterior para este destino. Confira os dados da conta antes de confirmar."
                    .to_owned()
            }
            Self::UnknownTransfer => "Saque não encontrado.".to_owned(),
            Self::NotAWithdrawal => "A movimentação não é um saque.".to_owned(),
            Self::StatusForbids(status) => {
                format!("O status do saque ({}) não permite esta operação.", status.label())
            }
            Self::PayoutInFlight => {
                "O pagamento está com o banco. Aguarde a resposta para fazer esta operação.".to_owned()
            }
            Self::ApprovalMissing => "São necessárias duas aprovações: falta a primeira.".to_owned(),
            Self::ApprovalGiven => {
                "A primeira aprovação já foi dada: falta a segunda, de outra pessoa.".to_owned()
            }
            Self::SameApprover => "A segunda aprovação precisa ser de outra pessoa.".to_owned(),
            Self::NothingToPayOut => {
                "O valor é igual à tarifa de saque: não sobra nada para enviar ao banco.".to_owned()
            }
            Self::PayoutUsed => "Este pagamento já foi usado em outra tentativa do saque.".to_owned(),
            Self::AnotherPayoutInFlight => {
                "O banco informou um pagamento, mas outro pagamento do mesmo saque está em andamento.".to_owned()
            }
            Self::PaidTwice => "O saque já foi pago: o banco informou um segundo pagamento.".to_owned(),
            Self::Returned => {
                "O banco devolveu este saque, e o valor voltou para o saldo. O resultado é final.".to_owned()
            }
            Self::PaidAfterReturn => {
                "O banco informou como pago um saque que já tinha devolvido.".to_owned()
            }
            Self::ReasonMissing => "Informe o motivo.".to_owned(),
            Self::DescriptionMissing => "Informe a descrição.".to_owned(),
        }
    }
}
