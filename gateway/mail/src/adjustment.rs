//! The e-mails about an adjustment of a balance that needs a second person: the request, and its decision.

use chrono::{DateTime, Utc};
use ledger_domain::Cents;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::compose::{EmailContext, brasilia_time, greeting};
use crate::rendered::{Action, RenderedEmail};

/// A requested credit, removal or release.
pub struct AdjustmentFacts {
    kind: String,
    amount: Cents,
    company: String,
    reason: String,
    status: String,
    requested_by: Option<String>,
    requested_at: DateTime<Utc>,
    decided_by: Option<String>,
    decision_reason: Option<String>,
}

impl AdjustmentFacts {
    pub(crate) fn is_pending(&self) -> bool {
        self.status == "pending"
    }

    /// "crédito manual de R$ 5.000,00, empresa Padaria"
    fn what(&self) -> String {
        if self.kind == "plan" {
            return format!(
                "planos que custariam {} por mês, empresa {}",
                self.amount, self.company
            );
        }
        let kind = match self.kind.as_str() {
            "credit" => "crédito manual",
            "removal" => "débito manual",
            _ => "liberação de saldo",
        };
        format!("{kind} de {}, empresa {}", self.amount, self.company)
    }
}

pub(crate) async fn adjustment_facts(
    client: &impl GenericClient,
    request: Uuid,
) -> Result<Option<AdjustmentFacts>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT r.kind, r.amount, b.name, r.reason, r.status, requester.name, r.requested_at, decider.name,
                    r.decision_reason
               FROM adjustment_request r
               JOIN business b ON b.id = r.business_id
               LEFT JOIN admin_user requester ON requester.id = r.requested_by
               LEFT JOIN admin_user decider ON decider.id = r.decided_by
              WHERE r.id = $1",
            &[(&request, Type::UUID)],
        )
        .await?;
    Ok(row.map(|row| AdjustmentFacts {
        kind: row.get(0),
        amount: Cents::new(row.get(1)),
        company: row.get(2),
        reason: row.get(3),
        status: row.get(4),
        requested_by: row.get(5),
        requested_at: row.get(6),
        decided_by: row.get(7),
        decision_reason: row.get(8),
    }))
}

pub(crate) fn requested_email(context: &EmailContext<'_>) -> RenderedEmail {
    let Some(facts) = context.adjustment else {
        return without_request(context);
    };
    let who = name(facts.requested_by.as_deref());
    RenderedEmail {
        subject: format!("Ajuste de {} aguarda aprovação", facts.amount),
        greeting: greeting(context),
        paragraphs: vec![
            format!(
                "{who} pediu um ajuste acima do limite de uma só pessoa: {}.",
                facts.what()
            ),
            format!("Motivo: {}", facts.reason),
            "Ele só vale depois que outra pessoa aprovar. Confira antes de decidir.".to_owned(),
        ],
        action: requests_action(context, "Ver o pedido", "&status=pending"),
        small_print: vec![format!("Pedido feito em {}.", brasilia_time(facts.requested_at))],
    }
}

pub(crate) fn decided_email(context: &EmailContext<'_>) -> RenderedEmail {
    let Some(facts) = context.adjustment else {
        return without_request(context);
    };
    let who = name(facts.decided_by.as_deref());
    let (title, verb) = match facts.status.as_str() {
        "rejected" => ("rejeitado", "rejeitou"),
        _ => ("aprovado", "aprovou"),
    };
    let mut paragraphs = vec![format!("{who} {verb} o ajuste que você pediu: {}.", facts.what())];
    paragraphs.extend(
        facts
            .decision_reason
            .as_ref()
            .map(|reason| format!("Motivo: {reason}")),
    );
    RenderedEmail {
        subject: format!("Ajuste de {} {title}", facts.amount),
        greeting: greeting(context),
        paragraphs,
        action: requests_action(context, "Ver os pedidos", ""),
        small_print: vec![format!("Pedido feito em {}.", brasilia_time(facts.requested_at))],
    }
}

fn name(name: Option<&str>) -> &str {
    name.unwrap_or("Outra pessoa")
}

fn requests_action(context: &EmailContext<'_>, label: &'static str, filter: &str) -> Option<Action> {
    Some(Action {
        label,
        url: format!(
            "{}/ajustes/operacao?tab=adjustments{filter}",
            context.email.panel_url
        ),
    })
}

/// Requests are never deleted, so these words are only for an e-mail whose row was restored without its request.
fn without_request(context: &EmailContext<'_>) -> RenderedEmail {
    RenderedEmail {
        subject: "Ajuste de saldo".to_owned(),
        greeting: greeting(context),
        paragraphs: vec!["Há uma novidade em um ajuste de saldo. Veja no painel.".to_owned()],
        action: requests_action(context, "Ver os pedidos", ""),
        small_print: vec![],
    }
}
