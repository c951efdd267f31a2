//! The metrics: each is there from the start with its help, and the figures over all companies are right or absent.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::acquirer;
use crate::support::movements::MovementsFixture;
use crate::support::{Client, TestApp};

async fn scrape(operations: &Client) -> String {
    let answer = operations.get("/metrics").await;
    answer.body.as_str().expect("metrics").to_owned()
}

/// The value of a series, such as `razao_ready{kind="reads"}`.
fn sample(metrics: &str, series: &str) -> Option<String> {
    let line = metrics
        .lines()
        .find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map(ToOwned::to_owned)
}

fn number(metrics: &str, series: &str) -> i64 {
    let value = sample(metrics, series);
    let value = value.unwrap_or_else(|| panic!("{series} in {metrics}"));
    value.parse().expect("a number")
}

/// The names in the sources: a literal such as `"razao_emails_total"`.
fn names_in(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path: PathBuf = entry.expect("an entry").path();
        if path.is_dir() {
            names_in(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source");
            let literals = text.split('"');
            let is_name = |literal: &&str| {
                literal.starts_with("razao_")
                    && literal.len() > "razao_".len()
                    && literal
                        .bytes()
                        .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            };
            names.extend(literals.filter(is_name).map(ToOwned::to_owned));
        }
    }
}

#[tokio::test]
async fn every_metric_of_the_sources_is_there_from_the_start_with_its_help() {
    let app = TestApp::start().await;
    let metrics = scrape(&app.operations()).await;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut names = BTreeSet::new();
    for crates in ["gateway", "ledger", "projections"] {
        let crates = root.join(crates);
        let inner = std::fs::read_dir(&crates).expect("a folder of crates");
        let inner = inner.map(|entry| entry.expect("an entry").path().join("src"));
        for sources in inner.chain([crates.join("src")]).filter(|path| path.is_dir()) {
            names_in(&sources, &mut names);
        }
    }
    assert!(
        names.contains("razao_emails_total") && names.len() > 50,
        "{names:?}"
    );
    for name in &names {
        for head in ["HELP", "TYPE"] {
            let line = format!("# {head} {name} ");
            assert_eq!(metrics.matches(&line).count(), 1, "{line}");
        }
    }
    let heads: BTreeSet<&str> = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# HELP ")?.split(' ').next())
        .collect();
    let samples = metrics
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in samples {
        let name = line.split(['{', ' ']).next().expect("a name");
        let parts = ["_bucket", "_sum", "_count"];
        let family = parts
            .iter()
            .find_map(|part| name.strip_suffix(part))
            .unwrap_or(name);
        assert!(heads.contains(family) || heads.contains(name), "{line}");
    }
    // Counters whose labels are known begin at 0.
    for series in [
        "razao_audit_entries_lost_total",
        "razao_rows_unreadable_total{table=\"payout\"}",
        "razao_task_failures_total{task=\"upkeep of metrics\"}",
    ] {
        assert!(sample(&metrics, series).is_some(), "{series}");
    }
}

#[tokio::test]
async fn the_figures_over_all_companies_are_those_of_the_staff_panel() {
    let fixture = MovementsFixture::open().await;
    // Its clients wait until the read models have every event, so that none changes a balance below.
    assert_eq!(fixture.staff.get("/api/admin/overview").await.status, 200);
    let mut without_company = acquirer::capture(&fixture.company, "without-company");
    without_company.data.business_id = None;
    assert_eq!(fixture.app.send(&without_company).await.status, 202);
    for sql in [
        "UPDATE exception SET received_at = received_at - interval '2 hours'",
        "UPDATE receivables_schedule SET due_date = due_date - 60 WHERE open",
        "UPDATE balance SET clearing = clearing + available + 700, available = -700",
    ] {
        fixture.app.execute(sql).await;
    }
    let metrics = scrape(&fixture.app.operations()).await;
    assert_eq!(number(&metrics, "razao_negative_balances"), 2);
    assert_eq!(number(&metrics, "razao_negative_balances_cents"), -1400);
    let age = number(&metrics, "razao_exceptions_oldest_seconds");
    assert!((7_200..7_500).contains(&age), "{age}");
    let due =
        "SELECT extract(epoch FROM min(due_date)::timestamp AT TIME ZONE 'America/Sao_Paulo')::int8::text
                 FROM receivables_schedule WHERE open";
    let due = fixture.app.text(due).await;
    assert_eq!(
        sample(&metrics, "razao_receivables_oldest_due_timestamp_seconds"),
        Some(due)
    );
    let overview = fixture.staff.get("/api/admin/overview").await.body;
    let late = number(&metrics, "razao_receivables_overdue_days");
    assert!(late > 0);
    assert_eq!(overview["receivables"]["late"], late);
    assert_eq!(overview["negative_balances"]["amount"], -1400);
}

#[tokio::test]
async fn figures_that_do_not_exist_are_absent_and_not_0() {
    let app = TestApp::start().await;
    let metrics = scrape(&app.operations()).await;
    for absent in [
        "razao_receivables_oldest_due_timestamp_seconds",
        "razao_audit_verify_findings{kind=\"log\"}",
        "razao_audit_verify_ended_timestamp_seconds{kind=\"rows\"}",
    ] {
        assert_eq!(sample(&metrics, absent), None, "{absent}");
    }
    for zero in ["razao_negative_balances", "razao_exceptions_oldest_seconds"] {
        assert_eq!(number(&metrics, zero), 0, "{zero}");
    }
}

#[tokio::test]
async fn the_figures_over_all_companies_are_not_read_at_each_scrape() {
    let app = TestApp::start().await;
    let before = scrape(&app.operations()).await;
    assert_eq!(number(&before, "razao_negative_balances"), 0);
    // Whoever read it again would fail.
    app.execute("ALTER TABLE audit_verification RENAME TO gone").await;
    let after = scrape(&app.operations()).await;
    assert_eq!(number(&after, "razao_negative_balances"), 0);
}

#[tokio::test]
async fn the_last_verification_is_shown_with_its_end() {
    let app = TestApp::start().await;
    app.execute(
        "INSERT INTO audit_verification VALUES ('log', '2026-11-20T12:00:00Z', 3), ('rows', '2026-11-20T12:00:05Z', 0)",
    )
    .await;
    let metrics = scrape(&app.operations()).await;
    for (kind, findings, ended_at) in [("log", 3, 1_795_176_000), ("rows", 0, 1_795_176_005)] {
        let of = |name: &str| number(&metrics, &format!("{name}{{kind=\"{kind}\"}}"));
        assert_eq!(of("razao_audit_verify_findings"), findings);
        assert_eq!(of("razao_audit_verify_ended_timestamp_seconds"), ended_at);
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_process_tells_its_memory_files_and_version() {
    let app = TestApp::start().await;
    let metrics = scrape(&app.operations()).await;
    assert!(number(&metrics, "process_resident_memory_bytes") > 10_000_000);
    let (open, max) = (
        number(&metrics, "process_open_fds"),
        number(&metrics, "process_max_fds"),
    );
    assert!((10..max).contains(&open), "{open} of {max}");
    assert!(number(&metrics, "process_start_time_seconds") > 1_700_000_000);
    let version = format!("razao_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    assert_eq!(number(&metrics, &version), 1);
}
