//! The reports that users get by e-mail, each week or month. The files that were sent are in `deliveries`.

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, Utc};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use ledger_rows::{FromRow, execute, fetch, fetch_opt, params, row, value};
use thiserror::Error;
use tokio_postgres::types::Json;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::{Filters, ReportName, ReportOwner};
use crate::audience::Audience;

/// The subject in the audit log.
pub const REPORT_EMAIL: &str = "report_email";

/// The most reports by e-mail that one user has at a time. Stopped ones do not count.
pub const REPORT_EMAILS_MAX: usize = 10;

ledger_domain::words! {
    /// week: each Monday to Sunday. month: each calendar month. Days are those in Brasília. A period is sent once it
    /// has ended.
    pub enum Rhythm {
        Week = "week" => "Toda semana",
        Month = "month" => "Todo mês",
    }
}

impl Rhythm {
    /// The day after the period that contains the date: the next Monday, or the first of the next month.
    pub fn end_after(self, date: NaiveDate) -> NaiveDate {
        match self {
            Self::Week => {
                let days = 7 - u64::from(date.weekday().num_days_from_monday());
                date.checked_add_days(Days::new(days)).unwrap_or(date)
            }
            Self::Month => {
                let first = date.with_day(1).unwrap_or(date);
                first.checked_add_months(Months::new(1)).unwrap_or(date)
            }
        }
    }

    /// The first and the last day of the period that ended before `due_on`.
    pub fn period_before(self, due_on: NaiveDate) -> (NaiveDate, NaiveDate) {
        let start = match self {
            Self::Week => due_on.checked_sub_days(Days::new(7)),
            Self::Month => due_on.checked_sub_months(Months::new(1)),
        };
        (start.unwrap_or(due_on), due_on.pred_opt().unwrap_or(due_on))
    }
}

ledger_domain::words! {
    /// Why a report is no longer sent. access: the user may no longer read the report. filters: the report refuses the
    /// filters, or has more rows with them than a sheet holds.
    pub enum StoppedBy {
        User = "user",
        Access = "access",
        Filters = "filters",
    }
}

/// A report that a user gets by e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportEmail {
    pub id: Uuid,
    pub owner: ReportOwner,
    /// In most cases a `ReportName`. A newer version of the program may store others.
    pub report: String,
    pub rhythm: Rhythm,
    /// Without a period.
    pub filters: Filters,
    pub panel_url: String,
    pub created_at: DateTime<Utc>,
    /// The day on which the next period is sent: the day after that period.
    pub due_on: NaiveDate,
    /// `None` while the report is sent.
    pub stopped: Option<(DateTime<Utc>, StoppedBy)>,
    /// The end of the last period that was sent.
    pub last_sent: Option<NaiveDate>,
}

#[derive(Debug, Clone, Copy)]
pub struct NewReportEmail<'a> {
    pub id: Uuid,
    pub report: ReportName,
    pub rhythm: Rhythm,
    pub filters: &'a Filters,
    pub panel_url: &'a str,
    pub created_at: DateTime<Utc>,
    pub due_on: NaiveDate,
}

