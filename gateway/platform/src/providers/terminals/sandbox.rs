//! The adapter of the sandbox's provider of card machines. It uses HTTP like the adapter of a real provider.

use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;

use super::{ActivationAnswer, ActivationRefusal, ActivationRequest, ActivationResult, TerminalActivation};
use crate::providers::calls::{self, UNREADABLE};

pub struct SandboxTerminals {
    client: reqwest::Client,
    url: String,
}

/// The provider's response.
#[derive(Debug, Deserialize)]
struct ResponseBody {
    status: Status,
    reason: Option<ActivationRefusal>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Activated,
    Refused,
}

impl SandboxTerminals {
    /// `url` is the provider's address, for example `http://127.0.0.1:8081`.
    pub fn new(url: &str, timeout: Duration) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: calls::client(timeout)?,
            url: url.to_owned(),
        })
    }
}

impl ResponseBody {
    fn read(self) -> ActivationAnswer {
        match (self.status, self.reason) {
            (Status::Activated, _) => ActivationAnswer::Answered(ActivationResult::Activated),
            (Status::Refused, Some(reason)) => ActivationAnswer::Answered(ActivationResult::Refused(reason)),
            (Status::Refused, None) => ActivationAnswer::Unknown(UNREADABLE),
        }
    }
}

#[async_trait]
impl TerminalActivation for SandboxTerminals {
    async fn activate(&self, request: &ActivationRequest) -> ActivationAnswer {
        let call = self.client.post(format!("{}/terminals/activations", self.url));
        calls::send_and_read(call.json(request))
            .await
            .and_then(ResponseBody::read)
    }
}
