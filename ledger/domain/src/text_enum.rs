//! Macros for enums with a fixed text form: a word, or a number and a word.
//!
//! Each enum is declared as a table, so that all of them parse and print by the same rules.

use thiserror::Error;

/// The text or number is not a value of the enum.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a {enum_name}: {value:?}")]
pub struct ParseEnumError {
    pub enum_name: &'static str,
    pub value: String,
}

/// An enum that is stored as a word. The first word is written; the aliases are accepted as input. The label is for
/// screens.
macro_rules! text_enum {
    (
        $(#[$doc:meta])*
        $name:ident, $enum_name:literal {
            $($(#[$variant_doc:meta])* $variant:ident = $word:literal $(| $alias:literal)* => $label:literal,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The Portuguese name for screens and spreadsheets.
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$variant => $label,)+
                }
            }

            pub fn parse(text: &str) -> Result<Self, crate::text_enum::ParseEnumError> {
                match text {
                    $($word $(| $alias)* => Ok(Self::$variant),)+
                    _ => Err(crate::text_enum::ParseEnumError {
                        enum_name: $enum_name,
                        value: text.to_owned(),
                    }),
                }
            }
        }

        crate::text_enum::text_form!($name);

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                Self::parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}

/// An enum that is a number in JSON and SQL. Its text form is a word, the slug.
macro_rules! numbered_enum {
    (
        $(#[$doc:meta])*
        $name:ident, $enum_name:literal {
            $($(#[$variant_doc:meta])* $variant:ident = $number:literal, $slug:literal => $label:literal,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant = $number,)+
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub const fn number(self) -> u8 {
                self as u8
            }

            pub fn from_number(number: u8) -> Result<Self, crate::text_enum::ParseEnumError> {
                match number {
                    $($number => Ok(Self::$variant),)+
                    _ => Err(crate::text_enum::ParseEnumError {
                        enum_name: $enum_name,
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

            pub fn from_slug(text: &str) -> Result<Self, crate::text_enum::ParseEnumError> {
                match text {
                    $($slug => Ok(Self::$variant),)+
                    _ => Err(crate::text_enum::ParseEnumError {
                        enum_name: $enum_name,
                        value: text.to_owned(),
                    }),
                }
            }

            /// Accepts the number (used by filters) or the slug.
            pub fn parse(text: &str) -> Result<Self, crate::text_enum::ParseEnumError> {
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

        crate::text_enum::text_form!($name);

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8(self.number())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::from_number(u8::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }
    };
}

/// Implements `Display` and `FromStr` with `as_str` and `parse`.
macro_rules! text_form {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::text_enum::ParseEnumError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text)
            }
        }
    };
}

pub(crate) use {numbered_enum, text_enum, text_form};
