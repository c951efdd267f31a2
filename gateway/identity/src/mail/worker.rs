//! Composes and sends e-mails until each is accepted, permanently refused, or too old.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{TimeDelta, Utc};
use deadpool_postgres::Pool;
use gateway_environment::config::MailConfig;
use gateway_platform::effects::working::{self, WorkError, Worker, WorkerHandle};
use ledger_store::Supervisor;
use ledger_store::supervisor::Supervised;
use tokio_postgres::Error;
use uuid::Uuid;

use super::brand::Brand;
use super::compose::{Known, compose};
use super::deliver::{self, Delivery, DeliveryError, Undelivered};
use super::queue::{self, EmailEnd, EmailJob};
use super::{EmailKind, Mail, sweep};
use crate::sessions::account::{self, Account};
use crate::sessions::codes::{CodeOwner, IssuedCode};

const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LAST_PAUSE: Duration = Duration::from_secs(3_600);
/// After three days the user no longer waits for the e-mail.
const GIVEN_UP_AFTER: TimeDelta = TimeDelta::days(3);
/// Longer than a delivery and its database queries take.
const LEASE: Duration = Duration::from_secs(deliver::TIMEOUT.as_secs() + 30);

pub struct MailWorker {
    pool: Pool,
    mail: Arc<Mail>,
    config: MailConfig,
    delivery: Delivery,
}

/// Runs the e-mail sender and the job that deletes expired rows. Dropping it aborts a delivery, which is safe at any
/// point.
pub struct Mailing {
    _working: WorkerHandle,
    _sweeping: Supervised,
}

impl MailWorker {
    pub fn new(pool: Pool, mail: Arc<Mail>, config: MailConfig) -> Result<Self, DeliveryError> {
        let delivery = Delivery::new(&config)?;
        Ok(Self {
            pool,
            mail,
            config,
            delivery,
        })
    }

    pub fn start(self, supervisor: &Supervisor) -> Mailing {
        let (pool, woken) = (self.pool.clone(), self.mail.woken());
        Mailing {
            _working: working::start(self, woken, supervisor),
            _sweeping: sweep::start(pool, supervisor),
        }
    }
}

/// A message ready to be sent, or the reason why there is none.
enum Written {
    Email(Box<lettre::Message>),
    /// No user has the address, or the user has been deleted or deactivated.
    NotNeeded,
    /// The link of this e-mail, or another link that ended it, has been used.
    Spent,
    Unaddressable,
}

#[async_trait]
impl Worker for MailWorker {
    type Job = EmailJob;

    fn name(&self) -> &'static str {
        "mail"
    }

    fn id(job: &EmailJob) -> Uuid {
        job.id
    }

    async fn claim(&self, most: usize) -> Result<Vec<EmailJob>, WorkError> {
        let client = self.pool.get().await?;
        let job = queue::claim(&**client, most, LEASE).await?;
        working::readable(&**client, job).await
    }

    async fn try_once(&self, job: &EmailJob) -> Result<(), WorkError> {
        let (end, why) = match self.write(job).await? {
            Written::NotNeeded => (EmailEnd::NotNeeded, None),
            Written::Spent => (EmailEnd::NotNeeded, Some("link spent".to_owned())),
            Written::Unaddressable => (EmailEnd::GivenUp, Some("unusable address".to_owned())),
            Written::Email(message) => match self.delivery.deliver(job.id, &message).await {
                Ok(()) => (EmailEnd::Sent, None),
                Err(Undelivered::Refused(why)) => (EmailEnd::GivenUp, Some(why)),
                Err(Undelivered::Later(why)) if is_too_old(job) => (EmailEnd::GivenUp, Some(why)),
                Err(Undelivered::Later(why)) => return self.retry_later(job, &why).await,
            },
        };
        count(job.kind, outcome_label(end));
        if end == EmailEnd::GivenUp {
            tracing::error!(
                code = "email_given_up", mail_id = %job.id, kind = job.kind.as_str(), why,
                "an e-mail was given up"
            );
        }
        let client = self.pool.get().await?;
        Ok(queue::end(&**client, job, end, why.as_deref()).await?)
    }
}

