//! Who did something, as a reader may know it. Names of staff are not for sellers.

use std::collections::HashMap;

use gateway_identity::audience::Audience;
use ledger_domain::ids::UserId;
use ledger_domain::sale::Provider;
use ledger_store::Actor;
use serde::Serialize;
use utoipa::ToSchema;

use super::sale::words;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Author {
    pub kind: AuthorKind,
    /// Of a person, where the reader may know it, or of an acquirer.
    #[schema(required = true, example = "Ana Souza")]
    pub name: Option<String>,
}

words!(
    /// Who did it: a person of the company, somebody of staff, an acquirer, a bank, a job of the program, or somebody
    /// of the platform or of the company whom an old record does not name.
    AuthorKind {
        Seller = "seller",
        Staff = "staff",
        Acquirer = "acquirer",
        Bank = "bank",
        Automatic = "automatic",
        Platform = "platform",
    }
);

impl Author {
    pub const AUTOMATIC: Self = Self::nameless(AuthorKind::Automatic);
    pub const PLATFORM: Self = Self::nameless(AuthorKind::Platform);

    const fn nameless(kind: AuthorKind) -> Self {
        Self { kind, name: None }
    }

    pub fn acquirer(provider: Provider) -> Self {
        Self {
            kind: AuthorKind::Acquirer,
            name: Some(provider.label().to_owned()),
        }
    }
}

/// The people of an answer, by the names that its reader may know.
pub struct Authors {
    seen_by: Audience,
    names: HashMap<UserId, String>,
}

impl Authors {
    /// The names as `people_names` finds them for this reader.
    pub const fn new(seen_by: Audience, names: HashMap<UserId, String>) -> Self {
        Self { seen_by, names }
    }

    /// `None` where metadata does not say who it was.
    pub fn of(&self, actor: &Actor) -> Option<Author> {
        Some(match actor {
            Actor::Seller(id) => Author {
                kind: AuthorKind::Seller,
                name: self.names.get(id).cloned(),
            },
            Actor::Admin(id) => Author {
                kind: AuthorKind::Staff,
                name: self.names.get(id).cloned().filter(|_| self.is_of_staff()),
            },
            Actor::Provider(provider) => Author::acquirer(*provider),
            Actor::Bank(_) => Author::nameless(AuthorKind::Bank),
            Actor::Job(_) => Author::AUTOMATIC,
            Actor::Other { .. } => return None,
        })
    }

    fn is_of_staff(&self) -> bool {
        self.seen_by == Audience::Admin
    }
}
