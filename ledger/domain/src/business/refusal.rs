//! Why the ledger says no: one variant per business reason, never a string. Each has a Portuguese message for a person
//! (`message`) beside the precise English one of `Display`.

mod transfer;

use thiserror::Error;

pub use transfer::TransferRefusal;

use crate::Cents;
use crate::calendar::{Date, Instant};
use crate::sale::{DisputeId, SaleStatus, Solution};

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("no such business")]
    UnknownBusiness,
    #[error("the business is denied or deleted, and opens no sale")]
    BusinessNotActive,
    #[error("the business has no plan for solution {0} at that time")]
    NoPlan(Solution),
    #[error("the plan has no fee for this brand, payment type and number of instalments")]
    NoFee,
    /// Not for a caller: the decision needs the plan as it stood at another instant, and is to be asked again with it.
    #[error("the plan's terms are needed as of {0}")]
    TermsNeededAt(Instant),
    #[error("the terminal belonged to another business at that time")]
    TerminalOfAnotherBusiness,
    #[error("the sale is recorded with {recorded}, and this says {told}")]
    AmountDiffers { recorded: Cents, told: Cents },
    #[error("the sale is recorded with another solution, payment type or number of instalments")]
    SaleDiffers,
    #[error("the sale was paid before by another payment of its provider")]
    SecondPayment,
    #[error("no such sale")]
    UnknownSale,
    #[error("a sale that is {0} does not allow it")]
    StatusForbids(SaleStatus),
    /// Which came last decides whose the money is, and their times do not tell.
    #[error("captured and given up at the same instant")]
    CaptureAndVoidAtOnce,
    /// It waits for the capture.
    #[error("the sale's capture is not told yet")]
    NotCaptured,
    /// Asked for by a person, who may wait for the agenda or sell more.
    #[error("{needed} must be available, and {available} is")]
    BalanceTooShort { needed: Cents, available: Cents },
    /// It waits for the dispute's opening.
    #[error("dispute {0} is not told to be open yet")]
    DisputeNotOpened(DisputeId),
    /// It waits for the end of the one that is open.
    #[error("dispute {0} of the sale is open")]
    AnotherDisputeOpen(DisputeId),
    #[error("dispute {0} was won before")]
    DisputeWon(DisputeId),
    #[error("dispute {0} was lost before")]
    DisputeLost(DisputeId),
    #[error("the transfer is not a terminal's rental")]
    NotARental,
    #[error("{0} instalments is not a number of instalments for this payment type")]
    Instalments(u8),
    #[error("due on {0}, which is not today or before")]
    NotDueYet(Date),
    #[error("an amount outside what the ledger can hold")]
    AmountOutOfRange,
    #[error(transparent)]
    Transfer(#[from] TransferRefusal),
}

impl Refusal {
    /// What a person is told, in Portuguese.
    pub fn message(&self) -> String {
        match self {
            Self::UnknownBusiness => "Empresa não encontrada.".to_owned(),
            Self::BusinessNotActive => {
                "O cadastro da empresa foi negado ou deletado: ela não pode fazer vendas.".to_owned()
            }
            Self::NoPlan(solution) => {
                format!(
                    "A empresa não tinha plano para a solução {} na data da venda.",
                    solution.label()
                )
            }
            Self::NoFee => {
                "O plano não tem taxa para esta bandeira, forma de pagamento e número de parcelas.".to_owned()
            }
            Self::TermsNeededAt(instant) => {
                format!(
                    "São necessárias as condições do plano vigentes em {}.",
                    instant.format("%d/%m/%Y %H:%M:%S UTC")
                )
            }
            Self::TerminalOfAnotherBusiness => {
                "Na data da venda, o terminal pertencia a outra empresa.".to_owned()
            }
            Self::AmountDiffers { recorded, told } => {
                format!("O valor registrado da venda é {recorded}, mas a notificação informa {told}.")
            }
            Self::SaleDiffers => {
                "A venda está registrada com outra solução, forma de pagamento ou número de parcelas."
                    .to_owned()
            }
            Self::SecondPayment => "A venda já foi paga em outra transação.".to_owned(),
            Self::UnknownSale => "Venda não encontrada.".to_owned(),
            Self::StatusForbids(status) => {
                format!(
                    "O status da venda ({}) não permite esta operação.",
                    status.label()
                )
            }
            Self::CaptureAndVoidAtOnce => {
                "A venda foi paga e cancelada no mesmo instante: a equipe precisa decidir.".to_owned()
            }
            Self::NotCaptured => "A venda ainda não foi paga.".to_owned(),
            Self::BalanceTooShort { .. } => {
                "O saldo disponível não é suficiente para cancelar a venda".to_owned()
            }
            Self::DisputeNotOpened(id) => format!("A contestação {id} ainda não foi aberta."),
            Self::AnotherDisputeOpen(id) => format!("A venda já tem uma contestação em aberto: {id}."),
            Self::DisputeWon(id) => {
                format!("A contestação {id} já foi encerrada a favor da empresa.")
            }
            Self::DisputeLost(id) => format!("A contestação {id} já foi encerrada a favor do comprador."),
            Self::NotARental => "A movimentação não é um aluguel de maquininha.".to_owned(),
            Self::Instalments(count) => {
                format!("Número de parcelas inválido para esta forma de pagamento: {count}.")
            }
            Self::NotDueYet(date) => format!("A parcela só vence em {}.", date.format("%d/%m/%Y")),
            Self::AmountOutOfRange => "Valor fora do limite permitido.".to_owned(),
            Self::Transfer(refusal) => refusal.message(),
        }
    }
}
