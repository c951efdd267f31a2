//! The crates below HTTP stay without it, and production without what only development needs.

use std::process::Command;

/// What serves or describes HTTP. Clients (`reqwest`) are another matter: providers are called over HTTP.
const HTTP: [&str; 7] = [
    "axum",
    "gateway-http",
    "hyper",
    "hyper-util",
    "tower",
    "tower-http",
    "utoipa",
];

#[test]
fn crates_below_http_know_no_http() {
    for package in ["gateway-environment", "gateway-platform", "gateway-identity"] {
        let direct = dependencies(package, &["--depth", "1"]);
        let http: Vec<_> = direct
            .iter()
            .filter(|name| HTTP.contains(&name.as_str()))
            .collect();
        assert!(http.is_empty(), "{package} depends on {http:?}");
    }
}

#[test]
fn the_production_build_leaves_development_out() {
    let all = dependencies("gateway", &["--no-default-features"]);
    assert!(all.contains(&"gateway-http".to_owned()));
    for left_out in ["gateway-dev", "ledger-model"] {
        assert!(!all.contains(&left_out.to_owned()), "{left_out}");
    }
}

/// The names of the packages that this one depends on, outside of tests.
fn dependencies(package: &str, more: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", package, "--edges", "normal"])
        .args(["--prefix", "none", "--format", "{p}"])
        .args(more)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let reported = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{reported}");
    let tree = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}
