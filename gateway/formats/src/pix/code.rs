//! Writes PIX codes by the rules of the Central Bank's manual, and names the fields that `decode` reads.

use ledger_domain::Cents;

use super::checksum::crc16;
use super::tlv::{self, FieldPath};
use super::{MerchantCity, MerchantName, PixCodeError, PixKey, PixTextError, PixUrl, Txid};

/// The contents of a PIX code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PixCode {
    pub target: PixTarget,
    /// Whether the code can be paid only once.
    pub one_use: bool,
    /// `None`: the payer states the amount, or the address of a dynamic code answers with it.
    pub amount: Option<Cents>,
    pub merchant_name: MerchantName,
    pub merchant_city: MerchantCity,
    /// `None` is written as `***`.
    pub txid: Option<Txid>,
}

/// Whom a code pays: by a PIX key, or by the address of a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PixTarget {
    /// A static code.
    Key(PixKey),
    /// A dynamic code: the charge is at this address.
    Url(PixUrl),
}

/// Numbers of the fields (EMVCo; 00, 01 and 25 of field 26 by the Central Bank).
pub(super) mod field {
    pub const FORMAT: u8 = 0;
    pub const INITIATION: u8 = 1;
    pub const ACCOUNT: u8 = 26;
    pub const ACCOUNT_LAST: u8 = 51;
    pub const ACCOUNT_SYSTEM: u8 = 0;
    pub const ACCOUNT_KEY: u8 = 1;
    pub const ACCOUNT_URL: u8 = 25;
    pub const CATEGORY: u8 = 52;
    pub const CURRENCY: u8 = 53;
    pub const AMOUNT: u8 = 54;
    pub const COUNTRY: u8 = 58;
    pub const NAME: u8 = 59;
    pub const CITY: u8 = 60;
    pub const ADDITIONAL: u8 = 62;
    pub const ADDITIONAL_TXID: u8 = 5;
}

pub(super) const FORMAT: &str = "01";
const ONE_USE: &str = "12";
pub(super) const SYSTEM: &str = "br.gov.bcb.pix";
pub(super) const REAL: &str = "986";
const BRAZIL: &str = "BR";
const NO_TXID: &str = "***";
/// Number and length of the last field, whose value is the checksum.
pub(super) const CHECKSUM_HEADER: &str = "6304";

impl PixCode {
    /// Writes the code. Fails if the amount or the transaction id does not fit.
    pub fn encode(&self) -> Result<String, PixCodeError> {
        let mut code = String::with_capacity(200);
        tlv::write(&mut code, field::FORMAT, FORMAT);
        if self.one_use {
            tlv::write(&mut code, field::INITIATION, ONE_USE);
        }
        tlv::write(&mut code, field::ACCOUNT, &self.account());
        tlv::write(&mut code, field::CATEGORY, "0000");
        tlv::write(&mut code, field::CURRENCY, REAL);
        if let Some(amount) = self.amount {
            let cents = Cents::checked_amount(amount.get())?.get();
            tlv::write(
                &mut code,
                field::AMOUNT,
                &format!("{}.{:02}", cents / 100, cents % 100),
            );
        }
        tlv::write(&mut code, field::COUNTRY, BRAZIL);
        tlv::write(&mut code, field::NAME, self.merchant_name.as_str());
        tlv::write(&mut code, field::CITY, self.merchant_city.as_str());
        let mut additional = String::new();
        tlv::write(&mut additional, field::ADDITIONAL_TXID, self.checked_txid()?);
        tlv::write(&mut code, field::ADDITIONAL, &additional);
        code.push_str(CHECKSUM_HEADER);
        code.push_str(&format!("{:04X}", crc16(code.as_bytes())));
        Ok(code)
    }

    fn account(&self) -> String {
        let mut account = String::new();
        tlv::write(&mut account, field::ACCOUNT_SYSTEM, SYSTEM);
        match &self.target {
            PixTarget::Key(key) => tlv::write(&mut account, field::ACCOUNT_KEY, key.as_str()),
            PixTarget::Url(url) => tlv::write(&mut account, field::ACCOUNT_URL, url.as_str()),
        }
        account
    }

    fn checked_txid(&self) -> Result<&str, PixCodeError> {
        check_txid(&self.target, self.txid.as_ref())?;
        Ok(self.txid.as_ref().map_or(NO_TXID, Txid::as_str))
    }
}

/// Only the charge of a dynamic code may have a long transaction id.
fn check_txid(target: &PixTarget, txid: Option<&Txid>) -> Result<(), PixCodeError> {
    let long = txid.is_some_and(|txid| txid.as_str().len() > Txid::STATIC_MAX);
    if long && matches!(target, PixTarget::Key(_)) {
        return Err(PixCodeError::Text {
            path: FieldPath::inner(field::ADDITIONAL, field::ADDITIONAL_TXID),
            error: PixTextError::TooLong {
                max: Txid::STATIC_MAX,
            },
        });
    }
    Ok(())
}
