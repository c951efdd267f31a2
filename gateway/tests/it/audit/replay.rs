//! The audit by replay has no findings in a valid database, and reports every tampering, column by column.

use projections::Model;
use projections::replay::{self, Finding, Subject, Summary};

use crate::projections::ledger::Ledger;

async fn audit(ledger: &Ledger) -> (Vec<Finding>, Summary) {
    let mut findings = vec![];
    let summary = replay::run(
        &ledger.pool,
        &ledger.url,
        |_| {},
        |finding| findings.push(finding),
    )
    .await;
    let summary = summary.expect("an audit");
    assert_eq!(summary.findings, u64::try_from(findings.len()).expect("a count"));
    (findings, summary)
}

fn lines(findings: &[Finding]) -> String {
    findings
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

/// A valid history whose tables are copied, so that each fault can be reverted.
async fn kept() -> Ledger {
    let (ledger, runner) = Ledger::with_reversed_sales().await;
    runner.stop().await;
    for (table, _) in tables() {
        ledger
            .execute(&format!("CREATE TABLE kept_{table} AS SELECT * FROM {table}"))
            .await;
        // The test acts as an attacker with full access to the database.
        ledger
            .execute(&format!(
                "DO $$ DECLARE name text; BEGIN
                     FOR name IN SELECT conname FROM pg_constraint
                                  WHERE conrelid = '{table}'::regclass AND contype = 'c' LOOP
                         EXECUTE format('ALTER TABLE {table} DROP CONSTRAINT %I', name);
                     END LOOP;
                 END $$"
            ))
            .await;
    }
    ledger
}

async fn tamper(ledger: &Ledger, sql: &str) {
    ledger
        .execute(&format!(
            "SET session_replication_role = replica; {sql}; RESET session_replication_role"
        ))
        .await;
}

async fn restore(ledger: &Ledger, table: &str) {
    tamper(
        ledger,
        &format!("DELETE FROM {table}; INSERT INTO {table} SELECT * FROM kept_{table}"),
    )
    .await;
}

/// Every table that the audit compares, with the subject of its findings.
fn tables() -> Vec<(&'static str, Subject)> {
    let read_models = Model::ALL.iter().flat_map(|model| model.tables());
    let mut tables: Vec<_> = read_models
        .map(|table| (*table, Subject::ReadModel(table)))
        .collect();
    tables.extend([
        ("business_head", Subject::Head),
        ("event", Subject::Log),
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

/// An expression for another value of a column, by its type. Enumerated texts stay within their vocabulary, so that
/// the audit must find the wrong value and not the wrong spelling.
fn another_value(table: &str, column: &str, data_type: &str) -> String {
    match (column, data_type) {
        ("status", "text") => "'reversed'".to_owned(),
        ("status", "smallint") => "(status + 1) % 5".to_owned(),
        ("kind", _) if table == "transfer" => "(kind + 1) % 3".to_owned(),
        // A kind that the day of the chosen row does not have yet.
        ("kind", _) if table == "statement_daily" => "CASE kind WHEN 3 THEN 2 ELSE 3 END".to_owned(),
        ("kind", _) => "(kind + 1) % 5".to_owned(),
        ("movement", _) => "CASE movement WHEN 'hold' THEN 'release' ELSE 'hold' END".to_owned(),
        ("direction", _) => "CASE direction WHEN 'in' THEN 'out' ELSE 'in' END".to_owned(),
        ("destination", _) => "'{\"pix\":{\"key\":\"00000000000000\"}}'".to_owned(),
        ("recent_withdrawals", _) => "'[]'".to_owned(),
        ("event_type", _) if table == "journal" => {
            "CASE event_type WHEN 'SaleCaptured' THEN 'SaleCanceled' ELSE 'SaleCaptured' END".to_owned()
        }
        ("payment_type", _) => "'debit'".to_owned(),
        ("card_brand", _) => "'jcb'".to_owned(),
        ("state", _) if table == "transfer_state" => {
            "replace(state::text, '\"amount\":', '\"amount\":1')::json".to_owned()
        }
        ("state", _) => "replace(state::text, '\"installments\":', '\"installments\":1')::json".to_owned(),
        ("payload", _) => "replace(payload::text, 'ext-', 'eXt-')::json".to_owned(),
        ("metadata", _) => "'{\"actor\":\"nobody\"}'".to_owned(),
        (_, "bigint" | "smallint" | "integer") if table == "event" || column == "number" => {
            format!("{column} + 1000")
        }
        (_, "bigint" | "smallint" | "integer") => format!("coalesce({column}, 0) + 1"),
        (_, "boolean") => format!("NOT {column}"),
        (_, "text") => format!("coalesce({column}, '') || 'x'"),
        (_, "uuid") => "gen_random_uuid()".to_owned(),
        (_, "date") => format!("coalesce({column}, '2026-01-01') + 1"),
        (_, "timestamp with time zone") => format!("coalesce({column}, now()) + interval '1 microsecond'"),
        (_, "bytea") => format!("set_byte({column}, 0, get_byte({column}, 0) # 1)"),
        (_, "ARRAY") if ["due_dates", "captured_on"].contains(&column) => {
            format!("array_append({column}[2:], {column}[1] + 1)")
        }
        (_, "ARRAY") => format!("array_append({column}[2:], coalesce({column}[1], 0) + 1)"),
        _ => panic!("no other value for {table}.{column} of type {data_type}"),
    }
}

/// Columns that no finding can name. The columns for the writer's look-up of keys are repeated in the hashed
/// metadata.
const NOT_AUDITED: [&str; 3] = ["idempotency_key", "fingerprint", "span"];

#[tokio::test]
async fn a_changed_value_in_any_column_is_found_and_named() {
    let ledger = kept().await;
    let client = ledger.client().await;
    for (table, subject) in tables() {
        let columns = client
            .query(
                "SELECT column_name::text, data_type::text FROM information_schema.columns
                  WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position",
                &[&table],
            )
            .await
            .expect("columns");
        assert!(!columns.is_empty(), "{table}");
        for row in columns {
            let (column, data_type): (String, String) = (row.get(0), row.get(1));
            if NOT_AUDITED.contains(&column.as_str()) || (table, column.as_str()) == ("event", "shard") {
                continue;
            }
            let value = another_value(table, &column, &data_type);
            // The last row by text is an arbitrary choice; for sales it is a captured one.
            let chosen = format!(
                "SELECT tableoid, ctid FROM {table} AS t
                  ORDER BY ({column} IS NOT NULL) DESC, (t::text LIKE '%succeeded%') DESC, t::text DESC LIMIT 1"
            );
            tamper(
                &ledger,
                &format!("UPDATE {table} SET {column} = {value} WHERE (tableoid, ctid) = ({chosen})"),
            )
            .await;
            let (findings, _) = audit(&ledger).await;
            let named = findings.iter().any(|finding| {
                let about = finding.key.contains(&*column)
                    || finding.expected == "no row"
                    || finding.found == "no row"
                    || subject == Subject::Log;
                finding.subject == subject && about
            });
            assert!(
                named,
                "{table}.{column} = {value} found as:\n{}",
                lines(&findings)
            );
            restore(&ledger, table).await;
        }
    }
    let (findings, _) = audit(&ledger).await;
    assert!(findings.is_empty(), "restored: {}", lines(&findings));
}

#[tokio::test]
async fn a_missing_row_in_any_table_is_found_and_named() {
    let ledger = kept().await;
    for (table, subject) in tables() {
        tamper(
            &ledger,
            &format!(
                "DELETE FROM {table} WHERE (tableoid, ctid) = (SELECT tableoid, ctid FROM {table} LIMIT 1)"
            ),
        )
        .await;
        let (findings, _) = audit(&ledger).await;
        assert!(
            findings.iter().any(|finding| finding.subject == subject),
            "{table}:\n{}",
            lines(&findings)
        );
        restore(&ledger, table).await;
    }
}

#[tokio::test]
async fn a_fault_in_the_log_is_found_at_its_position() {
    let ledger = kept().await;
    let first = "business_id = '00000000-0000-0000-0000-000000000001'";
    let faults = [
        // One byte of one payload, which no read model shows.
        (
            format!("UPDATE event SET payload = (' ' || payload::text)::json WHERE {first} AND sequence = 4"),
            "log event 4 digest",
        ),
        // Two events swapped.
        (
            format!(
                "UPDATE event SET sequence = -sequence WHERE {first} AND sequence IN (2, 3);
                 UPDATE event SET sequence = 5 + sequence WHERE {first} AND sequence < 0"
            ),
            "log event 3 position",
        ),
        (
            format!("DELETE FROM event WHERE {first} AND sequence = 3"),
            "log sequence: expected 3, found 4",
        ),
        // The newest event is removed; only the head knows of it.
        (
            format!(
                "DELETE FROM event WHERE {first} AND sequence = (SELECT max(sequence) FROM event WHERE {first})"
            ),
            "business_head version",
        ),
        (
            format!(
                "UPDATE event SET payload = replace(payload::text, '\"net\":', '\"nett\":')::json WHERE {first}"
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

/// Changes a row together with the inputs of its own fold, so that the model agrees with itself. The checks between
/// models still find it.
#[tokio::test]
async fn read_models_that_disagree_are_found_without_a_fold() {
    let ledger = kept().await;
    for (table, fault, named) in [
        (
            "balance",
            "UPDATE balance SET available = available + 1, clearing = clearing - 1",
            "last balance",
        ),
        (
            "balance",
            "UPDATE balance SET receivable = receivable + 1, clearing = clearing - 1",
            "sum of open instalments",
        ),
        (
            "agenda",
            "UPDATE agenda SET expected = expected + 1",
            "the agenda's rest",
        ),
        (
            "daily_sales",
            "UPDATE daily_sales SET gross = gross + 1, net = net + 1",
            "gross is the sum of its sales",
        ),
        (
            "daily_sales",
            "UPDATE daily_sales SET canceled_net = canceled_net + 1",
            "canceled_net is the sum of its sales",
        ),
        (
            "daily_sales",
            "UPDATE daily_sales SET chargebacks = chargebacks + 1",
            "chargebacks is the sum of its sales",
        ),
        (
            "daily_sales",
            "UPDATE daily_sales SET disputed = disputed + 1",
            "disputed is the sum of its lines",
        ),
        (
            "daily_sales",
            "UPDATE daily_sales SET settled = settled + 1",
            "settled is the sum of its lines",
        ),
        (
            "daily_sales",
            "UPDATE daily_sales SET settled_count = settled_count + 1",
            "settled_count is the sum of its sales",
        ),
        (
            "daily_sales",
            "UPDATE daily_sales SET refunded_gross = refunded_gross + 1",
            "refunded_gross is the sum of its sales",
        ),
        (
            "daily_sales",
            "UPDATE daily_sales SET payment_link_code = 'another'",
            "link another gross is the sum of its sales",
        ),
        (
            "daily_sales",
            "UPDATE daily_sales SET won = won + 1",
            "won is the sum of its lines",
        ),
        (
            "balance",
            "UPDATE balance SET in_dispute = in_dispute + 1, clearing = clearing - 1",
            "sum of disputed sales",
        ),
        (
            "sale",
            "UPDATE sale SET status = 'succeeded' WHERE status = 'charged_back'",
            "the sum of its lines in the statement",
        ),
        (
            "statement_line",
            "UPDATE statement_line SET sale_id = gen_random_uuid() WHERE sale_id IS NOT NULL",
            "is not a captured sale",
        ),
        (
            "journal",
            "UPDATE journal SET available = available + 1",
            "is the sum of what was posted",
        ),
        (
            "journal",
            "UPDATE journal SET available = available + 1",
            "cancel out",
        ),
        ("journal", "DELETE FROM journal", "is the journal's last"),
        (
            "balance_daily",
            "UPDATE balance_daily SET available = available + 1",
            "the sum of its days",
        ),
        (
            "statement_daily",
            "UPDATE statement_daily SET amount = amount + 1",
            "the sum of the statement's lines",
        ),
        (
            "balance",
            "UPDATE balance SET in_transfer = in_transfer + 1, clearing = clearing - 1",
            "sum of open transfers",
        ),
        (
            "transfer",
            "UPDATE transfer SET status = 3 WHERE status = 1",
            "the sum of its lines in the statement",
        ),
        (
            "statement_line",
            "UPDATE statement_line SET transfer_id = gen_random_uuid() WHERE transfer_id IS NOT NULL",
            "is not a transfer",
        ),
        (
            "business_head",
            "UPDATE business_head SET available = available + 1, clearing = clearing - 1",
            "postings available",
        ),
    ] {
        tamper(&ledger, fault).await;
        let (findings, _) = audit(&ledger).await;
        let found = findings.iter().any(|finding| {
            matches!(finding.subject, Subject::CrossCheck | Subject::Postings)
                && finding.to_string().contains(named)
        });
        assert!(
            found,
            "{fault} must be reported as {named:?}:\n{}",
            lines(&findings)
        );
        restore(&ledger, table).await;
    }
}

#[tokio::test]
async fn an_invalid_enum_value_is_found_and_does_not_end_the_audit() {
    let ledger = kept().await;
    tamper(
        &ledger,
        "UPDATE sale SET status = 'paid' WHERE business_id = '00000000-0000-0000-0000-000000000001'",
    )
    .await;
    let (findings, summary) = audit(&ledger).await;
    assert!(lines(&findings).contains("found paid"), "{}", lines(&findings));
    assert_eq!(summary.businesses, 3, "the other businesses are audited too");
}

/// The upstream reader has a view and a driver of its own: it must read the same state.
#[tokio::test]
async fn the_state_of_upstream_postgres_es_is_compared() {
    let ledger = kept().await;
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

/// A checkpoint ahead of the log would skip later events, and a missing one would end the updates of its model.
#[tokio::test]
async fn a_checkpoint_ahead_of_the_log_or_gone_is_found() {
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
