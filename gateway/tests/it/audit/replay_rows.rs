//! The audit by replay compares the rows and the columns of its tables.

use projections::replay::Subject;

use super::replay::{audit, lines, restorable_ledger, restore, tables, tamper};
use crate::projections::ledger::Ledger;
use crate::support::database::only_with_tables;

/// An expression for another value of a column, by its type. Most enumerated texts stay within their vocabulary, so
/// that the audit must find the wrong value and not the wrong spelling.
fn another_value(table: &str, column: &str, data_type: &str) -> String {
    match (column, data_type) {
        ("status", "text") if table.contains("outcomes") => {
            "CASE status WHEN 'failed' THEN 'dispute' ELSE 'failed' END".to_owned()
        }
        ("status", "text") => "'reversed'".to_owned(),
        ("status", "smallint") => "(status + 1) % 5".to_owned(),
        ("kind", _) if ["transfer", "daily_transfers"].contains(&table) => "(kind + 1) % 3".to_owned(),
        // A kind that the day of the chosen row does not have yet.
        ("kind", _) if table == "statement_daily" => "CASE kind WHEN 3 THEN 2 ELSE 3 END".to_owned(),
        ("kind", _) if table == "hold" => {
            "CASE kind WHEN 'analysis' THEN 'contract' ELSE 'analysis' END".to_owned()
        }
        ("kind", _) if table == "hold_step" => {
            "CASE kind WHEN 'released' THEN 'placed' ELSE 'released' END".to_owned()
        }
        ("kind", _) => "(kind + 1) % 5".to_owned(),
        ("movement", _) => "CASE movement WHEN 'hold' THEN 'release' ELSE 'hold' END".to_owned(),
        ("direction", _) => "CASE direction WHEN 'in' THEN 'out' ELSE 'in' END".to_owned(),
        ("destination", _) => "'{\"pix\":{\"key\":\"00000000000000\"}}'".to_owned(),
        ("names" | "return_names", _) => "'{\"end_to_end_id\":\"E0\"}'".to_owned(),
        ("search_names", _) => "array_append(search_names, 'x')".to_owned(),
        ("recent_withdrawals" | "holds", _) => "'[]'".to_owned(),
        ("event_type", _) if table == "journal" => {
            "CASE event_type WHEN 'SaleCaptured' THEN 'SaleCanceled' ELSE 'SaleCaptured' END".to_owned()
        }
        ("month", _) => "(month + interval '10 years')::date".to_owned(),
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
        ("documents", _) => "array_append(documents, 'x')".to_owned(),
        (_, "ARRAY") if ["due_dates", "captured_on"].contains(&column) => {
            format!("array_append({column}[2:], {column}[1] + 1)")
        }
        (_, "ARRAY") => format!("array_append({column}[2:], coalesce({column}[1], 0) + 1)"),
        _ => panic!("no other value for {table}.{column} of type {data_type}"),
    }
}

/// The columns of a table with their types, and whether they name the row. A generated column cannot be changed.
const COLUMNS: &str = "
    SELECT column_name::text, data_type::text, EXISTS (
             SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
              WHERE i.indrelid = ($1::text)::regclass AND i.indisunique AND a.attname = column_name)
      FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1::text AND is_generated = 'NEVER' ORDER BY ordinal_position";

#[tokio::test]
async fn a_changed_value_in_any_column_is_found_and_named() {
    only_with_tables!();
    let ledger = restorable_ledger().await;
    let client = ledger.client().await;
    for (table, subject) in tables() {
        let columns = client.query(COLUMNS, &[&table]).await.expect("columns");
        assert!(!columns.is_empty(), "{table}");
        // One audit serves all columns that neither name the row nor move it to another company or shard.
        let mut together = vec![];
        for row in columns {
            let (column, data_type, is_name): (String, String, bool) = (row.get(0), row.get(1), row.get(2));
            let change = (another_value(table, &column, &data_type), column);
            if is_name || ["business_id", "shard"].contains(&&*change.1) || subject == Subject::Log {
                is_found(&ledger, table, subject, &[change]).await;
            } else {
                together.push(change);
            }
        }
        if !together.is_empty() {
            is_found(&ledger, table, subject, &together).await;
        }
    }
    let (findings, _) = audit(&ledger).await;
    assert!(findings.is_empty(), "restored: {}", lines(&findings));
}

