//! The order as its buyer sees it. It has no data of the buyer and no digits of the card.

use gateway_formats::short_code::OrderReference;
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::order::{AttemptStatus, OrderStatus};
use ledger_domain::sale::PaymentType;
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_rows::get;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::attempt::AttemptEnd;
use super::declines::DeclineText;
use super::uses::held_until;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptState {
    /// It is open, and the buyer has nothing to pay or to confirm.
    Processing,
    /// The buyer has a PIX code or a boleto to pay.
    ToPay,
    /// The buyer must confirm the card with the issuer.
    Challenge,
    Paid,
    Declined,
    Expired,
    Canceled,
}

impl AttemptState {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Processing => "processing",
            Self::ToPay => "to_pay",
            Self::Challenge => "challenge",
            Self::Paid => "paid",
            Self::Declined => "declined",
            Self::Expired => "expired",
            Self::Canceled => "canceled",
        }
    }

    pub const fn label(self) -> &'static str {
        match self {
            Self::Processing => "Em processamento",
            Self::ToPay => "Aguardando pagamento",
            Self::Challenge => "Aguardando confirmação do banco",
            Self::Paid => "Pago",
            Self::Declined => "Não autorizado",
            Self::Expired => "Expirado",
            Self::Canceled => "Cancelado",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderView {
    pub id: Uuid,
    pub reference: String,
    pub business_id: BusinessId,
    pub link_code: String,
    pub seller_name: String,
    pub description: String,
    /// The amount from which attempts are priced.
    pub amount: Cents,
    pub status: OrderStatus,
    /// The payment types of the link.
    pub payment_types: Vec<PaymentType>,
    /// A paid attempt, else one whose payment went back to the buyer, else the last one.
    pub attempt: AttemptView,
    /// Until when the order holds its use of a link with limited uses, if it stays unpaid. It has passed for an order that
    /// has given its use back, or whose buyer's newer order took it over. `None` if the link's uses are not limited.
    pub use_held_until: Option<Instant>,
    /// A PIX code that the buyer gave up and its acquirer cannot cancel.
    pub earlier_pix: Option<EarlierPix>,
}

/// It can be paid until it expires, beside the order's other attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierPix {
    pub code: String,
    pub expires_at: Instant,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptView {
    pub sale_id: SaleId,
    pub number: i32,
    pub payment_type: PaymentType,
    pub state: AttemptState,
    pub total: Cents,
    pub installments: i16,
    pub expires_at: Instant,
    /// Only while it can be paid.
    pub pix_code: Option<String>,
    /// The digitable line and the barcode, only while it can be paid.
    pub boleto: Option<(String, String)>,
    /// The code with which the boleto can be paid by PIX, only while it can be paid.
    pub boleto_pix_code: Option<String>,
    pub due_on: Option<Date>,
    pub challenge_url: Option<String>,
    pub decline: Option<DeclineText>,
    pub paid_at: Option<Instant>,
}

impl OrderView {
    pub const fn status_label(&self) -> &'static str {
        match self.status {
            OrderStatus::Open => "Aguardando pagamento",
            OrderStatus::Paid => "Pago",
            OrderStatus::Expired => "Expirado",
            OrderStatus::Canceled => "Cancelado",
        }
    }

    pub const fn is_paid(&self) -> bool {
        matches!(self.status, OrderStatus::Paid)
    }

    /// Whether the buyer may try another card or payment type now.
    pub const fn can_retry(&self) -> bool {
        matches!(self.status, OrderStatus::Open)
            && !matches!(self.attempt.state, AttemptState::Processing | AttemptState::Paid)
    }

    /// Whether the order has ended. A late payment or a refund can still change it.
    pub const fn is_final(&self) -> bool {
        !matches!(self.status, OrderStatus::Open)
    }
}

/// How an order is found.
#[derive(Debug, Clone, Copy)]
pub enum OrderKey<'a> {
    Id(Uuid),
    Reference(&'a OrderReference),
    /// The order that has an attempt with this sale. The view shows that attempt.
    Sale(SaleId),
}

pub async fn order_view(client: &impl GenericClient, key: OrderKey<'_>) -> Result<Option<OrderView>, Error> {
    match key {
        OrderKey::Id(id) => select(client, "o.id = $1", (&id, Type::UUID)).await,
        OrderKey::Reference(reference) => {
            select(client, "o.reference = $1", (&reference.as_str(), Type::TEXT)).await
        }
        OrderKey::Sale(sale_id) => select(client, "a.sale_id = $1", (&sale_id.uuid(), Type::UUID)).await,
    }
}

