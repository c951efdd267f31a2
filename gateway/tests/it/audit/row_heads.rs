//! The chains of rows outside the log as such: links, seals and signed heads.

use chrono::Utc;
use gateway_identity::audit::{Actor, Change, record};
use gateway_platform::row_chains::{self, heads};
use ledger_store::audit::row_head::RowHead;

use super::KEY;
use super::row_chains::filled;
use crate::support::TestApp;

/// Changes that are all sealed, and a signed head over them.
async fn signed() -> (TestApp, RowHead) {
    let app = filled().await;
    let head = heads::sign(&app.app.state.pool, &KEY, Utc::now()).await;
    let head = head.expect("signed").expect("a head");
    assert_eq!(app.rows("row_change WHERE position IS NULL").await, 0);
    assert_eq!(app.row_findings().await, [""; 0]);
    (app, head)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tampered_chain_is_named() {
    let (app, _) = signed().await;
    app.execute("CREATE TABLE kept AS SELECT * FROM row_change").await;
    let bank_account = "table_name = 'bank_account'";
    for (change, named) in [
        (
            format!("UPDATE row_change SET digest = sha256('x') WHERE {bank_account}"),
            "the chain is broken at change",
        ),
        (format!("DELETE FROM row_change WHERE {bank_account}"), "expected a change at position"),
        (
            format!("UPDATE row_change SET row_key = row_key || 'x' WHERE {bank_account}"),
            "was not made by the program",
        ),
        (
            "UPDATE row_change SET position = position + 1 WHERE position = (SELECT max(position) FROM row_change)".to_owned(),
            "expected a change at position",
        ),
        (
            "DELETE FROM row_change WHERE position = (SELECT max(position) FROM row_change)".to_owned(),
            "row_chain_head 1: head: covers position",
        ),
        ("DELETE FROM row_change".to_owned(), "row_chain_head 1: head: covers position"),
        (
            format!("UPDATE row_change SET position = NULL, link = NULL WHERE {bank_account}"),
            "expected a change at position",
        ),
    ] {
        app.tamper(&change).await;
        let found = app.row_findings().await.join("\n");
        assert!(found.contains(named), "{change} should be named by {named}:\n{found}");
        app.tamper("DELETE FROM row_change; INSERT INTO row_change OVERRIDING SYSTEM VALUE SELECT * FROM kept")
            .await;
    }
    assert_eq!(
        app.row_findings().await,
        [""; 0],
        "after all changes are reverted"
    );
    for (change, named) in [
        (
            "UPDATE row_chain_head SET root = sha256('x')",
            "head: the signature does not match",
        ),
        (
            "UPDATE row_chain_head SET number = 2",
            "head: number 1 is missing before it",
        ),
        (
            "UPDATE row_chain SET changes = changes + 1",
            "the chain should end after",
        ),
        ("DELETE FROM row_chain", "the chain should end after 0 changes"),
        (
            "DELETE FROM chained_table WHERE table_name = 'plan'",
            "plan : the table has recorded changes",
        ),
        (
            "UPDATE chained_table SET columns = array_remove(columns, 'account_number') WHERE table_name = 'bank_account'",
            "the row differs from its last recorded change",
        ),
        (
            "ALTER TABLE bank_account DISABLE TRIGGER row_changed",
            "bank_account : the triggers",
        ),
    ] {
        app.tamper(change).await;
        let found = app.row_findings().await.join("\n");
        assert!(
            found.contains(named),
            "{change} should be named by {named}:\n{found}"
        );
    }
}

/// The last changes since the head are deleted, and the row is set back: the head shows what was signed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_history_that_was_cut_is_found_by_the_signed_head() {
    let (app, first) = signed().await;
    app.execute("CREATE TABLE kept AS SELECT * FROM row_chain").await;
    let before = app.text("SELECT account_number FROM bank_account").await;
    app.execute("UPDATE bank_account SET account_number = '777'")
        .await;
    let pool = &app.app.state.pool;
    let second = heads::sign(pool, &KEY, Utc::now())
        .await
        .expect("signed")
        .expect("a head");
    assert_eq!((second.number, second.position), (2, first.position + 1));
    app.tamper(&format!(
        "UPDATE bank_account SET account_number = '{before}';
         DELETE FROM row_change WHERE position > {};
         DELETE FROM row_chain; INSERT INTO row_chain SELECT * FROM kept",
        first.position
    ))
    .await;
    let found = app.row_findings().await;
    assert!(
        found.len() == 1 && found[0].contains("row_chain_head 2: head: covers position"),
        "{found:#?}"
    );
    // Without its head the database alone shows nothing. The copy outside of it does.
    app.tamper("DELETE FROM row_chain_head WHERE number = 2").await;
    assert_eq!(app.row_findings().await, [""; 0]);
    let found = app.row_findings_with(std::slice::from_ref(&second)).await;
    assert!(
        found
            .iter()
            .any(|line| line.contains("row_chain_head 2: head: has an external copy")),
        "{found:#?}"
    );
    // Signed again after other changes, a head with the same number differs.
    app.execute("UPDATE tenant SET product_name = 'Outra'").await;
    heads::sign(pool, &KEY, Utc::now())
        .await
        .expect("signed")
        .expect("a head");
    let found = app.row_findings_with(&[second, first]).await;
    assert!(
        found
            .iter()
            .any(|line| line.contains("row_chain_head 2: head: differs from its external copy"))
            && found
                .iter()
                .any(|line| line.contains("row_chain_head 2: head: the root differs")),
        "{found:#?}"
    );
}

