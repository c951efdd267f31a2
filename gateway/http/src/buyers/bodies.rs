//! Buyers and closed card forms in answers, and what staff send to find or erase buyers.

use chrono::{DateTime, Utc};
use gateway_platform::buyers::{self, BuyerKey, BuyerOrder, CardClosure, Erasure, OrderReference};
use ledger_domain::SaleId;
use ledger_domain::documents::Document;
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::query::text as text_schema;
use crate::shared::form::{FormReader, Kind, REASON_MAX, form, line, optional, required, text};

/// The buyer of a sale by link.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleBuyer {
    /// The reference of the order, as the addresses of the buyer's pages and the e-mails have it.
    #[schema(example = "7Q2M4Z9XKD")]
    pub order: String,
    /// Null if the buyer's data are erased.
    #[schema(required = true)]
    pub buyer: Option<Buyer>,
    /// UTC instant of the erasure. Null if the buyer's data are not erased.
    #[schema(required = true)]
    pub erased_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Buyer {
    #[schema(example = "Marina Alves")]
    pub name: String,
    /// CPF or CNPJ, without punctuation.
    #[schema(example = "52998224725")]
    pub document: String,
    #[schema(example = "marina@exemplo.example")]
    pub email: String,
    /// Digits, with the area code.
    #[schema(example = "11987654321")]
    pub phone: String,
}

/// The buyer that the request names. `None` if the sale's id is malformed: a 404, as for an unknown sale.
pub struct BuyerSearch(pub Option<BuyerKey>);

form! {
    /// A search for orders of a buyer, by exactly one of the fields.
    impl FromBody for BuyerSearch with form {
        /// CPF or CNPJ, with or without punctuation.
        #[example = "529.982.247-25"]
        document: Option<Document> = optional(document()),
        /// The reference of an order.
        order: Option<OrderReference> = optional(order()),
        /// The id of a sale of the order.
        sale_id: Option<SaleInBody> = optional(sale_id()),
    } => Self(the_only_key(form, document, order, sale_id))
}

pub struct BuyerErasure {
    pub key: Option<BuyerKey>,
    pub reason: String,
}

form! {
    /// The buyer, by exactly one of document, order and sale_id, and the reason of the erasure.
    impl FromBody for BuyerErasure with form {
        /// CPF or CNPJ, with or without punctuation: the latest 500 orders of this buyer.
        #[example = "529.982.247-25"]
        document: Option<Document> = optional(document()),
        /// The reference of an order.
        order: Option<OrderReference> = optional(order()),
        /// The id of a sale of the order.
        sale_id: Option<SaleInBody> = optional(sale_id()),
        /// The reason, for the audit log. It must not contain the buyer's name, document, e-mail or phone.
        #[example = "Pedido do titular, protocolo 2026-118."]
        reason: String = required(line(REASON_MAX), "Informe o motivo."),
    } => Self { key: the_only_key(form, document, order, sale_id), reason }
}

/// A sale's id. `None` if it is malformed.
struct SaleInBody(Option<SaleId>);

fn document() -> Kind<Document> {
    let parsed = |text: &str| Document::parse(text.trim()).map_err(|_| "CPF ou CNPJ inválido.");
    text(
        || text_schema().into(),
        move |given, field| parsed(given).map_err(|message| field.error(message)).ok(),
    )
}

fn order() -> Kind<OrderReference> {
    let parsed =
        |text: &str| OrderReference::parse(text.trim()).map_err(|_| "O pedido tem 10 letras e números.");
    text(
        || text_schema().into(),
        move |given, field| parsed(given).map_err(|message| field.error(message)).ok(),
    )
}

fn sale_id() -> Kind<SaleInBody> {
    text(
        || text_schema().into(),
        |given, _| Some(SaleInBody(given.trim().parse().ok())),
    )
}

/// `None` with an error if not exactly one is given.
fn the_only_key(
    form: &mut FormReader<'_>,
    document: Option<Document>,
    order: Option<OrderReference>,
    sale_id: Option<SaleInBody>,
) -> Option<BuyerKey> {
    match (document, order, sale_id) {
        (Some(document), None, None) => Some(BuyerKey::Document(document)),
        (None, Some(order), None) => Some(BuyerKey::Order(order)),
        (None, None, Some(SaleInBody(sale_id))) => sale_id.map(BuyerKey::Sale),
        (None, None, None) => {
            form.error("document", "Informe o CPF ou CNPJ, o pedido ou a venda.");
            None
        }
        _ => {
            form.error("document", "Informe só um: o CPF ou CNPJ, o pedido ou a venda.");
            None
        }
    }
}

