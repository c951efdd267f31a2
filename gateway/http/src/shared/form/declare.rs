//! The declaration of a form. The schema and the reader both follow from it.

use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::schema::{AllOfBuilder, ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};

use crate::edge::FormErrors;
use crate::problem::{Problem, Result};
use crate::shared::schemas::description as description_of;

/// A body that `form!` declares.
pub trait FromBody: Sized {
    /// The fields, for the document.
    fn fields() -> Vec<FieldDeclaration>;

    /// The forms whose fields this form has too.
    fn parts() -> Vec<PartDeclaration> {
        vec![]
    }

    /// Reads all fields, so that the reader has the errors of all. `None` if one is invalid. If only a rule over
    /// several fields is broken, the reader has its error and the returned value is not used.
    fn read(form: &mut FormReader<'_>) -> Option<Self>;

    /// Reads a whole body. The error has all invalid fields.
    fn from_body(body: Map<String, Value>) -> Result<Self> {
        let mut errors = FormErrors::default();
        let form = Self::read(&mut FormReader {
            body,
            errors: &mut errors,
            prefix: String::new(),
        });
        errors.finish()?;
        form.ok_or_else(|| Problem::internal("an invalid form without an error"))
    }
}

/// Reads the fields of an object by name, and collects their errors.
pub struct FormReader<'a> {
    body: Map<String, Value>,
    errors: &'a mut FormErrors,
    /// The path of the object in the body, such as `address.`.
    prefix: String,
}

impl FormReader<'_> {
    pub fn field<T>(&mut self, name: &str, declared: &Declared<T>) -> Option<T> {
        let mut field = Field {
            path: format!("{}{name}", self.prefix),
            errors: self.errors,
            is_invalid: false,
        };
        (declared.read)(self.body.remove(name), &mut field)
    }

    /// Takes the fields of an object in this field as if the form had them.
    pub fn flatten(&mut self, name: &str) {
        match self.body.remove(name) {
            Some(Value::Object(inner)) => {
                self.body
                    .extend(inner.into_iter().filter(|(_, value)| !value.is_null()));
            }
            None => {}
            Some(_) => self.error(name, WRONG_TYPE),
        }
    }

    /// The errors of a part's required fields, for a rule by which the part is missing.
    pub fn missing_part<F: FromBody>(&mut self, name: &str) {
        // It is `None`, because its required fields have errors.
        let _missing = F::read(&mut FormReader {
            body: Map::new(),
            errors: self.errors,
            prefix: format!("{}{name}.", self.prefix),
        });
    }

    /// The error of a rule over several fields.
    pub fn error(&mut self, name: &str, message: &str) {
        self.errors.add(&format!("{}{name}", self.prefix), message);
    }
}

/// The error of a value of another JSON type.
const WRONG_TYPE: &str = "Valor inválido.";

/// The field that is read.
pub struct Field<'a> {
    /// The name, after those of the objects that it is in.
    path: String,
    errors: &'a mut FormErrors,
    is_invalid: bool,
}

impl Field<'_> {
    pub fn error(&mut self, message: &str) {
        self.errors.add(&self.path, message);
        self.is_invalid = true;
    }

    /// The same in a part of the value, such as `[0].card_brand`.
    pub fn wrong_type_at(&mut self, path: &str) {
        let of_whole = path == ".";
        let separator = if of_whole || path.starts_with('[') {
            ""
        } else {
            "."
        };
        let path = if of_whole { "" } else { path };
        self.errors
            .add(&format!("{}{separator}{path}", self.path), WRONG_TYPE);
        self.is_invalid = true;
    }

    /// The error of a value of another JSON type.
    pub fn wrong_type<T>(&mut self) -> Option<T> {
        self.error(WRONG_TYPE);
        None
    }
}

/// Named schemas of the document.
pub type Components = Vec<(String, RefOr<Schema>)>;

