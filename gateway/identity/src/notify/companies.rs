//! The e-mails about a company: decisions of staff, and changes that a fraud would make (a bank account, an uploaded
//! document, or a user to whom staff gave access).

use chrono::{DateTime, Utc};
use gateway_environment::request_context;
use gateway_platform::companies::{
    Approval, BusinessDecisionStatus, DecisionRecord, DocumentKind, bank_name, company_fetch,
};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use ledger_domain::transfer::BankAccount;
use tokio_postgres::{Error, GenericClient};

use super::{Cause, Emails};
use crate::audience::Audience;
use crate::audit::Actor;
use crate::credentials::account::SignInUser;
use crate::email_queue::{CompanyAction, CompanyChange, CompanyDecision, CompanyOutcome, EmailKind, Facts};
use crate::roles::SellerRole;
use crate::users::{company_owners, company_users, deciding_staff, user_names, user_of_staff};

/// Asks all other users who may answer a requested approval. The requester causes the e-mails.
pub async fn approval_requested<'a>(
    client: &impl GenericClient,
    panel_url: &'a str,
    requester: UserId,
    request: &DecisionRecord,
) -> Result<Emails<'a>, Error> {
    let mut others = deciding_staff(client, None).await?;
    others.retain(|user| user.id != requester);
    let decision = CompanyDecision {
        by: staff_name(client, requester).await?,
        request: Some(request.id),
        ..facts(client, request, CompanyOutcome::Requested).await?
    };
    let cause = of_staff(panel_url, requester);
    Ok(Emails::to_users(
        cause,
        EmailKind::ApprovalRequested,
        &with(decision),
        &others,
    ))
}

/// Tells the requester about the answer of another user.
pub async fn approval_answered<'a>(
    client: &impl GenericClient,
    panel_url: &'a str,
    by: UserId,
    request: &DecisionRecord,
) -> Result<Emails<'a>, Error> {
    let outcome = match request.status {
        BusinessDecisionStatus::Taken => CompanyOutcome::Approved,
        _ => CompanyOutcome::Rejected,
    };
    let decision = CompanyDecision {
        by: staff_name(client, by).await?,
        reason: request.answer.clone(),
        at: request.answered_at.unwrap_or(request.decided_at),
        ..facts(client, request, outcome).await?
    };
    let requester = match request.decided_by {
        Some(requester) => user_of_staff(client, requester).await?,
        None => None,
    };
    let recipients: Vec<_> = requester.into_iter().collect();
    let cause = of_staff(panel_url, by);
    Ok(Emails::to_users(
        cause,
        EmailKind::ApprovalAnswered,
        &with(decision),
        &recipients,
    ))
}

/// Tells the owners and admins of the company. They read why it was denied or deleted, and not which user decided.
pub async fn company_decided<'a>(
    client: &impl GenericClient,
    sellers_url: &'a str,
    by: UserId,
    decision: &DecisionRecord,
) -> Result<Emails<'a>, Error> {
    let cause = Cause {
        audience: Audience::Seller,
        panel_url: sellers_url,
        user: by,
    };
    let (outcome, reason) = match decision.approval {
        Approval::Enabled => (CompanyOutcome::Approved, None),
        Approval::Denied => (CompanyOutcome::Denied, decision.reason.clone()),
        Approval::Deleted => (CompanyOutcome::Deleted, decision.reason.clone()),
        // No decision makes a company pending.
        Approval::Pending => {
            return Ok(Emails::to_users(
                cause,
                EmailKind::CompanyDecided,
                &Facts::default(),
                &[],
            ));
        }
    };
    let facts = CompanyDecision {
        reason,
        at: decision.answered_at.unwrap_or(decision.decided_at),
        ..facts(client, decision, outcome).await?
    };
    let roles = [SellerRole::Owner, SellerRole::Admin];
    let recipients = company_users(client, decision.company, &roles).await?;
    Ok(Emails::to_users(
        cause,
        EmailKind::CompanyDecided,
        &with(facts),
        &recipients,
    ))
}

/// The facts that all these e-mails have.
async fn facts(
    client: &impl GenericClient,
    decision: &DecisionRecord,
    outcome: CompanyOutcome,
) -> Result<CompanyDecision, Error> {
    Ok(CompanyDecision {
        company: company_name(client, decision.company).await?,
        company_id: decision.company.to_string(),
        request: None,
        outcome,
        reason: decision.reason.clone(),
        by: None,
        at: decision.decided_at,
    })
}

/// The company exists, because the caller has locked it.
async fn company_name(client: &impl GenericClient, company: BusinessId) -> Result<String, Error> {
    let company = company_fetch(client, company).await?;
    Ok(company.map(|company| company.name).unwrap_or_default())
}

