//! The interface of an outbox: its table, its calls to the other system, and its reactions to their outcomes.

use std::borrow::Cow;
use std::error::Error;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Pool, PoolError, Transaction};
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use crate::claim::Claimable;
use crate::pauses::RetryPolicy;
use crate::table::Table;

#[async_trait]
pub trait Outbox: Send + Sync + 'static {
    /// The content of a row.
    type Order: Send + Sync + 'static;
    /// The other system's answer to a call.
    type Answer: Send + 'static;
    /// How a row can end.
    type End: End;
    type Error: Error + From<tokio_postgres::Error> + From<PoolError> + Send + Sync + 'static;

    /// Its name in the program's log and in the name of its task.
    const NAME: &'static str;
    const TABLE: Table;

    fn pool(&self) -> &Pool;

    fn retry_policy(&self) -> RetryPolicy;

    /// Which of the due rows this process may claim.
    fn claimable(&self) -> Claimable {
        Claimable::All
    }

    /// The shards of the log whose companies' rows this process may claim, if results go to the ledger: only the
    /// process that owns a company's shard can report them. `None`: those of all companies.
    fn shards(&self) -> Option<Vec<i16>> {
        None
    }

    /// Reads a row with the table's `columns`.
    fn read(id: Uuid, row: &Row) -> Result<Self::Order, Unreadable>;

    /// The other system that the calls of this order go to, by its name in logs. While it does not answer, the orders that
    /// wait for it wait together.
    fn provider(&self, job: &Job<Self::Order>) -> &'static str;

    /// What an answer shows about the other system.
    fn health(answer: &Self::Answer) -> Health;

    /// Removes an unreadable row from its queue and notifies staff, in one statement.
    async fn remove_from_queue(&self, client: &Client, row: &UnreadableRow) -> Result<(), Self::Error>;

    /// Checks before each sending whether the order is still needed. An outcome takes the place of the sending.
    async fn check_superseded(
        &self,
        _job: &Job<Self::Order>,
    ) -> Result<Option<Outcome<Self::End>>, Self::Error> {
        Ok(None)
    }

    /// Sends the order, under the id of its row.
    async fn send(&self, job: &Job<Self::Order>) -> Result<Self::Answer, Self::Error>;

    /// Asks for the state of an order that may have been sent. `None`: the other system does not know it. It is called
    /// only if the table has look-ups (`Table::has_look_up`).
    async fn look_up(&self, job: &Job<Self::Order>) -> Result<Option<Self::Answer>, Self::Error>;

    /// The outcome of an answer. If `answer` is `None`, the other system accepted the order earlier and no longer
    /// knows it.
    async fn outcome(
        &self,
        job: &Job<Self::Order>,
        answer: Option<Self::Answer>,
    ) -> Result<Outcome<Self::End>, Self::Error>;

    /// The end of an order that has no result and is no longer useful. `None`: it is tried again. Payments are never
    /// given up: they stay open, and operators see that they are late.
    fn give_up(_job: &Job<Self::Order>, _fault: &Fault) -> Option<Self::End> {
        None
    }

    /// Called when a try gave no result, for logs and metrics.
    fn on_postponed(&self, _job: &Job<Self::Order>, _fault: &Fault) {}

    /// Called in the transaction that ends the row. Logs and metrics belong here too: before the commit, so that a
    /// crash repeats an alarm instead of losing it.
    async fn on_ended(
        &self,
        tx: &Transaction<'_>,
        job: &Job<Self::Order>,
        end: &Self::End,
    ) -> Result<(), Self::Error>;
}

/// A row that this process may attempt until its lease ends.
#[derive(Debug, Clone)]
pub struct Job<Order> {
    pub id: Uuid,
    pub order: Order,
    /// The number of this attempt, from 1. It also distinguishes this claim from a later one of the same row.
    pub attempt: i32,
    pub send_state: SendState,
    /// By the database's clock.
    pub age: Duration,
}

/// How much is known about the delivery of an order to the other system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendState {
    /// It was never sent, or it can be sent repeatedly without harm.
    Unsent,
    /// It may have been sent.
    Uncertain,
    /// The other system accepted it.
    Sent,
}

/// What an answer shows about the other system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// It answered the order.
    Answers,
    /// It cannot be reached, or fails whatever it is asked.
    Silent,
    /// Nothing: it was not asked, rejected this order, or asked for fewer calls.
    Unsaid,
}

/// The outcome of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome<End> {
    /// The other system has the order and has not decided. It is looked up after a pause.
    Accepted,
    Ended(End),
    /// No result. It is tried again after a pause.
    Retry(Fault),
    /// Staff must act first. It is tried again after the longest pause.
    RetryRarely(Fault),
}

/// How a row ends.
pub trait End: Send + Sync + 'static {
    /// The value of the column `status`.
    fn status(&self) -> &'static str;

    /// The fault of this try. It replaces that of the last one.
    fn fault(&self) -> Option<&Fault> {
        None
    }
}

/// A fault: a code for the column `last_error` and for logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault(pub Cow<'static, str>);

impl Fault {
    pub const fn code(code: &'static str) -> Self {
        Self(Cow::Borrowed(code))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A row whose content is unreadable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    pub column: &'static str,
    /// The company of the row, if it has one.
    pub business_id: Option<Uuid>,
}

/// A claimed row that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableRow {
    pub id: Uuid,
    pub unreadable: Unreadable,
    /// Whether its state was `SendState::Unsent`. If so, any provider may be chosen later.
    pub unsent: bool,
}
