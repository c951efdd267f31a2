//! The database as handlers use it: `Db`, a connection from the pool, and `Tx`, a connection with an open transaction.
//!
//! Both are extractors that must be a handler's last argument. The connection is therefore taken after all other
//! arguments, and a handler with a body cannot hold one while the body arrives. A handler that has a body, hashes a
//! password or waits for the ledger takes its connection from the state (`state.db()`, `state.begin()`) when it needs
//! it.

use std::ops::Deref;

use axum::extract::{FromRequest, Request};
use deadpool_postgres::Client;
use futures::FutureExt;
use gateway_identity::email_queue::QueuedEmail;
use ledger_domain::BusinessId;
use ledger_store::Shard;
use ledger_store::layout::{Reads, search_path};

use super::{place, replica};
use crate::AppState;
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// A connection from the pool. Returns to the pool when it is dropped.
pub struct Db {
    client: Client,
    is_in_shard: bool,
}

impl Db {
    /// In layout `schemas`, a request about one company reads the tables of that company's shard.
    fn new(client: Client) -> Self {
        let mut db = Self {
            client,
            is_in_shard: false,
        };
        if let Some(shard) = place::shard_of_this_read() {
            db.enter(shard);
        }
        db
    }

    /// In a request about all companies, this connection reads one of them from now on.
    pub fn about(mut self, company: BusinessId) -> Self {
        if Reads::current() == Some(Reads::EachShard) {
            self.enter(Shard::of(company));
        }
        self
    }

    fn enter(&mut self, shard: Shard) {
        self.hand_over(&format!("SET search_path = {}", search_path(shard)));
        self.is_in_shard = true;
    }

    /// The first poll hands the statement to the connection, which runs it before any other statement. The result is
    /// not needed: if it fails, the connection is closed.
    fn hand_over(&self, statement: &str) {
        let _result = self.client.batch_execute(statement).now_or_never();
    }
}

impl Deref for Db {
    type Target = tokio_postgres::Client;

    fn deref(&self) -> &Self::Target {
        &self.client
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        if self.is_in_shard {
            self.hand_over("RESET search_path");
        }
    }
}

/// A connection with an open transaction. Without `commit`, dropping it rolls back.
///
/// Owned, unlike `tokio_postgres::Transaction`, which borrows its connection and cannot be an extractor.
#[must_use = "without `commit` the transaction rolls back"]
pub struct Tx {
    client: Client,
    is_open: bool,
    emails: Vec<QueuedEmail>,
}

impl Tx {
    async fn begin(client: Client) -> Result<Self> {
        // Created before BEGIN is sent: a request that is canceled in between rolls back.
        let transaction = Self {
            client,
            is_open: true,
            emails: vec![],
        };
        transaction.client.batch_execute("BEGIN").await?;
        Ok(transaction)
    }

    /// Sends an e-mail that was queued in this transaction, once the transaction is committed.
    pub fn send_after_commit(&mut self, email: QueuedEmail) {
        self.emails.push(email);
    }

    pub async fn commit(mut self) -> Result<()> {
        self.is_open = false;
        self.client.batch_execute("COMMIT").await?;
        std::mem::take(&mut self.emails)
            .into_iter()
            .for_each(QueuedEmail::wake);
        Ok(())
    }
}

impl Deref for Tx {
    type Target = tokio_postgres::Client;

    fn deref(&self) -> &Self::Target {
        &self.client
    }
}

impl Drop for Tx {
    fn drop(&mut self) {
        if self.is_open {
            // The first poll hands the statement to the connection, which runs it before any statement of the next
            // owner. The result is not needed: if it fails, the connection is closed, and PostgreSQL rolls back.
            let _result = self.client.batch_execute("ROLLBACK").now_or_never();
        }
    }
}

impl AppState {
    pub async fn db(&self) -> Result<Db> {
        let replica = replica::pool_of_this_read();
        Ok(Db::new(replica.as_ref().unwrap_or(&self.pool).get().await?))
    }

    pub async fn begin(&self) -> Result<Tx> {
        Tx::begin(self.pool.get().await?).await
    }
}

impl FromRequest<AppState> for Db {
    type Rejection = Problem;

    async fn from_request(_: Request, state: &AppState) -> Result<Self> {
        state.db().await
    }
}

impl FromRequest<AppState> for Tx {
    type Rejection = Problem;

    async fn from_request(_: Request, state: &AppState) -> Result<Self> {
        state.begin().await
    }
}

impl Documented for Db {
    fn describe(_: &mut CallDocument) {}
}

impl Documented for Tx {
    fn describe(_: &mut CallDocument) {}
}