async fn select(
    client: &impl GenericClient,
    condition: &str,
    value: (&(dyn ToSql + Sync), Type),
) -> Result<Option<OrderView>, Error> {
    let sql = format!(
        "SELECT o.id, o.reference, o.business_id, l.code, coalesce(b.trade_name, b.name), o.description,
                o.status AS order_status, l.payment_types, a.sale_id, a.number, a.payment_type, a.status, a.total,
                a.installments, a.expires_at, a.pix_code, a.boleto_line, a.boleto_barcode,
                a.boleto_pix_code, a.due_on, a.challenge_url,
                a.decline, a.paid_at, a.cancel_asked_at IS NOT NULL AS canceling, o.amount AS ordered, o.holds_use,
                CASE WHEN a.given_up_at IS NOT NULL THEN a.ends_as END AS given_up_as,
                (SELECT max(ordered_at) FROM order_attempt
                  WHERE order_id = o.id AND l.use_limit IS NOT NULL AND o.status = 'open') AS latest_attempt,
                earlier.pix_code AS earlier_pix_code, earlier.expires_at AS earlier_expires_at
           FROM link_order o
           JOIN payment_link l ON l.id = o.link_id
           JOIN business b ON b.id = o.business_id
           JOIN order_attempt a ON a.order_id = o.id
           LEFT JOIN LATERAL (SELECT pix_code, expires_at FROM order_attempt
                               WHERE order_id = o.id AND ended_at IS NULL AND given_up_at IS NOT NULL
                                 AND pix_code IS NOT NULL AND ends_as = 'canceled' AND o.status = 'open'
                               ORDER BY number DESC LIMIT 1) earlier ON true
          WHERE {condition}
          ORDER BY a.status = 'paid' DESC, a.paid_at IS NOT NULL DESC, a.number DESC LIMIT 1"
    );
    let row = client.query_typed_opt(&sql, &[value]).await?;
    row.as_ref().map(view).transpose()
}

fn view(row: &Row) -> Result<OrderView, Error> {
    Ok(OrderView {
        id: row.get(0),
        reference: row.get(1),
        business_id: BusinessId::from_uuid(row.get(2)),
        link_code: row.get(3),
        seller_name: row.get(4),
        description: row.get(5),
        amount: Cents::new(row.get("ordered")),
        status: get(row, "order_status")?,
        payment_types: get(row, "payment_types")?,
        attempt: attempt(row)?,
        use_held_until: row.get::<_, Option<Instant>>("latest_attempt").map(|latest| {
            if row.get("holds_use") {
                held_until(latest)
            } else {
                latest
            }
        }),
        earlier_pix: row
            .get::<_, Option<String>>("earlier_pix_code")
            .zip(row.get("earlier_expires_at"))
            .map(|(code, expires_at)| EarlierPix { code, expires_at }),
    })
}

fn attempt(row: &Row) -> Result<AttemptView, Error> {
    let stored: AttemptStatus = get(row, "status")?;
    // For the buyer, an attempt that was given up has ended.
    let given_up: Option<AttemptEnd> = get(row, "given_up_as")?;
    let status = match (stored, given_up) {
        (AttemptStatus::Open, Some(end)) => end.into(),
        (stored, _) => stored,
    };
    let pix_code: Option<String> = row.get("pix_code");
    let boleto = row
        .get::<_, Option<String>>("boleto_line")
        .zip(row.get::<_, Option<String>>("boleto_barcode"));
    let boleto_pix_code: Option<String> = row.get("boleto_pix_code");
    let challenge_url: Option<String> = row.get("challenge_url");
    let is_payable = status == AttemptStatus::Open && !row.get::<_, bool>("canceling");
    let state = match status {
        AttemptStatus::Paid => AttemptState::Paid,
        AttemptStatus::Declined | AttemptStatus::Failed => AttemptState::Declined,
        AttemptStatus::Expired => AttemptState::Expired,
        AttemptStatus::Canceled => AttemptState::Canceled,
        AttemptStatus::Open if is_payable && (pix_code.is_some() || boleto.is_some()) => AttemptState::ToPay,
        AttemptStatus::Open if is_payable && challenge_url.is_some() => AttemptState::Challenge,
        AttemptStatus::Open => AttemptState::Processing,
    };
    let decline = match status {
        AttemptStatus::Declined => row.get::<_, Option<&str>>("decline").map(DeclineText::of_column),
        AttemptStatus::Failed => Some(DeclineText::UNAVAILABLE),
        AttemptStatus::Open | AttemptStatus::Paid | AttemptStatus::Expired | AttemptStatus::Canceled => None,
    };
    Ok(AttemptView {
        sale_id: SaleId::from_uuid(row.get("sale_id")),
        number: row.get("number"),
        payment_type: get(row, "payment_type")?,
        state,
        total: Cents::new(row.get("total")),
        installments: row.get("installments"),
        expires_at: row.get("expires_at"),
        pix_code: pix_code.filter(|_| is_payable),
        boleto: boleto.filter(|_| is_payable),
        boleto_pix_code: boleto_pix_code.filter(|_| is_payable),
        due_on: row.get("due_on"),
        challenge_url: challenge_url.filter(|_| is_payable),
        decline,
        paid_at: row.get("paid_at"),
    })
}
