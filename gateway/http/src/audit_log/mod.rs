//! The audit log of all records for staff: one list, with the same entries as the histories of single records.

use axum::response::Response;
use gateway_identity::users::audit_log::{AuditAudience, AuditLogEntry, AuditLogFilter, AuditSubject};
use gateway_platform::word_search::WordSearch;
use ledger_domain::BusinessId;
use projections::{SortOrder, TimeRange};
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::query;
use crate::problem::Result;
use crate::shared::list::{PageOf, ZonedListing};
use crate::shared::schemas::Word;
use crate::spreadsheet::{Cell, Column, Table, column, text, text_or_empty};
use crate::users::bodies::history::{HistoryActor, HistoryActorKind, HistoryEntry};

pub type AuditLogPage = PageOf<AuditLogRow>;
pub type AuditSubjectName = Word<AuditSubject>;
pub type AuditAudienceName = Word<AuditAudience>;

/// An entry of the audit log, with the kind of its record.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditLogRow {
    pub subject: AuditSubjectName,
    /// The group of the author.
    pub audience: AuditAudienceName,
    #[serde(flatten)]
    pub entry: HistoryEntry,
}

query! {
    impl FromQuery for AuditLogFilter with query {
        /// The beginnings of words of the name or the e-mail of the user who made the change. Case and accents are
        /// ignored.
        #[example = "bruno"]
        person: Option<String>,
        /// Who made the change: a user of a company, a user of the staff, or the program.
        #[example = "admin"]
        audience: Option<AuditAudience>,
        /// The kind of the record.
        #[example = "terminal"]
        subject: Option<AuditSubject>,
        /// Only changes of this company and of its terminals and links, and entries that name it.
        business_id: Option<BusinessId>,
        /// The whole id of a record, or the IP address of a request.
        #[example = "203.0.113.7"]
        search: Option<String>,
        range: ..TimeRange,
        /// Order by the time of the change; the default is desc.
        order: SortOrder = SortOrder::Desc,
    } => {
        let words = person.as_deref().map(WordSearch::parse_with_emails);
        if words == Some(None) {
            query.error("person", "Deve ter até 120 caracteres.");
        }
        let filter = Self {
            person: words.flatten(),
            audience,
            subject,
            business_id,
            range,
            order,
            ..Self::default()
        };
        filter.found_by(search)
    }
}

/// List the audit log
///
/// Who changed what, when, from which IP address, and the values before and after. Latest first, unless `order` says
/// otherwise. A spreadsheet has all entries that match the filter.
#[utoipa::path(
    get, path = "/admin/audit-log", tag = "staff",
    responses((status = 200, body = AuditLogPage))
)]
pub(crate) async fn list_audit_log(ZonedListing(list): ZonedListing<AuditLogFilter>) -> Result<Response> {
    list.respond::<AuditLogRow>(&AUDIT_LOG).await
}

impl From<AuditLogEntry> for AuditLogRow {
    fn from(entry: AuditLogEntry) -> Self {
        let actor_id = entry.actor_id.map(|id| id.to_string());
        Self {
            subject: entry.subject.into(),
            audience: entry.audience.into(),
            entry: HistoryEntry {
                id: entry.id.to_string(),
                at: entry.at,
                action: entry.action,
                actor: HistoryActor {
                    kind: match entry.audience {
                        AuditAudience::Seller => HistoryActorKind::Seller,
                        AuditAudience::Admin => HistoryActorKind::Admin,
                        AuditAudience::System => HistoryActorKind::System,
                    },
                    name: entry.actor_name,
                    is_subject: actor_id.as_ref() == Some(&entry.subject_id),
                    id: actor_id,
                },
                subject_id: entry.subject_id,
                address: entry.address.map(|address| address.to_string()),
                before: entry.before,
                after: entry.after,
            },
        }
    }
}

/// The list as a spreadsheet.
const AUDIT_LOG: Table<AuditLogRow> = Table {
    name: "registro-de-acoes",
    columns: COLUMNS,
};

const COLUMNS: &[Column<AuditLogRow>] = &[
    column("Data", 17, |row| Cell::Instant(row.entry.at)),
    column("Quem", 30, |row| match &row.entry.actor.name {
        Some(name) => text(name),
        None => text(row.audience.label()),
    }),
    column("Grupo", 12, |row| text(row.audience.label())),
    column("Registro", 24, |row| text(row.subject.label())),
    column("Identificador", 42, |row| text(&row.entry.subject_id)),
    column("Ação", 24, |row| text(&row.entry.action)),
    column("Endereço IP", 18, |row| {
        text_or_empty(row.entry.address.as_deref())
    }),
    column("Antes", 60, |row| json(row.entry.before.as_ref())),
    column("Depois", 60, |row| json(row.entry.after.as_ref())),
];

fn json(fields: Option<&serde_json::Value>) -> Cell {
    fields.map_or(Cell::Empty, |fields| text(fields.to_string()))
}
