//! The decisions of staff on companies. No other code sets a company's approval, so every way to approve one obeys the
//! same rule: the documents that the settings ask for, or a reason of somebody who may approve without them; and a
//! second person if the settings ask for one. A denial and a deletion need a reason.

use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_domain::sale::SaleStatus;
use ledger_domain::{BusinessId, Cents};
use ledger_rows::{FromRow, execute, fetch_opt, insert, params, row, value};
use ledger_store::log;
use projections::Paging;
use projections::sales::{SaleFilter, sale_list};
use serde_json::{Value, json};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::approval::Approval;
use super::documents::DocumentKind;
use super::edit::{Editor, lock};
use super::records::CompanyRecord;
use super::refusal::{CompanyRefusal, Result};
use super::related::terminals_owned;
use super::required_documents::documents_missing;
use crate::settings::records::settings_lock_for_decision;

/// The reason of companies that were approved elsewhere, before they came to this installation.
const INSTALLED: &str = "Empresa já aprovada na instalação.";

/// Who decides, and whether that user's roles allow an approval without documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decider {
    pub user: UserId,
    pub approves_without_documents: bool,
}

/// What staff ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedDecision {
    pub approval: Approval,
    pub reason: Option<String>,
}

ledger_domain::words! {
    /// pending: waits for a second person. taken: in force. withdrawn: by the user who requested it, or by a later
    /// decision.
    pub enum BusinessDecisionStatus {
        Pending = "pending" => "Aguarda outra pessoa",
        Taken = "taken" => "Em vigor",
        Rejected = "rejected" => "Rejeitada",
        Withdrawn = "withdrawn" => "Retirada",
    }
}

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DecisionRecord in "company_decision" {
        pub id: Uuid,
        pub company: BusinessId = "business_id",
        pub approval: Approval,
        pub reason: Option<String>,
        pub missing: Vec<DocumentKind> = "missing_documents",
        pub status: BusinessDecisionStatus,
        /// `None`: the installation.
        pub decided_by: Option<UserId>,
        pub decided_at: Instant,
        /// The second person, or the requester who withdrew the request.
        pub answered_by: Option<UserId>,
        pub answered_at: Option<Instant>,
        pub answer: Option<String>,
    }
}

impl DecisionRecord {
    pub const fn is_in_force(&self) -> bool {
        matches!(self.status, BusinessDecisionStatus::Taken)
    }

    /// The fields that the audit log keeps. `version` is the company's, if the decision is in force.
    fn audited(&self, version: Option<i32>) -> Value {
        let mut fields = json!({ "approval": self.approval });
        if let Some(reason) = &self.reason {
            fields["reason"] = json!(reason);
        }
        if !self.missing.is_empty() {
            fields["missing_documents"] = json!(self.missing);
        }
        if let Some(version) = version {
            fields["version"] = json!(version);
        }
        fields
    }
}

/// What an approval, a denial or a deletion needs.
fn check_decision(
    approval: Approval,
    missing: &[DocumentKind],
    has_reason: bool,
    approves_without_documents: bool,
) -> Result<(), CompanyRefusal> {
    match approval {
        Approval::Pending => Err(CompanyRefusal::NotADecision),
        Approval::Denied | Approval::Deleted if has_reason => Ok(()),
        Approval::Denied | Approval::Deleted => Err(CompanyRefusal::ReasonMissing),
        Approval::Enabled if missing.is_empty() => Ok(()),
        Approval::Enabled if !approves_without_documents => {
            Err(CompanyRefusal::DocumentsMissing(missing.to_vec()))
        }
        Approval::Enabled if has_reason => Ok(()),
        Approval::Enabled => Err(CompanyRefusal::ReasonForDocumentsMissing(missing.to_vec())),
    }
}

