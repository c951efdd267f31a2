//! One declaration of a query's parameters. The OpenAPI document and the reader both follow from it.

use ledger_domain::Words;
use ledger_rows::{AsWord, Nullable, Own};
use serde_json::Value;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{RefOr, Required, Schema};

use super::{FromQuery, schemas};

/// A type that one query parameter holds. Its errors are shown to the user, in Portuguese. All enums of `words!` are
/// such types; `Kind` keeps their implementation apart from those of single types.
pub trait QueryValue<Kind = Own>: Sized {
    /// The error if the text is not such a value.
    const INVALID: &'static str;
    /// The error if the parameter is required and absent.
    const MISSING: &'static str = "Informe um valor.";
    /// An empty free text counts as absent, because a form sends an empty field that way. For all other types an empty
    /// value is an error, because it would silently mean the default.
    const IS_FREE_TEXT: bool = false;

    fn schema() -> RefOr<Schema>;

    /// Takes a trimmed text that is not empty.
    fn parse(text: &str) -> Option<Self>;
}

/// A word is spelled as in bodies. An enum with aliases has a pattern, because a list would recommend the aliases.
impl<T: Words> QueryValue<AsWord> for T {
    const INVALID: &'static str = <T as Words>::INVALID;

    fn schema() -> RefOr<Schema> {
        let words = T::ALL.iter().map(|value| value.as_str());
        if T::ALIASES.is_empty() {
            return schemas::words(words).into();
        }
        let all: Vec<_> = words.chain(T::ALIASES.iter().copied()).collect();
        schemas::text()
            .pattern(Some(format!("^({})$", all.join("|"))))
            .into()
    }

    fn parse(text: &str) -> Option<Self> {
        <T as Words>::parse(text).ok()
    }
}

/// The type of a declared parameter: a value (required) or an option of one.
pub trait QueryField<Kind>: Sized {
    const INVALID: &'static str;
    const MISSING: &'static str;
    const IS_FREE_TEXT: bool;

    fn schema() -> RefOr<Schema>;

    /// The field if the parameter is absent. `None` if it is required.
    fn absent() -> Option<Self>;

    fn parse(text: &str) -> Option<Self>;
}

impl<Kind, T: QueryValue<Kind>> QueryField<Kind> for T {
    const INVALID: &'static str = T::INVALID;
    const MISSING: &'static str = T::MISSING;
    const IS_FREE_TEXT: bool = T::IS_FREE_TEXT;

    fn schema() -> RefOr<Schema> {
        T::schema()
    }

    fn absent() -> Option<Self> {
        None
    }

    fn parse(text: &str) -> Option<Self> {
        T::parse(text)
    }
}

impl<Kind, T: QueryValue<Kind>> QueryField<Nullable<Kind>> for Option<T> {
    const INVALID: &'static str = T::INVALID;
    const MISSING: &'static str = T::MISSING;
    const IS_FREE_TEXT: bool = T::IS_FREE_TEXT;

    fn schema() -> RefOr<Schema> {
        T::schema()
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn parse(text: &str) -> Option<Self> {
        T::parse(text).map(Some)
    }
}

/// The name, description and example of a declared parameter.
pub struct ParameterDeclaration {
    pub name: &'static str,
    /// The lines of the comment.
    pub description: &'static [&'static str],
    pub example: Option<Value>,
}

impl ParameterDeclaration {
    /// The parameters of an included query. Each has its own name and description.
    pub fn part<Q: FromQuery>(self) -> Vec<Parameter> {
        assert!(
            self.description.is_empty(),
            "the document would lose {:?}",
            self.description
        );
        Q::params()
    }

    pub fn parameter<Kind, F: QueryField<Kind>>(self, default: Option<F>) -> Parameter {
        let lines: Vec<&str> = self.description.iter().map(|line| line.trim()).collect();
        let required = default.or_else(F::absent).is_none();
        ParameterBuilder::new()
            .name(self.name)
            // Before `required`, which depends on it.
            .parameter_in(ParameterIn::Query)
            .required(if required { Required::True } else { Required::False })
            .description((!lines.is_empty()).then(|| lines.join("\n")))
            .schema(Some(F::schema()))
            .example(self.example)
            .build()
    }
}

