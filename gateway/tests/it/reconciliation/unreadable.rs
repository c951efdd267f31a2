//! Rows that a newer version of the program wrote: a value that this version does not know is an error. It is never
//! read as another value and summed up.

use serde_json::json;

use super::{SETTLEMENTS, SettlementFixture, detail, paid_file};

/// Each table with the path of its list and its columns. A column comes with a newer value and the row's own value.
const NEWER_VALUES: [(&str, &str, &[[&str; 3]]); 4] = [
    (
        "acquirer_receivable",
        "receivables",
        &[
            ["entry", "'adjustment'", "'payment'"],
            ["provider", "99", "1"],
            ["installment", "300", "1"],
        ],
    ),
    (
        "settlement_difference",
        "differences?state=all",
        &[
            ["kind", "'rounding'", "'unknown'"],
            ["provider", "99", "1"],
            ["installment", "300", "1"],
        ],
    ),
    (
        "settlement_import",
        "imports",
        &[
            ["format", "'cnab444'", "'card_file'"],
            ["provider", "99", "1"],
            ["state", "'held'", "'done'"],
        ],
    ),
    (
        "acquirer_rate",
        "rates",
        &[["payment_type", "'wallet'", "'credit'"], ["provider", "99", "1"]],
    ),
];

#[tokio::test]
async fn a_value_of_a_newer_version_is_an_error_in_lists_and_for_the_job() {
    let fixture = SettlementFixture::open().await;
    let rate = json!({ "provider": 1, "payment_type": "credit", "valid_from": "2026-01-01", "percent": "2.5", "flat": 0 });
    let created = fixture.staff.post(&format!("{SETTLEMENTS}/rates"), rate).await;
    assert_eq!(created.status, 201, "{}", created.body);
    let file = paid_file(vec![detail("TID-1")]);
    fixture.import("extrato.txt", file).await;
    for (table, list, columns) in NEWER_VALUES {
        fixture.app.drop_checks(table).await;
        let path = format!("{SETTLEMENTS}/{list}");
        for [column, newer, former] in columns {
            let set = |value: &str| format!("UPDATE {table} SET {column} = {value}");
            assert_eq!(
                fixture.staff.get(&path).await.status,
                200,
                "before {table}.{column}"
            );
            fixture.app.tamper(&set(newer)).await;
            assert_eq!(fixture.staff.get(&path).await.status, 500, "{table}.{column}");
            fixture.app.tamper(&set(former)).await;
        }
    }
    // The job compares the row again and stops at it.
    fixture
        .app
        .tamper("UPDATE acquirer_receivable SET entry = 'adjustment', compared = false")
        .await;
    let error = fixture.app.app.reconciliation().run().await;
    let error = error.expect_err("the entry is of a newer version").to_string();
    assert!(error.contains("of this version"), "{error}");
}
