//! Forgetting letters and codes that ended a month ago: they name addresses, and nothing asks for them any more. Those to
//! nobody go after a day, for anybody may type anybody's address.

use std::time::Duration;

use deadpool_postgres::Pool;
use gateway_platform::effects::working::WorkError;
use gateway_platform::exceptions::work::{self, Work};
use ledger_store::Supervisor;
use ledger_store::supervisor::Supervised;

const EVERY: Duration = Duration::from_secs(3_600);

pub(super) fn start(pool: Pool, supervisor: &Supervisor) -> Supervised {
    supervisor.every("sweep of old e-mails", EVERY, move || {
        let pool = pool.clone();
        async move { sweep_once(&pool).await.map(drop) }
    })
}

/// How many rows went.
pub async fn sweep_once(pool: &Pool) -> Result<u64, WorkError> {
    let client = pool.get().await?;
    let sql = work::ending(
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
    Ok(emails.unsigned_abs() + codes)
}
