//! The canonical body as one writes it: what the sandbox, the demo's story and the benchmark send.

use chrono::{DateTime, Utc};
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct CanonicalNotice<Data = CanonicalSale> {
    pub id: String,
    pub r#type: &'static str,
    pub occurred_at: DateTime<Utc>,
    pub data: Data,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct CanonicalSale {
    pub business_id: Option<String>,
    pub external_id: String,
    pub sale_id: Option<String>,
    pub solution: u8,
    pub payment_type: &'static str,
    pub card_brand: Option<String>,
    pub installments: u8,
    pub amount: i64,
    pub terminal_serial: Option<String>,
    pub payment_link_code: Option<String>,
    pub card_last_four: Option<String>,
    pub authorization_code: Option<String>,
    pub reason: Option<String>,
    pub dispute_id: Option<String>,
}

/// What an acquirer tells of a sale that was told of before: which it is, and none of its facts.
#[derive(Debug, Clone, Serialize)]
pub struct CanonicalFact {
    pub business_id: Option<String>,
    pub external_id: String,
    pub sale_id: Option<String>,
    pub amount: Option<i64>,
    pub reason: Option<String>,
    pub dispute_id: Option<String>,
}

/// What a bank tells of a payout.
#[derive(Debug, Clone, Serialize)]
pub struct CanonicalPayout {
    pub business_id: Option<String>,
    pub transfer_id: String,
    pub payout_id: String,
    pub reason: Option<String>,
}

impl<Data: Serialize> CanonicalNotice<Data> {
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers serialise")
    }
}
