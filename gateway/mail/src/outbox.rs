//! The outbox of e-mails: composes and sends each until it is accepted, permanently refused, too old, or not needed.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Pool, Transaction};
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::MailConfig;
use gateway_identity::account::changed_email;
use gateway_identity::credentials::account::SignInUser;
use gateway_identity::credentials::codes::{CodeOwner, IssuedCode};
use gateway_identity::email_queue::{EmailKind, Mail};
use gateway_outbox::{
    Backoff, Claimable, End, Fault, Health, Job, Outbox, Outcome, RetryPolicy, Table, Unreadable,
    UnreadableRow, WorkerHandle,
};
use gateway_platform::PlatformError;
use gateway_platform::exceptions::work;
use gateway_platform::outboxes::{EMAILS, Work};
use ledger_store::Supervisor;
use ledger_store::supervisor::Supervised;
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use crate::addressee::{Addressee, addressee};
use crate::adjustment::adjustment_facts;
use crate::brand::Brand;
use crate::compose::{EmailContext, compose};
use crate::contact::contact_text;
use crate::deliver::{self, Delivery, DeliveryFault, InvalidSmtpUrl};
use crate::order::order_facts;
use crate::plan_change::plan_change_text;
use crate::queue::{self, StoredEmail};
use crate::report::report_text;
use crate::retention;

const RETRY_POLICY: RetryPolicy = RetryPolicy {
    // The longest delivery, and time for the database queries.
    lease: Duration::from_secs(deliver::TIMEOUT.as_secs() + 30),
    backoff: Backoff {
        first: Duration::from_secs(5),
        last: Duration::from_secs(3_600),
    },
};
/// After three days the user no longer waits for the e-mail.
pub(crate) const GIVEN_UP_AFTER: Duration = Duration::from_secs(3 * 24 * 3_600);

pub struct EmailOutbox {
    pool: Pool,
    mail: Arc<Mail>,
    config: MailConfig,
    delivery: Delivery,
    clock: BusinessClock,
}

/// Runs the e-mail sender, the job that deletes old rows, and the one that applies changes of addresses. Dropping it
/// aborts a delivery, which is tried again later.
pub struct Mailing {
    worker: WorkerHandle,
    _retention: Supervised,
    _changed_emails: Supervised,
}

impl Mailing {
    /// Waits for the deliveries in hand.
    pub async fn stop(self) {
        self.worker.stop().await;
    }
}

impl EmailOutbox {
    pub fn new(
        pool: Pool,
        mail: Arc<Mail>,
        config: MailConfig,
        clock: BusinessClock,
    ) -> Result<Self, InvalidSmtpUrl> {
        let delivery = Delivery::new(&config)?;
        Ok(Self {
            pool,
            mail,
            config,
            delivery,
            clock,
        })
    }

    pub fn start(self, supervisor: &Supervisor) -> Mailing {
        let (pool, woken) = (self.pool.clone(), self.mail.woken());
        let (mail, clock) = (Arc::clone(&self.mail), self.clock);
        Mailing {
            _changed_emails: changed_email::start(pool.clone(), mail, clock, supervisor),
            worker: gateway_outbox::start(self, woken, supervisor),
            _retention: retention::start(pool, supervisor),
        }
    }
}

/// The result of composing and sending an e-mail.
pub enum Sending {
    Sent,
    /// The e-mail has no reader, or no longer applies: for example, its order was paid or its request was decided.
    NotNeeded,
    /// The code in the link of this e-mail was used or ended.
    Spent,
    /// The recipient's address is invalid.
    Unaddressable,
    DeliveryFault(DeliveryFault),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmailEnd {
    Sent,
    /// Also for an address that no user has. The fault is `link spent` if the code in its link was used or ended.
    NotNeeded(Option<Fault>),
    GivenUp(Fault),
}

impl End for EmailEnd {
    fn status(&self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::NotNeeded(_) => "nobody",
            Self::GivenUp(_) => "given-up",
        }
    }

    fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Sent => None,
            Self::NotNeeded(fault) => fault.as_ref(),
            Self::GivenUp(fault) => Some(fault),
        }
    }
}

#[async_trait]
impl Outbox for EmailOutbox {
    type Order = StoredEmail;
    type Answer = Sending;
    type End = EmailEnd;
    type Error = PlatformError;

    const NAME: &'static str = "mail";
    const TABLE: Table = EMAILS;

    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn retry_policy(&self) -> RetryPolicy {
        RETRY_POLICY
    }

