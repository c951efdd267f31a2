//! The reports that users get by e-mail, each week or month. The files that were sent are in `deliveries`. The job that
//! creates the files is in the HTTP layer, because it calls the report's handler.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, Utc};
use gateway_platform::columns::{self, ColumnValue};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use thiserror::Error;
use tokio_postgres::types::{Json, ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::ReportOwner;
use crate::audience::Audience;
use crate::roles::{AdminRole, SellerRole};

/// The most reports by e-mail that one user has at a time. Stopped ones do not count.
pub const REPORT_EMAILS_MAX: usize = 10;

/// How often a report is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Every {
    Week,
    Month,
}

impl Every {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Week => "week",
            Self::Month => "month",
        }
    }

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

/// Why a report is no longer sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoppedBy {
    User,
    /// The user may no longer read the report.
    Access,
    /// The report refuses the filters, or has more rows with them than a sheet holds.
    Filters,
}

impl StoppedBy {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Access => "access",
            Self::Filters => "filters",
        }
    }
}

impl ColumnValue for Every {
    const NAME: &'static str = "interval of a report by e-mail";
    type Stored<'a> = &'a str;

    fn of_column(word: &str) -> Option<Self> {
        [Self::Week, Self::Month]
            .into_iter()
            .find(|every| every.as_str() == word)
    }
}

impl ColumnValue for StoppedBy {
    const NAME: &'static str = "reason why a report by e-mail stopped";
    type Stored<'a> = &'a str;

    fn of_column(word: &str) -> Option<Self> {
        [Self::User, Self::Access, Self::Filters]
            .into_iter()
            .find(|reason| reason.as_str() == word)
    }
}

impl ColumnValue for Audience {
    const NAME: &'static str = "audience";
    type Stored<'a> = &'a str;

    fn of_column(word: &str) -> Option<Self> {
        Self::parse(word)
    }
}

/// A report that a user gets by e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportEmail {
    pub id: Uuid,
    pub owner: ReportOwner,
    pub report: String,
    pub every: Every,
    /// Parameters of the report's call, without a period.
    pub filters: BTreeMap<String, String>,
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
    pub report: &'a str,
    pub every: Every,
    pub filters: &'a BTreeMap<String, String>,
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

const COLUMNS: &str = "e.id, e.audience, e.user_id, e.business_id, e.report, e.every, e.filters, e.panel_url,
                       e.created_at, e.due_on, e.stopped_at, e.stopped_by,
                       (SELECT max(period_end) FROM report_delivery WHERE report_email_id = e.id)";

/// The owner's reports by e-mail, the latest first. Those that the user stopped are left out.
pub async fn report_emails_of(
    client: &impl GenericClient,
    owner: ReportOwner,
) -> Result<Vec<ReportEmail>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM report_email e
          WHERE user_id = $1 AND audience = $2 AND business_id IS NOT DISTINCT FROM $3
            AND stopped_by IS DISTINCT FROM 'user'
          ORDER BY created_at DESC, id DESC"
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&owner.user.uuid(), Type::UUID),
                (&owner.audience.as_str(), Type::TEXT),
                (&owner.business.map(BusinessId::uuid), Type::UUID),
            ],
        )
        .await?;
    rows.iter().map(report_email_of_row).collect()
}

/// One report by e-mail, locked until the transaction ends. Waits for a period that is being sent.
pub async fn report_email_locked(
    client: &impl GenericClient,
    id: Uuid,
) -> Result<Option<ReportEmail>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM report_email e WHERE id = $1 FOR UPDATE");
    let row = client.query_typed_opt(&sql, &[(&id, Type::UUID)]).await?;
    row.as_ref().map(report_email_of_row).transpose()
}

pub async fn report_email_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<ReportEmail>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM report_email e WHERE id = $1");
    let row = client.query_typed_opt(&sql, &[(&id, Type::UUID)]).await?;
    row.as_ref().map(report_email_of_row).transpose()
}

