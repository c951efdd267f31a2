//! Reads the forms of the checkout. All invalid fields are reported at once.

use gateway_acquirers::charge::{Buyer, BuyerAddress, CardToken};
use gateway_identity::email_address::{email_error, normalize_email};
use gateway_platform::links::PAYMENT_TYPES;
use gateway_platform::orders::NewCard;
use ledger_domain::Cents;
use ledger_domain::documents::{Cep, Document, DocumentError, State};
use ledger_domain::sale::{CardBrand, PaymentType};

use super::forms::{AttemptForm, BuyerAddressForm, BuyerForm, CardForm, PlaceOrderForm};
use crate::edge::FormErrors;
use crate::problem::Result;
use crate::shared::body_fields::optional_text;

/// The payment type, total and card that a buyer chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub payment_type: PaymentType,
    /// The total that the buyer saw.
    pub total: Cents,
    /// Credit only.
    pub card: Option<NewCard>,
}

/// A buyer's order, checked as far as possible without the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRequest {
    pub buyer: Buyer,
    pub amount: Option<Cents>,
    pub choice: Choice,
}

pub struct AttemptRequest {
    pub choice: Choice,
    pub address: Option<BuyerAddress>,
}

impl PlaceOrderForm {
    pub fn read(self) -> Result<OrderRequest> {
        let mut errors = FormErrors::default();
        let choice = choice(&mut errors, self.payment_type, self.total, self.card);
        let needs_address = choice.payment_type == PaymentType::Boleto;
        let buyer = buyer(&mut errors, self.buyer.unwrap_or_default(), needs_address);
        let amount = self.amount.map(|cents| {
            let amount = Cents::checked_amount(cents);
            amount.unwrap_or_else(|_| {
                errors.add("amount", "O valor deve ser de R$ 0,01 a R$ 99.999.999,99.");
                Cents::ZERO
            })
        });
        errors.finish()?;
        // `buyer` is `None` only after it has added an error.
        let buyer = buyer.ok_or_else(|| crate::Problem::internal("a buyer without an error is missing"))?;
        Ok(OrderRequest {
            buyer,
            amount,
            choice,
        })
    }
}

impl AttemptForm {
    pub fn read(self, has_address: bool) -> Result<AttemptRequest> {
        let mut errors = FormErrors::default();
        let choice = choice(&mut errors, self.payment_type, self.total, self.card);
        let address = match self.address {
            Some(form) => Some(address(&mut errors, "address", form)),
            None if choice.payment_type == PaymentType::Boleto && !has_address => {
                errors.add("address", ADDRESS_MISSING);
                None
            }
            None => None,
        };
        errors.finish()?;
        Ok(AttemptRequest { choice, address })
    }
}

const ADDRESS_MISSING: &str = "O boleto precisa do seu endereço.";

/// If this adds an error, the choice must not be used.
fn choice(
    errors: &mut FormErrors,
    payment_type: Option<String>,
    total: Option<i64>,
    card_form: Option<CardForm>,
) -> Choice {
    let word = payment_type.unwrap_or_default();
    let known = PAYMENT_TYPES.into_iter().find(|kind| kind.as_str() == word);
    if word.is_empty() {
        errors.add("payment_type", "Escolha a forma de pagamento.");
    } else if known.is_none() {
        errors.add("payment_type", "Deve ser credit, pix ou boleto.");
    }
    let total = total.and_then(|cents| Cents::checked_amount(cents).ok());
    if total.is_none() {
        errors.add("total", "Informe o total que apareceu na página.");
    }
    let payment_type = known.unwrap_or(PaymentType::Pix);
    let card = match (payment_type, card_form) {
        (PaymentType::Credit, given) => card(errors, given.unwrap_or_default()),
        (_, Some(_)) => {
            errors.add("card", "Só o pagamento com cartão tem cartão.");
            None
        }
        (_, None) => None,
    };
    Choice {
        payment_type,
        total: total.unwrap_or(Cents::ZERO),
        card,
    }
}

/// The limit of the column `order_attempt.card_token`.
const TOKEN_CHARACTERS_MAX: usize = 500;

fn card(errors: &mut FormErrors, form: CardForm) -> Option<NewCard> {
    let token = form.token.unwrap_or_default();
    let is_token = (1..=TOKEN_CHARACTERS_MAX).contains(&token.len())
        && token.chars().all(|character| character.is_ascii_graphic());
    if !is_token {
        errors.add("card.token", "Informe o cartão.");
    }
    let brand = form
        .brand
        .as_deref()
        .and_then(|brand| CardBrand::parse(brand).ok());
    if brand.is_none() {
        errors.add("card.brand", "Informe a bandeira do cartão.");
    }
    let last_four = form.last_four.unwrap_or_default();
    if last_four.len() != 4 || !last_four.bytes().all(|byte| byte.is_ascii_digit()) {
        errors.add("card.last_four", "Deve ter os 4 últimos dígitos do cartão.");
    }
    let installments = form.installments.unwrap_or_default();
    if !(1..=PaymentType::INSTALLMENTS_MAX).contains(&installments) {
        errors.add("card.installments", "Escolha o número de parcelas.");
    }
    Some(NewCard {
        token: CardToken(token),
        brand: brand?,
        last_four,
        installments,
    })
}

