//! The port to the reference data of sales: company, plan, terminal and calendar as of an instant.
//!
//! The writer loads it once for a whole group of commands, from memory or on its look-up connection. The events copy
//! what they used.

use async_trait::async_trait;
use ledger_domain::business::{ContextRequest, SaleContext};
use tokio_postgres::Client;

/// Contexts from memory. Another process may have changed the data since it was read.
#[derive(Debug, Clone)]
pub struct RememberedContexts {
    /// One for each request, in the same order.
    pub contexts: Vec<SaleContext>,
    /// The version of the data that they come from. The append of events that rest on them records nothing if
    /// `reference_version` holds another one.
    pub version: i64,
}

#[async_trait]
pub trait ReferenceData: Send + Sync + 'static {
    /// The contexts, if memory holds all data that they need. Asks the database nothing.
    fn remembered(&self, requests: &[ContextRequest]) -> Option<RememberedContexts>;

    /// The contexts by the data in force: one for each request, in the same order. An unknown business, plan or
    /// terminal is marked in the context and is not an error.
    async fn contexts(
        &self,
        client: &Client,
        requests: &[ContextRequest],
    ) -> Result<Vec<SaleContext>, tokio_postgres::Error>;
}
