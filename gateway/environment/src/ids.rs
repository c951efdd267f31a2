//! New ids, and the one id that is worked out rather than made: a provider's sale.

use ledger_domain::SaleId;
use ledger_domain::sale::Provider;
use uuid::Uuid;

use crate::config::Secret;

#[derive(Debug, Clone)]
pub struct Ids {
    sales: Secret<Uuid>,
}

impl Ids {
    pub const fn new(sales: Secret<Uuid>) -> Self {
        Self { sales }
    }

    /// The same sale has the same id whatever notice tells of it first, and in whatever order.
    pub fn sale(&self, provider: Provider, external_id: &str) -> SaleId {
        let name = format!("{}\0{external_id}", provider.slug());
        SaleId::from_uuid(Uuid::new_v5(self.sales.reveal(), name.as_bytes()))
    }

    /// Ordered by time, so that new rows land at the end of their index.
    pub fn new_uuid(&self) -> Uuid {
        Uuid::now_v7()
    }
}
