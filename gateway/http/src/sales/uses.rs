//! Where the money of a sale went, once it was available.

use ledger_domain::{EventId, SaleId};
use projections::balance::statement::composition::credit_uses;
use projections::sales::sale_fetch;

use super::bodies::uses::SaleUses;
use super::scope::SaleScope;
use crate::edge::{Db, Id, Json};
use crate::problem::{Problem, Result};

/// List where a sale's money went
///
/// Each credit that the sale gave the available balance, with the withdrawals and other debits that it went to. Credits
/// fill debits first in, first out, in the order of recording. Empty until the first settlement.
#[utoipa::path(
    get, path = "/transactions/{id}/uses", tag = "sales",
    responses((status = 200, body = SaleUses))
)]
pub(crate) async fn list_sale_uses(scope: SaleScope, Id(id): Id<SaleId>, db: Db) -> Result<Json<SaleUses>> {
    let sale = sale_fetch(&*db, scope.company, id).await?;
    let sale = sale.ok_or_else(Problem::not_found)?;
    let events: Vec<EventId> = sale.events.iter().map(|event| event.id).collect();
    let db = db.about(sale.row.business_id);
    let uses = credit_uses(&*db, sale.row.business_id, id, &events).await?;
    Ok(Json(uses.into()))
}
