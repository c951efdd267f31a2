//! The bodies of checkout requests. `FIELDS` says for each field whether it is searched for card numbers (`body`).

use gateway_acquirers::charge::{Buyer, BuyerAddress, CardToken};
use gateway_identity::email_address::{email_error, normalize_email};
use gateway_platform::links::PAYMENT_TYPES;
use gateway_platform::orders::NewCard;
use ledger_domain::Cents;
use ledger_domain::documents::{Cep, Document, DocumentError, State};
use ledger_domain::sale::{CardBrand, PaymentType};
use utoipa::openapi::{RefOr, Schema};

use super::body::{CheckoutForm, Field};
use super::choices::{AttemptRequest, Choice, OrderRequest};
use crate::edge::query;
use crate::problem::{Problem, Result};
use crate::shared::form::{
    FormReader, Kind, form, given, line, optional, part, required, required_part, required_ruled, ruled, text,
};
use crate::shared::phone;
use crate::shared::postal_code::{self, check_state};

pub struct PlaceOrderForm(pub OrderRequest);

form! {
    impl FromBody for PlaceOrderForm with form {
        buyer: BuyerForm = required_part(),
        /// The amount that the buyer chose, in cents. Only for a link without a fixed amount.
        amount: Option<Cents> = optional(cents("O valor deve ser de R$ 0,01 a R$ 99.999.999,99.")),
        /// credit, pix or boleto.
        #[example = "credit"]
        payment_type: PaymentType = required(payment_type(), PAYMENT_TYPE_MISSING),
        /// The total that the buyer saw, in cents. The call answers 409 if the price has changed.
        #[example = 18_000]
        total: Cents = required(cents(TOTAL_INVALID), TOTAL_INVALID),
        /// Required for credit.
        card: Option<CardForm> = optional(part()),
    } => {
        let choice = choice(form, payment_type, total, card);
        let BuyerForm(buyer) = buyer;
        if payment_type == PaymentType::Boleto && buyer.address.is_none() {
            form.error("buyer.address", ADDRESS_MISSING);
        }
        Self(OrderRequest { buyer, amount, choice })
    }
}

pub struct BuyerForm(Buyer);

form! {
    impl FromBody for BuyerForm {
        #[example = "Maria Souza"]
        name: String = required(line(120), "Informe seu nome."),
        /// CPF or CNPJ, with or without its mask.
        #[example = "529.982.247-25"]
        document: Document = required_ruled(ruled(any_text, document)),
        #[example = "maria@example.com"]
        email: String = required_ruled(ruled(any_text, email)),
        /// With the area code.
        #[example = "(11) 98765-4321"]
        phone: String = required_ruled(ruled(any_text, phone::geographic)),
        /// Required for boleto.
        address: Option<BuyerAddressForm> = optional(part().or_null()),
    } => Self(Buyer { name, document, email, phone, address: address.map(|address| address.0) })
}

pub struct BuyerAddressForm(BuyerAddress);

form! {
    impl FromBody for BuyerAddressForm with form {
        #[example = "01310-100"]
        postal_code: Cep = required_ruled(ruled(any_text, postal_code::read)),
        #[example = "Avenida Paulista"]
        street: String = required(line(120), "Informe a rua."),
        #[example = "1578"]
        number: String = required(line(20), "Informe o número."),
        complement: Option<String> = optional(line(60).or_null()),
        #[example = "Bela Vista"]
        district: String = required(line(80), "Informe o bairro."),
        #[example = "São Paulo"]
        city: String = required(line(80), "Informe a cidade."),
        #[example = "SP"]
        state: String = required_ruled(ruled(any_text, state)),
    } => {
        if let Err(message) = check_state(&postal_code, &state) {
            form.error("state", &message);
        }
        let postal_code = postal_code.unmasked().to_owned();
        Self(BuyerAddress { postal_code, street, number, complement, district, city, state })
    }
}

pub struct CardForm(NewCard);

form! {
    /// The buyer's card, without its number: the browser sends the number to the acquirer only.
    impl FromBody for CardForm {
        /// The token that the acquirer's endpoint in `card_tokens` returned.
        #[example = "tok_visa_4242_0b7e1d2c3f4a4b5c8d9e0f1a2b3c4d5e"]
        token: CardToken = required_ruled(ruled(any_text, token)),
        #[example = "visa"]
        brand: CardBrand = required_ruled(ruled(any_text, brand)),
        #[example = "4242"]
        last_four: String = required_ruled(ruled(any_text, last_four)),
        #[example = 1]
        installments: u8 = required(installments(), INSTALLMENTS_INVALID),
    } => Self(NewCard { token, brand, told_brand: None, last_four, installments })
}

/// Another attempt of an open order.
pub struct AttemptForm {
    pub choice: Choice,
    address: Option<BuyerAddress>,
}

