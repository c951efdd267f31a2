//! What may be asked of a business. Time and outside facts arrive inside the command, so a decision is a function of
//! the state and the command alone.

mod transfer;
mod undone;

use std::sync::Arc;

pub use transfer::{
    Approvals, ApproveTransfer, FailTransfer, GiveTransferApproval, HoldAmount, MakeManualTransfer,
    PayoutFailed, PayoutPaid, ProcessTransfer, RefuseTransfer, ReleaseAmount, ReopenTransfer,
    RequestTransfer, WithdrawalContext,
};
pub use undone::{
    CancelSale, CancelTerminalRental, ChargeTerminalRental, DisputeSale, LoseDispute, OpenDispute,
    RefundSale, ReverseSale, VoidSale, WinDispute,
};

use super::subject::Subject;
use crate::calendar::{Calendar, Date, Instant};
use crate::fees::PlanTerms;
use crate::sale::{SaleFacts, Solution};
use crate::{BusinessId, SaleId, TerminalId, TransferId};

#[derive(Debug, Clone)]
pub enum BusinessCommand {
    CreateSale(CreateSale),
    CaptureSale(CaptureSale),
    FailSale(FailSale),
    VoidSale(VoidSale),
    CancelSale(CancelSale),
    RefundSale(RefundSale),
    ReverseSale(ReverseSale),
    DisputeSale(DisputeSale),
    OpenDispute(OpenDispute),
    WinDispute(WinDispute),
    LoseDispute(LoseDispute),
    SettleReceivables(SettleReceivables),
    RequestTransfer(RequestTransfer),
    GiveTransferApproval(GiveTransferApproval),
    ProcessTransfer(ProcessTransfer),
    ApproveTransfer(ApproveTransfer),
    RefuseTransfer(RefuseTransfer),
    FailTransfer(FailTransfer),
    ReopenTransfer(ReopenTransfer),
    PayoutPaid(PayoutPaid),
    PayoutFailed(PayoutFailed),
    MakeManualTransfer(MakeManualTransfer),
    ChargeTerminalRental(ChargeTerminalRental),
    CancelTerminalRental(CancelTerminalRental),
    HoldAmount(HoldAmount),
    ReleaseAmount(ReleaseAmount),
}

#[derive(Debug, Clone)]
pub struct CreateSale {
    pub sale: SaleFacts,
    pub occurred_at: Instant,
    pub context: SaleContext,
}

#[derive(Debug, Clone)]
pub struct CaptureSale {
    pub sale: SaleFacts,
    pub occurred_at: Instant,
    pub context: SaleContext,
}

#[derive(Debug, Clone)]
pub struct FailSale {
    pub sale: SaleFacts,
    pub occurred_at: Instant,
    pub reason: Option<String>,
    pub context: SaleContext,
}

/// Settle instalments of one due date. Whoever asks only suggests: those that are not open are passed over.
#[derive(Debug, Clone)]
pub struct SettleReceivables {
    pub due_date: Date,
    pub today: Date,
    pub instalments: Vec<(SaleId, u8)>,
}

/// What the back office knows about a sale's company, plan and terminal at the instant asked for.
#[derive(Debug, Clone)]
pub struct SaleContext {
    /// The business that is asked, so that its decision can tell its own terminals from others'.
    pub business_id: BusinessId,
    pub standing: Standing,
    /// The version of the plan in force at `terms_at`.
    pub terms: Option<Arc<PlanTerms>>,
    pub terms_at: Instant,
    /// Who owned the sale's terminal when the sale happened; `None` where no terminal is named or known.
    pub terminal_owner: Option<BusinessId>,
    pub calendar: Arc<Calendar>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// No such company.
    Unknown,
    Active,
    Denied,
    Deleted,
}

/// What a command needs to know from the back office before it can be decided.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ContextRequest {
    pub business_id: BusinessId,
    pub solution: Solution,
    pub terminal_id: Option<TerminalId>,
    /// When the sale happened: decides the terminal's owner.
    pub occurred_at: Instant,
    /// Which version of the plan: the sale's creation where known, else `occurred_at`.
    pub terms_at: Instant,
}

impl SaleContext {
    /// Before the back office was asked: a decision on it is refused as of an unknown company.
    pub fn unknown(business_id: BusinessId, at: Instant) -> Self {
        Self {
            business_id,
            standing: Standing::Unknown,
            terms: None,
            terms_at: at,
            terminal_owner: None,
            calendar: Arc::new(Calendar::default()),
        }
    }
}

impl BusinessCommand {
    /// The sales whose state the decision reads, each once.
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
            | Self::CancelSale(CancelSale { sale_id, .. })
            | Self::RefundSale(RefundSale { sale_id, .. })
            | Self::ReverseSale(ReverseSale { sale_id, .. })
            | Self::DisputeSale(DisputeSale { sale_id, .. })
            | Self::OpenDispute(OpenDispute { sale_id, .. })
            | Self::WinDispute(WinDispute { sale_id, .. })
            | Self::LoseDispute(LoseDispute { sale_id, .. }) => Subject::Sale(*sale_id),
            Self::SettleReceivables(command) => {
                Subject::sales(command.instalments.iter().map(|(sale_id, _)| *sale_id))
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
            | Self::MakeManualTransfer(MakeManualTransfer { transfer_id, .. })
            | Self::ChargeTerminalRental(ChargeTerminalRental { transfer_id, .. })
            | Self::CancelTerminalRental(CancelTerminalRental { transfer_id, .. }) => {
                Subject::Transfer(*transfer_id)
            }
            Self::HoldAmount(_) | Self::ReleaseAmount(_) => Subject::Balance,
        }
    }

    /// A sale's back-office context to fill in, and what to ask for it; `None` where the command needs none. One that
    /// is forgotten here stays of an unknown company, and is refused as such.
    pub fn context_mut(&mut self) -> Option<(&SaleFacts, Instant, &mut SaleContext)> {
        match self {
            Self::CreateSale(c) => Some((&c.sale, c.occurred_at, &mut c.context)),
            Self::CaptureSale(c) => Some((&c.sale, c.occurred_at, &mut c.context)),
            Self::FailSale(c) => Some((&c.sale, c.occurred_at, &mut c.context)),
            _ => None,
        }
    }
}
