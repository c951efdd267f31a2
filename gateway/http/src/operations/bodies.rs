//! What waits for too long, in answers. Amounts are in cents.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use gateway_identity::mail::StuckEmail;
use gateway_platform::companies::NamedCompany;
use gateway_platform::effects::late::LateEffect;
use ledger_domain::{BusinessId, Cents, SaleId, TransferId};
use projections::receivables::OpenDay;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::cents;
use crate::shared::page::PageMeta;

/// A payout that its bank has not ended in time.
#[derive(Debug, Serialize, ToSchema)]
pub struct LatePayout {
    pub id: Uuid,
    /// The withdrawal that it pays.
    #[schema(value_type = String)]
    pub transfer_id: TransferId,
    #[serde(flatten)]
    pub late: LateRow,
}

/// A refund that its acquirer has not ended in time.
#[derive(Debug, Serialize, ToSchema)]
pub struct LateRefund {
    pub id: Uuid,
    #[schema(value_type = String)]
    pub sale_id: SaleId,
    #[serde(flatten)]
    pub late: LateRow,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LateRow {
    #[schema(value_type = String)]
    pub business_id: BusinessId,
    #[schema(required = true)]
    pub business_name: Option<String>,
    #[schema(example = 150_000)]
    pub amount: i64,
    /// waiting: never sent; unknown: it is not known whether the call arrived; sent: it was accepted; unreadable: the row
    /// waits in the exceptions queue.
    #[schema(example = "sent")]
    pub status: String,
    #[schema(example = 3)]
    pub tries: i32,
    /// The code of what went wrong at the last try.
    #[schema(required = true, example = "timeout")]
    pub last_error: Option<String>,
    /// UTC instant of the next try.
    #[schema(required = true)]
    pub next_try_at: Option<DateTime<Utc>>,
    /// UTC instant since which it is open.
    pub created_at: DateTime<Utc>,
}

impl LatePayout {
    pub fn of(late: LateEffect<TransferId>) -> Self {
        Self {
            id: late.id,
            transfer_id: late.of,
            late: LateRow::of(late),
        }
    }
}

impl LateRefund {
    pub fn of(late: LateEffect<SaleId>) -> Self {
        Self {
            id: late.id,
            sale_id: late.of,
            late: LateRow::of(late),
        }
    }
}

impl LateRow {
    fn of<Of>(late: LateEffect<Of>) -> Self {
        Self {
            business_id: late.business_id,
            business_name: late.business_name,
            amount: cents(late.amount),
            status: late.status,
            tries: late.tries,
            last_error: late.last_error,
            next_try_at: late.next_try_at,
            created_at: late.created_at,
        }
    }
}

/// An e-mail that no server has taken yet.
#[derive(Debug, Serialize, ToSchema)]
pub struct StuckEmailRow {
    pub id: Uuid,
    #[schema(example = "reset-password")]
    pub kind: String,
    /// The panel that its links lead to: seller or admin.
    #[schema(example = "seller")]
    pub audience: String,
    #[schema(example = "ana@padaria.example")]
    pub recipient: String,
    #[schema(example = 3)]
    pub tries: i32,
    /// The code of what went wrong at the last try.
    #[schema(required = true, example = "smtp_unreachable")]
    pub last_error: Option<String>,
    /// UTC instant of the next try.
    #[schema(required = true)]
    pub next_try_at: Option<DateTime<Utc>>,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
}

impl From<StuckEmail> for StuckEmailRow {
    fn from(email: StuckEmail) -> Self {
        Self {
            id: email.id,
            kind: email.kind,
            audience: email.audience,
            recipient: email.recipient,
            tries: email.tries,
            last_error: email.last_error,
            next_try_at: email.next_try_at,
            created_at: email.created_at,
        }
    }
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
}

impl NegativeBalanceRow {
    pub fn of(
        (business_id, available): (BusinessId, Cents),
        names: &HashMap<BusinessId, NamedCompany>,
    ) -> Self {
        Self {
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
    /// Events that its slowest shard has not applied yet. Null for an effect handler, which is listed only if it stopped.
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
    )+};
}

pages! {
    LatePayoutPage of LatePayout;
    LateRefundPage of LateRefund;
    StuckEmailPage of StuckEmailRow;
    OverduePage of OverdueRow;
    NegativeBalancePage of NegativeBalanceRow;
}
