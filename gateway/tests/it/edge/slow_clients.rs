//! Clients are answered while others have sent half a request.

use std::time::Duration;

use futures::future::join_all;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{PARTS_WITHOUT_EFFECTS, TestApp};

/// The number of clients that send half a request.
const HALF_OPEN: usize = 3_000;
/// The number of clients that connect at once, so that the system's backlog is not the limit.
const CONNECTING: usize = 100;
/// The server closes a connection whose request is incomplete for so long.
const CLOSED_AFTER: Duration = Duration::from_secs(5);

/// Raises the limit of open files: both ends of each connection belong to this process.
fn allow_files() {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
    if soft < hard {
        setrlimit(Resource::RLIMIT_NOFILE, hard, hard).expect("a higher limit");
    }
    let needed = 2 * HALF_OPEN as u64 + 512;
    assert!(hard >= needed, "this test needs {needed} open files (ulimit -n)");
}

#[tokio::test]
async fn clients_are_answered_beside_three_thousand_half_open_posts_which_are_closed() {
    allow_files();
    let closed_after = CLOSED_AFTER.as_millis().to_string();
    let app = TestApp::start_with(
        &[
            ("RAZAO_HTTP_BODY_MS", &closed_after),
            ("RAZAO_HTTP_HEADER_MS", &closed_after),
            ("RAZAO_HTTP_IDLE_MS", &closed_after),
        ],
        PARTS_WITHOUT_EFFECTS,
    )
    .await;
    let addr = app.addr();
    let heads = [
        "POST /api/webhooks/zoop HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{",
        "POST /api/webhooks/zoop HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{",
        "POST /api/webhooks/zoop HTTP/1.1\r\nhost: a\r\nconte",
    ];
    let mut half_open = vec![];
    while half_open.len() < HALF_OPEN {
        let more = (0..CONNECTING).map(|number| async move {
            let mut stream = TcpStream::connect(addr).await.expect("a connection");
            let head = heads[number % heads.len()];
            stream.write_all(head.as_bytes()).await.expect("it is taken");
            stream
        });
        half_open.extend(join_all(more).await);
        assert_eq!(app.client().get("/healthz").await.status, 200);
    }
    for _ in 0..10 {
        assert_eq!(app.client().get("/api/auth/get-csrf-token").await.status, 200);
        assert_eq!(app.staff_client().get("/login").await.status, 200);
        assert_eq!(app.operations().get("/readyz").await.status, 200);
    }
    let mut timed_out = 0;
    for mut stream in half_open {
        let mut answer = vec![];
        // A reset, which is an error here, also ends the connection.
        let _ = stream.read_to_end(&mut answer).await;
        timed_out += usize::from(answer.starts_with(b"HTTP/1.1 408"));
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 408"));
    }
    // Two of the three heads are complete. A client with an incomplete head gets no answer.
    assert!(
        timed_out > HALF_OPEN / 2,
        "a body that never arrives is a 408: {timed_out}"
    );
    assert_eq!(app.client().get("/healthz").await.status, 200);
    let metrics = app.operations().get("/metrics").await.body;
    assert!(metrics.as_str().is_some_and(|text| {
        text.contains("razao_http_connections_overdue_total{phase=\"header\"}")
            && !text.contains("razao_http_connections_overdue_total{phase=\"header\"} 0\n")
            && text.contains("razao_http_connections{listener=\"HTTP server\"}")
    }));
}
