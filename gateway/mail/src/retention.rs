//! Deletes e-mails and changes of addresses that ended and codes that expired 30 days ago: they contain addresses and
//! have no further use.
//! E-mails that were not needed (status `nobody`) are deleted after a day. They may name an address of no user, which
//! anyone can type.

use std::time::Duration;

use deadpool_postgres::Pool;
use gateway_platform::PlatformError;
use gateway_platform::exceptions::work;
use gateway_platform::outboxes::Work;
use ledger_store::Supervisor;
use ledger_store::supervisor::Supervised;

const RUN_INTERVAL: Duration = Duration::from_secs(3_600);

pub(crate) fn start(pool: Pool, supervisor: &Supervisor) -> Supervised {
    supervisor.every("retention of e-mails", RUN_INTERVAL, move || {
        let pool = pool.clone();
        async move { delete_old_emails(&pool).await.map(drop) }
    })
}

/// Also resolves the exceptions of the deleted e-mails. Returns the number of deleted e-mails and codes.
pub async fn delete_old_emails(pool: &Pool) -> Result<u64, PlatformError> {
    let client = pool.get().await?;
    let sql = work::with_exceptions_resolved(
        Work::Email,
        "DELETE FROM mail
          WHERE ended_at < now() - interval '30 days'
             OR status = 'nobody' AND ended_at < now() - interval '1 day'
         RETURNING id",
    );
    let emails: i64 = client.query_one(&sql, &[]).await?.get(0);
    let codes = client
        .execute_typed(
            "DELETE FROM one_time_code WHERE expires_at < now() - interval '30 days'",
            &[],
        )
        .await?;
    client
        .execute_typed(
            "DELETE FROM email_change WHERE ended_at < now() - interval '30 days'",
            &[],
        )
        .await?;
    Ok(emails.unsigned_abs() + codes)
}
