//! The bodies of checkout requests. `FIELDS` says for each field whether it is searched for card numbers (`body`).
//! `choices` validates the values.

use serde::Deserialize;
use utoipa::ToSchema;

use super::body::{CheckoutForm, Field};

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct PlaceOrderForm {
    #[schema(required = true, nullable = false)]
    pub buyer: Option<BuyerForm>,
    /// The amount that the buyer chose, in cents. Only for a link without a fixed amount.
    #[schema(example = 18_000)]
    pub amount: Option<i64>,
    /// credit, pix or boleto.
    #[schema(required = true, nullable = false, example = "pix")]
    pub payment_type: Option<String>,
    /// The total that the buyer saw, in cents. The call answers 409 if the price has changed.
    #[schema(required = true, nullable = false, example = 18_000)]
    pub total: Option<i64>,
    /// Required for credit.
    pub card: Option<CardForm>,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct BuyerForm {
    #[schema(required = true, nullable = false, max_length = 120, example = "Maria Souza")]
    pub name: Option<String>,
    /// CPF or CNPJ, with or without its mask.
    #[schema(required = true, nullable = false, example = "529.982.247-25")]
    pub document: Option<String>,
    #[schema(required = true, nullable = false, example = "maria@example.com")]
    pub email: Option<String>,
    /// With the area code.
    #[schema(required = true, nullable = false, example = "(11) 98765-4321")]
    pub phone: Option<String>,
    /// Required for boleto.
    pub address: Option<BuyerAddressForm>,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct BuyerAddressForm {
    #[schema(required = true, nullable = false, example = "01310-100")]
    pub postal_code: Option<String>,
    #[schema(
        required = true,
        nullable = false,
        max_length = 120,
        example = "Avenida Paulista"
    )]
    pub street: Option<String>,
    #[schema(required = true, nullable = false, max_length = 20, example = "1578")]
    pub number: Option<String>,
    #[schema(max_length = 60)]
    pub complement: Option<String>,
    #[schema(required = true, nullable = false, max_length = 80, example = "Bela Vista")]
    pub district: Option<String>,
    #[schema(required = true, nullable = false, max_length = 80, example = "São Paulo")]
    pub city: Option<String>,
    #[schema(required = true, nullable = false, example = "SP")]
    pub state: Option<String>,
}

/// The buyer's card, without its number: the browser sends the number to the acquirer only.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct CardForm {
    /// The token that the acquirer's endpoint in `card_tokens` returned.
    #[schema(
        required = true,
        nullable = false,
        example = "tok_visa_4242_0b7e1d2c3f4a4b5c8d9e0f1a2b3c4d5e"
    )]
    pub token: Option<String>,
    #[schema(required = true, nullable = false, example = "visa")]
    pub brand: Option<String>,
    #[schema(required = true, nullable = false, example = "4242")]
    pub last_four: Option<String>,
    #[schema(required = true, nullable = false, minimum = 1, maximum = 21, example = 1)]
    pub installments: Option<u8>,
}

/// Another attempt of an open order.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct AttemptForm {
    /// credit, pix or boleto.
    #[schema(required = true, nullable = false, example = "pix")]
    pub payment_type: Option<String>,
    /// The total that the buyer saw, in cents. The call answers 409 if the price has changed.
    #[schema(required = true, nullable = false, example = 18_000)]
    pub total: Option<i64>,
    /// Required for credit.
    pub card: Option<CardForm>,
    /// Required for boleto, unless the order has an address.
    pub address: Option<BuyerAddressForm>,
}

impl CheckoutForm for PlaceOrderForm {
    const FIELDS: &'static [(&'static str, Field)] = &[
        ("buyer", Field::Object),
        ("buyer.name", Field::FreeText),
        ("buyer.document", Field::NotSearched),
        ("buyer.email", Field::FreeText),
        ("buyer.phone", Field::NotSearched),
        ("buyer.address", Field::Object),
        ("buyer.address.postal_code", Field::NotSearched),
        ("buyer.address.street", Field::FreeText),
        ("buyer.address.number", Field::FreeText),
        ("buyer.address.complement", Field::FreeText),
        ("buyer.address.district", Field::FreeText),
        ("buyer.address.city", Field::FreeText),
        ("buyer.address.state", Field::FreeText),
        ("amount", Field::NotSearched),
        ("payment_type", Field::FreeText),
        ("total", Field::NotSearched),
        ("card", Field::Object),
        ("card.token", Field::Token),
        ("card.brand", Field::FreeText),
        ("card.last_four", Field::NotSearched),
        ("card.installments", Field::NotSearched),
    ];
}

impl CheckoutForm for AttemptForm {
    const FIELDS: &'static [(&'static str, Field)] = &[
        ("payment_type", Field::FreeText),
        ("total", Field::NotSearched),
        ("card", Field::Object),
        ("card.token", Field::Token),
        ("card.brand", Field::FreeText),
        ("card.last_four", Field::NotSearched),
        ("card.installments", Field::NotSearched),
        ("address", Field::Object),
        ("address.postal_code", Field::NotSearched),
        ("address.street", Field::FreeText),
        ("address.number", Field::FreeText),
        ("address.complement", Field::FreeText),
        ("address.district", Field::FreeText),
        ("address.city", Field::FreeText),
        ("address.state", Field::FreeText),
    ];
}
