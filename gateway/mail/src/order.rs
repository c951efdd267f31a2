//! The e-mails about buyers' orders on payment links. The buyer gets the code to pay, the receipt, or the notice that
//! the order expired. The seller's users who want it get the notice that a link was paid. The row of an e-mail names
//! the sale, and for the seller's users also the user and the address. The rest of the text is read when the e-mail is
//! sent.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_formats::boleto::DigitableLine;
use gateway_identity::email_queue::EmailKind;
use ledger_domain::documents::Document;
use ledger_domain::ids::UserId;
use ledger_domain::sale::CardBrand;
use ledger_domain::{Cents, SaleId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::compose::{EmailContext, brasilia_time, greeting};
use crate::queue::StoredEmail;
use crate::rendered::{Action, RenderedEmail};

/// An address gets the codes to pay and the notices of expiry of at most this many orders an hour. This protects
/// strangers, because a buyer can type any address. Receipts and the attempts of one order are not limited here.
const ORDERS_OF_ADDRESS_PER_HOUR_MAX: i64 = 10;

/// An order and one attempt to pay it: the facts for the e-mail's text and for the check before it is sent.
pub struct OrderFacts {
    sale_id: Uuid,
    reference: String,
    description: String,
    link_code: String,
    seller: String,
    seller_document: String,
    payment_type: String,
    installments: i16,
    total: Cents,
    brand: Option<String>,
    last_four: Option<String>,
    authorization: Option<String>,
    paid_at: Option<DateTime<Utc>>,
    expires_at: DateTime<Utc>,
    due_on: Option<NaiveDate>,
    /// The PIX code, or the digitable line of the boleto.
    code: Option<String>,
    order_status: String,
    attempt_status: String,
    attempt_is_open: bool,
    /// The name and the e-mail address; `None` if they are erased.
    pub(crate) buyer: Option<(String, String)>,
    /// Other orders with the same e-mail address in the hour before this one was placed.
    recent_orders_of_address: i64,
}

impl OrderFacts {
    /// Whether the e-mail still applies, and its address is within `ORDERS_OF_ADDRESS_PER_HOUR_MAX`.
    pub(crate) fn should_send(&self, kind: EmailKind) -> bool {
        match kind {
            EmailKind::OrderToPay => {
                self.attempt_is_open
                    && self.order_status == "open"
                    && self.code.is_some()
                    && self.address_is_within_limit()
            }
            EmailKind::OrderExpired => self.order_status == "expired" && self.address_is_within_limit(),
            // `OrderPaid` and `LinkPaid`; other kinds have no order.
            _ => self.attempt_status == "paid",
        }
    }

    const fn address_is_within_limit(&self) -> bool {
        self.recent_orders_of_address < ORDERS_OF_ADDRESS_PER_HOUR_MAX
    }

    fn is_boleto(&self) -> bool {
        self.payment_type == "boleto"
    }
}

/// `None` for e-mails about other things, and if the order is missing.
pub(crate) async fn order_facts(
    client: &impl GenericClient,
    email: &StoredEmail,
) -> Result<Option<OrderFacts>, Error> {
    let Some(sale) = email.facts.sale else {
        return Ok(None);
    };
    let row = client
        .query_typed_opt(
            "SELECT a.sale_id, o.reference, o.description, l.code AS link_code,
                    coalesce(company.trade_name, company.name) AS seller, company.document AS seller_document,
                    a.payment_type, a.installments, a.total, coalesce(a.paid_brand, a.card_brand) AS brand,
                    coalesce(a.paid_last_four, a.card_last_four) AS last_four, a.authorization_code, a.paid_at,
                    a.expires_at, a.due_on, coalesce(a.pix_code, a.boleto_line) AS code, o.status AS order_status,
                    a.status AS attempt_status, a.ended_at IS NULL AS attempt_is_open, b.name AS buyer_name,
                    b.email AS buyer_email,
                    (SELECT count(*) FROM order_buyer other JOIN link_order earlier ON earlier.id = other.order_id
                      WHERE lower(other.email) = lower(b.email) AND other.email IS NOT NULL
                        AND earlier.created_at BETWEEN o.created_at - interval '1 hour' AND o.created_at
                        AND earlier.id <> o.id) AS recent_orders_of_address
               FROM order_attempt a
               JOIN link_order o ON o.id = a.order_id
               JOIN payment_link l ON l.id = o.link_id
               JOIN business company ON company.id = o.business_id
               JOIN order_buyer b ON b.order_id = o.id
              WHERE a.sale_id = $1",
            &[(&sale, Type::UUID)],
        )
        .await?;
    row.as_ref().map(facts_of_row).transpose()
}

fn facts_of_row(row: &Row) -> Result<OrderFacts, Error> {
    let name: Option<String> = row.try_get("buyer_name")?;
    let email: Option<String> = row.try_get("buyer_email")?;
    Ok(OrderFacts {
        sale_id: row.try_get("sale_id")?,
        reference: row.try_get("reference")?,
        description: row.try_get("description")?,
        link_code: row.try_get("link_code")?,
        seller: row.try_get("seller")?,
        seller_document: row.try_get("seller_document")?,
        payment_type: row.try_get("payment_type")?,
        installments: row.try_get("installments")?,
        total: Cents::new(row.try_get("total")?),
        brand: row.try_get("brand")?,
        last_four: row.try_get("last_four")?,
        authorization: row.try_get("authorization_code")?,
        paid_at: row.try_get("paid_at")?,
        expires_at: row.try_get("expires_at")?,
        due_on: row.try_get("due_on")?,
        code: row.try_get("code")?,
        order_status: row.try_get("order_status")?,
        attempt_status: row.try_get("attempt_status")?,
        attempt_is_open: row.try_get("attempt_is_open")?,
        buyer: name.zip(email),
        recent_orders_of_address: row.try_get("recent_orders_of_address")?,
    })
}

/// Whether the user still wants the notices of paid links and has access to the company of the sale.
pub(crate) async fn seller_wants(
    client: &impl GenericClient,
    email: &StoredEmail,
    user: UserId,
) -> Result<bool, Error> {
    let row = client
        .query_typed_one(
            "SELECT EXISTS (SELECT FROM order_attempt a
                              JOIN business_access access ON access.business_id = a.business_id
                              JOIN seller_user u ON u.id = access.seller_id
                             WHERE a.sale_id = $1 AND u.id = $2 AND u.paid_link_emails)",
            &[(&email.facts.sale, Type::UUID), (&user.uuid(), Type::UUID)],
        )
        .await?;
    row.try_get(0)
}

