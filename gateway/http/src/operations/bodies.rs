//! The answers of the page of operations. Amounts are in cents.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::companies::NamedCompany;
use gateway_platform::effects::late;
use gateway_platform::late_rows;
use ledger_domain::{BusinessId, Cents, SaleId, TransferId};
use projections::Page;
use projections::receivables::OpenDay;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::edge::Paging;
use crate::shared::cents;
use crate::shared::page::PageMeta;

/// An open row of an outbox: of payouts, refunds, charges or e-mails.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenRow {
    pub id: Uuid,
    #[schema(example = 3)]
    pub tries: i32,
    /// The error code of the last try.
    #[schema(required = true, example = "timeout")]
    pub last_error: Option<String>,
    /// UTC instant of the next try. Null if staff must act.
    #[schema(required = true)]
    pub next_try_at: Option<DateTime<Utc>>,
    /// UTC instant since which it is open.
    pub created_at: DateTime<Utc>,
}

/// A payout that has not ended in time.
#[derive(Debug, Serialize, ToSchema)]
pub struct LatePayout {
    /// The withdrawal that it pays.
    #[schema(value_type = String)]
    pub transfer_id: TransferId,
    #[serde(flatten)]
    pub effect: LateEffect,
    #[serde(flatten)]
    pub open: OpenRow,
}

/// A refund that has not ended in time.
#[derive(Debug, Serialize, ToSchema)]
pub struct LateRefund {
    #[schema(value_type = String)]
    pub sale_id: SaleId,
    #[serde(flatten)]
    pub effect: LateEffect,
    #[serde(flatten)]
    pub open: OpenRow,
}

/// A charge of an order that has not ended in time.
#[derive(Debug, Serialize, ToSchema)]
pub struct LateCharge {
    #[schema(value_type = String)]
    pub sale_id: SaleId,
    #[serde(flatten)]
    pub effect: LateEffect,
    #[serde(flatten)]
    pub open: OpenRow,
}

/// The fields that payouts, refunds and charges have in common.
#[derive(Debug, Serialize, ToSchema)]
pub struct LateEffect {
    #[schema(value_type = String)]
    pub business_id: BusinessId,
    #[schema(required = true)]
    pub business_name: Option<String>,
    #[schema(example = 150_000)]
    pub amount: i64,
    /// waiting: never sent; unknown: it is not known whether the call arrived; sent: it was accepted; unreadable: the
    /// row waits in the exceptions queue.
    #[schema(example = "sent")]
    pub status: String,
}

/// An e-mail that no mail server has taken in time.
#[derive(Debug, Serialize, ToSchema)]
pub struct LateEmail {
    #[schema(example = "reset-password")]
    pub kind: String,
    /// The panel that its links lead to: seller or admin.
    #[schema(example = "seller")]
    pub audience: String,
    #[schema(example = "ana@padaria.example")]
    pub recipient: String,
    #[serde(flatten)]
    pub open: OpenRow,
}

impl From<late_rows::OpenRow> for OpenRow {
    fn from(row: late_rows::OpenRow) -> Self {
        Self {
            id: row.id,
            tries: row.tries,
            last_error: row.last_error,
            next_try_at: row.next_try_at,
            created_at: row.created_at,
        }
    }
}

impl LateEffect {
    /// The common fields, the withdrawal or the sale, and the row of the outbox.
    fn split<Of>(late: late::LateEffect<Of>) -> (Self, Of, OpenRow) {
        let effect = Self {
            business_id: late.business_id,
            business_name: late.business_name,
            amount: cents(late.amount),
            status: late.status,
        };
        (effect, late.of, late.open.into())
    }
}

impl From<late::LateEffect<TransferId>> for LatePayout {
    fn from(late: late::LateEffect<TransferId>) -> Self {
        let (effect, transfer_id, open) = LateEffect::split(late);
        Self {
            transfer_id,
            effect,
            open,
        }
    }
}

impl From<late::LateEffect<SaleId>> for LateRefund {
    fn from(late: late::LateEffect<SaleId>) -> Self {
        let (effect, sale_id, open) = LateEffect::split(late);
        Self {
            sale_id,
            effect,
            open,
        }
    }
}