/// Decides on a company whose row the caller has locked. The record says whether the decision is in force or waits for a
/// second person. `None` if the company already has this approval.
pub async fn decide(
    client: &impl GenericClient,
    editor: Editor<'_>,
    locked: &CompanyRecord,
    decider: Decider,
    requested: RequestedDecision,
) -> Result<Option<DecisionRecord>> {
    let RequestedDecision { approval, reason } = requested;
    if approval == locked.approval {
        return Ok(None);
    }
    if approval == Approval::Deleted {
        check_deletion(client, locked.id).await?;
    }
    settings_lock_for_decision(client).await?;
    let settings = editor.settings(client).await?;
    let missing = match approval {
        Approval::Enabled => documents_missing(client, &settings, locked).await?,
        Approval::Pending | Approval::Denied | Approval::Deleted => vec![],
    };
    let power = decider.approves_without_documents;
    check_decision(approval, &missing, reason.is_some(), power)?;
    let at = editor.now();
    if let Some(pending) = decision_pending(client, locked.id).await? {
        if approval == Approval::Enabled {
            return Err(CompanyRefusal::AlreadyRequested(pending.decided_by).into());
        }
        close(
            client,
            pending,
            BusinessDecisionStatus::Withdrawn,
            decider.user,
            at,
            reason.clone(),
        )
        .await?;
    }
    let waits = approval == Approval::Enabled && settings.two_person_company_approvals;
    let record = DecisionRecord {
        id: editor.ids.new_uuid(),
        company: locked.id,
        approval,
        reason,
        missing,
        status: if waits {
            BusinessDecisionStatus::Pending
        } else {
            BusinessDecisionStatus::Taken
        },
        decided_by: Some(decider.user),
        decided_at: at,
        answered_by: None,
        answered_at: None,
        answer: None,
    };
    insert(client, &record).await?;
    if waits {
        let after = Some(record.audited(None));
        editor
            .record(client, locked.id, "request-approval", None, after)
            .await?;
    } else {
        let version = approval_set(client, locked.id, approval).await?;
        let before = Some(json!({ "approval": locked.approval }));
        let after = Some(record.audited(Some(version)));
        editor.record(client, locked.id, "update", before, after).await?;
    }
    Ok(Some(record))
}

async fn check_deletion(client: &impl GenericClient, company: BusinessId) -> Result<()> {
    let uses = uses_of(client, company).await?;
    if uses.is_empty() {
        Ok(())
    } else {
        Err(CompanyRefusal::InUse(uses).into())
    }
}

/// What prevents the deletion of a company.
async fn uses_of(client: &impl GenericClient, company: BusinessId) -> Result<Vec<&'static str>> {
    let mut uses = vec![];
    if let Some(head) = log::head(client, company).await? {
        let accounts = head.accounts;
        for (amount, what) in [
            (accounts.available, "saldo disponível"),
            (accounts.receivable, "saldo a receber"),
            (accounts.in_transfer, "saques em andamento"),
            (accounts.held_by_staff, "saldo bloqueado"),
            (accounts.in_dispute, "vendas contestadas"),
        ] {
            if amount != Cents::ZERO {
                uses.push(what);
            }
        }
    }
    let open = SaleFilter {
        business_id: Some(company),
        statuses: vec![SaleStatus::New, SaleStatus::Created, SaleStatus::Pending],
        ..SaleFilter::default()
    };
    let one = Paging { page: 1, per_page: 1 };
    if !sale_list(client, &open, one).await?.rows.is_empty() {
        uses.push("vendas em aberto");
    }
    if !terminals_owned(client, company).await?.is_empty() {
        uses.push("maquininhas");
    }
    Ok(uses)
}

/// A requested approval and its company, both locked until the end of the transaction.
#[derive(Debug, Clone)]
pub struct PendingDecision {
    pub company: CompanyRecord,
    pub request: DecisionRecord,
}

