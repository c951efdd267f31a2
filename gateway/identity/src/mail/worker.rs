//! Writes letters and sends them until they are taken, refused for good, or too old.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{TimeDelta, Utc};
use deadpool_postgres::Pool;
use gateway_environment::config::MailConfig;
use gateway_platform::effects::working::{self, WorkError, Worker, Working};
use ledger_store::Supervisor;
use ledger_store::supervisor::Supervised;
use tokio_postgres::Error;
use uuid::Uuid;

use super::brand::Brand;
use super::compose::{Known, compose};
use super::deliver::{self, Delivery, DeliveryError, Undelivered};
use super::queue::{self, Claimed, LetterEnd};
use super::{LetterKind, Mail, sweep};
use crate::sessions::account::{self, Account};
use crate::sessions::codes::{Issued, Owner};

const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LAST_PAUSE: Duration = Duration::from_secs(3_600);
/// Nobody waits for a letter any longer.
const GIVEN_UP_AFTER: TimeDelta = TimeDelta::days(3);
/// Longer than a sending and what the database takes beside it.
const LEASE: Duration = Duration::from_secs(deliver::TIMEOUT.as_secs() + 30);

pub struct MailWorker {
    pool: Pool,
    mail: Arc<Mail>,
    config: MailConfig,
    delivery: Delivery,
}

/// The sender of one process and the broom beside it. Dropping it cuts a sending off, which is safe at any point.
pub struct Mailing {
    _working: Working,
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

/// A letter ready to be sent, or why there is none.
enum Written {
    Letter(Box<lettre::Message>),
    /// The address is nobody's (any more).
    Nobody,
    /// Its link was used meanwhile, or another one was.
    Spent,
    Unaddressable,
}

#[async_trait]
impl Worker for MailWorker {
    type Claimed = Claimed;

    fn name(&self) -> &'static str {
        "mail"
    }

    fn id(claimed: &Claimed) -> Uuid {
        claimed.id
    }

    async fn claim(&self, most: usize) -> Result<Vec<Claimed>, WorkError> {
        let client = self.pool.get().await?;
        let claimed = queue::claim(&**client, most, LEASE).await?;
        working::readable(&**client, claimed).await
    }

    async fn try_once(&self, claimed: &Claimed) -> Result<(), WorkError> {
        let (end, why) = match self.write(claimed).await? {
            Written::Nobody => (LetterEnd::Nobody, None),
            Written::Spent => (LetterEnd::Nobody, Some("link spent".to_owned())),
            Written::Unaddressable => (LetterEnd::GivenUp, Some("unusable address".to_owned())),
            Written::Letter(message) => match self.delivery.deliver(claimed.id, &message).await {
                Ok(()) => (LetterEnd::Sent, None),
                Err(Undelivered::Refused(why)) => (LetterEnd::GivenUp, Some(why)),
                Err(Undelivered::Later(why)) if is_too_old(claimed) => (LetterEnd::GivenUp, Some(why)),
                Err(Undelivered::Later(why)) => return self.later(claimed, &why).await,
            },
        };
        count(claimed.kind, outcome_label(end));
        if end == LetterEnd::GivenUp {
            tracing::error!(
                code = "letter_given_up", mail_id = %claimed.id, kind = claimed.kind.as_str(), why,
                "a letter will not reach its person"
            );
        }
        let client = self.pool.get().await?;
        Ok(queue::end(&**client, claimed, end, why.as_deref()).await?)
    }
}

impl MailWorker {
    async fn later(&self, claimed: &Claimed, why: &str) -> Result<(), WorkError> {
        count(claimed.kind, "later");
        tracing::warn!(mail_id = %claimed.id, tries = claimed.tries, why, "a letter could not be sent; it will be tried again");
        let client = self.pool.get().await?;
        Ok(queue::later(&**client, claimed, why, pause(claimed.tries)).await?)
    }

    async fn write(&self, claimed: &Claimed) -> Result<Written, WorkError> {
        let client = self.pool.get().await?;
        let Some(account) = addressee(&**client, claimed).await? else {
            return Ok(Written::Nobody);
        };
        let code = match claimed.kind.purpose() {
            None => None,
            Some(purpose) => {
                let owner = Owner {
                    audience: claimed.audience,
                    user: account.id,
                    email: &claimed.recipient,
                };
                match self
                    .mail
                    .codes()
                    .issue(&**client, claimed.id, purpose, owner)
                    .await?
                {
                    Issued::Code(code) => Some(code),
                    Issued::Spent => return Ok(Written::Spent),
                }
            }
        };
        let brand = Brand::of_panel(&**client, &claimed.panel_url).await?;
        drop(client);
        let letter = compose(&Known {
            claimed,
            name: &account.name,
            brand: &brand,
            code: code.as_ref().map(|code| code.reveal().as_str()),
        });
        let recipient = (account.name.as_str(), claimed.recipient.as_str());
        let message = deliver::message(&self.config, claimed.id, recipient, &letter, &brand);
        Ok(message.map_or(Written::Unaddressable, |message| {
            Written::Letter(Box::new(message))
        }))
    }
}

/// Whom a letter is for, if there still is such a person.
async fn addressee(
    client: &impl tokio_postgres::GenericClient,
    claimed: &Claimed,
) -> Result<Option<Account>, Error> {
    let (audience, recipient) = (claimed.audience, claimed.recipient.as_str());
    let Some(user) = claimed.user else {
        let found = account::account_by_email(client, audience, recipient).await?;
        return Ok(found.filter(|account| account.active));
    };
    let Some(account) = account::account_fetch(client, audience, user).await? else {
        return Ok(None);
    };
    Ok(match claimed.kind {
        // What happened is told to whoever it happened to.
        LetterKind::PasswordChanged | LetterKind::EmailChangeAsked | LetterKind::EmailChanged => {
            Some(account)
        }
        _ if !account.active => None,
        _ if account.email == recipient => Some(account),
        // A new address: somebody else's can't be confirmed, and they have not asked for a letter.
        _ => account::account_by_email(client, audience, recipient)
            .await?
            .is_none()
            .then_some(account),
    })
}

fn is_too_old(claimed: &Claimed) -> bool {
    claimed.created_at + GIVEN_UP_AFTER < Utc::now()
}

/// After the try of this number, which is 1 for the first.
fn pause(tries: i32) -> Duration {
    let doublings = u32::try_from(tries.saturating_sub(1)).unwrap_or(0).min(20);
    (FIRST_PAUSE * 2_u32.pow(doublings)).min(LAST_PAUSE)
}

/// Sent or not needed is one label: a count of its own for addresses without an account would tell whoever asks for
/// a new password and reads the metrics who is registered.
const fn outcome_label(end: LetterEnd) -> &'static str {
    match end {
        LetterEnd::Sent | LetterEnd::Nobody => "done",
        LetterEnd::GivenUp => "given-up",
    }
}

fn count(kind: LetterKind, outcome: &'static str) {
    metrics::counter!("razao_letters_total", "kind" => kind.as_str(), "outcome" => outcome).increment(1);
}

#[cfg(test)]
mod tests {
    use super::{LetterEnd, outcome_label, pause};

    #[test]
    fn the_metrics_do_not_tell_whether_an_address_has_an_account() {
        assert_eq!(outcome_label(LetterEnd::Sent), outcome_label(LetterEnd::Nobody));
        assert_ne!(outcome_label(LetterEnd::Sent), outcome_label(LetterEnd::GivenUp));
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
