//! New links and changes of links by the users of their company, in the caller's transaction: the rules, and the entry
//! of the audit log.

use gateway_environment::clock::BusinessClock;
use gateway_environment::ids::Ids;
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, PaymentLinkId};
use serde_json::{Map, Value, json};
use tokio_postgres::{Error, GenericClient};

use super::form::{LinkForm, NEW_LINK};
use super::prices::check_prices;
use super::records::{NewLink, company_approval_locked, link_create, link_locked, link_update};
use super::refusal::{LinkError, LinkRefusal, Result};
use super::{LinkFields, PaymentLink};
use crate::audit::{Actor, Change, changed, fields_changed_since, record};
use crate::companies::Approval;

/// Links in the audit log.
pub const PAYMENT_LINK: &str = "payment_link";

/// The plan of this solution prices the sales of links.
pub const SOLUTION: Solution = Solution::PaymentLink;

/// Two links that get the same code are very rare. More than two in a row are a fault.
const CODE_ATTEMPTS: usize = 3;

/// The user who changes a company's links, and what a change needs of the program.
#[derive(Debug, Clone, Copy)]
pub struct LinkEditor<'a> {
    pub actor: Actor,
    pub company: BusinessId,
    /// The plan of `SOLUTION`, if the company has one.
    pub terms: Option<&'a PlanTerms>,
    pub clock: BusinessClock,
    pub ids: &'a Ids,
}

/// Adds a link. The company must be approved, and its plan must price what the link offers.
pub async fn create(
    client: &impl GenericClient,
    editor: LinkEditor<'_>,
    form: LinkForm,
) -> Result<PaymentLink> {
    let fields = form.read(&NEW_LINK, 0, editor.clock.today())?;
    check_company(client, editor.company).await?;
    check_prices(editor.terms, &fields)?;
    let id = insert(client, editor, &fields).await?;
    let added = find_own(client, editor.company, id).await?;
    audit(client, editor.actor, None, &added).await?;
    Ok(added)
}

/// Changes a link that the user read in this version. A link of a company that is not approved can be switched off, and
/// not on.
pub async fn update(
    client: &impl GenericClient,
    editor: LinkEditor<'_>,
    id: PaymentLinkId,
    version: i32,
    form: LinkForm,
) -> Result<PaymentLink> {
    let before = find_own(client, editor.company, id).await?;
    let fields = form.read(&before.fields, before.uses, editor.clock.today())?;
    if version != before.version {
        let changed = fields_changed_since(client, PAYMENT_LINK, &id.to_string(), version).await?;
        return Err(LinkRefusal::ChangedMeanwhile(changed).into());
    }
    if fields.active && !before.fields.active {
        check_company(client, editor.company).await?;
    }
    if !fields.is_priced_like(&before.fields) {
        check_prices(editor.terms, &fields)?;
    }
    if fields == before.fields {
        return Ok(before);
    }
    link_update(client, id, &fields, editor.clock.now()).await?;
    let after = find_own(client, editor.company, id).await?;
    audit(client, editor.actor, Some(&before), &after).await?;
    Ok(after)
}

/// The company's row stays locked until the commit.
async fn check_company(client: &impl GenericClient, company: BusinessId) -> Result<()> {
    match company_approval_locked(client, company).await? {
        Approval::Enabled => Ok(()),
        Approval::Pending => Err(LinkRefusal::CompanyPending.into()),
        Approval::Denied | Approval::Deleted => Err(LinkRefusal::CompanyNotApproved.into()),
    }
}

async fn insert(
    client: &impl GenericClient,
    editor: LinkEditor<'_>,
    fields: &LinkFields,
) -> Result<PaymentLinkId> {
    let id = PaymentLinkId::from_uuid(editor.ids.new_uuid());
    for _ in 0..CODE_ATTEMPTS {
        let new = NewLink {
            id,
            business_id: editor.company,
            code: &editor.ids.new_short_code(),
            fields,
            created_at: editor.clock.now(),
        };
        if link_create(client, &new).await? {
            return Ok(id);
        }
    }
    Err(LinkError::NoFreeCode)
}

/// The company's link, locked.
async fn find_own(
    client: &impl GenericClient,
    company: BusinessId,
    id: PaymentLinkId,
) -> Result<PaymentLink> {
    let link = link_locked(client, id).await?;
    let own = link.filter(|link| link.company.id == company);
    own.ok_or_else(|| LinkRefusal::NotFound.into())
}

/// Writes the audit log: all fields of a new link, or the fields that changed.
async fn audit(
    client: &impl GenericClient,
    actor: Actor,
    before: Option<&PaymentLink>,
    after: &PaymentLink,
) -> Result<(), Error> {
    let is = audited(after);
    let (action, was, is) = match before {
        None => ("create", None, Value::Object(is)),
        Some(before) => {
            let was = audited(before);
            let action = match (before.fields.active, after.fields.active) {
                (false, true) => "enable",
                (true, false) => "disable",
                _ => "update",
            };
            (action, Some(changed(&was, &is)), changed(&is, &was))
        }
    };
    let change = Change {
        action,
        subject: PAYMENT_LINK,
        subject_id: &after.id.to_string(),
        before: was,
        after: Some(is),
    };
    record(client, actor, change).await
}

fn audited(link: &PaymentLink) -> Map<String, Value> {
    let fields = &link.fields;
    let values = [
        ("business_id", json!(link.company.id)),
        ("code", json!(link.code)),
        ("description", json!(fields.description)),
        ("amount", json!(fields.amount)),
        ("amount_min", json!(fields.amount_min)),
        ("amount_max", json!(fields.amount_max)),
        ("payment_types", json!(fields.payment_types)),
        ("installments_max", json!(fields.installments_max)),
        ("payer", json!(fields.payer)),
        ("expires_on", json!(fields.expires_on)),
        ("use_limit", json!(fields.use_limit)),
        ("active", json!(fields.active)),
        ("version", json!(link.version)),
    ];
    values
        .into_iter()
        .map(|(field, value)| (field.to_owned(), value))
        .collect()
}
