//! The fields of a PIX code: number (2 digits), length (2 digits), value.

use std::fmt;

use super::PixCodeError;

/// The number of a field, and of a field inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldPath {
    pub outer: u8,
    pub inner: Option<u8>,
}

impl FieldPath {
    pub(super) const fn outer(outer: u8) -> Self {
        Self { outer, inner: None }
    }

    pub(super) const fn inner(outer: u8, inner: u8) -> Self {
        Self {
            outer,
            inner: Some(inner),
        }
    }
}

/// `54`, or `26-01`.
impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inner {
            None => write!(f, "{:02}", self.outer),
            Some(inner) => write!(f, "{:02}-{inner:02}", self.outer),
        }
    }
}

/// What the length of a field counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    Characters,
    /// The bytes of UTF-8.
    Bytes,
}

/// The fields of one level, in the order in which they are written.
#[derive(Debug)]
pub struct Fields<'a> {
    template: Option<u8>,
    lengths: Lengths,
    fields: Vec<Field<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    pub id: u8,
    value: &'a str,
    lengths: Lengths,
    /// The value's place in the code, in characters.
    offset: usize,
}

impl<'a> Fields<'a> {
    pub fn parse(code: &'a str, lengths: Lengths) -> Result<Self, PixCodeError> {
        let fields = Self {
            template: None,
            lengths,
            fields: vec![],
        };
        fields.parsed(code, 0)
    }

    /// The fields inside a field.
    pub fn parse_inner(field: Field<'a>) -> Result<Self, PixCodeError> {
        let fields = Self {
            template: Some(field.id),
            lengths: field.lengths,
            fields: vec![],
        };
        fields.parsed(field.value, field.offset)
    }

    /// `offset` is the place of the text in the code, in characters, for error messages.
    fn parsed(mut self, text: &'a str, offset: usize) -> Result<Self, PixCodeError> {
        let mut rest = text;
        let mut at = offset;
        while !rest.is_empty() {
            let (Some(id), Some(length)) = (two_digits(rest, 0), two_digits(rest, 2)) else {
                return Err(PixCodeError::FieldHeader { at: at + 1 });
            };
            let path = self.path(id);
            let (value, after) =
                split(&rest[4..], length, self.lengths).ok_or(PixCodeError::FieldTruncated { path })?;
            self.fields.push(Field {
                id,
                value,
                lengths: self.lengths,
                offset: at + 4,
            });
            at += 4 + value.chars().count();
            rest = after;
        }
        Ok(self)
    }

    /// The first value of a field. `None` if it is missing or empty.
    pub fn get(&self, id: u8) -> Option<&'a str> {
        self.iter()
            .find(|field| field.id == id && !field.value.is_empty())
            .map(|field| field.value)
    }

    /// The value of a field that decides who is paid or how much: a repeat is refused, because banks' applications
    /// could choose differently.
    pub fn only(&self, id: u8) -> Result<Option<&'a str>, PixCodeError> {
        if self.iter().filter(|field| field.id == id).count() > 1 {
            return Err(PixCodeError::FieldRepeated { path: self.path(id) });
        }
        Ok(self.get(id))
    }

    pub fn iter(&self) -> impl Iterator<Item = Field<'a>> {
        self.fields.iter().copied()
    }

    pub const fn path(&self, id: u8) -> FieldPath {
        match self.template {
            None => FieldPath::outer(id),
            Some(template) => FieldPath::inner(template, id),
        }
    }
}

fn split(text: &str, length: u8, lengths: Lengths) -> Option<(&str, &str)> {
    let length = usize::from(length);
    match lengths {
        Lengths::Bytes => text.split_at_checked(length),
        Lengths::Characters => {
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            ends.into_iter().nth(length).map(|at| text.split_at(at))
        }
    }
}

fn two_digits(text: &str, at: usize) -> Option<u8> {
    let digits = text.get(at..at + 2)?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        digits.parse().ok()
    } else {
        None
    }
}

/// Appends a field. The value is ASCII of 1 to 99 characters.
pub fn write(code: &mut String, id: u8, value: &str) {
    code.push_str(&format!("{id:02}{:02}{value}", value.len()));
}
