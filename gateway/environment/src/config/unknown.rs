//! Finds variables of the program's prefix that nothing reads: misspelled ones.

use std::collections::BTreeSet;

const PREFIX: &str = "RAZAO_";

/// Variables of this prefix that the configuration does not read: that of the program's log, which is installed first,
/// that of its build, and those of tests and recipes, which run the program with their own environment.
const READ_ELSEWHERE: [&str; 9] = [
    "RAZAO_LOG",
    "RAZAO_BUILD",
    "RAZAO_API_URL",
    "RAZAO_E2E_SANDBOX",
    "RAZAO_E2E_URL",
    "RAZAO_NOW_BEGUN",
    "RAZAO_TEST_DAYS",
    "RAZAO_TEST_KEPT_DIR",
    "RAZAO_TRACE",
];

/// A name that differs from every known one by more than a third of its letters is no misspelling of it.
const LETTERS_PER_MISTAKE: usize = 3;

/// What is wrong with a variable, if nothing reads it. The text follows its name.
pub(super) fn problem(name: &str, value: &str, known: &BTreeSet<String>) -> Option<String> {
    if !name.starts_with(PREFIX)
        || known.contains(name)
        || READ_ELSEWHERE.contains(&name)
        || is_of_orchestrator(name, value)
    {
        return None;
    }
    let names = known.iter().map(String::as_str).chain(READ_ELSEWHERE);
    let nearest = names
        .filter(|known| known.starts_with(PREFIX))
        .map(|known| (distance(name, known), known))
        .min()
        .filter(|(mistakes, _)| mistakes * LETTERS_PER_MISTAKE <= name.len() - PREFIX.len());
    Some(match nearest {
        Some((_, nearest)) => format!("is not a variable of this program: is {nearest} meant?"),
        None => "is not a variable of this program".to_owned(),
    })
}

/// Whether Kubernetes or Docker set it: they announce a service `razao` to other containers by such variables
/// (<https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables>).
fn is_of_orchestrator(name: &str, value: &str) -> bool {
    let of_port = |(_, rest): (&str, &str)| rest.starts_with(|first: char| first.is_ascii_digit());
    name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || name.split_once("_PORT_").is_some_and(of_port)
        || (name.ends_with("_PORT") && value.contains("://"))
}

/// The number of letters to add, remove or replace (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, compared) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *compared);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> BTreeSet<String> {
        ["RAZAO_ADDR", "RAZAO_OPS_ADDR", "RAZAO_PAYOUTS", "DATABASE_URL"]
            .map(str::to_owned)
            .into()
    }

    #[test]
    fn a_misspelled_variable_is_named_with_the_nearest_known_one() {
        let found = |name| problem(name, "1", &known());
        assert_eq!(
            found("RAZAO_ADRR").as_deref(),
            Some("is not a variable of this program: is RAZAO_ADDR meant?")
        );
        assert_eq!(
            found("RAZAO_PAYOUT").as_deref(),
            Some("is not a variable of this program: is RAZAO_PAYOUTS meant?")
        );
        assert_eq!(
            found("RAZAO_WITHDRAWAL_FEE_LIMIT").as_deref(),
            Some("is not a variable of this program")
        );
    }

    #[test]
    fn variables_of_recipes_of_orchestrators_and_of_other_programs_are_left_alone() {
        for (name, value) in [
            ("RAZAO_ADDR", "127.0.0.1:80"),
            ("RAZAO_E2E_URL", "http://localhost:1"),
            ("RAZAO_TEST_DAYS", "all"),
            ("RAZAO_PORT", "tcp://10.0.0.1:80"),
            ("RAZAO_PORT_80_TCP_ADDR", "10.0.0.1"),
            ("RAZAO_SERVICE_HOST", "10.0.0.1"),
            ("RAZAO_GATEWAY_SERVICE_PORT_HTTP", "80"),
            ("PATH", "/bin"),
        ] {
            assert_eq!(problem(name, value, &known()), None, "{name}");
        }
        assert!(
            problem("RAZAO_PORT", "8080", &known()).is_some(),
            "a port that somebody chose"
        );
    }
}
