//! A search text for users: part of the name, of the e-mail or of the document. Case, accents and masks are ignored.

use gateway_platform::companies::folded;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// In the form of the column `name_key`.
    pub(super) name: String,
    pub(super) email: String,
    /// Set only if the text could be part of a document. Otherwise the few digits in a name would match many documents.
    pub(super) digits: Option<String>,
}

impl Search {
    /// A longer text is invalid.
    pub const CHARACTERS_MAX: usize = 120;

    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.chars().count() > Self::CHARACTERS_MAX || text.chars().any(char::is_control) {
            return None;
        }
        let of_a_document = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | ' ');
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        Some(Self {
            name: folded(text),
            email: text.to_lowercase(),
            digits: (text.chars().all(of_a_document) && !digits.is_empty()).then_some(digits),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_searched_in_the_form_of_each_column() {
        let search = Search::parse(" Conceição ");
        let expected = Search {
            name: "conceicao".to_owned(),
            email: "conceição".to_owned(),
            digits: None,
        };
        assert_eq!(search, Some(expected));
        let digits = |text| Search::parse(text).and_then(|search| search.digits);
        assert_eq!(digits("529.982"), Some("529982".to_owned()));
        assert_eq!(digits("loja 24"), None);
        assert_eq!(digits("-"), None);
    }

    #[test]
    fn an_overlong_text_and_control_characters_are_no_search() {
        assert_eq!(Search::parse(&"a".repeat(121)), None);
        assert_eq!(Search::parse("a\nb"), None);
    }
}
