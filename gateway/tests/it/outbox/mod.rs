//! Tests the worker that all outboxes share, on a table of these tests. The simulated other system pays an order again
//! if it is sent again.

mod claims;
mod outages;
mod outcomes;
mod retries;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Pool, Transaction};
use gateway_outbox::{
    Backoff, Claimable, End, Fault, Health, Job, Outbox, Outcome, RetryPolicy, Table, Unreadable,
    UnreadableRow, UnreadableRows, WorkerHandle,
};
use gateway_platform::PlatformError;
use ledger_store::Supervisor;
use tokio::sync::Notify;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use crate::support::database::Database;
use crate::support::wait::until;

const TABLES: &str = "
    CREATE TABLE test_order (
        id          uuid PRIMARY KEY,
        content     text NOT NULL,
        business_id uuid NOT NULL DEFAULT gen_random_uuid(),
        kind        text NOT NULL DEFAULT 'usual',
        provider    text,
        status      text NOT NULL DEFAULT 'waiting'
                    CHECK (status IN ('waiting', 'unknown', 'sent', 'paid', 'given-up', 'unreadable')),
        tries       integer NOT NULL DEFAULT 0,
        next_try_at timestamptz DEFAULT now(),
        paused_until timestamptz,
        awaits      text,
        last_error  text,
        created_at  timestamptz NOT NULL DEFAULT now(),
        ended_at    timestamptz,
        CHECK ((status IN ('paid', 'given-up')) = (ended_at IS NOT NULL)),
        CHECK ((status IN ('paid', 'given-up', 'unreadable')) = (next_try_at IS NULL))
    );
    CREATE TABLE test_order_log (id uuid NOT NULL, entry text NOT NULL);";

/// An order older than this is given up at its next failed try.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(3_600);

/// The behavior of the other system, by the order's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behavior {
    Pay,
    /// It pays, and the answer is lost.
    PaySilently,
    /// It pays, and the connection hangs forever.
    PayAndHang,
    /// The connection hangs before the order arrives.
    Hang,
    /// It pays once the test releases the call.
    PaySlowly,
    /// The order does not arrive, and this is known once the test releases the call.
    FailSlowly,
    /// The order does not arrive.
    Unreachable,
    /// It pays unless it is silent now: then the order does not arrive.
    PayUnlessSilent,
    /// It takes the order and pays later, at the first look-up.
    Accept,
    /// It takes the order and loses it.
    Forget,
    Panic,
    /// It answers with a contradiction that only staff can resolve.
    Contradict,
}

impl Behavior {
    fn of(content: &str) -> Option<Self> {
        Some(match content {
            "pay" => Self::Pay,
            "pay silently" => Self::PaySilently,
            "pay and hang" => Self::PayAndHang,
            "hang" => Self::Hang,
            "pay slowly" => Self::PaySlowly,
            "fail slowly" => Self::FailSlowly,
            "unreachable" => Self::Unreachable,
            "pay unless silent" => Self::PayUnlessSilent,
            "accept" => Self::Accept,
            "forget" => Self::Forget,
            "panic" => Self::Panic,
            "contradict" => Self::Contradict,
            _ => return None,
        })
    }
}

/// The other system's book: how often it was sent each order, paid it and accepted it for later.
#[derive(Default)]
struct Book {
    sent: HashMap<Uuid, usize>,
    paid: HashMap<Uuid, usize>,
    accepted: HashMap<Uuid, usize>,
}

/// The other system.
#[derive(Clone, Default)]
struct Receiver {
    book: Arc<Mutex<Book>>,
    is_silent: Arc<AtomicBool>,
    /// Notified when a call that hangs or is slow has begun.
    called: Arc<Notify>,
    /// The test notifies this to let a slow call go on.
    released: Arc<Notify>,
}

impl Receiver {
    fn book(&self) -> std::sync::MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sent(&self, id: Uuid) -> usize {
        self.book().sent.get(&id).copied().unwrap_or(0)
    }

    fn paid(&self, id: Uuid) -> usize {
        self.book().paid.get(&id).copied().unwrap_or(0)
    }

    fn be_silent(&self, is_silent: bool) {
        self.is_silent.store(is_silent, Ordering::SeqCst);
    }

    fn is_silent(&self) -> bool {
        self.is_silent.load(Ordering::SeqCst)
    }

    fn pay(&self, id: Uuid) {
        *self.book().paid.entry(id).or_default() += 1;
    }
}

