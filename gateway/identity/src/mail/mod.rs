//! E-mails: each is a row of `mail`. An e-mail that reports a change is added in the transaction of that change. The
//! outbox composes the e-mail and gives it to an SMTP server, or in development to a folder.
//!
//! A row holds the facts of an e-mail, but neither its text nor its code. The text is composed when the e-mail is sent.
//! The code is derived from the row's id.
//! `Mail::enqueue` checks no permission; its callers do.

mod addressee;
mod adjustment;
mod brand;
mod company;
mod company_decision;
mod compose;
mod contact;
mod deliver;
mod late;
mod order;
mod outbox;
mod plan_change;
mod queue;
mod rendered;
mod report;
mod retention;
mod rule_change;
mod withdrawal;

use std::net::IpAddr;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use ledger_domain::Cents;
use ledger_domain::ids::UserId;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

pub use compose::brasilia_time;
pub use deliver::InvalidSmtpUrl;
pub use late::{LateEmail, emails_late_count, emails_late_list};
pub use outbox::{EmailOutbox, Mailing};
pub use queue::queue_stats;
pub use retention::delete_old_emails;

use crate::audience::Audience;
use crate::credentials::codes;

macro_rules! kinds {
    ($($variant:ident $name:literal,)+) => {
        /// The event or request that an e-mail is about. It selects the texts, the recipient and the checks.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum EmailKind {
            $($variant,)+
        }

        impl EmailKind {
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The kinds, as the column stores them.
            const NAMES: &'static [&'static str] = &[$($name),+];

            fn of_column(text: &str) -> Option<Self> {
                match text { $($name => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

kinds! {
    Welcome "welcome",
    VerifyEmail "verify-email",
    ResetPassword "reset-password",
    PasswordChanged "password-changed",
    PasswordSet "password-set",
    EmailChangeAsked "email-change-asked",
    EmailChanged "email-changed",
    BankAccountChanged "bank-account-changed",
    DocumentChanged "document-changed",
    UserAdded "user-added",
    CompanyDecided "company-decided",
    ApprovalRequested "approval-requested",
    ApprovalAnswered "approval-answered",
    ContactMessage "contact-message",
    ContactAnswer "contact-answer",
    PlanChangeRequested "plan-change-requested",
    PlanChangeDecided "plan-change-decided",
    AdjustmentRequested "adjustment-requested",
    AdjustmentDecided "adjustment-decided",
    RuleLoosened "rule-loosened",
    OrderToPay "order-to-pay",
    OrderPaid "order-paid",
    OrderExpired "order-expired",
    LinkPaid "link-paid",
    ReportReady "report-ready",
    ReportStopped "report-stopped",
    WithdrawalReturned "withdrawal-returned",
}

impl EmailKind {
    /// The purpose of the code in the e-mail's link; `None` if the e-mail has no code.
    const fn purpose(self) -> Option<codes::Purpose> {
        match self {
            Self::Welcome | Self::VerifyEmail => Some(codes::Purpose::VerifyEmail),
            Self::ResetPassword => Some(codes::Purpose::ResetPassword),
            Self::EmailChangeAsked => Some(codes::Purpose::ApproveEmail),
            Self::PasswordChanged
            | Self::PasswordSet
            | Self::EmailChanged
            | Self::BankAccountChanged
            | Self::DocumentChanged
            | Self::UserAdded
            | Self::CompanyDecided
            | Self::ApprovalRequested
            | Self::ApprovalAnswered
            | Self::ContactMessage
            | Self::ContactAnswer
            | Self::PlanChangeRequested
            | Self::PlanChangeDecided
            | Self::AdjustmentRequested
            | Self::AdjustmentDecided
            | Self::RuleLoosened
            | Self::OrderToPay
            | Self::OrderPaid
            | Self::OrderExpired
            | Self::LinkPaid
            | Self::ReportReady
            | Self::ReportStopped
            | Self::WithdrawalReturned => None,
        }
    }

    /// Whether the e-mail goes to a buyer, who is no user. The buyer's name and address are read when it is sent.
    const fn is_for_buyer(self) -> bool {
        matches!(self, Self::OrderToPay | Self::OrderPaid | Self::OrderExpired)
    }

    /// Whether the e-mail goes only to admin users who may decide on plans, payments and requested approvals.
    const fn is_for_deciding_staff(self) -> bool {
        matches!(
            self,
            Self::ApprovalRequested
                | Self::PlanChangeRequested
                | Self::PlanChangeDecided
                | Self::AdjustmentRequested
                | Self::AdjustmentDecided
                | Self::RuleLoosened
        )
    }
}

/// The facts that an e-mail needs in addition to the user's name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The IP address of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<IpAddr>,
    /// The user's new address, in notices about its change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_email: Option<String>,
    /// When a requested address takes effect without an approval. In a welcome: from when on a link replaces the
    /// provisional password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes_effect_at: Option<DateTime<Utc>>,
    /// Only for notices about a company.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company: Option<CompanyChange>,
    /// Only for e-mails about a decision on a company.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<CompanyDecision>,
    /// The id of a user's message to the platform, or of the answer of staff. The text is read when the e-mail is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<Uuid>,
    /// The id of the requested change of a plan. The request is read when the e-mail is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_change: Option<Uuid>,
    /// The id of the requested adjustment of a balance. The request is read when the e-mail is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjustment: Option<Uuid>,
    /// Only for notices about a rule of the platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleChange>,
    /// The sale of an order's attempt. Everything else about it is read when the e-mail is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sale: Option<Uuid>,
    /// A report by e-mail. Its file and the access to it are read when the e-mail is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<ReportFacts>,
    /// Only for notices about a withdrawal that a bank returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawal: Option<ReturnedWithdrawal>,
}

/// A withdrawal that the bank gave back. `gateway/platform` queues these facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnedWithdrawal {
    pub company: String,
    /// What the bank had paid.
    pub paid: Cents,
    /// The part of the fee that the platform gave back.
    pub fee: Cents,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub at: DateTime<Utc>,
}

/// Which report by e-mail, and the period that is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportFacts {
    pub report_email: Uuid,
    /// The report's title, as its screen has it.
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<Uuid>,
}

/// A change of a platform rule that says when a decision needs two people. The texts are those of the panel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleChange {
    /// The rule's name.
    pub rule: String,
    pub before: String,
    pub after: String,
    /// When the rule changes.
    pub starts: DateTime<Utc>,
    /// The name of the admin user who made the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The business clock's time of the change.
    pub at: DateTime<Utc>,
}

