//! Banks by COMPE code (the three digits of a bank in Brazilian transfers), from the Central Bank's list.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Bank {
    pub code: String,
    pub name: String,
}

static BANKS: LazyLock<Vec<Bank>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../fixtures/banks.json"))
        .expect("a test reads the list of banks")
});

static NAMES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let named = BANKS.iter().map(|bank| (bank.code.as_str(), bank.name.as_str()));
    named.collect()
});

/// The banks of the list, sorted by code.
pub fn banks() -> &'static [Bank] {
    &BANKS
}

/// The name of a bank. A bank that is no longer on the list is named by its code, because accounts of it may exist.
pub fn bank_name(code: &str) -> &str {
    NAMES.get(code).copied().unwrap_or(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bank_of_the_list_has_its_name_and_another_one_its_code() {
        assert_eq!(bank_name("341"), "ITAÚ UNIBANCO S.A.");
        assert_eq!(bank_name("999"), "999");
    }
}
