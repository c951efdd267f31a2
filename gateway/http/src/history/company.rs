//! What was checked of a company's history, and its proofs, for its users.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chrono::NaiveDate;
use gateway_platform::proofs::{Days, ProofError, Proofs, checks};
use ledger_domain::SaleId;
use ledger_store::audit::checkpoint;
use ledger_store::{Shard, log};
use razao_verify::proof::Proof;

use super::bodies::{HistoryCheckpoint, VerifiedHistory};
use super::keys::ledger_keys;
use crate::AppState;
use crate::edge::query::check_period;
use crate::edge::{CurrentBusiness, Db, Id, Json, Query, query};
use crate::problem::{Problem, Result};
use crate::spreadsheet::attachment;

/// Get what was checked of the company's history
///
/// The last checkpoint of the ledger that covers the company's events, the witnesses that saw it, and the last checks of
/// the whole ledger.
#[utoipa::path(
    get, path = "/business/{businessId}/verified-history", tag = "ledger",
    responses((status = 200, body = VerifiedHistory))
)]
pub(crate) async fn get_verified_history(
    State(state): State<AppState>,
    business: CurrentBusiness,
    db: Db,
) -> Result<Json<VerifiedHistory>> {
    let note = checkpoint::latest(&*db, Shard::of(business.id)).await;
    let cosigned = checkpoint::last_cosigned(&*db).await?;
    let head = log::head(&*db, business.id).await?;
    Ok(Json(VerifiedHistory {
        checkpoint: note
            .map_err(Problem::internal)?
            .map(|note| HistoryCheckpoint::of(&note, &cosigned)),
        events: head.map_or(0, |head| head.version),
        checks: checks(&db).await?.into(),
        keys: ledger_keys(&state, &db).await?,
    }))
}

/// What a browser can wait for and check.
const EVENTS_MAX: i64 = 20_000;

/// Get the proof of the company's history
///
/// A file with all events of the company up to the last checkpoint, its balances, and the figures of a period, which
/// anybody can check with the ledger's public key (docs/proof-format.md). Without dates it has no period. Who caused an
/// event is not in it.
#[utoipa::path(
    get, path = "/business/{businessId}/verified-history/proof", tag = "ledger",
    responses(
        (status = 200, description = "The file", body = String, content_type = "application/json"),
        (status = 409, description = "No checkpoint covers an event of the company yet"),
        (status = 422, description = "The company has more events than a browser can wait for"),
    )
)]
pub(crate) async fn get_company_proof(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(query): Query<PeriodQuery>,
) -> Result<Response> {
    let days = query.days()?;
    let proof = proofs(&state).small_company(business.id, days, EVENTS_MAX).await;
    let name = match days {
        Some(Days { from, to }) => format!("comprovante-{from}-a-{to}.json"),
        None => "comprovante.json".to_owned(),
    };
    Ok(attached(&proof.map_err(problem)?, &name))
}

/// Get the proof of a sale
///
/// A file that shows that the events of the sale are in the ledger, which anybody can check with the ledger's public key
/// (docs/proof-format.md).
#[utoipa::path(
    get, path = "/business/{businessId}/sales/{sale_id}/proof", tag = "ledger",
    responses(
        (status = 200, description = "The file", body = String, content_type = "application/json"),
        (status = 409, description = "No checkpoint covers the sale yet"),
    )
)]
pub(crate) async fn get_sale_proof(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(sale): Id<SaleId>,
) -> Result<Response> {
    let claims = log::claims(&*state.db().await?, &[sale]).await?;
    if claims
        .get(&sale)
        .is_none_or(|claim| claim.business_id != business.id)
    {
        return Err(Problem::not_found());
    }
    let proof = proofs(&state).sale(business.id, sale).await.map_err(problem)?;
    Ok(attached(&proof, &format!("comprovante-{sale}.json")))
}

pub(crate) struct PeriodQuery {
    start: Option<NaiveDate>,
    end: Option<NaiveDate>,
}

query! {
    impl FromQuery for PeriodQuery with query {
        /// First business date, included. With an end only.
        start: Option<NaiveDate>,
        /// Last business date, included. With a start only.
        end: Option<NaiveDate>,
    } => {
        check_period(query, start, end);
        Self { start, end }
    }
}

impl PeriodQuery {
    fn days(&self) -> Result<Option<Days>> {
        match (self.start, self.end) {
            (Some(from), Some(to)) => Ok(Some(Days { from, to })),
            (None, None) => Ok(None),
            (Some(_), None) => Err(Problem::field("end", "Informe o fim do período.")),
            (None, Some(_)) => Err(Problem::field("start", "Informe o início do período.")),
        }
    }
}

fn proofs(state: &AppState) -> Proofs {
    Proofs {
        pool: state.pool.clone(),
        keys: state.config.keys.checkpoint.get().verifying(),
    }
}

fn attached(proof: &Proof, name: &str) -> Response {
    let json = HeaderValue::from_static("application/json");
    let headers = [
        (header::CONTENT_TYPE, json),
        (header::CONTENT_DISPOSITION, attachment(name)),
    ];
    (headers, proof.text()).into_response()
}

fn problem(error: ProofError) -> Problem {
    match error {
        error if error.is_not_yet() => {
            Problem::conflict("Ainda não há comprovante: o histórico é assinado uma vez por dia.")
        }
        ProofError::TooLarge { .. } => Problem::unprocessable(
            "Este histórico é grande demais para baixar aqui. Peça o arquivo à plataforma.",
        ),
        ProofError::Pool(error) => error.into(),
        ProofError::Database(error) => error.into(),
        error => Problem::internal(error),
    }
}
