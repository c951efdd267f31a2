//! The records of the people who sign in: sellers, staff, and which companies a seller may act for. Each change leaves
//! a row in the audit trail, in the transaction of the change.
//!
//! Sessions are `sessions`' matter; what a role may do is the route table's.

mod admins;
mod audit;
mod known;
mod profile;
mod sellers;

use thiserror::Error;

pub use admins::{AdminProfile, NewAdmin, admin_create, admin_fetch, admin_update, admin_with_password};
pub use audit::{Actor, Change, record};
pub use known::{OwnPassword, own_password, people_names};
pub use profile::{ProfileChange, Theme, TimeZone, profile_record};
pub use sellers::{
    NewSeller, SellerBusinessRow, SellerProfile, access_grant, seller_create, seller_fetch, seller_update,
    seller_with_password,
};

/// Whom an e-mail belongs to, and what their password is checked against.
pub struct Credentials {
    pub user_id: ledger_domain::ids::UserId,
    pub password_hash: String,
    pub active: bool,
}

#[derive(Debug, Error)]
pub enum PeopleError {
    #[error("the e-mail belongs to somebody else already")]
    EmailTaken,
    #[error("the database failed: {0}")]
    Database(tokio_postgres::Error),
}

impl From<tokio_postgres::Error> for PeopleError {
    fn from(error: tokio_postgres::Error) -> Self {
        let constraint = error.as_db_error().and_then(|told| told.constraint());
        match constraint {
            Some("seller_user_email_key" | "admin_user_email_key") => Self::EmailTaken,
            _ => Self::Database(error),
        }
    }
}

/// One spelling for one address.
pub fn normal_email(text: &str) -> String {
    text.trim().to_lowercase()
}
