//! Which documents an approval asks for. The platform's settings hold a set of kinds for natural persons and one for
//! companies.

use ledger_rows::{params, value};
use tokio_postgres::{Error, GenericClient};

use super::documents::DocumentKind;
use super::records::CompanyRecord;
use crate::settings::PlatformSettings;

/// A set of kinds of documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DocumentKinds(i64);

impl DocumentKinds {
    /// For a natural person. Articles of association exist only for a legal entity.
    pub const OF_PERSON: [DocumentKind; 2] = [DocumentKind::Identity, DocumentKind::Address];
    /// For a legal entity. The identity document is that of its representative.
    pub const OF_ENTITY: [DocumentKind; 3] = [
        DocumentKind::Identity,
        DocumentKind::Address,
        DocumentKind::Articles,
    ];

    /// The kinds that settings can ask for.
    pub const fn allowed(of_person: bool) -> &'static [DocumentKind] {
        if of_person {
            &Self::OF_PERSON
        } else {
            &Self::OF_ENTITY
        }
    }

    pub const fn all(of_person: bool) -> Self {
        if of_person { Self(0b011) } else { Self(0b111) }
    }

    pub fn of(kinds: &[DocumentKind]) -> Self {
        Self(kinds.iter().fold(0, |bits, kind| bits | Self::bit(*kind)))
    }

    /// The sum that the column of settings holds.
    pub const fn stored(self) -> i64 {
        self.0
    }

    pub const fn from_stored(sum: i64) -> Self {
        Self(sum)
    }

    pub const fn contains(self, kind: DocumentKind) -> bool {
        let bit = Self::bit(kind);
        bit != 0 && self.0 & bit == bit
    }

    /// In the order of the screens.
    pub fn kinds(self) -> impl Iterator<Item = DocumentKind> {
        DocumentKind::ALL
            .iter()
            .copied()
            .filter(move |kind| self.contains(*kind))
    }

    /// Those of this set that are not among the given ones.
    pub fn missing(self, given: &[DocumentKind]) -> Vec<DocumentKind> {
        self.kinds().filter(|kind| !given.contains(kind)).collect()
    }

    /// The table names these numbers. No setting can ask for other documents.
    const fn bit(kind: DocumentKind) -> i64 {
        match kind {
            DocumentKind::Identity => 1,
            DocumentKind::Address => 2,
            DocumentKind::Articles => 4,
            DocumentKind::Other => 0,
        }
    }
}

/// The names of documents in a sentence: "contrato social e comprovante de endereço".
pub fn document_names(kinds: &[DocumentKind]) -> String {
    match kinds {
        [] => String::new(),
        [one] => one.label().to_owned(),
        [rest @ .., last] => {
            let rest: Vec<_> = rest.iter().map(|kind| kind.label()).collect();
            format!("{} e {}", rest.join(", "), last.label())
        }
    }
}

/// The documents that the settings ask for and that the company does not have.
pub async fn documents_missing(
    client: &impl GenericClient,
    settings: &PlatformSettings,
    company: &CompanyRecord,
) -> Result<Vec<DocumentKind>, Error> {
    let sql = "SELECT coalesce(array_agg(DISTINCT kind), '{}') FROM business_document WHERE business_id = $1";
    let given: Vec<DocumentKind> = value(client, sql, params![company.id]).await?;
    let asked = settings.documents_asked(company.business_type.is_person());
    Ok(asked.missing(&given))
}

#[cfg(test)]
mod tests {
    use super::DocumentKind::{Address, Articles, Identity, Other};
    use super::*;

    #[test]
    fn a_set_keeps_its_kinds_and_names_the_missing_ones() {
        let asked = DocumentKinds::of(&[Articles, Identity]);
        assert_eq!(asked.kinds().collect::<Vec<_>>(), [Identity, Articles]);
        assert_eq!(DocumentKinds::from_stored(asked.stored()), asked);
        assert_eq!(asked.missing(&[Identity, Address]), [Articles]);
        assert_eq!(asked.missing(&[Identity, Articles]), []);
        assert_eq!(DocumentKinds::of(&[Other]), DocumentKinds::default());
        for is_person in [true, false] {
            let allowed = DocumentKinds::allowed(is_person);
            assert_eq!(DocumentKinds::of(allowed), DocumentKinds::all(is_person));
        }
    }

    #[test]
    fn missing_documents_are_read_as_a_sentence() {
        for (kinds, text) in [
            (vec![], ""),
            (vec![Articles], "contrato social"),
            (
                vec![Identity, Address, Articles],
                "documento de identidade, comprovante de endereço e contrato social",
            ),
        ] {
            assert_eq!(document_names(&kinds), text);
        }
    }
}
