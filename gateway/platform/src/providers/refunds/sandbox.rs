//! The adapter of the sandbox's acquirer. It uses HTTP like the adapter of a real acquirer.

use std::time::Duration;

use async_trait::async_trait;
use gateway_acquirers::names::ReportedNames;
use gateway_environment::config::RefundProvider;
use ledger_domain::sale::{Provider, RefundReference};
use reqwest::RequestBuilder;
use serde::Deserialize;

use super::{RefundAnswer, RefundRequest, RefundResult, Refunds};
use crate::error::Result;
use crate::providers::calls::{self, sanitized};

pub struct SandboxAcquirer {
    client: reqwest::Client,
    url: String,
    timeout: Duration,
}

/// The acquirer's response.
#[derive(Debug, Deserialize)]
struct ResponseBody {
    status: Status,
    reason: Option<String>,
    /// Its own id of the refund, which its notices have.
    acquirer_id: Option<RefundReference>,
    #[serde(default)]
    names: Box<ReportedNames>,
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
            timeout,
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
            Status::Done => RefundResult::Done {
                known_as: self.acquirer_id,
                names: self.names,
            },
            Status::Refused => RefundResult::Refused {
                reason: self.reason.map(|reason| sanitized(&reason)),
            },
        })
    }
}

#[async_trait]
impl Refunds for SandboxAcquirer {
    /// The sandbox acts for all providers.
    fn name(&self, _provider: Provider) -> &'static str {
        RefundProvider::Sandbox.as_str()
    }

    fn timeout(&self) -> Duration {
        self.timeout
    }

    async fn send(&self, request: &RefundRequest) -> Result<RefundAnswer> {
        let call = self.client.post(format!("{}/refunds", self.url));
        let call = call.header("idempotency-key", request.refund_id.to_string());
        Ok(self.send_and_read(call.json(request)).await)
    }

    async fn look_up(&self, request: &RefundRequest, _accepted: bool) -> Result<RefundAnswer> {
        let url = format!("{}/refunds/{}", self.url, request.refund_id);
        Ok(self.send_and_read(self.client.get(url)).await)
    }
}
