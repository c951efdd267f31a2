//! E-mails to a company's owners about a change that a fraud would make: a bank account, or an uploaded document.

use gateway_environment::request_context;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::mail::{CompanyAction, CompanyChange, EmailKind, Facts};
use gateway_identity::users::{company_owners, user_names};
use gateway_platform::companies::{bank_name, company_fetch};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use ledger_domain::transfer::BankAccount;

use crate::AppState;
use crate::edge::Tx;
use crate::problem::{Problem, Result};
use crate::users::emails::EmailToUsers;

/// The e-mail to the company's owners about a change. It has no full account number, because others may read an e-mail
/// too.
#[must_use = "the owners must be notified"]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnersEmail {
    kind: EmailKind,
    action: CompanyAction,
    /// The masked bank account, or the kind of the document.
    subject: String,
}

impl OwnersEmail {
    pub fn of_account(action: CompanyAction, account: &BankAccount) -> Self {
        Self {
            kind: EmailKind::BankAccountChanged,
            action,
            subject: masked(account),
        }
    }

    pub fn of_uploaded_document(label: &str) -> Self {
        Self {
            kind: EmailKind::DocumentChanged,
            action: CompanyAction::Added,
            subject: label.to_owned(),
        }
    }

    /// Queues an e-mail to each active owner, which is sent after the commit. For a change by a seller, the e-mail has
    /// the user's name and IP address. For a change by staff it has neither, like the history that sellers see.
    pub(crate) async fn send(
        self,
        state: &AppState,
        tx: &mut Tx,
        sellers_url: &str,
        (actor, company): (Actor, BusinessId),
    ) -> Result<()> {
        let record = company_fetch(&**tx, company)
            .await?
            .ok_or_else(Problem::not_found)?;
        // `caused_by` is only the key of the limit of e-mails, so the company's id stands for a missing user.
        let (caused_by, by, address) = match actor {
            Actor::Seller(user) => {
                let names = user_names(&**tx, Audience::Seller, &[user]).await?;
                let address = request_context::current().address;
                (user, names.get(&user).cloned(), address)
            }
            Actor::Admin(user) => (user, None, None),
            Actor::System => (UserId::from_uuid(company.uuid()), None, None),
        };
        let facts = Facts {
            address,
            company: Some(CompanyChange {
                name: record.name,
                action: self.action,
                subject: self.subject,
                by,
                at: state.clock.now(),
            }),
            ..Facts::default()
        };
        let owners = company_owners(&**tx, company).await?;
        let email = EmailToUsers {
            kind: self.kind,
            audience: Audience::Seller,
            panel_url: sellers_url,
            caused_by,
            facts,
        };
        email.send(state, tx, &owners).await
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