type SchemaOf = Box<dyn Fn(&mut Components) -> RefOr<Schema>>;
type Reader<Given, T> = Box<dyn Fn(Given, &mut Field<'_>) -> Option<T>>;

/// A kind of value: its schema, and the reader of a JSON value that is not null.
pub struct Kind<T> {
    /// Adds the components that the schema refers to.
    schema: SchemaOf,
    /// `None` if the field has an error, and without an error if the value is blank.
    read: Reader<Value, T>,
}

impl<T: 'static> Kind<T> {
    /// The same kind, with null in its schema. Optional fields have it by themselves, except booleans and those of a form
    /// that includes another one.
    pub fn or_null(self) -> Self {
        let schema = self.schema;
        Self {
            schema: Box::new(move |components| with_null(schema(components))),
            read: self.read,
        }
    }

    pub fn new(
        schema: impl Fn(&mut Components) -> RefOr<Schema> + 'static,
        read: impl Fn(Value, &mut Field<'_>) -> Option<T> + 'static,
    ) -> Self {
        Self {
            schema: Box::new(schema),
            read: Box::new(read),
        }
    }

    /// A blank value is an error too, for a field that may be absent. The error is shown to the user.
    pub fn not_blank(self, message: &'static str) -> Self {
        let read = self.read;
        Self {
            schema: self.schema,
            read: Box::new(move |given, field| {
                let value = read(given, field);
                if value.is_none() && !field.is_invalid {
                    field.error(message);
                }
                value
            }),
        }
    }

    /// Completes the schema, such as by a minimum that a later rule checks.
    pub fn described(self, describe: impl Fn(ObjectBuilder) -> ObjectBuilder + 'static) -> Self {
        let schema = self.schema;
        Self {
            schema: Box::new(move |components| match schema(components) {
                RefOr::T(Schema::Object(object)) => describe(object.into()).into(),
                other => other,
            }),
            read: self.read,
        }
    }

    /// A further rule of a field, or another type that is made of the value. The error is shown to the user.
    pub fn then<U: 'static>(self, rule: impl Fn(T) -> Result<U, &'static str> + 'static) -> Kind<U> {
        let read = self.read;
        Kind {
            schema: self.schema,
            read: Box::new(move |given, field| {
                let value = read(given, field)?;
                rule(value).map_err(|message| field.error(message)).ok()
            }),
        }
    }
}

/// A kind, and what an absent, null or blank value means.
pub struct Declared<T> {
    is_required: bool,
    /// Null is an error. Else it means the same as an absent field.
    schema: SchemaOf,
    read: Reader<Option<Value>, T>,
}

/// An absent value is an error, which is shown to the user.
pub fn required<T: 'static>(kind: Kind<T>, missing: &'static str) -> Declared<T> {
    let read = kind.read;
    Declared {
        is_required: true,
        schema: kind.schema,
        read: Box::new(move |given, field| {
            let value = not_null(given).and_then(|given| read(given, field));
            if value.is_none() && !field.is_invalid {
                field.error(missing);
            }
            value
        }),
    }
}

/// An absent value is read like another one, such as an empty text, so that the kind itself says what is missing.
pub fn required_or<T: 'static>(kind: Kind<T>, absent: impl Fn() -> Value + 'static) -> Declared<T> {
    let read = kind.read;
    Declared {
        is_required: true,
        schema: kind.schema,
        read: Box::new(move |given, field| read(not_null(given).unwrap_or_else(&absent), field)),
    }
}

pub fn optional<T: 'static>(kind: Kind<T>) -> Declared<Option<T>> {
    let read = kind.read;
    Declared {
        is_required: false,
        schema: kind.schema,
        read: Box::new(move |given, field| {
            let value = not_null(given).and_then(|given| read(given, field));
            (!field.is_invalid).then_some(value)
        }),
    }
}

/// A field of a change: an absent or null one stays as it is, and a blank one is cleared.
pub fn clearable<T: 'static>(kind: Kind<T>) -> Declared<Option<Option<T>>> {
    let read = kind.read;
    Declared {
        is_required: false,
        schema: kind.schema,
        read: Box::new(move |given, field| {
            let value = not_null(given).map(|given| read(given, field));
            (!field.is_invalid).then_some(value)
        }),
    }
}

/// A field of a change: an absent one stays as it is, and null or a blank one is cleared.
pub fn nullable<T: 'static>(kind: Kind<T>) -> Declared<Option<Option<T>>> {
    let read = kind.read;
    Declared {
        is_required: false,
        schema: kind.schema,
        read: Box::new(move |given, field| {
            let is_given = given.is_some();
            let value = not_null(given).and_then(|given| read(given, field));
            (!field.is_invalid).then_some(is_given.then_some(value))
        }),
    }
}

/// The field must be given, and may be null.
pub fn required_nullable<T: 'static>(kind: Kind<T>, missing: &'static str) -> Declared<Option<T>> {
    let Declared { schema, read, .. } = nullable(kind);
    Declared {
        is_required: true,
        schema: Box::new(move |components| match schema(components) {
            RefOr::Ref(reference) => OneOfBuilder::new()
                .item(reference)
                .item(ObjectBuilder::new().schema_type(Type::Null))
                .into(),
            other => with_null(other),
        }),
        read: Box::new(move |given, field| {
            let value = read(given, field)?;
            if value.is_none() {
                field.error(missing);
            }
            value
        }),
    }
}

