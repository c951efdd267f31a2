//! The domain stays pure: it may depend only on these crates.

use std::collections::BTreeSet;
use std::process::Command;

const ALLOWED: [&str; 8] = [
    "chrono",
    // Only the time zone database, for Brazil's daylight saving time until 2019.
    "chrono-tz",
    "cqrs-es",
    "rust_decimal",
    "serde",
    // cqrs-es passes stored events as JSON values.
    "serde_json",
    "thiserror",
    "uuid",
];

#[test]
fn the_domain_has_only_the_allowed_dependencies() {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "-p",
            env!("CARGO_PKG_NAME"),
            "--edges",
            "normal",
            "--depth",
            "1",
        ])
        .args(["--prefix", "none", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );

    let tree = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let mut lines = tree.lines().filter_map(|line| line.split_whitespace().next());
    assert_eq!(lines.next(), Some(env!("CARGO_PKG_NAME")));
    let dependencies: BTreeSet<_> = lines.collect();
    assert!(dependencies.contains("serde"), "the tree was not read: {tree}");

    let foreign: Vec<_> = dependencies
        .iter()
        .filter(|name| !ALLOWED.contains(name))
        .collect();
    assert!(foreign.is_empty(), "the domain may not depend on {foreign:?}");
}
