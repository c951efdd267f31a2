//! The two audiences: seller users and admin users, with separate records, tokens and cookies.

use gateway_environment::config::Panel;
use ledger_domain::ids::UserId;

use crate::audit::Actor;

ledger_domain::words! {
    /// A token of one audience is invalid for the other.
    pub enum Audience {
        Seller = "seller",
        Admin = "admin",
    }
}

impl Audience {
    /// The table of the audience's users. The audit log uses the same name.
    pub const fn table(self) -> &'static str {
        match self {
            Self::Seller => "seller_user",
            Self::Admin => "admin_user",
        }
    }

    /// The key by which rate limits count attempts on an e-mail, whether or not a user has that e-mail.
    pub fn account(self, email: &str) -> String {
        format!("{}/{email}", self.as_str())
    }

    pub const fn of_panel(panel: Panel) -> Self {
        match panel {
            Panel::Seller => Self::Seller,
            Panel::Admin => Self::Admin,
        }
    }

    /// A user of this audience, as the audit log names them.
    pub const fn actor(self, user: UserId) -> Actor {
        match self {
            Self::Seller => Actor::Seller(user),
            Self::Admin => Actor::Admin(user),
        }
    }

    pub const fn other(self) -> Self {
        match self {
            Self::Seller => Self::Admin,
            Self::Admin => Self::Seller,
        }
    }
}
