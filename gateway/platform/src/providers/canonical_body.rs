//! Writes the canonical body, the JSON of a signed notice that `canonical.rs` parses. The tools of `gateway/dev` send
//! it, and the orders of payment links report an acquirer's answers by it.

use chrono::{DateTime, Utc};
use gateway_acquirers::names::{ReportedNames, ReportedPayoutNames};
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct CanonicalNotice<Data = CanonicalSale> {
    pub id: String,
    pub r#type: &'static str,
    pub occurred_at: DateTime<Utc>,
    pub data: Data,
}

/// An acquirer's report with all facts of a sale. Notices of every type about a sale can carry it, so it has
/// the reason and the dispute of a reversal too.
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
    #[serde(flatten)]
    pub names: ReportedNames,
    pub reason: Option<String>,
    pub dispute_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund_id: Option<String>,
}

/// An acquirer's report about an earlier sale: it identifies the sale and repeats none of its facts except the amount.
#[derive(Debug, Clone, Serialize)]
pub struct CanonicalSaleReference {
    pub business_id: Option<String>,
    pub external_id: String,
    pub sale_id: Option<String>,
    pub amount: Option<i64>,
    pub reason: Option<String>,
    pub dispute_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund_id: Option<String>,
    /// Of a refund.
    #[serde(flatten)]
    pub names: ReportedNames,
}

/// A bank's report about a payout.
#[derive(Debug, Clone, Serialize)]
pub struct CanonicalPayout {
    pub business_id: Option<String>,
    pub transfer_id: String,
    pub payout_id: String,
    pub reason: Option<String>,
    #[serde(flatten)]
    pub names: ReportedPayoutNames,
}

impl<Data: Serialize> CanonicalNotice<Data> {
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers serialize")
    }
}
