//! The import of a file by the command line.

use serde_json::{Value, json};

use super::{SettlementFixture, detail, paid_file};
use crate::support::program::Program;
use crate::support::sandbox::free_address;

#[tokio::test]
async fn the_command_line_imports_a_file_once_with_an_audit_entry() {
    let fixture = SettlementFixture::open().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("extrato.txt");
    std::fs::write(&file, paid_file(vec![detail("TID-1")])).expect("a file");
    let database = &fixture.app.database.url;
    let program = Program::new(database, free_address(), free_address(), &[]);
    let file = file.to_str().expect("a path");
    for _ in 0..2 {
        program
            .succeeds(&["import-settlements", "--provider", "zoop", file])
            .await;
    }
    let imports = fixture.get("imports").await;
    assert_eq!(imports["meta"]["total"], 1);
    let import = &imports["data"][0];
    assert_eq!(
        (&import["state"], &import["file_name"], &import["imported_by"]),
        (&json!("done"), &json!("extrato.txt"), &Value::Null),
        "{import}"
    );
    let entries = "audit_log WHERE subject = 'settlement_import' AND audience = 'system'
                      AND after ->> 'file_name' = 'extrato.txt'";
    assert_eq!(fixture.app.rows(entries).await, 1);
}

#[tokio::test]
async fn the_command_line_asks_before_it_imports_a_file_that_is_dated_far_ahead() {
    let fixture = SettlementFixture::open().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("extrato.txt");
    let content = paid_file(vec![detail("TID-1")]).replacen("20261112", "20991208", 1);
    std::fs::write(&file, content).expect("a file");
    let database = &fixture.app.database.url;
    let program = Program::new(database, free_address(), free_address(), &[]);
    let file = file.to_str().expect("a path");
    let arguments = ["import-settlements", "--provider", "zoop", file];
    let refused = program.output(&arguments).await;
    assert!(!refused.status.success());
    let refused = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.contains("the file is of 2099-12-08"), "{refused}");
    assert_eq!(fixture.app.rows("settlement_import").await, 0);
    let confirmed = [&arguments[..], &["--confirm-date"]].concat();
    program.succeeds(&confirmed).await;
    assert_eq!(fixture.app.rows("settlement_import").await, 1);
}
