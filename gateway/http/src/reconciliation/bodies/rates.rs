//! The expected rates of acquirers in answers.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::reconciliation::AcquirerRate;
use ledger_domain::Cents;
use ledger_domain::sale::Provider;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The agreed cost of a payment, from a day on.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcquirerRateRow {
    pub id: Uuid,
    /// The acquirer's number, 1 to 8.
    #[schema(value_type = u8, example = 1)]
    pub provider: Provider,
    #[schema(example = "credit")]
    pub payment_type: &'static str,
    /// The smallest number of installments to which it applies.
    #[schema(example = 1)]
    pub installments_from: u8,
    pub valid_from: NaiveDate,
    /// Null: nothing is expected from that day on.
    #[schema(required = true, example = "2.5000")]
    pub percent: Option<String>,
    /// In cents.
    #[schema(required = true, value_type = Option<i64>, example = 0)]
    pub flat: Option<Cents>,
    /// The name of the user, if it is known.
    #[schema(required = true)]
    pub set_by: Option<String>,
    /// UTC instant.
    pub set_at: DateTime<Utc>,
}

impl AcquirerRateRow {
    pub fn of(rate: AcquirerRate, set_by: Option<String>) -> Self {
        Self {
            id: rate.id,
            provider: rate.provider,
            payment_type: rate.payment_type.as_str(),
            installments_from: rate.installments_from,
            valid_from: rate.valid_from,
            percent: rate.rate.map(|rate| rate.percent.to_string()),
            flat: rate.rate.map(|rate| rate.flat),
            set_by,
            set_at: rate.set_at,
        }
    }
}

/// All rates ever set: by acquirer, payment type and installments, the latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcquirerRateList {
    pub data: Vec<AcquirerRateRow>,
}