    fn claimable(&self) -> Claimable {
        Claimable::OfKinds(EmailKind::ALL.iter().map(|kind| kind.as_str()).collect())
    }

    fn read(_id: Uuid, row: &Row) -> Result<StoredEmail, Unreadable> {
        queue::read(row)
    }

    fn provider(&self, _job: &Job<StoredEmail>) -> &'static str {
        "smtp"
    }

    fn health(sending: &Sending) -> Health {
        match sending {
            Sending::Sent | Sending::DeliveryFault(DeliveryFault::Refused(_)) => Health::Answers,
            Sending::DeliveryFault(DeliveryFault::Silent(_)) => Health::Silent,
            Sending::DeliveryFault(DeliveryFault::Later(_))
            | Sending::NotNeeded
            | Sending::Spent
            | Sending::Unaddressable => Health::Unsaid,
        }
    }

    async fn remove_from_queue(&self, client: &Client, row: &UnreadableRow) -> Result<(), PlatformError> {
        Ok(work::add(client, Work::Email, row).await?)
    }

    async fn send(&self, job: &Job<StoredEmail>) -> Result<Sending, PlatformError> {
        let message = match self.compose_message(job).await? {
            Ok(message) => message,
            Err(unwritten) => return Ok(unwritten),
        };
        Ok(match self.delivery.deliver(job.id, &message).await {
            Ok(()) => Sending::Sent,
            Err(undelivered) => Sending::DeliveryFault(undelivered),
        })
    }

    /// An SMTP server cannot be asked whether it accepted an e-mail before. So a lost answer leads to a repeat.
    async fn look_up(&self, _job: &Job<StoredEmail>) -> Result<Option<Sending>, PlatformError> {
        Ok(None)
    }

    async fn outcome(
        &self,
        _job: &Job<StoredEmail>,
        answer: Option<Sending>,
    ) -> Result<Outcome<EmailEnd>, PlatformError> {
        Ok(match answer {
            Some(Sending::Sent) => Outcome::Ended(EmailEnd::Sent),
            Some(Sending::NotNeeded) => Outcome::Ended(EmailEnd::NotNeeded(None)),
            Some(Sending::Spent) => Outcome::Ended(EmailEnd::NotNeeded(Some(Fault::code("link spent")))),
            Some(Sending::Unaddressable) => {
                Outcome::Ended(EmailEnd::GivenUp(Fault::code("unusable address")))
            }
            Some(Sending::DeliveryFault(DeliveryFault::Refused(fault))) => {
                Outcome::Ended(EmailEnd::GivenUp(fault))
            }
            Some(Sending::DeliveryFault(DeliveryFault::Later(fault) | DeliveryFault::Silent(fault))) => {
                Outcome::Retry(fault)
            }
            None => Outcome::Retry(Fault::code("not sent")),
        })
    }

    fn give_up(job: &Job<StoredEmail>, fault: &Fault) -> Option<EmailEnd> {
        (job.age > GIVEN_UP_AFTER).then(|| EmailEnd::GivenUp(fault.clone()))
    }

    fn on_postponed(&self, job: &Job<StoredEmail>, fault: &Fault) {
        count(job.order.kind, "later");
        tracing::warn!(
            mail_id = %job.id, tries = job.attempt, why = fault.as_str(),
            "an e-mail could not be sent and will be retried"
        );
    }

    async fn on_ended(
        &self,
        _tx: &Transaction<'_>,
        job: &Job<StoredEmail>,
        end: &EmailEnd,
    ) -> Result<(), PlatformError> {
        count(job.order.kind, outcome_label(end));
        if let EmailEnd::GivenUp(fault) = end {
            tracing::error!(
                code = "email_given_up", mail_id = %job.id, kind = job.order.kind.as_str(), why = fault.as_str(),
                "an e-mail was given up"
            );
        }
        Ok(())
    }
}