/// The requested approval that is to be answered.
pub async fn decision_to_answer(
    client: &impl GenericClient,
    company: BusinessId,
    id: Uuid,
) -> Result<PendingDecision> {
    let company = lock(client, company).await?;
    let sql = select("business_id = $1 AND id = $2 FOR UPDATE");
    let request: Option<DecisionRecord> = fetch_opt(client, &sql, params![company.id, id]).await?;
    let request = request.ok_or(CompanyRefusal::NotFound)?;
    match request.status {
        BusinessDecisionStatus::Pending => Ok(PendingDecision { company, request }),
        answered => Err(CompanyRefusal::Answered(answered).into()),
    }
}

impl PendingDecision {
    /// Returns the requester, who confirms or rejects no own request. The user counts, and not the roles: a requester
    /// who has other roles by now is still the same person.
    pub fn check_other_user(&self, user: UserId, verb: &'static str) -> Result<UserId, CompanyRefusal> {
        match self.request.decided_by {
            Some(requester) if requester != user => Ok(requester),
            _ => Err(CompanyRefusal::OwnRequest(verb)),
        }
    }

    /// Puts the approval into force. The rule is checked again, because documents can be removed and settings can change
    /// in the meantime. The caller has checked that the two users are two people. `requester` has the roles that the
    /// requester has now.
    pub async fn confirm(
        self,
        client: &impl GenericClient,
        editor: Editor<'_>,
        requester: Decider,
        by: UserId,
        answer: Option<String>,
    ) -> Result<DecisionRecord> {
        let Self { company, request } = self;
        settings_lock_for_decision(client).await?;
        let settings = editor.settings(client).await?;
        let missing = documents_missing(client, &settings, &company).await?;
        // A reason covers only the documents that were missing when it was given.
        let covered = missing.iter().all(|kind| request.missing.contains(kind));
        let has_reason = request.reason.is_some() && covered;
        let power = requester.approves_without_documents;
        let checked = check_decision(request.approval, &missing, has_reason, power);
        checked.map_err(|refusal| match refusal {
            CompanyRefusal::ReasonForDocumentsMissing(kinds) => CompanyRefusal::RequestOutdated(kinds),
            other => other,
        })?;
        let record = close(
            client,
            request,
            BusinessDecisionStatus::Taken,
            by,
            editor.now(),
            answer,
        )
        .await?;
        let version = approval_set(client, company.id, record.approval).await?;
        let mut after = record.audited(Some(version));
        if let Some(answer) = &record.answer {
            after["answer"] = json!(answer);
        }
        let before = Some(json!({ "approval": company.approval }));
        editor
            .record(client, company.id, "confirm-approval", before, Some(after))
            .await?;
        Ok(record)
    }

    /// By another user than the requester. The company stays as it is.
    pub async fn reject(
        self,
        client: &impl GenericClient,
        editor: Editor<'_>,
        by: UserId,
        reason: Option<String>,
    ) -> Result<DecisionRecord> {
        if reason.is_none() {
            return Err(CompanyRefusal::ReasonMissing.into());
        }
        self.check_other_user(by, "rejeitar")?;
        let Self { company, request } = self;
        let record = close(
            client,
            request,
            BusinessDecisionStatus::Rejected,
            by,
            editor.now(),
            reason,
        )
        .await?;
        let after = Some(json!({ "answer": record.answer }));
        editor
            .record(client, company.id, "reject-approval", None, after)
            .await?;
        Ok(record)
    }

    /// By the requester.
    pub async fn withdraw(self, client: &impl GenericClient, editor: Editor<'_>, by: UserId) -> Result<()> {
        let Self { company, request } = self;
        if request.decided_by != Some(by) {
            return Err(CompanyRefusal::RequestOfOther.into());
        }
        close(
            client,
            request,
            BusinessDecisionStatus::Withdrawn,
            by,
            editor.now(),
            None,
        )
        .await?;
        Ok(editor
            .record(client, company.id, "withdraw-approval", None, None)
            .await?)
    }
}

