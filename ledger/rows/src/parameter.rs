//! The parameters of a statement.

use std::fmt::Debug;
use std::net::IpAddr;

use chrono::{DateTime, NaiveDate, Utc};
use ledger_domain::ids::Id;
use ledger_domain::{Cents, Numbers, Rate, Words};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::Value;
use tokio_postgres::types::{Json, ToSql, Type};
use uuid::Uuid;

use crate::column::{AsId, AsNumber, AsWord, Many, Nullable, Own};

/// A value that a statement takes. Its kinds are those of `Column`.
pub trait Parameter<Kind = Own> {
    const TYPE: Type;
    /// The type of an array of such values.
    const ARRAY: Type;
    /// The value in the type that the driver sends.
    type Sent<'a>: ToSql + Sync + Send
    where
        Self: 'a;

    fn sent(&self) -> Self::Sent<'_>;
}

/// The parameters of a statement, in the order of their numbers.
pub type Parameters<'a> = Vec<(Box<dyn ToSql + Sync + Send + 'a>, Type)>;

/// The parameters of a statement: `params![id, state]` are `$1` and `$2`.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        vec![$($crate::parameter(&$value)),*]
    };
}

pub fn parameter<'a, Kind: 'a, T: Parameter<Kind> + ?Sized>(
    value: &'a T,
) -> (Box<dyn ToSql + Sync + Send + 'a>, Type) {
    (Box::new(value.sent()), T::TYPE)
}

/// A borrowed value.
pub struct Borrowed<Kind>(std::marker::PhantomData<Kind>);

impl<Kind, T: Parameter<Kind> + ?Sized> Parameter<Borrowed<Kind>> for &T {
    const TYPE: Type = T::TYPE;
    const ARRAY: Type = T::ARRAY;
    type Sent<'a>
        = T::Sent<'a>
    where
        Self: 'a;

    fn sent(&self) -> T::Sent<'_> {
        (**self).sent()
    }
}

impl<T: Words> Parameter<AsWord> for T {
    const TYPE: Type = Type::TEXT;
    const ARRAY: Type = Type::TEXT_ARRAY;
    type Sent<'a> = &'static str;

    fn sent(&self) -> &'static str {
        self.as_str()
    }
}

impl<T: Numbers> Parameter<AsNumber> for T {
    const TYPE: Type = Type::INT2;
    const ARRAY: Type = Type::INT2_ARRAY;
    type Sent<'a> = i16;

    fn sent(&self) -> i16 {
        self.number().into()
    }
}

impl<T: Id> Parameter<AsId> for T {
    const TYPE: Type = Type::UUID;
    const ARRAY: Type = Type::UUID_ARRAY;
    type Sent<'a> = Uuid;

    fn sent(&self) -> Uuid {
        self.uuid()
    }
}

impl<Kind, T: Parameter<Kind>> Parameter<Nullable<Kind>> for Option<T> {
    const TYPE: Type = T::TYPE;
    const ARRAY: Type = T::ARRAY;
    type Sent<'a>
        = Option<T::Sent<'a>>
    where
        Self: 'a;

    fn sent(&self) -> Option<T::Sent<'_>> {
        self.as_ref().map(T::sent)
    }
}

/// A value that is stored as JSON.
impl<T: Serialize + Debug + Sync + Send> Parameter for Json<T> {
    const TYPE: Type = Type::JSON;
    const ARRAY: Type = Type::JSON_ARRAY;
    type Sent<'a>
        = Json<&'a T>
    where
        Self: 'a;

    fn sent(&self) -> Json<&T> {
        Json(&self.0)
    }
}

/// An array. `ARRAY` is the same type, because PostgreSQL has no arrays of arrays.
macro_rules! arrays {
    ($($type:ty),+) => {
        $(impl<Kind, T: Parameter<Kind>> Parameter<Many<Kind>> for $type {
            const TYPE: Type = T::ARRAY;
            const ARRAY: Type = T::ARRAY;
            type Sent<'a> = Vec<T::Sent<'a>> where Self: 'a;

            fn sent(&self) -> Vec<T::Sent<'_>> {
                self.iter().map(T::sent).collect()
            }
        })+
    };
}

arrays!([T], Vec<T>);

macro_rules! parameters {
    ($($type:ty = $sent:ty, $sql:ident, $array:ident: |$value:ident| $stored:expr;)+) => {
        $(impl Parameter for $type {
            const TYPE: Type = Type::$sql;
            const ARRAY: Type = Type::$array;
            type Sent<'a> = $sent;

            fn sent(&self) -> $sent {
                let $value = self;
                $stored
            }
        })+
    };
}

parameters! {
    bool = bool, BOOL, BOOL_ARRAY: |value| *value;
    i16 = i16, INT2, INT2_ARRAY: |value| *value;
    i32 = i32, INT4, INT4_ARRAY: |value| *value;
    i64 = i64, INT8, INT8_ARRAY: |value| *value;
    u8 = i16, INT2, INT2_ARRAY: |value| (*value).into();
    Cents = i64, INT8, INT8_ARRAY: |value| value.get();
    Decimal = Decimal, NUMERIC, NUMERIC_ARRAY: |value| *value;
    Rate = Decimal, NUMERIC, NUMERIC_ARRAY: |value| value.percent();
    Uuid = Uuid, UUID, UUID_ARRAY: |value| *value;
    NaiveDate = NaiveDate, DATE, DATE_ARRAY: |value| *value;
    DateTime<Utc> = DateTime<Utc>, TIMESTAMPTZ, TIMESTAMPTZ_ARRAY: |value| *value;
    IpAddr = IpAddr, INET, INET_ARRAY: |value| *value;
    Value = Value, JSON, JSON_ARRAY: |value| value.clone();
}

macro_rules! texts {
    ($($type:ty),+) => {
        $(impl Parameter for $type {
            const TYPE: Type = Type::TEXT;
            const ARRAY: Type = Type::TEXT_ARRAY;
            type Sent<'a> = &'a str;

            fn sent(&self) -> &str {
                self
            }
        })+
    };
}

texts!(str, String);

impl<const N: usize> Parameter for [u8; N] {
    const TYPE: Type = Type::BYTEA;
    const ARRAY: Type = Type::BYTEA_ARRAY;
    type Sent<'a> = &'a [u8];

    fn sent(&self) -> &[u8] {
        self
    }
}
