//! Parts that changes of payment links share: the audit log, the optimistic lock, and the rules of company and plan.

use gateway_identity::audit::{Actor, Change, changed, fields_changed_since, record};
use gateway_platform::companies::Approval;
use gateway_platform::links::{
    FeePayer, LinkFields, PaymentLink, company_approval_locked, credit_installments_max, offer_of,
};
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::{PaymentType, Solution};
use ledger_domain::{BusinessId, Cents};
use serde_json::{Map, Value, json};
use tokio_postgres::GenericClient;

use crate::edge::FormErrors;
use crate::problem::{Problem, Result};
use crate::shared::conflict::changed_meanwhile;

/// The subject in the audit log.
const SUBJECT: &str = "payment_link";

pub const SOLUTION: Solution = Solution::PaymentLink;

/// A 409 if the link was changed since the caller read it. It names the changed fields.
pub(crate) async fn check_version(client: &impl GenericClient, link: &PaymentLink, read: i32) -> Result<()> {
    if read == link.version {
        return Ok(());
    }
    let changed = fields_changed_since(client, SUBJECT, &link.id.to_string(), read).await?;
    Err(changed_meanwhile("este link", &changed, label))
}

fn label(field: &str) -> Option<&'static str> {
    Some(match field {
        "description" => "descrição",
        "amount" | "amount_min" | "amount_max" => "valor",
        "payment_types" => "formas de pagamento",
        "installments_max" => "parcelas",
        "payer" => "quem paga as taxas",
        "expires_on" => "validade",
        "use_limit" => "limite de usos",
        "active" => "status",
        _ => return None,
    })
}

/// A 409 unless the company is approved. Its row stays locked until the commit.
pub(crate) async fn check_company(client: &impl GenericClient, business_id: BusinessId) -> Result<()> {
    match company_approval_locked(client, business_id).await? {
        Approval::Enabled => Ok(()),
        Approval::Pending => Err(Problem::conflict(
            "O cadastro da empresa ainda está em análise. Os links de pagamento ficam disponíveis depois da aprovação.",
        )),
        Approval::Denied | Approval::Deleted => Err(Problem::conflict(
            "A empresa está negada ou deletada e não pode vender por link de pagamento.",
        )),
    }
}

/// A 422 if the company's plan cannot price what the link offers.
pub fn check_plan(terms: Option<&PlanTerms>, fields: &LinkFields) -> Result<()> {
    let Some(terms) = terms else {
        let message = "A empresa não tem plano em vigor para links de pagamento.";
        return Err(Problem::field("payment_types", message));
    };
    let mut errors = FormErrors::default();
    if fields.payment_types.contains(&PaymentType::Credit) {
        match credit_installments_max(terms) {
            0 => errors.add("payment_types", "O plano da empresa não tem taxa de cartão."),
            most if fields.installments_max > most => errors.add(
                "installments_max",
                &format!("O plano da empresa aceita até {most} parcelas."),
            ),
            _ => {}
        }
    }
    errors.finish()?;
    match (fields.amount, fields.amount_min) {
        (Some(amount), _) => check_price("amount", terms, fields, amount),
        (None, Some(least)) => check_price("amount_min", terms, fields, least),
        (None, None) => Ok(()),
    }
}

/// A 422 if a payment type of the link cannot be priced for the amount. For cards, one brand with a price suffices.
fn check_price(field: &str, terms: &PlanTerms, fields: &LinkFields, amount: Cents) -> Result<()> {
    let offer = offer_of(terms, fields, amount);
    let unpriced = fields.payment_types.iter().filter(|kind| match kind {
        PaymentType::Pix => offer.pix.is_none(),
        PaymentType::Boleto => offer.boleto.is_none(),
        _ => offer.credit.is_empty(),
    });
    let names: Vec<&str> = unpriced.map(|kind| name_of(*kind)).collect();
    if names.is_empty() {
        return Ok(());
    }
    let message = match fields.payer {
        FeePayer::Seller => "Com este valor, as taxas do plano não deixam nada a receber por",
        FeePayer::Buyer => "Neste plano, nenhum valor de venda resulta neste valor líquido por",
    };
    Err(Problem::field(
        field,
        &format!("{message} {}.", names.join(" e ")),
    ))
}

const fn name_of(kind: PaymentType) -> &'static str {
    match kind {
        PaymentType::Pix => "PIX",
        PaymentType::Boleto => "boleto",
        PaymentType::Credit | PaymentType::Debit => "cartão",
    }
}

/// Writes the audit log: all fields of a new link, or the fields that changed.
pub(crate) async fn audit(
    client: &impl GenericClient,
    actor: Actor,
    before: Option<&PaymentLink>,
    after: &PaymentLink,
) -> Result<()> {
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
        subject: SUBJECT,
        subject_id: &after.id.to_string(),
        before: was,
        after: Some(is),
    };
    Ok(record(client, actor, change).await?)
}

fn audited(link: &PaymentLink) -> Map<String, Value> {
    let fields = &link.fields;
    let kinds: Vec<&str> = fields.payment_types.iter().map(|kind| kind.as_str()).collect();
    let values = [
        ("business_id", json!(link.company.id)),
        ("code", json!(link.code)),
        ("description", json!(fields.description)),
        ("amount", json!(fields.amount)),
        ("amount_min", json!(fields.amount_min)),
        ("amount_max", json!(fields.amount_max)),
        ("payment_types", json!(kinds)),
        ("installments_max", json!(fields.installments_max)),
        ("payer", json!(fields.payer.as_str())),
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
