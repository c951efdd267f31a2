//! Test: SQL on the tables of the log is written in this crate only. Other crates call its functions, so that a change
//! of these tables is a change of one crate.

use std::fs;
use std::path::{Path, PathBuf};

use crate::migrate::MIGRATIONS;

/// The migrations that create the log's tables, views and functions.
const LOG: [&str; 3] = ["shard/0001_log", "shard/0002_append", "shard/0035_claims"];
/// The folders of the other crates.
const OTHERS: [&str; 4] = ["ledger/domain", "ledger/model", "projections", "gateway"];

#[test]
fn only_this_crate_has_sql_on_the_tables_of_the_log() {
    let log: String = MIGRATIONS
        .iter()
        .filter(|migration| LOG.contains(&migration.name))
        .map(|migration| migration.sql)
        .collect();
    let (tables, mut functions) = created(&log);
    // It reads no table.
    functions.retain(|name| *name != "shard_of");
    assert!(
        tables.contains(&"event") && tables.contains(&"sale_state"),
        "{tables:?}"
    );
    assert!(functions.contains(&"append_events"), "{functions:?}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = vec![];
    OTHERS
        .iter()
        .for_each(|folder| collect(&root.join(folder), &mut sources));
    assert!(sources.len() > 200, "{} files were read", sources.len());
    let mut found = vec![];
    for path in sources {
        let source = fs::read_to_string(&path).expect("a readable file");
        for name in used(&source, &tables, &functions) {
            found.push(format!("{}: {name}", path.display()));
        }
    }
    assert!(
        found.is_empty(),
        "SQL on the log outside ledger/store: {found:#?}"
    );
}

/// Engines that distribute tables refuse these forms, or answer them wrongly. They are as easy to avoid.
const NOT_DISTRIBUTED: [(&str, &str); 2] = [
    ("(SELECT FROM", "a sub-select needs a column"),
    (
        "ON CONFLICT ON CONSTRAINT",
        "a conflict is inferred by its columns",
    ),
];

#[test]
fn the_statements_on_shards_can_be_distributed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = vec![];
    for folder in ["ledger/store/src", "projections/src"] {
        collect(&root.join(folder), &mut sources);
    }
    let this = Path::new(file!()).file_name();
    sources.retain(|path| path.file_name() != this);
    assert!(sources.len() > 100, "{} files were read", sources.len());
    let mut found = vec![];
    for path in sources {
        let source = fs::read_to_string(&path).expect("a readable file");
        for (form, why) in NOT_DISTRIBUTED.iter().filter(|(form, _)| source.contains(form)) {
            found.push(format!("{}: {form}: {why}", path.display()));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn sql_on_a_table_of_the_log_is_found() {
    let (tables, functions) = (["event", "log_shard"], ["append_events"]);
    let used = |source| used(source, &tables, &functions);
    assert_eq!(used("SELECT 1 FROM event WHERE shard = 1"), ["event"]);
    assert_eq!(used("a LEFT JOIN\n   log_shard USING (shard)"), ["log_shard"]);
    assert_eq!(used("SELECT append_events($1)"), ["append_events"]);
    assert!(used("FROM event_kind JOIN other; read from event to event\n// append_events").is_empty());
}

/// The tables and views, and the functions, that the SQL creates.
fn created(sql: &str) -> (Vec<&str>, Vec<&str>) {
    let words: Vec<_> = sql
        .lines()
        .filter(|line| !line.trim_start().starts_with("--"))
        .flat_map(names)
        .collect();
    let after = |kinds: &[&str]| {
        let named = words
            .windows(3)
            .filter(|three| three[0] == "CREATE" && kinds.contains(&three[1]));
        named.map(|three| three[2]).collect()
    };
    (after(&["TABLE", "VIEW"]), after(&["FUNCTION"]))
}

/// The tables that stand after a keyword of SQL, and the functions that are named at all, except in comments.
fn used<'a>(source: &'a str, tables: &[&str], functions: &[&str]) -> Vec<&'a str> {
    let words: Vec<_> = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(names)
        .collect();
    let of_tables = words.windows(2).filter(|two| {
        matches!(two[0], "FROM" | "JOIN" | "INTO" | "UPDATE" | "TABLE" | "TRUNCATE")
            && tables.contains(&two[1])
    });
    let of_functions = words.iter().copied().filter(|word| functions.contains(word));
    of_tables.map(|two| two[1]).chain(of_functions).collect()
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
}

/// The Rust sources of a folder's crates, without their tests, which may read and damage the log's tables.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if path.is_dir() {
            if !["tests", "target", "fuzz"].contains(&name) {
                collect(&path, sources);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
}
