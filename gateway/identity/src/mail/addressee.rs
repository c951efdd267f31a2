//! Finds the account that an e-mail is for. The platform's own contact address and buyers have none.

use tokio_postgres::{Error, GenericClient};

use super::EmailKind;
use super::contact::answer_may_be_read;
use super::order::{OrderFacts, seller_wants};
use super::queue::EmailOrder;
use crate::credentials::account::{self, SignInUser};
use crate::users::deciding_staff;

/// The reader of an e-mail.
pub(super) enum Addressee {
    Account(SignInUser),
    /// The platform's contact address, which the tenant's settings name.
    Platform,
    Buyer {
        name: String,
        email: String,
    },
}

/// `None` if no account may get the e-mail.
pub(super) async fn addressee(
    client: &impl GenericClient,
    order: &EmailOrder,
    sale: Option<&OrderFacts>,
) -> Result<Option<Addressee>, Error> {
    if order.kind == EmailKind::ContactMessage {
        return Ok(Some(Addressee::Platform));
    }
    if order.kind.is_for_buyer() {
        let buyer = sale.and_then(|sale| sale.buyer.clone());
        return Ok(buyer.map(|(name, email)| Addressee::Buyer { name, email }));
    }
    let account = account_of(client, order).await?;
    Ok(match account {
        Some(account) if may_read(client, order, &account).await? => Some(Addressee::Account(account)),
        Some(_) | None => None,
    })
}

/// Notices to staff who decide go only to those who still do.
async fn may_read(
    client: &impl GenericClient,
    order: &EmailOrder,
    account: &SignInUser,
) -> Result<bool, Error> {
    Ok(!order.kind.is_for_deciding_staff() || !deciding_staff(client, Some(account.id)).await?.is_empty())
}

/// The account, if it still exists and may get the e-mail.
async fn account_of(client: &impl GenericClient, order: &EmailOrder) -> Result<Option<SignInUser>, Error> {
    let (audience, recipient) = (order.audience, order.recipient.as_str());
    let Some(user) = order.user else {
        let found = account::user_by_email(client, audience, recipient).await?;
        return Ok(found.filter(|account| account.active));
    };
    let Some(account) = account::user_by_id(client, audience, user).await? else {
        return Ok(None);
    };
    Ok(match order.kind {
        // Notices go to the affected user, even if the user is inactive.
        EmailKind::PasswordChanged | EmailKind::EmailChangeAsked | EmailKind::EmailChanged => Some(account),
        // So does the notice that a report is no longer sent, because the access was lost.
        EmailKind::ReportStopped => Some(account),
        _ if !account.active => None,
        // To the address that the user has now, if it is confirmed.
        EmailKind::ReportReady => account.email_verified.then_some(account),
        // Between the answer and its e-mail, the author may have lost the company or have got another address.
        EmailKind::ContactAnswer => {
            let may_read = account.email == recipient && answer_may_be_read(client, order).await?;
            may_read.then_some(account)
        }
        EmailKind::LinkPaid => {
            let wants = account.email == recipient && seller_wants(client, order, account.id).await?;
            wants.then_some(account)
        }
        _ if account.email == recipient => Some(account),
        // A new address. If another user has it, it cannot be confirmed, and that user did not request the e-mail.
        _ => account::user_by_email(client, audience, recipient)
            .await?
            .is_none()
            .then_some(account),
    })
}
