//! Has waiting work tried now. It changes rows only, so it may run beside the program, whose workers find them within a
//! second.

use clap::{Args, ValueEnum};
use gateway_environment::config::Config;
use gateway_platform::audit::Actor;
use gateway_platform::outboxes::Work;
use gateway_platform::retries::{retry_failed, retry_row};
use uuid::Uuid;

use super::{CliError, Ending, print_line};
use crate::app::Database;

#[derive(Debug, Clone, Args)]
pub struct RetryArguments {
    #[arg(value_enum)]
    work: WorkArgument,
    /// Only this one, also if its last try did not fail; by default all whose last try failed
    #[arg(long, value_name = "UUID", conflicts_with = "provider")]
    id: Option<Uuid>,
    /// Only those of this bank or acquirer, such as `iugu`
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum WorkArgument {
    Payouts,
    Refunds,
    /// Charges of orders
    Charges,
    Emails,
}

impl WorkArgument {
    const fn work(self) -> Work {
        match self {
            Self::Payouts => Work::Payout,
            Self::Refunds => Work::Refund,
            Self::Charges => Work::OrderAttempt,
            Self::Emails => Work::Email,
        }
    }
}

pub async fn retry(config: Config, arguments: RetryArguments) -> Result<Ending, CliError> {
    let RetryArguments { work, id, provider } = arguments;
    let work = work.work();
    // Of it derives the key that proves the entry in the audit log. Without a proof, the entry is a finding of the audit.
    config.keys.checkpoint.get().signing().map(drop)?;
    let database = Database::join(&config.database).await?;
    let retried = async {
        let mut client = database.pool().get().await?;
        let transaction = client.transaction().await?;
        let due = match id {
            Some(id) => retry_row(&*transaction, Actor::System, work, id).await?,
            None => retry_failed(&*transaction, Actor::System, work, provider.as_deref()).await?,
        };
        transaction.commit().await?;
        Ok::<_, CliError>(due)
    };
    let retried = retried.await;
    database.close().await;
    print_line(&format!("{} {} became due", retried?, work.plural()));
    Ok(Ending::Done)
}