enum Answer {
    Paid,
    Accepted,
    /// Something about this order.
    Fault(&'static str),
    /// The other system cannot be reached.
    Silence,
    Contradiction,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum OrderEnd {
    Paid,
    GivenUp(Fault),
}

impl End for OrderEnd {
    fn status(&self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::GivenUp(_) => "given-up",
        }
    }

    fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Paid => None,
            Self::GivenUp(fault) => Some(fault),
        }
    }
}

struct Orders {
    pool: Pool,
    receiver: Receiver,
    claimable: Claimable,
    /// `None`: the rows of all companies.
    shards: Option<Vec<i16>>,
}

#[async_trait]
impl Outbox for Orders {
    type Order = Behavior;
    type Answer = Answer;
    type End = OrderEnd;
    type Error = PlatformError;

    const NAME: &'static str = "test orders";
    const TABLE: Table = Table {
        name: "test_order",
        id: "id",
        columns: "content",
        open_condition: "ended_at IS NULL",
        can_be_late: "true",
        has_look_up: true,
        claim_sets_provider: true,
        has_updated_at_column: false,
        unreadable_rows: UnreadableRows::KeepOpen,
    };

    fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The times are longer than a test. A test makes a row due with an UPDATE instead of waiting. The pauses are 2, 4,
    /// and then 5 hours.
    fn retry_policy(&self) -> RetryPolicy {
        RetryPolicy {
            lease: Duration::from_secs(24 * 3_600),
            backoff: Backoff {
                first: Duration::from_secs(2 * 3_600),
                last: Duration::from_secs(5 * 3_600),
            },
        }
    }

    fn claimable(&self) -> Claimable {
        self.claimable.clone()
    }

    fn shards(&self) -> Option<Vec<i16>> {
        self.shards.clone()
    }

    fn read(_id: Uuid, row: &Row) -> Result<Behavior, Unreadable> {
        Behavior::of(row.get("content")).ok_or(Unreadable {
            column: "content",
            business_id: None,
        })
    }

    fn provider(&self, _job: &Job<Behavior>) -> &'static str {
        "bank"
    }

    fn health(answer: &Answer) -> Health {
        match answer {
            Answer::Paid | Answer::Accepted => Health::Answers,
            Answer::Silence => Health::Silent,
            Answer::Fault(_) | Answer::Contradiction => Health::Unsaid,
        }
    }

    async fn remove_from_queue(&self, client: &Client, row: &UnreadableRow) -> Result<(), PlatformError> {
        let sql = format!(
            "WITH unreadable AS ({} RETURNING 1) INSERT INTO test_order_log SELECT $1, 'unreadable' FROM unreadable",
            Self::TABLE.remove_from_queue_sql()
        );
        let parameters: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 2] =
            [(&row.id, Type::UUID), (&row.unsent, Type::BOOL)];
        client.execute_typed(&sql, &parameters).await?;
        Ok(())
    }

    async fn send(&self, job: &Job<Behavior>) -> Result<Answer, PlatformError> {
        *self.receiver.book().sent.entry(job.id).or_default() += 1;
        Ok(match job.order {
            Behavior::Pay => {
                self.receiver.pay(job.id);
                Answer::Paid
            }
            Behavior::PaySilently => {
                self.receiver.pay(job.id);
                Answer::Fault("timeout")
            }
            Behavior::PayAndHang | Behavior::Hang => {
                if job.order == Behavior::PayAndHang {
                    self.receiver.pay(job.id);
                }
                self.receiver.called.notify_one();
                std::future::pending().await
            }
            Behavior::PaySlowly | Behavior::FailSlowly => {
                self.receiver.called.notify_one();
                self.receiver.released.notified().await;
                if job.order == Behavior::PaySlowly {
                    self.receiver.pay(job.id);
                    return Ok(Answer::Paid);
                }
                Answer::Fault("slow")
            }
            Behavior::Unreachable => Answer::Fault("unreachable"),
            Behavior::PayUnlessSilent if self.receiver.is_silent() => Answer::Silence,
            Behavior::PayUnlessSilent => {
                self.receiver.pay(job.id);
                Answer::Paid
            }
            Behavior::Accept => {
                *self.receiver.book().accepted.entry(job.id).or_default() += 1;
                Answer::Accepted
            }
            Behavior::Forget => Answer::Accepted,
            Behavior::Panic => panic!("a test made the call panic"),
            Behavior::Contradict => Answer::Contradiction,
        })
    }

    async fn look_up(&self, job: &Job<Behavior>) -> Result<Option<Answer>, PlatformError> {
        if job.order == Behavior::PayUnlessSilent && self.receiver.is_silent() {
            return Ok(Some(Answer::Silence));
        }
        let accepted = self.receiver.book().accepted.contains_key(&job.id);
        if accepted && self.receiver.paid(job.id) == 0 {
            self.receiver.pay(job.id);
        }
        Ok((self.receiver.paid(job.id) > 0).then_some(Answer::Paid))
    }

    async fn outcome(
        &self,
        _job: &Job<Behavior>,
        answer: Option<Answer>,
    ) -> Result<Outcome<OrderEnd>, PlatformError> {
        Ok(match answer {
            Some(Answer::Paid) => Outcome::Ended(OrderEnd::Paid),
            Some(Answer::Accepted) => Outcome::Accepted,
            Some(Answer::Fault(fault)) => Outcome::Retry(Fault::code(fault)),
            Some(Answer::Silence) => Outcome::Retry(Fault::code("silent")),
            Some(Answer::Contradiction) => Outcome::RetryRarely(Fault::code("contradicted")),
            None => Outcome::Retry(Fault::code("forgotten")),
        })
    }

    fn give_up(job: &Job<Behavior>, fault: &Fault) -> Option<OrderEnd> {
        (job.age > GIVEN_UP_AFTER).then(|| OrderEnd::GivenUp(fault.clone()))
    }

    async fn on_ended(
        &self,
        tx: &Transaction<'_>,
        job: &Job<Behavior>,
        end: &OrderEnd,
    ) -> Result<(), PlatformError> {
        tx.execute_typed(
            "INSERT INTO test_order_log VALUES ($1, $2)",
            &[(&job.id, Type::UUID), (&end.status(), Type::TEXT)],
        )
        .await?;
        Ok(())
    }
}

