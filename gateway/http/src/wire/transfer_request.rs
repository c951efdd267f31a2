//! The request bodies for transfers. Reading a body reports all invalid fields at once, with the messages of the
//! specification. The ledger decides whether the amount is allowed.

use gateway_platform::providers::mask_card_numbers;
use ledger_domain::transfer::{DestinationKind, Direction};
use ledger_domain::{BusinessId, Cents};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::transfer::{DestinationSchema, DirectionName};
use crate::edge::{QueryReader, control_characters};
use crate::problem::Result;

/// The length that a user can read at a glance.
const TEXT_CHARACTERS_MAX: usize = 500;

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

#[derive(Debug, Deserialize, ToSchema)]
pub struct RentalCancel {
    #[schema(value_type = String, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: Option<BusinessId>,
    /// The seller can read it. Up to 500 characters.
    #[schema(example = "Terminal devolvido antes do vencimento.")]
    pub reason: Option<String>,
}

pub struct Withdrawal {
    pub amount: Cents,
    pub destination: DestinationKind,
    pub password: String,
    pub confirm_duplicate: bool,
}

pub struct Adjustment {
    pub business_id: BusinessId,
    pub amount: Cents,
    pub direction: Direction,
    pub description: String,
    pub password: String,
    pub allow_negative: bool,
}

pub struct Holding {
    pub business_id: BusinessId,
    pub amount: Cents,
    pub reason: String,
}

impl TransferRequest {
    /// The guard has already selected `business_id`. The body must not name another company.
    pub fn read(self, business_id: BusinessId) -> Result<Withdrawal> {
        let mut errors = QueryReader::empty();
        company(&mut errors, self.business_id, Some(business_id));
        let amount = amount(&mut errors, self.amount.as_ref());
        let destination = destination(&mut errors, self.destination.as_ref());
        let password = password(&mut errors, self.password);
        errors.finish()?;
        Ok(Withdrawal {
            amount,
            destination,
            password,
            confirm_duplicate: self.confirm_duplicate,
        })
    }
}

impl ManualTransfer {
    /// The query may name the company as well; both must be the same.
    pub fn read(self, in_query: Option<BusinessId>) -> Result<Adjustment> {
        let mut errors = QueryReader::empty();
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
        Ok(Adjustment {
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
    pub fn read(self) -> Result<Holding> {
        let mut errors = QueryReader::empty();
        let business_id = company(&mut errors, self.business_id, None);
        let amount = amount(&mut errors, self.amount.as_ref());
        if amount < Cents::AMOUNT_MIN && self.amount.is_some_and(|given| given.is_i64()) {
            errors.error("amount", "Valor mínimo é de R$ 0,01");
        }
        let reason = text(&mut errors, "reason", self.reason, "Informe o motivo.");
        errors.finish()?;
        Ok(Holding {
            business_id,
            amount,
            reason,
        })
    }
}

impl RentalCancel {
    pub fn read(self) -> Result<(BusinessId, Option<String>)> {
        let mut errors = QueryReader::empty();
        let business_id = company(&mut errors, self.business_id, None);
        let reason = optional_text(&mut errors, "reason", self.reason, TEXT_CHARACTERS_MAX);
        errors.finish().map(|()| (business_id, reason))
    }
}

impl TransferAction {
    /// The reason of refuse and fail, which the seller can read.
    pub fn reason(self) -> Result<String> {
        let mut errors = QueryReader::empty();
        let reason = text(&mut errors, "reason", self.reason, "Informe o motivo.");
        errors.finish().map(|()| reason)
    }
}

fn amount(errors: &mut QueryReader, given: Option<&Value>) -> Cents {
    let missing = match given {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(_) => false,
    };
    if missing {
        errors.error("amount", "requerido");
        return Cents::ZERO;
    }
    let cents = given.and_then(Value::as_i64);
    if cents.is_none() {
        errors.error("amount", "O valor deve ser numérico");
    }
    Cents::new(cents.unwrap_or_default())
}

fn destination(errors: &mut QueryReader, given: Option<&Value>) -> DestinationKind {
    let number = given
        .and_then(Value::as_u64)
        .and_then(|number| u8::try_from(number).ok());
    let kind = number.and_then(|number| DestinationKind::from_number(number).ok());
    if kind.is_none() {
        let missing = given.is_none_or(Value::is_null);
        errors.error(
            "destination",
            if missing { "Requerido" } else { "Deve ser 0 ou 1." },
        );
    }
    kind.unwrap_or(DestinationKind::BankAccount)
}

fn password(errors: &mut QueryReader, given: Option<String>) -> String {
    let password = given.unwrap_or_default();
    if password.is_empty() {
        errors.error("password", "A senha é requerida.");
    }
    password
}

fn company(
    errors: &mut QueryReader,
    in_body: Option<BusinessId>,
    in_query: Option<BusinessId>,
) -> BusinessId {
    match (in_body, in_query) {
        (Some(body), Some(query)) if body != query => {
            errors.error(
                "business_id",
                "A empresa do endereço e a do corpo são diferentes.",
            );
            body
        }
        (Some(named), _) | (None, Some(named)) => named,
        (None, None) => {
            errors.error("business_id", "Informe a empresa.");
            BusinessId::from_uuid(uuid::Uuid::nil())
        }
    }
}

fn text(errors: &mut QueryReader, field: &str, given: Option<String>, missing: &str) -> String {
    let text = optional_text(errors, field, given, TEXT_CHARACTERS_MAX);
    if text.is_none() {
        errors.error(field, missing);
    }
    text.unwrap_or_default()
}

/// A text for events and screens: joined to one line, with card numbers masked. Control characters are an error. `None`
/// if it is empty.
pub(super) fn optional_text(
    errors: &mut QueryReader,
    field: &str,
    given: Option<String>,
    characters_max: usize,
) -> Option<String> {
    let given = given?;
    let text = given.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > characters_max {
        errors.error(
            field,
            &format!("O texto deve ter até {characters_max} caracteres."),
        );
    }
    if control_characters::is_in(&text) {
        errors.error(field, control_characters::MESSAGE);
    }
    Some(mask_card_numbers(&text).into_owned()).filter(|text| !text.is_empty())
}
