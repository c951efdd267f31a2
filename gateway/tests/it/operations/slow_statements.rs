//! A statement that takes long leaves a warning with its name and its route, and counts.

use crate::support::Client;
use crate::support::database::{Database, only_with_tables};
use crate::support::program::Program;
use crate::support::sandbox::free_address;
use crate::support::wait::{until, until_some};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_statement_is_named_with_its_route_and_without_its_values() {
    only_with_tables!();
    let database = Database::create().await;
    let operations = free_address();
    let variables = [
        ("RAZAO_SLOW_STATEMENT_MS", "1"),
        ("RAZAO_LOG", "warn"),
        ("RAZAO_OPS_ADDR", &operations.to_string()),
    ];
    let program = Program::new(&database.url, free_address(), free_address(), &variables);
    let _running = program.serve(&["--gateway", "--writer"]);
    program.until_it_serves().await;

    // The request waits for this table.
    let holder = database.client().await;
    let lock = "BEGIN; LOCK TABLE payment_link IN ACCESS EXCLUSIVE MODE";
    holder.batch_execute(lock).await.expect("a lock");
    let client = Client::new(program.addr);
    let asked = async { client.get("/api/pl/SECRETC0DE12").await.status };
    let watched = async {
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                       AND wait_event_type = 'Lock' AND query_start < clock_timestamp() - interval '600 milliseconds'";
        let observer = database.client().await;
        until(
            "the statement to be slow for two looks of the watch",
            async || {
                observer
                    .query_one(waiting, &[])
                    .await
                    .expect("a count")
                    .get::<_, i64>(0)
                    > 0
            },
        )
        .await;
        holder.batch_execute("COMMIT").await.expect("the end of the lock");
    };
    let (status, ()) = tokio::join!(asked, watched);
    assert_eq!(status, 404);
    let line = until_some("the warning", async || {
        let log = program.log();
        let is_of_request =
            |line: &&str| line.contains("a statement was slow") && line.contains("payment_link");
        log.lines().find(is_of_request).map(str::to_owned)
    })
    .await;
    let line: serde_json::Value = serde_json::from_str(&line).expect("a line of JSON");
    assert_eq!(line["work"], "GET /api/pl/{code}", "{line}");
    let statement = line["statement"].as_str().expect("a name");
    assert!(statement.starts_with("SELECT payment_link "), "{statement}");
    assert!(
        line["milliseconds"].as_i64().expect("a duration") >= 250,
        "{line}"
    );
    assert!(!program.log().contains("SECRETC0DE12"), "no value is in it");
    let metrics = Client::new(operations).get("/metrics").await;
    let metrics = metrics.body.as_str().expect("metrics").to_owned();
    let series = format!("razao_slow_statements_total{{statement=\"{statement}\"}} ");
    assert!(metrics.contains(&series), "{series} in {metrics}");
}
