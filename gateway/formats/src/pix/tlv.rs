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

/// The fields of one level, in the order in which they are written. No number occurs twice.
#[derive(Debug)]
pub struct Fields<'a> {
    template: Option<u8>,
    fields: Vec<Field<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    pub id: u8,
    value: &'a str,
    /// The value's place in the code.
    offset: usize,
}

impl<'a> Fields<'a> {
    /// The fields of a code, which must be ASCII.
    pub fn parse(code: &'a str) -> Result<Self, PixCodeError> {
        Self::parse_at(code, 0, None)
    }

    /// The fields inside a field.
    pub fn parse_inner(field: Field<'a>) -> Result<Self, PixCodeError> {
        Self::parse_at(field.value, field.offset, Some(field.id))
    }

    /// `offset` is the place of the text in the code, for error messages.
    fn parse_at(text: &'a str, offset: usize, template: Option<u8>) -> Result<Self, PixCodeError> {
        let mut parsed = Self {
            template,
            fields: vec![],
        };
        let mut at = 0;
        while at < text.len() {
            let (Some(id), Some(length)) = (two_digits(text, at), two_digits(text, at + 2)) else {
                return Err(PixCodeError::FieldHeader { at: offset + at + 1 });
            };
            let path = parsed.path(id);
            let start = at + 4;
            at = start + usize::from(length);
            let value = text.get(start..at).ok_or(PixCodeError::FieldTruncated { path })?;
            if value.is_empty() {
                return Err(PixCodeError::FieldEmpty { path });
            }
            if parsed.get(id).is_some() {
                return Err(PixCodeError::FieldRepeated { path });
            }
            parsed.fields.push(Field {
                id,
                value,
                offset: offset + start,
            });
        }
        Ok(parsed)
    }

    pub fn get(&self, id: u8) -> Option<&'a str> {
        self.iter().find(|field| field.id == id).map(|field| field.value)
    }

    pub fn required(&self, id: u8) -> Result<&'a str, PixCodeError> {
        self.required_field(id).map(|field| field.value)
    }

    pub fn required_field(&self, id: u8) -> Result<Field<'a>, PixCodeError> {
        self.iter()
            .find(|field| field.id == id)
            .ok_or(PixCodeError::FieldMissing { path: self.path(id) })
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
