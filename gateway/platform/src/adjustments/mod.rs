//! Credits and removals by hand, releases of held amounts, and plans of single companies: what one member of staff moves
//! alone, and the requests that wait for a second person.
//!
//! The limits are settings. `alone` sums up what was moved without a second person, and `limits` decides by these sums.
//! `holds` has what staff do with holds: a court's money always needs two people.
//! `requests` has everything above, `decisions` what people decide on it. `recording` makes an approved adjustment, at
//! once or by the `job`.

pub mod alone;
pub mod by_hand;
pub mod decisions;
pub mod holds;
pub mod job;
pub mod limits;
pub mod recording;
mod refusal;
pub mod requests;

use ledger_domain::{BusinessId, Cents};
use serde_json::Value;

use self::holds::HoldAction;
use crate::settings::PlatformSettings;

pub use job::RunCounts;
pub use recording::{Adjustments, DOCUMENTS_EMAIL_KIND, StaffNames};
pub use refusal::{AdjustmentError, AdjustmentRefusal, Result};

/// The subject in the audit log.
const SUBJECT: &str = "adjustment_request";

// The adjustments that have a limit, and those of courts, which always need two people.
ledger_domain::words! {
    /// credit and removal: a manual transfer. release: of an amount that staff hold. plan: a company gets a plan by which
    /// the platform earns less. court_order, court_release, court_payment: a judicial hold is placed, released, or paid
    /// to the court. write_off: the platform gives up what a company owes. These need two people whatever the amount.
    pub enum AdjustmentKind {
        Credit = "credit" => "Crédito manual",
        Removal = "removal" => "Débito manual",
        Release = "release" => "Liberação",
        PlanException = "plan" => "Exceção de plano",
        CourtOrder = "court_order" => "Bloqueio judicial",
        CourtRelease = "court_release" => "Liberação judicial",
        CourtPayment = "court_payment" => "Depósito judicial",
        WriteOff = "write_off" => "Baixa de dívida",
    }
}

/// An adjustment that a member of staff wants to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjustment {
    pub kind: AdjustmentKind,
    pub business_id: BusinessId,
    /// At least one cent, but zero for a court's order that is lifted before anything was held. Of a plan exception: what the platform would have earned less last month.
    pub amount: Cents,
    /// The description of a transfer, the reason of a release, or the change of the plans.
    pub reason: String,
    /// Only a removal can make the balance negative.
    pub allow_negative: bool,
    /// The plans of an exception, in the form of the request, which an approval applies.
    pub plans: Option<Value>,
    /// What an approval does with a hold.
    pub hold: Option<HoldAction>,
}

impl AdjustmentKind {
    /// What one person may move alone in `alone::PERIOD_HOURS`. `None`: any sum.
    pub const fn alone_up_to(self, settings: &PlatformSettings) -> Option<Cents> {
        match self {
            Self::Credit => settings.credits_alone_up_to,
            Self::Removal => settings.removals_alone_up_to,
            Self::Release => settings.releases_alone_up_to,
            Self::PlanException => settings.plan_exceptions_alone_up_to,
            Self::CourtOrder | Self::CourtRelease | Self::CourtPayment | Self::WriteOff => Some(Cents::ZERO),
        }
    }

    /// Whether it waits for a second person whatever the amount.
    const fn needs_two_people(self) -> bool {
        match self {
            Self::CourtOrder | Self::CourtRelease | Self::CourtPayment | Self::WriteOff => true,
            Self::Credit | Self::Removal | Self::Release | Self::PlanException => false,
        }
    }
}
