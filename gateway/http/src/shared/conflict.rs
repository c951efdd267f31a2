//! The answer to a change that started from an older version of its record.

use crate::problem::Problem;

/// A 409 that names the fields which have changed since. `label` returns the Portuguese word for a field, or `None` for
/// a field that is not named.
pub fn changed_meanwhile(
    record: &str,
    changed: &[String],
    label: fn(&str) -> Option<&'static str>,
) -> Problem {
    let mut labels: Vec<&str> = changed.iter().filter_map(|field| label(field)).collect();
    labels.sort_unstable();
    labels.dedup();
    let what = if labels.is_empty() {
        String::new()
    } else {
        format!(": {}", labels.join(", "))
    };
    Problem::conflict(format!(
        "Outra pessoa mudou {record} enquanto você editava{what}. Confira os valores atuais antes de salvar."
    ))
}
