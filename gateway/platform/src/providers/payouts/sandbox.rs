//! The adapter of the sandbox's bank. It uses HTTP like the adapter of a real bank.

use std::time::Duration;

use async_trait::async_trait;
use gateway_acquirers::names::ReportedPayoutNames;
use gateway_environment::config::PayoutProvider;
use ledger_domain::PayoutId;
use ledger_domain::calendar::Instant;
use reqwest::RequestBuilder;
use serde::Deserialize;

use super::{PayoutAnswer, PayoutOrder, PayoutResult, Payouts};
use crate::providers::calls::{self, UNREADABLE, sanitized};

pub struct SandboxBank {
    client: reqwest::Client,
    url: String,
}

/// The bank's response.
#[derive(Debug, Deserialize)]
struct ResponseBody {
    status: Status,
    decided_at: Option<Instant>,
    reason: Option<String>,
    #[serde(default)]
    names: ReportedPayoutNames,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Pending,
    Paid,
    Failed,
    /// Paid, and the money came back.
    Returned,
}

impl SandboxBank {
    /// `url` is the bank's address, for example `http://127.0.0.1:8081`.
    pub fn new(url: &str, timeout: Duration) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: calls::client(timeout)?,
            url: url.to_owned(),
        })
    }

    async fn send_and_read(&self, request: RequestBuilder) -> PayoutAnswer {
        calls::send_and_read(request).await.and_then(ResponseBody::read)
    }
}

impl ResponseBody {
    fn read(self) -> PayoutAnswer {
        PayoutAnswer::Answered(match (self.status, self.decided_at) {
            (Status::Pending, _) => PayoutResult::Accepted,
            (Status::Paid, Some(at)) => PayoutResult::Paid {
                at,
                names: self.names,
            },
            // Only a payout that has not ended here is looked up, so the ledger does not know the payment either. To it,
            // nothing was paid.
            (Status::Failed | Status::Returned, Some(at)) => PayoutResult::Failed {
                at,
                reason: self.reason.map(|reason| sanitized(&reason)),
            },
            // The ledger cannot record a result without its time. A later look-up may return the time.
            (Status::Paid | Status::Failed | Status::Returned, None) => {
                return PayoutAnswer::Unknown(UNREADABLE);
            }
        })
    }
}

#[async_trait]
impl Payouts for SandboxBank {
    fn provider(&self) -> PayoutProvider {
        PayoutProvider::Sandbox
    }

    async fn send(&self, order: &PayoutOrder) -> PayoutAnswer {
        let request = self.client.post(format!("{}/payouts", self.url));
        self.send_and_read(
            request
                .header("idempotency-key", order.payout_id.to_string())
                .json(order),
        )
        .await
    }

    async fn look_up(&self, payout_id: PayoutId) -> PayoutAnswer {
        self.send_and_read(self.client.get(format!("{}/payouts/{payout_id}", self.url)))
            .await
    }
}
