//! The entries of changes of plans in the audit log.

use serde_json::{Map, Value, json};
use tokio_postgres::{Error, GenericClient};

use super::PlanRecord;
use super::receiving::ReceivingPlan;
use super::terms::PlanFees;
use crate::audit::{Actor, Change, record};

/// The kinds of records in the audit log.
pub const PLAN: &str = "plan";
pub const RECEIVING_PLAN: &str = "receiving_plan";
/// Requests of changes that wait for a second person, and their decisions.
pub const PLAN_CHANGE: &str = "plan_change";
/// The changes of a company's plans are in the company's log.
pub use crate::companies::COMPANY;

/// The name of the user who requested an approved change, among the fields of its entry.
pub const REQUESTED_BY: &str = "requested_by";

/// The user who makes the change. If that user approves a request, also the name of its requester.
#[derive(Debug, Clone, Copy)]
pub struct ChangedBy<'a> {
    pub actor: Actor,
    pub requested_by: Option<&'a str>,
}

impl ChangedBy<'_> {
    pub const fn alone(actor: Actor) -> Self {
        Self {
            actor,
            requested_by: None,
        }
    }

    pub(super) async fn record(
        self,
        client: &impl GenericClient,
        mut change: Change<'_>,
    ) -> Result<(), Error> {
        if let (Some(name), Some(after)) = (self.requested_by, change.after.as_mut()) {
            after[REQUESTED_BY] = json!(name);
        }
        record(client, self.actor, change).await
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
