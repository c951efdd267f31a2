//! The interface to providers of card machines: activate a machine with the token that it shows.
//!
//! The provider must answer a repeated activation of the same machine for the same company like the first one. So a
//! call that timed out can be repeated until its answer arrives, and a token is never lost to a broken connection.

mod sandbox;

use async_trait::async_trait;
use ledger_domain::BusinessId;
use serde::{Deserialize, Serialize};

pub use sandbox::SandboxTerminals;

use super::calls::CallOutcome;

/// The number of digits of a token.
pub const TOKEN_DIGITS: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivationRequest {
    /// The digits that the machine shows. They are for one machine and one use.
    pub token: String,
    pub serial_number: String,
    pub business_id: BusinessId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActivationResult {
    Activated,
    Refused(ActivationRefusal),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActivationRefusal {
    /// The provider never issued the token.
    UnknownToken,
    /// Another activation has used the token.
    SpentToken,
    ExpiredToken,
    /// The token belongs to a machine with another serial number.
    OtherTerminal,
}

/// The result of a call.
pub type ActivationAnswer = CallOutcome<ActivationResult>;

#[async_trait]
pub trait TerminalActivation: Send + Sync {
    async fn activate(&self, request: &ActivationRequest) -> ActivationAnswer;
}
