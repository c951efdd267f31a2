//! PIX keys: texts that stand for an account.

use ledger_domain::documents::{Cnpj, CnpjError, Cpf, CpfError};
use thiserror::Error;

/// A key in the form in which the directory of the Central Bank (DICT) stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PixKey {
    Cpf(Cpf),
    Cnpj(Cnpj),
    /// `+55`, area code and nine digits.
    Phone(String),
    /// In lower case.
    Email(String),
    /// A UUID in lower case. The Central Bank's own example is not of version 4, so the version is not checked.
    Random(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PixKeyError {
    #[error(transparent)]
    Cpf(#[from] CpfError),
    #[error(transparent)]
    Cnpj(#[from] CnpjError),
    #[error("a phone is +55, an area code and nine digits")]
    Phone,
    #[error(
        "an e-mail has a name, an @ and a domain, and at most {} characters",
        PixKey::EMAIL_MAX
    )]
    Email,
    #[error("a random key is a UUID in lower case")]
    Random,
    #[error("the text is no CPF, CNPJ, phone, e-mail or UUID")]
    Unknown,
}

impl PixKey {
    pub const EMAIL_MAX: usize = 77;

    /// Reads a key that a person typed: masks of documents and upper case of e-mails are accepted.
    pub fn parse(text: &str) -> Result<Self, PixKeyError> {
        let text = text.trim();
        // An e-mail may begin with a plus too.
        if text.contains('@') {
            return parse_email(text).ok_or(PixKeyError::Email);
        }
        if text.starts_with('+') {
            return parse_phone(text).ok_or(PixKeyError::Phone);
        }
        if text.len() == UUID_LENGTH {
            return parse_uuid(text).ok_or(PixKeyError::Random);
        }
        let bare = text
            .bytes()
            .filter(|byte| !matches!(byte, b'.' | b'/' | b'-' | b' '));
        match bare.count() {
            11 => Ok(Self::Cpf(Cpf::parse(text)?)),
            14 => Ok(Self::Cnpj(Cnpj::parse(text)?)),
            _ => Err(PixKeyError::Unknown),
        }
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::Cpf(cpf) => cpf.unmasked(),
            Self::Cnpj(cnpj) => cnpj.unmasked(),
            Self::Phone(text) | Self::Email(text) | Self::Random(text) => text,
        }
    }
}

fn parse_phone(text: &str) -> Option<PixKey> {
    let national = text.strip_prefix("+55")?.as_bytes();
    let digits = national.iter().all(u8::is_ascii_digit);
    // No area code has a zero (Anatel, Resolução 749/2022).
    let area = national.len() == 11 && !national[..2].contains(&b'0');
    (digits && area).then(|| PixKey::Phone(text.to_owned()))
}

fn parse_email(text: &str) -> Option<PixKey> {
    let lower = text.to_ascii_lowercase();
    let (name, domain) = lower.split_once('@')?;
    let of_name = |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let valid = lower.len() <= PixKey::EMAIL_MAX
        && !name.is_empty()
        && name.bytes().all(of_name)
        && domain.contains('.')
        && domain.split('.').all(label);
    valid.then_some(PixKey::Email(lower))
}

const UUID_LENGTH: usize = 36;

fn parse_uuid(text: &str) -> Option<PixKey> {
    let valid = text.bytes().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
    });
    valid.then(|| PixKey::Random(text.to_owned()))
}
