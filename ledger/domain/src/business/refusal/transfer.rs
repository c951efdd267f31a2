//! Why the ledger says no to a withdrawal, a manual transfer or a hold: one variant per reason.

use thiserror::Error;

use crate::Cents;
use crate::business::DUPLICATE_WINDOW;
use crate::transfer::{DestinationKind, TransferStatus};

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TransferRefusal {
    #[error("the business has no receiving plan")]
    NoReceivingPlan,
    #[error("the business has no {0} to send to")]
    NoDestination(DestinationKind),
    #[error("a withdrawal is of at least {0}")]
    BelowMinimum(Cents),
    #[error("a manual removal is of at least {0}")]
    BelowManualMinimum(Cents),
    #[error("more than is available")]
    AboveAvailable,
    #[error("more than staff hold")]
    AboveHeld,
    /// To be asked again with the person's confirmation.
    #[error("{0} to the same destination was asked for a moment ago")]
    PossibleDuplicate(Cents),
    #[error("no such transfer")]
    UnknownTransfer,
    #[error("the transfer is not a withdrawal")]
    NotAWithdrawal,
    #[error("a transfer that is {0} does not allow it")]
    StatusForbids(TransferStatus),
    /// The transfer is processing, and until the bank has spoken nobody knows whether its money left.
    #[error("a payout is in flight: only the bank's answer ends it")]
    PayoutInFlight,
    #[error("the first of two approvals is not given yet")]
    ApprovalMissing,
    #[error("the first of two approvals is given already")]
    ApprovalGiven,
    #[error("the second approval must be another person's")]
    SameApprover,
    #[error("the fee takes all of it: there is nothing to pay out")]
    NothingToPayOut,
    /// A bank that knows the id would answer of the old attempt, and pay nothing.
    #[error("the payout's id was used before")]
    PayoutUsed,
    /// Of one that was never the transfer's: staff are to look.
    #[error("told of a payout while another is in flight")]
    AnotherPayoutInFlight,
    /// Money left twice outside, which only a person can get back.
    #[error("the transfer was paid before, by another payout or by hand")]
    PaidTwice,
    #[error("a reason is needed")]
    ReasonMissing,
    #[error("a description is needed")]
    DescriptionMissing,
}

impl TransferRefusal {
    /// What a person is told, in Portuguese.
    pub fn message(&self) -> String {
        match self {
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
            Self::AboveHeld => "Valor não pode ser maior que o saldo bloqueado pela plataforma".to_owned(),
            Self::PossibleDuplicate(amount) => {
                format!(
                    "Um saque de {amount} para o mesmo destino foi solicitado há menos de {} minutos. Quer solicitar outro?",
                    DUPLICATE_WINDOW.num_minutes()
                )
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
            Self::ReasonMissing => "Informe o motivo.".to_owned(),
            Self::DescriptionMissing => "Informe a descrição.".to_owned(),
        }
    }
}
