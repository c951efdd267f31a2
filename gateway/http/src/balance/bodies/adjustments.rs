//! The request bodies of manual transfers, holds and releases. Reading a body reports all invalid fields at once.
//! Except for the minimum of a hold or a release, the ledger decides whether the amount is allowed.

use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, Cents};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::edge::FormErrors;
use crate::problem::Result;
use crate::shared::body_fields::{amount, company, password, text};
use crate::withdrawals::bodies::transfer::DirectionName;

#[derive(Debug, Deserialize, ToSchema)]
pub struct ManualTransfer {
    /// The company. Required unless the query names it; if both name it, they must be the same.
    #[schema(value_type = Option<String>, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: Option<BusinessId>,
    /// The amount in cents; at least 100 with `direction: out`.
    #[schema(value_type = i64, example = 12_000)]
    pub amount: Option<Value>,
    /// The seller can read it. Up to 500 characters.
    #[schema(value_type = String, example = "Aluguel de equipamento de novembro")]
    pub description: Option<String>,
    /// The password of the signed-in user.
    #[schema(value_type = String, example = "demonstracao-1")]
    pub password: Option<String>,
    /// The default is out.
    pub direction: Option<DirectionName>,
    /// Allows the balance to go below zero.
    #[serde(default)]
    #[schema(example = false)]
    pub allow_negative: bool,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct Hold {
    #[schema(value_type = String, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: Option<BusinessId>,
    /// The amount in cents.
    #[schema(value_type = i64, example = 50_000)]
    pub amount: Option<Value>,
    /// The reason of the hold or the release. Up to 500 characters.
    #[schema(value_type = String, example = "Análise de risco em andamento")]
    pub reason: Option<String>,
}

pub struct ValidManualTransfer {
    pub business_id: BusinessId,
    pub amount: Cents,
    pub direction: Direction,
    pub description: String,
    pub password: String,
    pub allow_negative: bool,
}

pub struct ValidHold {
    pub business_id: BusinessId,
    pub amount: Cents,
    pub reason: String,
}

impl ManualTransfer {
    /// The query may name the company as well; both must be the same.
    pub fn read(self, in_query: Option<BusinessId>) -> Result<ValidManualTransfer> {
        let mut errors = FormErrors::default();
        let business_id = company(&mut errors, self.business_id, in_query);
        let amount = amount(&mut errors, self.amount.as_ref());
        let description = text(
            &mut errors,
            "description",
            self.description,
            "Informe a descrição.",
        );
        let password = password(&mut errors, self.password);
        errors.finish()?;
        Ok(ValidManualTransfer {
            business_id,
            amount,
            direction: self.direction.map_or(Direction::Out, Direction::from),
            description,
            password,
            allow_negative: self.allow_negative,
        })
    }
}

impl Hold {
    pub fn read(self) -> Result<ValidHold> {
        let mut errors = FormErrors::default();
        let business_id = company(&mut errors, self.business_id, None);
        let amount = amount(&mut errors, self.amount.as_ref());
        // `amount` has already reported an amount that is missing or not an integer.
        if amount < Cents::AMOUNT_MIN && self.amount.is_some_and(|given| given.is_i64()) {
            errors.add("amount", "Valor mínimo é de R$ 0,01");
        }
        let reason = text(&mut errors, "reason", self.reason, "Informe o motivo.");
        errors.finish()?;
        Ok(ValidHold {
            business_id,
            amount,
            reason,
        })
    }
}
