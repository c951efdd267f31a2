//! Forms whose fields may also be in `data`, as the specification writes some calls (section 7).

use std::borrow::Cow;

use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::declare::{
    Components, FieldDeclaration, FormReader, FromBody, components_of, schema_of, with_null,
};

/// A form that is read from the body and from `data` in it. A field of `data` wins. In the document no field is
/// required, because it may be in either place.
#[derive(Debug)]
pub struct InData<F>(pub F);

/// The schema of `data`.
pub trait FormInData: FromBody + ToSchema {
    const DATA_NAME: &'static str;
    const DATA_DESCRIPTION: &'static str;
}

impl<F: FormInData> FromBody for InData<F> {
    fn fields() -> Vec<FieldDeclaration> {
        let mut reference = Ref::from_schema_name(F::DATA_NAME);
        "The fields of this body may also be in `data`, as the specification writes the call (section 7)."
            .clone_into(&mut reference.description);
        let data = FieldDeclaration {
            name: "data",
            is_required: false,
            schema: reference.into(),
            components: vec![(F::DATA_NAME.to_owned(), data_schema::<F>())],
        };
        let fields = F::fields().into_iter().map(|field| FieldDeclaration {
            is_required: false,
            ..field
        });
        fields.chain([data]).collect()
    }

    fn read(form: &mut FormReader<'_>) -> Option<Self> {
        form.flatten("data");
        F::read(form).map(Self)
    }
}

/// The same fields without their descriptions. The optional ones may be null.
fn data_schema<F: FormInData>() -> RefOr<Schema> {
    let object = ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(F::DATA_DESCRIPTION));
    let fields = F::fields().into_iter();
    fields
        .fold(object, |object, field| {
            let schema = without_description(field.schema);
            let schema = if field.is_required {
                schema
            } else {
                with_null(schema)
            };
            object.property(field.name, schema)
        })
        .into()
}

fn without_description(schema: RefOr<Schema>) -> RefOr<Schema> {
    match schema {
        RefOr::T(Schema::Object(mut object)) => {
            object.description = None;
            object.into()
        }
        RefOr::Ref(mut reference) => {
            reference.description = String::new();
            reference.into()
        }
        other => other,
    }
}

impl<F: FormInData> PartialSchema for InData<F> {
    fn schema() -> RefOr<Schema> {
        schema_of::<Self>(&[])
    }
}

impl<F: FormInData> ToSchema for InData<F> {
    fn name() -> Cow<'static, str> {
        F::name()
    }

    fn schemas(schemas: &mut Components) {
        schemas.extend(components_of::<Self>());
    }
}