pub(crate) fn to_pay_email(context: &EmailContext<'_>, order: &OrderFacts) -> RenderedEmail {
    let code = order.code.as_deref().map(readable_code).unwrap_or_default();
    let order_line = order_sentence(order);
    let (subject, instruction, label) = if order.is_boleto() {
        let due = order
            .due_on
            .map_or_else(String::new, |day| day.format(" até %d/%m/%Y").to_string());
        (
            format!("Seu boleto para {}", order.seller),
            format!("Pague o boleto{due} no app do seu banco, com esta linha digitável:"),
            "Ver o boleto",
        )
    } else {
        (
            format!("Seu PIX para {}", order.seller),
            format!(
                "Pague até {}. No app do seu banco, escolha PIX copia e cola e use este código:",
                brasilia_time(order.expires_at)
            ),
            "Ver o QR code",
        )
    };
    RenderedEmail {
        subject,
        greeting: greeting(context),
        paragraphs: vec![order_line, instruction, code],
        action: Some(Action {
            label,
            url: status_page(context, order),
        }),
        small_print: vec![ignore_sentence(order)],
    }
}

pub(crate) fn paid_email(context: &EmailContext<'_>, order: &OrderFacts) -> RenderedEmail {
    let mut paragraphs = vec![
        format!("O pagamento foi confirmado. {}", order_sentence(order)),
        format!(
            "Vendedor: {} ({})",
            order.seller,
            formatted_document(&order.seller_document)
        ),
        format!("Valor: {}", order.total),
        format!("Forma de pagamento: {}", payment_method_name(order)),
    ];
    paragraphs.extend(
        order
            .paid_at
            .map(|paid_at| format!("Data: {}", brasilia_time(paid_at))),
    );
    paragraphs.extend(
        order
            .authorization
            .as_ref()
            .map(|code| format!("Código de autorização: {code}")),
    );
    paragraphs.push(format!("Pedido: {}", order.reference));
    RenderedEmail {
        subject: format!("Comprovante de pagamento para {}", order.seller),
        greeting: greeting(context),
        paragraphs,
        action: Some(Action {
            label: "Ver o pagamento",
            url: status_page(context, order),
        }),
        small_print: vec![
            format!("Identificador da venda: {}", SaleId::from_uuid(order.sale_id)),
            ignore_sentence(order),
        ],
    }
}

