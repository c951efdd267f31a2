//! The problems of refused changes of plans.

use std::collections::BTreeSet;

use gateway_identity::audience::Audience;
use gateway_identity::users::{HistoryQuery, HistoryScope, history_page, user_names};
use gateway_platform::plans::changes::{ChangedPlan, PlanChangeStatus, Verdict};
use gateway_platform::plans::log::{PLAN, RECEIVING_PLAN, REQUESTED_BY};
use gateway_platform::plans::refusal::{COMPANY_DELETED, ChangedSince, PlanError, PlanRefusal};
use ledger_domain::ids::UserId;
use serde_json::{Map, Value};
use tokio_postgres::GenericClient;

use crate::problem::{Problem, Result};

/// At most this many changes are read to name their fields.
const CHANGES_MAX: u32 = 50;

/// The result of a change, or its problem with the names of the users who are in the way.
pub(crate) async fn answered<T>(
    client: &impl GenericClient,
    result: std::result::Result<T, PlanError>,
) -> Result<T> {
    let refusal = match result {
        Ok(done) => return Ok(done),
        Err(PlanError::Refused(refusal)) => refusal,
        Err(error) => return Err(error.into()),
    };
    Err(match refusal {
        PlanRefusal::ChangedMeanwhile(since) => {
            let (who, what) = changes(client, since).await?;
            let noun = noun(since.plan);
            Problem::conflict(format!(
                "{who} alterou {noun} enquanto você editava: {what}. Confira os valores atuais antes de salvar."
            ))
        }
        PlanRefusal::ChangedAfterRequest(since) => {
            let (who, what) = changes(client, since).await?;
            let noun = noun(since.plan);
            Problem::conflict(format!(
                "{who} alterou {noun} depois deste pedido: {what}. Rejeite o pedido e faça a mudança de novo."
            ))
        }
        PlanRefusal::ChangePending(by) => {
            let by = by.as_slice();
            let names = user_names(client, Audience::Admin, by).await?;
            let who = by.iter().find_map(|user| names.get(user));
            let who = who.map_or("Outra pessoa", String::as_str);
            Problem::conflict(format!(
                "{who} já pediu uma mudança deste plano. Ela precisa ser aprovada, rejeitada ou retirada antes."
            ))
        }
        refusal => refusal.into(),
    })
}

impl From<PlanError> for Problem {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Database(error) => error.into(),
            PlanError::Platform(error) => error.into(),
            PlanError::Sales(error) => error.into(),
            PlanError::Form(error) => Self::internal(error),
            PlanError::Refused(refusal) => refusal.into(),
        }
    }
}

impl From<PlanRefusal> for Problem {
    fn from(refusal: PlanRefusal) -> Self {
        match refusal {
            PlanRefusal::NotFound => Self::not_found(),
            PlanRefusal::Invalid(errors) => errors.into(),
            PlanRefusal::RequestInvalid(errors) => outdated(errors.into()),
            PlanRefusal::ChangedMeanwhile(_)
            | PlanRefusal::ChangedAfterRequest(_)
            | PlanRefusal::ChangePending(_) => Self::conflict("Outra pessoa já mudou este plano."),
            PlanRefusal::NothingScheduled => Self::conflict("Este plano não tem mudança agendada."),
            PlanRefusal::FirstVersion => Self::conflict(
                "Esta é a primeira versão do plano. Em vez de retirá-la, mude a data ou inative o plano.",
            ),
            PlanRefusal::DefaultChanged(default) => {
                let what = match default {
                    Some(name) => format!("{name} virou o plano padrão depois deste pedido."),
                    None => "O plano padrão mudou depois deste pedido.".to_owned(),
                };
                Self::conflict(format!("{what} Rejeite o pedido e faça a mudança de novo."))
            }
            PlanRefusal::OtherResult => Self::conflict(
                "O plano mudou desde o pedido, e o resultado seria outro. Rejeite o pedido e faça a mudança de novo.",
            ),
            PlanRefusal::Decided(status) => Self::conflict(match status {
                PlanChangeStatus::Approved => "Esta mudança já foi aprovada.",
                PlanChangeStatus::Rejected => "Esta mudança já foi rejeitada.",
                PlanChangeStatus::Withdrawn => "Esta mudança já foi retirada.",
                PlanChangeStatus::Pending => "Esta mudança ainda não foi decidida.",
            }),
            PlanRefusal::OwnRequest(verdict) => {
                let verb = if verdict == Verdict::Approve {
                    "aprovar"
                } else {
                    "rejeitar"
                };
                Self {
                    message: format!(
                        "Quem pediu a mudança não pode {verb}. Outra pessoa decide, ou você retira o pedido."
                    )
                    .into(),
                    ..Self::forbidden()
                }
            }
            PlanRefusal::RequestOfOther => Self {
                message: "Só quem pediu a mudança pode retirá-la. Você pode rejeitá-la.".into(),
                ..Self::forbidden()
            },
            PlanRefusal::CompanyDeleted => Self::conflict(COMPANY_DELETED),
        }
    }
}

/// Turns the errors of fields into one 409, because an approval has no form that could show them at their fields.
fn outdated(problem: Problem) -> Problem {
    // Some messages, such as "requerido", need the name of their field.
    let reason = |(field, messages): (String, Vec<String>)| format!("{field}: {}", messages.join(" "));
    let reasons: Vec<_> = problem.errors.into_iter().map(reason).collect();
    Problem::conflict(format!(
        "Este pedido não pode mais ser aprovado. {}",
        reasons.join(" ")
    ))
}

/// Who made the changes, and which fields they changed.
async fn changes(client: &impl GenericClient, since: ChangedSince) -> Result<(String, String)> {
    let (subject, id) = match since.plan {
        ChangedPlan::Sales(plan) => (PLAN, plan.to_string()),
        ChangedPlan::Receiving(plan) => (RECEIVING_PLAN, plan.to_string()),
    };
    let history = HistoryQuery {
        subject,
        subject_id: Some(&id),
        scope: HistoryScope::All,
    };
    let paging = projections::Paging {
        page: 1,
        per_page: since.changes.min(CHANGES_MAX),
    };
    let entries = history_page(client, history, paging).await?.rows;
    let users: Vec<UserId> = entries.iter().filter_map(|entry| entry.actor.user_id()).collect();
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

const fn noun(plan: ChangedPlan) -> &'static str {
    match plan {
        ChangedPlan::Sales(_) => "este plano",
        ChangedPlan::Receiving(_) => "este plano de recebimento",
    }
}
