//! The records of the users: sellers with their companies, and staff. Also the rules on which user may change which.
//! Changes are recorded in the audit log in the same transaction, except those of the theme and of wanted e-mails.
//!
//! Sessions are in `sessions`. The access table states which role may make which call.

mod access;
mod admin_change;
mod admin_list;
mod admins;
pub mod audit_log;
pub mod authority;
pub mod given_access;
mod history;
mod independence;
mod locked_users;
mod lookup;
mod profile;
mod search;
mod seller_change;
mod seller_list;
mod sellers;
pub mod staff_rules;
mod still_allowed;
mod user_change;

use thiserror::Error;

pub use access::{access_upsert, companies_of_seller};
pub use admin_change::{staff_change, staff_create, staff_delete};
pub use admin_list::{AdminFilter, AdminRecord, admin_active_counts, admin_ever_existed, admin_record};
pub use admins::{AdminProfile, NewAdmin, admin_credentials, admin_insert, admin_profile};
pub use history::{AuditEntry, HistoryQuery, HistoryScope, HistoryViewer, history_page};
pub use independence::{Dependence, Hold, dependence};
pub use locked_users::ActingUser;
pub use lookup::{
    NamesOfStaff, UserAddress, active_user_password_hash, company_owners, company_users, deciding_staff,
    seller_users, user_names, user_of_staff,
};
pub use profile::{ProfileChange, Theme, profile_update};
pub use search::Search;
pub use seller_change::{
    FirstOwner, NewTeamMember, first_owner_set, team_access_grant, team_access_remove, team_member_change,
    team_member_create, team_member_delete,
};
pub use seller_list::{
    AccessRecord, SellerFilter, SellerRecord, SellerRow, seller_ever_existed, seller_list, seller_record,
    with_companies,
};
pub use sellers::{
    NewSeller, SellerBusinessRow, SellerProfile, seller_credentials, seller_insert, seller_profile,
};
pub use still_allowed::{SellerCaller, StaffCaller};
pub use user_change::{ChangeEmails, UserChange};

/// The user who has an e-mail, and the hash against which the password is checked.
pub struct Credentials {
    pub user_id: ledger_domain::ids::UserId,
    pub password_hash: String,
    pub active: bool,
}

#[derive(Debug, Error)]
pub enum UserError {
    #[error("another user already has this e-mail")]
    EmailTaken,
    #[error("the user or the user's access is unknown or not visible to the actor")]
    Unknown,
    #[error("unknown company")]
    CompanyUnknown,
    #[error("one of the listed companies is unknown")]
    ListedCompanyUnknown,
    #[error("the actor's access has ended because of a concurrent change")]
    ActorAccessEnded,
    #[error(transparent)]
    Authority(#[from] authority::AuthorityRefusal),
    #[error(transparent)]
    Staff(#[from] staff_rules::StaffRefusal),
    #[error("the database failed: {0}")]
    Database(tokio_postgres::Error),
}

impl From<tokio_postgres::Error> for UserError {
    fn from(error: tokio_postgres::Error) -> Self {
        let constraint = error
            .as_db_error()
            .and_then(|database_error| database_error.constraint());
        match constraint {
            Some("seller_user_email_key" | "admin_user_email_key") => Self::EmailTaken,
            _ => Self::Database(error),
        }
    }
}
