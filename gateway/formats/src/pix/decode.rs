//! Reads a PIX code. A code with a repeated field is refused, because banks' applications could read it differently.

use ledger_domain::Cents;

use super::checksum::crc16;
use super::code::{
    BRAZIL, CHECKSUM_HEADER, FORMAT, MANY_USES, NO_TXID, ONE_USE, REAL, SYSTEM, check_txid, field,
};
use super::tlv::{FieldPath, Fields};
use super::{
    MerchantCity, MerchantName, PixCode, PixCodeError, PixKey, PixTarget, PixTextError, PixUrl, Txid,
};

impl PixCode {
    /// Reads a code: first its checksum, then its fields in any order. Unknown fields are allowed, as EMVCo requires.
    pub fn decode(text: &str) -> Result<Self, PixCodeError> {
        let fields = Fields::parse(checked(text)?)?;
        expect(&fields, field::FORMAT, FORMAT)?;
        let one_use = match fields.get(field::INITIATION) {
            None | Some(MANY_USES) => false,
            Some(ONE_USE) => true,
            Some(other) => return Err(unexpected(&fields, field::INITIATION, other, "11 or 12")),
        };
        let target = target(&fields)?;
        let category = fields.required(field::CATEGORY)?;
        if category.len() != 4 || !category.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(unexpected(&fields, field::CATEGORY, category, "four digits"));
        }
        expect(&fields, field::CURRENCY, REAL)?;
        let amount = fields.get(field::AMOUNT).map(amount).transpose()?.flatten();
        expect(&fields, field::COUNTRY, BRAZIL)?;
        let merchant_name = text_field(&fields, field::NAME, MerchantName::exact)?;
        let merchant_city = text_field(&fields, field::CITY, MerchantCity::exact)?;
        let txid = txid(&fields)?;
        check_txid(&target, txid.as_ref())?;
        Ok(Self {
            target,
            one_use,
            amount,
            merchant_name,
            merchant_city,
            txid,
        })
    }
}

/// The code without its last field, after that field's checksum has proved it.
fn checked(text: &str) -> Result<&str, PixCodeError> {
    if let Some(place) = text.bytes().position(|byte| !matches!(byte, b' '..=b'~')) {
        return Err(PixCodeError::Character { at: place + 1 });
    }
    if text.len() > PixCode::CHARACTERS_MAX {
        return Err(PixCodeError::TooLong { found: text.len() });
    }
    let (covered, written) = text
        .len()
        .checked_sub(4)
        .map(|at| text.split_at(at))
        .ok_or(PixCodeError::ChecksumMissing)?;
    let fields = covered
        .strip_suffix(CHECKSUM_HEADER)
        .ok_or(PixCodeError::ChecksumMissing)?;
    if !written
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'))
    {
        return Err(PixCodeError::ChecksumMissing);
    }
    let computed = format!("{:04X}", crc16(covered.as_bytes()));
    if written == computed {
        Ok(fields)
    } else {
        Err(PixCodeError::Checksum {
            written: written.to_owned(),
            computed,
        })
    }
}

fn unexpected(fields: &Fields<'_>, id: u8, value: &str, expected: &'static str) -> PixCodeError {
    PixCodeError::FieldValue {
        path: fields.path(id),
        value: value.to_owned(),
        expected,
    }
}

fn expect(fields: &Fields<'_>, id: u8, expected: &'static str) -> Result<(), PixCodeError> {
    let value = fields.required(id)?;
    if value == expected {
        Ok(())
    } else {
        Err(unexpected(fields, id, value, expected))
    }
}

fn text_field<T>(
    fields: &Fields<'_>,
    id: u8,
    parse: impl Fn(&str) -> Result<T, PixTextError>,
) -> Result<T, PixCodeError> {
    let path = fields.path(id);
    parse(fields.required(id)?).map_err(|error| PixCodeError::Text { path, error })
}

/// A code may name accounts of several payment systems; this reads the one of PIX. Banks write its name in capital or
/// small letters.
fn target(fields: &Fields<'_>) -> Result<PixTarget, PixCodeError> {
    let mut found = None;
    for template in fields.iter() {
        if !(field::ACCOUNT..=field::ACCOUNT_LAST).contains(&template.id) {
            continue;
        }
        let account = Fields::parse_inner(template)?;
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
    match (account.get(field::ACCOUNT_KEY), account.get(field::ACCOUNT_URL)) {
        (Some(key), None) => Ok(PixTarget::Key(PixKey::parse_exact(key)?)),
        (None, Some(_)) => Ok(PixTarget::Url(text_field(
            &account,
            field::ACCOUNT_URL,
            PixUrl::parse,
        )?)),
        _ => Err(PixCodeError::Target),
    }
}

/// `149.90`; whole reais may be written without decimals. Zero means that the payer states the amount.
fn amount(text: &str) -> Result<Option<Cents>, PixCodeError> {
    let invalid = || PixCodeError::AmountFormat(text.to_owned());
    let (reais, cents) = text.split_once('.').unwrap_or((text, "00"));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = reais.len() > 1 && reais.starts_with('0');
    if !digits(reais) || !digits(cents) || reais.is_empty() || cents.len() != 2 || leading_zero {
        return Err(invalid());
    }
    let total: i64 = format!("{reais}{cents}").parse().map_err(|_| invalid())?;
    if total == 0 {
        return Ok(None);
    }
    Ok(Some(Cents::checked_amount(total)?))
}

fn txid(fields: &Fields<'_>) -> Result<Option<Txid>, PixCodeError> {
    let additional = Fields::parse_inner(fields.required_field(field::ADDITIONAL)?)?;
    match additional.required(field::ADDITIONAL_TXID)? {
        NO_TXID => Ok(None),
        text => Txid::parse(text).map(Some).map_err(|error| PixCodeError::Text {
            path: FieldPath::inner(field::ADDITIONAL, field::ADDITIONAL_TXID),
            error,
        }),
    }
}
