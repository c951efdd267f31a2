//! Erasing the data of buyers, by staff. The document is in the body of the request, because URLs are logged.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::buyers::{BUYER, ErasureError, buyer_erase, buyer_orders, names_buyer_of_sale};
use ledger_domain::SaleId;
use tokio_postgres::GenericClient;

use super::bodies::{BuyerErasure, BuyerOrderRow, BuyerOrders, BuyerSearch, BuyersErased};
use crate::AppState;
use crate::edge::{Db, Json, Paging, Query};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed};
use crate::shared::form::Form;
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// Find the orders of a buyer
///
/// By the buyer's document, by an order's reference or by a sale. Latest first, 500 at most. The answer has no data of
/// the buyer. The document does not find an order whose buyer is erased: search by the order or the sale.
#[utoipa::path(
    post, path = "/admin/buyers/search", tag = "buyers",
    responses((status = 200, body = BuyerOrders))
)]
pub(crate) async fn find_buyer_orders(
    State(state): State<AppState>,
    Form(BuyerSearch(key)): Form<BuyerSearch>,
) -> Result<Json<BuyerOrders>> {
    let key = key.ok_or_else(Problem::not_found)?;
    let orders = buyer_orders(&*state.db().await?, &key).await?;
    let data = orders.into_iter().map(BuyerOrderRow::from).collect();
    Ok(Json(BuyerOrders { data }))
}

/// Erase the data of a buyer
///
/// Erases the data in the latest 500 orders with a document, or in one order; repeat the call for earlier orders. It
/// cannot be undone. The sales, the ledger and the audit log stay. The audit log gets the references of the orders and
/// the reason. An order keeps its buyer while it or an attempt is open, because a payment may be under way: repeat the
/// call when they have ended.
#[utoipa::path(
    post, path = "/admin/buyers/erase", tag = "buyers",
    responses(
        (status = 200, body = BuyersErased),
        (status = 404, description = "No order has this buyer, or it is erased already"),
        (status = 409, description = "Every order that is not erased yet is open or has an open attempt"),
    )
)]
pub(crate) async fn erase_buyer(change: Change<StaffCaller, Form<BuyerErasure>>) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let key = form.key.ok_or_else(Problem::not_found)?;
            let by = (work.caller.id, work.now());
            let (erased, open) = buyer_erase(&**work, &key, &form.reason, by).await?;
            Ok(Changed::recorded(BuyersErased::of(erased, open)))
        })
        .await
}

impl From<ErasureError> for Problem {
    fn from(error: ErasureError) -> Self {
        match error {
            ErasureError::NotFound => Self::not_found(),
            ErasureError::StillOpen => {
                Self::conflict("O pedido ainda aguarda pagamento. Apague os dados depois que ele terminar.")
            }
            ErasureError::NamesBuyer => Self::field(
                "reason",
                "O motivo fica no registro de auditoria: escreva sem dados do comprador.",
            ),
            ErasureError::Database(error) => error.into(),
        }
    }
}

/// List the erasures of buyers
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/buyers/history", tag = "buyers",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_buyer_history(Query(paging): Query<Paging>, db: Db) -> Result<Json<HistoryPage>> {
    staff_history(&db, BUYER, None, paging).await.map(Json)
}

/// Checks a reason that stays in the ledger or in the audit log: it must not contain data of the sale's buyer.
pub(crate) async fn check_names_no_buyer(
    db: &impl GenericClient,
    sale_id: SaleId,
    reason: &str,
) -> Result<()> {
    if names_buyer_of_sale(db, sale_id, reason).await? {
        return Err(Problem::names_buyer());
    }
    Ok(())
}
