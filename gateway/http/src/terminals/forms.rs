//! The request bodies of terminals. Reading a body reports all invalid fields at once.

use gateway_platform::providers::terminals::TOKEN_DIGITS;
use gateway_platform::terminals::{Acquisition, Billing, NAME_CHARACTERS_MAX, SERIAL_CHARACTERS_MAX};
use ledger_domain::{BusinessId, Cents};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::bodies::{AcquisitionSchema, BillingTypeSchema};
use crate::edge::FormErrors;
use crate::problem::Result;

const MISSING: &str = "requerido";

// The fields are optional in Rust so that the 422 names a missing one.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TerminalActivationForm {
    /// The eight digits that the terminal shows.
    #[schema(
        required = true,
        nullable = false,
        pattern = "^[0-9]{8}$",
        example = "40718263"
    )]
    pub token: Option<String>,
    #[schema(required = true, nullable = false, max_length = 40, example = "PDV0050001")]
    pub serial_number: Option<String>,
}

pub struct ValidActivation {
    pub token: String,
    pub serial_number: String,
}

impl TerminalActivationForm {
    pub fn read(self) -> Result<ValidActivation> {
        let mut errors = FormErrors::default();
        let token = self.token.unwrap_or_default().trim().to_owned();
        if token.is_empty() {
            errors.add("token", MISSING);
        } else if token.len() != TOKEN_DIGITS || !token.bytes().all(|byte| byte.is_ascii_digit()) {
            errors.add("token", "O token deve ter 8 dígitos.");
        }
        let serial_number = self.serial_number.unwrap_or_default().trim().to_owned();
        let graphic = serial_number.bytes().all(|byte| byte.is_ascii_graphic());
        if serial_number.is_empty() {
            errors.add("serial_number", MISSING);
        } else if serial_number.len() > SERIAL_CHARACTERS_MAX || !graphic {
            errors.add(
                "serial_number",
                "O número de série deve ter até 40 letras, números e sinais, sem espaços.",
            );
        }
        errors.finish()?;
        Ok(ValidActivation { token, serial_number })
    }
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct TerminalOwnerForm {
    /// The company that gets the terminal.
    #[schema(
        required = true,
        nullable = false,
        example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"
    )]
    pub business_id: Option<String>,
    /// The version that the change was decided on. If the terminal has changed since, the answer is a 409.
    #[schema(example = 3)]
    pub version: Option<i32>,
}

impl TerminalOwnerForm {
    pub fn read(&self) -> Result<BusinessId> {
        let mut errors = FormErrors::default();
        let text = self.business_id.as_deref().map(str::trim).unwrap_or_default();
        let business = text.parse().ok();
        if text.is_empty() {
            errors.add("business_id", MISSING);
        } else if business.is_none() {
            errors.add("business_id", "Deve ser o id de uma empresa.");
        }
        errors.finish()?;
        Ok(business.unwrap_or_else(|| BusinessId::from_uuid(uuid::Uuid::nil())))
    }
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct TerminalBillingForm {
    #[schema(required = true, nullable = false, value_type = BillingTypeSchema, example = 1)]
    pub billing_type: Option<Value>,
    /// Default: rental for Aluguel, else purchased. A purchased terminal cannot have Aluguel.
    #[schema(value_type = Option<AcquisitionSchema>, example = 1)]
    pub acquisition: Option<Value>,
    /// The terminal's own monthly price in cents, for Aluguel only. Null or left out: the platform's price.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 9_999_999_999_i64, example = 5_990)]
    pub rental_price: Option<Value>,
    /// The version that the change was decided on. If the terminal has changed since, the answer is a 409.
    #[schema(example = 3)]
    pub version: Option<i32>,
}

impl TerminalBillingForm {
    pub fn read(&self) -> Result<Billing> {
        let mut errors = FormErrors::default();
        let rented = match self.billing_type.as_ref().and_then(number) {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        };
        if rented.is_none() {
            errors.add("billing_type", "Selecione uma opção");
        }
        let given = self.acquisition.as_ref().filter(|value| !value.is_null());
        let acquisition = given.and_then(number).and_then(Acquisition::from_number);
        if given.is_some() && acquisition.is_none() {
            errors.add("acquisition", "Selecione uma opção");
        }
        if rented == Some(true) && acquisition == Some(Acquisition::Purchased) {
            errors.add("acquisition", "Uma maquininha comprada não paga aluguel.");
        }
        let price = self.read_price(&mut errors, rented);
        errors.finish()?;
        Ok(match rented {
            Some(true) => Billing::Rental(price),
            _ => Billing::Adhesion(acquisition.unwrap_or(Acquisition::Purchased)),
        })
    }

