//! The author of an action, limited to what the reader may see. Sellers do not see names of staff.

use std::collections::HashMap;

use gateway_identity::audience::Audience;
use ledger_domain::ids::UserId;
use ledger_domain::sale::Provider;
use ledger_store::Actor;
use serde::Serialize;
use utoipa::ToSchema;

use super::schemas::Word;

/// The author of an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Author {
    pub kind: AuthorKindWord,
    /// The name of the user, if the reader may see it, or of the acquirer; else null.
    #[schema(required = true, example = "Ana Souza")]
    pub name: Option<String>,
}

ledger_domain::words! {
    /// seller: a user of the company. staff: an admin user. acquirer, bank: a notice. automatic: a job. platform: a
    /// user of the platform or of the company, if an old record does not name the user.
    // A label names an author whose name the reader may not see, or who has none.
    pub enum AuthorKind {
        Seller = "seller" => "Usuário excluído",
        Staff = "staff" => "Equipe da plataforma",
        Acquirer = "acquirer" => "Adquirente",
        Bank = "bank" => "Banco",
        Automatic = "automatic" => "Sistema",
        Platform = "platform" => "Plataforma",
    }
}

pub type AuthorKindWord = Word<AuthorKind>;

impl Author {
    pub const AUTOMATIC: Self = Self::nameless(AuthorKind::Automatic);
    pub const PLATFORM: Self = Self::nameless(AuthorKind::Platform);

    const fn nameless(kind: AuthorKind) -> Self {
        Self {
            kind: Word(kind),
            name: None,
        }
    }

    pub fn acquirer(provider: Provider) -> Self {
        Self {
            kind: AuthorKind::Acquirer.into(),
            name: Some(provider.label().to_owned()),
        }
    }
}

/// The names of the users in a response, limited to what the reader may see.
pub struct Authors {
    viewer: Audience,
    names: HashMap<UserId, String>,
}

impl Authors {
    /// `names` comes from `user_names` for the same reader.
    pub const fn new(viewer: Audience, names: HashMap<UserId, String>) -> Self {
        Self { viewer, names }
    }

    /// `None` if the metadata does not name the author.
    pub fn of(&self, actor: &Actor) -> Option<Author> {
        Some(match actor {
            Actor::Seller(id) => Author {
                kind: AuthorKind::Seller.into(),
                name: self.names.get(id).cloned(),
            },
            Actor::Admin(id) => Author {
                kind: AuthorKind::Staff.into(),
                name: self.names.get(id).cloned().filter(|_| self.viewer_is_staff()),
            },
            Actor::Provider(provider) => Author::acquirer(*provider),
            Actor::Bank(_) => Author::nameless(AuthorKind::Bank),
            Actor::Job(_) => Author::AUTOMATIC,
            Actor::Other { .. } => return None,
        })
    }

    pub fn viewer_is_staff(&self) -> bool {
        self.viewer == Audience::Admin
    }
}
