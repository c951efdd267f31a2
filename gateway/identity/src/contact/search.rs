//! A search text for messages: the beginnings of words of the number, the subject, the company and the user. Case and
//! accents are ignored. The table `contact_message_word` has the words, so that a search reads an index.

use gateway_platform::companies::folded;

/// A longer text is no search.
pub const SEARCH_CHARACTERS_MAX: usize = 120;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactSearch {
    /// Every one begins a word of the message. The longest one is first, because it selects the fewest messages.
    pub(super) terms: Vec<String>,
}

impl ContactSearch {
    /// `None` if the text is too long. A text without letters or digits finds nothing.
    pub fn parse(text: &str) -> Option<Self> {
        if text.chars().count() > SEARCH_CHARACTERS_MAX || text.chars().any(char::is_control) {
            return None;
        }
        let folded = folded(text.trim());
        let words = folded.split(|c: char| !c.is_ascii_alphanumeric());
        let mut terms: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
        terms.sort_by_key(|term| std::cmp::Reverse(term.len()));
        terms.dedup();
        Some(Self { terms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_searched_by_its_words() {
        let terms = |text| ContactSearch::parse(text).expect("a search").terms;
        assert_eq!(
            terms(" Dúvida, ana@padaria.example"),
            ["padaria", "example", "duvida", "ana"]
        );
        assert!(terms("%").is_empty());
        assert_eq!(ContactSearch::parse(&"a".repeat(121)), None);
        assert_eq!(ContactSearch::parse("a\nb"), None);
    }
}