fn buyer(errors: &mut FormErrors, form: BuyerForm, needs_address: bool) -> Option<Buyer> {
    let name = required(errors, "buyer.name", form.name, 120, "Informe seu nome.");
    let document = document(errors, form.document.as_deref().unwrap_or_default());
    let email = normalize_email(form.email.as_deref().unwrap_or_default());
    if let Some(message) = email_error(&email) {
        errors.add("buyer.email", message);
    }
    let phone = phone(errors, form.phone.as_deref().unwrap_or_default());
    let address = match form.address {
        Some(form) => Some(address(errors, "buyer.address", form)),
        None if needs_address => {
            errors.add("buyer.address", ADDRESS_MISSING);
            None
        }
        None => None,
    };
    Some(Buyer {
        name,
        document: document?,
        email,
        phone,
        address,
    })
}

fn document(errors: &mut FormErrors, text: &str) -> Option<Document> {
    let message = match Document::parse(text) {
        Ok(document) => return Some(document),
        Err(_) if text.trim().is_empty() => "Informe seu CPF ou CNPJ.",
        Err(DocumentError::Length(_)) => {
            "Informe um CPF ou um CNPJ. Documentos de outros países não são aceitos."
        }
        Err(DocumentError::Cpf(_)) => "CPF inválido.",
        Err(DocumentError::Cnpj(_)) => "CNPJ inválido.",
    };
    errors.add("buyer.document", message);
    None
}

fn phone(errors: &mut FormErrors, text: &str) -> String {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    // Browsers fill in the number with the country's code 55. Shorter numbers that begin with 55 have that area code.
    let digits = match digits.strip_prefix("55") {
        Some(rest) if (12..=13).contains(&digits.len()) => rest.to_owned(),
        _ => digits,
    };
    let has_phone_characters = text
        .chars()
        .all(|character| character.is_ascii_digit() || " ()+-.".contains(character));
    if !has_phone_characters || !(10..=11).contains(&digits.len()) || digits.starts_with('0') {
        errors.add("buyer.phone", "Informe o telefone com DDD.");
    }
    digits
}

fn address(errors: &mut FormErrors, path: &str, form: BuyerAddressForm) -> BuyerAddress {
    let field = |name: &str| format!("{path}.{name}");
    let cep = Cep::parse(form.postal_code.as_deref().unwrap_or_default()).ok();
    if cep.is_none() {
        errors.add(&field("postal_code"), "CEP inválido.");
    }
    let state = form.state.unwrap_or_default().trim().to_ascii_uppercase();
    if State::parse(&state).is_err() {
        errors.add(&field("state"), "Escolha o estado.");
    }
    BuyerAddress {
        postal_code: cep.map(|cep| cep.unmasked().to_owned()).unwrap_or_default(),
        street: required(errors, &field("street"), form.street, 120, "Informe a rua."),
        number: required(errors, &field("number"), form.number, 20, "Informe o número."),
        complement: optional_text(errors, &field("complement"), form.complement, 60),
        district: required(errors, &field("district"), form.district, 80, "Informe o bairro."),
        city: required(errors, &field("city"), form.city, 80, "Informe a cidade."),
        state,
    }
}

/// A text of one line that must not be empty.
fn required(
    errors: &mut FormErrors,
    field: &str,
    given: Option<String>,
    characters_max: usize,
    missing: &str,
) -> String {
    let text = optional_text(errors, field, given, characters_max);
    if text.is_none() {
        errors.add(field, missing);
    }
    text.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn errors(body: Value) -> Value {
        let form: PlaceOrderForm = serde_json::from_value(body).expect("a form");
        let problem = form.read().expect_err("invalid");
        json!(problem.errors)
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
    fn a_phone_may_have_the_country_code_and_a_passport_is_refused() {
        let ana = |document: &str, phone: &str| {
            json!({ "buyer": { "name": "Ana", "document": document, "email": "ana@x.com", "phone": phone },
                    "payment_type": "pix", "total": 100 })
        };
        for phone in ["(11) 98765-4321", "+55 11 98765-4321", "1133334444"] {
            let form: PlaceOrderForm = serde_json::from_value(ana("529.982.247-25", phone)).expect("a form");
            assert!(form.read().is_ok(), "{phone}");
        }
        assert_eq!(
            errors(ana("AB123456", "11987654321")),
            json!({ "buyer.document": ["Informe um CPF ou um CNPJ. Documentos de outros países não são aceitos."] })
        );
    }
}
