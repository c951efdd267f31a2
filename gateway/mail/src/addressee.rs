//! Finds the account that an e-mail is for. The platform's own contact address and buyers have none.

use gateway_identity::credentials::account::{self, SignInUser};
use gateway_identity::email_queue::EmailKind;
use gateway_identity::users::deciding_staff;
use gateway_platform::companies::decision_is_pending;
use tokio_postgres::{Error, GenericClient};

use crate::contact::answer_may_be_read;
use crate::order::{OrderFacts, seller_wants};
use crate::queue::StoredEmail;

/// The reader of an e-mail.
pub(crate) enum Addressee {
    Account(SignInUser),
    /// The platform's contact address. The row of the e-mail has it as its recipient.
    Platform,
    Buyer {
        name: String,
        email: String,
    },
}

/// `None` if the e-mail has no reader: no account may get it, or the buyer's name or address is missing.
pub(crate) async fn addressee(
    client: &impl GenericClient,
    email: &StoredEmail,
    order: Option<&OrderFacts>,
) -> Result<Option<Addressee>, Error> {
    if email.kind == EmailKind::ContactMessage {
        return Ok(Some(Addressee::Platform));
    }
    if email.kind.is_for_buyer() {
        let buyer = order.and_then(|order| order.buyer.clone());
        return Ok(buyer.map(|(name, email)| Addressee::Buyer { name, email }));
    }
    let account = account_of(client, email).await?;
    Ok(match account {
        Some(account) if may_read(client, email, &account).await? => Some(Addressee::Account(account)),
        Some(_) | None => None,
    })
}

/// An e-mail for staff who decide on plans and payments is only for those who still may.
async fn may_read(
    client: &impl GenericClient,
    email: &StoredEmail,
    account: &SignInUser,
) -> Result<bool, Error> {
    // A request that is answered by now asks nobody any more.
    let request = email
        .facts
        .decision
        .as_ref()
        .and_then(|decision| decision.request);
    if let Some(request) = request
        && !decision_is_pending(client, request).await?
    {
        return Ok(false);
    }
    Ok(!email.kind.is_for_deciding_staff() || !deciding_staff(client, Some(account.id)).await?.is_empty())
}

/// The account, if it still exists and may get the e-mail.
async fn account_of(client: &impl GenericClient, email: &StoredEmail) -> Result<Option<SignInUser>, Error> {
    let (audience, recipient) = (email.audience, email.recipient.as_str());
    let Some(user) = email.user else {
        let found = account::user_by_email(client, audience, recipient).await?;
        return Ok(found.filter(|account| account.active));
    };
    let Some(account) = account::user_by_id(client, audience, user).await? else {
        return Ok(None);
    };
    Ok(match email.kind {
        // These go to the affected user, even if the user is inactive.
        EmailKind::PasswordChanged
        | EmailKind::PasswordSet
        | EmailKind::EmailChangeAsked
        | EmailKind::EmailChanged => Some(account),
        // Also to an inactive user, because the loss of the access may be the reason of the stop.
        EmailKind::ReportStopped => Some(account),
        _ if !account.active => None,
        // To the address that the user has now, if it is confirmed.
        EmailKind::ReportReady => account.email_verified.then_some(account),
        // Between the answer and its e-mail, the author may have lost the access or have got another address.
        EmailKind::ContactAnswer => {
            let may_get = account.email == recipient && answer_may_be_read(client, email).await?;
            may_get.then_some(account)
        }
        EmailKind::LinkPaid => {
            let wants = account.email == recipient && seller_wants(client, email, account.id).await?;
            wants.then_some(account)
        }
        _ if account.email == recipient => Some(account),
        // The address is not the account's: in most cases a new one. If another user has it, the e-mail is not for
        // them.
        _ => account::user_by_email(client, audience, recipient)
            .await?
            .is_none()
            .then_some(account),
    })
}