/// Changes columns of one row to these values, and restores them.
async fn is_found(ledger: &Ledger, table: &str, subject: Subject, changes: &[(String, String)]) {
    let first = &changes[0].1;
    // Prefers a row that has a value in the first column, and then a succeeded sale. Any other row would do too.
    let chosen = format!(
        "SELECT ctid FROM {table} AS t
          ORDER BY ({first} IS NOT NULL) DESC, (t::text LIKE '%succeeded%') DESC, t::text DESC LIMIT 1"
    );
    let set: Vec<_> = changes
        .iter()
        .map(|(value, column)| format!("{column} = {value}"))
        .collect();
    let set = set.join(", ");
    tamper(
        ledger,
        &format!("UPDATE {table} SET {set} WHERE ctid = ({chosen})"),
    )
    .await;
    let (findings, _) = audit(ledger).await;
    for (_, column) in changes {
        let named = findings.iter().any(|finding| {
            // A finding of the log may name only the event.
            let about = finding.key.contains(&**column)
                || subject == Subject::Log
                || changes.len() == 1 && (finding.expected == "no row" || finding.found == "no row");
            finding.subject == subject && about
        });
        assert!(named, "{table}.{column} of {set} found as:\n{}", lines(&findings));
    }
    restore(ledger, table).await;
}

#[tokio::test]
async fn a_missing_row_in_any_table_is_found_and_named() {
    only_with_tables!();
    let ledger = restorable_ledger().await;
    for (table, subject) in tables() {
        tamper(
            &ledger,
            &format!("DELETE FROM {table} WHERE ctid = (SELECT ctid FROM {table} LIMIT 1)"),
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

/// Faults that the sums between read models and the log must reveal: the table, the change, and a part of the finding.
const DISAGREEMENTS: [(&str, &str, &str); 37] = [
    (
        "balance",
        "UPDATE balance SET available = available + 1, clearing = clearing - 1",
        "last balance",
    ),
    (
        "balance",
        "UPDATE balance SET receivable = receivable + 1, clearing = clearing - 1",
        "sum of open installments",
    ),
    (
        "receivables_schedule",
        "UPDATE receivables_schedule SET expected = expected + 1",
        "the receivables schedule's open net",
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
        "daily_sales",
        "UPDATE daily_sales SET installments = installments + 1",
        "net is the sum of its sales",
    ),
    (
        "hourly_sales",
        "UPDATE hourly_sales SET gross = gross + 1, net = net + 1",
        "gross is the sum of its sales",
    ),
    (
        "hourly_sales",
        "UPDATE hourly_sales SET business_hour = business_hour + interval '1 hour'",
        "is the sum of its",
    ),
    (
        "monthly_sales",
        "UPDATE monthly_sales SET canceled_net = canceled_net + 1",
        "canceled_net is the sum of its sales",
    ),
    (
        "monthly_sales",
        "UPDATE monthly_sales SET settled = settled + 1",
        "settled is the sum of its lines",
    ),
    (
        "sale_return",
        "UPDATE sale_return SET net = net + 1 WHERE status = 'charged_back'",
        "sale_return charged_back net is the sum of its sales",
    ),
    (
        "sale_return",
        "DELETE FROM sale_return WHERE status = 'dispute'",
        "sale_return dispute returns is the sum of its lines",
    ),
    (
        "platform_fees_daily",
        "UPDATE platform_fees_daily SET sales = sales + 1",
        "is the sum of balance_daily.platform_fees",
    ),
    (
        "platform_fees_daily",
        "UPDATE platform_fees_daily SET sales = sales - 1, rentals = rentals + 1",
        "platform_fees_daily.rentals is the sum of the business's rentals",
    ),
    (
        "platform_fees_monthly",
        "UPDATE platform_fees_monthly SET sales = sales - 1, withdrawals = withdrawals + 1",
        "platform_fees_monthly.withdrawals is the sum of the fees",
    ),
    (
        "platform_fees_monthly",
        "UPDATE platform_fees_monthly SET sales = sales + 1, withdrawals = withdrawals - 1",
        "platform_fees_monthly.sales is the sum of the fees",
    ),
    (
        "daily_transfers",
        "UPDATE daily_transfers SET amount = amount + 1 WHERE kind = 0",
        "daily_transfers.amount of",
    ),
    (
        "daily_outcomes",
        "UPDATE daily_outcomes SET captured_net = captured_net + 1",
        "daily_outcomes.captured_net of",
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
];

/// Only the findings of the sums count here, not those of the comparison with rows that were computed again.
#[tokio::test]
async fn the_sums_between_read_models_and_the_log_reveal_each_disagreement() {
    let ledger = restorable_ledger().await;
    for (table, fault, named) in DISAGREEMENTS {
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
