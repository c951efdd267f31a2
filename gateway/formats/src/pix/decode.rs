//! Reads the PIX code of another issuer. What is checked is what protects the buyer's money: the structure, the
//! checksum, that the code pays through PIX, and a stated amount. The rules for writing (lengths of names, characters of
//! references, the forms of keys) bind the writer alone: banks' applications read codes that break them, the Central
//! Bank's own examples among them.

use ledger_domain::Cents;

use super::PixCodeError;
use super::checksum::crc16;
use super::code::{CHECKSUM_HEADER, FORMAT, REAL, SYSTEM, field};
use super::tlv::{Fields, Lengths};

/// What a code of another issuer says that matters to who shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedPixCode {
    pub target: ReceivedTarget,
    /// `None`: the payer states the amount, or the address of a dynamic code answers with it.
    pub amount: Option<Cents>,
}

/// Whom a code pays, in the issuer's writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReceivedTarget {
    /// A static code: it pays to this key.
    Key(String),
    /// A dynamic code: the charge is at this address, which is never opened here.
    Url(String),
}

impl ReceivedPixCode {
    /// The width of the columns that keep codes. EMVCo allows 512 characters, and some issuers write more.
    pub const CHARACTERS_MAX: usize = 1_000;

    /// Reads a code: first its checksum, then its fields in any order. Unknown fields are allowed, as EMVCo requires.
    pub fn read(text: &str) -> Result<Self, PixCodeError> {
        let covered = checked(text)?;
        // Lengths count characters. Some writers count the bytes of UTF-8, which differ only for letters outside ASCII.
        match Self::read_fields(covered, Lengths::Characters) {
            Err(_) if !covered.is_ascii() => Self::read_fields(covered, Lengths::Bytes),
            read => read,
        }
    }

    fn read_fields(covered: &str, lengths: Lengths) -> Result<Self, PixCodeError> {
        let fields = Fields::parse(covered, lengths)?;
        expect(&fields, field::FORMAT, FORMAT)?;
        let target = target(&fields)?;
        let amount = fields.only(field::AMOUNT)?.map(amount).transpose()?.flatten();
        // An amount in another currency is not the order's.
        if amount.is_some() && fields.only(field::CURRENCY)?.is_some() {
            expect(&fields, field::CURRENCY, REAL)?;
        }
        Ok(Self { target, amount })
    }
}

/// The code without its last field, after that field's checksum has proved it.
fn checked(text: &str) -> Result<&str, PixCodeError> {
    if let Some(at) = text.chars().position(char::is_control) {
        return Err(PixCodeError::Character { at: at + 1 });
    }
    let found = text.chars().count();
    if found > ReceivedPixCode::CHARACTERS_MAX {
        return Err(PixCodeError::TooLong {
            found,
            max: ReceivedPixCode::CHARACTERS_MAX,
        });
    }
    let (covered, written) = text
        .len()
        .checked_sub(4)
        .and_then(|at| text.split_at_checked(at))
        .ok_or(PixCodeError::ChecksumMissing)?;
    let fields = covered
        .strip_suffix(CHECKSUM_HEADER)
        .ok_or(PixCodeError::ChecksumMissing)?;
    if !written.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(PixCodeError::ChecksumMissing);
    }
    let computed = format!("{:04X}", crc16(covered.as_bytes()));
    if written.eq_ignore_ascii_case(&computed)
        || of_latin_1(covered).is_some_and(|other| written.eq_ignore_ascii_case(&other))
    {
        Ok(fields)
    } else {
        Err(PixCodeError::Checksum {
            written: written.to_owned(),
            computed,
        })
    }
}

/// The checksum over the bytes of ISO 8859-1, which writers compute that take each character as a byte.
fn of_latin_1(covered: &str) -> Option<String> {
    if covered.is_ascii() {
        return None;
    }
    let bytes: Option<Vec<u8>> = covered.chars().map(|letter| u8::try_from(letter).ok()).collect();
    bytes.map(|bytes| format!("{:04X}", crc16(&bytes)))
}

fn expect(fields: &Fields<'_>, id: u8, expected: &'static str) -> Result<(), PixCodeError> {
    let value = fields.only(id)?.ok_or(PixCodeError::FieldMissing {
        path: fields.path(id),
    })?;
    if value == expected {
        Ok(())
    } else {
        Err(PixCodeError::FieldValue {
            path: fields.path(id),
            value: value.to_owned(),
            expected,
        })
    }
}

/// A code may name accounts of several payment systems; this reads the one of PIX. Banks write its name in capital or
/// small letters. Two accounts of PIX are refused, because banks' applications could choose differently.
fn target(fields: &Fields<'_>) -> Result<ReceivedTarget, PixCodeError> {
    let mut found = None;
    for template in fields.iter() {
        if !(field::ACCOUNT..=field::ACCOUNT_LAST).contains(&template.id) {
            continue;
        }
        // Other systems may write their account in any form.
        let Ok(account) = Fields::parse_inner(template) else {
            continue;
        };
        let system = account.get(field::ACCOUNT_SYSTEM).unwrap_or_default();
        if !system.eq_ignore_ascii_case(SYSTEM) {
            continue;
        }
        if found.is_some() {
            return Err(PixCodeError::FieldRepeated {
                path: account.path(field::ACCOUNT_SYSTEM),
            });
        }
        found = Some(account);
    }
    let account = found.ok_or(PixCodeError::NoPixAccount)?;
    let key = account.only(field::ACCOUNT_KEY)?;
    let url = account.only(field::ACCOUNT_URL)?;
    match (key, url) {
        (_, Some(url)) => Ok(ReceivedTarget::Url(url.to_owned())),
        (Some(key), None) => Ok(ReceivedTarget::Key(key.to_owned())),
        (None, None) => Err(PixCodeError::Target),
    }
}

/// `149.90`, also with fewer decimals. Zero means that the payer states the amount.
fn amount(text: &str) -> Result<Option<Cents>, PixCodeError> {
    let invalid = || PixCodeError::AmountFormat(text.to_owned());
    let (reais, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(reais) || !digits(decimals) || reais.is_empty() || decimals.len() > 2 {
        return Err(invalid());
    }
    let total: i64 = format!("{reais}{decimals:0<2}").parse().map_err(|_| invalid())?;
    if total == 0 {
        return Ok(None);
    }
    Ok(Some(Cents::checked_amount(total)?))
}
