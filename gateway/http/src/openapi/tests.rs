//! Errors that stop the build of the document. The tests of the route table check the document of each call.

use std::collections::BTreeMap;

use utoipa::{PartialSchema, ToSchema};

mod one {
    #[derive(serde::Serialize, utoipa::ToSchema)]
    pub struct Bill {
        pub cents: i64,
    }
}

mod other {
    #[derive(serde::Serialize, utoipa::ToSchema)]
    pub struct Bill {
        pub paid: bool,
    }
}

#[test]
#[should_panic(expected = "two types of the document have the name Bill")]
fn two_types_of_one_name_are_a_fault() {
    let mut schemas = BTreeMap::new();
    for schema in [one::Bill::schema(), one::Bill::schema(), other::Bill::schema()] {
        super::add_schema(&mut schemas, one::Bill::name().into_owned(), schema);
    }
}
