//! The e-mails about a change of a plan that needs a second person: the request, and its decision.

use chrono::{DateTime, Utc};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::compose::{EmailContext, brasilia_time, greeting};
use crate::rendered::{Action, RenderedEmail};

/// A requested change of a sales plan or a receiving plan.
pub struct PlanChangeFacts {
    plan: String,
    status: String,
    requested_by: Option<String>,
    requested_at: DateTime<Utc>,
    decided_by: Option<String>,
    reason: Option<String>,
}

impl PlanChangeFacts {
    pub(crate) fn is_pending(&self) -> bool {
        self.status == "pending"
    }
}

pub(crate) async fn plan_change_text(
    client: &impl GenericClient,
    change: Uuid,
) -> Result<Option<PlanChangeFacts>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT coalesce(p.description, r.description), c.status, requester.name, c.requested_at, decider.name,
                    c.reason
               FROM plan_change c
               LEFT JOIN plan p ON p.id = c.plan_id
               LEFT JOIN receiving_plan r ON r.id = c.receiving_plan_id
               LEFT JOIN admin_user requester ON requester.id = c.requested_by
               LEFT JOIN admin_user decider ON decider.id = c.decided_by
              WHERE c.id = $1",
            &[(&change, Type::UUID)],
        )
        .await?;
    Ok(row.map(|row| PlanChangeFacts {
        plan: row.get(0),
        status: row.get(1),
        requested_by: row.get(2),
        requested_at: row.get(3),
        decided_by: row.get(4),
        reason: row.get(5),
    }))
}

pub(crate) fn requested_email(context: &EmailContext<'_>) -> RenderedEmail {
    let Some(text) = context.plan_change else {
        return without_change(context);
    };
    let who = name(text.requested_by.as_deref());
    RenderedEmail {
        subject: format!("Mudança do plano {} aguarda aprovação", text.plan),
        greeting: greeting(context),
        paragraphs: vec![
            format!("{who} pediu uma mudança do plano {}.", text.plan),
            "Ela só vale depois que outra pessoa aprovar. Confira o que muda antes de decidir.".to_owned(),
        ],
        action: changes_action(context, "Ver o pedido", "&status=pending"),
        small_print: vec![format!("Pedido feito em {}.", brasilia_time(text.requested_at))],
    }
}

pub(crate) fn decided_email(context: &EmailContext<'_>) -> RenderedEmail {
    let Some(text) = context.plan_change else {
        return without_change(context);
    };
    let who = name(text.decided_by.as_deref());
    let (title, verb) = match text.status.as_str() {
        "approved" => ("aprovada", "aprovou"),
        _ => ("rejeitada", "rejeitou"),
    };
    let mut paragraphs = vec![format!(
        "{who} {verb} a mudança do plano {} que você pediu.",
        text.plan
    )];
    paragraphs.extend(text.reason.as_ref().map(|reason| format!("Motivo: {reason}")));
    RenderedEmail {
        subject: format!("Mudança do plano {} {title}", text.plan),
        greeting: greeting(context),
        paragraphs,
        action: changes_action(context, "Ver as mudanças", ""),
        small_print: vec![format!("Pedido feito em {}.", brasilia_time(text.requested_at))],
    }
}

fn name(name: Option<&str>) -> &str {
    name.unwrap_or("Outra pessoa")
}

fn changes_action(context: &EmailContext<'_>, label: &'static str, filter: &str) -> Option<Action> {
    Some(Action {
        label,
        url: format!("{}/ajustes/planos?tab=mudancas{filter}", context.email.panel_url),
    })
}

/// Requests are never deleted, so these words are only for an e-mail whose row was restored without its request.
fn without_change(context: &EmailContext<'_>) -> RenderedEmail {
    RenderedEmail {
        subject: "Mudança de plano".to_owned(),
        greeting: greeting(context),
        paragraphs: vec!["Há uma novidade em uma mudança de plano. Veja no painel.".to_owned()],
        action: changes_action(context, "Ver as mudanças", ""),
        small_print: vec![],
    }
}
