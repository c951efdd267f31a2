//! Banks by COMPE code, as the Central Bank publishes them.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Deserialize)]
struct Bank {
    code: String,
    name: String,
}

static NAMES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let banks: Vec<Bank> = serde_json::from_str(include_str!("../../../../fixtures/banks.json"))
        .expect("a test reads the list of banks");
    banks.into_iter().map(|bank| (bank.code, bank.name)).collect()
});

/// The name of a bank. For a bank that is no longer on the list it is the code. Accounts of such banks may exist.
pub fn bank_name(code: &str) -> &str {
    NAMES.get(code).map_or(code, String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bank_is_named_by_its_code_and_an_unknown_one_by_the_code_itself() {
        assert_eq!(bank_name("341"), "ITAÚ UNIBANCO S.A.");
        assert_eq!(bank_name("999"), "999");
    }
}