/// Sets the approval of a company that comes to this installation with a decision from elsewhere. No user can cause it.
pub async fn decide_at_installation(
    client: &impl GenericClient,
    company: BusinessId,
    (id, approval, at): (Uuid, Approval, Instant),
) -> Result<(), Error> {
    let record = DecisionRecord {
        id,
        company,
        approval,
        reason: Some(INSTALLED.to_owned()),
        missing: vec![],
        status: BusinessDecisionStatus::Taken,
        decided_by: None,
        decided_at: at,
        answered_by: None,
        answered_at: None,
        answer: None,
    };
    insert(client, &record).await?;
    let sql = "UPDATE business SET approval = $2 WHERE id = $1";
    execute(client, sql, params![company, approval]).await.map(drop)
}

fn select(condition: &str) -> String {
    let columns = DecisionRecord::COLUMNS;
    format!("SELECT {columns} FROM company_decision WHERE {condition}")
}

/// The approval that waits for a second person.
pub async fn decision_pending(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Option<DecisionRecord>, Error> {
    let sql = select("business_id = $1 AND status = 'pending'");
    fetch_opt(client, &sql, params![company]).await
}

/// Whether a requested approval still waits for a second person.
pub async fn decision_is_pending(client: &impl GenericClient, id: Uuid) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT FROM company_decision WHERE id = $1 AND status = 'pending')";
    value(client, sql, params![id]).await
}

/// The latest decision that came into force.
pub async fn decision_in_force(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Option<DecisionRecord>, Error> {
    let sql = select(
        "business_id = $1 AND status = 'taken' ORDER BY coalesce(answered_at, decided_at) DESC, id DESC LIMIT 1",
    );
    fetch_opt(client, &sql, params![company]).await
}

/// Answers a request that the caller has locked.
async fn close(
    client: &impl GenericClient,
    request: DecisionRecord,
    status: BusinessDecisionStatus,
    by: UserId,
    at: Instant,
    answer: Option<String>,
) -> Result<DecisionRecord, Error> {
    let record = DecisionRecord {
        status,
        answered_by: Some(by),
        answered_at: Some(at),
        answer,
        ..request
    };
    let sql = "UPDATE company_decision SET status = $2, answered_by = $3, answered_at = $4, answer = $5 WHERE id = $1";
    let parameters = params![
        record.id,
        record.status,
        record.answered_by,
        record.answered_at,
        record.answer
    ];
    execute(client, sql, parameters).await?;
    Ok(record)
}

async fn approval_set(
    client: &impl GenericClient,
    company: BusinessId,
    approval: Approval,
) -> Result<i32, Error> {
    let sql = "UPDATE business SET approval = $2, version = version + 1 WHERE id = $1 RETURNING version";
    value(client, sql, params![company, approval]).await
}

#[cfg(test)]
mod tests {
    use super::DocumentKind::Articles;
    use super::*;

    #[test]
    fn a_decision_needs_documents_or_a_reason() {
        use Approval::{Deleted, Denied, Enabled, Pending};
        use CompanyRefusal as R;
        let without = || vec![Articles];
        for (approval, missing, reason, may_waive, expected) in [
            (Enabled, vec![], false, false, Ok(())),
            (
                Enabled,
                without(),
                false,
                false,
                Err(R::DocumentsMissing(without())),
            ),
            // A reason alone does not help a user who may not approve without documents.
            (
                Enabled,
                without(),
                true,
                false,
                Err(R::DocumentsMissing(without())),
            ),
            (
                Enabled,
                without(),
                false,
                true,
                Err(R::ReasonForDocumentsMissing(without())),
            ),
            (Enabled, without(), true, true, Ok(())),
            (Denied, vec![], false, true, Err(R::ReasonMissing)),
            (Denied, vec![], true, false, Ok(())),
            (Deleted, vec![], false, true, Err(R::ReasonMissing)),
            (Deleted, vec![], true, false, Ok(())),
            (Pending, vec![], true, true, Err(R::NotADecision)),
        ] {
            let checked = check_decision(approval, &missing, reason, may_waive);
            assert_eq!(checked, expected, "{approval:?} {missing:?} {reason} {may_waive}");
        }
    }
}
