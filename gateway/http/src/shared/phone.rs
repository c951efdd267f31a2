//! Reads the telephone numbers of forms. Each fault has one text, which the panels and the checkout show too.

use gateway_formats::phones::{Phone, PhoneError};

/// The digits of a person's number. The error is shown to the user.
pub fn geographic(text: &str) -> Result<String, &'static str> {
    digits(Phone::parse_geographic(text))
}

/// The digits of a company's number, which may be an 0800. The error is shown to the user.
pub fn of_company(text: &str) -> Result<String, &'static str> {
    digits(Phone::parse(text))
}

fn digits(phone: Result<Phone, PhoneError>) -> Result<String, &'static str> {
    phone.map(Phone::into_digits).map_err(|error| match error {
        PhoneError::Foreign => "Informe um telefone do Brasil. Números de outros países não são aceitos.",
        PhoneError::Incomplete => "Informe o telefone com DDD.",
        PhoneError::AreaCode => "Este DDD não existe. Confira os dois primeiros números.",
        PhoneError::Number => "Telefone inválido. Confira os números depois do DDD.",
        PhoneError::NonGeographic => "Informe um celular ou telefone fixo com DDD, e não um 0800.",
    })
}
