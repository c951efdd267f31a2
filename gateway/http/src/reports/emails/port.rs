//! What the job of reports by e-mail needs of HTTP: the report's own handler answers for a period, with the stored
//! filters. Access and e-mails are those of the identity crate.

use axum::extract::State;
use axum::response::Response;
use chrono::NaiveDate;
use futures::{StreamExt, TryStreamExt};
use gateway_environment::time_zone::TimeZone;
use gateway_identity::credentials::account::user_by_id;
use gateway_identity::email_queue::{EmailKind, Facts, OutboxEmail, ReportFacts};
use gateway_identity::report_access::{ReportReaders, lock_and_check_may_read};
use gateway_identity::roles::SellerRole;
use gateway_identity::users::UserError;
use gateway_platform::reports::{
    Filters, PortError, ReportEmail, ReportEmails, ReportName, ReportNotice, ReportOwner, ReportPort,
    WakeSender, Workbook,
};
use ledger_domain::BusinessId;
use tokio_postgres::Transaction;

use crate::AppState;
use crate::edge::{CurrentBusiness, FromQuery, Id, ListQuery, Query, QueryReader, QueryValue};
use crate::problem::{Problem, Result};
use crate::reports::{seller, staff};
use crate::spreadsheet::{ResponseFormat, Spreadsheet};
use crate::withdrawals;

/// The calls of reports, for the job.
#[derive(Clone)]
pub struct ReportCalls(AppState);

/// The job of reports by e-mail.
pub fn report_emails(state: AppState) -> ReportEmails<ReportCalls> {
    let (pool, clock, completeness) = (state.pool.clone(), state.clock, state.completeness.clone());
    ReportEmails::new(pool, clock, completeness, ReportCalls(state))
}

impl ReportPort for ReportCalls {
    async fn lock_and_check_may_read(
        &self,
        tx: &Transaction<'_>,
        owner: ReportOwner,
        report: ReportName,
    ) -> Result<bool, PortError> {
        match lock_and_check_may_read(tx, owner, report).await {
            Ok(()) => Ok(true),
            Err(UserError::ActorAccessEnded) => Ok(false),
            Err(error) => Err(Problem::from(error).into()),
        }
    }

    fn roles_of(&self, report: ReportName) -> Vec<String> {
        ReportReaders::of(report).role_names()
    }

    async fn workbook(
        &self,
        email: &ReportEmail,
        report: ReportName,
        period: (NaiveDate, NaiveDate),
    ) -> Result<Option<Workbook>, PortError> {
        let filters = report.filters_within(&email.filters, period);
        let format = ResponseFormat::Spreadsheet(Spreadsheet::workbook(report.file_stem(period)));
        match call(self.0.clone(), email.owner, report, &filters, format).await {
            Ok(answer) => {
                let content = answer.into_body().into_data_stream();
                Ok(Some(
                    content.map_err(|error| Problem::internal(error).into()).boxed(),
                ))
            }
            Err(problem) if problem.status.is_client_error() => Ok(None),
            Err(problem) => Err(problem.into()),
        }
    }

    async fn queue_email(
        &self,
        tx: &Transaction<'_>,
        email: &ReportEmail,
        report: ReportName,
        notice: ReportNotice,
    ) -> Result<Option<WakeSender>, PortError> {
        let owner = email.owner;
        let account = user_by_id(tx, owner.audience, owner.user).await;
        let Some(account) = account.map_err(Problem::from)? else {
            return Ok(None);
        };
        let (kind, delivery) = match notice {
            ReportNotice::Ready(delivery) => (EmailKind::ReportReady, Some(delivery)),
            ReportNotice::Stopped => (EmailKind::ReportStopped, None),
        };
        let outbox_email = OutboxEmail {
            kind,
            audience: owner.audience,
            user: Some(owner.user),
            recipient: &account.email,
            panel_url: &email.panel_url,
            facts: Facts {
                report: Some(ReportFacts {
                    report_email: email.id,
                    title: report.label().to_owned(),
                    delivery,
                }),
                ..Facts::default()
            },
        };
        let queued = self.0.mail.enqueue(tx, &outbox_email).await;
        let queued = queued.map_err(Problem::from)?;
        Ok(Some(Box::new(move || queued.wake())))
    }
}

/// A problem has logged its cause.
impl From<Problem> for PortError {
    fn from(problem: Problem) -> Self {
        Self(problem.message.into())
    }
}

async fn call(
    state: AppState,
    owner: ReportOwner,
    report: ReportName,
    filters: &Filters,
    format: ResponseFormat,
) -> Result<Response> {
    let db = state.db().await?;
    let extracted = State(state.clone());
    match report {
        ReportName::Totals => {
            seller::get_sales_report(extracted, company(owner)?, format, read(filters)?, db).await
        }
        ReportName::Financial => {
            seller::get_financial_report(extracted, company(owner)?, format, read(filters)?, db).await
        }
        ReportName::Terminals => {
            seller::get_terminal_sales(extracted, company(owner)?, format, read(filters)?, db).await
        }
        ReportName::Settled => {
            staff::get_financial_report_of_all(extracted, format, read(filters)?, db).await
        }
        ReportName::Billing => staff::get_billing_report(extracted, format, read(filters)?, db).await,
        ReportName::BillingBusinesses => {
            staff::get_billing_by_company(extracted, format, read(filters)?, db).await
        }
        ReportName::TotalSales => staff::get_total_sales(extracted, format, read(filters)?, db).await,
        ReportName::CompanyTerminals => {
            let company = filters
                .get("business_id")
                .and_then(|text| <BusinessId as QueryValue>::parse(text));
            let company = Id(company.ok_or_else(Problem::not_found)?);
            staff::get_company_terminal_sales(extracted, company, format, read(filters)?, db).await
        }
        ReportName::Withdrawals => {
            drop(db);
            let mut reader = QueryReader::of_stored(filters);
            reader.set_zone(TimeZone::BRASILIA);
            let query = reader.read_all()?;
            let list = ListQuery {
                query,
                zone: TimeZone::BRASILIA,
            };
            withdrawals::staff::withdrawals_of_report(state, list, format).await
        }
    }
}

fn read<Q: FromQuery>(filters: &Filters) -> Result<Query<Q>> {
    QueryReader::of_stored(filters).read_all().map(Query)
}

/// Stands for the value that the guard of sellers' calls passes to a handler. Reports use only its `id`.
fn company(owner: ReportOwner) -> Result<CurrentBusiness> {
    let id = owner.business.ok_or_else(Problem::forbidden)?;
    Ok(CurrentBusiness {
        id,
        role: SellerRole::Admin,
        seller: owner.user,
        allowed: &[],
    })
}
