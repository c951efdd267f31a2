//! Response bodies: the files that sellers send for a hold.
//!
//! Sellers read what staff answer, and not who answered.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::holds::documents::{HoldDocument, HoldDocumentState};
use ledger_domain::hold::HoldKind;
use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, Cents, HoldId};
use serde::Serialize;
use tokio_postgres::Client;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::AppState;
use crate::holds::bodies::HoldKindName;
use crate::problem::Result;
use crate::shared::list::{PageOf, Reader};
use crate::shared::schemas::Word;
use crate::spreadsheet::{Cell, Column, Table, list_column, text, text_or_empty};

pub type HoldDocumentStateName = Word<HoldDocumentState>;
pub type HoldDocumentPage = PageOf<HoldDocumentRow>;

/// A file that a seller sent for a document that a hold asks for.
#[derive(Debug, Serialize, ToSchema)]
pub struct HoldDocumentRow {
    pub id: Uuid,
    #[schema(value_type = String, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: BusinessId,
    #[schema(example = "Padaria Pão Quente")]
    pub business_name: String,
    #[schema(value_type = String, example = "hld_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b11")]
    pub hold_id: HoldId,
    /// Null while the list of holds is rebuilt.
    #[schema(required = true)]
    pub hold_kind: Option<HoldKindName>,
    /// What the hold holds now, in cents. Null while the list of holds is rebuilt.
    #[schema(required = true, example = 50_000)]
    pub hold_amount: Option<i64>,
    /// The name of the document, as the hold asked for it.
    #[schema(example = "Notas fiscais de novembro")]
    pub asked: String,
    #[schema(example = "nota-123.pdf")]
    pub file_name: String,
    /// application/pdf, image/jpeg or image/png, by content.
    #[schema(example = "application/pdf")]
    pub media_type: &'static str,
    #[schema(example = 123_456)]
    pub bytes: i32,
    /// The address for downloading it.
    #[schema(
        example = "/api/balance/holds/hld_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b11/documents/0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c"
    )]
    pub url: String,
    /// The user of the company.
    #[schema(example = "Ana Souza")]
    pub sent_by: String,
    /// UTC instant.
    pub sent_at: DateTime<Utc>,
    pub state: HoldDocumentStateName,
    /// What staff answered. Null if nothing.
    #[schema(required = true, example = "A nota está ilegível.")]
    pub note: Option<String>,
    /// The name of the member of staff; null for sellers, and until staff answer.
    #[schema(required = true, example = "Bruno Lima")]
    pub answered_by: Option<String>,
    /// UTC instant.
    #[schema(required = true)]
    pub answered_at: Option<DateTime<Utc>>,
}

/// Reads documents for one of the panels.
pub struct HoldDocumentReader(pub Audience);

impl Reader<HoldDocument> for HoldDocumentReader {
    type Body = HoldDocumentRow;

    async fn bodies(
        &self,
        _: &AppState,
        client: &Client,
        documents: Vec<HoldDocument>,
    ) -> Result<Vec<HoldDocumentRow>> {
        let staff: Vec<UserId> = documents
            .iter()
            .filter_map(|document| document.answered_by)
            .collect();
        let names = match self.0 {
            Audience::Admin => user_names(client, Audience::Admin, &staff).await?,
            Audience::Seller => HashMap::new(),
        };
        let rows = documents
            .into_iter()
            .map(|document| HoldDocumentRow::of(self.0, &names, document));
        Ok(rows.collect())
    }
}

impl HoldDocumentRow {
    fn of(viewer: Audience, names_of_staff: &HashMap<UserId, String>, document: HoldDocument) -> Self {
        let HoldDocument { id, hold_id, .. } = document;
        let url = match viewer {
            Audience::Admin => format!("/api/admin/balance/hold-documents/{id}"),
            Audience::Seller => format!("/api/balance/holds/{hold_id}/documents/{id}"),
        };
        Self {
            id,
            business_id: document.business_id,
            business_name: document.business_name,
            hold_id,
            hold_kind: document.hold_kind.map(Into::into),
            hold_amount: document.hold_amount.map(Cents::get),
            asked: document.asked,
            file_name: document.file_name,
            media_type: document.media_type.as_str(),
            bytes: document.byte_count,
            url,
            sent_by: document.sender_name,
            sent_at: document.sent_at,
            state: document.state.into(),
            note: document.note,
            answered_by: document
                .answered_by
                .and_then(|user| names_of_staff.get(&user).cloned()),
            answered_at: document.answered_at,
        }
    }
}

/// The list as a spreadsheet.
pub const HOLD_DOCUMENTS: Table<HoldDocumentRow> = Table {
    name: "documentos-de-retencoes",
    columns: COLUMNS,
};

const COLUMNS: &[Column<HoldDocumentRow>] = &[
    list_column("sentAt", "Enviado em", 17, |row| Cell::Instant(row.sent_at)),
    list_column("business", "Empresa", 40, |row| text(&row.business_name)),
    list_column("asked", "Documento", 40, |row| text(&row.asked)),
    list_column("fileName", "Arquivo", 40, |row| text(&row.file_name)),
    list_column("holdKind", "Tipo da retenção", 22, |row| {
        text_or_empty(row.hold_kind.as_ref().map(|kind: &Word<HoldKind>| kind.label()))
    }),
    list_column("holdAmount", "Valor retido", 16, |row| {
        row.hold_amount.map_or(Cell::Empty, Cell::Money)
    }),
    list_column("sentBy", "Enviado por", 28, |row| text(&row.sent_by)),
    list_column("state", "Status", 12, |row| text(row.state.label())),
    list_column("note", "Resposta", 40, |row| text_or_empty(row.note.as_deref())),
    list_column("answeredBy", "Respondido por", 28, |row| {
        text_or_empty(row.answered_by.as_deref())
    }),
    list_column("answeredAt", "Respondido em", 17, |row| {
        row.answered_at.map_or(Cell::Empty, Cell::Instant)
    }),
];