/// The caller has locked the user's row, so that two requests at once cannot pass the limit.
pub async fn report_email_create(
    client: &impl GenericClient,
    owner: ReportOwner,
    new: &NewReportEmail<'_>,
) -> Result<(), ReportEmailError> {
    let active: i64 = client
        .query_typed_one(
            "SELECT count(*) FROM report_email WHERE user_id = $1 AND audience = $2 AND stopped_at IS NULL",
            &[
                (&owner.user.uuid(), Type::UUID),
                (&owner.audience.as_str(), Type::TEXT),
            ],
        )
        .await?
        .try_get(0)?;
    if usize::try_from(active).unwrap_or(usize::MAX) >= REPORT_EMAILS_MAX {
        return Err(ReportEmailError::TooMany);
    }
    client
        .execute_typed(
            "INSERT INTO report_email (id, audience, user_id, business_id, report, every, filters, panel_url,
                                       created_at, due_on)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            &[
                (&new.id, Type::UUID),
                (&owner.audience.as_str(), Type::TEXT),
                (&owner.user.uuid(), Type::UUID),
                (&owner.business.map(BusinessId::uuid), Type::UUID),
                (&new.report, Type::TEXT),
                (&new.every.as_str(), Type::TEXT),
                (&Json(new.filters), Type::JSON),
                (&new.panel_url, Type::TEXT),
                (&new.created_at, Type::TIMESTAMPTZ),
                (&new.due_on, Type::DATE),
            ],
        )
        .await?;
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
    client
        .execute_typed(
            "UPDATE report_email SET stopped_at = coalesce(stopped_at, $3), stopped_by = $2 WHERE id = $1",
            &[
                (&id, Type::UUID),
                (&by.as_str(), Type::TEXT),
                (&at, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

/// The report by e-mail that has been due for longest, locked until the transaction ends. Other processes skip it.
/// `failed` are those that failed in this round.
pub async fn report_email_due(
    client: &impl GenericClient,
    today: NaiveDate,
    failed: &[Uuid],
) -> Result<Option<ReportEmail>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM report_email e
          WHERE stopped_at IS NULL AND due_on <= $1 AND id <> ALL ($2)
          ORDER BY due_on, id LIMIT 1 FOR UPDATE SKIP LOCKED"
    );
    let row = client
        .query_typed_opt(&sql, &[(&today, Type::DATE), (&failed, Type::UUID_ARRAY)])
        .await?;
    row.as_ref().map(report_email_of_row).transpose()
}

/// The number of reports by e-mail that were due before the date and have not been sent.
pub async fn report_emails_late(client: &impl GenericClient, before: NaiveDate) -> Result<i64, Error> {
    client
        .query_typed_one(
            "SELECT count(*) FROM report_email WHERE stopped_at IS NULL AND due_on < $1",
            &[(&before, Type::DATE)],
        )
        .await?
        .try_get(0)
}

/// Whether the user is active and has one of the roles: sellers in `owner.business`, staff in the admin panel. Staff
/// with `AdminRole::Owner` may read every report.
pub(crate) async fn may_read_report(
    client: &impl GenericClient,
    owner: ReportOwner,
    roles: &[String],
) -> Result<bool, Error> {
    let rows = match owner.audience {
        Audience::Seller => {
            let sql = "SELECT a.role_id FROM seller_user u JOIN business_access a ON a.seller_id = u.id
                        WHERE u.id = $1 AND u.active AND a.business_id = $2";
            let business = owner.business.map(BusinessId::uuid);
            let parameters: [(&(dyn ToSql + Sync), Type); 2] =
                [(&owner.user.uuid(), Type::UUID), (&business, Type::UUID)];
            client.query_typed(sql, &parameters).await?
        }
        Audience::Admin => {
            let sql = "SELECT unnest(roles) FROM admin_user WHERE id = $1 AND active";
            client
                .query_typed(sql, &[(&owner.user.uuid(), Type::UUID)])
                .await?
        }
    };
    let allowed = |name: &str| roles.iter().any(|role| role == name);
    Ok(match owner.audience {
        Audience::Seller => {
            let role = rows.first().and_then(|row| SellerRole::from_id(row.get(0)));
            role.is_some_and(|role| allowed(role.as_str()))
        }
        Audience::Admin => rows.iter().any(|row| {
            let name: &str = row.get(0);
            name == AdminRole::Owner.as_str() || allowed(name)
        }),
    })
}

fn report_email_of_row(row: &Row) -> Result<ReportEmail, Error> {
    let Json(filters) = row.try_get(6)?;
    let stopped_at: Option<DateTime<Utc>> = row.try_get(10)?;
    Ok(ReportEmail {
        id: row.try_get(0)?,
        owner: ReportOwner {
            audience: columns::read(row, 1)?,
            user: UserId::from_uuid(row.try_get(2)?),
            business: row.try_get::<_, Option<Uuid>>(3)?.map(BusinessId::from_uuid),
        },
        report: row.try_get(4)?,
        every: columns::read(row, 5)?,
        filters,
        panel_url: row.try_get(7)?,
        created_at: row.try_get(8)?,
        due_on: row.try_get(9)?,
        stopped: stopped_at.zip(columns::read_opt(row, 11)?),
        last_sent: row.try_get(12)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    #[test]
    fn a_period_ends_on_a_sunday_or_with_its_month() {
        for (every, today, due_on, start, end) in [
            (
                Every::Week,
                "2026-11-21",
                "2026-11-23",
                "2026-11-16",
                "2026-11-22",
            ),
            (
                Every::Week,
                "2026-11-23",
                "2026-11-30",
                "2026-11-23",
                "2026-11-29",
            ),
            (
                Every::Week,
                "2026-12-31",
                "2027-01-04",
                "2026-12-28",
                "2027-01-03",
            ),
            (
                Every::Month,
                "2026-12-31",
                "2027-01-01",
                "2026-12-01",
                "2026-12-31",
            ),
            (
                Every::Month,
                "2028-02-01",
                "2028-03-01",
                "2028-02-01",
                "2028-02-29",
            ),
        ] {
            assert_eq!(every.end_after(date(today)), date(due_on), "{today}");
            assert_eq!(
                every.period_before(date(due_on)),
                (date(start), date(end)),
                "{due_on}"
            );
        }
    }
}
