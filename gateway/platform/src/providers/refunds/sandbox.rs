//! The adapter of the sandbox's acquirer. It uses HTTP like the adapter of a real acquirer.

use std::time::Duration;

use async_trait::async_trait;
use gateway_environment::config::RefundProvider;
use ledger_domain::ids::RefundId;
use reqwest::RequestBuilder;
use serde::Deserialize;

use super::{RefundAnswer, RefundRequest, RefundResult, Refunds};
use crate::providers::calls::{self, sanitized};

pub struct SandboxAcquirer {
    client: reqwest::Client,
    url: String,
}

/// The acquirer's response.
#[derive(Debug, Deserialize)]
struct ResponseBody {
    status: Status,
    reason: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Pending,
    Done,
    Refused,
}

impl SandboxAcquirer {
    /// `url` is the acquirer's address, for example `http://127.0.0.1:8081`.
    pub fn new(url: &str, timeout: Duration) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: calls::client(timeout)?,
            url: url.to_owned(),
        })
    }

    async fn send_and_read(&self, request: RequestBuilder) -> RefundAnswer {
        calls::send_and_read(request).await.and_then(ResponseBody::read)
    }
}

impl ResponseBody {
    fn read(self) -> RefundAnswer {
        RefundAnswer::Answered(match self.status {
            Status::Pending => RefundResult::Accepted,
            Status::Done => RefundResult::Done,
            Status::Refused => RefundResult::Refused {
                reason: self.reason.map(|reason| sanitized(&reason)),
            },
        })
    }
}

#[async_trait]
impl Refunds for SandboxAcquirer {
    fn provider(&self) -> RefundProvider {
        RefundProvider::Sandbox
    }

    async fn send(&self, request: &RefundRequest) -> RefundAnswer {
        let call = self.client.post(format!("{}/refunds", self.url));
        self.send_and_read(
            call.header("idempotency-key", request.refund_id.to_string())
                .json(request),
        )
        .await
    }

    async fn look_up(&self, refund_id: RefundId) -> RefundAnswer {
        self.send_and_read(self.client.get(format!("{}/refunds/{refund_id}", self.url)))
            .await
    }
}
