//! The conversion between a field of a roll-up's key and its column.

use ledger_domain::calendar::{Date, Instant};
use ledger_domain::sale::{CardBrand, PaymentType, SaleStatus, Solution};
use ledger_domain::transfer::{TransferKind, TransferStatus};
use ledger_domain::{BusinessId, SaleId, TerminalId};
use tokio_postgres::types::{FromSqlOwned, ToSql};
use uuid::Uuid;

use crate::{Error, column_values};

/// A type that a field of a roll-up's key can have.
pub(crate) trait Field: Sized {
    /// The SQL type of the column.
    const SQL: &'static str;
    type Stored: FromSqlOwned + ToSql + Sync + Send + 'static;

    fn stored(&self) -> Self::Stored;

    /// Fails if no fold can have written the value.
    fn restored(stored: Self::Stored) -> Result<Self, Error>;

    /// The text of the value in the audit's findings.
    fn text(&self) -> String;
}

/// `None` is null.
impl<Of: Field> Field for Option<Of>
where
    Option<Of::Stored>: FromSqlOwned + ToSql,
{
    const SQL: &'static str = Of::SQL;
    type Stored = Option<Of::Stored>;

    fn stored(&self) -> Self::Stored {
        self.as_ref().map(Field::stored)
    }

    fn restored(stored: Self::Stored) -> Result<Self, Error> {
        stored.map(Of::restored).transpose()
    }

    fn text(&self) -> String {
        self.as_ref().map_or_else(|| "null".to_owned(), Field::text)
    }
}

macro_rules! fields {
    ($($Type:ty = $sql:literal $Stored:ty: |$value:ident| $stored:expr, |$raw:ident| $restored:expr;)+) => {
        $(impl $crate::read_model::field::Field for $Type {
            const SQL: &'static str = $sql;
            type Stored = $Stored;

            fn stored(&self) -> $Stored {
                let $value = self;
                $stored
            }

            fn restored($raw: $Stored) -> Result<Self, $crate::Error> {
                $restored
            }

            fn text(&self) -> String {
                self.stored().to_string()
            }
        })+
    };
}

pub(crate) use fields;

fields! {
    i16 = "int2" i16: |number| *number, |number| Ok(number);
    String = "text" String: |text| text.clone(), |text| Ok(text);
    Date = "date" Date: |date| *date, |date| Ok(date);
    Instant = "timestamptz" Instant: |instant| *instant, |instant| Ok(instant);
    SaleId = "uuid" Uuid: |id| id.uuid(), |uuid| Ok(Self::from_uuid(uuid));
    SaleStatus = "text" String: |status| status.as_str().to_owned(), |word| column_values::sale_status(&word);
    BusinessId = "uuid" Uuid: |id| id.uuid(), |uuid| Ok(Self::from_uuid(uuid));
    TerminalId = "uuid" Uuid: |id| id.uuid(), |uuid| Ok(Self::from_uuid(uuid));
    Solution = "int2" i16: |solution| i16::from(solution.number()), |number| column_values::solution(number);
    PaymentType = "text" String: |payment_type| payment_type.as_str().to_owned(), |word| column_values::payment_type(&word);
    CardBrand = "text" String: |brand| brand.as_str().to_owned(), |word| column_values::card_brand(&word);
    TransferKind = "int2" i16: |kind| i16::from(kind.number()), |number| column_values::transfer_kind(number);
    TransferStatus = "int2" i16: |status| i16::from(status.number()), |number| column_values::transfer_status(number);
}
