//! Erasing the data of buyers, by staff. The document is in the body of the request, because URLs are logged.

use axum::extract::State;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::buyers::{
    BuyerKey, ExceptionSearch, OrderReference, buyer_orders, buyer_texts, buyers_erase,
};
use ledger_domain::SaleId;
use ledger_domain::documents::Document;
use serde_json::json;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::bodies::{BuyerErasure, BuyerOrderRow, BuyerOrders, BuyerSearch, BuyersErased};
use crate::AppState;
use crate::edge::{Db, FormErrors, Json, Paging, Query};
use crate::problem::{Problem, Result};
use crate::shared::body_fields;
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// The subject in the audit log.
const SUBJECT: &str = "buyer";
/// Shorter words of a name, such as "de", are in many texts that do not name the buyer.
const NAMING_CHARACTERS_MIN: usize = 4;

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
    Json(body): Json<BuyerSearch>,
) -> Result<Json<BuyerOrders>> {
    let mut errors = FormErrors::default();
    let key = buyer_key(&mut errors, body.document, body.order, body.sale_id);
    errors.finish()?;
    let Some(key) = key else {
        return Err(Problem::not_found());
    };
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
pub(crate) async fn erase_buyer(
    State(state): State<AppState>,
    staff: StaffCaller,
    Json(body): Json<BuyerErasure>,
) -> Result<Json<BuyersErased>> {
    let mut errors = FormErrors::default();
    let key = buyer_key(&mut errors, body.document, body.order, body.sale_id);
    let reason = body_fields::text(&mut errors, "reason", body.reason, "Informe o motivo.");
    errors.finish()?;
    let Some(key) = key else {
        return Err(Problem::not_found());
    };
    let tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    let mut orders = buyer_orders(&*tx, &key).await?;
    orders.retain(|order| order.erased_at.is_none());
    let ids: Vec<Uuid> = orders.iter().map(|order| order.id).collect();
    if names_buyer(&reason, &buyer_texts(&*tx, &ids).await?) {
        let message = "O motivo fica no registro de auditoria: escreva sem dados do comprador.";
        return Err(Problem::field("reason", message));
    }
    let erased = buyers_erase(&*tx, &ids, ExceptionSearch::BySaleOrContact, state.clock.now()).await?;
    let open: Vec<String> = orders
        .into_iter()
        .map(|order| order.reference)
        .filter(|reference| !erased.orders.contains(reference))
        .collect();
    if erased.orders.is_empty() {
        return Err(nothing_erased(&open));
    }
    // A buyer has no id, so each erasure is a subject with a new one.
    let change = Change {
        action: "erase",
        subject: SUBJECT,
        subject_id: &Uuid::now_v7().to_string(),
        before: None,
        after: Some(json!({ "orders": erased.orders, "count": erased.orders.len(), "reason": reason })),
    };
    record(&*tx, Actor::Admin(staff.id), change).await?;
    tx.commit().await?;
    metrics::counter!("razao_buyers_erased_total", "kind" => "staff")
        .increment(u64::try_from(erased.orders.len()).unwrap_or(u64::MAX));
    Ok(Json(BuyersErased::of(erased, open)))
}

/// List the erasures of buyers
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/buyers/history", tag = "buyers",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_buyer_history(Query(paging): Query<Paging>, db: Db) -> Result<Json<HistoryPage>> {
    staff_history(&db, SUBJECT, None, paging).await.map(Json)
}

/// Checks a reason that stays in the ledger or in the audit log: it must not contain data of the sale's buyer.
pub(crate) async fn check_names_no_buyer(
    db: &impl GenericClient,
    sale_id: SaleId,
    reason: &str,
) -> Result<()> {
    let orders = buyer_orders(db, &BuyerKey::Sale(sale_id)).await?;
    let ids: Vec<Uuid> = orders.iter().map(|order| order.id).collect();
    if !ids.is_empty() && names_buyer(reason, &buyer_texts(db, &ids).await?) {
        let message = "O motivo não pode ser apagado depois: escreva sem dados do comprador.";
        return Err(Problem::field("reason", message));
    }
    Ok(())
}

