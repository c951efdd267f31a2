//! The request bodies of terminals.

use gateway_platform::providers::terminals::TOKEN_DIGITS;
use gateway_platform::terminals::{
    Acquisition, Billing, BillingType, NAME_CHARACTERS_MAX, SERIAL_CHARACTERS_MAX,
};
use ledger_domain::{BusinessId, Cents};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

use crate::edge::query::text as text_schema;
use crate::shared::form::{
    Components, FormInData, Kind, form, int32, number, optional, required, trimmed, value,
};

const MISSING: &str = "requerido";
const SELECT: &str = "Selecione uma opção";

form! {
    pub struct TerminalActivationForm {
        /// The eight digits that the terminal shows.
        #[example = "40718263"]
        token: String = required(token(), MISSING),
        #[example = "PDV0050001"]
        serial_number: String = required(serial_number(), MISSING),
    }
}

form! {
    pub struct TerminalOwnerForm {
        /// The company that gets the terminal. Required, here or in `data`.
        #[example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]
        business_id: BusinessId = required(value(), MISSING),
        /// The version that the change was decided on. If the terminal has changed since, the answer is a 409.
        #[example = 3]
        version: Option<i32> = optional(int32()),
    }
}

impl FormInData for TerminalOwnerForm {
    const DATA_NAME: &'static str = "TerminalOwnerData";
    const DATA_DESCRIPTION: &'static str = "The fields of a new owner in `data`.";
}

pub struct TerminalBillingForm {
    pub billing: Billing,
    pub version: Option<i32>,
}

form! {
    impl FromBody for TerminalBillingForm with form {
        /// Required, here or in `data`.
        billing_type: BillingType = required(number(SELECT), SELECT),
        /// Default: rental for Aluguel, else purchased. A purchased terminal cannot have Aluguel.
        acquisition: Option<Acquisition> = optional(number(SELECT)),
        /// The terminal's own monthly price in cents, for Aluguel only. Null or left out: the platform's price.
        rental_price: Option<Cents> = optional(rental_price()),
        /// The version that the change was decided on. If the terminal has changed since, the answer is a 409.
        #[example = 3]
        version: Option<i32> = optional(int32()),
    } => {
        match billing_type {
            BillingType::Rental if acquisition == Some(Acquisition::Purchased) => {
                form.error("acquisition", "Uma maquininha comprada não paga aluguel.");
            }
            BillingType::Adhesion if rental_price.is_some() => {
                form.error("rental_price", "Só o aluguel tem mensalidade.");
            }
            BillingType::Rental | BillingType::Adhesion => {}
        }
        let acquisition = acquisition.unwrap_or(Acquisition::Purchased);
        Self { billing: Billing::new(billing_type, acquisition, rental_price), version }
    }
}

impl FormInData for TerminalBillingForm {
    const DATA_NAME: &'static str = "TerminalBillingData";
    const DATA_DESCRIPTION: &'static str = "The fields of a billing in `data`.";
}

form! {
    pub struct TerminalNameForm {
        /// Up to 60 characters. A blank name removes the name.
        #[example = "Balcão"]
        name: Option<String> = optional(name()),
        /// The version that the change was decided on. If the terminal has changed since, the answer is a 409.
        #[example = 3]
        version: Option<i32> = optional(int32()),
    }
}

fn token() -> Kind<String> {
    let schema = || text_schema().pattern(Some("^[0-9]{8}$")).into();
    trimmed(schema, |token| {
        let valid = token.len() == TOKEN_DIGITS && token.bytes().all(|byte| byte.is_ascii_digit());
        if valid {
            Ok(token.to_owned())
        } else {
            Err("O token deve ter 8 dígitos.")
        }
    })
}

fn serial_number() -> Kind<String> {
    let schema = || text_schema().max_length(Some(SERIAL_CHARACTERS_MAX)).into();
    trimmed(schema, |serial| {
        let graphic = serial.bytes().all(|byte| byte.is_ascii_graphic());
        if serial.len() <= SERIAL_CHARACTERS_MAX && graphic {
            Ok(serial.to_owned())
        } else {
            Err("O número de série deve ter até 40 letras, números e sinais, sem espaços.")
        }
    })
}

fn name() -> Kind<String> {
    let schema = || text_schema().max_length(Some(NAME_CHARACTERS_MAX)).into();
    trimmed(schema, |name| {
        // The table's check rejects control characters. In most locales PostgreSQL counts the separators U+2028 and
        // U+2029 as such; Unicode does not.
        let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        if name.chars().count() > NAME_CHARACTERS_MAX || name.chars().any(breaks) {
            Err("O nome deve ter até 60 caracteres, em uma linha.")
        } else {
            Ok(name.to_owned())
        }
    })
}

fn rental_price() -> Kind<Cents> {
    let schema = |_: &mut Components| {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(1))
            .maximum(Some(9_999_999_999_i64))
            .into()
    };
    Kind::new(schema, |given, field| {
        let Some(cents) = given.as_i64() else {
            field.error("O valor deve ser numérico");
            return None;
        };
        let price = Cents::checked_amount(cents).ok();
        if price.is_none() {
            field.error("O valor deve ser de R$ 0,01 a R$ 99.999.999,99.");
        }
        price
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::problem::Result;
    use crate::shared::form::{FromBody, InData};

    fn read<F: FromBody>(body: Value) -> Result<F> {
        F::from_body(body.as_object().cloned().expect("an object"))
    }

    fn billing(body: Value) -> Result<Billing> {
        read::<InData<TerminalBillingForm>>(body).map(|InData(form)| form.billing)
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
            read::<TerminalNameForm>(json!({ "name": text }))
                .map(|form| form.name)
                .map_err(|problem| problem.errors.into_keys().collect::<Vec<_>>())
        };
        assert_eq!(name("  "), Ok(None));
        assert_eq!(name(" Balcão "), Ok(Some("Balcão".to_owned())));
        assert_eq!(name(&"é".repeat(60)), Ok(Some("é".repeat(60))));
        assert_eq!(name(&"é".repeat(61)), Err(vec!["name".to_owned()]));
        assert_eq!(name("a\u{2028}b"), Err(vec!["name".to_owned()]));
    }

    #[test]
    fn the_fields_of_data_win() {
        let body = json!({ "billing_type": 0, "version": 2, "data": { "billing_type": 1, "version": null } });
        let InData(form) = read::<InData<TerminalBillingForm>>(body).expect("a form");
        assert_eq!((form.billing, form.version), (Billing::Rental(None), Some(2)));
        assert_eq!(errors(json!({ "data": 7, "billing_type": 1 })), ["data"]);
    }
}
