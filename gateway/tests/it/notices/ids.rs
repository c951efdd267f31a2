//! Random ids, documents and phone numbers. One random number in ten has a card number's check digit, so the filter for
//! card numbers can mistake an id for a card. It must never reject or change an id.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::acquirer::{app_and_company, capture, json_of};

const NOTICES: usize = 10_000;
const NOTICES_PER_ARRAY: usize = 1_000;

fn digits(random: &mut StdRng, length: usize) -> String {
    (0..length)
        .map(|_| char::from(b'0' + random.random_range(0..10_u8)))
        .collect()
}

/// A number that looks like a card number: 13 to 19 digits that start with 2 to 6, with a valid check digit.
fn card_like_number(random: &mut StdRng) -> String {
    let length = random.random_range(13..=19);
    let first = random.random_range(2..=6_u8);
    let number = format!("{first}{}", digits(random, length - 2));
    let sum: u32 = number
        .bytes()
        .rev()
        .enumerate()
        .map(|(index, byte)| {
            let digit = u32::from(byte - b'0');
            match index % 2 {
                0 => digit * 2 / 10 + digit * 2 % 10,
                _ => digit,
            }
        })
        .sum();
    format!("{number}{}", (10 - sum % 10) % 10)
}

fn id(random: &mut StdRng) -> String {
    let uuid = Uuid::from_u128(random.random());
    match random.random_range(0..8) {
        0 => card_like_number(random),
        1 => format!("sbx-{}", uuid.simple()),
        2 => uuid.to_string(),
        3 => format!("{:024X}", random.random::<u128>() >> 32),
        4 => format!("nsu-{}", card_like_number(random)),
        5 => {
            let number = card_like_number(random);
            format!("{}-{}", &number[..4], &number[4..])
        }
        6 => {
            let length = random.random_range(6..=30);
            digits(random, length)
        }
        _ => format!("{}/{}", digits(random, 13), random.random_range(0..100)),
    }
}

/// A person's or a company's document, with and without its mask. A company's may contain letters since 2026.
fn document(random: &mut StdRng) -> String {
    match random.random_range(0..4) {
        0 => digits(random, 11),
        1 => {
            let cnpj = card_like_number(random);
            format!("{cnpj:0>14}")[..14].to_owned()
        }
        2 => {
            let cnpj = digits(random, 14);
            format!(
                "{}.{}.{}/{}-{}",
                &cnpj[..2],
                &cnpj[2..5],
                &cnpj[5..8],
                &cnpj[8..12],
                &cnpj[12..]
            )
        }
        _ => format!("{:012X}{}", random.random::<u64>() >> 16, digits(random, 2)),
    }
}

fn phone(random: &mut StdRng) -> String {
    let number = digits(random, 9);
    match random.random_range(0..4) {
        0 => format!("5511{number}"),
        1 => format!("+55 11 {}-{}", &number[..5], &number[5..]),
        2 => format!("(11) {}-{}", &number[..5], &number[5..]),
        _ => format!("0055{}", digits(random, 11)),
    }
}

#[tokio::test]
async fn ten_thousand_random_ids_documents_and_phones_are_accepted() {
    let (app, company) = app_and_company().await;
    let mut random = StdRng::seed_from_u64(9);
    let mut external_ids = BTreeSet::new();
    let notices: Vec<Value> = (0..NOTICES)
        .map(|number| {
            // The id contains the sale's number, so that every sale has a different id.
            let external_id = format!("{}.{number}", id(&mut random));
            let mut notice = json_of(&capture(&company, &external_id));
            notice["id"] = json!(format!("{}.{number}", id(&mut random)));
            notice["data"]["authorization_code"] = json!(card_like_number(&mut random));
            notice["data"]["nsu"] = json!(card_like_number(&mut random));
            notice["data"]["tid"] = json!(id(&mut random));
            notice["data"]["buyer"] = json!({
                "id": card_like_number(&mut random), "document": document(&mut random), "phone": phone(&mut random),
            });
            external_ids.insert(external_id);
            notice
        })
        .collect();
    for array in notices.chunks(NOTICES_PER_ARRAY) {
        let answer = app.send_json(&json!(array)).await;
        assert_eq!(answer.status, 200);
        let results = answer.at("/results").as_array().expect("results").clone();
        assert_eq!(results.len(), NOTICES_PER_ARRAY);
        let other: Vec<_> = results
            .iter()
            .filter(|result| result["result"] != "recorded")
            .collect();
        assert!(other.is_empty(), "{other:?}");
    }
    let client = app.app.state.pool.get().await.expect("a connection");
    let sql =
        "SELECT payload->'SaleCaptured'->'sale'->>'external_id' FROM event WHERE event_type = 'SaleCaptured'";
    let rows = client.query(sql, &[]).await.expect("the log");
    let recorded: BTreeSet<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(recorded, external_ids, "each id unchanged");
}