impl EmailOutbox {
    /// The message, or the reason why none is sent.
    async fn compose_message(
        &self,
        job: &Job<StoredEmail>,
    ) -> Result<Result<lettre::Message, Sending>, PlatformError> {
        let stored = &job.order;
        let mut client = self.pool.get().await?;
        // A link for a new password goes to the address that its user has now.
        changed_email::apply_due(&mut client, &self.mail, self.clock.now()).await?;
        let order = order_facts(&**client, stored).await?;
        let (account, buyer) = match addressee(&**client, stored, order.as_ref()).await? {
            None => return Ok(Err(Sending::NotNeeded)),
            Some(Addressee::Account(account)) => (Some(account), None),
            Some(Addressee::Platform) => (None, None),
            Some(Addressee::Buyer { name, email }) => (None, Some((name, email))),
        };
        if order
            .as_ref()
            .is_some_and(|order| !order.should_send(stored.kind))
        {
            return Ok(Err(Sending::NotNeeded));
        }
        let code = match self.issue_code(&client, job, account.as_ref()).await? {
            Some(IssuedCode::Spent) => return Ok(Err(Sending::Spent)),
            Some(IssuedCode::Code(code)) => Some(code),
            None => None,
        };
        let brand = Brand::of_panel(&**client, &stored.panel_url).await?;
        let contact = contact_text(&**client, stored).await?;
        let plan_change = match stored.facts.plan_change {
            Some(change) => plan_change_text(&**client, change).await?,
            None => None,
        };
        let adjustment = match stored.facts.adjustment {
            Some(request) => adjustment_facts(&**client, request).await?,
            None => None,
        };
        let report = report_text(&**client, stored).await?;
        let mut attachment = None;
        if let Some(report) = &report {
            if !report.is_current(&**client, stored.kind).await? {
                return Ok(Err(Sending::NotNeeded));
            }
            attachment = report.attachment(&**client).await?;
        }
        drop(client);
        let is_decided = plan_change.as_ref().is_some_and(|change| !change.is_pending());
        if stored.kind == EmailKind::PlanChangeRequested && is_decided {
            return Ok(Err(Sending::NotNeeded));
        }
        let is_decided = adjustment.as_ref().is_some_and(|request| !request.is_pending());
        if stored.kind == EmailKind::AdjustmentRequested && is_decided {
            return Ok(Err(Sending::NotNeeded));
        }
        let (name, address) = match (account, buyer) {
            // E-mails of reports go to the account's present address, which may have changed since the row was added.
            (Some(account), _) if report.is_some() => (account.name, account.email),
            (Some(account), _) => (account.name, stored.recipient.clone()),
            (None, Some(buyer)) => buyer,
            (None, None) => (String::new(), stored.recipient.clone()),
        };
        let rendered = compose(&EmailContext {
            email: stored,
            name: &name,
            brand: &brand,
            code: code.as_ref().map(|code| code.reveal().as_str()),
            contact: contact.as_ref(),
            plan_change: plan_change.as_ref(),
            adjustment: adjustment.as_ref(),
            order: order.as_ref(),
            report: report.as_ref(),
        });
        let name = if name.is_empty() {
            &brand.product_name
        } else {
            &name
        };
        let recipient = (name.as_str(), address.as_str());
        let message = deliver::message(&self.config, job.id, recipient, (&rendered, attachment), &brand);
        Ok(message.ok_or(Sending::Unaddressable))
    }

    /// Issues the code of the e-mail's link. `None` if its kind has no code.
    async fn issue_code(
        &self,
        client: &Client,
        job: &Job<StoredEmail>,
        account: Option<&SignInUser>,
    ) -> Result<Option<IssuedCode>, PlatformError> {
        let Some((purpose, account)) = job.order.kind.purpose().zip(account) else {
            return Ok(None);
        };
        let owner = CodeOwner {
            audience: job.order.audience,
            user: account.id,
            email: &job.order.recipient,
        };
        let code = self.mail.codes().issue(client, job.id, purpose, owner).await?;
        Ok(Some(code))
    }
}

/// `Sent` and `NotNeeded` share one label. A separate count of addresses without an account would reveal which users
/// are registered: a reader of the metrics would only have to request a new password for an address.
const fn outcome_label(end: &EmailEnd) -> &'static str {
    match end {
        EmailEnd::Sent | EmailEnd::NotNeeded(_) => "done",
        EmailEnd::GivenUp(_) => "given-up",
    }
}

fn count(kind: EmailKind, outcome: &'static str) {
    metrics::counter!("razao_emails_total", "kind" => kind.as_str(), "outcome" => outcome).increment(1);
}

#[cfg(test)]
mod tests {
    use super::{EmailEnd, Fault, outcome_label};

    #[test]
    fn the_metrics_do_not_reveal_whether_an_address_has_an_account() {
        let sent = outcome_label(&EmailEnd::Sent);
        let spent = Some(Fault::code("link spent"));
        assert_eq!(sent, outcome_label(&EmailEnd::NotNeeded(None)));
        assert_eq!(sent, outcome_label(&EmailEnd::NotNeeded(spent)));
        assert_ne!(sent, outcome_label(&EmailEnd::GivenUp(Fault::code("smtp 550"))));
    }
}
