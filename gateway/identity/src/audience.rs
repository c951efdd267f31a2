//! The two audiences: seller users and admin users, with separate records, tokens and cookies.

use gateway_environment::config::Panel;

/// A token of one audience is invalid for the other.
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

    pub fn parse(text: &str) -> Option<Self> {
        [Self::Seller, Self::Admin]
            .into_iter()
            .find(|audience| audience.as_str() == text)
    }

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

    pub const fn other(self) -> Self {
        match self {
            Self::Seller => Self::Admin,
            Self::Admin => Self::Seller,
        }
    }
}
