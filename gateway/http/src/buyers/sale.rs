//! The buyer of a sale by link. It is a separate call, so that no list, spreadsheet or stored answer of sales has a
//! buyer's data.

use gateway_platform::buyers::buyer_of_sale;
use ledger_domain::SaleId;

use super::bodies::SaleBuyer;
use crate::edge::{Db, Id, Json};
use crate::problem::{Problem, Result};
use crate::sales::detail::recorded_sale;
use crate::sales::scope::SaleScope;

/// Get the buyer of a sale by link
///
/// A sale that did not come from an order on a payment link is a 404.
#[utoipa::path(get, path = "/transactions/{id}/buyer", tag = "sales", responses((status = 200, body = SaleBuyer)))]
pub(crate) async fn get_sale_buyer(scope: SaleScope, Id(id): Id<SaleId>, db: Db) -> Result<Json<SaleBuyer>> {
    recorded_sale(&db, scope.company, id).await?;
    let found = buyer_of_sale(&*db, id).await?;
    found
        .map(|found| Json(found.into()))
        .ok_or_else(Problem::not_found)
}