    fn read_price(&self, errors: &mut FormErrors, rented: Option<bool>) -> Option<Cents> {
        let given = self.rental_price.as_ref().filter(|value| !value.is_null())?;
        if rented == Some(false) {
            errors.add("rental_price", "Só o aluguel tem mensalidade.");
            return None;
        }
        let Some(cents) = given.as_i64() else {
            errors.add("rental_price", "O valor deve ser numérico");
            return None;
        };
        let price = Cents::checked_amount(cents).ok();
        if price.is_none() {
            errors.add("rental_price", "O valor deve ser de R$ 0,01 a R$ 99.999.999,99.");
        }
        price
    }
}

/// A select field may send its number as a text.
fn number(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_i64(),
    }
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct TerminalNameForm {
    /// Up to 60 characters. A blank name removes the name.
    #[schema(max_length = 60, example = "Balcão")]
    pub name: Option<String>,
    /// The version that the change was decided on. If the terminal has changed since, the answer is a 409.
    #[schema(example = 3)]
    pub version: Option<i32>,
}

impl TerminalNameForm {
    pub fn read(&self) -> Result<Option<String>> {
        let name = self.name.as_deref().map(str::trim).unwrap_or_default();
        // The table's check rejects control characters. In most locales PostgreSQL counts the separators U+2028 and
        // U+2029 as such; Unicode does not.
        let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        let mut errors = FormErrors::default();
        if name.chars().count() > NAME_CHARACTERS_MAX || name.chars().any(breaks) {
            errors.add("name", "O nome deve ter até 60 caracteres, em uma linha.");
        }
        errors.finish()?;
        Ok(Some(name.to_owned()).filter(|name| !name.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn billing(body: Value) -> Result<Billing> {
        let form: TerminalBillingForm = serde_json::from_value(body).expect("a form");
        form.read()
    }

    fn errors(body: Value) -> Vec<String> {
        billing(body)
            .err()
            .map_or(vec![], |problem| problem.errors.into_keys().collect())
    }

    #[test]
    fn the_acquisition_follows_the_billing_type_if_it_is_left_out() {
        let of = |body| billing(body).expect("a billing");
        assert_eq!(
            of(json!({ "billing_type": 0 })),
            Billing::Adhesion(Acquisition::Purchased)
        );
        assert_eq!(of(json!({ "billing_type": "1" })), Billing::Rental(None));
        assert_eq!(
            of(json!({ "billing_type": 0, "acquisition": 1 })),
            Billing::Adhesion(Acquisition::Rental)
        );
        let priced = of(json!({ "billing_type": 1, "acquisition": 1, "rental_price": 5990 }));
        assert_eq!(priced, Billing::Rental(Some(Cents::new(59_90))));
    }

    #[test]
    fn all_invalid_fields_are_reported_at_once() {
        assert_eq!(errors(json!({})), ["billing_type"]);
        assert_eq!(
            errors(json!({ "billing_type": 2, "acquisition": "x", "rental_price": "dez" })),
            ["acquisition", "billing_type", "rental_price"]
        );
        assert_eq!(
            errors(json!({ "billing_type": 1, "acquisition": 0 })),
            ["acquisition"]
        );
        assert_eq!(
            errors(json!({ "billing_type": 0, "rental_price": 100 })),
            ["rental_price"]
        );
        for cents in [0, -1, 10_000_000_000_i64] {
            assert_eq!(
                errors(json!({ "billing_type": 1, "rental_price": cents })),
                ["rental_price"]
            );
        }
    }

    #[test]
    fn a_name_has_up_to_60_characters_in_one_line_and_a_blank_one_is_removed() {
        let name = |text: &str| {
            let form = TerminalNameForm {
                name: Some(text.to_owned()),
                version: None,
            };
            form.read()
                .map_err(|problem| problem.errors.into_keys().collect::<Vec<_>>())
        };
        assert_eq!(name("  "), Ok(None));
        assert_eq!(name(" Balcão "), Ok(Some("Balcão".to_owned())));
        assert_eq!(name(&"é".repeat(60)), Ok(Some("é".repeat(60))));
        assert_eq!(name(&"é".repeat(61)), Err(vec!["name".to_owned()]));
        assert_eq!(name("a\u{2028}b"), Err(vec!["name".to_owned()]));
    }
}
