//! Texts of a PIX code, each with its allowed characters and its greatest length.

use thiserror::Error;

use crate::plain_text::ascii_letters;
use crate::text_types::checked_text;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PixTextError {
    #[error("the text is empty")]
    Empty,
    #[error("the text has more than {max} characters")]
    TooLong { max: usize },
    #[error("the text has characters that are not allowed")]
    Character,
    #[error("the address needs a host and a path, without https://")]
    Address,
}

/// The beneficiary's name, in printable ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantName(String);

/// The beneficiary's city, in printable ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantCity(String);

/// The address of a dynamic code, without `https://`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PixUrl(String);

/// The reference of a payment: up to 25 characters in a static code, up to 35 in a dynamic one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Txid(String);

impl MerchantName {
    pub const CHARACTERS_MAX: usize = 25;

    /// Converts any name to upper-case ASCII and cuts it. Fails if nothing is left.
    pub fn normalize(text: &str) -> Result<Self, PixTextError> {
        normalize(text, Self::CHARACTERS_MAX).map(Self)
    }
}

impl MerchantCity {
    pub const CHARACTERS_MAX: usize = 15;

    /// Converts any city to upper-case ASCII and cuts it. Fails if nothing is left.
    pub fn normalize(text: &str) -> Result<Self, PixTextError> {
        normalize(text, Self::CHARACTERS_MAX).map(Self)
    }
}

impl PixUrl {
    pub const CHARACTERS_MAX: usize = 77;

    pub fn parse(text: &str) -> Result<Self, PixTextError> {
        if text.is_empty() {
            return Err(PixTextError::Empty);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(PixTextError::Character);
        }
        if text.len() > Self::CHARACTERS_MAX {
            return Err(PixTextError::TooLong {
                max: Self::CHARACTERS_MAX,
            });
        }
        // A scheme ends with a colon, so its host part would be "https:".
        match text.split_once('/') {
            Some((host, path)) if is_host(host) && !path.is_empty() => Ok(Self(text.to_owned())),
            _ => Err(PixTextError::Address),
        }
    }
}

impl Txid {
    /// The longest reference of a static code.
    pub const STATIC_MAX: usize = 25;
    pub const CHARACTERS_MAX: usize = 35;

    pub fn parse(text: &str) -> Result<Self, PixTextError> {
        if text.is_empty() {
            return Err(PixTextError::Empty);
        }
        if text.len() > Self::CHARACTERS_MAX {
            return Err(PixTextError::TooLong {
                max: Self::CHARACTERS_MAX,
            });
        }
        if !text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(PixTextError::Character);
        }
        Ok(Self(text.to_owned()))
    }
}

checked_text!(MerchantName, MerchantCity, PixUrl, Txid);

/// Writes letters in ASCII, replaces other characters that are not ASCII by spaces, joins spaces, and cuts the text.
fn normalize(text: &str, max: usize) -> Result<String, PixTextError> {
    let ascii: String = ascii_letters(text)
        .chars()
        .map(|character| match character {
            ' '..='~' => character.to_ascii_uppercase(),
            _ => ' ',
        })
        .collect();
    let words = ascii.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = words.get(..max).unwrap_or(&words).trim_end();
    if cut.is_empty() {
        return Err(PixTextError::Empty);
    }
    Ok(cut.to_owned())
}

fn is_host(host: &str) -> bool {
    host.contains('.')
        && !host.starts_with('.')
        && !host.ends_with('.')
        && host
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
}