#[derive(Debug, Error)]
pub enum ReportEmailError {
    #[error("the user already gets {REPORT_EMAILS_MAX} reports by e-mail, which is the limit")]
    TooMany,
    #[error("the database failed: {0}")]
    Database(#[from] Error),
}

row! {
    impl FromRow for ReportEmail {
        id: Uuid = "e.id",
        audience: Audience = "e.audience",
        user: UserId = "e.user_id",
        business: Option<BusinessId> = "e.business_id",
        report: String = "e.report",
        rhythm: Rhythm = "e.every",
        filters: Json<Filters> = "e.filters",
        panel_url: String = "e.panel_url",
        created_at: DateTime<Utc> = "e.created_at",
        due_on: NaiveDate = "e.due_on",
        stopped_at: Option<DateTime<Utc>> = "e.stopped_at",
        stopped_by: Option<StoppedBy> = "e.stopped_by",
        last_sent: Option<NaiveDate> =
            "(SELECT max(period_end) FROM report_delivery WHERE report_email_id = e.id)",
    } => Self {
        id,
        owner: ReportOwner { audience, user, business },
        report,
        rhythm,
        filters: filters.0,
        panel_url,
        created_at,
        due_on,
        stopped: stopped_at.zip(stopped_by),
        last_sent,
    }
}

/// A statement that reads reports by e-mail. `rest` begins with its `WHERE`.
fn select(rest: &str) -> String {
    format!("SELECT {} FROM report_email e {rest}", ReportEmail::COLUMNS)
}

/// The owner's reports by e-mail, the latest first. Those that the user stopped are left out.
pub async fn report_emails_of(
    client: &impl GenericClient,
    owner: ReportOwner,
) -> Result<Vec<ReportEmail>, Error> {
    let sql = select(
        "WHERE e.user_id = $1 AND e.audience = $2 AND e.business_id IS NOT DISTINCT FROM $3
           AND e.stopped_by IS DISTINCT FROM 'user'
         ORDER BY e.created_at DESC, e.id DESC",
    );
    fetch(client, &sql, params![owner.user, owner.audience, owner.business]).await
}

/// One report by e-mail, locked until the transaction ends. Waits for a period that is being sent.
pub async fn report_email_locked(
    client: &impl GenericClient,
    id: Uuid,
) -> Result<Option<ReportEmail>, Error> {
    fetch_opt(client, &select("WHERE e.id = $1 FOR UPDATE"), params![id]).await
}

pub async fn report_email_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<ReportEmail>, Error> {
    fetch_opt(client, &select("WHERE e.id = $1"), params![id]).await
}

/// The caller has locked the user's row, so that two requests at once cannot pass the limit.
pub async fn report_email_create(
    client: &impl GenericClient,
    owner: ReportOwner,
    new: &NewReportEmail<'_>,
) -> Result<(), ReportEmailError> {
    let sql = "SELECT count(*) FROM report_email WHERE user_id = $1 AND audience = $2 AND stopped_at IS NULL";
    let active: u64 = value(client, sql, params![owner.user, owner.audience]).await?;
    if usize::try_from(active).unwrap_or(usize::MAX) >= REPORT_EMAILS_MAX {
        return Err(ReportEmailError::TooMany);
    }
    let sql =
        "INSERT INTO report_email (id, audience, user_id, business_id, report, every, filters, panel_url,
                                         created_at, due_on)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let filters = Json(new.filters);
    let parameters = params![
        new.id,
        owner.audience,
        owner.user,
        owner.business,
        new.report,
        new.rhythm,
        filters,
        new.panel_url,
        new.created_at,
        new.due_on,
    ];
    execute(client, sql, parameters).await?;
    Ok(())
}

/// Stops a report by e-mail. A user may also stop one that the platform stopped before: it leaves their list, and the
/// time of the first stop stays.
pub async fn report_email_stop(
    client: &impl GenericClient,
    id: Uuid,
    by: StoppedBy,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = "UPDATE report_email SET stopped_at = coalesce(stopped_at, $3), stopped_by = $2 WHERE id = $1";
    execute(client, sql, params![id, by, at]).await.map(drop)
}

/// The report by e-mail that has been due for longest, locked until the transaction ends. Other processes skip it.
/// `failed` are those that failed in this round.
pub(super) async fn report_email_due(
    client: &impl GenericClient,
    today: NaiveDate,
    failed: &[Uuid],
) -> Result<Option<ReportEmail>, Error> {
    let sql = select(
        "WHERE e.stopped_at IS NULL AND e.due_on <= $1 AND e.id <> ALL ($2)
         ORDER BY e.due_on, e.id LIMIT 1 FOR UPDATE SKIP LOCKED",
    );
    fetch_opt(client, &sql, params![today, failed]).await
}

/// The number of reports by e-mail that were due before the date and have not been sent.
pub async fn report_emails_late(client: &impl GenericClient, before: NaiveDate) -> Result<i64, Error> {
    let sql = "SELECT count(*) FROM report_email WHERE stopped_at IS NULL AND due_on < $1";
    value(client, sql, params![before]).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    #[test]
    fn a_period_ends_on_a_sunday_or_with_its_month() {
        for (rhythm, today, due_on, start, end) in [
            (
                Rhythm::Week,
                "2026-11-21",
                "2026-11-23",
                "2026-11-16",
                "2026-11-22",
            ),
            (
                Rhythm::Week,
                "2026-11-23",
                "2026-11-30",
                "2026-11-23",
                "2026-11-29",
            ),
            (
                Rhythm::Week,
                "2026-12-31",
                "2027-01-04",
                "2026-12-28",
                "2027-01-03",
            ),
            (
                Rhythm::Month,
                "2026-12-31",
                "2027-01-01",
                "2026-12-01",
                "2026-12-31",
            ),
            (
                Rhythm::Month,
                "2028-02-01",
                "2028-03-01",
                "2028-02-01",
                "2028-02-29",
            ),
        ] {
            assert_eq!(rhythm.end_after(date(today)), date(due_on), "{today}");
            assert_eq!(
                rhythm.period_before(date(due_on)),
                (date(start), date(end)),
                "{due_on}"
            );
        }
    }
}
