//! The journal: the changes of a company's accounts, event by event.

use chrono::{DateTime, Utc};
use projections::balance::journal::JournalRow;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::cents;
use crate::shared::page::PageMeta;
use crate::shared::schemas::Word;

/// The change of one account by one event.
#[derive(Debug, Serialize, ToSchema)]
pub struct JournalEntry {
    #[schema(example = "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07")]
    pub event_id: String,
    /// The event's type in the ledger.
    #[schema(example = "SaleCaptured")]
    pub r#type: String,
    /// The event's number in the company's history, from 1.
    #[schema(example = 42)]
    pub sequence: i64,
    pub account: AccountWord,
    /// Signed, in cents. The amounts of one event sum to zero.
    #[schema(example = 28_803)]
    pub amount: i64,
    /// The account's balance after the event, in cents. It goes by the time that orders the list: of occurrence or of
    /// recording.
    #[schema(example = 880_000)]
    pub balance: i64,
    /// UTC instant of the occurrence outside the ledger.
    pub occurred_at: DateTime<Utc>,
    /// UTC instant of the recording.
    pub recorded_at: DateTime<Utc>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct JournalPage {
    pub data: Vec<JournalEntry>,
    pub meta: PageMeta,
}

ledger_domain::words! {
    pub enum AccountName {
        Receivable = "receivable" => "A receber",
        Available = "available" => "Disponível",
        InTransfer = "in_transfer" => "Saques em andamento",
        HeldByStaff = "held_by_staff" => "Bloqueado pela plataforma",
        InDispute = "in_dispute" => "Bloqueado por contestação",
        PlatformFees = "platform_fees" => "Taxas e tarifas da plataforma",
        Clearing = "clearing" => "Compensação",
    }
}

pub type AccountWord = Word<AccountName>;

impl From<JournalRow> for JournalEntry {
    fn from(row: JournalRow) -> Self {
        Self {
            event_id: row.event_id.to_string(),
            r#type: row.event_type,
            sequence: row.sequence,
            account: Word(row.account.into()),
            amount: cents(row.amount),
            balance: cents(row.balance),
            occurred_at: row.occurred_at,
            recorded_at: row.recorded_at,
        }
    }
}

impl From<ledger_domain::business::Account> for AccountName {
    fn from(account: ledger_domain::business::Account) -> Self {
        use ledger_domain::business::Account as Of;
        match account {
            Of::Receivable => Self::Receivable,
            Of::Available => Self::Available,
            Of::InTransfer => Self::InTransfer,
            Of::HeldByStaff => Self::HeldByStaff,
            Of::InDispute => Self::InDispute,
            Of::PlatformFees => Self::PlatformFees,
            Of::Clearing => Self::Clearing,
        }
    }
}
