//! Companies, for staff and for the users of a company: data, bank accounts, documents, history. Also form lookups.
//! The rules of changes are in `gateway_platform::companies`.

pub mod bodies;
pub mod decisions;
pub mod documents;
mod forms;
pub mod history;
pub mod lookups;
mod refusals;
pub mod seller;
pub mod staff;

use gateway_identity::notify::companies::{OwnersNews, owners_told};
use gateway_platform::companies::Editor;
use ledger_domain::BusinessId;

use crate::edge::uuid_param;
use crate::problem::Result;
use crate::shared::change::{Caller, Work};

uuid_param! {
    /// The id of an address in a path.
    AddressId, "address", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a"
}

uuid_param! {
    /// The id of a bank account in a path.
    AccountId, "bank account", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0b"
}

uuid_param! {
    /// The id of a document in a path.
    DocumentId, "document", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c"
}

uuid_param! {
    /// The id of a decision in a path.
    DecisionId, "decision", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0e"
}

fn editor<C: Caller>(work: &Work<C>) -> Editor<'_> {
    Editor {
        actor: work.caller.actor(),
        clock: work.state.clock,
        ids: &work.state.ids,
        default_settings: work.state.default_settings(),
    }
}

/// E-mails the owners of a company about a change that a fraud would make.
async fn tell_owners<C: Caller>(
    work: &mut Work<C>,
    sellers_url: &str,
    company: BusinessId,
    news: OwnersNews<'_>,
) -> Result<()> {
    let actor = work.caller.actor();
    let emails = owners_told(&**work, sellers_url, actor, company, news, work.now()).await?;
    work.send(emails).await
}