/// Many writers of one company and of the platform at once, while two jobs seal.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_at_the_same_time_wait_for_no_chain_and_every_change_is_sealed() {
    let app = filled().await;
    let pool = app.database.program_pool();
    let holder = pool.get().await.expect("a connection");
    // An open transaction with changes in both chains delays nobody.
    let change = "UPDATE bank_account SET account_digit = '9'; UPDATE tenant SET product_name = 'Espera'";
    holder
        .batch_execute(&format!("BEGIN; {change}"))
        .await
        .expect("changed");
    let company = app.text("SELECT business_id::text FROM bank_account").await;
    let writers = (0..8).map(|_| {
        let (pool, company) = (app.app.state.pool.clone(), company.clone());
        tokio::spawn(async move {
            for number in 0..20 {
                let mut client = pool.get().await.expect("a connection");
                let tx = client.transaction().await.expect("a transaction");
                let address = format!(
                    "INSERT INTO business_address (id, business_id, address, neighborhood, city, state, postal_code)
                     VALUES (gen_random_uuid(), '{company}', 'Rua {number}', 'Centro', 'Recife', 'PE', '50010000')"
                );
                tx.batch_execute(&address).await.expect("added");
                let change = Change {
                    action: "edit",
                    subject: "business",
                    subject_id: &company,
                    before: None,
                    after: None,
                };
                record(&*tx, Actor::System, change).await.expect("recorded");
                tx.commit().await.expect("a commit");
                drop(client);
                row_chains::seal(&pool).await.expect("sealed");
            }
        })
    });
    futures::future::join_all(writers.collect::<Vec<_>>())
        .await
        .into_iter()
        .for_each(|ended| ended.expect("a writer"));
    assert_eq!(app.row_findings().await, [""; 0], "while a transaction is open");
    holder.batch_execute("COMMIT").await.expect("a commit");
    row_chains::seal(&pool).await.expect("sealed");
    assert_eq!(app.rows("row_change WHERE position IS NULL").await, 0);
    assert_eq!(
        app.rows("row_change WHERE table_name = 'business_address'").await,
        161
    );
    assert_eq!(app.row_findings().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recorded_changes_are_only_sealed() {
    let (app, _) = signed().await;
    let psql = app.database.client().await;
    for statement in [
        "UPDATE row_change SET digest = sha256('x')",
        "UPDATE row_change SET position = position + 1000",
        "DELETE FROM row_change",
        "TRUNCATE row_change",
    ] {
        let refused = psql.batch_execute(statement).await.expect_err(statement);
        assert!(
            refused
                .as_db_error()
                .is_some_and(|error| error.message().contains("only sealed")),
            "{statement}: {refused:?}"
        );
    }
}
