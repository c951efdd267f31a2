//! The port to what the back office knows: company, plan, terminal and calendar as of an instant.
//!
//! The ledger asks once for a whole batch, on the connection of its other look-ups, and copies what it used into the
//! events. Whoever implements this keeps the records; nothing of them is kept here.

use async_trait::async_trait;
use ledger_domain::business::{ContextRequest, SaleContext};
use tokio_postgres::Client;

#[async_trait]
pub trait BackOffice: Send + Sync + 'static {
    /// One context for each request, in the same order. A business, a plan or a terminal that isn't known is said in
    /// the context and is no error.
    async fn contexts(
        &self,
        client: &Client,
        requests: &[ContextRequest],
    ) -> Result<Vec<SaleContext>, tokio_postgres::Error>;
}
