//! The status of an order, as the buyer's page shows it. It has no data of the buyer and no digits of the card.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_formats::qr;
use gateway_platform::buyers::card_closed_until;
use gateway_platform::links::{SOLUTION, link_by_code, offer_of};
use gateway_platform::orders::{AttemptView, DeclineText, OrderView};
use gateway_platform::settings::tenant_of;
use ledger_domain::sale::PaymentType;
use serde::Serialize;
use utoipa::ToSchema;

use super::offer::{Offered, offered};
use crate::AppState;
use crate::edge::panel::TenantLabel;
use crate::links::public::unknown_link;
use crate::links::public_bodies::{PublicCardTokens, PublicPrices, PublicSeller, PublicTenant};
use crate::plans::simulation::context_on;
use crate::problem::Result;
use crate::shared::cents;

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OrderStatus {
    /// The order's reference.
    #[schema(example = "7Q2M4Z9XKD")]
    pub id: String,
    #[schema(example = "2F6F4F5A1B0B")]
    pub link_code: String,
    pub seller: PublicSeller,
    #[schema(example = "Bolo de chocolate")]
    pub description: String,
    /// open, paid, expired or canceled.
    #[schema(example = "open")]
    pub status: &'static str,
    #[schema(example = "Aguardando pagamento")]
    pub status_label: &'static str,
    /// Whether the order has ended. A paid order can still be refunded.
    pub r#final: bool,
    /// Whether the order is open and no attempt is being processed. Another attempt can still be a 409, such as if the
    /// link has expired.
    pub can_retry: bool,
    /// The payment types for another attempt: credit, pix, boleto. Empty if the order has ended, or if no acquirer
    /// takes any now.
    #[schema(example = json!(["credit", "pix"]))]
    pub payment_types: Vec<&'static str>,
    /// The order's amount in cents, from which the price of each attempt is computed.
    #[schema(example = 18_000)]
    pub amount: i64,
    /// The prices of another attempt. Null if the order has ended, or if the seller has no plan in force.
    #[schema(required = true)]
    pub prices: Option<PublicPrices>,
    /// Where the browser exchanges another card for a token. Null if the order has ended, or if cards are not taken.
    #[schema(required = true)]
    pub card_tokens: Option<PublicCardTokens>,
    /// UTC instant until which the link's card form is closed, after too many declined cards. Null if it is open, or if
    /// the order has ended.
    #[schema(required = true)]
    pub card_closed_until: Option<DateTime<Utc>>,
    /// The last attempt, or the one that was paid.
    pub attempt: OrderAttempt,
    /// Until when the order holds its use of a link with limited uses. After that, another buyer may pay first; a later
    /// payment is recorded, and staff are asked to refund one. Null if the link's uses are not limited, or if the order
    /// has ended.
    #[schema(required = true)]
    pub use_held_until: Option<DateTime<Utc>>,
    /// The PIX code of an attempt that the buyer gave up and whose acquirer cannot cancel it. It can be paid until it
    /// expires. If another attempt is paid too, staff are asked to refund one. Null if there is none.
    #[schema(required = true)]
    pub earlier_pix: Option<OrderPix>,
    pub tenant: PublicTenant,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OrderAttempt {
    /// The number of the attempt in its order, from 1.
    #[schema(example = 1)]
    pub number: i32,
    /// credit, pix or boleto.
    #[schema(example = "pix")]
    pub payment_type: &'static str,
    /// processing, to_pay, challenge, paid, declined, expired or canceled.
    #[schema(example = "to_pay")]
    pub status: &'static str,
    #[schema(example = "Aguardando pagamento")]
    pub status_label: &'static str,
    /// The total for the buyer, in cents.
    #[schema(example = 18_000)]
    pub total: i64,
    #[schema(minimum = 1, maximum = 21, example = 1)]
    pub installments: i16,
    /// The PIX code, only while it can be paid.
    #[schema(required = true)]
    pub pix: Option<OrderPix>,
    /// The boleto, only while it can be paid.
    #[schema(required = true)]
    pub boleto: Option<OrderBoleto>,
    /// Where the buyer confirms the card with the issuer (3-D Secure).
    #[schema(required = true)]
    pub challenge_url: Option<String>,
    #[schema(required = true)]
    pub decline: Option<OrderDecline>,
    #[schema(required = true)]
    pub paid_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OrderPix {
    /// The PIX code to copy and paste.
    pub code: String,
    /// The QR code of `code` without its quiet zone: a row of modules each, in hexadecimal. A bit is a module, from the
    /// left; 1 is dark. Zeros fill the last digit. Null if a QR code cannot hold the code.
    #[schema(required = true)]
    pub qr: Option<Vec<String>>,
    pub expires_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OrderBoleto {
    /// The line that a payer types (`linha digitável`), 47 digits.
    pub line: String,
    /// The digits of the barcode, 44.
    pub barcode: String,
    #[schema(required = true)]
    pub due_on: Option<NaiveDate>,
    #[schema(example = "/api/transactions/7Q2M4Z9XKD/boleto")]
    pub pdf_url: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OrderDecline {
    #[schema(example = "insufficient_funds")]
    pub code: &'static str,
    #[schema(example = "O cartão não tem limite disponível para este valor.")]
    pub message: &'static str,
    #[schema(example = "Tente outro cartão, mais parcelas ou pague com PIX.")]
    pub advice: &'static str,
}

impl OrderStatus {
    pub(crate) async fn of(state: &AppState, view: OrderView, tenant: &TenantLabel) -> Result<Self> {
        let db = state.db().await?;
        let offer = if view.is_final() {
            AttemptOffer::default()
        } else {
            AttemptOffer::read(state, &db, &view).await?
        };
        let tenant = tenant_of(&*db, &tenant.0).await?;
        Ok(Self {
            status: view.status.as_str(),
            status_label: view.status_label(),
            r#final: view.is_final(),
            can_retry: view.can_retry(),
            payment_types: offer.payment_types.into_iter().map(PaymentType::as_str).collect(),
            amount: cents(view.amount),
            prices: offer.prices,
            card_tokens: offer.card_tokens,
            card_closed_until: offer.card_closed_until,
            attempt: OrderAttempt::of(view.attempt, &view.reference),
            use_held_until: view.use_held_until,
            earlier_pix: view
                .earlier_pix
                .map(|earlier| OrderPix::of(earlier.code, earlier.expires_at)),
            id: view.reference,
            link_code: view.link_code,
            seller: PublicSeller {
                name: view.seller_name,
            },
            description: view.description,
            tenant: tenant.into(),
        })
    }
}

/// The offer for another attempt. It ignores the link's limit of uses, because the order already has its use.
#[derive(Default)]
struct AttemptOffer {
    payment_types: Vec<PaymentType>,
    prices: Option<PublicPrices>,
    card_tokens: Option<PublicCardTokens>,
    card_closed_until: Option<DateTime<Utc>>,
}

impl AttemptOffer {
    async fn read(state: &AppState, db: &tokio_postgres::Client, view: &OrderView) -> Result<Self> {
        let (link, _) = link_by_code(db, &view.link_code)
            .await?
            .ok_or_else(unknown_link)?;
        let Offered { fields, card_tokens } = offered(state, db, &link).await?;
        let terms = context_on(state, db, view.business_id, SOLUTION).await?.terms;
        let offer = terms.map(|terms| offer_of(&terms, &fields, view.amount));
        Ok(Self {
            payment_types: fields.payment_types,
            prices: offer.map(PublicPrices::from),
            card_tokens: card_tokens.map(Into::into),
            card_closed_until: card_closed_until(db, link.id, state.clock.now()).await?,
        })
    }
}

impl OrderPix {
    fn of(code: String, expires_at: DateTime<Utc>) -> Self {
        Self {
            qr: qr::rows(&code).ok(),
            code,
            expires_at,
        }
    }
}

impl OrderAttempt {
    fn of(view: AttemptView, reference: &str) -> Self {
        Self {
            number: view.number,
            payment_type: view.payment_type.as_str(),
            status: view.state.as_str(),
            status_label: view.state.label(),
            total: cents(view.total),
            installments: view.installments,
            pix: view.pix_code.map(|code| OrderPix::of(code, view.expires_at)),
            boleto: view.boleto.map(|(line, barcode)| OrderBoleto {
                line,
                barcode,
                due_on: view.due_on,
                pdf_url: format!("/api/transactions/{reference}/boleto"),
            }),
            challenge_url: view.challenge_url,
            decline: view.decline.map(OrderDecline::from),
            paid_at: view.paid_at,
        }
    }
}

impl From<DeclineText> for OrderDecline {
    fn from(text: DeclineText) -> Self {
        Self {
            code: text.code,
            message: text.message,
            advice: text.advice,
        }
    }
}
