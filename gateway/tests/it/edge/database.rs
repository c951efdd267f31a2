//! Transactions of handlers: only an explicit commit keeps rows, and the connection is free afterwards.

use std::net::SocketAddr;

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use gateway_http::AppState;
use gateway_http::edge::{Db, Tx};
use gateway_http::problem::{Problem, Result};
use tokio::net::TcpListener;

use crate::support::{Client, TestApp};

async fn write(tx: &Tx) -> Result<()> {
    tx.execute("INSERT INTO note DEFAULT VALUES", &[]).await?;
    Ok(())
}

async fn write_and_commit(tx: Tx) -> Result<()> {
    write(&tx).await?;
    tx.commit().await
}

async fn write_and_refuse(tx: Tx) -> Result<()> {
    write(&tx).await?;
    Err(Problem::conflict("Não."))
}

async fn write_and_forget(tx: Tx) -> Result<()> {
    write(&tx).await
}

async fn write_and_fail(tx: Tx) -> Result<()> {
    write(&tx).await?;
    tx.execute("SELECT 1 / 0", &[]).await?;
    tx.commit().await
}

/// Begins its transaction itself, without the extractor.
async fn begin_write_and_refuse(State(state): State<AppState>) -> Result<()> {
    let tx = state.begin().await?;
    write(&tx).await?;
    Err(Problem::not_found())
}

async fn count(db: Db) -> Result<String> {
    let row = db.query_one("SELECT count(*) FROM note", &[]).await?;
    Ok(row.get::<_, i64>(0).to_string())
}

async fn note_app() -> (TestApp, Client) {
    let app = TestApp::start().await;
    app.execute("CREATE TABLE note (id integer GENERATED ALWAYS AS IDENTITY)")
        .await;
    let router = Router::new()
        .route("/commit", post(write_and_commit))
        .route("/refuse", post(write_and_refuse))
        .route("/forget", post(write_and_forget))
        .route("/fail", post(write_and_fail))
        .route("/begin", post(begin_write_and_refuse))
        .route("/count", post(count))
        .with_state(app.app.state.clone());
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let addr: SocketAddr = listener.local_addr().expect("an address");
    tokio::spawn(axum::serve(listener, router).into_future());
    (app, Client::new(addr))
}

#[tokio::test]
async fn a_handler_that_does_not_commit_writes_nothing() {
    let (app, client) = note_app().await;
    let empty = serde_json::json!({});
    for (path, status) in [
        ("/refuse", 409),
        ("/forget", 200),
        ("/fail", 500),
        ("/begin", 404),
    ] {
        assert_eq!(client.post(path, empty.clone()).await.status, status, "{path}");
        assert_eq!(notes(&app).await, 0, "{path}");
    }
    assert_eq!(client.post("/commit", empty.clone()).await.status, 200);
    assert_eq!(notes(&app).await, 1);
    assert_eq!(client.post("/count", empty).await.status, 200);
}

/// The next owner of a connection must not continue the transaction of the previous one.
#[tokio::test]
async fn a_dropped_transaction_leaves_its_connection_outside_any_transaction() {
    let (app, _client) = note_app().await;
    let state = &app.app.state;
    let tx = state.begin().await.expect("a transaction");
    write(&tx).await.expect("a note");
    let of_tx = backend(&tx).await;
    drop(tx);
    let mut others = vec![];
    let same = loop {
        let db = state.db().await.expect("a connection");
        if backend(&db).await == of_tx {
            break db;
        }
        others.push(db);
    };
    // The transaction wrote a row, so it has an id for as long as it is open.
    let row = same
        .query_one("SELECT pg_current_xact_id_if_assigned() IS NULL", &[])
        .await;
    assert!(row.expect("a row").get::<_, bool>(0));
    // Counting needs a connection, and these may be all of the pool.
    drop((same, others));
    assert_eq!(notes(&app).await, 0);
}

async fn backend(client: &tokio_postgres::Client) -> i32 {
    let row = client.query_one("SELECT pg_backend_pid()", &[]).await;
    row.expect("a row").get(0)
}

async fn notes(app: &TestApp) -> i64 {
    let db = app.app.state.db().await.expect("a connection");
    let row = db.query_one("SELECT count(*) FROM note", &[]).await;
    row.expect("a count").get(0)
}
