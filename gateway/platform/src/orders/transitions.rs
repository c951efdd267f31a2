//! The facts that follow from a look-up of a charge: one table for all acquirers, by what the ledger has recorded of the
//! sale and the state that the acquirer shows now.
//!
//! Every pair leads to a fact, to nothing new, or to staff. Both enums are matched in full, so a new state does not
//! compile until its facts are decided.

use gateway_acquirers::charge::{ChargeState, Decline};
use ledger_domain::Cents;
use ledger_domain::business::{Dispute, DisputeStage, Sale};
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{DisputeId, Initiator, PaymentNames, SaleStatus};

/// What the ledger has recorded of a charge's sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Neither paid nor ended. Also a sale that the ledger does not have yet.
    Open,
    /// Ended without a payment.
    Unpaid,
    Paid,
    /// Canceled after its payment. The acquirer may not have returned the money yet.
    Canceled,
    /// The acquirer reported that the money went back, or that the charge was canceled before its payment was known.
    Returned,
    /// A user opened the dispute, and the acquirer has not confirmed it.
    DisputedHere,
    Disputed,
    ChargedBack,
}

/// A state that a charge can have after its payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterPayment {
    Refunded,
    Reversed,
    Disputed,
    DisputeWon,
    ChargedBack,
}

/// The consequence of a look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    /// The charge is open: the buyer may need its code.
    Open,
    /// The ledger has it.
    Known,
    Paid,
    Declined(Decline),
    Canceled,
    /// Paid, and then this.
    After(AfterPayment),
    /// Paid, and a part went back that is not recorded. It is recorded by the acquirer's sum; without one, staff decide.
    PartlyRefunded,
    /// The two contradict each other. Staff decide, if a second look-up shows the same.
    Contradiction,
    /// The acquirer's status has no fact. Staff decide.
    Unlisted,
}

impl Finding {
    pub(super) const fn of(recorded: Stage, shown: ChargeState) -> Self {
        use AfterPayment::{ChargedBack, DisputeWon, Disputed, Refunded, Reversed};
        use ChargeState as Shown;
        match (recorded, shown) {
            (_, Shown::Unlisted) => Self::Unlisted,

            (Stage::Open, Shown::Pending | Shown::Authorized) => Self::Open,
            (Stage::Open | Stage::Unpaid, Shown::Declined(reason)) => Self::Declined(reason),
            (Stage::Open | Stage::Unpaid, Shown::Canceled) => Self::Canceled,
            // An expired charge may be paid late, and a canceled one may be paid before its cancel.
            (Stage::Open | Stage::Unpaid | Stage::Paid | Stage::Canceled, Shown::Paid) => Self::Paid,
            (Stage::Open | Stage::Unpaid | Stage::Paid, Shown::PartlyRefunded) => Self::PartlyRefunded,
            // The report of a refund ends our request for it. The ledger knows the others, and refuses what it cannot
            // record to staff.
            (
                Stage::Open
                | Stage::Unpaid
                | Stage::Paid
                | Stage::Canceled
                | Stage::Returned
                | Stage::DisputedHere
                | Stage::Disputed
                | Stage::ChargedBack,
                Shown::Refunded,
            ) => Self::After(Refunded),
            (
                Stage::Open
                | Stage::Unpaid
                | Stage::Paid
                | Stage::Canceled
                | Stage::Returned
                | Stage::DisputedHere
                | Stage::Disputed
                | Stage::ChargedBack,
                Shown::Reversed,
            ) => Self::After(Reversed),
            // Of a sale that was canceled or returned, the ledger refuses both to staff.
            (
                Stage::Open
                | Stage::Unpaid
                | Stage::Paid
                | Stage::Canceled
                | Stage::Returned
                | Stage::DisputedHere,
                Shown::Disputed,
            ) => Self::After(Disputed),
            (
                Stage::Open
                | Stage::Unpaid
                | Stage::Paid
                | Stage::Canceled
                | Stage::Returned
                | Stage::DisputedHere
                | Stage::Disputed,
                Shown::ChargedBack,
            ) => Self::After(ChargedBack),

            (Stage::Disputed, Shown::Paid) => Self::After(DisputeWon),
            (Stage::Disputed, Shown::Disputed) | (Stage::ChargedBack, Shown::ChargedBack) => Self::Known,
            // The acquirer does not know the dispute that a user opened.
            (Stage::DisputedHere, Shown::Paid) => Self::Known,
            (Stage::Canceled | Stage::Returned, Shown::Canceled) => Self::Known,

            // The acquirer shows an ended charge as open, or a paid one as never paid.
            (
                Stage::Unpaid
                | Stage::Paid
                | Stage::Canceled
                | Stage::Returned
                | Stage::DisputedHere
                | Stage::Disputed
                | Stage::ChargedBack,
                Shown::Pending | Shown::Authorized,
            )
            | (
                Stage::Paid
                | Stage::Canceled
                | Stage::Returned
                | Stage::DisputedHere
                | Stage::Disputed
                | Stage::ChargedBack,
                Shown::Declined(_),
            )
            | (
                Stage::Paid | Stage::DisputedHere | Stage::Disputed | Stage::ChargedBack,
                Shown::Canceled,
            )
            // The money came back to us, and the ledger has no event for that.
            | (Stage::Returned | Stage::ChargedBack, Shown::Paid)
            | (Stage::ChargedBack, Shown::Disputed)
            | (
                Stage::Canceled
                | Stage::Returned
                | Stage::DisputedHere
                | Stage::Disputed
                | Stage::ChargedBack,
                Shown::PartlyRefunded,
            ) => Self::Contradiction,
        }
    }
}

