//! How the audit protects each table. A new table cannot be forgotten: the test fails until the table has its place.

use std::collections::{BTreeMap, BTreeSet};

use projections::ReadModelGroup;

use crate::support::TestApp;
use crate::support::database::only_with_tables;

/// What a person must do who added a table or a column.
const HOW: &str = "Decide how the audit protects it. \
    If its rows decide money or authority: `SELECT chain_rows('<table>', '{<key columns>}', '<column with the company, \
    or NULL>', '{<columns that decide nothing>}')` in a \
    later migration, and add a row to gateway/tests/it/audit/fill.sql. \
    If the audit compares it with the log, or if its rows decide nothing: name it in `OTHERS` in \
    gateway/tests/it/audit/tables.rs, with the reason.";

/// The tables that are neither chained nor read models.
const OTHERS: &[(&str, &str)] = &[
    // The log: `audit verify`.
    ("event", "chained by company, and covered by tree heads"),
    ("business_head", "compared with the log"),
    ("tree_head", "signed"),
    ("log_shard", "compared with the log"),
    ("log_subtree", "computed again from the log"),
    ("log_checkpoint", "signed, and compared with the log"),
    ("log_cosignature", "signed by witnesses"),
    (
        "heads_outside",
        "tells operators when heads were written; `audit verify` reads what is there",
    ),
    (
        "audit_progress",
        "tells operators how far the audit in the background is; `audit verify` reads everything",
    ),
    (
        "event_archive",
        "its files are verified like the events of the log, without a gap",
    ),
    (
        "event_archive_business",
        "an index: what it leads to is compared with what was asked for",
    ),
    ("sale_claim", "compared with the log"),
    ("command_key", "compared with the log"),
    ("sale_state", "compared with the log"),
    ("transfer_state", "compared with the log"),
    ("projection_checkpoint", "compared with the log"),
    (
        "effect_checkpoint",
        "compared with the log and with the rows of effects",
    ),
    // The chains themselves.
    ("row_change", "chained, and covered by signed heads"),
    ("row_chain", "compared with `row_change`"),
    ("row_chain_head", "signed"),
    ("chained_table", "its columns are a part of each digest"),
    ("schema_migration", "a wrong digest stops the program"),
    // Content with a digest in a chained row.
    ("stored_file_part", "compared with the SHA-256 in `stored_file`"),
    (
        "settlement_file_part",
        "exists until its import is read, and the import's SHA-256 is chained",
    ),
    // Caches and words for searches: derived from other rows, and no decision reads them.
    ("reference_version", "tells caches that something changed"),
    ("reference_change", "tells caches what changed"),
    ("postal_code", "a cache of public data"),
    ("admin_user_word", "words for searches"),
    ("business_word", "words for searches"),
    ("contact_message_word", "words for searches"),
    ("payment_link_word", "words for searches"),
    ("seller_user_word", "words for searches"),
    ("settlement_difference_word", "words for searches"),
    // Rows that decide nothing, or live shortly.
    (
        "audit_verification",
        "tells operators when the audit last ended; its proof is its own output",
    ),
    (
        "database_restore",
        "a row adds look-ups; without it orders are sent under their own keys, as ever",
    ),
    (
        "gateway_process",
        "lives for some leases; a process that cannot prove the installation's key is sent nothing",
    ),
    ("card_answer", "kept for a day, to slow card testing down"),
    ("payment_link_opening", "counts openings"),
    (
        "payout_step",
        "the record of calls to the bank for persons; decisions read `payout`",
    ),
    (
        "composition_run",
        "sums that the lines of the statement give again",
    ),
    ("plan_impact", "a calculation that is kept for a day"),
    (
        "idempotency_record",
        "an answer to a repeated request; it changes nothing and is kept for a day",
    ),
    (
        "mail",
        "an outbox: it has no text and no code, and ended rows are deleted",
    ),
    (
        "settlement_warning",
        "says what was mended in a file whose rows are chained; it has no money",
    ),
    (
        "rate_limit_bucket",
        "attempts of an hour at most, which decide no money",
    ),
    ("report_view", "what a user keeps of a report"),
    (
        "report_email",
        "what a user wants by e-mail; the sender checks the user's access",
    ),
    (
        "report_delivery",
        "a file that a user may open for some days, after a check of access",
    ),
    ("report_delivery_part", "the content of such a file"),
    (
        "withdrawal_schedule_run",
        "says for persons what became of a day; the withdrawal is in the log under an id of its own",
    ),
];

#[tokio::test]
async fn every_table_has_its_place_in_the_audit() {
    only_with_tables!();
    let app = TestApp::start().await;
    let list = async |sql: &str| -> BTreeSet<String> {
        let text = app
            .text(&format!(
                "SELECT coalesce(string_agg(name, ','), '') FROM ({sql}) AS names"
            ))
            .await;
        text.split(',').map(ToOwned::to_owned).collect()
    };
    let all = list("SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'").await;
    let chained = list("SELECT table_name AS name FROM chained_table").await;
    let of = |model: &'static ReadModelGroup| model.tables().iter().copied().chain(model.shared_tables());
    let read_models = ReadModelGroup::ALL.iter().flat_map(of);
    let others = OTHERS.iter().map(|(name, _)| *name);
    let named = read_models.chain(others).map(ToOwned::to_owned);
    let mut places: BTreeMap<String, u8> = BTreeMap::new();
    for name in chained.into_iter().chain(named) {
        *places.entry(name).or_default() += 1;
    }
    let without: Vec<_> = all.iter().filter(|name| !places.contains_key(*name)).collect();
    assert!(without.is_empty(), "tables without a place: {without:?}. {HOW}");
    let gone: Vec<_> = places.keys().filter(|name| !all.contains(*name)).collect();
    assert!(gone.is_empty(), "no such tables: {gone:?}");
    let twice: Vec<_> = places.iter().filter(|(_, places)| **places > 1).collect();
    assert!(twice.is_empty(), "tables with two places: {twice:?}");
}

#[tokio::test]
async fn every_column_of_a_chained_table_is_chained_or_skipped() {
    let app = TestApp::start().await;
    let forgotten = app
        .text(
            "SELECT coalesce(string_agg(table_name || '.' || attname, ', '), '')
               FROM chained_table JOIN pg_attribute ON attrelid = table_name::regclass
              WHERE attnum > 0 AND NOT attisdropped AND attname <> ALL (columns) AND attname <> ALL (skipped)",
        )
        .await;
    assert_eq!(forgotten, "", "columns without a place. {HOW}");
}
