//! The declaration of a row.

use tokio_postgres::{Error, Row};

use crate::parameter::Parameters;

/// A value that is read from a row. `row!` implements it.
pub trait FromRow: Sized {
    /// The text after `SELECT`. Each column has the name of its field.
    const COLUMNS: &'static str;

    /// Reads the columns by name.
    fn from_row(row: &Row) -> Result<Self, Error>;
}

/// A value that is stored as a row. `row!` implements it for a struct that names its table.
pub trait Record: FromRow {
    const TABLE: &'static str;
    /// The columns of the table, in the order of the fields.
    const NAMES: &'static [&'static str];

    /// The values of the columns, in the same order.
    fn parameters(&self) -> Parameters<'_>;
}

/// Declares a row: a struct, the columns of its fields, and their reader.
///
/// ```ignore
/// row! {
///     /// A message with the present name of its company.
///     #[derive(Debug, Clone)]
///     pub struct Message {
///         pub id: Uuid = "m.id",
///         pub state: MessageState = "m.state",
///         /// `None` if nobody has read it.
///         pub read_at: Option<DateTime<Utc>> = "m.read_at",
///         pub company_name: String = "b.name",
///     }
/// }
///
/// let sql = format!("SELECT {} FROM message m JOIN business b ON … WHERE m.id = $1", Message::COLUMNS);
/// let message: Option<Message> = fetch_opt(client, &sql, params![id]).await?;
/// ```
///
/// A column is the field's own name, unless an expression follows. A column that may be null is an option. The types of
/// columns implement `Column`: numbers, texts, ids, instants, and all enums of `words!`.
///
/// A struct that is stored as it is read names its table, and `insert` stores it:
///
/// ```ignore
/// row! {
///     pub struct Answer in "message_answer" {
///         pub id: Uuid,
///         pub body: String,
///     }
/// }
/// ```
///
/// A type that is not its columns is made from them:
///
/// ```ignore
/// row! {
///     impl FromRow for Terminal {
///         id: TerminalId = "t.id",
///         business_id: Option<BusinessId> = "t.business_id",
///     } => Self { id, owner: business_id.map_or(Owner::Stock, Owner::Company) }
/// }
/// ```
#[macro_export]
macro_rules! row {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident $(in $table:literal)? {
            $(
                $(#[$field_meta:meta])*
                $field_visibility:vis $field:ident: $type:ty $(= $column:literal)?
            ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        $visibility struct $name {
            $($(#[$field_meta])* $field_visibility $field: $type,)+
        }

        $crate::row! {
            impl FromRow for $name {
                $($field: $type $(= $column)?),+
            } => Self { $($field),+ }
        }

        $crate::record! { $name $(in $table)? { $($field $(= $column)?),+ } }
    };
    (
        impl FromRow for $name:ty {
            $($field:ident: $type:ty $(= $column:literal)?),+ $(,)?
        } => $value:expr
    ) => {
        impl $crate::FromRow for $name {
            const COLUMNS: &'static str = $crate::columns!($([$field $(= $column)?])+);

            fn from_row(row: &$crate::Row) -> Result<Self, $crate::Error> {
                $(let $field: $type = $crate::get(row, stringify!($field))?;)+
                Ok($value)
            }
        }
    };
}

/// The text after `SELECT`.
#[doc(hidden)]
#[macro_export]
macro_rules! columns {
    ([$($first:tt)+] $([$($other:tt)+])*) => {
        concat!($crate::column!($($first)+) $(, ", ", $crate::column!($($other)+))*)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! column {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident = $column:literal) => {
        concat!($column, " AS ", stringify!($field))
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! record {
    ($name:ident { $($ignored:tt)* }) => {};
    ($name:ident in $table:literal { $($field:ident $(= $column:literal)?),+ }) => {
        impl $crate::Record for $name {
            const TABLE: &'static str = $table;
            const NAMES: &'static [&'static str] = &[$([$($column,)? stringify!($field)][0]),+];

            fn parameters(&self) -> $crate::Parameters<'_> {
                vec![$($crate::parameter(&self.$field)),+]
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    row! {
        struct Message in "message" {
            id: uuid::Uuid,
            company: Option<ledger_domain::BusinessId> = "business_id",
            text: String = "body",
        }
    }

    #[test]
    fn the_fields_are_the_list_of_columns() {
        assert_eq!(Message::COLUMNS, "id, business_id AS company, body AS text");
        assert_eq!(Message::NAMES, ["id", "business_id", "body"]);
        let message = Message {
            id: uuid::Uuid::nil(),
            company: None,
            text: "Olá".to_owned(),
        };
        let types: Vec<_> = message.parameters().into_iter().map(|(_, kind)| kind).collect();
        let (uuid, text) = (
            tokio_postgres::types::Type::UUID,
            tokio_postgres::types::Type::TEXT,
        );
        assert_eq!(types, [uuid.clone(), uuid, text]);
    }
}