fn nothing_erased(open: &[String]) -> Problem {
    if open.is_empty() {
        return Problem::not_found();
    }
    Problem::conflict("O pedido ainda aguarda pagamento. Apague os dados depois que ele terminar.")
}

/// The buyer that the request names. `None` with an error if a field is invalid, or if not exactly one is given. `None`
/// without an error if the sale's id is malformed: the caller answers 404, like for an unknown sale.
fn buyer_key(
    errors: &mut FormErrors,
    document: Option<String>,
    order: Option<String>,
    sale_id: Option<String>,
) -> Option<BuyerKey> {
    match (document, order, sale_id) {
        (Some(text), None, None) => match Document::parse(text.trim()) {
            Ok(document) => Some(BuyerKey::Document(document)),
            Err(_) => {
                errors.add("document", "CPF ou CNPJ inválido.");
                None
            }
        },
        (None, Some(text), None) => match OrderReference::parse(text.trim()) {
            Ok(reference) => Some(BuyerKey::Order(reference)),
            Err(_) => {
                errors.add("order", "O pedido tem 10 letras e números.");
                None
            }
        },
        (None, None, Some(text)) => text.trim().parse::<SaleId>().ok().map(BuyerKey::Sale),
        (None, None, None) => {
            errors.add("document", "Informe o CPF ou CNPJ, o pedido ou a venda.");
            None
        }
        _ => {
            errors.add("document", "Informe só um: o CPF ou CNPJ, o pedido ou a venda.");
            None
        }
    }
}

/// Whether the text contains one of the buyer's data: numbers with or without masks, names in any case, or a word of
/// the name with at least `NAMING_CHARACTERS_MIN` letters.
fn names_buyer(text: &str, data: &[String]) -> bool {
    let bare = |text: &str| -> String {
        text.to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric())
            .collect()
    };
    let (words, all) = (words_of(text), bare(text));
    // A short datum, such as the name "Ana", must be whole words: its letters are in "semana" too.
    let between_spaces = |words: &[String]| format!(" {} ", words.join(" "));
    let holds = |datum: &str| {
        let bare_datum = bare(datum);
        if bare_datum.chars().count() < NAMING_CHARACTERS_MIN {
            between_spaces(&words).contains(&between_spaces(&words_of(datum)))
        } else {
            all.contains(&bare_datum)
        }
    };
    data.iter().any(|datum| {
        let is_name = datum
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, ' ' | '\'' | '’' | '-' | '.'));
        let mut named = words_of(datum);
        named.retain(|word| word.chars().count() >= NAMING_CHARACTERS_MIN);
        holds(datum) || is_name && named.iter().any(|word| words.contains(word))
    })
}

fn words_of(text: &str) -> Vec<String> {
    let words = text.to_lowercase();
    words
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_must_not_name_the_buyer() {
        let data = [
            "Marina de Souza",
            "52998224725",
            "marina@exemplo.example",
            "11987654321",
        ]
        .map(str::to_owned);
        for reason in [
            "Pedido da Marina",
            "CPF 529.982.247-25",
            "Escreveu de MARINA@exemplo.example",
            "Ligou do (11) 98765-4321",
            "pedido de souza",
        ] {
            assert!(names_buyer(reason, &data), "{reason}");
        }
        for reason in [
            "Pedido do titular, protocolo 118",
            "Compra de terceiros",
            "Submarina",
        ] {
            assert!(!names_buyer(reason, &data), "{reason}");
        }
    }

    #[test]
    fn a_short_name_is_found_only_as_a_whole_word() {
        let data = ["Ana".to_owned()];
        for reason in ["Pedido da Ana", "ANA, protocolo 118"] {
            assert!(names_buyer(reason, &data), "{reason}");
        }
        assert!(!names_buyer("Pedido da semana passada", &data));
    }
}
