//! Reads a column into a type that may have fewer values than the column can hold.
//!
//! During a rolling update a newer version of the program may store a value that this one does not know. That is an
//! error and never a default: a default would be read as a provider, a status or a kind that was stored.

use std::any::type_name;
use std::error::Error as StdError;
use std::fmt::Display;
use std::marker::PhantomData;
use std::net::IpAddr;

use chrono::{DateTime, NaiveDate, Utc};
use ledger_domain::documents::Document;
use ledger_domain::ids::Id;
use ledger_domain::{Cents, Numbers, Rate, Words};
use rust_decimal::Decimal;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_postgres::row::RowIndex;
use tokio_postgres::types::{FromSql, Json, Type};
use tokio_postgres::{Error, Row};
use uuid::Uuid;

/// A type that a column holds.
///
/// `Kind` says how. All words are read by one implementation, all ids by another, and so on; a type has exactly one
/// kind, which the compiler finds. A type with an implementation of its own leaves it out:
///
/// ```ignore
/// impl Column for Document {
///     type Stored<'a> = &'a str;
///
///     fn restored(text: &str) -> Option<Self> {
///         Self::parse(text).ok()
///     }
/// }
/// ```
pub trait Column<Kind = Own>: Sized {
    /// The type in which the driver reads the column.
    type Stored<'a>: FromSql<'a>;

    /// `None` if this version of the program does not know the value.
    fn restored(stored: Self::Stored<'_>) -> Option<Self>;
}

/// The type has its own implementation.
pub struct Own;
/// The column holds the word of an enum.
pub struct AsWord;
/// The column holds the number of an enum.
pub struct AsNumber;
/// The column holds the UUID of an id.
pub struct AsId;
/// The column may be null.
pub struct Nullable<Kind>(PhantomData<Kind>);
/// The column is an array.
pub struct Many<Kind>(PhantomData<Kind>);

/// Reads a column by its name or its place.
pub fn get<Kind, T: Column<Kind>>(row: &Row, column: impl RowIndex + Display) -> Result<T, Error> {
    row.try_get::<_, Restored<T, Kind>>(column).map(|value| value.0)
}

struct Restored<T, Kind>(T, PhantomData<Kind>);

impl<'a, Kind, T: Column<Kind>> FromSql<'a> for Restored<T, Kind> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        restored(T::Stored::from_sql(ty, raw)?)
    }

    fn from_sql_null(ty: &Type) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        restored(T::Stored::from_sql_null(ty)?)
    }

    fn accepts(ty: &Type) -> bool {
        <T::Stored<'a> as FromSql<'a>>::accepts(ty)
    }
}

fn restored<Kind, T: Column<Kind>>(
    stored: T::Stored<'_>,
) -> Result<Restored<T, Kind>, Box<dyn StdError + Sync + Send>> {
    // Without the value, because it may be a person's document.
    let value =
        T::restored(stored).ok_or_else(|| format!("it holds no {} of this version", type_name::<T>()))?;
    Ok(Restored(value, PhantomData))
}

impl<T: Words> Column<AsWord> for T {
    type Stored<'a> = &'a str;

    fn restored(word: &str) -> Option<Self> {
        Self::parse(word).ok()
    }
}

impl<T: Numbers> Column<AsNumber> for T {
    type Stored<'a> = i16;

    fn restored(number: i16) -> Option<Self> {
        Self::from_number(u8::try_from(number).ok()?).ok()
    }
}

impl<T: Id> Column<AsId> for T {
    type Stored<'a> = Uuid;

    fn restored(uuid: Uuid) -> Option<Self> {
        Some(Self::from_uuid(uuid))
    }
}

impl<Kind, T: Column<Kind>> Column<Nullable<Kind>> for Option<T> {
    type Stored<'a> = Option<T::Stored<'a>>;

    fn restored(stored: Option<T::Stored<'_>>) -> Option<Self> {
        match stored {
            Some(stored) => T::restored(stored).map(Some),
            None => Some(None),
        }
    }
}

impl<Kind, T: Column<Kind>> Column<Many<Kind>> for Vec<T> {
    type Stored<'a> = Vec<T::Stored<'a>>;

    fn restored(stored: Vec<T::Stored<'_>>) -> Option<Self> {
        stored.into_iter().map(T::restored).collect()
    }
}

/// A value that is stored as JSON.
impl<T: DeserializeOwned> Column for Json<T> {
    type Stored<'a> = Self;

    fn restored(value: Self) -> Option<Self> {
        Some(value)
    }
}

macro_rules! columns {
    ($($type:ty = $stored:ty: |$value:ident| $restored:expr;)+) => {
        $(impl Column for $type {
            type Stored<'a> = $stored;

            fn restored($value: $stored) -> Option<Self> {
                $restored
            }
        })+
    };
}

columns! {
    bool = bool: |value| Some(value);
    i16 = i16: |value| Some(value);
    i32 = i32: |value| Some(value);
    i64 = i64: |value| Some(value);
    u8 = i16: |value| Self::try_from(value).ok();
    u64 = i64: |value| Self::try_from(value).ok();
    Cents = i64: |value| Some(Self::new(value));
    Decimal = Decimal: |value| Some(value);
    Rate = Decimal: |value| Self::new(value).ok();
    Uuid = Uuid: |value| Some(value);
    NaiveDate = NaiveDate: |value| Some(value);
    DateTime<Utc> = DateTime<Utc>: |value| Some(value);
    IpAddr = IpAddr: |value| Some(value);
    Value = Value: |value| Some(value);
}

impl Column for String {
    type Stored<'a> = &'a str;

    fn restored(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

/// A CPF or a CNPJ.
impl Column for Document {
    type Stored<'a> = &'a str;

    fn restored(text: &str) -> Option<Self> {
        Self::parse(text).ok()
    }
}

/// A hash, a key or a fingerprint.
impl<const N: usize> Column for [u8; N] {
    type Stored<'a> = &'a [u8];

    fn restored(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok()
    }
}