/// The orders of a buyer, without the buyer's data.
#[derive(Debug, Serialize, ToSchema)]
pub struct BuyerOrders {
    pub data: Vec<BuyerOrderRow>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BuyerOrderRow {
    #[schema(example = "7Q2M4Z9XKD")]
    pub order: String,
    pub business: OrderBusiness,
    #[schema(example = "Bolo de chocolate")]
    pub description: String,
    /// In cents.
    #[schema(example = 18_000)]
    pub amount: i64,
    /// open, paid, expired, canceled.
    #[schema(example = "paid")]
    pub status: String,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
    /// The sale of the latest attempt.
    #[schema(required = true, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04")]
    pub sale_id: Option<String>,
    /// Whether the buyer's data can be erased: not erased yet, and the order and its latest attempt have ended.
    pub erasable: bool,
    /// UTC instant of the erasure. Null if the buyer's data are not erased.
    #[schema(required = true)]
    pub erased_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OrderBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BuyersErased {
    /// The references of the orders whose buyer this call erased.
    #[schema(example = json!(["7Q2M4Z9XKD"]))]
    pub orders: Vec<String>,
    /// The references of the orders that keep their buyer, because the order or an attempt is still open.
    #[schema(example = json!([]))]
    pub open: Vec<String>,
    /// The number of exceptions whose reported texts were erased.
    #[schema(example = 0)]
    pub exceptions: u64,
}

/// The links whose card form is closed.
#[derive(Debug, Serialize, ToSchema)]
pub struct CardClosureList {
    pub data: Vec<CardClosureRow>,
}

/// A card form that was closed because many cards were declined on it.
#[derive(Debug, Serialize, ToSchema)]
pub struct CardClosureRow {
    #[schema(example = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a")]
    pub id: String,
    pub link: ClosedLink,
    pub business: OrderBusiness,
    /// The number of declined cards that led to it.
    #[schema(example = 20)]
    pub declines: i32,
    /// UTC instant.
    pub closed_at: DateTime<Utc>,
    /// UTC instant.
    pub closed_until: DateTime<Utc>,
    /// UTC instant at which staff opened it again.
    #[schema(required = true)]
    pub reopened_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ClosedLink {
    #[schema(example = "lnk_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0b")]
    pub id: String,
    #[schema(example = "2F6F4F5A1B0B")]
    pub code: String,
    #[schema(example = "Bolo de chocolate")]
    pub description: String,
}

impl From<buyers::SaleBuyer> for SaleBuyer {
    fn from(found: buyers::SaleBuyer) -> Self {
        Self {
            order: found.order,
            buyer: found.buyer.map(|buyer| Buyer {
                name: buyer.name,
                document: buyer.document,
                email: buyer.email,
                phone: buyer.phone,
            }),
            erased_at: found.erased_at,
        }
    }
}

impl From<BuyerOrder> for BuyerOrderRow {
    fn from(order: BuyerOrder) -> Self {
        Self {
            order: order.reference,
            business: OrderBusiness {
                id: order.business_id.to_string(),
                name: order.business_name,
            },
            description: order.description,
            amount: order.amount,
            status: order.status,
            created_at: order.created_at,
            sale_id: order.sale_id.map(|id| id.to_string()),
            erasable: !order.open && order.erased_at.is_none(),
            erased_at: order.erased_at,
        }
    }
}

impl BuyersErased {
    pub fn of(erased: Erasure, open: Vec<String>) -> Self {
        Self {
            orders: erased.orders,
            open,
            exceptions: erased.exceptions,
        }
    }
}

impl From<CardClosure> for CardClosureRow {
    fn from(closure: CardClosure) -> Self {
        Self {
            id: closure.id.to_string(),
            link: ClosedLink {
                id: closure.link_id.to_string(),
                code: closure.link_code,
                description: closure.link_description,
            },
            business: OrderBusiness {
                id: closure.business_id.to_string(),
                name: closure.business_name,
            },
            declines: closure.declines,
            closed_at: closure.closed_at,
            closed_until: closure.closed_until,
            reopened_at: closure.reopened_at,
        }
    }
}
