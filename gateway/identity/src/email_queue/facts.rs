//! The facts of an e-mail, as the column `mail.facts` has them: stored fields stay readable.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use ledger_domain::Cents;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

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
    /// Only for e-mails about a hold that asks for documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<HoldFacts>,
}

/// A hold that asks for documents, or of which a document was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldFacts {
    pub company: String,
    /// The hold's id.
    pub hold: String,
    /// What is held at that time.
    pub amount: Cents,
    /// The names of what to send, or of the refused document.
    pub documents: Vec<String>,
    /// Why the document was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub at: DateTime<Utc>,
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
