//! docs/operations/configuration.md, made of the comments of the configuration: those of its modules, and those of its
//! fields. A comment that begins with a variable documents it; so does a sentence of such a comment that begins with
//! another variable.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ledger_domain::sale::Provider;

use super::Config;
use super::tests::CONTRACTS;

const HEAD: &str = "\
# Configuration

Environment variables. They are checked together at the start, and every fault is named. A variable that begins with
`RAZAO_` and is not known ends the start too. `RAZAO_LOG` filters the log, for example `debug` or `warn,gateway=debug`.
`razao config check` names every fault, or prints what is in force without the secrets.

A secret may stand in a file instead, as service managers hand it over: `RAZAO_KEY_JWT_FILE` names the file with the
value of `RAZAO_KEY_JWT`. Secrets are `DATABASE_URL`, `RAZAO_READ_DATABASE_URL`, `RAZAO_SMTP_URL`, `RAZAO_HEADS_URL`,
`RAZAO_KEY_…`, `RAZAO_PROVIDER_…_SECRETS`, and of an acquirer `…_KEY`, `…_SIGNING_KEY` and `…_NOTICE_SECRETS`. A running program reads
these files again within five seconds of a change, and on SIGHUP. Access tokens, heads, providers' notices, acquirers'
keys and SMTP then have the new secret without a restart. The log names what was taken, and what waits for a restart:
the databases, `RAZAO_KEY_REFRESH`, `RAZAO_KEY_SALES` and signing keys of acquirers. If a new value is invalid, nothing is taken, and
the log has the alarm `configuration_refused`.

`razao migrate` and `razao audit` need the database alone, and no key but for what they sign.

This page is made of the comments in `gateway/environment/src/config` by the test
`gateway/environment/src/config/documentation.rs::the_page_of_the_configuration_is_made_of_its_comments`. Don't edit it.
";

/// The sources with variables, in the order of the page.
const SECTIONS: [(&str, &str); 13] = [
    ("mod.rs", "The program"),
    ("database.rs", "The database"),
    ("keys.rs", "Keys"),
    ("hosts.rs", "Hosts"),
    ("proofs.rs", "Proofs for outsiders"),
    ("http.rs", "Limits of HTTP"),
    ("mail.rs", "E-mails"),
    ("acquirers.rs", "Acquirers that take payments online"),
    ("withdrawals.rs", "Withdrawals and payouts"),
    ("refunds.rs", "Refunds"),
    ("terminals.rs", "Card machines"),
    ("postal_codes.rs", "Postal codes"),
    ("traces.rs", "Traces"),
];

const PREFIXES: [&str; 3] = ["`RAZAO_", "`DATABASE_URL`", "`OTEL_"];

/// The texts of the comments of a source, each as one line.
fn comments(source: &str) -> Vec<String> {
    let mut texts = vec![String::new()];
    for line in source.lines() {
        match (line.trim_start().strip_prefix("/// "), texts.last_mut()) {
            (Some(comment), Some(text)) => {
                text.push_str(comment);
                text.push(' ');
            }
            _ => texts.push(String::new()),
        }
    }
    texts
}

/// What a source says of itself. The page has its own head for the first one.
fn introduction(file: &str, source: &str) -> String {
    if file == "mod.rs" {
        return String::new();
    }
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let text: Vec<_> = lines.map(str::trim).collect();
    format!("\n{}\n", text.join("\n"))
}

/// Each variable of a comment with what is said of it.
fn variables(comment: &str) -> Vec<(&str, &str)> {
    let begins = |text: &str| PREFIXES.iter().any(|prefix| text.starts_with(prefix));
    if !begins(comment) {
        return vec![];
    }
    let further = comment.match_indices(". `").map(|(at, _)| at + ". ".len());
    let mut starts: Vec<usize> = std::iter::once(0)
        .chain(further.filter(|at| begins(&comment[*at..])))
        .collect();
    starts.push(comment.len());
    let parts = starts.windows(2).map(|part| comment[part[0]..part[1]].trim());
    parts
        .filter_map(|text| text[1..].split_once('`'))
        .map(|(name, text)| (name, text.trim_start_matches([',', ':', '.', ' '])))
        .collect()
}

/// The faults of a production that sets nothing.
fn faults_of_production() -> Vec<String> {
    let read = Config::read(&CONTRACTS, |name| {
        (name == "RAZAO_ENV").then(|| "production".to_owned())
    });
    read.expect_err("faults").0
}

fn page() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/config");
    let needed: Vec<_> = faults_of_production()
        .iter()
        .filter_map(|fault| Some(format!("`{}`", fault.split(' ').next()?)))
        .collect();
    let mut page = format!(
        "{HEAD}\nProduction does not start without these: {}.\n",
        needed.join(", ")
    );
    for (file, title) in SECTIONS {
        let source = std::fs::read_to_string(folder.join(file)).expect("a source");
        let introduction = introduction(file, &source);
        page.push_str(&format!(
            "\n## {title}\n{introduction}\n| variable | |\n| --- | --- |\n"
        ));
        for comment in comments(&source) {
            for (name, text) in variables(&comment) {
                page.push_str(&format!("| `{name}` | {} |\n", text.replace('|', "\\|")));
            }
        }
    }
    page
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations/configuration.md")
}

#[test]
fn the_page_of_the_configuration_is_made_of_its_comments() {
    let page = page();
    if std::fs::read_to_string(path()).is_ok_and(|present| present == page) {
        return;
    }
    std::fs::write(path(), page).expect("the page is written");
    panic!("docs/operations/configuration.md was older than the comments. It is written anew: commit it");
}

/// `<NAME>` in a documented name stands for the name of any provider.
#[test]
fn every_variable_that_is_read_is_on_the_page() {
    let asked = RefCell::new(BTreeSet::new());
    for environment in ["development", "production"] {
        let read = Config::read(&CONTRACTS, |name| {
            asked.borrow_mut().insert(name.to_owned());
            match name {
                "RAZAO_ENV" => Some(environment.to_owned()),
                "RAZAO_DATA" => Some("/dev/null/data".to_owned()),
                _ => None,
            }
        });
        assert!(read.is_err(), "no key can be stored");
    }
    let page = page();
    let documented = |name: &str| {
        let provider_names = Provider::ALL
            .iter()
            .map(|provider| format!("_{}_", provider.slug().to_ascii_uppercase()));
        std::iter::once(name.to_owned())
            .chain(provider_names.map(|provider| name.replacen(&provider, "_<NAME>_", 1)))
            .any(|name| page.contains(&format!("| `{}` |", name.trim_end_matches("_FILE"))))
    };
    let asked = asked.into_inner();
    assert!(asked.len() > 50, "{asked:?}");
    let missing: Vec<_> = asked.iter().filter(|name| !documented(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
