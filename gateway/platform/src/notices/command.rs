//! Maps a provider's report on a sale to a command. The ledger decides whether to accept the command.

use ledger_domain::business::{
    AnswerRefund, BusinessCommand, CaptureSale, CreateSale, FailSale, LoseDispute, OpenDispute, RefundSale,
    Refunded, ReverseSale, SaleContext, VoidSale, WinDispute,
};
use ledger_domain::sale::{Initiator, PaymentNames, RefundReference, SaleFacts, SaleTerminal};

use super::signed::SignedNotice;
use super::target::Target;
use crate::providers::{ReportedSale, SaleReport};

impl SaleReport {
    pub(super) fn command(&self, signed: &SignedNotice, target: &Target) -> BusinessCommand {
        let (sale_id, occurred_at, amount) =
            (target.sale_id, signed.notice.occurred_at, signed.notice.amount);
        // The writer loads the reference data before the ledger decides.
        let context = || SaleContext::unknown(target.business_id, occurred_at);
        match self.clone() {
            Self::Created(reported) => BusinessCommand::CreateSale(CreateSale {
                sale: facts(signed, reported, target),
                occurred_at,
                context: context(),
            }),
            Self::Captured(reported) => BusinessCommand::CaptureSale(CaptureSale {
                sale: facts(signed, reported, target),
                occurred_at,
                context: context(),
            }),
            Self::Failed { sale, reason } => BusinessCommand::FailSale(FailSale {
                sale: facts(signed, sale, target),
                occurred_at,
                reason,
                context: context(),
            }),
            // An acquirer's cancel is a void; `CancelSale` is a user's request. A void that is dated after the capture
            // cancels the sale.
            Self::Canceled { names, reason } => BusinessCommand::VoidSale(VoidSale {
                sale_id,
                names,
                initiator: Initiator::Acquirer,
                occurred_at,
                reason,
            }),
            // An amount below what is left of the sale is a part of it.
            Self::Refunded {
                refund,
                names,
                reason,
            } => BusinessCommand::RefundSale(RefundSale {
                sale_id,
                refunded: match amount {
                    Some(amount) => Refunded::Amount { amount, refund },
                    None => Refunded::Rest { refund },
                },
                occurred_at,
                reason,
                names,
            }),
            Self::Reversed { names, reason } => BusinessCommand::ReverseSale(ReverseSale {
                sale_id,
                names,
                occurred_at,
                reason,
            }),
            Self::DisputeOpened { dispute_id, reason } => BusinessCommand::OpenDispute(OpenDispute {
                sale_id,
                dispute_id,
                amount,
                occurred_at,
                reason,
            }),
            Self::DisputeWon { dispute_id } => BusinessCommand::WinDispute(WinDispute {
                sale_id,
                dispute_id,
                occurred_at,
            }),
            Self::DisputeLost { dispute_id, reason } => BusinessCommand::LoseDispute(LoseDispute {
                sale_id,
                dispute_id,
                amount,
                occurred_at,
                reason,
            }),
        }
    }

    /// The answer to the platform's own refund, which the report is about.
    pub(super) fn answer(
        &self,
        signed: &SignedNotice,
        target: &Target,
        refund: &RefundReference,
    ) -> BusinessCommand {
        let (known_as, names) = match self {
            Self::Refunded { refund, names, .. } => (refund.clone(), names.clone()),
            Self::Canceled { names, .. } | Self::Reversed { names, .. } => (None, names.clone()),
            _ => (None, PaymentNames::default()),
        };
        BusinessCommand::AnswerRefund(AnswerRefund {
            sale_id: target.sale_id,
            refund: refund.clone(),
            known_as,
            occurred_at: signed.notice.occurred_at,
            names,
        })
    }
}

fn facts(signed: &SignedNotice, reported: ReportedSale, target: &Target) -> SaleFacts {
    // The notice's serial does not suffice: `target` has no terminal if staff assigned a company that does not own it.
    let terminal = target
        .terminal
        .as_ref()
        .zip(signed.notice.terminal_serial.as_ref());
    SaleFacts {
        sale_id: target.sale_id,
        provider: signed.provider,
        external_id: reported.external_id,
        solution: reported.solution,
        payment_type: reported.payment_type,
        card_brand: reported.card_brand,
        installments: reported.installments,
        amount: reported.amount,
        terminal: terminal.map(|(known, serial)| SaleTerminal {
            id: known.id,
            serial_number: serial.clone(),
        }),
        payment_link_code: reported.payment_link_code,
        card_last_four: reported.card_last_four,
        authorization_code: reported.authorization_code,
        names: reported.names,
    }
}
