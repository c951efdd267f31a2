//! The request bodies for withdrawals and for actions on transfers. Reading a body reports all invalid fields at once.
//! The ledger decides whether the amount is allowed.

use ledger_domain::transfer::DestinationKind;
use ledger_domain::{BusinessId, Cents};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::destination::DestinationSchema;
use crate::edge::FormErrors;
use crate::problem::Result;
use crate::shared::body_fields::{TEXT_CHARACTERS_MAX, amount, company, optional_text, password, text};

#[derive(Debug, Deserialize, ToSchema)]
pub struct TransferRequest {
    /// The company. If the query names it as well, both must be the same.
    #[schema(value_type = Option<String>, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: Option<BusinessId>,
    /// The amount in cents, including the fee.
    #[schema(value_type = i64, example = 150_000)]
    pub amount: Option<Value>,
    #[schema(value_type = DestinationSchema)]
    pub destination: Option<Value>,
    /// The password of the signed-in user.
    #[schema(value_type = String, example = "demonstracao-1")]
    pub password: Option<String>,
    /// True confirms a second withdrawal of the same amount to the same destination within 15 minutes.
    #[serde(default)]
    #[schema(example = false)]
    pub confirm_duplicate: bool,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct TransferAction {
    /// Required for refuse and fail. The seller can read it. Up to 500 characters.
    #[schema(example = "Conta encerrada no banco.")]
    pub reason: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct TransferReopening {
    #[schema(value_type = String, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: Option<BusinessId>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct RentalCancel {
    #[schema(value_type = String, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: Option<BusinessId>,
    /// The seller can read it. Up to 500 characters.
    #[schema(example = "Terminal devolvido antes do vencimento.")]
    pub reason: Option<String>,
}

pub struct ValidTransferRequest {
    pub amount: Cents,
    pub destination: DestinationKind,
    pub password: String,
    pub confirm_duplicate: bool,
}

impl TransferRequest {
    /// The guard has already selected `business_id`. The body must not name another company.
    pub fn read(self, business_id: BusinessId) -> Result<ValidTransferRequest> {
        let mut errors = FormErrors::default();
        company(&mut errors, self.business_id, Some(business_id));
        let amount = amount(&mut errors, self.amount.as_ref());
        let destination = destination(&mut errors, self.destination.as_ref());
        let password = password(&mut errors, self.password);
        errors.finish()?;
        Ok(ValidTransferRequest {
            amount,
            destination,
            password,
            confirm_duplicate: self.confirm_duplicate,
        })
    }
}

impl RentalCancel {
    pub fn read(self) -> Result<(BusinessId, Option<String>)> {
        let mut errors = FormErrors::default();
        let business_id = company(&mut errors, self.business_id, None);
        let reason = optional_text(&mut errors, "reason", self.reason, TEXT_CHARACTERS_MAX);
        errors.finish().map(|()| (business_id, reason))
    }
}

impl TransferAction {
    /// The reason of refuse and fail, which the seller can read.
    pub fn reason(self) -> Result<String> {
        let mut errors = FormErrors::default();
        let reason = text(&mut errors, "reason", self.reason, "Informe o motivo.");
        errors.finish().map(|()| reason)
    }
}

fn destination(errors: &mut FormErrors, given: Option<&Value>) -> DestinationKind {
    let number = given
        .and_then(Value::as_u64)
        .and_then(|number| u8::try_from(number).ok());
    let kind = number.and_then(|number| DestinationKind::from_number(number).ok());
    if kind.is_none() {
        let missing = given.is_none_or(Value::is_null);
        errors.add(
            "destination",
            if missing { "Requerido" } else { "Deve ser 0 ou 1." },
        );
    }
    kind.unwrap_or(DestinationKind::BankAccount)
}
