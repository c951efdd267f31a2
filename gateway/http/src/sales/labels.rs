//! The Portuguese labels of a sale's codes in spreadsheets. They are the same as on the screens.

use ledger_domain::sale::{CardBrand, Provider, Solution};

const SHORT_CODE_CHARACTERS: usize = 12;

/// The last twelve characters of a sale's id, in upper case. Users name the sale by them.
pub fn short_code(id: &str) -> String {
    let skipped = id.chars().count().saturating_sub(SHORT_CODE_CHARACTERS);
    id.chars().skip(skipped).collect::<String>().to_uppercase()
}

/// `None` if the acquirer knows the sale by the sale's own id: it is not repeated.
pub fn external_id<'a>(sale_id: &str, external_id: &'a str) -> Option<&'a str> {
    (external_id != sale_id).then_some(external_id)
}

/// An unknown acquirer is `#` with its number.
pub fn provider(number: u8) -> String {
    Provider::label_of(Some(number))
}

/// An unknown solution is `#` with its number.
pub fn solution(number: u8) -> String {
    Solution::from_number(number)
        .map_or_else(|_| format!("#{number}"), |solution| solution.label().to_owned())
}

/// A brand that the platform does not know keeps its code.
pub fn brand(code: &str) -> &str {
    let known = CardBrand::KNOWN.iter().find(|brand| brand.as_str() == code);
    known.map_or(code, CardBrand::label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_codes_stay_visible() {
        assert_eq!(
            (provider(3), provider(9)),
            ("Zoop V2".to_owned(), "#9".to_owned())
        );
        assert_eq!(
            (solution(4), solution(5)),
            ("Link de pagamento".to_owned(), "#5".to_owned())
        );
        assert_eq!((brand("banes"), brand("sorocred")), ("Banescard", "sorocred"));
    }
}
