//! How the parameters of the lists of users are read: the search, and the roles of sellers and of admin users.

use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::users::Search;
use utoipa::openapi::{RefOr, Schema};

use crate::edge::QueryValue;
use crate::edge::query::{comma_separated, text};

impl QueryValue for Search {
    const INVALID: &'static str = "Deve ter até 120 caracteres.";
    const IS_FREE_TEXT: bool = true;

    fn schema() -> RefOr<Schema> {
        text().max_length(Some(Self::CHARACTERS_MAX)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl QueryValue for Vec<SellerRole> {
    const INVALID: &'static str = "Deve ser owner, admin ou operator.";

    fn schema() -> RefOr<Schema> {
        comma_separated(SellerRole::ALL.iter().map(|role| role.as_str()))
    }

    fn parse(text: &str) -> Option<Self> {
        text.split(',')
            .map(|name| SellerRole::parse(name.trim()))
            .collect()
    }
}

/// The message calls a role a group (Grupo), as the panels do.
impl QueryValue for Vec<AdminRole> {
    const INVALID: &'static str = "Deve ser o nome de um grupo.";

    fn schema() -> RefOr<Schema> {
        comma_separated(AdminRole::ALL.iter().map(|role| role.as_str()))
    }

    fn parse(text: &str) -> Option<Self> {
        text.split(',')
            .map(|name| AdminRole::parse(name.trim()))
            .collect()
    }
}
