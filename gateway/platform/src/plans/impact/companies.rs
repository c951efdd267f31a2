//! The companies that a change touches, in pages by id. A deleted company neither sells nor withdraws, so no change
//! touches it.

use ledger_domain::{BusinessId, PlanId};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::Question;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AffectedCompany {
    pub id: BusinessId,
    /// Whether the plan is the company's own, and not the default that it falls back to.
    pub own: bool,
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

/// The statement's parameters.
struct Parameters {
    solution: i16,
    plan: Option<Uuid>,
    touches_default: bool,
}

impl Parameters {
    fn of(question: &Question) -> Self {
        match question {
            Question::Sales(question) => Self {
                solution: question.solution.number().into(),
                plan: question.plan.map(PlanId::uuid),
                touches_default: question.touches_default,
            },
            Question::Withdrawals(question) => Self {
                // Not used: `OF_RECEIVING_PLAN` has only the plan as a parameter.
                solution: 0,
                plan: Some(question.plan),
                touches_default: false,
            },
        }
    }

    fn statement(&self, question: &Question) -> (&'static str, Vec<(&(dyn ToSql + Sync), Type)>) {
        match question {
            Question::Sales(_) => (
                OF_SALES_PLAN,
                vec![
                    (&self.solution, Type::INT2),
                    (&self.plan, Type::UUID),
                    (&self.touches_default, Type::BOOL),
                ],
            ),
            Question::Withdrawals(_) => (OF_RECEIVING_PLAN, vec![(&self.plan, Type::UUID)]),
        }
    }
}

pub(super) async fn count(client: &impl GenericClient, question: &Question) -> Result<i64, Error> {
    let parameters = Parameters::of(question);
    let (companies, parameters) = parameters.statement(question);
    let sql = format!("SELECT count(*) FROM ({companies}) AS touched");
    client.query_typed_one(&sql, &parameters).await?.try_get(0)
}

/// At most `limit` companies by id.
pub(super) async fn page(
    client: &impl GenericClient,
    question: &Question,
    from: FirstCompany,
    limit: i64,
) -> Result<Vec<AffectedCompany>, Error> {
    let parameters = Parameters::of(question);
    let (companies, mut parameters) = parameters.statement(question);
    // No company has the nil id, so every company is above it.
    let (comparison, start) = match from {
        FirstCompany::Start => (">", Uuid::nil()),
        FirstCompany::At(company) => (">=", company.uuid()),
        FirstCompany::After(company) => (">", company.uuid()),
    };
    let next = parameters.len() + 1;
    parameters.extend([(&start as &(dyn ToSql + Sync), Type::UUID), (&limit, Type::INT8)]);
    let sql = format!(
        "{companies} AND b.id {comparison} ${next} ORDER BY b.id LIMIT ${}",
        next + 1
    );
    let rows = client.query_typed(&sql, &parameters).await?;
    rows.iter()
        .map(|row| {
            Ok(AffectedCompany {
                id: BusinessId::from_uuid(row.try_get(0)?),
                own: row.try_get(1)?,
            })
        })
        .collect()
}
