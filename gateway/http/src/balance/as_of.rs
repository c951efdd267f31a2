//! A company's accounts as of an instant, for staff.

use axum::extract::{Path, State};

use chrono::{DateTime, Utc};
use gateway_platform::companies::company_fetch;
use ledger_domain::BusinessId;
use projections::TimeRange;
use projections::as_of::{AsOf, Axis, balance_as_of};
use utoipa::IntoParams;

use super::bodies::as_of::{Axis as AxisParam, BalanceAsOf};
use crate::AppState;
use crate::edge::{FromQuery, Json, Query, QueryReader};
use crate::problem::{Problem, ProblemBody, Result};

/// Get a company's accounts as of an instant
///
/// With `axis=recorded`, counts the events that were recorded by then. With `axis=effective`, counts the events that
/// had happened by then, even if they were recorded later. Without `as_of`, the current balances. Amounts are in cents.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/balance", tag = "ledger",
    params(("id" = String, Path, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"), AsOfParams),
    responses(
        (status = 200, body = BalanceAsOf),
        (status = 404, description = "The company does not exist", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "Invalid values, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn get_balance_as_of(
    State(state): State<AppState>,
    Path(id): Path<String>,
    Query(query): Query<AsOfQuery>,
) -> Result<Json<BalanceAsOf>> {
    let company = existing_company(&state, &id).await?;
    let as_of = query.or_now(&state);
    let client = state.pool.get().await?;
    let found = balance_as_of(&**client, company, as_of).await?;
    Ok(Json(BalanceAsOf {
        as_of: as_of.instant,
        axis: as_of.axis.into(),
        sequence: found.sequence,
        balances: found.accounts.into(),
    }))
}

pub async fn existing_company(state: &AppState, id: &str) -> Result<BusinessId> {
    // An invalid id is a 404, like an unknown one.
    let id: BusinessId = id.parse().map_err(|_| Problem::not_found())?;
    let client = state.pool.get().await?;
    let found = company_fetch(&**client, id).await?;
    found.map(|company| company.id).ok_or_else(Problem::not_found)
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct AsOfParams {
    /// UTC instant, inclusive. Later events are left out.
    #[param(example = "2026-11-21T14:03:11Z")]
    as_of: Option<DateTime<Utc>>,
    /// recorded: by the time of recording. effective: by the time of occurrence. Default: recorded for balances and
    /// with `as_of`, effective for lists without `as_of`.
    #[param(inline)]
    axis: Option<AxisParam>,
}

/// An instant and an axis of time. Both are optional.
#[derive(Debug, Clone, Copy)]
pub struct AsOfQuery {
    instant: Option<DateTime<Utc>>,
    axis: Option<Axis>,
}

impl AsOfQuery {
    pub fn or_now(self, state: &AppState) -> AsOf {
        let axis = self.axis.unwrap_or(Axis::Recorded);
        AsOf {
            instant: self.instant.unwrap_or_else(|| state.clock.now()),
            axis,
        }
    }

    /// `None` if no instant is given.
    pub fn if_given(self) -> Option<AsOf> {
        let axis = self.axis();
        self.instant.map(|instant| AsOf { instant, axis })
    }

    /// The axis of a list. Without an instant it is the time of occurrence, as in a bank statement.
    pub fn axis(self) -> Axis {
        self.axis.unwrap_or(match self.instant {
            Some(_) => Axis::Recorded,
            None => Axis::Effective,
        })
    }

    pub fn up_to(self, range: TimeRange) -> TimeRange {
        self.instant.map_or(range, |instant| range.up_to(instant))
    }
}

impl FromQuery for AsOfQuery {
    fn read(query: &mut QueryReader) -> Self {
        let instant = query.read(
            "as_of",
            "Deve ser um instante no formato RFC 3339, como 2026-11-21T14:03:11Z.",
            |text| DateTime::parse_from_rfc3339(text).ok().map(DateTime::<Utc>::from),
        );
        let axis = query.read("axis", "Deve ser recorded ou effective.", |text| match text {
            "recorded" => Some(Axis::Recorded),
            "effective" => Some(Axis::Effective),
            _ => None,
        });
        Self { instant, axis }
    }
}
