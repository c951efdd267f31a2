//! Refusals: one variant for each business reason. Each has a Portuguese message for users (`message`) and a precise
//! English one (`Display`).

mod hold;
mod transfer;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use hold::HoldRefusal;
pub use transfer::TransferRefusal;

use crate::Cents;
use crate::calendar::{Date, Instant};
use crate::sale::{DisputeId, RefundReference, SaleStatus, Solution};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
pub enum Refusal {
    #[error("unknown business")]
    UnknownBusiness,
    #[error("the business is not active and cannot create sales")]
    BusinessNotActive,
    #[error("the business has no plan for solution {0} at that time")]
    NoPlan(Solution),
    #[error("the plan has no fee for this brand, payment type and number of installments")]
    NoFee,
    /// The decision needs the plan as of another instant. The writer loads it and decides again. A user sees this
    /// refusal only if that did not help.
    #[error("the decision needs the plan's terms as of {0}")]
    TermsNeededAt(Instant),
    #[error("the terminal belonged to another business at that time")]
    TerminalOfAnotherBusiness,
    #[error("the recorded amount is {recorded}, the reported amount is {reported}")]
    AmountDiffers { recorded: Cents, reported: Cents },
    #[error("the sale is recorded with another solution, payment type or number of installments")]
    SaleDiffers,
    #[error("the sale is already paid by another payment")]
    SecondPayment,
    /// Two names for one payment may be two payments.
    #[error("the payment is recorded as {recorded}, the report names {reported}")]
    NameDiffers { recorded: String, reported: String },
    #[error("unknown sale")]
    UnknownSale,
    #[error("the sale's status {0} does not allow this")]
    StatusForbids(SaleStatus),
    /// The later one decides who gets the money, and equal times do not tell which is later.
    #[error("the capture and the void have the same time")]
    CaptureAndVoidAtOnce,
    /// The notice waits until the capture is reported.
    #[error("the sale's capture is not reported yet")]
    NotCaptured,
    /// Only for requests of users, who can wait for the next settlements or sell more.
    #[error("{needed} must be available, but only {available} is")]
    BalanceTooShort { needed: Cents, available: Cents },
    /// The notice waits until the dispute's opening is reported.
    #[error("the opening of dispute {0} is not reported yet")]
    DisputeNotOpened(DisputeId),
    /// The notice waits until the open dispute ends.
    #[error("dispute {0} of the sale is still open")]
    AnotherDisputeOpen(DisputeId),
    #[error("dispute {0} is already won")]
    DisputeWon(DisputeId),
    #[error("dispute {0} is already lost")]
    DisputeLost(DisputeId),
    #[error("only {left} is left of the sale, not {asked}")]
    MoreThanLeft { left: Cents, asked: Cents },
    /// The notice waits until the dispute ends.
    #[error("dispute {0} of the sale is open, so a part cannot be refunded")]
    RefundDuringDispute(DisputeId),
    /// The notice waits for the answer, because it may be the echo of that refund.
    #[error("the acquirer has not answered refund {0} yet")]
    RefundUnanswered(RefundReference),
    /// Only the first part of a sale can be recorded without an id: a second notice may repeat the first.
    #[error("the refund has no id, and the sale has refunds that it may repeat")]
    RefundUnnamed,
    #[error("refund {0} is not one that a user asked for")]
    UnknownRefund(RefundReference),
    #[error("the transfer is not a terminal's rental")]
    NotARental,
    #[error("{0} installments are not possible for this payment type")]
    Installments(u8),
    #[error("the due date {0} is in the future")]
    NotDueYet(Date),
    #[error("the amount is outside the ledger's limits")]
    AmountOutOfRange,
    #[error(transparent)]
    Transfer(#[from] TransferRefusal),
    #[error(transparent)]
    Hold(#[from] HoldRefusal),
}

impl Refusal {
    /// The message for users, in Portuguese.
    pub fn message(&self) -> String {
        match self {
            Self::UnknownBusiness => "Empresa não encontrada.".to_owned(),
            Self::BusinessNotActive => {
                "O cadastro da empresa não está aprovado: ela não pode fazer vendas.".to_owned()
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
            Self::AmountDiffers { recorded, reported } => {
                format!("O valor registrado da venda é {recorded}, mas a notificação informa {reported}.")
            }
            Self::SaleDiffers => {
                "A venda está registrada com outra solução, forma de pagamento ou número de parcelas."
                    .to_owned()
            }
            Self::SecondPayment => "A venda já foi paga em outra transação.".to_owned(),
            Self::NameDiffers { recorded, reported } => {
                format!("O pagamento está registrado como {recorded}, mas a notificação informa {reported}.")
            }
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
            // The text of the specification, also for a dispute.
            Self::BalanceTooShort { .. } => {
                "O saldo disponível não é suficiente para cancelar a venda".to_owned()
            }
            Self::DisputeNotOpened(id) => format!("A contestação {id} ainda não foi aberta."),
            Self::AnotherDisputeOpen(id) => format!("A venda já tem uma contestação em aberto: {id}."),
            Self::DisputeWon(id) => {
                format!("A contestação {id} já foi encerrada a favor da empresa.")
            }
            Self::DisputeLost(id) => format!("A contestação {id} já foi encerrada a favor do comprador."),
            Self::MoreThanLeft { left, asked } => {
                format!("Restam {left} desta venda, menos do que {asked}.")
            }
            Self::RefundDuringDispute(id) => {
                format!(
                    "A venda está em contestação ({id}): só é possível estornar uma parte depois que ela terminar."
                )
            }
            Self::RefundUnanswered(_) => {
                "A adquirente ainda não respondeu a um estorno desta venda.".to_owned()
            }
            Self::RefundUnnamed => {
                "O estorno informado não tem identificação, e pode repetir outro desta venda.".to_owned()
            }
            Self::UnknownRefund(id) => format!("O estorno {id} não foi pedido pelo painel."),
            Self::NotARental => "A movimentação não é um aluguel de maquininha.".to_owned(),
            Self::Installments(count) => {
                format!("Número de parcelas inválido para esta forma de pagamento: {count}.")
            }
            Self::NotDueYet(date) => format!("A parcela só vence em {}.", date.format("%d/%m/%Y")),
            Self::AmountOutOfRange => "Valor fora do limite permitido.".to_owned(),
            Self::Transfer(refusal) => refusal.message(),
            Self::Hold(refusal) => refusal.message(),
        }
    }
}
