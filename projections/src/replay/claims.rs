//! Compares the claims of sales that the append stores with the first events of a business's sales.
//!
//! A claim that no event explains is found by `audit verify`, which reads the claims by themselves.

use std::collections::BTreeMap;

use ledger_domain::{BusinessId, SaleId};
use ledger_store::Shard;
use ledger_store::log::{self, Claim};
use tokio_postgres::GenericClient;

use super::folded::FoldedBusiness;
use crate::Error;
use crate::read_model::finding::{Columns, Reporter, Subject};

const CLAIMS_PER_PAGE: usize = 1_000;

/// The claims of the business's sales. They are found by the sales' ids, so that a claim for another business is found
/// too.
pub(super) async fn read(
    client: &impl GenericClient,
    folded: &FoldedBusiness,
) -> Result<BTreeMap<SaleId, Claim>, Error> {
    let sales: Vec<SaleId> = folded.claims.keys().copied().collect();
    let mut claims = BTreeMap::new();
    for page in sales.chunks(CLAIMS_PER_PAGE) {
        claims.extend(log::claims(client, page).await?);
    }
    Ok(claims)
}

pub(super) fn compare(
    folded: &FoldedBusiness,
    business_id: BusinessId,
    found: &BTreeMap<SaleId, Claim>,
    reporter: &mut Reporter<'_>,
) {
    let claim = |(sale_id, sequence): (&SaleId, &i64)| {
        let claim = Claim {
            sale_id: *sale_id,
            business_id,
            sequence: *sequence,
            shard: Shard::of(business_id),
        };
        (*sale_id, claim)
    };
    let expected = folded.claims.iter().map(claim).collect();
    reporter.rows(Subject::SaleClaim, &expected, found, ToString::to_string);
}

impl Columns for Claim {
    fn columns(&self) -> Vec<(&'static str, String)> {
        vec![
            ("business_id", self.business_id.to_string()),
            ("sequence", self.sequence.to_string()),
            ("shard", self.shard.to_string()),
        ]
    }
}
