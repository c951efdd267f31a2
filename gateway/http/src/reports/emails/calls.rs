//! The calls of reports by e-mail. Both panels have the same ones.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures::stream;
use gateway_identity::credentials::account::user_by_id;
use gateway_platform::reports::{
    NewReportEmail, REPORT_EMAIL, REPORT_EMAILS_MAX, ReportDelivery, ReportEmail as Record, ReportEmailError,
    ReportName, StoppedBy, delivery_fetch, report_email_create, report_email_fetch, report_email_locked,
    report_email_stop, report_emails_of,
};
use ledger_domain::calendar::business_date;
use serde_json::json;
use uuid::Uuid;

use super::bodies::{ReportEmail, ReportEmailForm, ReportEmailList, ReportFile};
use super::download::attached;
use super::spreadsheets::REPORT_EMAILS;
use crate::AppState;
use crate::edge::{Db, Id, Json, PanelUrl, uuid_param};
use crate::problem::{Problem, Result};
use crate::reports::caller::ReportCaller;
use crate::shared::change::{Change, Changed, Subject};
use crate::shared::form::IdempotentForm;
use crate::spreadsheet::ResponseFormat;

uuid_param!(
    ReportEmailId,
    "report by e-mail",
    "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b21"
);
uuid_param!(DeliveryId, "file", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b22");

const SUBJECT: Subject = Subject(REPORT_EMAIL);

/// List own reports by e-mail
///
/// The reports that the signed-in user gets by e-mail, the newest first, and those that the platform stopped. A
/// seller's belong to the company of the request.
#[utoipa::path(
    get, path = "/report-emails", tag = "reports",
    responses((status = 200, body = ReportEmailList))
)]
pub(crate) async fn list_report_emails(
    caller: ReportCaller,
    format: ResponseFormat,
    db: Db,
) -> Result<Response> {
    let emails = report_emails_of(&*db, caller.owner).await?;
    let data: Vec<_> = emails.into_iter().filter_map(ReportEmail::of).collect();
    drop(db);
    if let ResponseFormat::Spreadsheet(file) = format {
        return file.respond(&REPORT_EMAILS, stream::iter([Ok(data)])).await;
    }
    Ok(Json(ReportEmailList { data }).into_response())
}

/// Create a report by e-mail
///
/// The report is sent once for each week or month that has ended, to the user's confirmed address. The first one is of
/// the period that is running now. Before each e-mail, the user must still be active and have access to the report.
#[utoipa::path(
    post, path = "/report-emails", tag = "reports",
    responses(
        (status = 201, body = ReportEmail),
        (status = 409, description = "The user's address is not confirmed, or the user already gets 10 reports by e-mail"),
    )
)]
pub(crate) async fn create_report_email(
    PanelUrl(panel_url): PanelUrl,
    change: Change<ReportCaller, IdempotentForm<ReportEmailForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, form| {
            let ReportEmailForm {
                report,
                rhythm,
                filters,
            } = form;
            work.caller.check_may_read_now(work, report).await?;
            let owner = work.caller.owner;
            let account = user_by_id(&**work, owner.audience, owner.user).await?;
            if !account.is_some_and(|account| account.email_verified) {
                return Err(Problem::conflict(NOT_CONFIRMED));
            }
            let now = work.now();
            let new = NewReportEmail {
                id: work.state.ids.new_uuid(),
                report,
                rhythm,
                filters: &filters,
                panel_url: &panel_url,
                created_at: now,
                due_on: rhythm.end_after(business_date(now)),
            };
            report_email_create(&**work, owner, &new).await?;
            let created = report_email_fetch(&**work, new.id).await?;
            let created = created.and_then(ReportEmail::of);
            let created = created.ok_or_else(|| Problem::internal("a new report by e-mail is missing"))?;
            let after = json!({
                "report": report, "every": rhythm, "filters": filters, "business_id": owner.business,
            });
            Ok(SUBJECT.entry("create", new.id).after(after).answer(created))
        })
        .await
}

const NOT_CONFIRMED: &str =
    "Confirme o seu e-mail em Minha conta. Depois você pode receber relatórios por e-mail.";

/// Stop a report by e-mail
///
/// No further period is sent. A report by e-mail that had already stopped leaves the list.
#[utoipa::path(
    delete, path = "/report-emails/{id}", tag = "reports",
    responses((status = 204, description = "The e-mails have stopped"))
)]
pub(crate) async fn delete_report_email(
    Id(ReportEmailId(id)): Id<ReportEmailId>,
    change: Change<ReportCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::NO_CONTENT, async |work, ()| {
            let found = report_email_locked(&**work, id).await?;
            let email = found.filter(|email| email.owner == work.caller.owner);
            let email = email.ok_or_else(Problem::not_found)?;
            if matches!(email.stopped, Some((_, StoppedBy::User))) {
                return Ok(Changed::nothing(()));
            }
            let by = StoppedBy::User;
            report_email_stop(&**work, id, by, work.now()).await?;
            let entry = SUBJECT.entry("stop", id).after(json!({ "stopped_by": by }));
            Ok(entry.answer(()))
        })
        .await
}

/// Download the file of a report by e-mail
///
/// Until it expires, a week after it was made, and only while the user may read the report.
#[utoipa::path(
    get, path = "/report-emails/files/{id}", tag = "reports",
    responses(
        (status = 200, description = "The workbook", content((ReportFile = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 410, description = "The file has expired"),
    )
)]
pub(crate) async fn download_report_file(
    State(state): State<AppState>,
    caller: ReportCaller,
    Id(DeliveryId(id)): Id<DeliveryId>,
) -> Result<Response> {
    let db = state.db().await?;
    let (email, delivery) = own_delivery(&db, &caller, id).await?;
    drop(db);
    let report = ReportName::parse(&email.report).map_err(|_| Problem::not_found())?;
    caller.check_may_read(report)?;
    if delivery.expires_at <= state.clock.now() {
        let message = "Este arquivo não está mais disponível: ele podia ser baixado por sete dias.";
        return Err(Problem::new(StatusCode::GONE, message));
    }
    Ok(attached(state, &delivery))
}

/// The file of another user, or of another company, is a 404, like an unknown one.
async fn own_delivery(db: &Db, caller: &ReportCaller, id: Uuid) -> Result<(Record, ReportDelivery)> {
    let delivery = delivery_fetch(&**db, id).await?.ok_or_else(Problem::not_found)?;
    let email = report_email_fetch(&**db, delivery.report_email).await?;
    let email = email.filter(|email| email.owner == caller.owner);
    Ok((email.ok_or_else(Problem::not_found)?, delivery))
}

impl From<ReportEmailError> for Problem {
    fn from(error: ReportEmailError) -> Self {
        match error {
            ReportEmailError::TooMany => Self::conflict(format!(
                "Você já recebe {REPORT_EMAILS_MAX} relatórios por e-mail. Pare um para pedir outro."
            )),
            ReportEmailError::Database(error) => error.into(),
        }
    }
}