const fn of_staff(panel_url: &str, user: UserId) -> Cause<'_> {
    Cause {
        audience: Audience::Admin,
        panel_url,
        user,
    }
}

fn with(decision: CompanyDecision) -> Facts {
    Facts {
        decision: Some(decision),
        ..Facts::default()
    }
}

async fn staff_name(client: &impl GenericClient, user: UserId) -> Result<Option<String>, Error> {
    let names = user_names(client, Audience::Admin, &[user]).await?;
    Ok(names.get(&user).cloned())
}

/// A change of which the company's owners are told.
#[derive(Debug, Clone, Copy)]
pub enum OwnersNews<'a> {
    Account(CompanyAction, &'a BankAccount),
    Document(DocumentKind),
    /// A user to whom staff gave access, who gets no e-mail about it.
    User(&'a SignInUser, SellerRole),
}

impl OwnersNews<'_> {
    const fn kind(self) -> EmailKind {
        match self {
            Self::Account(..) => EmailKind::BankAccountChanged,
            Self::Document(_) => EmailKind::DocumentChanged,
            Self::User(..) => EmailKind::UserAdded,
        }
    }

    const fn action(self) -> CompanyAction {
        match self {
            Self::Account(action, _) => action,
            Self::Document(_) | Self::User(..) => CompanyAction::Added,
        }
    }

    /// What the sentence of the e-mail is about. It has no full account number, because others may read an e-mail too.
    fn subject(self) -> String {
        match self {
            Self::Account(_, account) => masked(account),
            Self::Document(kind) => kind.label().to_owned(),
            Self::User(user, role) => format!("{} ({}, {})", user.name, user.email, role_label(role)),
        }
    }

    fn about(self) -> Option<UserId> {
        match self {
            Self::User(user, _) => Some(user.id),
            Self::Account(..) | Self::Document(_) => None,
        }
    }
}

/// Tells each active owner of the company. For a change by a seller, the e-mail has the user's name and IP address. For a
/// change by staff it has neither, like the history that sellers see.
pub async fn owners_told<'a>(
    client: &impl GenericClient,
    sellers_url: &'a str,
    actor: Actor,
    company: BusinessId,
    news: OwnersNews<'_>,
    at: DateTime<Utc>,
) -> Result<Emails<'a>, Error> {
    // The user is only the key of the limit of e-mails, so the company's id stands for a missing one.
    let (caused_by, by, address) = match actor {
        Actor::Seller(user) => {
            let names = user_names(client, Audience::Seller, &[user]).await?;
            let address = request_context::current().address;
            (user, names.get(&user).cloned(), address)
        }
        Actor::Admin(user) => (user, None, None),
        Actor::System => (UserId::from_uuid(company.uuid()), None, None),
    };
    let facts = Facts {
        address,
        company: Some(CompanyChange {
            name: company_name(client, company).await?,
            action: news.action(),
            subject: news.subject(),
            by,
            at,
        }),
        ..Facts::default()
    };
    let mut owners = company_owners(client, company).await?;
    owners.retain(|owner| Some(owner.id) != news.about());
    let cause = Cause {
        audience: Audience::Seller,
        panel_url: sellers_url,
        user: caused_by,
    };
    Ok(Emails::to_users(cause, news.kind(), &facts, &owners))
}

const fn role_label(role: SellerRole) -> &'static str {
    match role {
        SellerRole::Owner => "proprietário",
        SellerRole::Admin => "administrador",
        SellerRole::Operator => "operador",
    }
}

/// The bank, the branch, and the last digits of the account. At least one digit of the number is hidden.
fn masked(account: &BankAccount) -> String {
    const SHOWN: usize = 3;
    let number = &account.account_number;
    let hidden = number.len().saturating_sub(SHOWN).max(number.len().min(1));
    format!(
        "{}, ag. {}, conta final {}-{}",
        bank_name(&account.bank_code),
        account.routing_number,
        &number[hidden..],
        account.account_digit,
    )
}

#[cfg(test)]
mod tests {
    use ledger_domain::transfer::AccountType;

    use super::*;

    #[test]
    fn an_email_never_has_the_full_account_number() {
        for (number, shown) in [("0012345", "345-6"), ("123", "23-6"), ("7", "-6")] {
            let account = BankAccount {
                bank_code: "341".to_owned(),
                account_type: AccountType::Checking,
                routing_number: "0071".to_owned(),
                routing_digit: None,
                account_number: number.to_owned(),
                account_digit: "6".to_owned(),
            };
            let masked = masked(&account);
            assert_eq!(
                masked,
                format!("ITAÚ UNIBANCO S.A., ag. 0071, conta final {shown}")
            );
        }
    }
}