impl MailWorker {
    async fn retry_later(&self, job: &EmailJob, why: &str) -> Result<(), WorkError> {
        count(job.kind, "later");
        tracing::warn!(mail_id = %job.id, tries = job.tries, why, "an e-mail could not be sent and will be retried");
        let client = self.pool.get().await?;
        Ok(queue::retry_later(&**client, job, why, pause(job.tries)).await?)
    }

    async fn write(&self, job: &EmailJob) -> Result<Written, WorkError> {
        let client = self.pool.get().await?;
        let Some(account) = addressee(&**client, job).await? else {
            return Ok(Written::NotNeeded);
        };
        let code = match job.kind.purpose() {
            None => None,
            Some(purpose) => {
                let owner = CodeOwner {
                    audience: job.audience,
                    user: account.id,
                    email: &job.recipient,
                };
                match self.mail.codes().issue(&**client, job.id, purpose, owner).await? {
                    IssuedCode::Code(code) => Some(code),
                    IssuedCode::Spent => return Ok(Written::Spent),
                }
            }
        };
        let brand = Brand::of_panel(&**client, &job.panel_url).await?;
        drop(client);
        let outbox_email = compose(&Known {
            job,
            name: &account.name,
            brand: &brand,
            code: code.as_ref().map(|code| code.reveal().as_str()),
        });
        let recipient = (account.name.as_str(), job.recipient.as_str());
        let message = deliver::message(&self.config, job.id, recipient, &outbox_email, &brand);
        Ok(message.map_or(Written::Unaddressable, |message| {
            Written::Email(Box::new(message))
        }))
    }
}

/// The account that an e-mail is for, if it still exists and may get the e-mail.
async fn addressee(
    client: &impl tokio_postgres::GenericClient,
    job: &EmailJob,
) -> Result<Option<Account>, Error> {
    let (audience, recipient) = (job.audience, job.recipient.as_str());
    let Some(user) = job.user else {
        let found = account::account_by_email(client, audience, recipient).await?;
        return Ok(found.filter(|account| account.active));
    };
    let Some(account) = account::account_fetch(client, audience, user).await? else {
        return Ok(None);
    };
    Ok(match job.kind {
        // Notices go to the affected user, even if the user is inactive.
        EmailKind::PasswordChanged | EmailKind::EmailChangeAsked | EmailKind::EmailChanged => Some(account),
        _ if !account.active => None,
        _ if account.email == recipient => Some(account),
        // A new address. If another user has it, it cannot be confirmed, and that user did not request the e-mail.
        _ => account::account_by_email(client, audience, recipient)
            .await?
            .is_none()
            .then_some(account),
    })
}

fn is_too_old(job: &EmailJob) -> bool {
    job.created_at + GIVEN_UP_AFTER < Utc::now()
}

/// The pause after a try; the first try is number 1.
fn pause(tries: i32) -> Duration {
    let doublings = u32::try_from(tries.saturating_sub(1)).unwrap_or(0).min(20);
    (FIRST_PAUSE * 2_u32.pow(doublings)).min(LAST_PAUSE)
}

/// Sent and not needed share one label. A separate count for addresses without an account would reveal which users are
/// registered. A reader of the metrics would only have to request new passwords.
const fn outcome_label(end: EmailEnd) -> &'static str {
    match end {
        EmailEnd::Sent | EmailEnd::NotNeeded => "done",
        EmailEnd::GivenUp => "given-up",
    }
}

fn count(kind: EmailKind, outcome: &'static str) {
    metrics::counter!("razao_emails_total", "kind" => kind.as_str(), "outcome" => outcome).increment(1);
}

#[cfg(test)]
mod tests {
    use super::{EmailEnd, outcome_label, pause};

    #[test]
    fn the_metrics_do_not_reveal_whether_an_address_has_an_account() {
        assert_eq!(outcome_label(EmailEnd::Sent), outcome_label(EmailEnd::NotNeeded));
        assert_ne!(outcome_label(EmailEnd::Sent), outcome_label(EmailEnd::GivenUp));
    }

    #[test]
    fn pauses_double_from_five_seconds_up_to_an_hour() {
        let seconds: Vec<_> = [1, 2, 3, 10, 11, i32::MAX]
            .iter()
            .map(|tries| pause(*tries).as_secs())
            .collect();
        assert_eq!(seconds, [5, 10, 20, 2_560, 3_600, 3_600]);
    }
}
