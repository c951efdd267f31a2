//! The e-mails to a company's owners and admins about a hold: what to send, and which document was refused.

use gateway_identity::audience::Audience;
use gateway_identity::email_queue::{EmailKind, Facts, HoldFacts};
use gateway_identity::notify::{Cause, Emails};
use gateway_identity::roles::SellerRole;
use gateway_identity::users::{StaffCaller, company_users};
use gateway_platform::companies::company_fetch;
use gateway_platform::holds::documents::HoldDocument;
use ledger_domain::ids::UserId;
use projections::holds::Hold;
use tokio_postgres::{Client, Error};

use crate::AppState;
use crate::problem::Result;
use crate::shared::change::Work;
use crate::shared::emails::send_emails;

/// Asks for documents, after the ledger has recorded the hold. The hold stays whatever happens to the e-mails.
pub(super) async fn documents_asked(
    state: &AppState,
    sellers_url: &str,
    by: UserId,
    hold: &Hold,
    documents: Vec<String>,
) -> Result<()> {
    let mut tx = state.begin().await?;
    let company = company_fetch(&*tx, hold.business_id).await?;
    let facts = HoldFacts {
        company: company.map(|company| company.name).unwrap_or_default(),
        hold: hold.hold_id.to_string(),
        amount: hold.amount,
        documents,
        note: None,
        at: hold.updated_at,
    };
    let kind = EmailKind::HoldDocumentsAsked;
    let emails = emails_about(&tx, sellers_url, by, (kind, hold.business_id), facts).await?;
    send_emails(state, &mut tx, emails).await?;
    tx.commit().await
}

/// Tells why a document was refused.
pub(super) async fn document_refused(
    work: &mut Work<StaffCaller>,
    sellers_url: &str,
    document: &HoldDocument,
) -> Result<()> {
    let facts = HoldFacts {
        company: document.business_name.clone(),
        hold: document.hold_id.to_string(),
        amount: document.hold_amount.unwrap_or_default(),
        documents: vec![document.asked.clone()],
        note: document.note.clone(),
        at: work.now(),
    };
    let kind = EmailKind::HoldDocumentRefused;
    let about = (kind, document.business_id);
    let emails = emails_about(work, sellers_url, work.caller.id, about, facts).await?;
    work.send(emails).await
}

async fn emails_about<'a>(
    client: &Client,
    sellers_url: &'a str,
    by: UserId,
    (kind, business): (EmailKind, ledger_domain::BusinessId),
    facts: HoldFacts,
) -> Result<Emails<'a>, Error> {
    let recipients = company_users(client, business, &[SellerRole::Owner, SellerRole::Admin]).await?;
    let cause = Cause {
        audience: Audience::Seller,
        panel_url: sellers_url,
        user: by,
    };
    let facts = Facts {
        hold: Some(facts),
        ..Facts::default()
    };
    Ok(Emails::to_users(cause, kind, &facts, &recipients))
}