/// A field of a change that null clears. An absent one stays as it is.
pub fn cleared_by_null<T: 'static>(kind: Kind<T>) -> Declared<Option<Option<T>>> {
    let read = kind.read;
    let schema = kind.schema;
    Declared {
        is_required: false,
        schema: Box::new(move |components| with_null(schema(components))),
        read: Box::new(move |given, field| match given {
            Some(Value::Null) => Some(Some(None)),
            given => {
                let value = given.and_then(|given| read(given, field));
                (!field.is_invalid).then_some(value.map(Some))
            }
        }),
    }
}

impl Declared<Option<bool>> {
    /// The document says that the switch may be null, as it says of all other optional fields.
    pub fn or_null(self) -> Self {
        let schema = self.schema;
        Self {
            schema: Box::new(move |components| with_null(schema(components))),
            ..self
        }
    }
}

/// The schema of a value that may be null.
pub(super) fn with_null(schema: RefOr<Schema>) -> RefOr<Schema> {
    let null = |kind: SchemaType| match kind {
        SchemaType::Type(kind) => SchemaType::Array(vec![kind, Type::Null]),
        other => other,
    };
    match schema {
        RefOr::T(Schema::Object(mut object)) => {
            object.schema_type = null(object.schema_type);
            object.into()
        }
        RefOr::T(Schema::Array(mut array)) => {
            array.schema_type = null(array.schema_type);
            array.into()
        }
        other => OneOfBuilder::new()
            .item(ObjectBuilder::new().schema_type(Type::Null))
            .item(other)
            .into(),
    }
}

/// The field may be absent, but not null.
pub fn refuse_null<T: 'static>(declared: Declared<T>) -> Declared<T> {
    let read = declared.read;
    Declared {
        is_required: declared.is_required,
        schema: declared.schema,
        read: Box::new(move |given, field| match given {
            Some(Value::Null) => field.wrong_type(),
            given => read(given, field),
        }),
    }
}

/// Null means the same as an absent field, unless `refuse_null` says otherwise.
fn not_null(given: Option<Value>) -> Option<Value> {
    given.filter(|value| !value.is_null())
}

/// An object that another form declares. Its errors have the path of their field, such as `address.city`.
pub fn part<F: FromBody + ToSchema + 'static>() -> Kind<F> {
    part_named(|path| format!("{path}."))
}

/// The same, but its errors have the names of its own fields.
pub fn unprefixed_part<F: FromBody + ToSchema + 'static>() -> Kind<F> {
    part_named(|_| String::new())
}

fn part_named<F: FromBody + ToSchema + 'static>(prefix: fn(&str) -> String) -> Kind<F> {
    Kind::new(component::<F>, move |given, field| {
        let Value::Object(body) = given else {
            return field.wrong_type();
        };
        let part = F::read(&mut FormReader {
            body,
            errors: field.errors,
            prefix: prefix(&field.path),
        });
        field.is_invalid |= part.is_none();
        part
    })
}

/// An absent part is read as an empty one, so that the errors name its required fields.
pub fn required_part<F: FromBody + ToSchema + 'static>() -> Declared<F> {
    required_or(part(), || Value::Object(Map::new()))
}

/// The reference to a named schema.
pub fn component<T: ToSchema>(components: &mut Components) -> RefOr<Schema> {
    components.push((T::name().into_owned(), T::schema()));
    T::schemas(components);
    Ref::from_schema_name(T::name()).into()
}

/// A boolean, which is false if it is absent. Null is an error, as the document says of all booleans.
pub fn flag() -> Declared<bool> {
    let schema = |_: &mut Components| ObjectBuilder::new().schema_type(Type::Boolean).into();
    let read = |given: Option<Value>, field: &mut Field<'_>| match given {
        None => Some(false),
        Some(Value::Bool(flag)) => Some(flag),
        Some(_) => field.wrong_type(),
    };
    Declared {
        is_required: false,
        schema: Box::new(schema),
        read: Box::new(read),
    }
}

/// A field of a form in the document.
pub struct FieldDeclaration {
    pub(super) name: &'static str,
    pub(super) is_required: bool,
    pub(super) schema: RefOr<Schema>,
    pub(super) components: Components,
}

/// What the document says of a field.
pub struct FieldText {
    pub name: &'static str,
    /// The lines of the comment.
    pub description: &'static [&'static str],
    pub example: Option<Value>,
}

