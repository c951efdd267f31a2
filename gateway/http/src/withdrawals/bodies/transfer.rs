//! Transfers: rows for both panels.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::companies::NamedCompany;
use gateway_platform::withdrawals::TransferSignal;
use ledger_domain::ids::UserId;
use ledger_domain::sale::PaymentName;
use ledger_domain::transfer::{self, Direction, TransferKind, TransferStatus};
use projections::withdrawals::Transfer as TransferRow;
use serde::Serialize;
use utoipa::ToSchema;

use super::destination::{DestinationDetails, DestinationNumber};
use crate::shared::author::Author;
use crate::shared::cents;
use crate::shared::page::PageMeta;
use crate::shared::schemas::{Number, Word};

pub type KindNumber = Number<TransferKind>;
pub type StatusNumber = Number<TransferStatus>;
pub type DirectionName = Word<Direction>;
pub type TransferSignalWord = Word<TransferSignal>;

/// A transfer: a withdrawal, a manual transfer by staff or a terminal rental. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct Transfer {
    #[schema(example = "trf_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b08")]
    pub id: String,
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: String,
    pub business: TransferBusiness,
    pub kind: KindNumber,
    pub status: StatusNumber,
    /// The amount that leaves or enters the available balance.
    #[schema(example = 150_000)]
    pub amount: i64,
    /// The part of the amount that the platform keeps.
    #[schema(example = 350)]
    pub fee: i64,
    /// The amount minus the fee.
    #[schema(example = 149_650)]
    pub net_amount: i64,
    /// Null for transfers that are not withdrawals.
    #[schema(required = true)]
    pub destination: Option<DestinationNumber>,
    /// The account or key at the time of the request. Null for transfers that are not withdrawals.
    #[schema(required = true)]
    pub destination_details: Option<DestinationDetails>,
    /// Null for transfers that are not adjustments.
    #[schema(required = true, example = json!(null))]
    pub direction: Option<DirectionName>,
    /// Null for transfers that are not terminal rentals.
    #[schema(required = true)]
    pub rental: Option<TransferRental>,
    /// The text of an adjustment. The seller can read it.
    #[schema(required = true, example = json!(null))]
    pub description: Option<String>,
    /// The part of the fee, in cents, that went back to the company because the bank returned the withdrawal. Null if the
    /// bank did not return it.
    #[schema(required = true, example = json!(null))]
    pub fee_given_back: Option<i64>,
    /// The reason of a refusal, of a failure, of a bank's return or of a rental's cancel, if one was given.
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
    /// Whether staff pay or paid it manually instead of by a payout; true for adjustments. Null for sellers: how the
    /// platform handles a withdrawal is only for staff.
    #[schema(required = true, example = false)]
    pub by_hand: Option<bool>,
    /// The last payout: in flight, paid or failed. Null for sellers.
    #[schema(required = true, example = json!(null))]
    pub payout_id: Option<String>,
    /// The bank's names of the payment. Null until it is paid, and if the bank reported none.
    #[schema(required = true)]
    pub names: Option<PayoutNames>,
    /// The bank's names of the return, if it returned the payment and reported them.
    #[schema(required = true)]
    pub return_names: Option<PayoutNames>,
    /// Number of approvals so far. Null for sellers.
    #[schema(required = true, example = 0)]
    pub approvals: Option<u8>,
    /// Number of approvals that an approval at this time requires. Null for sellers.
    #[schema(required = true, minimum = 1, maximum = 2, example = 1)]
    pub approvals_needed: Option<u8>,
    /// UTC instant.
    pub requested_at: DateTime<Utc>,
    /// UTC instant of the last change.
    pub updated_at: DateTime<Utc>,
    /// The user who requested it. Null if it was not a user, or if the reader may not see the user.
    #[schema(required = true)]
    pub requested_by: Option<TransferPerson>,
    /// The author of the request, of the manual transfer or of the rental's charge.
    pub author: Author,
    /// The author of the last change; null before the first change.
    #[schema(required = true)]
    pub updated_by: Option<Author>,
    /// The company's current available balance. Only in lists for staff whose role may see balances; else null.
    #[schema(required = true, example = 480_000)]
    pub available_now: Option<i64>,
    /// A bank reported an unexpected result of a payout, and staff must check it. Null for sellers.
    #[schema(required = true, example = false)]
    pub needs_attention: Option<bool>,
    /// UTC instant at which the destination's bank account was changed, if that was at most `marked_destination_days`
    /// (a setting of the platform) before this request. Null otherwise, and for sellers.
    #[schema(required = true, example = json!(null))]
    pub destination_changed_at: Option<DateTime<Utc>>,
    /// UTC instant at which the user who requested it got access to the company or another role there, if that was at
    /// most `marked_destination_days` before this request. Null otherwise, and for sellers.
    #[schema(required = true, example = json!(null))]
    pub requester_access_at: Option<DateTime<Utc>>,
    /// The business day on which a withdrawal is expected at its destination: the first one after the request. Null for
    /// other transfers, and for a withdrawal that was refused or has failed.
    #[schema(required = true, example = "2026-11-24")]
    pub expected_on: Option<NaiveDate>,
    /// What staff should look at before they pay it. Empty for transfers that do not wait. Null for sellers.
    #[schema(required = true)]
    pub signals: Option<Vec<TransferSignalWord>>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TransferRental {
    /// The serial number at the time of the charge.
    #[schema(example = "SN-0001")]
    pub terminal_serial: String,
    /// Business date in Brasília.
    #[schema(example = "2026-12-01")]
    pub due_date: NaiveDate,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TransferPerson {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01")]
    pub id: String,
    #[schema(example = "Ana Souza")]
    pub name: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TransferPage {
    pub data: Vec<Transfer>,
    pub meta: PageMeta,
}

/// The company of a transfer.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransferBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ, without punctuation.
    #[schema(example = "11222333000181")]
    pub document: String,
}

/// The bank's names of a payment to the company, or of its return. It has the one of its system.
#[derive(Debug, Serialize, ToSchema)]
pub struct PayoutNames {
    /// PIX: the central bank's id of the payment.
    #[schema(required = true, example = "E60746948202611231403A1b2C3d4E5f")]
    pub end_to_end_id: Option<String>,
    /// TED: the control number of the reserves transfer system (STR).
    #[schema(required = true, example = json!(null))]
    pub control_number: Option<String>,
}

/// The data that is added to a row.
#[derive(Debug, Clone, Default)]
pub struct RelatedRows {
    pub company: Option<NamedCompany>,
    pub user: Option<(UserId, String)>,
    pub author: Option<Author>,
    pub updated_by: Option<Author>,
    /// `None` for sellers, who do not see how staff handle a withdrawal.
    pub approvals_needed: Option<u8>,
    pub available_now: Option<i64>,
    /// `None` for sellers, and for withdrawals that no change of the bank account marks.
    pub destination_changed_at: Option<DateTime<Utc>>,
    /// `None` for sellers, and for withdrawals of users who had their access for longer.
    pub requester_access_at: Option<DateTime<Utc>>,
    pub expected_on: Option<NaiveDate>,
    pub signals: Vec<TransferSignal>,
}

impl Transfer {
    pub fn of(row: TransferRow, related: RelatedRows) -> Self {
        let net_amount = cents(row.net_amount());
        let business = related.company.unwrap_or_else(|| NamedCompany {
            id: row.business_id,
            name: String::new(),
            document: String::new(),
        });
        let is_staff = related.approvals_needed.is_some();
        Self {
            id: row.transfer_id.to_string(),
            business_id: row.business_id.to_string(),
            business: business.into(),
            kind: row.kind.into(),
            status: row.status.into(),
            amount: cents(row.amount),
            fee: cents(row.fee),
            net_amount,
            destination: row
                .destination
                .as_ref()
                .map(|destination| destination.kind().into()),
            destination_details: row.destination.as_ref().map(DestinationDetails::from),
            direction: row.direction.map(Word),
            rental: row.rental.map(|rental| TransferRental {
                terminal_serial: rental.terminal_serial,
                due_date: rental.due_date,
            }),
            description: row.description,
            fee_given_back: row.fee_given_back.map(cents),
            reason: row.reason,
            by_hand: is_staff.then_some(row.by_hand),
            payout_id: row.payout_id.filter(|_| is_staff).map(|id| id.to_string()),
            names: PayoutNames::of(&row.names),
            return_names: PayoutNames::of(&row.return_names),
            approvals: is_staff.then_some(row.approvals),
            approvals_needed: related.approvals_needed,
            requested_at: row.requested_at,
            updated_at: row.updated_at,
            requested_by: related.user.map(|(id, name)| TransferPerson {
                id: id.to_string(),
                name,
            }),
            author: related.author.unwrap_or(Author::PLATFORM),
            updated_by: related.updated_by,
            available_now: related.available_now,
            needs_attention: is_staff.then_some(row.needs_attention),
            destination_changed_at: related.destination_changed_at,
            requester_access_at: related.requester_access_at,
            expected_on: related.expected_on,
            signals: is_staff.then(|| related.signals.into_iter().map(Word).collect()),
        }
    }
}

impl PayoutNames {
    /// The one that there is: a payment has the name of its system.
    pub fn text(&self) -> Option<&str> {
        self.end_to_end_id.as_deref().or(self.control_number.as_deref())
    }

    fn of(names: &transfer::PayoutNames) -> Option<Self> {
        let text = |name: &Option<PaymentName>| name.as_ref().map(PaymentName::to_string);
        (!names.is_empty()).then(|| Self {
            end_to_end_id: text(&names.end_to_end_id),
            control_number: text(&names.control_number),
        })
    }
}

impl From<NamedCompany> for TransferBusiness {
    fn from(company: NamedCompany) -> Self {
        Self {
            id: company.id.to_string(),
            name: company.name,
            document: company.document,
        }
    }
}