form! {
    /// Another attempt of an open order.
    impl FromBody for AttemptForm with form {
        /// credit, pix or boleto.
        #[example = "credit"]
        payment_type: PaymentType = required(payment_type(), PAYMENT_TYPE_MISSING),
        /// The total that the buyer saw, in cents. The call answers 409 if the price has changed.
        #[example = 18_000]
        total: Cents = required(cents(TOTAL_INVALID), TOTAL_INVALID),
        /// Required for credit.
        card: Option<CardForm> = optional(part()),
        /// Required for boleto, unless the order has an address.
        address: Option<BuyerAddressForm> = optional(part()),
    } => Self {
        choice: choice(form, payment_type, total, card),
        address: address.map(|address| address.0),
    }
}

impl AttemptForm {
    pub fn is_by_card(&self) -> bool {
        self.choice.payment_type == PaymentType::Credit
    }

    /// A boleto needs the buyer's address, which the order may have.
    pub fn request(self, has_address: bool) -> Result<AttemptRequest> {
        let Self { choice, address } = self;
        if choice.payment_type == PaymentType::Boleto && address.is_none() && !has_address {
            return Err(Problem::field("address", ADDRESS_MISSING));
        }
        Ok(AttemptRequest { choice, address })
    }
}

const ADDRESS_MISSING: &str = "O boleto precisa do seu endereço.";
const PAYMENT_TYPE_MISSING: &str = "Escolha a forma de pagamento.";
const TOTAL_INVALID: &str = "Informe o total que apareceu na página.";
const INSTALLMENTS_INVALID: &str = "Escolha o número de parcelas.";
/// The limit of the column `order_attempt.card_token`.
const TOKEN_CHARACTERS_MAX: usize = 500;

/// Only a payment by card has a card.
fn choice(
    form: &mut FormReader<'_>,
    payment_type: PaymentType,
    total: Cents,
    card: Option<CardForm>,
) -> Choice {
    match (payment_type, &card) {
        (PaymentType::Credit, None) => form.missing_part::<CardForm>("card"),
        (PaymentType::Credit, Some(_)) | (_, None) => {}
        (_, Some(_)) => form.error("card", "Só o pagamento com cartão tem cartão."),
    }
    Choice {
        payment_type,
        total,
        card: card.map(|card| card.0),
    }
}

fn any_text() -> RefOr<Schema> {
    query::text().into()
}

fn payment_type() -> Kind<PaymentType> {
    text(any_text, |given, field| {
        let known = PAYMENT_TYPES.into_iter().find(|kind| kind.as_str() == given);
        if known.is_none() {
            field.error("Deve ser credit, pix ou boleto.");
        }
        known
    })
}

/// An amount that a sale can have.
fn cents(invalid: &'static str) -> Kind<Cents> {
    given::<i64, i64>().then(move |cents| Cents::checked_amount(cents).map_err(|_| invalid))
}

fn installments() -> Kind<u8> {
    let max = PaymentType::INSTALLMENTS_MAX;
    given::<u8, u8>()
        .described(move |schema| schema.minimum(Some(1)).maximum(Some(u32::from(max))))
        .then(move |count| {
            if (1..=max).contains(&count) {
                Ok(count)
            } else {
                Err(INSTALLMENTS_INVALID)
            }
        })
}

fn token(text: &str) -> Result<CardToken, &'static str> {
    let is_token = (1..=TOKEN_CHARACTERS_MAX).contains(&text.len())
        && text.chars().all(|character| character.is_ascii_graphic());
    if is_token {
        Ok(CardToken(text.to_owned()))
    } else {
        Err("Informe o cartão.")
    }
}

fn brand(text: &str) -> Result<CardBrand, &'static str> {
    CardBrand::parse(text).map_err(|_| "Informe a bandeira do cartão.")
}

fn last_four(text: &str) -> Result<String, &'static str> {
    if text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(text.to_owned())
    } else {
        Err("Deve ter os 4 últimos dígitos do cartão.")
    }
}

fn email(text: &str) -> Result<String, &'static str> {
    let email = normalize_email(text);
    email_error(&email).map_or(Ok(email), Err)
}

fn document(text: &str) -> Result<Document, &'static str> {
    Document::parse(text).map_err(|error| match error {
        _ if text.trim().is_empty() => "Informe seu CPF ou CNPJ.",
        DocumentError::Length(_) => "Informe um CPF ou um CNPJ. Documentos de outros países não são aceitos.",
        DocumentError::Cpf(_) => "CPF inválido.",
        DocumentError::Cnpj(_) => "CNPJ inválido.",
    })
}

fn state(text: &str) -> Result<String, &'static str> {
    let state = text.trim().to_ascii_uppercase();
    match State::parse(&state) {
        Ok(_) => Ok(state),
        Err(_) => Err("Escolha o estado."),
    }
}

