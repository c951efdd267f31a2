//! Reads the audit log: the entries of one record, or of all records of a kind, the latest first.
//!
//! The query restricts entries to what the reader may see, so that pages and totals match the shown entries.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use projections::{COUNT_LIMIT, Page, Paging};
use serde_json::Value;
use tokio_postgres::types::{Json, ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::audience::Audience;
use crate::audit::Actor;

/// The actions that change a user's access. Their entries contain the company's id.
const ACCESS_ACTIONS: &[&str] = &["grant-access", "change-access", "remove-access"];

#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    pub id: i64,
    pub at: DateTime<Utc>,
    pub actor: Actor,
    pub action: String,
    pub subject_id: String,
    pub address: Option<IpAddr>,
    pub before: Option<Value>,
    pub after: Option<Value>,
}

/// The records whose history is read. Without a `subject_id`, all records of the kind.
#[derive(Debug, Clone, Copy)]
pub struct HistoryQuery<'a> {
    pub subject: &'a str,
    pub subject_id: Option<&'a str>,
    pub scope: HistoryScope<'a>,
}

/// The part of the history that the reader may see.
#[derive(Debug, Clone, Copy)]
pub enum HistoryScope<'a> {
    All,
    /// For sellers: changes of access to these companies, and entries of other actions only if `record_entries` is
    /// true.
    Companies {
        companies: &'a [BusinessId],
        record_entries: bool,
    },
}

/// The user who reads a history. Staff see everything. Sellers see a part of a colleague's entries, and of staff only that
/// the actor was staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryViewer {
    Staff,
    Seller {
        id: UserId,
        /// Whether the seller manages the user of the history in all of that user's companies.
        can_manage: bool,
    },
}

impl HistoryViewer {
    pub const fn audience(self) -> Audience {
        match self {
            Self::Staff => Audience::Admin,
            Self::Seller { .. } => Audience::Seller,
        }
    }

    /// Sellers must not see which member of staff acted.
    pub const fn sees_actor(self, actor: Actor) -> bool {
        !matches!((self, actor), (Self::Seller { .. }, Actor::Admin(_)))
    }

    /// Staff see all IP addresses. Sellers see their own, and never those of staff. They see those of other sellers in
    /// the history of a user whom they manage in all of the user's companies.
    pub fn sees_address(self, actor: Actor) -> bool {
        match (self, actor) {
            (Self::Staff, _) => true,
            (Self::Seller { .. }, Actor::Admin(_)) => false,
            (Self::Seller { id, can_manage }, _) => can_manage || actor == Actor::Seller(id),
        }
    }
}

/// The SQL parameters `$1` to `$5` of `audit_log_filter`.
struct FilterParameters<'a> {
    subject: &'a str,
    subject_id: Option<&'a str>,
    /// NULL: all companies and all other entries.
    companies: Option<Vec<String>>,
    record_entries: bool,
}

macro_rules! audit_log_filter {
    () => {
        "subject = $1 AND ($2::text IS NULL OR subject_id = $2)
     AND ($3::text[] IS NULL
          OR CASE WHEN action = ANY ($5) THEN coalesce(after, before) ->> 'business_id' = ANY ($3) ELSE $4 END)"
    };
}

impl<'a> FilterParameters<'a> {
    fn of(history: HistoryQuery<'a>) -> Self {
        let (companies, record_entries) = match history.scope {
            HistoryScope::All => (None, true),
            HistoryScope::Companies {
                companies,
                record_entries,
            } => (
                Some(companies.iter().map(BusinessId::to_string).collect()),
                record_entries,
            ),
        };
        Self {
            subject: history.subject,
            subject_id: history.subject_id,
            companies,
            record_entries,
        }
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.subject, Type::TEXT),
            (&self.subject_id, Type::TEXT),
            (&self.companies, Type::TEXT_ARRAY),
            (&self.record_entries, Type::BOOL),
            (&ACCESS_ACTIONS, Type::TEXT_ARRAY),
        ]
    }
}

pub async fn history_page(
    client: &impl GenericClient,
    history: HistoryQuery<'_>,
    paging: Paging,
) -> Result<Page<AuditEntry>, Error> {
    let filter = FilterParameters::of(history);
    let mut parameters = filter.parameters();
    let (limit, offset) = paging.within_total();
    parameters.extend([(&limit as &(dyn ToSql + Sync), Type::INT8), (&offset, Type::INT8)]);
    let rows = client
        .query_typed(
            concat!(
                "SELECT id, at, audience, actor_id, action, subject_id, address, before, after
                   FROM audit_log WHERE ",
                audit_log_filter!(),
                " ORDER BY id DESC LIMIT $6 OFFSET $7"
            ),
            &parameters,
        )
        .await?;
    let total = client
        .query_typed_one(
            concat!(
                "SELECT count(*) FROM (SELECT FROM audit_log WHERE ",
                audit_log_filter!(),
                " LIMIT $6) AS found"
            ),
            &[&filter.parameters()[..], &[(&COUNT_LIMIT, Type::INT8)]].concat(),
        )
        .await?;
    Ok(Page::numbered(rows.iter().map(entry).collect(), total.get(0)))
}

fn entry(row: &Row) -> AuditEntry {
    let json = |place: usize| row.get::<_, Option<Json<Value>>>(place).map(|Json(value)| value);
    AuditEntry {
        id: row.get(0),
        at: row.get(1),
        actor: actor(row.get(2), row.get(3)),
        action: row.get(4),
        subject_id: row.get(5),
        address: row.get(6),
        before: json(7),
        after: json(8),
    }
}

/// The table's constraint admits an id only for sellers and staff.
fn actor(audience: &str, id: Option<Uuid>) -> Actor {
    match (audience, id.map(UserId::from_uuid)) {
        ("seller", Some(id)) => Actor::Seller(id),
        ("admin", Some(id)) => Actor::Admin(id),
        _ => Actor::System,
    }
}
