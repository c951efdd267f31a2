//! Searches of lists by the beginnings of words: each word of the text begins a word of the row. Case, accents and the
//! masks of documents are ignored. A table has the words of each row, so that a search reads an index.

use gateway_formats::plain_text::search_key;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordSearch {
    /// Each term is the beginning of a word of the row. The longest one is first.
    terms: Vec<String>,
}

impl WordSearch {
    /// A longer text is refused.
    pub const CHARACTERS_MAX: usize = 120;

    /// `None` if the text is too long or has control characters. A text without letters or digits finds nothing.
    pub fn parse(text: &str) -> Option<Self> {
        Self::of_tokens(text, words)
    }

    /// For rows whose words include whole e-mails: a typed e-mail is one term, because its parts are common words.
    pub fn parse_with_emails(text: &str) -> Option<Self> {
        Self::of_tokens(text, |token| {
            email(token).map_or_else(|| words(token), |email| vec![email])
        })
    }

    fn of_tokens(text: &str, terms: impl Fn(&str) -> Vec<String>) -> Option<Self> {
        let text = text.trim();
        if text.chars().count() > Self::CHARACTERS_MAX || text.chars().any(char::is_control) {
            return None;
        }
        let mut terms: Vec<String> = text.split_whitespace().flat_map(terms).collect();
        // The longest first: usually the fewest rows have it. Equal terms become neighbors.
        terms.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        terms.dedup();
        Some(Self { terms })
    }

    /// The value of the parameter that the conditions name.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// The same for statements whose parameter is null if nothing is searched.
    pub fn terms_of(search: Option<&Self>) -> Option<Vec<String>> {
        search.map(|search| search.terms.clone())
    }
}

fn words(token: &str) -> Vec<String> {
    let key = search_key(token);
    if is_document(token) {
        return vec![key.chars().filter(char::is_ascii_alphanumeric).collect()];
    }
    let words = key.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The beginning of an e-mail, at least up to its `@`. A copied e-mail may have brackets.
fn email(token: &str) -> Option<String> {
    let bare = token.trim_matches(|c| matches!(c, '<' | '>' | '(' | ')' | '"' | ',' | ';'));
    bare.find('@').filter(|at| *at > 0).map(|_| search_key(bare))
}

/// Whether the text is searched as one word, because it may be a document. It has a digit first and few letters
/// together, unlike "loja-24" and "24horas", or it has the mask of a CNPJ.
fn is_document(token: &str) -> bool {
    let letters_together = token
        .split(|c: char| !c.is_alphabetic())
        .map(str::len)
        .max()
        .unwrap_or_default();
    let like_one = token.starts_with(|c: char| c.is_ascii_digit()) && letters_together < 4;
    like_one || begins_masked_cnpj(token)
}

/// Whether the text is a masked CNPJ or its beginning, with a digit. A CNPJ may have letters in its first twelve
/// places.
fn begins_masked_cnpj(text: &str) -> bool {
    const MASK: &str = "XX.XXX.XXX/XXXX-XX";
    (4..=MASK.len()).contains(&text.len())
        && text.contains(|c: char| c.is_ascii_digit())
        && text.chars().zip(MASK.chars()).all(|(c, mask)| match mask {
            'X' => c.is_ascii_alphanumeric(),
            separator => c == separator,
        })
}

/// The terms whose rows are found from the index. More would only lengthen the planning.
const INDEXED_TERMS: usize = 4;

/// Where a list's words are: a table with the columns `word` and `id`, and indexes by both orders of them.
#[derive(Debug, Clone, Copy)]
pub struct WordTable {
    pub table: &'static str,
    /// The table's column with the id of the row.
    pub id: &'static str,
    /// The expression of that id in the statement of the list.
    pub row: &'static str,
}

impl WordTable {
    /// The condition that a row has all terms of the parameter. Each term is a set of rows. The planner knows how
    /// often words occur, so it can begin with the smallest set or with the list's order.
    pub fn condition(self, search: Option<&WordSearch>, parameter: &str) -> String {
        self.with_sets(search, parameter, |count| {
            let Self { table, id, row } = self;
            let sets = (1..=count).map(|place| {
                let range = begins("word", parameter, place);
                format!("{row} IN (SELECT {id} FROM {table} WHERE {range})")
            });
            sets.collect::<Vec<_>>().join(" AND ")
        })
    }

    /// The same condition, but the rows of the terms are found first. A page in the order of names needs it: the
    /// planner does not know that names which begin with the same word are neighbors in that order, and would read the
    /// order from its start. A count needs it too: for a common word the planner would read the whole table of the
    /// list.
    pub fn condition_found_first(self, search: Option<&WordSearch>, parameter: &str) -> String {
        self.with_sets(search, parameter, |count| {
            let Self { table, id, row } = self;
            let joined = (2..=count).map(|place| format!(" JOIN {table} w{place} USING ({id})"));
            let ranges = (1..=count).map(|place| begins(&format!("w{place}.word"), parameter, place));
            format!(
                "{row} = ANY (ARRAY(SELECT {id} FROM {table} w1{} WHERE {}))",
                joined.collect::<String>(),
                ranges.collect::<Vec<_>>().join(" AND ")
            )
        })
    }

    fn with_sets(
        self,
        search: Option<&WordSearch>,
        parameter: &str,
        sets: impl Fn(usize) -> String,
    ) -> String {
        let Self { table, id, row } = self;
        match search.map_or(0, |search| search.terms.len()) {
            // The parameter is null if nothing is searched: every row counts. A search without terms finds no row.
            0 => format!("{parameter}::text[] IS NULL"),
            terms if terms <= INDEXED_TERMS => sets(terms),
            _ => format!(
                "{sets} AND NOT EXISTS (
                     SELECT FROM unnest({parameter}::text[]) AS asked (term)
                      WHERE NOT EXISTS (SELECT FROM {table} w
                                         WHERE w.{id} = {row} AND w.word >= term AND w.word < term || '~'))",
                sets = sets(INDEXED_TERMS)
            ),
        }
    }
}

/// The range of an index that has the words which begin with a term. The column has the collation C, in which `~` sorts
/// after all letters and digits.
fn begins(word: &str, parameter: &str, place: usize) -> String {
    let term = format!("({parameter}::text[])[{place}]");
    format!("{word} >= {term} AND {word} < {term} || '~'")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        WordSearch::parse(text).expect("a search").terms
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
        assert_eq!(terms("Ana, 529.982.247-25"), ["52998224725", "ana"]);
        assert!(terms("%").is_empty());
    }

    #[test]
    fn an_e_mail_is_one_term_where_rows_have_whole_e_mails() {
        let with_emails = |text| WordSearch::parse_with_emails(text).expect("a search").terms;
        assert_eq!(with_emails("<Ana.Lima@Loja.example>"), ["ana.lima@loja.example"]);
        assert_eq!(with_emails("ana 7@b.co"), ["7@b.co", "ana"]);
        assert_eq!(with_emails("@loja.example"), ["example", "loja"]);
        assert_eq!(terms("ana@loja.example"), ["example", "loja", "ana"]);
    }

    #[test]
    fn an_overlong_text_and_control_characters_are_no_search() {
        assert_eq!(WordSearch::parse(&"a".repeat(121)), None);
        assert_eq!(WordSearch::parse("a\nb"), None);
    }
}