impl Stage {
    pub(super) fn of(sale: Option<&Sale>) -> Self {
        let Some(sale) = sale else { return Self::Open };
        match sale.status {
            SaleStatus::New | SaleStatus::Created | SaleStatus::Pending => Self::Open,
            SaleStatus::Failed => Self::Unpaid,
            SaleStatus::Canceled if sale.captured_at.is_none() => Self::Unpaid,
            // The acquirer had called it canceled, so nobody asked it for the refund.
            SaleStatus::Canceled if sale.voided_at.is_some() && sale.voided_by == Initiator::Acquirer => {
                Self::Returned
            }
            SaleStatus::Canceled => Self::Canceled,
            SaleStatus::Refunded | SaleStatus::Reversed => Self::Returned,
            SaleStatus::Succeeded => Self::Paid,
            SaleStatus::Dispute => match open_dispute(sale) {
                Some(open) if open.initiator == Initiator::Platform => Self::DisputedHere,
                Some(_) | None => Self::Disputed,
            },
            SaleStatus::ChargedBack => Self::ChargedBack,
        }
    }

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Unpaid => "unpaid",
            Self::Paid => "paid",
            Self::Canceled => "canceled",
            Self::Returned => "returned",
            Self::DisputedHere => "disputed_here",
            Self::Disputed => "disputed",
            Self::ChargedBack => "charged_back",
        }
    }
}

/// What the ledger has of a sale, as far as a look-up of its charge needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordedCharge {
    pub stage: Stage,
    /// The dispute that the acquirer opened and that has not ended.
    pub open_dispute: Option<DisputeId>,
    /// The number of the acquirer's dispute that is open, or that would be opened next. A look-up names no dispute, so
    /// a second one of the same charge is told by its number.
    pub dispute_number: usize,
    /// The sum of the recorded refunds of parts.
    pub refunded: Cents,
    /// The names of the payment, or of a boleto that waits for it.
    pub names: PaymentNames,
    captured_at: Option<Instant>,
}

impl RecordedCharge {
    pub(super) fn of(sale: Option<&Sale>) -> Self {
        let disputes = sale.map(|sale| sale.disputes.as_slice()).unwrap_or_default();
        let by_acquirer = |dispute: &&Dispute| dispute.initiator == Initiator::Acquirer;
        let ended = disputes
            .iter()
            .filter(by_acquirer)
            .filter(|dispute| dispute.stage != DisputeStage::Open);
        Self {
            stage: Stage::of(sale),
            open_dispute: sale
                .and_then(open_dispute)
                .filter(by_acquirer)
                .map(|open| open.id.clone()),
            dispute_number: ended.count() + 1,
            refunded: sale.map_or(Cents::ZERO, |sale| sale.refunded),
            names: sale.map(|sale| sale.names.clone()).unwrap_or_default(),
            captured_at: sale.and_then(|sale| sale.captured_at),
        }
    }

