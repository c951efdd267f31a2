//! The short texts in addresses: the code of a payment link and the reference of an order.
//!
//! The randomness comes from outside.

use thiserror::Error;

use crate::text_types::checked_text;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ShortCodeError {
    #[error("a code has {expected} characters")]
    Length { expected: usize },
    #[error("the code has a character that no code has")]
    Character,
}

/// The code of a payment link: 12 upper-case hexadecimal digits, like the last 12 of a random UUID.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LinkCode(String);

impl LinkCode {
    pub const LENGTH: usize = 12;

    pub fn from_random(random: [u8; 6]) -> Self {
        Self(random.iter().map(|byte| format!("{byte:02X}")).collect())
    }

    /// Lower case is accepted, because addresses are typed and shared in both.
    pub fn parse(text: &str) -> Result<Self, ShortCodeError> {
        parse(text, Self::LENGTH, |byte| byte.is_ascii_hexdigit()).map(Self)
    }
}

/// The reference of an order: 10 characters of `ALPHABET`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OrderReference(String);

impl OrderReference {
    pub const LENGTH: usize = 10;
    /// Crockford's base 32: no I, L, O and U. A power of two, so that each character is equally likely.
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    pub fn from_random(random: [u8; Self::LENGTH]) -> Self {
        let characters = random.map(|byte| Self::ALPHABET[usize::from(byte % 32)]);
        Self(characters.map(char::from).iter().collect())
    }

    /// Lower case is accepted.
    pub fn parse(text: &str) -> Result<Self, ShortCodeError> {
        parse(text, Self::LENGTH, |byte| Self::ALPHABET.contains(&byte)).map(Self)
    }
}

fn parse(text: &str, expected: usize, allowed: impl Fn(u8) -> bool) -> Result<String, ShortCodeError> {
    if text.chars().count() != expected {
        return Err(ShortCodeError::Length { expected });
    }
    let upper = text.to_ascii_uppercase();
    if upper.bytes().all(allowed) {
        Ok(upper)
    } else {
        Err(ShortCodeError::Character)
    }
}

checked_text!(LinkCode, OrderReference);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::pix::Txid;

    #[test]
    fn the_random_bytes_decide_the_code() {
        assert_eq!(
            LinkCode::from_random([0, 1, 0xAB, 0xFF, 16, 9]).as_str(),
            "0001ABFF1009"
        );
        let reference = OrderReference::from_random([0, 9, 10, 31, 32, 41, 63, 18, 20, 255]);
        assert_eq!(reference.as_str(), "09AZ09ZJMZ");
    }

    #[test]
    fn each_character_of_a_reference_is_equally_likely() {
        let first: Vec<_> = (0..=255)
            .map(|byte| OrderReference::from_random([byte; 10]).as_str().as_bytes()[0])
            .collect();
        let different: BTreeSet<_> = first.iter().collect();
        assert_eq!(different.len(), 32);
        for character in different {
            assert_eq!(first.iter().filter(|other| *other == character).count(), 8);
        }
    }

    #[test]
    fn only_codes_are_read() {
        assert_eq!(
            LinkCode::parse("0001abff1009").expect("a code").as_str(),
            "0001ABFF1009"
        );
        for text in ["", "0001ABFF100", "0001ABFF10090", "0001ABFF100é0"] {
            assert_eq!(
                LinkCode::parse(text),
                Err(ShortCodeError::Length { expected: 12 }),
                "{text}"
            );
        }
        for text in ["0001ABFF100G", "0001ABFF 009", "0001ABFF100é"] {
            assert_eq!(LinkCode::parse(text), Err(ShortCodeError::Character), "{text}");
        }
        for text in ["I9AZ09ZJMZ", "O9AZ09ZJMZ", "09AZ09ZJM-"] {
            assert_eq!(
                OrderReference::parse(text),
                Err(ShortCodeError::Character),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_code_reads_as_itself(link: [u8; 6], reference: [u8; 10]) {
            let link = LinkCode::from_random(link);
            prop_assert_eq!(LinkCode::parse(&link.to_string().to_lowercase()), Ok(link));
            let reference = OrderReference::from_random(reference);
            prop_assert_eq!(OrderReference::parse(reference.as_str()), Ok(reference.clone()));
            // Acquirers get it as the reference of a PIX code.
            prop_assert!(Txid::parse(reference.as_str()).is_ok());
        }
    }
}
