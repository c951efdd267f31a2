//! Who is signed in: passwords, access and refresh tokens, the rows behind them, CSRF tokens and cookies.
//!
//! What a signed-in person may do is the route table's matter; who the people are is `people`'s, and how a letter reaches
//! them `mail`'s.

pub mod account;
pub mod codes;
pub mod cookies;
pub mod csrf;
pub mod devices;
pub mod families;
pub mod new_password;
pub mod open_sessions;
pub mod own_email;
pub mod password_again;
pub mod passwords;
pub mod rate_limit;
mod roles;
pub mod sign_in;
pub mod signed_in;
#[cfg(test)]
mod tests;
pub mod tokens;

use crate::config::{Keys, Panel};

pub use passwords::Passwords;
pub use rate_limit::Limits;
pub use roles::{AdminRole, SellerRole};
pub use signed_in::{Access, SignedInAdmin, SignedInSeller};
pub use tokens::{RefreshToken, Tokens};

/// Two audiences with separate people, tokens and cookies; a token of one is nothing to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    Seller,
    Admin,
}

impl Audience {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Seller => "seller",
            Self::Admin => "admin",
        }
    }

    /// The column admits these two only.
    pub fn of_column(text: &str) -> Self {
        if text == "admin" {
            Self::Admin
        } else {
            Self::Seller
        }
    }

    /// Its people's; the trail's name of them, too.
    pub const fn table(self) -> &'static str {
        match self {
            Self::Seller => "seller_user",
            Self::Admin => "admin_user",
        }
    }

    /// By which the tries of whoever has that e-mail are counted, and of whoever has not.
    pub fn account(self, email: &str) -> String {
        format!("{}/{email}", self.as_str())
    }

    pub const fn of_panel(panel: Panel) -> Self {
        match panel {
            Panel::Seller => Self::Seller,
            Panel::Admin => Self::Admin,
        }
    }

    pub const fn other(self) -> Self {
        match self {
            Self::Seller => Self::Admin,
            Self::Admin => Self::Seller,
        }
    }
}

/// What the session calls share.
pub struct Sessions {
    pub tokens: Tokens,
    pub passwords: Passwords,
    pub limits: Limits,
}

impl Sessions {
    pub fn new(keys: &Keys) -> Self {
        Self {
            tokens: Tokens::new(keys),
            passwords: Passwords::new(),
            limits: Limits::default(),
        }
    }
}
