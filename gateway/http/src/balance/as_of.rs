//! A company's accounts as of an instant, for staff.

use axum::extract::State;
use chrono::{DateTime, Utc};
use gateway_platform::companies::company_fetch;
use ledger_domain::BusinessId;
use projections::TimeRange;
use projections::balance::as_of::{AsOf, Axis, balance_as_of};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::as_of::{AxisName, BalanceAsOf};
use crate::AppState;
use crate::edge::{Id, Json, Query, QueryValue, query};
use crate::problem::{Problem, Result};
use crate::shared::schemas::Word;

/// Get a company's accounts as of an instant
///
/// With `axis=recorded`, counts the events that were recorded by then. With `axis=effective`, counts the events that
/// had happened by then, even if they were recorded later. Without `as_of`, the current balances. Amounts are in cents.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/balance", tag = "ledger",
    responses((status = 200, body = BalanceAsOf))
)]
pub(crate) async fn get_balance_as_of(
    State(state): State<AppState>,
    Id(id): Id<BusinessId>,
    Query(query): Query<AsOfQuery>,
) -> Result<Json<BalanceAsOf>> {
    let company = existing_company(&state, id).await?;
    let as_of = query.or_now(&state);
    let db = state.db().await?;
    let found = balance_as_of(&*db, company, as_of).await?;
    Ok(Json(BalanceAsOf {
        as_of: as_of.instant,
        axis: Word(as_of.axis.into()),
        sequence: found.sequence,
        balances: found.accounts.into(),
    }))
}

/// The id of the path again, or a 404 if no company has it.
pub(crate) async fn existing_company(state: &AppState, id: BusinessId) -> Result<BusinessId> {
    let db = state.db().await?;
    let found = company_fetch(&*db, id).await?;
    found.map(|company| company.id).ok_or_else(Problem::not_found)
}

query! {
    /// An instant and an axis of time. Both are optional.
    #[derive(Debug, Clone, Copy)]
    pub struct AsOfQuery {
        /// UTC instant, inclusive. Later events are left out.
        #[name = "as_of"]
        #[example = "2026-11-21T14:03:11Z"]
        instant: Option<DateTime<Utc>>,
        /// recorded: by the time of recording. effective: by the time of occurrence. Default: recorded for balances and
        /// with `as_of`, effective for lists without `as_of`.
        axis: Option<Axis>,
    }
}

impl AsOfQuery {
    pub fn or_now(self, state: &AppState) -> AsOf {
        let axis = self.axis.unwrap_or(Axis::Recorded);
        AsOf {
            instant: self.instant.unwrap_or_else(|| state.clock.now()),
            axis,
        }
    }

    /// The instant with its axis. `None` if no instant is given.
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

    /// The range, which ends at the given instant if that is earlier.
    pub fn up_to(self, range: TimeRange) -> TimeRange {
        self.instant.map_or(range, |instant| range.up_to(instant))
    }
}

impl QueryValue for Axis {
    const INVALID: &'static str = "Deve ser recorded ou effective.";

    fn schema() -> RefOr<Schema> {
        AxisName::schema()
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "recorded" => Some(Self::Recorded),
            "effective" => Some(Self::Effective),
            _ => None,
        }
    }
}
