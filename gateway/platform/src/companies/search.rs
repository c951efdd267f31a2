//! A search text for companies: the beginnings of words of the names, or the beginning of the document. Case, accents
//! and masks are ignored. The table `business_word` has the words, so that a search reads an index.

use super::queries::folded;

/// A longer text is refused.
pub const SEARCH_CHARACTERS_MAX: usize = 120;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanySearch {
    /// Each term is the beginning of a word of the company. The longest one is first, because it selects the fewest
    /// companies.
    pub(super) terms: Vec<String>,
}

impl CompanySearch {
    /// `None` if the text is too long. A text without letters or digits finds nothing.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.chars().count() > SEARCH_CHARACTERS_MAX || text.chars().any(char::is_control) {
            return None;
        }
        let folded = folded(text);
        let mut terms: Vec<String> = if is_document(text) {
            vec![folded.chars().filter(char::is_ascii_alphanumeric).collect()]
        } else {
            let words = folded.split(|c: char| !c.is_ascii_alphanumeric());
            words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        terms.sort_by_key(|term| std::cmp::Reverse(term.len()));
        terms.dedup();
        Some(Self { terms })
    }
}

/// A masked document is one word: it has a digit first and few letters together, unlike "loja-24" and "24horas".
fn is_document(text: &str) -> bool {
    let letters_together = text
        .split(|c: char| !c.is_alphabetic())
        .map(str::len)
        .max()
        .unwrap_or_default();
    let like_one =
        text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(' ') && letters_together < 4;
    like_one || begins_masked_cnpj(text)
}

/// Whether the text is a masked CNPJ or its beginning, with a digit. A CNPJ may have letters in its first twelve places.
fn begins_masked_cnpj(text: &str) -> bool {
    const MASK: &str = "XX.XXX.XXX/XXXX-XX";
    (4..=MASK.len()).contains(&text.len())
        && text.contains(|c: char| c.is_ascii_digit())
        && text.chars().zip(MASK.chars()).all(|(c, mask)| match mask {
            'X' => c.is_ascii_alphanumeric(),
            separator => c == separator,
        })
}

/// The terms whose companies are found from the index. More would only lengthen the planning.
const INDEXED_TERMS: usize = 4;

/// The condition on `b`, a row of `business`, for this number of terms, which the parameter has. Each term is a set of
/// companies, so that the planner can begin with the smallest: it knows how often words occur. It does not know that
/// names which begin with a word follow one another in the order of names, and would read that order from its start. So
/// a list by name finds the companies of the first term first.
pub(super) fn search_condition(terms: usize, parameter: &str, by_name: bool) -> String {
    let sets = (1..=terms.min(INDEXED_TERMS)).map(|place| {
        let term = format!("({parameter}::text[])[{place}]");
        let found =
            format!("SELECT business_id FROM business_word WHERE word >= {term} AND word < {term} || '~'");
        if by_name && place == 1 {
            format!("b.id = ANY (ARRAY({found}))")
        } else {
            format!("b.id IN ({found})")
        }
    });
    let others = (terms > INDEXED_TERMS).then(|| {
        format!(
            "NOT EXISTS (SELECT FROM unnest({parameter}::text[]) AS asked (term)
                          WHERE NOT EXISTS (SELECT FROM business_word w
                                             WHERE w.business_id = b.id AND w.word >= term AND w.word < term || '~'))"
        )
    });
    sets.chain(others).collect::<Vec<_>>().join(" AND ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        CompanySearch::parse(text).expect("a search").terms
    }

    #[test]
    fn a_text_is_searched_by_its_words_and_a_document_as_one_word() {
        assert_eq!(terms(" Farmácia  São-João "), ["farmacia", "joao", "sao"]);
        assert_eq!(terms("11.222.333/0001-81"), ["11222333000181"]);
        assert_eq!(terms("12.ABC.345/01"), ["12abc34501"]);
        assert_eq!(terms("AB.CDE.123/0001-35"), ["abcde123000135"]);
        assert_eq!(terms("12.345.678/ABCD"), ["12345678abcd"]);
        assert_eq!(terms("loja 24"), ["loja", "24"]);
        assert_eq!(terms("Loja-24"), ["loja", "24"]);
        assert_eq!(terms("24-horas"), ["horas", "24"]);
        assert_eq!(terms("12ABC34501DE35"), ["12abc34501de35"]);
        assert!(terms("%").is_empty());
    }

    #[test]
    fn an_overlong_text_and_control_characters_are_no_search() {
        assert_eq!(CompanySearch::parse(&"a".repeat(121)), None);
        assert_eq!(CompanySearch::parse("a\nb"), None);
    }
}
