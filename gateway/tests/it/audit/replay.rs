//! The audit by replay has no findings in a valid database, and reports tampering.

use projections::ReadModelGroup;
use projections::replay::{self, Finding, Subject, Summary};

use crate::projections::ledger::Ledger;
use crate::support::database::only_with_tables;
use crate::support::tampering::{drop_checks_of, without_triggers};

pub(super) async fn audit(ledger: &Ledger) -> (Vec<Finding>, Summary) {
    let mut findings = vec![];
    let summary = replay::run(
        &ledger.pool,
        &ledger.connector,
        |_| {},
        |finding| findings.push(finding),
    )
    .await;
    let summary = summary.expect("an audit");
    assert_eq!(summary.findings, u64::try_from(findings.len()).expect("a count"));
    (findings, summary)
}

pub(super) fn lines(findings: &[Finding]) -> String {
    findings
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

/// A valid history whose tables are copied, so that each fault can be reverted. The test acts as an attacker with full
/// access to the database, so the tables have no checks.
pub(super) async fn restorable_ledger() -> Ledger {
    let (ledger, runner) = Ledger::with_reversed_sales().await;
    runner.stop().await;
    for (table, _) in tables() {
        let keep = format!("CREATE TABLE kept_{table} AS SELECT %1$s FROM {table}");
        ledger.execute(&with_columns(table, &keep)).await;
        ledger.execute(&drop_checks_of(table)).await;
    }
    ledger
}

pub(super) async fn tamper(ledger: &Ledger, sql: &str) {
    ledger.execute(&without_triggers(sql)).await;
}

/// The statements with the table's columns for `%1$s`. A generated column takes no value, and a table that has the
/// column `xmin` of a view cannot be created.
fn with_columns(table: &str, statements: &str) -> String {
    format!(
        "DO $$ BEGIN
             EXECUTE (SELECT format('{statements}', string_agg(column_name, ', '))
                        FROM information_schema.columns
                       WHERE table_schema = 'public' AND table_name = '{table}' AND is_generated = 'NEVER'
                         AND column_name <> 'xmin');
         END $$"
    )
}

/// Reverts all changes of the table.
pub(super) async fn restore(ledger: &Ledger, table: &str) {
    let restore = format!("DELETE FROM {table}; INSERT INTO {table} (%1$s) SELECT %1$s FROM kept_{table}");
    let sql = with_columns(table, &restore);
    tamper(ledger, &sql).await;
}

/// The tables whose rows the audit compares, with the subjects of their findings.
pub(super) fn tables() -> Vec<(&'static str, Subject)> {
    let of = |model: &'static ReadModelGroup| model.tables().iter().copied().chain(model.shared_tables());
    let read_models = ReadModelGroup::ALL.iter().flat_map(of);
    let mut tables: Vec<_> = read_models
        .map(|table| (table, Subject::ReadModel(table)))
        .collect();
    tables.extend([
        ("business_head", Subject::Head),
        ("event", Subject::Log),
        ("sale_claim", Subject::SaleClaim),
        ("sale_state", Subject::SaleState),
        ("transfer_state", Subject::TransferState),
    ]);
    tables
}

#[tokio::test]
async fn a_valid_database_has_no_findings() {
    let (ledger, runner) = Ledger::with_reversed_sales().await;
    let (findings, summary) = audit(&ledger).await;
    assert!(findings.is_empty(), "{}", lines(&findings));
    assert_eq!(summary.businesses, 3);
    let client = ledger.client().await;
    let events: i64 = client
        .query_one("SELECT count(*) FROM event", &[])
        .await
        .expect("a count")
        .get(0);
    assert_eq!(summary.events, u64::try_from(events).expect("a count"));
    runner.stop().await;
}

/// Read models that lag are compared as of their own position.
#[tokio::test]
async fn a_read_model_that_lags_is_not_a_finding() {
    let (ledger, runner) = Ledger::with_history().await;
    runner.stop().await;
    let sale = crate::projections::ledger::card(ledger.new_sale());
    let shop = crate::projections::ledger::business(1);
    ledger
        .capture(shop, sale, crate::projections::ledger::minute(50))
        .await;
    let (findings, _) = audit(&ledger).await;
    assert!(findings.is_empty(), "{}", lines(&findings));
}

/// The first event of a sale claims it. From its second event on, the sale has a row of `sale_state`.
#[tokio::test]
async fn a_claim_that_does_not_follow_from_the_events_is_found() {
    let ledger = restorable_ledger().await;
    for (table, fault, named) in [
        (
            "sale_claim",
            "DELETE FROM sale_claim WHERE sale_id = (SELECT sale_id FROM sale_state ORDER BY sale_id LIMIT 1)",
            "found no row",
        ),
        // A sale with two events is claimed by the first one, and not by the second one.
        (
            "sale_claim",
            "UPDATE sale_claim claim SET sequence = state.sequence FROM sale_state state
              WHERE state.sale_id = claim.sale_id AND state.sequence > claim.sequence",
            "sequence: expected",
        ),
        (
            "sale_state",
            "INSERT INTO sale_state
             SELECT sale_id, business_id, 'succeeded', now(), sequence, '{}' FROM sale_claim
              WHERE sale_id NOT IN (SELECT sale_id FROM sale_state) LIMIT 1",
            "expected no row",
        ),
        (
            "sale_state",
            "DELETE FROM sale_state WHERE sale_id = (SELECT sale_id FROM sale_state LIMIT 1)",
            "found no row",
        ),
    ] {
        tamper(&ledger, fault).await;
        let (findings, _) = audit(&ledger).await;
        assert!(
            findings.iter().any(|finding| finding.to_string().contains(named)),
            "{fault}:\n{}",
            lines(&findings)
        );
        restore(&ledger, table).await;
    }
}

#[tokio::test]
async fn a_fault_in_the_log_is_found_and_named() {
    let ledger = restorable_ledger().await;
    let business_1 = "business_id = '00000000-0000-0000-0000-000000000001'";
    let faults = [
        // One byte of one payload, which no read model shows.
        (
            format!(
                "UPDATE event SET payload = (' ' || payload::text)::json WHERE {business_1} AND sequence = 4"
            ),
            "log event 4 digest",
        ),
        // Events 2 and 3 swapped: 2 becomes 5 - 2, and 3 becomes 5 - 3.
        (
            format!(
                "UPDATE event SET sequence = -sequence WHERE {business_1} AND sequence IN (2, 3);
                 UPDATE event SET sequence = 5 + sequence WHERE {business_1} AND sequence < 0"
            ),
            "log event 3 position",
        ),
        (
            format!("DELETE FROM event WHERE {business_1} AND sequence = 3"),
            "log sequence: expected 3, found 4",
        ),
        // The latest event is removed.
        (
            format!(
                "DELETE FROM event WHERE {business_1} AND sequence = (SELECT max(sequence) FROM event WHERE {business_1})"
            ),
            "business_head version",
        ),
        (
            format!(
                "UPDATE event SET payload = replace(payload::text, '\"net\":', '\"nett\":')::json WHERE {business_1}"
            ),
            "log event 1: expected an event that can be read",
        ),
    ];
    for (fault, named) in faults {
        tamper(&ledger, &fault).await;
        let (findings, _) = audit(&ledger).await;
        let text = lines(&findings);
        assert!(
            text.contains(named),
            "{fault} should be named by {named:?}:\n{text}"
        );
        restore(&ledger, "event").await;
    }
}

#[tokio::test]
async fn an_invalid_enum_value_is_found_and_does_not_end_the_audit() {
    let ledger = restorable_ledger().await;
    tamper(
        &ledger,
        "UPDATE sale SET status = 'paid' WHERE business_id = '00000000-0000-0000-0000-000000000001'",
    )
    .await;
    let (findings, summary) = audit(&ledger).await;
    assert!(lines(&findings).contains("found paid"), "{}", lines(&findings));
    assert_eq!(summary.businesses, 3, "the other businesses are audited too");
}

/// The upstream reader has a separate view and driver. It must read the same state.
#[tokio::test]
async fn the_state_of_upstream_postgres_es_is_compared() {
    let ledger = restorable_ledger().await;
    ledger
        .execute(
            "ALTER VIEW events RENAME TO all_events;
             CREATE VIEW events AS SELECT * FROM all_events WHERE event_type <> 'ReceivablesSettled'",
        )
        .await;
    let (findings, _) = audit(&ledger).await;
    let upstream: Vec<_> = findings
        .iter()
        .filter(|finding| finding.subject == Subject::Upstream)
        .collect();
    assert_eq!(upstream.len(), findings.len(), "{}", lines(&findings));
    assert!(
        upstream.iter().any(|finding| finding.key == "available"),
        "{}",
        lines(&findings)
    );
}

/// A checkpoint ahead of the log would skip later events. Without a checkpoint, a model gets no events of the shard.
#[tokio::test]
async fn a_checkpoint_ahead_of_the_log_or_gone_is_found() {
    only_with_tables!();
    let (ledger, runner) = Ledger::with_history().await;
    runner.stop().await;
    for (tampering, found) in [
        (
            "UPDATE projection_checkpoint SET position = position + 1000 WHERE model = 'sales' AND shard = 3",
            "sales of shard 3: expected at most",
        ),
        (
            "UPDATE projection_checkpoint SET position = 1 WHERE model = 'balance' AND position = 0",
            "balance of shard",
        ),
        (
            "DELETE FROM projection_checkpoint WHERE model = 'statement' AND shard = 15",
            "statement of shard 15: expected a row",
        ),
    ] {
        ledger
            .execute("CREATE TABLE kept AS SELECT * FROM projection_checkpoint")
            .await;
        let (findings, _) = audit(&ledger).await;
        assert!(findings.is_empty(), "{}", lines(&findings));
        ledger.execute(tampering).await;
        let (findings, _) = audit(&ledger).await;
        let of_checkpoints: Vec<_> = findings
            .iter()
            .filter(|finding| finding.subject == Subject::Checkpoint)
            .cloned()
            .collect();
        assert!(
            !of_checkpoints.is_empty() && lines(&of_checkpoints).contains(found),
            "{tampering}: {}",
            lines(&findings)
        );
        ledger
            .execute(
                "TRUNCATE projection_checkpoint; INSERT INTO projection_checkpoint SELECT * FROM kept; DROP TABLE kept",
            )
            .await;
    }
}
