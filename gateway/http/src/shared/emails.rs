//! Queues the e-mails of a change, which are sent after the commit.

use gateway_identity::notify::Emails;

use crate::AppState;
use crate::edge::Tx;
use crate::problem::Result;

pub(crate) async fn send_emails(state: &AppState, tx: &mut Tx, emails: Emails<'_>) -> Result<()> {
    emails.take_from_limit(&state.accounts.limits).await?;
    for queued in emails.queue(&**tx, &state.mail).await? {
        tx.send_after_commit(queued);
    }
    Ok(())
}