/// Declares the parameters of a query. Implements `FromQuery::params` and `FromQuery::read` from the declaration.
///
/// ```ignore
/// query! {
///     /// Selects the rows of a list.
///     pub struct ThingQuery {
///         /// This comment is the description in the document.
///         #[name = "paymentType"]
///         #[example = "credit"]
///         payment_type: Option<PaymentType>,
///         /// If it is absent, it has the value after `=`. Without one it is required.
///         order: SortOrder = SortOrder::Desc,
///         range: ..TimeRange,
///         paging: ..Paging,
///     }
/// }
/// ```
///
/// A name is the field's, unless `#[name]` gives another. `#[missing]` gives the error of a required parameter that is
/// absent, if its type has none. The types of values implement `QueryValue`; `..` includes all
/// parameters of another query. The fields of the struct are visible in this crate.
///
/// A query that becomes another type names its fields and the value that is made from them. `with` gives the reader,
/// for a rule over several values; the rule runs only if all of them are valid:
///
/// ```ignore
/// query! {
///     impl FromQuery for Days with query {
///         start: NaiveDate,
///         end: NaiveDate,
///     } => {
///         if start > end {
///             query.error("end", "A data final deve ser igual ou posterior à inicial.");
///         }
///         Self(start, end)
///     }
/// }
/// ```
macro_rules! query {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $query:ident {
            $(
                $(#[doc = $doc:literal])*
                $(#[name = $name:literal])?
                $(#[example = $example:literal])?
                $(#[missing = $missing:literal])?
                $field:ident: $(..$part:ident)? $($type:ty $(= $default:expr)?)?
            ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        $visibility struct $query {
            $($(#[doc = $doc])* pub(crate) $field: $($part)? $($type)?,)+
        }

        $crate::edge::query! {
            impl FromQuery for $query {
                $(
                    $(#[doc = $doc])*
                    $(#[name = $name])?
                    $(#[example = $example])?
                    $(#[missing = $missing])?
                    $field: $(..$part)? $($type $(= $default)?)?
                ),+
            } => Self { $($field),+ }
        }
    };
    (
        impl FromQuery for $query:ident $(with $reader:ident)? {
            $(
                $(#[doc = $doc:literal])*
                $(#[name = $name:literal])?
                $(#[example = $example:literal])?
                $(#[missing = $missing:literal])?
                $field:ident: $(..$part:ident)? $($type:ty $(= $default:expr)?)?
            ),+ $(,)?
        } => $value:expr
    ) => {
        impl $crate::edge::FromQuery for $query {
            fn params() -> Vec<utoipa::openapi::path::Parameter> {
                let mut params = Vec::new();
                $(
                    let declared = $crate::edge::query::ParameterDeclaration {
                        name: [$($name,)? stringify!($field)][0],
                        description: &[$($doc),*],
                        example: None $(.or(Some(serde_json::Value::from($example))))?,
                    };
                    $(params.extend(declared.part::<$part>());)?
                    $(params.push(declared.parameter::<_, $type>(None $(.or(Some($default)))?));)?
                )+
                params
            }

            fn read(query: &mut $crate::edge::QueryReader) -> Option<Self> {
                $(
                    // Unused for an included query.
                    let _name = [$($name,)? stringify!($field)][0];
                    let _missing: Option<&str> = None $(.or(Some($missing)))?;
                    $(let $field = <$part as $crate::edge::FromQuery>::read(query);)?
                    $(let $field = query.field::<_, $type>(_name, None $(.or(Some($default)))?, _missing);)?
                )+
                // All values are read before the first invalid one ends the function.
                $(let $field = $field?;)+
                $(let $reader = query;)?
                Some($value)
            }
        }
    };
}
pub(crate) use query;
