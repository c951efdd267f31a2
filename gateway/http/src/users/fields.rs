//! The fields of users in forms. Their rules are in `gateway_identity::fields`.

use gateway_identity::fields;

use crate::edge::query::text;
use crate::shared::form::{Kind, ruled};

pub fn name() -> Kind<String> {
    ruled(|| text().max_length(Some(120)).into(), fields::name)
}

pub fn email() -> Kind<String> {
    ruled(|| text().max_length(Some(254)).into(), fields::email)
}

pub fn password() -> Kind<String> {
    let schema = || text().min_length(Some(8)).max_length(Some(128)).into();
    ruled(schema, |text| fields::password(text).map(str::to_owned))
}

pub fn cpf() -> Kind<String> {
    ruled(|| text().into(), fields::cpf)
}
