//! The companies that a change touches, in pages by id. A deleted company neither sells nor withdraws, so no change
//! touches it.

use ledger_domain::BusinessId;
use ledger_rows::{Parameters, fetch, params, row, value};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::Question;

row! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct AffectedCompany {
        pub id: BusinessId,
        /// Whether the plan is the company's own, and not the default that it falls back to.
        pub own: bool,
    }
}

/// Where a page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstCompany {
    Start,
    /// The company itself again: some of its rows are still to be read.
    At(BusinessId),
    After(BusinessId),
}

const OF_SALES_PLAN: &str = "SELECT b.id, own.plan_id IS NOT NULL AS own
       FROM business AS b
       LEFT JOIN LATERAL (SELECT plan_id FROM plan_assignment
                           WHERE business_id = b.id AND solution = $1
                           ORDER BY valid_from DESC LIMIT 1) AS own ON true
      WHERE b.approval <> 'deleted' AND (own.plan_id = $2 OR (own.plan_id IS NULL AND $3))";

const OF_RECEIVING_PLAN: &str = "SELECT b.id, true AS own
       FROM business AS b
      WHERE b.approval <> 'deleted' AND b.receiving_plan_id = $1";

/// The statement without its conditions of a page, and its parameters.
fn statement(question: &Question) -> (&'static str, Parameters<'_>) {
    match question {
        Question::Sales(question) => (
            OF_SALES_PLAN,
            params![question.solution, question.plan, question.touches_default],
        ),
        Question::Withdrawals(question) => (OF_RECEIVING_PLAN, params![question.plan]),
    }
}

pub(super) async fn count(client: &impl GenericClient, question: &Question) -> Result<i64, Error> {
    let (companies, parameters) = statement(question);
    let sql = format!("SELECT count(*) FROM ({companies}) AS touched");
    value(client, &sql, parameters).await
}

/// At most `limit` companies by id.
pub(super) async fn page(
    client: &impl GenericClient,
    question: &Question,
    from: FirstCompany,
    limit: i64,
) -> Result<Vec<AffectedCompany>, Error> {
    // No company has the nil id, so every company is above it.
    let (comparison, start) = match from {
        FirstCompany::Start => (">", Uuid::nil()),
        FirstCompany::At(company) => (">=", company.uuid()),
        FirstCompany::After(company) => (">", company.uuid()),
    };
    let (companies, mut parameters) = statement(question);
    let next = parameters.len() + 1;
    parameters.extend(params![start, limit]);
    let sql = format!(
        "{companies} AND b.id {comparison} ${next} ORDER BY b.id LIMIT ${}",
        next + 1
    );
    fetch(client, &sql, parameters).await
}
