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

/// The first and last prefix of each range of a brand, of equal length. Elo and Hipercard issue numbers inside the ranges
/// of Visa, Discover and Diners, so the order decides. Any other number is a Visa's.
const BRANDS: &[(&str, &[(&str, &str)])] = &[
    (
        "elo",
        &[
            ("401178", "401179"),
            ("431274", "431274"),
            ("438935", "438935"),
            ("451416", "451416"),
            ("457393", "457393"),
            ("457631", "457632"),
            ("504175", "504175"),
            ("506699", "506778"),
            ("509000", "509999"),
            ("627780", "627780"),
            ("636297", "636297"),
            ("636368", "636368"),
            ("650031", "650033"),
            ("650035", "650051"),
            ("650405", "650439"),
            ("650485", "650538"),
            ("650541", "650598"),
            ("650700", "650718"),
            ("650720", "650727"),
            ("650901", "650978"),
            ("651652", "651679"),
            ("655000", "655019"),
            ("655021", "655058"),
        ],
    ),
    ("hipercard", &[("606282", "606282"), ("3841", "3841")]),
    (
        "hiper",
        &[
            ("637095", "637095"),
            ("637568", "637568"),
            ("637599", "637599"),
            ("637609", "637609"),
            ("637612", "637612"),
        ],
    ),
    ("amex", &[("34", "34"), ("37", "37")]),
    ("mastercard", &[("51", "55"), ("2221", "2720")]),
    ("discover", &[("6011", "6011"), ("644", "649"), ("65", "65")]),
    ("diners", &[("300", "305"), ("36", "36"), ("38", "39")]),
    ("jcb", &[("1800", "1800"), ("2131", "2131"), ("3528", "3589")]),
];

fn brand_of(number: &str) -> &'static str {
    let is_in = |(first, last): &(&str, &str)| {
        number
            .get(..first.len())
            .is_some_and(|prefix| (*first..=*last).contains(&prefix))
    };
    BRANDS
        .iter()
        .find(|(_, ranges)| ranges.iter().any(is_in))
        .map_or("visa", |(brand, _)| brand)
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
    fn a_number_has_the_brand_of_its_range() {
        for (number, brand) in [
            ("4242424242424242", "visa"),
            ("4011780000000000", "elo"),
            ("5067310000000010", "elo"),
            ("5555555555554444", "mastercard"),
            ("6500310000000000", "elo"),
            ("6510000000000000", "discover"),
            ("3841000000000000", "hipercard"),
            ("38000000000006", "diners"),
            ("340000000000009", "amex"),
        ] {
            assert_eq!(brand_of(number), brand, "{number}");
        }
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
