//! New ids, and the ids of providers' sales, which are derived.

use ledger_domain::SaleId;
use ledger_domain::sale::Provider;
use uuid::Uuid;

use crate::config::Secret;

#[derive(Debug, Clone)]
pub struct Ids {
    /// `RAZAO_KEY_SALES`.
    sale_namespace: Secret<Uuid>,
}

impl Ids {
    pub const fn new(sale_namespace: Secret<Uuid>) -> Self {
        Self { sale_namespace }
    }

    /// Derives a sale's id from its provider and external id. So the id does not depend on which notice arrives first.
    pub fn sale(&self, provider: Provider, external_id: &str) -> SaleId {
        let name = format!("{}\0{external_id}", provider.slug());
        SaleId::from_uuid(Uuid::new_v5(self.sale_namespace.reveal(), name.as_bytes()))
    }

    /// A UUID that is ordered by time, so that new rows are added at the end of their index.
    pub fn new_uuid(&self) -> Uuid {
        Uuid::now_v7()
    }

    /// Random bytes for a reference that cannot be guessed.
    pub fn random_bytes<const N: usize>(&self) -> [u8; N] {
        std::array::from_fn(|_| rand::random())
    }

    /// A short code for a public address: the last 12 characters of a random UUID in capitals (specification, section
    /// 9). 48 random bits, so that no code can be guessed from another.
    pub fn new_short_code(&self) -> String {
        let digits = Uuid::new_v4().simple().to_string();
        digits[digits.len() - 12..].to_ascii_uppercase()
    }
}
