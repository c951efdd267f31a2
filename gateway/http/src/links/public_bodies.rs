//! The public page of a payment link. It has only data that a buyer needs.

use chrono::{DateTime, Utc};
use gateway_acquirers::port::{CardTokens, TokenFormat};
use gateway_platform::links::{CardOffer, InstallmentOffer, LinkOffer, LinkSeller, LinkStatus, PaymentLink};
use gateway_platform::settings::Tenant;
use ledger_domain::Cents;
use serde::Serialize;
use utoipa::ToSchema;

use super::bodies::{FeePayerName, LinkStatusName};
use crate::shared::cents;

#[derive(Debug, Serialize, ToSchema)]
pub struct PublicPaymentLink {
    #[schema(example = "2F6F4F5A1B0B")]
    pub code: String,
    /// Only an active link can be paid. A link of a company that may not sell is inactive.
    pub status: LinkStatusName,
    /// If the link is exhausted: when the next use may come back that an unpaid order holds. Null if none can.
    #[schema(required = true)]
    pub held_until: Option<DateTime<Utc>>,
    pub seller: PublicSeller,
    #[schema(example = "Bolo de chocolate")]
    pub description: String,
    /// In cents. Null if the buyer chooses it.
    #[schema(required = true, example = 18_000)]
    pub amount: Option<i64>,
    /// The smallest amount that the buyer may choose, in cents. Null: no bound.
    #[schema(required = true)]
    pub amount_min: Option<i64>,
    /// The largest amount that the buyer may choose, in cents. Null: no bound.
    #[schema(required = true)]
    pub amount_max: Option<i64>,
    pub payer: FeePayerName,
    /// The payment types that are offered now: credit, pix, boleto.
    #[schema(example = json!(["credit", "pix"]))]
    pub payment_types: Vec<&'static str>,
    /// Where the browser exchanges a card for a token. Null if cards are not taken.
    #[schema(required = true)]
    pub card_tokens: Option<PublicCardTokens>,
    /// Until when the card form is closed, after too many declined cards. Null: it is open.
    #[schema(required = true)]
    pub card_closed_until: Option<DateTime<Utc>>,
    #[schema(minimum = 1, maximum = 21, example = 3)]
    pub installments_max: u8,
    /// The prices for the buyer, for the amount of the link or of the request. Null without an amount, and if the link
    /// cannot be paid.
    #[schema(required = true)]
    pub prices: Option<PublicPrices>,
    pub tenant: PublicTenant,
}

/// The parts of the page besides the link itself.
pub struct PublicPageParts {
    pub status: LinkStatus,
    pub held_until: Option<DateTime<Utc>>,
    pub seller: LinkSeller,
    pub offer: Option<LinkOffer>,
    pub card_tokens: Option<PublicCardTokens>,
    pub card_closed_until: Option<DateTime<Utc>>,
    pub tenant: Tenant,
}

/// The call that takes a card and answers a token. Card data go only there.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PublicCardTokens {
    /// The body that it takes: iugu or sandbox.
    #[schema(example = "iugu")]
    pub format: &'static str,
    #[schema(example = "https://api.iugu.com/v1/payment_token")]
    pub url: String,
    /// The account at iugu. Null for sandbox.
    #[schema(required = true)]
    pub account_id: Option<String>,
    /// Whether only test cards get a token. Always true for sandbox.
    pub test: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PublicSeller {
    /// The trade name, else the name.
    #[schema(example = "Padaria da Ana")]
    pub name: String,
}

/// In cents.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PublicPrices {
    /// Null if the buyer cannot pay this amount by PIX.
    #[schema(required = true, example = 18_000)]
    pub pix: Option<i64>,
    /// Null if the buyer cannot pay this amount by boleto.
    #[schema(required = true, example = 18_000)]
    pub boleto: Option<i64>,
    /// Brands with the same prices are one entry. A brand in no entry is not taken.
    pub credit: Vec<PublicCardPrices>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PublicCardPrices {
    #[schema(example = json!(["visa", "mastercard"]))]
    pub brands: Vec<String>,
    /// By number of installments, from 1.
    pub installments: Vec<PublicInstallments>,
}

/// In cents.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PublicInstallments {
    #[schema(minimum = 1, maximum = 21, example = 3)]
    pub count: u8,
    #[schema(example = 18_000)]
    pub total: i64,
    /// The first installment also has the cents that the division leaves over.
    #[schema(example = 6_000)]
    pub first: i64,
    /// Each further installment.
    #[schema(example = 6_000)]
    pub each: i64,
}

/// The look of the page.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PublicTenant {
    #[schema(example = "Razão")]
    pub product_name: String,
    #[schema(example = "#36BE54")]
    pub theme_color: String,
    #[schema(example = "#29FF00")]
    pub highlight_color: String,
}

impl PublicPaymentLink {
    pub fn of(link: PaymentLink, page: PublicPageParts) -> Self {
        let PublicPageParts {
            status,
            held_until,
            seller,
            offer,
            card_tokens,
            card_closed_until,
            tenant,
        } = page;
        let fields = link.fields;
        Self {
            code: link.code,
            status: status.into(),
            held_until,
            seller: PublicSeller { name: seller.name },
            description: fields.description,
            amount: fields.amount.map(Cents::get),
            amount_min: fields.amount_min.map(Cents::get),
            amount_max: fields.amount_max.map(Cents::get),
            payer: fields.payer.into(),
            payment_types: fields.payment_types.iter().map(|kind| kind.as_str()).collect(),
            installments_max: fields.installments_max,
            card_tokens,
            card_closed_until,
            prices: offer.map(PublicPrices::from),
            tenant: tenant.into(),
        }
    }
}

impl From<Tenant> for PublicTenant {
    fn from(tenant: Tenant) -> Self {
        Self {
            product_name: tenant.product_name,
            theme_color: tenant.theme_color,
            highlight_color: tenant.highlight_color,
        }
    }
}

impl From<CardTokens> for PublicCardTokens {
    fn from(tokens: CardTokens) -> Self {
        let (format, account_id, test) = match tokens.format {
            TokenFormat::Iugu { account_id, test } => ("iugu", Some(account_id), test),
            TokenFormat::Sandbox => ("sandbox", None, true),
        };
        Self {
            format,
            url: tokens.url,
            account_id,
            test,
        }
    }
}

impl From<LinkOffer> for PublicPrices {
    fn from(offer: LinkOffer) -> Self {
        Self {
            pix: offer.pix.map(Cents::get),
            boleto: offer.boleto.map(Cents::get),
            credit: offer.credit.into_iter().map(PublicCardPrices::from).collect(),
        }
    }
}

impl From<CardOffer> for PublicCardPrices {
    fn from(offer: CardOffer) -> Self {
        Self {
            brands: offer.brands.iter().map(ToString::to_string).collect(),
            installments: offer
                .installments
                .into_iter()
                .map(PublicInstallments::from)
                .collect(),
        }
    }
}

impl From<InstallmentOffer> for PublicInstallments {
    fn from(offer: InstallmentOffer) -> Self {
        Self {
            count: offer.count,
            total: cents(offer.total),
            first: cents(offer.first),
            each: cents(offer.each),
        }
    }
}