pub(crate) fn expired_email(context: &EmailContext<'_>, order: &OrderFacts) -> RenderedEmail {
    let sentence = match order.payment_type.as_str() {
        "boleto" => "O boleto venceu sem pagamento, e o pedido expirou.",
        "pix" => "O código PIX expirou sem pagamento, e o pedido também.",
        _ => "O pedido expirou sem pagamento.",
    };
    RenderedEmail {
        subject: format!("Seu pedido para {} expirou", order.seller),
        greeting: greeting(context),
        paragraphs: vec![
            format!("{} {sentence}", order_sentence(order)),
            "Nada foi cobrado. Se você ainda quer pagar, faça um novo pedido pelo link.".to_owned(),
        ],
        action: Some(Action {
            label: "Abrir o link",
            url: format!("{}/pl/{}", context.email.panel_url, order.link_code),
        }),
        small_print: vec![
            "Se você já pagou, não pague de novo: assim que o banco confirmar, você recebe o comprovante."
                .to_owned(),
            ignore_sentence(order),
        ],
    }
}

pub(crate) fn link_paid_email(context: &EmailContext<'_>, order: &OrderFacts) -> RenderedEmail {
    let sale = SaleId::from_uuid(order.sale_id);
    let mut paragraphs = vec![
        format!(
            "O link “{}” foi pago: {} em {}.",
            order.description,
            order.total,
            payment_method_name(order)
        ),
        format!("Empresa: {}", order.seller),
    ];
    paragraphs.extend(
        order
            .paid_at
            .map(|paid_at| format!("Data: {}", brasilia_time(paid_at))),
    );
    RenderedEmail {
        subject: format!("Link pago: {}", order.total),
        greeting: greeting(context),
        paragraphs,
        action: Some(Action {
            label: "Ver a venda",
            url: format!("{}/links-de-pagamento/vendas/{sale}", context.email.panel_url),
        }),
        small_print: vec![
            "Você recebe este aviso porque o escolheu em Minha conta. Lá você também pode desligá-lo."
                .to_owned(),
        ],
    }
}

/// No e-mail should have this text: without its order an e-mail has no addressee.
pub(crate) fn missing_order_email(context: &EmailContext<'_>) -> RenderedEmail {
    RenderedEmail {
        subject: "Seu pedido".to_owned(),
        greeting: greeting(context),
        paragraphs: vec!["Há uma novidade no seu pedido.".to_owned()],
        action: None,
        small_print: vec![],
    }
}

fn order_sentence(order: &OrderFacts) -> String {
    format!(
        "Pedido de {} para {}: {}.",
        order.total, order.seller, order.description
    )
}

/// A digitable line in its five fields, as banks print it; a PIX code as it is.
fn readable_code(code: &str) -> String {
    DigitableLine::parse(code).map_or_else(|_| code.to_owned(), |line| line.to_string())
}

fn formatted_document(document: &str) -> String {
    Document::parse(document).map_or_else(|_| document.to_owned(), |document| document.to_string())
}

fn payment_method_name(order: &OrderFacts) -> String {
    let kind = match order.payment_type.as_str() {
        "pix" => return "PIX".to_owned(),
        "boleto" => return "boleto".to_owned(),
        _ if order.installments > 1 => format!("cartão de crédito em {}x", order.installments),
        _ => "cartão de crédito à vista".to_owned(),
    };
    let brand = order.brand.as_deref().map(card_brand_name);
    match (brand, &order.last_four) {
        (Some(brand), Some(digits)) => format!("{kind}, {brand} final {digits}"),
        (Some(brand), None) => format!("{kind}, {brand}"),
        (None, Some(digits)) => format!("{kind}, final {digits}"),
        (None, None) => kind,
    }
}

/// An unknown brand keeps its code.
fn card_brand_name(code: &str) -> String {
    CardBrand::parse(code).map_or_else(|_| code.to_owned(), |brand| brand.label().to_owned())
}

fn status_page(context: &EmailContext<'_>, order: &OrderFacts) -> String {
    format!("{}/transacao/{}/status", context.email.panel_url, order.reference)
}

fn ignore_sentence(order: &OrderFacts) -> String {
    format!(
        "Se você não fez este pedido para {}, ignore esta mensagem.",
        order.seller
    )
}

#[cfg(test)]
mod tests {
    use super::{card_brand_name, readable_code};

    #[test]
    fn a_digitable_line_is_spaced_and_a_pix_code_stays() {
        assert_eq!(
            readable_code("00190500954014481606906809350314337370000000100"),
            "00190.50095 40144.816069 06809.350314 3 37370000000100"
        );
        assert_eq!(readable_code("00020126PIXCODE"), "00020126PIXCODE");
    }

    #[test]
    fn a_receipt_has_the_name_of_a_known_brand_and_the_code_of_an_unknown_one() {
        for (code, name) in [
            ("visa", "Visa"),
            ("goodcard", "GoodCard"),
            ("visa-electron", "Visa Electron"),
            ("sorocred", "sorocred"),
        ] {
            assert_eq!(card_brand_name(code), name);
        }
    }
}
