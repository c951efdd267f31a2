//! Later events of a sale: canceled, refunded, reversed or disputed. They can be sent in any order and repeatedly.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_acquirers::names::ReportedNames;
use gateway_platform::providers::{CanonicalNotice, CanonicalSaleReference};
use ledger_domain::sale::Provider;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::delivery::{NoticeTiming, ScheduledNotice};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReversalNotice {
    Canceled,
    Refunded,
    Reversed,
    DisputeOpened,
    DisputeWon,
    DisputeLost,
}

impl ReversalNotice {
    pub const fn notice_type(self) -> &'static str {
        match self {
            Self::Canceled => "sale.canceled",
            Self::Refunded => "sale.refunded",
            Self::Reversed => "sale.reversed",
            Self::DisputeOpened => "dispute.opened",
            Self::DisputeWon => "dispute.won",
            Self::DisputeLost => "dispute.lost",
        }
    }

    pub const fn is_of_dispute(self) -> bool {
        match self {
            Self::DisputeOpened | Self::DisputeWon | Self::DisputeLost => true,
            Self::Canceled | Self::Refunded | Self::Reversed => false,
        }
    }

    pub const fn reason(self) -> &'static str {
        match self {
            Self::Canceled => "Cancelada pela adquirente",
            Self::Refunded => "Devolução pedida pelo comprador",
            Self::Reversed => "Transação desfeita pela adquirente",
            Self::DisputeOpened => "Comprador não reconhece a compra",
            Self::DisputeWon => "Documentação aceita pelo emissor",
            Self::DisputeLost => "Documentação recusada pelo emissor",
        }
    }
}

/// Facts about an earlier sale, of the sandbox or not.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactsRequest {
    /// The provider that the sandbox acts as.
    #[serde(default = "zoop")]
    pub provider: Provider,
    /// The provider's id of the sale.
    pub external_id: String,
    /// The platform's id of the sale.
    pub sale_id: Option<String>,
    pub business_id: Option<String>,
    pub facts: Vec<ReversalNotice>,
    /// The id of the dispute, for all dispute facts. A new one if `None`.
    pub dispute_id: Option<String>,
    /// The time of the first fact.
    pub occurred_at: Option<DateTime<Utc>>,
    /// How many additional times each notice is sent.
    #[serde(default)]
    pub duplicates: u8,
    /// Sends the last notice first.
    #[serde(default)]
    pub out_of_order: bool,
    /// The time between two notices, in milliseconds.
    #[serde(default)]
    pub delay_ms: u64,
}

const fn zoop() -> Provider {
    Provider::Zoop
}

/// The sandbox's response. The notices follow later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FactsResponse {
    pub external_id: String,
    pub dispute_id: Option<String>,
    pub notices: Vec<String>,
}

pub fn new_dispute_id() -> String {
    format!("dp-{}", Uuid::now_v7().simple())
}

impl FactsRequest {
    /// Returns the notices in the order of sending.
    pub fn notices(&self, now: DateTime<Utc>) -> (FactsResponse, Vec<ScheduledNotice>) {
        let disputed = self.facts.iter().any(|fact| fact.is_of_dispute());
        let dispute_id = self.dispute_id.clone().or_else(|| disputed.then(new_dispute_id));
        let first_at = self.occurred_at.unwrap_or(now);
        let timing = NoticeTiming {
            duplicates: self.duplicates,
            delay: Duration::from_millis(self.delay_ms),
        };
        let mut notices: Vec<_> = (0..)
            .zip(&self.facts)
            .map(|(place, fact)| CanonicalNotice {
                id: format!("evt-{}", Uuid::now_v7().simple()),
                r#type: fact.notice_type(),
                occurred_at: first_at + timing.step() * place,
                data: CanonicalSaleReference {
                    business_id: self.business_id.clone(),
                    external_id: self.external_id.clone(),
                    sale_id: self.sale_id.clone(),
                    amount: None,
                    reason: Some(fact.reason().to_owned()),
                    dispute_id: dispute_id.clone().filter(|_| fact.is_of_dispute()),
                    refund_id: None,
                    names: ReportedNames::default(),
                },
            })
            .collect();
        if self.out_of_order {
            notices.reverse();
        }
        let response = FactsResponse {
            external_id: self.external_id.clone(),
            dispute_id,
            notices: notices.iter().map(|notice| notice.id.clone()).collect(),
        };
        (response, timing.of(&notices, &self.external_id))
    }
}
