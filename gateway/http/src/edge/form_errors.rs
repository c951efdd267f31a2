//! The errors of a form's fields as a problem.

use gateway_platform::form_errors::FormErrors;

use crate::problem::Problem;

/// Fields of a form with their names, as `FormErrors` takes them.
macro_rules! named_fields {
    ($form:expr, [$($field:ident),+ $(,)?]) => {
        [$((stringify!($field), &$form.$field)),+]
    };
}

pub(crate) use named_fields;

/// A 422 that reports every invalid field.
impl From<FormErrors> for Problem {
    fn from(errors: FormErrors) -> Self {
        Self::fields(errors.into_messages())
    }
}
