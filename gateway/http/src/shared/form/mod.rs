//! Bodies of requests as forms. One declaration gives the struct, its schema in the document, and the reader, which
//! reports all faults at once. What the document requires is no option in Rust.
//!
//! ```ignore
//! form! {
//!     pub struct TicketForm {
//!         #[example = "Dúvida sobre o repasse"]
//!         subject: String = required(line(120), "Informe o assunto."),
//!         /// This comment is the description in the document.
//!         state: TicketState = word(),
//!         /// The version that the change started from.
//!         #[example = 1]
//!         version: Option<i32> = optional(int32()),
//!     }
//! }
//!
//! async fn create_ticket(Form(form): Form<TicketForm>) { form.subject }
//! ```
//!
//! A field is a kind of value (`kinds`), and `required`, `optional`, `nullable`, `clearable` or `cleared_by_null` says
//! what an absent, null or blank value means. `part` is an object that another form declares; `profile: ..ProfileForm`
//! includes the fields of another form. A rule over several fields, or another type than the struct of the fields, is
//! written like that of `query!`:
//!
//! ```ignore
//! form! {
//!     impl FromBody for Period with form {
//!         start: NaiveDate = required(value(), "Informe o início."),
//!         end: NaiveDate = required(value(), "Informe o fim."),
//!     } => {
//!         if start > end {
//!             form.error("end", "A data final deve ser igual ou posterior à inicial.");
//!         }
//!         Self { start, end }
//!     }
//! }
//! ```

mod declare;
mod extract;
mod in_data;
mod kinds;
#[cfg(test)]
mod tests;

pub(crate) use declare::form;
pub use declare::{
    Components, Declared, Field, FieldDeclaration, FieldText, FormReader, FromBody, Kind, PartDeclaration,
    clearable, cleared_by_null, component, components_of, flag, nullable, optional, part, refuse_null,
    required, required_nullable, required_or, required_part, schema_of, unprefixed_part,
};
pub use extract::{Form, IdempotentForm, OptionalForm};
pub use in_data::{FormInData, InData};
pub use kinds::{
    REASON_MAX, boolean, cents, cents_from_one, given, given_list, given_named, given_with, int32, line,
    list, number, optional_word, paragraphs, password, required_ruled, ruled, text, trimmed, uuid, value,
    word, word_kind,
};
