//! The reasons why a notice waits: codes with parameters, as staff see them.

use ledger_domain::business::{Refusal, TransferRefusal};
use ledger_domain::{BusinessId, SaleId};
use serde_json::{Value, json};

const PAID_TWICE: &str = "paid_twice";

/// The reason why a notice could not be recorded: a code with parameters, for staff and for a later try.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitReason {
    pub reason: &'static str,
    pub parameters: Value,
    pub business_id: Option<BusinessId>,
    pub sale_id: Option<SaleId>,
}

impl WaitReason {
    pub fn for_reason(reason: &'static str) -> Self {
        Self {
            reason,
            parameters: json!({}),
            business_id: None,
            sale_id: None,
        }
    }

    pub fn about(self, business_id: Option<BusinessId>, sale_id: Option<SaleId>) -> Self {
        Self {
            business_id,
            sale_id,
            ..self
        }
    }

    pub fn with(self, parameters: Value) -> Self {
        Self { parameters, ..self }
    }

    /// Adds to the parameters.
    pub fn and(mut self, more: Value) -> Self {
        if let (Value::Object(parameters), Value::Object(more)) = (&mut self.parameters, more) {
            parameters.extend(more);
        }
        self
    }

    /// The reason for a notice that the ledger refuses.
    pub fn refused(refusal: &Refusal) -> Self {
        let (reason, parameters) = match refusal {
            Refusal::UnknownBusiness => ("unknown_business", json!({})),
            Refusal::BusinessNotActive => ("business_not_active", json!({})),
            Refusal::NoPlan(solution) => ("no_plan", json!({ "solution": solution })),
            Refusal::NoFee => ("no_fee", json!({})),
            Refusal::TermsNeededAt(instant) => ("terms_needed", json!({ "at": instant })),
            Refusal::TerminalOfAnotherBusiness => ("terminal_of_another_business", json!({})),
            Refusal::AmountDiffers { recorded, reported } => (
                "amount_differs",
                json!({ "recorded": recorded, "told": reported }),
            ),
            Refusal::SaleDiffers => ("sale_differs", json!({})),
            Refusal::NameDiffers { recorded, reported } => (
                "name_differs",
                json!({ "recorded_name": recorded, "told_name": reported }),
            ),
            Refusal::SecondPayment => ("second_payment", json!({})),
            Refusal::UnknownSale => ("unknown_sale", json!({})),
            Refusal::StatusForbids(status) => ("status_forbids", json!({ "status": status })),
            Refusal::CaptureAndVoidAtOnce => ("capture_and_void_at_once", json!({})),
            Refusal::NotCaptured => ("not_captured", json!({})),
            Refusal::BalanceTooShort { needed, available } => (
                "balance_too_short",
                json!({ "needed": needed, "available": available, "message": refusal.message() }),
            ),
            Refusal::DisputeNotOpened(id) => ("dispute_not_opened", json!({ "dispute_id": id })),
            Refusal::AnotherDisputeOpen(id) => ("another_dispute_open", json!({ "open_dispute_id": id })),
            Refusal::DisputeWon(id) => ("dispute_won", json!({ "dispute_id": id })),
            Refusal::DisputeLost(id) => ("dispute_lost", json!({ "dispute_id": id })),
            Refusal::MoreThanLeft { left, asked } => {
                ("more_than_left", json!({ "left": left, "told": asked }))
            }
            Refusal::RefundDuringDispute(id) => ("refund_during_dispute", json!({ "open_dispute_id": id })),
            Refusal::RefundUnanswered(id) => ("refund_unanswered", json!({ "refund_id": id })),
            Refusal::RefundUnnamed => ("refund_unnamed", json!({})),
            Refusal::UnknownRefund(id) => ("unknown_refund", json!({ "refund_id": id })),
            Refusal::NotARental => ("not_a_rental", json!({ "message": refusal.message() })),
            Refusal::Installments(count) => ("instalments", json!({ "installments": count })),
            Refusal::NotDueYet(date) => ("not_due_yet", json!({ "due_date": date })),
            Refusal::AmountOutOfRange => ("amount_out_of_range", json!({})),
            Refusal::Transfer(refusal) => (transfer_reason(refusal), json!({ "message": refusal.message() })),
            // No notice is about a hold.
            Refusal::Hold(refusal) => ("hold_refused", json!({ "message": refusal.message() })),
        };
        Self::for_reason(reason).with(parameters)
    }

    /// The reasons that a change of the reference data (a plan, a company, a terminal) can resolve.
    pub const REFERENCE_DATA_REASONS: [&'static str; 7] = [
        "unknown_business",
        "business_not_active",
        "no_plan",
        "no_fee",
        "terminal_of_another_business",
        "unknown_terminal",
        "no_business",
    ];
}

/// The code of a transfer refusal. A bank's notice can cause only some of them.
const fn transfer_reason(refusal: &TransferRefusal) -> &'static str {
    match refusal {
        TransferRefusal::BusinessNotActive => "business_not_active",
        TransferRefusal::NoReceivingPlan => "no_receiving_plan",
        TransferRefusal::NoDestination(_) => "no_destination",
        TransferRefusal::BelowMinimum(_) => "below_minimum",
        TransferRefusal::BelowManualMinimum(_) => "below_manual_minimum",
        TransferRefusal::AboveAvailable => "above_available",
        TransferRefusal::AboveDebt(_) => "above_debt",
        TransferRefusal::PossibleDuplicate(_) => "possible_duplicate",
        TransferRefusal::DestinationReturned => "destination_returned",
        TransferRefusal::UnknownTransfer => "unknown_transfer",
        TransferRefusal::NotAWithdrawal => "not_a_withdrawal",
        TransferRefusal::StatusForbids(_) => "transfer_status_forbids",
        TransferRefusal::PayoutInFlight => "payout_in_flight",
        TransferRefusal::ApprovalMissing => "approval_missing",
        TransferRefusal::ApprovalGiven => "approval_given",
        TransferRefusal::SameApprover => "same_approver",
        TransferRefusal::NothingToPayOut => "nothing_to_pay_out",
        TransferRefusal::PayoutUsed => "payout_used",
        TransferRefusal::AnotherPayoutInFlight => "another_payout_in_flight",
        TransferRefusal::PaidTwice => PAID_TWICE,
        TransferRefusal::Returned => "transfer_returned",
        TransferRefusal::PaidAfterReturn => "paid_after_return",
        TransferRefusal::ReasonMissing => "reason_missing",
        TransferRefusal::DescriptionMissing => "description_missing",
    }
}

impl WaitReason {
    /// Raises an alarm for a transfer that was paid twice. Callers call it only when the reason is new, because a
    /// waiting notice is tried repeatedly. Only staff can get the money back.
    pub(crate) fn alarm(&self) {
        if self.reason == PAID_TWICE {
            metrics::counter!("razao_payouts_paid_twice_total").increment(1);
            tracing::error!(
                code = "payout_paid_twice",
                transfer_id = %self.parameters["transfer_id"], payout_id = %self.parameters["payout_id"],
                "a bank paid a transfer that was paid before: staff must check it"
            );
        }
    }
}