/// A database with the table, the other system, and the supervisor of one process.
struct OutboxFixture {
    database: Database,
    receiver: Receiver,
    supervisor: Supervisor,
}

impl OutboxFixture {
    async fn open() -> Self {
        let database = Database::create().await;
        let client = database.client().await;
        client.batch_execute(TABLES).await.expect("the table");
        Self {
            database,
            receiver: Receiver::default(),
            supervisor: Supervisor::default(),
        }
    }

    /// Starts a worker of the process that claims rows for the provider `bank`.
    fn worker(&self) -> WorkerHandle {
        self.worker_of(&self.supervisor, Claimable::OfProvider("bank"))
    }

    fn worker_of(&self, supervisor: &Supervisor, claimable: Claimable) -> WorkerHandle {
        self.worker_of_shards(supervisor, claimable, None)
    }

    fn worker_of_shards(
        &self,
        supervisor: &Supervisor,
        claimable: Claimable,
        shards: Option<Vec<i16>>,
    ) -> WorkerHandle {
        let orders = Orders {
            pool: self.database.pool.clone(),
            receiver: self.receiver.clone(),
            claimable,
            shards,
        };
        gateway_outbox::start(orders, Arc::new(Notify::new()), supervisor)
    }

    async fn add(&self, content: &str) -> Uuid {
        let id = Uuid::new_v4();
        let client = self.database.client().await;
        client
            .execute(
                "INSERT INTO test_order (id, content) VALUES ($1, $2)",
                &[&id, &content],
            )
            .await
            .expect("a row");
        id
    }

    async fn execute(&self, sql: &str) {
        let client = self.database.client().await;
        client.batch_execute(sql).await.expect(sql);
    }

    async fn make_due(&self) {
        self.execute("UPDATE test_order SET next_try_at = now() WHERE next_try_at IS NOT NULL")
            .await;
    }

    async fn number(&self, sql: &str) -> i64 {
        let client = self.database.client().await;
        client.query_one(sql, &[]).await.expect(sql).get(0)
    }

    /// Waits until exactly this number of rows meets the condition.
    async fn until_rows(&self, rows: i64, condition: &str) {
        let sql = format!("SELECT count(*) FROM test_order WHERE {condition}");
        until(&format!("{rows} rows that meet {condition}"), async || {
            self.number(&sql).await == rows
        })
        .await;
    }

    /// The log lines of `on_ended` and `remove_from_queue` about a row.
    async fn log_entries(&self, id: Uuid) -> Vec<String> {
        let client = self.database.client().await;
        let rows = client
            .query("SELECT entry FROM test_order_log WHERE id = $1", &[&id])
            .await;
        rows.expect("the log").iter().map(|row| row.get(0)).collect()
    }
}