impl FieldText {
    pub fn declaring<T>(self, declared: Declared<T>) -> FieldDeclaration {
        let Self {
            name,
            description,
            example,
        } = self;
        let description = description_of(description);
        let mut components = vec![];
        let mut schema = (declared.schema)(&mut components);
        match &mut schema {
            RefOr::T(Schema::Object(object)) => {
                object.description = description;
                object.example = example;
            }
            RefOr::T(Schema::Array(array)) => {
                array.description = description;
                array.example = example;
            }
            RefOr::T(Schema::OneOf(choices)) => {
                for choice in &mut choices.items {
                    if let RefOr::Ref(reference) = choice {
                        reference.description = description.clone().unwrap_or_default();
                    }
                }
            }
            RefOr::Ref(reference) => reference.description = description.unwrap_or_default(),
            RefOr::T(_) => {}
        }
        FieldDeclaration {
            name,
            is_required: declared.is_required,
            schema,
            components,
        }
    }
}

/// The schema of a form whose fields another form has too.
pub struct PartDeclaration {
    schema: RefOr<Schema>,
    components: Components,
}

impl PartDeclaration {
    pub fn of<F: ToSchema>() -> Self {
        let mut components = vec![];
        Self {
            schema: component::<F>(&mut components),
            components,
        }
    }
}

/// The schema of a form.
pub fn schema_of<F: FromBody>(description: &[&str]) -> RefOr<Schema> {
    let mut object = ObjectBuilder::new().schema_type(Type::Object);
    for field in F::fields() {
        object = object.property(field.name, field.schema);
        if field.is_required {
            object = object.required(field.name);
        }
    }
    let description = description_of(description);
    let parts = F::parts();
    if parts.is_empty() {
        return object.description(description).into();
    }
    let all = parts
        .into_iter()
        .fold(AllOfBuilder::new(), |all, part| all.item(part.schema));
    all.item(object).description(description).into()
}

/// The components that the schema of a form refers to.
pub fn components_of<F: FromBody>() -> Components {
    let of_fields = F::fields().into_iter().flat_map(|field| field.components);
    let of_parts = F::parts().into_iter().flat_map(|part| part.components);
    of_fields.chain(of_parts).collect()
}

/// Declares a form; see the module.
macro_rules! form {
    (
        $(#[doc = $form_doc:literal])*
        $(#[derive($($derive:path),+)])?
        $visibility:vis struct $form:ident {
            $(
                $(#[doc = $doc:literal])*
                $(#[name = $name:literal])?
                $(#[example = $example:expr])?
                $field:ident: $(..$part:ident)? $($type:ty = $kind:expr)?
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $form_doc])*
        $(#[derive($($derive),+)])?
        $visibility struct $form {
            $($(#[doc = $doc])* pub(crate) $field: $($part)? $($type)?,)+
        }

        $crate::shared::form::form! {
            $(#[doc = $form_doc])*
            impl FromBody for $form {
                $(
                    $(#[doc = $doc])*
                    $(#[name = $name])?
                    $(#[example = $example])?
                    $field: $(..$part)? $($type = $kind)?
                ),+
            } => Self { $($field),+ }
        }
    };
    (
        $(#[doc = $form_doc:literal])*
        impl FromBody for $form:ident $(with $reader:ident)? {
            $(
                $(#[doc = $doc:literal])*
                $(#[name = $name:literal])?
                $(#[example = $example:expr])?
                $field:ident: $(..$part:ident)? $($type:ty = $kind:expr)?
            ),+ $(,)?
        } => $value:expr
    ) => {
        impl $crate::shared::form::FromBody for $form {
            fn fields() -> Vec<$crate::shared::form::FieldDeclaration> {
                #[allow(unused_mut, reason = "a form may have parts only")]
                let mut fields = Vec::new();
                $(
                    // Unused for a part.
                    let _text = $crate::shared::form::FieldText {
                        name: [$($name,)? stringify!($field)][0],
                        description: &[$($doc),*],
                        example: None $(.or(Some(serde_json::json!($example))))?,
                    };
                    $(fields.push(_text.declaring::<$type>($kind));)?
                )+
                fields
            }

            fn parts() -> Vec<$crate::shared::form::PartDeclaration> {
                vec![$($($crate::shared::form::PartDeclaration::of::<$part>(),)?)+]
            }

            fn read(form: &mut $crate::shared::form::FormReader<'_>) -> Option<Self> {
                $(
                    // Unused for a part.
                    let _name = [$($name,)? stringify!($field)][0];
                    $(let $field = <$part as $crate::shared::form::FromBody>::read(form);)?
                    $(let $field = form.field::<$type>(_name, &$kind);)?
                )+
                // All fields are read before the first invalid one ends the function.
                $(let $field = $field?;)+
                $(let $reader = form;)?
                Some($value)
            }
        }

        impl utoipa::PartialSchema for $form {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::shared::form::schema_of::<Self>(&[$($form_doc),*])
            }
        }

        impl utoipa::ToSchema for $form {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($form).into()
            }

            fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
                schemas.extend($crate::shared::form::components_of::<Self>());
            }
        }
    };
}
pub(crate) use form;
