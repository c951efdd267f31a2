//! The letters that follow from changes of people: handed in with the change, sent once it is committed.

use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;

use crate::AppState;
use crate::mail::{Facts, LetterKind, NewLetter, Posted};
use crate::people::ToBeTold;
use crate::problem::Result;
use crate::sessions::Audience;

/// Whoever is written to, and where their panel is.
pub struct Addressee<'a> {
    pub audience: Audience,
    pub person: UserId,
    pub panel_url: &'a str,
}

/// Letters of a transaction that is still to be committed.
#[must_use = "send them after the commit"]
#[derive(Default)]
pub struct Letters(Vec<Posted>);

impl Letters {
    pub fn send(self) {
        self.0.into_iter().for_each(Posted::wake);
    }
}

impl Addressee<'_> {
    /// To somebody new, with the link that confirms their address.
    pub async fn welcome(
        &self,
        state: &AppState,
        client: &impl GenericClient,
        email: &str,
    ) -> Result<Letters> {
        let welcome = self.letter(LetterKind::Welcome, email, Facts::default());
        Ok(Letters(vec![state.mail.enqueue(client, &welcome).await?]))
    }

    /// Of an address or a password that somebody else set: the old address learns of the new one, which is to be
    /// confirmed.
    pub async fn tell(
        &self,
        state: &AppState,
        client: &impl GenericClient,
        told: &ToBeTold,
    ) -> Result<Letters> {
        // From where somebody else works is theirs to know, as in a record's history.
        let mut letters = vec![];
        if let Some(before) = &told.email_before {
            let facts = Facts {
                address: None,
                new_email: Some(told.email.clone()),
            };
            letters.push(self.letter(LetterKind::EmailChanged, before, facts));
            letters.push(self.letter(LetterKind::VerifyEmail, &told.email, Facts::default()));
        }
        if told.new_password {
            letters.push(self.letter(LetterKind::PasswordChanged, &told.email, Facts::default()));
        }
        let mut posted = Letters::default();
        for letter in &letters {
            posted.0.push(state.mail.enqueue(client, letter).await?);
        }
        Ok(posted)
    }

    const fn letter<'a>(&'a self, kind: LetterKind, recipient: &'a str, facts: Facts) -> NewLetter<'a> {
        NewLetter {
            kind,
            audience: self.audience,
            user: Some(self.person),
            recipient,
            panel_url: self.panel_url,
            facts,
        }
    }
}
