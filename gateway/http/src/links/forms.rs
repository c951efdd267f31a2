//! The forms of a payment link. `gateway_platform::links` has their rules.

use gateway_platform::links::{DESCRIPTION_CHARACTERS_MAX, FeePayer, LinkForm, USE_LIMIT_MAX};
use ledger_domain::Cents;
use ledger_domain::calendar::Date;
use ledger_domain::sale::PaymentType;

use crate::shared::form::{
    Declared, boolean, cents, form, given, int32, nullable, optional, refuse_null, required, value, word_kind,
};

pub struct PaymentLinkForm(pub LinkForm);

form! {
    /// A new link requires description and payment_types. In a change, fields that are left out stay as they are, except
    /// that a fixed amount clears amount_min and amount_max, and a link without credit gets 1 installment.
    impl FromBody for PaymentLinkForm {
        /// The description of the goods or the service.
        #[example = "Bolo de chocolate"]
        description: Option<String> = optional(
            given::<String, String>().described(|schema| schema.max_length(Some(DESCRIPTION_CHARACTERS_MAX))),
        ),
        /// In cents. Null: the buyer chooses it.
        #[example = 18_000]
        amount: Option<Option<Cents>> = sale_amount(),
        /// The smallest amount that the buyer may choose, in cents. Only if `amount` is null.
        amount_min: Option<Option<Cents>> = sale_amount(),
        /// The largest amount that the buyer may choose, in cents. Only if `amount` is null.
        amount_max: Option<Option<Cents>> = sale_amount(),
        /// credit, pix, boleto.
        #[example = ["credit", "pix"]]
        payment_types: Option<Vec<String>> = optional(given::<Vec<String>, Vec<String>>()),
        /// Only credit has more than 1.
        #[example = 3]
        installments_max: Option<i64> = optional(
            given::<i64, i32>()
                .described(|schema| schema.minimum(Some(1)).maximum(Some(PaymentType::INSTALLMENTS_MAX))),
        ),
        /// The party that pays the fees. The default of a new link is seller.
        payer: Option<FeePayer> = optional(word_kind()),
        /// The last day in Brasília on which the link can be paid. Null: it does not expire.
        #[example = "2026-12-31"]
        expires_on: Option<Option<Date>> = nullable(value()),
        /// How many orders may use the link. Null: any number.
        #[example = 10]
        use_limit: Option<Option<i64>> = nullable(
            given::<i64, i32>().described(|schema| schema.minimum(Some(1)).maximum(Some(USE_LIMIT_MAX))),
        ),
        /// The default of a new link is true.
        active: Option<bool> = refuse_null(optional(boolean())),
    } => Self(LinkForm {
        description,
        amount,
        amount_min,
        amount_max,
        payment_types,
        installments_max,
        payer,
        expires_on,
        use_limit,
        active,
    })
}

form! {
    pub struct PaymentLinkChange {
        /// The version of the link when it was read. A 409 says what another user has changed since.
        #[example = 1]
        version: i32 = required(int32(), "Informe a versão lida do link."),
        fields: ..PaymentLinkForm,
    }
}

fn sale_amount() -> Declared<Option<Option<Cents>>> {
    let amount = cents().not_blank("O valor deve ser numérico");
    nullable(amount.described(|schema| schema.minimum(Some(1)).maximum(Some(Cents::AMOUNT_MAX.get()))))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::problem::Result;
    use crate::shared::form::FromBody;

    fn read(body: Value) -> Result<LinkForm> {
        let form = PaymentLinkForm::from_body(body.as_object().cloned().expect("an object"));
        form.map(|PaymentLinkForm(form)| form)
    }

    #[test]
    fn null_clears_a_field_and_an_absent_one_stays() {
        let body = json!({ "amount": null, "amount_min": 1_00, "expires_on": null, "use_limit": null, "payer": null });
        let form = read(body).expect("a form");
        assert_eq!(
            (form.amount, form.amount_min, form.amount_max),
            (Some(None), Some(Some(Cents::new(1_00))), None)
        );
        assert_eq!(
            (form.expires_on, form.use_limit, form.payer),
            (Some(None), Some(None), None)
        );
    }

    #[test]
    fn a_value_that_cannot_be_read_has_its_error() {
        let body = json!({
            "amount": "dez", "amount_min": "", "payer": "x", "expires_on": "31/12/2026", "active": null,
        });
        let expected = json!({
            "amount": ["O valor deve ser numérico"],
            "amount_min": ["O valor deve ser numérico"],
            "payer": ["Deve ser seller ou buyer."],
            "expires_on": ["A data deve estar no formato AAAA-MM-DD."],
            "active": ["Valor inválido."],
        });
        assert_eq!(json!(read(body).expect_err("invalid").errors), expected);
    }
}