/// A change of a company's bank accounts, documents or users.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompanyChange {
    pub name: String,
    pub action: CompanyAction,
    /// The bank account without its full number, the kind of the document, or the user with address and role.
    pub subject: String,
    /// The name of the seller user who made the change; `None` for staff, who stay anonymous to sellers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The business clock's time of the change.
    pub at: DateTime<Utc>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompanyAction {
    Added,
    /// Withdrawals go to the bank account from now on.
    MadeDefault,
    Removed,
}

/// A decision of staff on a company, or a requested approval and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompanyDecision {
    pub company: String,
    pub company_id: String,
    /// The request that waits for a second person, in the e-mails that ask for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Uuid>,
    pub outcome: CompanyOutcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The name of the admin user; `None` in e-mails to sellers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The business clock's time of the decision.
    pub at: DateTime<Utc>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompanyOutcome {
    Approved,
    Denied,
    Deleted,
    /// An approval that waits for a second person.
    Requested,
    /// The second person did not approve.
    Rejected,
}

/// An e-mail to be queued.
pub struct OutboxEmail<'a> {
    pub kind: EmailKind,
    pub audience: Audience,
    /// `None` if only the address is known.
    pub user: Option<UserId>,
    /// In the form of `email_address::normalize_email`.
    pub recipient: &'a str,
    /// Scheme and host of the panel to which its links lead.
    pub panel_url: &'a str,
    pub facts: Facts,
}

/// Queues e-mails.
pub struct Mail {
    codes: codes::Codes,
    woken: Arc<Notify>,
}

impl Mail {
    pub fn new(codes: codes::Codes) -> Self {
        Self {
            codes,
            woken: Arc::new(Notify::new()),
        }
    }

    /// Adds an e-mail. If the user is known, the code of its link is issued now, so that the profile shows the pending
    /// confirmation.
    pub async fn enqueue(
        &self,
        client: &impl GenericClient,
        outbox_email: &OutboxEmail<'_>,
    ) -> Result<QueuedEmail, Error> {
        let id = Uuid::now_v7();
        queue::add(client, id, outbox_email).await?;
        if let (Some(purpose), Some(user)) = (outbox_email.kind.purpose(), outbox_email.user) {
            let owner = codes::CodeOwner {
                audience: outbox_email.audience,
                user,
                email: outbox_email.recipient,
            };
            self.codes.issue(client, id, purpose, owner).await?;
        }
        Ok(QueuedEmail(Arc::clone(&self.woken)))
    }

    pub(crate) const fn codes(&self) -> &codes::Codes {
        &self.codes
    }

    pub(crate) fn woken(&self) -> Arc<Notify> {
        Arc::clone(&self.woken)
    }
}

/// An e-mail of which the sender is told after the commit.
#[must_use = "wake the sender after the commit"]
pub struct QueuedEmail(Arc<Notify>);

impl QueuedEmail {
    /// Call this after the commit. Before it, the outbox does not see the row.
    pub fn wake(self) {
        self.0.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use gateway_platform::buyers::{OrderEmail, SELLER_EMAIL_KIND};
    use gateway_platform::effects::payouts::RETURN_EMAIL_KIND;

    use super::EmailKind;

    #[test]
    fn the_kinds_that_the_platform_queues_are_known_and_for_buyers_except_the_seller_s() {
        for email in OrderEmail::ALL {
            let kind = EmailKind::of_column(email.kind());
            assert!(kind.is_some_and(EmailKind::is_for_buyer), "{email:?}");
        }
        assert_eq!(EmailKind::of_column(SELLER_EMAIL_KIND), Some(EmailKind::LinkPaid));
        assert!(!EmailKind::LinkPaid.is_for_buyer());
        assert_eq!(
            EmailKind::of_column(RETURN_EMAIL_KIND),
            Some(EmailKind::WithdrawalReturned)
        );
    }
}
