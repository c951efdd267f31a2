//! The commands of a business. Times and outside facts arrive inside the command, so that a decision is a function of
//! the state and the command alone.

mod hold;
mod reversal;
mod transfer;

use std::sync::Arc;

pub use hold::{ChangeHold, HoldRequest, PayCourt, PlaceHold, ReleaseHold, ReleaseReserve, ReleaseSales};
pub use reversal::{
    AnswerRefund, CancelSale, CancelTerminalRental, ChargeTerminalRental, DisputeSale, LoseDispute,
    OpenDispute, RefundPart, RefundSale, Refunded, ReverseSale, VoidSale, WinDispute,
};
pub use transfer::{
    Approvals, ApproveTransfer, FailTransfer, GiveTransferApproval, MakeManualTransfer, PayoutFailed,
    PayoutPaid, PayoutReturned, ProcessTransfer, RefuseTransfer, ReopenTransfer, RequestTransfer,
    ReturnTransfer, ReturnedFee, WithdrawalContext, WriteOffDebt,
};

use serde::{Deserialize, Serialize};

use super::subject::Subject;
use crate::calendar::{Calendar, Date, Instant};
use crate::fees::PlanTerms;
use crate::reserve::ReserveTerms;
use crate::sale::{NamedPayment, PaymentNames, SaleFacts, Solution};
use crate::{BusinessId, SaleId, TerminalId, TransferId};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum BusinessCommand {
    CreateSale(CreateSale),
    CaptureSale(CaptureSale),
    FailSale(FailSale),
    VoidSale(VoidSale),
    NameSale(NameSale),
    CancelSale(CancelSale),
    RefundPart(RefundPart),
    AnswerRefund(AnswerRefund),
    RefundSale(RefundSale),
    ReverseSale(ReverseSale),
    DisputeSale(DisputeSale),
    OpenDispute(OpenDispute),
    WinDispute(WinDispute),
    LoseDispute(LoseDispute),
    SettleReceivables(SettleReceivables),
    ReleaseReserve(ReleaseReserve),
    RequestTransfer(RequestTransfer),
    GiveTransferApproval(GiveTransferApproval),
    ProcessTransfer(ProcessTransfer),
    ApproveTransfer(ApproveTransfer),
    RefuseTransfer(RefuseTransfer),
    FailTransfer(FailTransfer),
    ReopenTransfer(ReopenTransfer),
    PayoutPaid(PayoutPaid),
    PayoutFailed(PayoutFailed),
    PayoutReturned(PayoutReturned),
    ReturnTransfer(ReturnTransfer),
    MakeManualTransfer(MakeManualTransfer),
    ChargeTerminalRental(ChargeTerminalRental),
    CancelTerminalRental(CancelTerminalRental),
    PlaceHold(PlaceHold),
    ChangeHold(ChangeHold),
    ReleaseHold(ReleaseHold),
    PayCourt(PayCourt),
    WriteOffDebt(WriteOffDebt),
    ReleaseSales(ReleaseSales),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CreateSale {
    pub sale: SaleFacts,
    pub occurred_at: Instant,
    pub context: SaleContext,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CaptureSale {
    pub sale: SaleFacts,
    pub occurred_at: Instant,
    pub context: SaleContext,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FailSale {
    pub sale: SaleFacts,
    pub occurred_at: Instant,
    pub reason: Option<String>,
    pub context: SaleContext,
}

/// Reported by the acquirer: names of a known payment, or of what went back of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NameSale {
    pub sale_id: SaleId,
    pub of: NamedPayment,
    pub names: PaymentNames,
    pub occurred_at: Instant,
}

/// Settles installments of one due date. The list is a suggestion: installments that are not open, or are due on
/// another date, are ignored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SettleReceivables {
    pub due_date: Date,
    pub today: Date,
    pub installments: Vec<(SaleId, u8)>,
    /// Those of the due date.
    pub reserve: Option<ReserveTerms>,
}

/// The reference data that a decision on a sale needs: company, plan, terminal and calendar.
///
/// It stays in its process: a command that is sent to another one arrives with [`SaleContext::unknown`], and the writer
/// there fills it in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "SentContext", into = "SentContext")]
pub struct SaleContext {
    /// The business that decides. Compared with `terminal_owner`.
    pub business_id: BusinessId,
    pub company_status: CompanyStatus,
    /// The version of the plan that was in force at `terms_at`.
    pub terms: Option<Arc<PlanTerms>>,
    pub terms_at: Instant,
    /// The owner of the sale's terminal at the time of the sale; `None` if no terminal is named or it had no owner.
    pub terminal_owner: Option<BusinessId>,
    pub calendar: Arc<Calendar>,
    /// Those of the capture's day, for installments that settle at once.
    pub reserve: Option<ReserveTerms>,
}

/// What of a context is sent to another process.
#[derive(Serialize, Deserialize)]
struct SentContext {
    business_id: BusinessId,
    terms_at: Instant,
}

impl From<SaleContext> for SentContext {
    fn from(context: SaleContext) -> Self {
        Self {
            business_id: context.business_id,
            terms_at: context.terms_at,
        }
    }
}

impl From<SentContext> for SaleContext {
    fn from(sent: SentContext) -> Self {
        Self::unknown(sent.business_id, sent.terms_at)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CompanyStatus {
    /// No such company.
    Unknown,
    /// Staff have not approved or denied it yet. Its approval ends the holds on its sales.
    Pending,
    Active,
    Denied,
    Deleted,
}

/// Selects the reference data for a decision on a sale.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ContextRequest {
    pub business_id: BusinessId,
    pub solution: Solution,
    pub terminal_id: Option<TerminalId>,
    /// The time of the sale. Decides who owned the terminal.
    pub occurred_at: Instant,
    /// Selects the version of the plan: the sale's creation time if known, else `occurred_at`.
    pub terms_at: Instant,
}

impl SaleContext {
    /// A placeholder in a submitted command, with an unknown company. The writer replaces it by the reference data
    /// before the command is decided.
    pub fn unknown(business_id: BusinessId, at: Instant) -> Self {
        Self {
            business_id,
            company_status: CompanyStatus::Unknown,
            terms: None,
            terms_at: at,
            terminal_owner: None,
            calendar: Arc::new(Calendar::default()),
            reserve: None,
        }
    }
}

impl BusinessCommand {
    /// The sales whose state the decision reads, without duplicates.
    pub fn sale_ids(&self) -> Vec<SaleId> {
        self.subject().sale_ids()
    }

    /// The transfers whose state the decision reads.
    pub fn transfer_ids(&self) -> Vec<TransferId> {
        self.subject().transfer_ids()
    }

    fn subject(&self) -> Subject {
        match self {
            Self::CreateSale(CreateSale { sale, .. })
            | Self::CaptureSale(CaptureSale { sale, .. })
            | Self::FailSale(FailSale { sale, .. }) => Subject::Sale(sale.sale_id),
            Self::VoidSale(VoidSale { sale_id, .. })
            | Self::NameSale(NameSale { sale_id, .. })
            | Self::CancelSale(CancelSale { sale_id, .. })
            | Self::RefundPart(RefundPart { sale_id, .. })
            | Self::AnswerRefund(AnswerRefund { sale_id, .. })
            | Self::RefundSale(RefundSale { sale_id, .. })
            | Self::ReverseSale(ReverseSale { sale_id, .. })
            | Self::DisputeSale(DisputeSale { sale_id, .. })
            | Self::OpenDispute(OpenDispute { sale_id, .. })
            | Self::WinDispute(WinDispute { sale_id, .. })
            | Self::LoseDispute(LoseDispute { sale_id, .. }) => Subject::Sale(*sale_id),
            Self::SettleReceivables(command) => {
                Subject::sales(command.installments.iter().map(|(sale_id, _)| *sale_id))
            }
            Self::RequestTransfer(RequestTransfer { transfer_id, .. })
            | Self::GiveTransferApproval(GiveTransferApproval { transfer_id, .. })
            | Self::ProcessTransfer(ProcessTransfer { transfer_id, .. })
            | Self::ApproveTransfer(ApproveTransfer { transfer_id, .. })
            | Self::RefuseTransfer(RefuseTransfer { transfer_id, .. })
            | Self::FailTransfer(FailTransfer { transfer_id, .. })
            | Self::ReopenTransfer(ReopenTransfer { transfer_id, .. })
            | Self::PayoutPaid(PayoutPaid { transfer_id, .. })
            | Self::PayoutFailed(PayoutFailed { transfer_id, .. })
            | Self::PayoutReturned(PayoutReturned { transfer_id, .. })
            | Self::ReturnTransfer(ReturnTransfer { transfer_id, .. })
            | Self::MakeManualTransfer(MakeManualTransfer { transfer_id, .. })
            | Self::ChargeTerminalRental(ChargeTerminalRental { transfer_id, .. })
            | Self::CancelTerminalRental(CancelTerminalRental { transfer_id, .. }) => {
                Subject::Transfer(*transfer_id)
            }
            Self::ReleaseReserve(command) => {
                Subject::sales(command.installments.iter().map(|(sale_id, _)| *sale_id))
            }
            Self::ReleaseSales(ReleaseSales { sale_ids, .. }) => Subject::sales(sale_ids.iter().copied()),
            Self::PlaceHold(command) => Subject::sales(command.sale_id.into_iter()),
            Self::ChangeHold(_) | Self::ReleaseHold(_) | Self::PayCourt(_) | Self::WriteOffDebt(_) => {
                Subject::Balance
            }
        }
    }

    /// The `SaleContext` to fill in, with the sale and the time that select it; `None` if the command has none.
    pub fn context_mut(&mut self) -> Option<(&SaleFacts, Instant, &mut SaleContext)> {
        match self {
            Self::CreateSale(c) => Some((&c.sale, c.occurred_at, &mut c.context)),
            Self::CaptureSale(c) => Some((&c.sale, c.occurred_at, &mut c.context)),
            Self::FailSale(c) => Some((&c.sale, c.occurred_at, &mut c.context)),
            _ => None,
        }
    }
}
