//! Reads columns into types that have fewer values than the column can hold.
//!
//! During a rolling update a newer version of the program may store a value that this one does not know. That is an
//! error and never a default: a default would be read as a provider, a status or a kind that was stored.

use std::error::Error as StdError;
use std::fmt::Display;

use ledger_domain::documents::Document;
use ledger_domain::sale::{PaymentType, Provider, Solution};
use ledger_domain::transfer::AccountType;
use tokio_postgres::row::RowIndex;
use tokio_postgres::types::{FromSql, Type};
use tokio_postgres::{Error, Row};

pub trait ColumnValue: Sized {
    /// The value's name in errors.
    const NAME: &'static str;
    /// The type in which the driver reads the column.
    type Stored<'a>: FromSql<'a>;

    fn of_column(stored: Self::Stored<'_>) -> Option<Self>;
}

/// Reads a column that is not null.
pub fn read<T: ColumnValue>(row: &Row, column: impl RowIndex + Display) -> Result<T, Error> {
    row.try_get::<_, Value<T>>(column).map(|value| value.0)
}

/// Reads a column that may be null.
pub fn read_opt<T: ColumnValue>(row: &Row, column: impl RowIndex + Display) -> Result<Option<T>, Error> {
    let value = row.try_get::<_, Option<Value<T>>>(column)?;
    Ok(value.map(|value| value.0))
}

/// Reads an array that is not null.
pub fn read_all<T: ColumnValue>(row: &Row, column: impl RowIndex + Display) -> Result<Vec<T>, Error> {
    let values = row.try_get::<_, Vec<Value<T>>>(column)?;
    Ok(values.into_iter().map(|value| value.0).collect())
}

struct Value<T>(T);

impl<'a, T: ColumnValue> FromSql<'a> for Value<T> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        let stored = T::Stored::from_sql(ty, raw)?;
        // Without the value, because it may be a person's document.
        let value = T::of_column(stored).ok_or_else(|| format!("it holds no {} of this version", T::NAME))?;
        Ok(Self(value))
    }

    fn accepts(ty: &Type) -> bool {
        <T::Stored<'a> as FromSql<'a>>::accepts(ty)
    }
}

macro_rules! column_values {
    ($($Type:ty = $name:literal $Stored:ty: |$stored:ident| $value:expr;)+) => {
        $(impl ColumnValue for $Type {
            const NAME: &'static str = $name;
            type Stored<'a> = $Stored;

            fn of_column($stored: $Stored) -> Option<Self> {
                $value
            }
        })+
    };
}

column_values! {
    u8 = "small number" i16: |number| Self::try_from(number).ok();
    Provider = "provider" i16: |number| Self::from_number(u8::try_from(number).ok()?).ok();
    Solution = "solution" i16: |number| Self::from_number(u8::try_from(number).ok()?).ok();
}

/// Types whose column holds a word, with the function that reads it.
macro_rules! column_words {
    ($($Type:ty = $name:literal $parse:expr;)+) => {
        $(impl ColumnValue for $Type {
            const NAME: &'static str = $name;
            type Stored<'a> = &'a str;

            fn of_column(word: &str) -> Option<Self> {
                let parse: fn(&str) -> Option<Self> = $parse;
                parse(word)
            }
        })+
    };
}

column_words! {
    AccountType = "bank account type" |word| Self::parse(word).ok();
    PaymentType = "payment type" |word| Self::parse(word).ok();
    Document = "document" |text| Self::parse(text).ok();
}
