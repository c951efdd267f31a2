//! The documents that sellers sent for holds, for staff: the queue, the download, and the answer.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_environment::config::Panel;
use gateway_identity::audience::Audience;
use gateway_identity::users::StaffCaller;
use gateway_platform::holds::documents::{
    HoldDocumentAnswer, HoldDocumentFilter, HoldDocumentState, answer_hold_document, hold_document_fetch,
};
use ledger_domain::BusinessId;
use projections::SortOrder;
use serde_json::json;

use super::HOLD;
use super::bodies::{HOLD_DOCUMENTS, HoldDocumentPage, HoldDocumentReader, HoldDocumentRow};
use crate::AppState;
use crate::companies::DocumentId;
use crate::edge::{Id, query};
use crate::files::download::attached;
use crate::files::upload::File;
use crate::holds::emails::document_refused;
use crate::problem::{Problem, Result};
use crate::shared::change::Change;
use crate::shared::form::{Form, REASON_MAX, boolean, form, line, optional, required};
use crate::shared::list::{Listing, Reader};

query! {
    impl FromQuery for HoldDocumentFilter {
        /// Only the documents of this company.
        business_id: Option<BusinessId>,
        /// sent, accepted or refused. All if left out.
        #[example = "sent"]
        state: Option<HoldDocumentState>,
        /// Order by the time of sending. The default is asc: the oldest first.
        order: SortOrder = SortOrder::Asc,
    } => Self { business_id, state, order }
}

form! {
    /// What staff answer to a document.
    pub struct HoldDocumentAnswerForm {
        /// Whether it is accepted.
        #[example = false]
        accepted: bool = required(boolean(), "Escolha se o documento é aceito."),
        /// The seller reads it. Required for a refusal. Up to 500 characters.
        #[example = "A nota está ilegível."]
        note: Option<String> = optional(line(REASON_MAX)),
    }
}

/// List the documents of holds
///
/// The files that sellers sent, of all companies, the oldest first. A spreadsheet has all that match the filter.
#[utoipa::path(
    get, path = "/admin/balance/hold-documents", tag = "balance",
    responses((status = 200, body = HoldDocumentPage))
)]
pub(crate) async fn list_hold_documents(list: Listing<HoldDocumentFilter>) -> Result<Response> {
    list.respond_to(HoldDocumentReader(Audience::Admin), &HOLD_DOCUMENTS)
        .await
}

/// Download a document of a hold
///
/// As an attachment: a browser saves it and does not show it.
#[utoipa::path(
    get, path = "/admin/balance/hold-documents/{document_id}", tag = "balance",
    responses((status = 200, description = "The file", content((File = "application/pdf"), (File = "image/jpeg"), (File = "image/png"))))
)]
pub(crate) async fn download_hold_document(
    State(state): State<AppState>,
    Id(DocumentId(document)): Id<DocumentId>,
) -> Result<Response> {
    let document = hold_document_fetch(&*state.db().await?, document).await?;
    let document = document.ok_or_else(Problem::not_found)?;
    Ok(attached(state, &document.file(), &document.file_name))
}

/// Accept or refuse a document of a hold
///
/// Once. The company's owners and admins are told about a refusal by e-mail. The hold does not change: staff release it
/// by its own call.
#[utoipa::path(
    post, path = "/admin/balance/hold-documents/{document_id}/answer", tag = "balance",
    responses(
        (status = 200, body = HoldDocumentRow),
        (status = 409, description = "The document is answered"),
    )
)]
pub(crate) async fn answer_document_of_hold(
    Id(DocumentId(document)): Id<DocumentId>,
    change: Change<StaffCaller, Form<HoldDocumentAnswerForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let answer = HoldDocumentAnswer {
                accepted: form.accepted,
                note: form.note,
                by: work.caller.id,
                at: work.now(),
            };
            let document = answer_hold_document(&**work, document, &answer).await?;
            if !answer.accepted {
                let sellers_url = work.state.config.hosts.url(Panel::Seller);
                document_refused(work, &sellers_url, &document).await?;
            }
            let action = if answer.accepted {
                "accept-document"
            } else {
                "refuse-document"
            };
            let entry = HOLD.entry(action, document.hold_id).after(json!({
                "business_id": document.business_id, "document": &document.asked,
                "file_name": &document.file_name, "note": &document.note,
            }));
            let reader = HoldDocumentReader(Audience::Admin);
            let mut rows = reader.bodies(&work.state, work, vec![document]).await?;
            let row = rows
                .pop()
                .ok_or_else(|| Problem::internal("a reader of documents lost one"))?;
            Ok(entry.answer(row))
        })
        .await
}
