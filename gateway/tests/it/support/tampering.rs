//! Changes rows without the program, and returns the findings of the audit of effects.

use ed25519_dalek::SigningKey;
use gateway_environment::config::ChangeKey;
use gateway_platform::effects::audit;
use gateway_platform::row_chains::{self, RowFinding};
use ledger_store::audit::row_head::RowHead;
use ledger_store::layout::TABLES;

use super::TestApp;
use super::database::{CHECKPOINT_KEY, wants_schemas};

impl TestApp {
    /// The findings of the audit in the rows of payouts, refunds, orders and exceptions.
    pub async fn audit_findings(&self) -> Vec<String> {
        let mut findings = vec![];
        let pool = &self.app.state.pool;
        let counted = audit::run(pool, &mut |finding| findings.push(finding.to_string())).await;
        assert_eq!(
            counted.expect("an audit"),
            u64::try_from(findings.len()).expect("a count")
        );
        findings
    }

    /// The findings of `audit verify` about the chains of rows.
    pub async fn row_findings(&self) -> Vec<String> {
        self.row_findings_with(&[]).await
    }

    /// Like `row_findings`, with copies of heads from outside the database.
    pub async fn row_findings_with(&self, copies: &[RowHead]) -> Vec<String> {
        let keys = [SigningKey::from_bytes(&CHECKPOINT_KEY).verifying_key()];
        let change_key = ChangeKey::of(&CHECKPOINT_KEY);
        let mut findings = vec![];
        let mut report = |finding: RowFinding| findings.push(finding.to_string());
        let pool = &self.app.state.pool;
        let summary = row_chains::verify::run(pool, &[change_key], &keys, copies, &mut report).await;
        let counted = summary.expect("an audit").findings;
        assert_eq!(counted, u64::try_from(findings.len()).expect("a count"));
        findings
    }

    /// Waits until the effect handlers have read all recorded events.
    pub async fn until_effect_handlers_read_all(&self) {
        let behind = "SELECT count(*) FROM effect_checkpoint checkpoint JOIN log_shard USING (shard)
                       WHERE checkpoint.position < log_shard.position";
        self.until_count(behind, 0).await;
    }

    /// Makes each change of the table alone and reverts it. Checks that the audit finds nothing before, and exactly the
    /// expected findings after each change.
    pub async fn assert_audit_finds(&self, table: &str, changes: &[(&str, &[&str])]) {
        self.execute(&format!("CREATE TABLE kept AS SELECT * FROM {table}"))
            .await;
        for (change, expected) in changes {
            assert_eq!(self.audit_findings().await, [""; 0], "before {change}");
            self.tamper(change).await;
            let found = self.audit_findings().await;
            assert_eq!(found.len(), expected.len(), "{change}: {found:#?}");
            for (found, expected) in found.iter().zip(*expected) {
                assert!(
                    found.contains(expected),
                    "{change}: {found} instead of {expected}"
                );
            }
            self.tamper(&format!(
                "DELETE FROM {table}; INSERT INTO {table} SELECT * FROM kept"
            ))
            .await;
        }
        self.execute("DROP TABLE kept").await;
        assert_eq!(
            self.audit_findings().await,
            [""; 0],
            "after all changes are reverted"
        );
    }

    /// Drops the table's checks, like the migration of a newer version that allows other values.
    pub async fn drop_checks(&self, table: &str) {
        self.execute(&drop_checks_of(table)).await;
    }

    /// Executes without the tables' triggers and foreign keys.
    pub async fn tamper(&self, sql: &str) {
        self.execute(&without_triggers(sql)).await;
    }
}

/// A statement that drops all check constraints of the table.
pub fn drop_checks_of(table: &str) -> String {
    format!(
        "DO $$ DECLARE name text; place regclass; BEGIN
             FOR name, place IN SELECT conname, conrelid FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
                                 WHERE relname = '{table}' AND contype = 'c' LOOP
                 EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', place, name);
             END LOOP;
         END $$"
    )
}

/// A statement that renames the table of each shard, and in layout `schemas` the view over them.
pub fn rename_everywhere(table: &str, new: &str) -> String {
    format!(
        "DO $$ DECLARE place regclass; BEGIN
             FOR place IN SELECT oid FROM pg_class WHERE relname = '{table}' AND relkind IN ('r', 'v') LOOP
                 EXECUTE format('ALTER TABLE %s RENAME TO {new}', place);
             END LOOP;
         END $$"
    )
}

/// The statements as a superuser can run them: no trigger fires and no foreign key is checked. Views of layout `schemas`
/// have triggers that do that.
pub fn without_triggers(sql: &str) -> String {
    let words: Vec<_> = sql
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .collect();
    let is_changed = |two: &[&str]| matches!(two[0], "UPDATE" | "INTO" | "FROM") && TABLES.contains(&two[1]);
    if wants_schemas() && words.windows(2).any(is_changed) {
        return sql.to_owned();
    }
    format!("SET session_replication_role = replica; {sql}; RESET session_replication_role")
}
