//! The audit log of plans, and the answer to an edit that started from an older state.

use std::collections::BTreeSet;

use gateway_identity::audience::Audience;
use gateway_identity::users::{HistoryQuery, HistoryScope, history_page, user_names};
use gateway_platform::plans::PlanRecord;
use gateway_platform::plans::receiving::ReceivingPlan;
use serde_json::{Map, Value, json};
use tokio_postgres::GenericClient;

use super::bodies::terms::PlanFees;
use crate::problem::{Problem, Result};

/// A kind of record in the audit log.
pub struct Subject {
    pub subject: &'static str,
    noun: &'static str,
}

pub const PLAN: Subject = Subject {
    subject: "plan",
    noun: "este plano",
};
pub const RECEIVING_PLAN: Subject = Subject {
    subject: "receiving_plan",
    noun: "este plano de recebimento",
};
/// Requests of changes that wait for a second person, and their decisions.
pub const PLAN_CHANGE: &str = "plan_change";
/// The changes of a company's plans are in the company's log.
pub const COMPANY: &str = "business";

/// The name of the user who requested an approved change, among the fields of its entry.
pub const REQUESTED_BY: &str = "requested_by";

/// At most this many changes are read to name their fields.
const CHANGES_MAX: i32 = 50;

/// A 409 if the edit started from an older revision. It names who changed what since.
pub(crate) async fn check_revision(
    client: &impl GenericClient,
    subject: &Subject,
    id: &str,
    current: i32,
    given: Option<i32>,
) -> Result<()> {
    let Some(given) = given.filter(|given| *given != current) else {
        return Ok(());
    };
    let (who, what) = changed_since(client, subject, id, current, given).await?;
    Err(Problem::conflict(format!(
        "{who} alterou {} enquanto você editava: {what}. Confira os valores atuais antes de salvar.",
        subject.noun
    )))
}

/// A 409 if the plan was changed since the revision that a pending change started from.
pub(crate) async fn check_revision_of_request(
    client: &impl GenericClient,
    subject: &Subject,
    id: &str,
    current: i32,
    requested: i32,
) -> Result<()> {
    if requested == current {
        return Ok(());
    }
    let (who, what) = changed_since(client, subject, id, current, requested).await?;
    Err(Problem::conflict(format!(
        "{who} alterou {} depois deste pedido: {what}. Rejeite o pedido e faça a mudança de novo.",
        subject.noun
    )))
}

/// Who changed which fields after the revision.
async fn changed_since(
    client: &impl GenericClient,
    subject: &Subject,
    id: &str,
    current: i32,
    given: i32,
) -> Result<(String, String)> {
    let changes_since = current.saturating_sub(given).clamp(1, CHANGES_MAX);
    let history = HistoryQuery {
        subject: subject.subject,
        subject_id: Some(id),
        scope: HistoryScope::All,
    };
    let paging = projections::Paging {
        page: 1,
        per_page: changes_since.unsigned_abs(),
    };
    let entries = history_page(client, history, paging).await?.rows;
    let users: Vec<_> = entries.iter().filter_map(|entry| entry.actor.user_id()).collect();
    let names = user_names(client, Audience::Admin, &users).await?;
    let who: BTreeSet<&str> = users
        .iter()
        .filter_map(|id| names.get(id).map(String::as_str))
        .collect();
    let who = if who.is_empty() {
        "Outra pessoa".to_owned()
    } else {
        who.into_iter().collect::<Vec<_>>().join(" e ")
    };
    let what: BTreeSet<&str> = entries
        .iter()
        .flat_map(|entry| [&entry.before, &entry.after])
        .flatten()
        .filter_map(Value::as_object)
        .flat_map(Map::keys)
        .filter(|field| *field != REQUESTED_BY)
        .map(|field| label(field))
        .collect();
    let what = what.into_iter().collect::<Vec<_>>().join(", ");
    Ok((who, what))
}

fn label(field: &str) -> &'static str {
    match field {
        "description" => "descrição",
        "active" => "status",
        "default" => "plano padrão",
        "offered" => "oferta a vendedores",
        "mdr" => "tipo de taxa",
        "percentage_rate" => "taxa percentual",
        "flat_rate" => "tarifa fixa",
        "settlement_days" => "prazo de recebimento",
        "boleto_fee" => "tarifa do boleto",
        "pix_fee" | "pix_fee_fixed" => "taxa do PIX",
        "valid_from" | "version" => "vigência",
        _ => "taxas de cartão",
    }
}

/// All values of a plan, for the audit log: its flags, and the terms that an edit starts from.
pub fn plan_fields(plan: &PlanRecord) -> Map<String, Value> {
    let mut fields = Map::from_iter([
        ("description".to_owned(), json!(plan.description)),
        ("active".to_owned(), json!(plan.active)),
        ("default".to_owned(), json!(plan.is_default)),
        ("offered".to_owned(), json!(plan.offered)),
    ]);
    let Some(version) = plan.scheduled_or_current() else {
        return fields;
    };
    fields.insert("version".to_owned(), json!(version.terms.version));
    fields.insert("valid_from".to_owned(), json!(version.valid_from));
    let terms = PlanFees::of(&version.terms);
    for entry in &terms.fees {
        let kind = match entry.payment_type.as_str() {
            "debit" => "debit".to_owned(),
            _ => entry.number_installments.to_string(),
        };
        let field = format!("fees.{}.{kind}", entry.card_brand);
        fields.insert(field, json!(entry.percent_amount));
    }
    if let Ok(Value::Object(flat)) = serde_json::to_value(&terms) {
        fields.extend(flat.into_iter().filter(|(field, _)| field != "fees"));
    }
    fields
}

pub fn receiving_plan_fields(plan: &ReceivingPlan) -> Map<String, Value> {
    Map::from_iter([
        ("description".to_owned(), json!(plan.description)),
        ("flat_rate".to_owned(), json!(plan.flat_rate.get())),
        ("active".to_owned(), json!(plan.active)),
        ("default".to_owned(), json!(plan.is_default)),
    ])
}

/// The fields of `of` that `other` lacks or has with another value.
pub fn changed(of: &Map<String, Value>, other: &Map<String, Value>) -> Value {
    let differs = |(field, value): &(&String, &Value)| other.get(*field) != Some(*value);
    let changed = of.iter().filter(differs);
    Value::Object(
        changed
            .map(|(field, value)| (field.clone(), value.clone()))
            .collect(),
    )
}