    /// Whether the parts that went back, by the acquirer's sum, are recorded. Without a sum, a recorded one is taken for
    /// the one that the acquirer shows.
    pub(super) fn has_refunded(&self, sum: Option<Cents>) -> bool {
        self.refunded != Cents::ZERO && sum.is_none_or(|sum| sum <= self.refunded)
    }

    pub(super) fn was_captured_before(&self, instant: Instant) -> bool {
        self.captured_at.is_some_and(|captured_at| captured_at < instant)
    }

    /// The id of the dispute that a look-up of this charge is about.
    pub(super) fn dispute_id(&self, charge_id: &str) -> String {
        match (&self.open_dispute, self.dispute_number) {
            (Some(open), _) => open.to_string(),
            (None, 1) => charge_id.to_owned(),
            (None, number) => format!("{charge_id}-{number}"),
        }
    }
}

fn open_dispute(sale: &Sale) -> Option<&Dispute> {
    sale.disputes
        .iter()
        .find(|dispute| dispute.stage == DisputeStage::Open)
}

impl AfterPayment {
    pub(super) const fn notice_type(self) -> &'static str {
        match self {
            Self::Refunded => "sale.refunded",
            Self::Reversed => "sale.reversed",
            Self::Disputed => "dispute.opened",
            Self::DisputeWon => "dispute.won",
            Self::ChargedBack => "dispute.lost",
        }
    }

    /// A part of the notice's id.
    pub(super) fn state(self, recorded: &RecordedCharge) -> String {
        let word = match self {
            Self::Refunded => "refunded",
            Self::Reversed => "reversed",
            Self::Disputed => "disputed",
            Self::DisputeWon => "dispute_won",
            Self::ChargedBack => "charged_back",
        };
        match recorded.dispute_number {
            number if self.is_dispute() && number > 1 => format!("{word}-{number}"),
            _ => word.to_owned(),
        }
    }

    pub(super) const fn is_dispute(self) -> bool {
        match self {
            Self::Disputed | Self::DisputeWon | Self::ChargedBack => true,
            Self::Refunded | Self::Reversed => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGES: [Stage; 8] = [
        Stage::Open,
        Stage::Unpaid,
        Stage::Paid,
        Stage::Canceled,
        Stage::Returned,
        Stage::DisputedHere,
        Stage::Disputed,
        Stage::ChargedBack,
    ];

    /// One letter for each finding.
    fn letter(finding: Finding) -> char {
        match finding {
            Finding::Open => 'o',
            Finding::Known => '=',
            Finding::Paid => 'P',
            Finding::Declined(_) => 'D',
            Finding::Canceled => 'C',
            Finding::After(AfterPayment::Refunded) => 'F',
            Finding::After(AfterPayment::Reversed) => 'R',
            Finding::After(AfterPayment::Disputed) => 'd',
            Finding::After(AfterPayment::DisputeWon) => 'w',
            Finding::After(AfterPayment::ChargedBack) => 'b',
            Finding::PartlyRefunded => 'p',
            Finding::Contradiction => '!',
            Finding::Unlisted => '?',
        }
    }

    #[test]
    fn every_pair_of_a_recorded_and_a_shown_state_has_its_finding() {
        // The columns are those of `ChargeState::ALL`: pending, authorized, paid, declined, canceled, refunded,
        // reversed, disputed, charged back, partly refunded, unlisted.
        let expected = [
            ("open", "ooPDCFRdbp?"),
            ("unpaid", "!!PDCFRdbp?"),
            ("paid", "!!P!!FRdbp?"),
            ("canceled", "!!P!=FRdb!?"),
            ("returned", "!!!!=FRdb!?"),
            ("disputed_here", "!!=!!FRdb!?"),
            ("disputed", "!!w!!FR=b!?"),
            ("charged_back", "!!!!!FR!=!?"),
        ];
        let found = STAGES.map(|stage| {
            let row: String = ChargeState::ALL
                .into_iter()
                .map(|shown| letter(Finding::of(stage, shown)))
                .collect();
            (stage.as_str(), row)
        });
        assert_eq!(found, expected.map(|(stage, row)| (stage, row.to_owned())));
    }
}
