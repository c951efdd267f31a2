//! The port to the reference data of sales: company, plan, terminal and calendar as of an instant.
//!
//! The writer loads it once for a whole group of commands, on its look-up connection. The events copy what they used.
//! The implementation stores the records.

use async_trait::async_trait;
use ledger_domain::business::{ContextRequest, SaleContext};
use tokio_postgres::Client;

#[async_trait]
pub trait ReferenceData: Send + Sync + 'static {
    /// One context for each request, in the same order. An unknown business, plan or terminal is marked in the context
    /// and is not an error.
    async fn contexts(
        &self,
        client: &Client,
        requests: &[ContextRequest],
    ) -> Result<Vec<SaleContext>, tokio_postgres::Error>;
}
