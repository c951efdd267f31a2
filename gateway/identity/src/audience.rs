//! The two audiences: seller users and admin users, with separate records, tokens and cookies.

use gateway_environment::config::Panel;

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
