//! The e-mails about orders. The buyer gets the order to pay, the receipt, or the notice that the time is over. The
//! seller's users get the notice that a link was paid. The row of an e-mail names the sale, and for the
//! seller's users also the user and the address. Everything else is read when the e-mail is sent.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_formats::boleto::DigitableLine;
use ledger_domain::documents::Document;
use ledger_domain::ids::UserId;
use ledger_domain::sale::CardBrand;
use ledger_domain::{Cents, SaleId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::EmailKind;
use super::compose::{EmailContext, at, greeting};
use super::queue::EmailOrder;
use super::rendered::{Action, RenderedEmail};

/// The number of orders with one e-mail address, in an hour, whose e-mails to pay and of expiry are sent. A buyer can
/// type any address, so this bounds them. Receipts are always sent. The attempts of one order are not limited here.
const ORDERS_OF_ADDRESS_MAX: i64 = 10;

/// The facts about an order and an attempt to pay it that the e-mails, and the check before they are sent, need.
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
    pub(super) buyer: Option<(String, String)>,
    earlier_orders_of_address: i64,
}

impl OrderFacts {
    /// Whether the e-mail still applies, and its address is within `ORDERS_OF_ADDRESS_MAX`.
    pub(super) fn should_send(&self, kind: EmailKind) -> bool {
        match kind {
            EmailKind::OrderToPay => {
                self.attempt_is_open
                    && self.order_status == "open"
                    && self.code.is_some()
                    && self.earlier_orders_of_address < ORDERS_OF_ADDRESS_MAX
            }
            EmailKind::OrderExpired => {
                self.order_status == "expired" && self.earlier_orders_of_address < ORDERS_OF_ADDRESS_MAX
            }
            // `OrderPaid` and `LinkPaid`; other kinds have no order.
            _ => self.attempt_status == "paid",
        }
    }

    fn is_boleto(&self) -> bool {
        self.payment_type == "boleto"
    }
}

/// `None` for e-mails about other things, and if the order is missing.
pub(super) async fn order_facts(
    client: &impl GenericClient,
    order: &EmailOrder,
) -> Result<Option<OrderFacts>, Error> {
    let Some(sale) = order.facts.sale else {
        return Ok(None);
    };
    let row = client
        .query_typed_opt(
            "SELECT a.sale_id, o.reference, o.description, l.code, coalesce(company.trade_name, company.name),
                    company.document, a.payment_type, a.installments, a.total, coalesce(a.paid_brand, a.card_brand),
                    coalesce(a.paid_last_four, a.card_last_four), a.authorization_code, a.paid_at, a.expires_at,
                    a.due_on, coalesce(a.pix_code, a.boleto_line), o.status, a.status, a.ended_at IS NULL,
                    b.name, b.email,
                    (SELECT count(*) FROM order_buyer other JOIN link_order earlier ON earlier.id = other.order_id
                      WHERE lower(other.email) = lower(b.email) AND other.email IS NOT NULL
                        AND earlier.created_at BETWEEN o.created_at - interval '1 hour' AND o.created_at
                        AND earlier.id <> o.id)
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
    let name: Option<String> = row.try_get(19)?;
    let email: Option<String> = row.try_get(20)?;
    Ok(OrderFacts {
        sale_id: row.try_get(0)?,
        reference: row.try_get(1)?,
        description: row.try_get(2)?,
        link_code: row.try_get(3)?,
        seller: row.try_get(4)?,
        seller_document: row.try_get(5)?,
        payment_type: row.try_get(6)?,
        installments: row.try_get(7)?,
        total: Cents::new(row.try_get(8)?),
        brand: row.try_get(9)?,
        last_four: row.try_get(10)?,
        authorization: row.try_get(11)?,
        paid_at: row.try_get(12)?,
        expires_at: row.try_get(13)?,
        due_on: row.try_get(14)?,
        code: row.try_get(15)?,
        order_status: row.try_get(16)?,
        attempt_status: row.try_get(17)?,
        attempt_is_open: row.try_get(18)?,
        buyer: name.zip(email),
        earlier_orders_of_address: row.try_get(21)?,
    })
}

/// Whether the user still wants these e-mails and has access to the company of the sale.
pub(super) async fn seller_wants(
    client: &impl GenericClient,
    order: &EmailOrder,
    user: UserId,
) -> Result<bool, Error> {
    let row = client
        .query_typed_one(
            "SELECT EXISTS (SELECT FROM order_attempt a
                              JOIN business_access access ON access.business_id = a.business_id
                              JOIN seller_user u ON u.id = access.seller_id
                             WHERE a.sale_id = $1 AND u.id = $2 AND u.paid_link_emails)",
            &[(&order.facts.sale, Type::UUID), (&user.uuid(), Type::UUID)],
        )
        .await?;
    row.try_get(0)
}

pub(super) fn to_pay_email(context: &EmailContext<'_>, order: &OrderFacts) -> RenderedEmail {
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
                at(order.expires_at)
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

pub(super) fn paid_email(context: &EmailContext<'_>, order: &OrderFacts) -> RenderedEmail {
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
    paragraphs.extend(order.paid_at.map(|paid_at| format!("Data: {}", at(paid_at))));
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

pub(super) fn expired_email(context: &EmailContext<'_>, order: &OrderFacts) -> RenderedEmail {
    let what = match order.payment_type.as_str() {
        "boleto" => "O boleto venceu sem pagamento, e o pedido terminou.",
        "pix" => "O código PIX venceu sem pagamento, e o pedido terminou.",
        _ => "O pedido terminou sem pagamento.",
    };
    RenderedEmail {
        subject: format!("Seu pedido para {} venceu", order.seller),
        greeting: greeting(context),
        paragraphs: vec![
            format!("{} {what}", order_sentence(order)),
            "Nada foi cobrado. Se você ainda quer pagar, faça um novo pedido pelo link.".to_owned(),
        ],
        action: Some(Action {
            label: "Abrir o link",
            url: format!("{}/pl/{}", context.order.panel_url, order.link_code),
        }),
        small_print: vec![
            "Se você já pagou, não pague de novo: assim que o banco confirmar, você recebe o comprovante."
                .to_owned(),
            ignore_sentence(order),
        ],
    }
}

pub(super) fn link_paid_email(context: &EmailContext<'_>, order: &OrderFacts) -> RenderedEmail {
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
    paragraphs.extend(order.paid_at.map(|paid_at| format!("Data: {}", at(paid_at))));
    RenderedEmail {
        subject: format!("Link pago: {}", order.total),
        greeting: greeting(context),
        paragraphs,
        action: Some(Action {
            label: "Ver a venda",
            url: format!("{}/links-de-pagamento/vendas/{sale}", context.order.panel_url),
        }),
        small_print: vec![
            "Você recebe este aviso porque o escolheu em Minha conta. Lá você também pode desligá-lo."
                .to_owned(),
        ],
    }
}

/// Attempts and orders are never deleted, and without them an e-mail of an order has no addressee. So this is sent only
/// if the order disappears after its addressee was read.
pub(super) fn missing_order_email(context: &EmailContext<'_>) -> RenderedEmail {
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
    format!("{}/transacao/{}/status", context.order.panel_url, order.reference)
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
    fn a_receipt_names_each_known_brand_as_the_screens_do() {
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
