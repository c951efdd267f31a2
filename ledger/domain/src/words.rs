//! Enums with a fixed text form: a word, or a number and a word.
//!
//! Each enum is declared as a table, so that all of them parse and print by the same rules, and no word stands twice.

use std::fmt;

#[doc(hidden)]
pub use serde;
use thiserror::Error;

/// The text or number is not a value of the enum.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a {enum_name}: {value:?}")]
pub struct ParseEnumError {
    pub enum_name: &'static str,
    pub value: String,
}

/// An enum whose values are words in the API and the database. `words!` declares one.
///
/// Generic code reads a word from a query or a body, writes it to a column, and lists the words in the document and in
/// the 422. Other code calls the functions of the same names that the enum has itself.
pub trait Words: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The enum's name. Also that of its schema in the API's document.
    const NAME: &'static str;
    /// The lines of the enum's comment, for the API's document.
    const DESCRIPTION: &'static [&'static str];
    const ALL: &'static [Self];
    /// The words that are read as another one.
    const ALIASES: &'static [&'static str];
    /// What a user reads who sends another word, such as "Deve ser new, answered ou closed."
    const INVALID: &'static str;

    fn as_str(self) -> &'static str;

    /// The Portuguese name for screens, spreadsheets and histories. The word itself if the enum has no labels.
    fn label(self) -> &'static str;

    fn parse(text: &str) -> Result<Self, ParseEnumError>;
}

/// An enum whose values are numbers in JSON and SQL. `numbers!` declares one.
pub trait Numbers: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The enum's name. Also that of its schema in the API's document.
    const NAME: &'static str;
    /// The lines of the enum's comment, for the API's document.
    const DESCRIPTION: &'static [&'static str];
    const ALL: &'static [Self];

    fn number(self) -> u8;

    fn from_number(number: u8) -> Result<Self, ParseEnumError>;

    /// The Portuguese name for screens, spreadsheets and histories.
    fn label(self) -> &'static str;
}

/// Declares an enum of words: each value with its spelling in the API and the database, and its label in Portuguese.
/// From the declaration follow `as_str`, `parse`, `label`, `Display`, `FromStr`, serde and `Words`, and from `Words`
/// the column (`ledger-rows`), the query parameter, the field of a form, the schema and the labels of the panels
/// (`gateway-http`).
///
/// ```ignore
/// ledger_domain::words! {
///     /// The comment is the description in the document.
///     #[derive(Default)]
///     pub enum TicketState {
///         #[default]
///         New = "new" => "Nova",
///         // `open` is accepted too, but not written.
///         Answered = "answered" | "open" => "Respondida",
///     }
/// }
/// ```
///
/// Users who send another word read which ones there are. `enum TicketState else "Este estado não existe." {` gives
/// another text.
///
/// Labels may be left out where no screen shows the values, as for the columns by which a list is sorted.
#[macro_export]
macro_rules! words {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:path),+)])?
        $visibility:vis enum $name:ident $(else $invalid:literal)? {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident = $word:literal $(| $alias:literal)* $(=> $label:literal)?
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $(#[derive($($derive),+)])?
        $visibility enum $name {
            $($(#[$variant_meta])* $variant,)+
        }

        #[allow(dead_code, reason = "not every enum needs every function")]
        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The Portuguese name for screens, spreadsheets and histories.
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$variant => [$($label,)? $word][0],)+
                }
            }

            pub fn parse(text: &str) -> Result<Self, $crate::words::ParseEnumError> {
                match text {
                    $($word $(| $alias)* => Ok(Self::$variant),)+
                    _ => Err($crate::words::ParseEnumError {
                        enum_name: stringify!($name),
                        value: text.to_owned(),
                    }),
                }
            }
        }

        impl $crate::words::Words for $name {
            const NAME: &'static str = stringify!($name);
            const DESCRIPTION: &'static [&'static str] = &[$($doc),*];
            const ALL: &'static [Self] = Self::ALL;
            const ALIASES: &'static [&'static str] = &[$($($alias,)*)+];
            const INVALID: &'static str =
                [$($invalid,)? concat!("Deve ser ", $crate::choices!($($word)+), ".")][0];

            fn as_str(self) -> &'static str {
                self.as_str()
            }

            fn label(self) -> &'static str {
                self.label()
            }

            fn parse(text: &str) -> Result<Self, $crate::words::ParseEnumError> {
                Self::parse(text)
            }
        }

        $crate::text_form!($name);

        impl $crate::words::serde::Serialize for $name {
            fn serialize<S: $crate::words::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::words::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::words::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as $crate::words::serde::Deserialize>::deserialize(deserializer)?;
                Self::parse(&text).map_err($crate::words::serde::de::Error::custom)
            }
        }
    };
}