impl From<late::LateEffect<SaleId>> for LateCharge {
    fn from(late: late::LateEffect<SaleId>) -> Self {
        let (effect, sale_id, open) = LateEffect::split(late);
        Self {
            sale_id,
            effect,
            open,
        }
    }
}

impl From<gateway_mail::LateEmail> for LateEmail {
    fn from(email: gateway_mail::LateEmail) -> Self {
        Self {
            kind: email.kind,
            audience: email.audience,
            recipient: email.recipient,
            open: email.open.into(),
        }
    }
}

/// How much waiting work becomes due now. It is tried within a second.
#[derive(Debug, Serialize, ToSchema)]
pub struct Retried {
    #[schema(example = 10)]
    pub due: u64,
}

/// The installments of a company that were due on a day and are not settled.
#[derive(Debug, Serialize, ToSchema)]
pub struct OverdueRow {
    #[schema(example = "2026-11-19")]
    pub due_date: NaiveDate,
    #[schema(value_type = String)]
    pub business_id: BusinessId,
    #[schema(required = true)]
    pub business_name: Option<String>,
    #[schema(example = 4)]
    pub installments: u64,
    #[schema(example = 39_200)]
    pub net: i64,
}

impl OverdueRow {
    pub fn of(day: OpenDay, names: &HashMap<BusinessId, NamedCompany>) -> Self {
        Self {
            due_date: day.due_date,
            business_id: day.business_id,
            business_name: name_of(day.business_id, names),
            installments: day.installments,
            net: cents(day.net),
        }
    }
}

/// A company that owes the platform.
#[derive(Debug, Serialize, ToSchema)]
pub struct NegativeBalanceRow {
    #[schema(value_type = String)]
    pub business_id: BusinessId,
    #[schema(required = true)]
    pub business_name: Option<String>,
    /// Below zero.
    #[schema(example = -4_990)]
    pub available: i64,
    /// UTC instant of the oldest debit that is not covered.
    #[schema(required = true)]
    pub owes_since: Option<DateTime<Utc>>,
}

impl NegativeBalanceRow {
    pub fn of(
        (business_id, available): (BusinessId, Cents),
        names: &HashMap<BusinessId, NamedCompany>,
        oldest: &HashMap<BusinessId, DateTime<Utc>>,
    ) -> Self {
        Self {
            owes_since: oldest.get(&business_id).copied(),
            business_id,
            business_name: name_of(business_id, names),
            available: cents(available),
        }
    }
}

fn name_of(id: BusinessId, names: &HashMap<BusinessId, NamedCompany>) -> Option<String> {
    names.get(&id).map(|company| company.name.clone())
}

/// A read model that follows the log, or an effect handler that stopped.
#[derive(Debug, Serialize, ToSchema)]
pub struct FollowerRow {
    /// Its name in logs and in `/readyz`.
    #[schema(example = "sales")]
    pub name: String,
    /// Events of its slowest shard that it has not applied yet. Null for an effect handler, which is listed only if it
    /// stopped.
    #[schema(required = true, example = 0)]
    pub lag_events: Option<i64>,
    /// The shards in which it stopped before an event that it cannot apply.
    pub stopped: Vec<StoppedAt>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StoppedAt {
    #[schema(example = 3)]
    pub shard: u8,
    /// The position of the event.
    #[schema(example = 1_042)]
    pub position: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FollowerList {
    pub data: Vec<FollowerRow>,
}

macro_rules! pages {
    ($($page:ident of $row:ident;)+) => {$(
        #[derive(Debug, Serialize, ToSchema)]
        pub struct $page {
            pub data: Vec<$row>,
            pub meta: PageMeta,
        }

        impl $page {
            pub fn of(page: Page<$row>, paging: Paging) -> Self {
                let meta = PageMeta::numbered(&page, paging);
                Self { data: page.rows, meta }
            }
        }
    )+};
}

pages! {
    LatePayoutPage of LatePayout;
    LateRefundPage of LateRefund;
    LateChargePage of LateCharge;
    LateEmailPage of LateEmail;
    OverduePage of OverdueRow;
    NegativeBalancePage of NegativeBalanceRow;
}
