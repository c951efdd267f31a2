//! Card tokens: a browser turns a test card into one. A token names the card's brand and its last four digits, so no
//! table of tokens is needed.

use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ledger_domain::sale::CardBrand;
use uuid::Uuid;

/// The fields of a card, without the form of any contract.
pub struct CardFields<'a> {
    pub number: &'a str,
    pub holder: &'a str,
    pub month: &'a str,
    pub year: &'a str,
    pub security_code: &'a str,
}

/// A new token, or the name of the first wrong field.
pub fn new_token(card: &CardFields<'_>) -> Result<String, &'static str> {
    let number: String = card.number.chars().filter(|digit| *digit != ' ').collect();
    if !(13..=19).contains(&number.len()) || !has_check_digit(&number) {
        return Err("number");
    }
    if card.holder.trim().is_empty() {
        return Err("holder");
    }
    if !card
        .month
        .parse()
        .is_ok_and(|month: u8| (1..=12).contains(&month))
    {
        return Err("month");
    }
    if !matches!(card.year.len(), 2 | 4) || card.year.parse::<u16>().is_err() {
        return Err("year");
    }
    if !matches!(card.security_code.len(), 3 | 4) || card.security_code.parse::<u16>().is_err() {
        return Err("security_code");
    }
    let last_four = &number[number.len() - 4..];
    let random = Uuid::new_v4().simple();
    Ok(format!("tok_{}_{last_four}_{random}", brand_of(&number)))
}

/// The brand and the last four digits of a token's card.
pub fn card_of(token: &str) -> Option<(CardBrand, String)> {
    let mut parts = token.strip_prefix("tok_")?.split('_');
    let brand = CardBrand::parse(parts.next()?).ok()?;
    let last_four = parts.next()?;
    let is_valid = last_four.len() == 4 && last_four.bytes().all(|byte| byte.is_ascii_digit());
    is_valid.then(|| (brand, last_four.to_owned()))
}

fn brand_of(number: &str) -> &'static str {
    match number.as_bytes() {
        [b'6', b'0', b'6', b'2', b'8', b'2', ..] => "hipercard",
        [b'5', b'0', ..] | [b'6', b'3' | b'5', ..] => "elo",
        [b'3', b'4' | b'7', ..] => "amex",
        [b'5', ..] | [b'2', ..] => "mastercard",
        _ => "visa",
    }
}

/// The check digit of card numbers (ISO/IEC 7812, Luhn).
fn has_check_digit(number: &str) -> bool {
    let mut sum = 0;
    for (place, digit) in number.chars().rev().enumerate() {
        let Some(digit) = digit.to_digit(10) else {
            return false;
        };
        let doubled = if place % 2 == 1 { digit * 2 } else { digit };
        sum += doubled / 10 + doubled % 10;
    }
    sum % 10 == 0
}

/// Lets every site call a token endpoint, and answers the browser's preflight request.
pub async fn allow_all_origins(request: Request, next: Next) -> Response {
    let mut response = if request.method() == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(
        ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static("content-type"),
    );
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(number: &str) -> CardFields<'_> {
        CardFields {
            number,
            holder: "ANA LIMA",
            month: "12",
            year: "30",
            security_code: "123",
        }
    }

    #[test]
    fn a_token_names_its_card_and_never_its_number() {
        let token = new_token(&card("4242 4242 4242 4242")).expect("a valid card");
        assert_eq!(card_of(&token), Some((CardBrand::Visa, "4242".to_owned())));
        assert!(!token.contains("42424242"));
        assert_eq!(card_of("tok_visa_42x2_1"), None);
        assert_eq!(card_of("4242424242424242"), None);
    }

    #[test]
    fn a_wrong_field_is_named() {
        let valid = || card("4242424242424242");
        for (wrong, field) in [
            (card("4242424242424241"), "number"),
            (
                CardFields {
                    holder: " ",
                    ..valid()
                },
                "holder",
            ),
            (
                CardFields {
                    month: "13",
                    ..valid()
                },
                "month",
            ),
            (
                CardFields {
                    year: "030",
                    ..valid()
                },
                "year",
            ),
            (
                CardFields {
                    security_code: "12",
                    ..valid()
                },
                "security_code",
            ),
        ] {
            assert_eq!(new_token(&wrong), Err(field));
        }
    }
}
