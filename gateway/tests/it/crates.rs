//! The crates below HTTP do not depend on it directly, the production build does not contain development code, and no
//! part of it opens a connection to the database that skips TLS.

use std::path::Path;
use std::process::Command;

/// Crates that serve or describe HTTP. Clients (`reqwest`) are allowed: providers are called over HTTP.
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
fn crates_below_http_do_not_depend_on_it_directly() {
    for package in [
        "gateway-acquirers",
        "gateway-environment",
        "gateway-formats",
        "gateway-outbox",
        "gateway-platform",
        "gateway-identity",
        "gateway-mail",
    ] {
        let direct = dependencies(package, &["--depth", "1"]);
        let http: Vec<_> = direct
            .iter()
            .filter(|name| HTTP.contains(&name.as_str()))
            .collect();
        assert!(http.is_empty(), "{package} depends on {http:?}");
    }
}

/// The database's clock decides when a row is due, so the crate needs no calendar.
#[test]
fn the_outbox_depends_on_no_calendar_and_no_other_crate_of_the_gateway() {
    let direct = dependencies("gateway-outbox", &["--depth", "1"]);
    assert!(direct.contains(&"ledger-store".to_owned()), "{direct:?}");
    // The first line is the package itself.
    let others = direct
        .iter()
        .skip(1)
        .filter(|name| name.starts_with("gateway") || name.starts_with("chrono") || *name == "projections");
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&String>::new());
}

/// Formats need no database, no task and no other crate of the gateway.
#[test]
fn the_formats_depend_on_no_other_crate_of_the_project_than_the_domain() {
    let direct = dependencies("gateway-formats", &["--depth", "1"]);
    assert!(direct.contains(&"ledger-domain".to_owned()), "{direct:?}");
    let others = direct.iter().skip(1).filter(|name| {
        let is_other = ["gateway", "ledger", "projections", "tokio"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
        is_other && *name != "ledger-domain"
    });
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&String>::new());
}

/// Whoever checks us, or witnesses us, needs nothing of our program.
#[test]
fn the_verifier_and_the_witness_depend_on_no_crate_of_the_program() {
    for package in ["razao-verify", "razao-witness"] {
        let all = dependencies(package, &[]);
        let own = all.iter().filter(|name| {
            let prefixes = ["gateway", "ledger", "projections", "tokio-postgres"];
            prefixes.iter().any(|prefix| name.starts_with(prefix))
        });
        assert_eq!(own.collect::<Vec<_>>(), Vec::<&String>::new(), "{package}");
    }
}

#[test]
fn the_production_build_has_no_development_crate() {
    let all = dependencies("gateway", &["--no-default-features"]);
    assert!(all.contains(&"gateway-http".to_owned()));
    for left_out in ["gateway-dev", "ledger-model"] {
        assert!(!all.contains(&left_out.to_owned()), "{left_out}");
    }
}

/// `sslmode` is a promise about each connection, so `ledger_store::Connector` opens them all. Only the embedded server and
/// the tests, which are on this machine, are reached without it.
#[test]
fn no_part_of_production_connects_to_the_database_without_the_connector() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut sources = vec![];
    for folder in ["ledger", "projections", "gateway"] {
        collect(&root.join(folder), &mut sources);
    }
    assert!(sources.len() > 200, "{} files were read", sources.len());
    let is_of_development = |path: &str| path.contains("/gateway/dev/") || path.contains("/tests/");
    let without_tls: Vec<_> = sources
        .iter()
        .filter(|(path, source)| source.contains("NoTls") && !is_of_development(path))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(without_tls, Vec::<&String>::new());
}

/// The path and the text of each source in a folder.
fn collect(folder: &Path, sources: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = std::fs::read_to_string(&path).expect("a source");
            sources.push((path.display().to_string(), source));
        }
    }
}

/// The package's name and those of the packages that it depends on, without those that only its tests need.
fn dependencies(package: &str, more: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", package, "--edges", "normal"])
        .args(["--prefix", "none", "--format", "{p}"])
        .args(more)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let tree = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}