/// The words of a sentence: "new, answered ou closed".
#[doc(hidden)]
#[macro_export]
macro_rules! choices {
    ($only:literal) => {
        $only
    };
    ($one:literal $last:literal) => {
        concat!($one, " ou ", $last)
    };
    ($first:literal $($others:literal)+) => {
        concat!($first, ", ", $crate::choices!($($others)+))
    };
}

/// Declares an enum that is a number in JSON and SQL. Its text form is a word, the slug.
///
/// ```ignore
/// ledger_domain::numbers! {
///     /// 0 bought, 1 rented.
///     pub enum Acquisition {
///         Purchased = 0, "purchased" => "Comprada",
///         Rental = 1, "rental" => "Alugada",
///     }
/// }
/// ```
#[macro_export]
macro_rules! numbers {
    (
        $(#[doc = $doc:literal])*
        $visibility:vis enum $name:ident {
            $($(#[$variant_doc:meta])* $variant:ident = $number:literal, $slug:literal => $label:literal,)+
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $name {
            $($(#[$variant_doc])* $variant = $number,)+
        }

        #[allow(dead_code, reason = "not every enum needs every function")]
        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub const fn number(self) -> u8 {
                self as u8
            }

            pub fn from_number(number: u8) -> Result<Self, $crate::words::ParseEnumError> {
                match number {
                    $($number => Ok(Self::$variant),)+
                    _ => Err($crate::words::ParseEnumError {
                        enum_name: stringify!($name),
                        value: number.to_string(),
                    }),
                }
            }

            /// The word for URLs and logs.
            pub const fn slug(self) -> &'static str {
                match self {
                    $(Self::$variant => $slug,)+
                }
            }

            pub const fn as_str(self) -> &'static str {
                self.slug()
            }

            pub fn from_slug(text: &str) -> Result<Self, $crate::words::ParseEnumError> {
                match text {
                    $($slug => Ok(Self::$variant),)+
                    _ => Err($crate::words::ParseEnumError {
                        enum_name: stringify!($name),
                        value: text.to_owned(),
                    }),
                }
            }

            /// Accepts the number (used by filters) or the slug.
            pub fn parse(text: &str) -> Result<Self, $crate::words::ParseEnumError> {
                match text.parse() {
                    Ok(number) => Self::from_number(number),
                    Err(_) => Self::from_slug(text),
                }
            }

            /// The Portuguese name for screens and spreadsheets.
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$variant => $label,)+
                }
            }
        }

        impl $crate::words::Numbers for $name {
            const NAME: &'static str = stringify!($name);
            const DESCRIPTION: &'static [&'static str] = &[$($doc),*];
            const ALL: &'static [Self] = Self::ALL;

            fn number(self) -> u8 {
                self.number()
            }

            fn from_number(number: u8) -> Result<Self, $crate::words::ParseEnumError> {
                Self::from_number(number)
            }

            fn label(self) -> &'static str {
                self.label()
            }
        }

        $crate::text_form!($name);

        impl $crate::words::serde::Serialize for $name {
            fn serialize<S: $crate::words::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8(self.number())
            }
        }

        impl<'de> $crate::words::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::words::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::from_number(<u8 as $crate::words::serde::Deserialize>::deserialize(deserializer)?).map_err($crate::words::serde::de::Error::custom)
            }
        }
    };
}

/// Implements `Display` and `FromStr` with `as_str` and `parse`.
#[doc(hidden)]
#[macro_export]
macro_rules! text_form {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::words::ParseEnumError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Words;

    crate::words! {
        /// The state of a ticket.
        #[derive(Default)]
        enum TicketState {
            #[default]
            New = "new" => "Nova",
            Answered = "answered" | "open" => "Respondida",
            Closed = "closed" => "Encerrada",
        }
    }

    crate::words! {
        enum TicketSort {
            CreatedAt = "created_at",
        }
    }

    #[test]
    fn an_alias_is_read_and_not_written() {
        assert_eq!(TicketState::parse("open"), Ok(TicketState::Answered));
        assert_eq!(serde_json::from_str("\"open\"").ok(), Some(TicketState::Answered));
        assert_eq!(
            serde_json::to_string(&TicketState::Answered).ok().as_deref(),
            Some("\"answered\"")
        );
        assert!(TicketState::parse("New").is_err());
        assert_eq!("closed".parse(), Ok(TicketState::Closed));
        assert_eq!(TicketState::default(), TicketState::New);
    }

    #[test]
    fn messages_name_the_words_and_screens_have_labels() {
        assert_eq!(TicketState::INVALID, "Deve ser new, answered ou closed.");
        assert_eq!(TicketSort::INVALID, "Deve ser created_at.");
        assert_eq!(TicketState::ALIASES, ["open"]);
        assert_eq!(TicketState::Answered.label(), "Respondida");
        assert_eq!(TicketSort::CreatedAt.label(), "created_at");
        assert_eq!(<TicketState as Words>::DESCRIPTION, [" The state of a ticket."]);
    }
}
