//! The end of `razao audit verify` is recorded for the metrics.

use super::recorded;
use super::tree_heads::razao_with;

const PARTS: &str = "SELECT coalesce(string_agg(part || ' ' || (findings > 0), ', ' ORDER BY part), '')
                       FROM audit_verification WHERE ended_at > now() - interval '1 hour'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_verification_records_its_findings_and_a_role_that_only_reads_verifies_without() {
    let (database, client) = recorded().await;
    let folder = tempfile::tempdir().expect("a folder");
    let parts = async || -> String { client.query_one(PARTS, &[]).await.expect("the parts").get(0) };
    let verify = ["audit", "verify"];

    let reads_only = format!("{}?options=-c%20default_transaction_read_only%3Don", database.url);
    let variables = [("DATABASE_URL", reads_only.as_str())];
    let (status, output) = razao_with(&database, folder.path(), &verify, &variables).await;
    assert_eq!(status, Some(0), "{output}");
    assert!(
        output.contains("10 events") && output.contains("is not recorded") && output.contains("25006"),
        "{output}"
    );
    assert_eq!(parts().await, "");

    let (status, output) = razao_with(&database, folder.path(), &verify, &[]).await;
    assert_eq!(status, Some(0), "{output}");
    assert!(!output.contains("is not recorded"), "{output}");
    assert_eq!(parts().await, "log false, rows false");

    client
        .batch_execute(
            "UPDATE event SET payload = replace(payload::text, '10000', '10001')::json WHERE sequence = 3",
        )
        .await
        .expect("tampered");
    let (status, output) = razao_with(&database, folder.path(), &verify, &[]).await;
    assert_eq!(status, Some(3), "{output}");
    assert_eq!(parts().await, "log true, rows false");
}