impl CheckoutForm for PlaceOrderForm {
    const FIELDS: &'static [(&'static str, Field)] = &[
        ("buyer", Field::Object),
        ("buyer.name", Field::FreeText),
        ("buyer.document", Field::NotSearched),
        ("buyer.email", Field::FreeText),
        ("buyer.phone", Field::NotSearched),
        ("buyer.address", Field::Object),
        ("buyer.address.postal_code", Field::NotSearched),
        ("buyer.address.street", Field::FreeText),
        ("buyer.address.number", Field::FreeText),
        ("buyer.address.complement", Field::FreeText),
        ("buyer.address.district", Field::FreeText),
        ("buyer.address.city", Field::FreeText),
        ("buyer.address.state", Field::FreeText),
        ("amount", Field::NotSearched),
        ("payment_type", Field::FreeText),
        ("total", Field::NotSearched),
        ("card", Field::Object),
        ("card.token", Field::Token),
        ("card.brand", Field::FreeText),
        ("card.last_four", Field::NotSearched),
        ("card.installments", Field::NotSearched),
    ];
}

impl CheckoutForm for AttemptForm {
    const FIELDS: &'static [(&'static str, Field)] = &[
        ("payment_type", Field::FreeText),
        ("total", Field::NotSearched),
        ("card", Field::Object),
        ("card.token", Field::Token),
        ("card.brand", Field::FreeText),
        ("card.last_four", Field::NotSearched),
        ("card.installments", Field::NotSearched),
        ("address", Field::Object),
        ("address.postal_code", Field::NotSearched),
        ("address.street", Field::FreeText),
        ("address.number", Field::FreeText),
        ("address.complement", Field::FreeText),
        ("address.district", Field::FreeText),
        ("address.city", Field::FreeText),
        ("address.state", Field::FreeText),
    ];
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::shared::form::FromBody;

    fn read(body: Value) -> Result<PlaceOrderForm> {
        PlaceOrderForm::from_body(body.as_object().cloned().expect("an object"))
    }

    fn errors(body: Value) -> Value {
        json!(read(body).err().expect("invalid").errors)
    }

    #[test]
    fn all_invalid_fields_are_reported_at_once() {
        assert_eq!(
            errors(json!({})),
            json!({
                "buyer.name": ["Informe seu nome."], "buyer.document": ["Informe seu CPF ou CNPJ."],
                "buyer.email": ["Email é requerido."], "buyer.phone": ["Informe o telefone com DDD."],
                "payment_type": ["Escolha a forma de pagamento."],
                "total": ["Informe o total que apareceu na página."],
            })
        );
        let body = json!({
            "buyer": { "name": "x".repeat(121), "document": "123.456.789-00", "email": "x", "phone": "98765-4321",
                       "address": { "postal_code": "1", "state": "XX" } },
            "amount": 0, "payment_type": "cheque", "total": -1,
        });
        assert_eq!(
            errors(body),
            json!({
                "amount": ["O valor deve ser de R$ 0,01 a R$ 99.999.999,99."],
                "buyer.name": ["O texto deve ter até 120 caracteres."], "buyer.document": ["CPF inválido."],
                "buyer.email": ["Email inválido."], "buyer.phone": ["Informe o telefone com DDD."],
                "buyer.address.postal_code": ["CEP inválido."], "buyer.address.state": ["Escolha o estado."],
                "buyer.address.street": ["Informe a rua."], "buyer.address.number": ["Informe o número."],
                "buyer.address.district": ["Informe o bairro."], "buyer.address.city": ["Informe a cidade."],
                "payment_type": ["Deve ser credit, pix ou boleto."],
                "total": ["Informe o total que apareceu na página."],
            })
        );
    }

    #[test]
    fn a_postal_code_of_another_state_is_refused() {
        let body = |state: &str| {
            json!({ "buyer": { "name": "Ana", "document": "529.982.247-25", "email": "ana@x.com", "phone": "1133334444",
                               "address": { "postal_code": "80010-000", "street": "Rua", "number": "1", "district": "Sé",
                                            "city": "Curitiba", "state": state } },
                    "payment_type": "boleto", "total": 100 })
        };
        assert_eq!(
            errors(body("SP")),
            json!({ "buyer.address.state": ["O CEP 80010-000 é de PR. Confira o CEP e o estado."] })
        );
        assert!(read(body("PR")).is_ok());
    }

    #[test]
    fn a_phone_may_have_the_country_code_and_a_passport_is_refused() {
        let ana = |document: &str, phone: &str| {
            json!({ "buyer": { "name": "Ana", "document": document, "email": "ana@x.com", "phone": phone },
                    "payment_type": "pix", "total": 100 })
        };
        for phone in ["(11) 98765-4321", "+55 11 98765-4321", "1133334444"] {
            assert!(read(ana("529.982.247-25", phone)).is_ok(), "{phone}");
        }
        for (refused, message) in [
            (
                "+1 415 555 2671",
                "Informe um telefone do Brasil. Números de outros países não são aceitos.",
            ),
            (
                "(55) 11987-6543",
                "Telefone inválido. Confira os números depois do DDD.",
            ),
            (
                "0800 123 4567",
                "Informe um celular ou telefone fixo com DDD, e não um 0800.",
            ),
        ] {
            let found = errors(ana("529.982.247-25", refused));
            assert_eq!(found, json!({ "buyer.phone": [message] }), "{refused}");
        }
        assert_eq!(
            errors(ana("AB123456", "11987654321")),
            json!({ "buyer.document": ["Informe um CPF ou um CNPJ. Documentos de outros países não são aceitos."] })
        );
    }
}
