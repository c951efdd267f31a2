//! Tests of the server with slow clients, with too many clients, and with clients that wait while it stops. No test
//! asserts a duration.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Extension;
use axum::routing::{get, post};
use futures::stream;
use gateway_environment::config::HttpLimits;
use ledger_store::Supervisor;
use ledger_store::supervisor::spawn_once;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::HttpServer;
use crate::edge::time_limit::TimeLimit;

const SOON: Duration = Duration::from_millis(200);
const NEVER: Duration = Duration::from_secs(3_600);

const LONG_LIMITS: HttpLimits = HttpLimits {
    header: NEVER,
    body: NEVER,
    idle: NEVER,
    request: NEVER,
    connections: 100,
};

/// More than the buffers of both sockets hold.
const LARGE_BYTES: usize = 64 * 1024 * 1024;

fn routes() -> Router {
    let endless = || async {
        let chunks = stream::unfold((), |()| async {
            tokio::time::sleep(SOON / 4).await;
            Some((Ok::<_, std::io::Error>(Bytes::from_static(b".")), ()))
        });
        Body::from_stream(chunks)
    };
    let endless_without_limit = async move |Extension(limit): Extension<TimeLimit>| {
        limit.lift();
        endless().await
    };
    Router::new()
        .route("/", get(async || "ok"))
        .route("/body", post(async |body: Bytes| body.len().to_string()))
        .route("/unread", post(async || "not read"))
        .route(
            "/task",
            post(async |body: Body| {
                let read = spawn_once("request", axum::body::to_bytes(body, 100)).await;
                let body = read.expect("a task").expect("no panic");
                body.map_or_else(|error| error.to_string(), |body| body.len().to_string())
            }),
        )
        .route(
            "/stuck",
            get(std::future::pending::<String>).post(std::future::pending::<String>),
        )
        .route("/large", get(async || vec![b'x'; LARGE_BYTES]))
        .route("/endless", get(endless))
        .route("/events", get(endless_without_limit))
}

async fn start(limits: HttpLimits) -> HttpServer {
    start_with(limits, routes()).await
}

async fn start_with(limits: HttpLimits, router: Router) -> HttpServer {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    HttpServer::start(listener, "test", router, limits, &Supervisor::default()).expect("a server")
}

async fn connect(web: &HttpServer, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(web.addr).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("written");
    stream
}

/// Everything that the server sends until it closes the connection.
async fn until_closed(mut stream: TcpStream) -> String {
    let mut answer = vec![];
    // A reset also ends the connection.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

async fn assert_answered(web: &HttpServer) {
    let answer =
        until_closed(connect(web, "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").await).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed() {
    let limits = HttpLimits {
        idle: SOON,
        ..LONG_LIMITS
    };
    let web = start(limits).await;
    assert_eq!(until_closed(connect(&web, "").await).await, "");
    let kept = connect(&web, "GET / HTTP/1.1\r\nhost: a\r\n\r\n").await;
    let answer = until_closed(kept).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_answered(&web).await;
}

#[tokio::test]
async fn a_partial_header_is_closed_at_its_limit() {
    let web = start(HttpLimits {
        header: SOON,
        ..LONG_LIMITS
    })
    .await;
    assert_eq!(
        until_closed(connect(&web, "GET / HTTP/1.1\r\nho").await).await,
        ""
    );
    // Single bytes do not extend the limit.
    let mut slow = connect(&web, "G").await;
    let (mut reading, mut writing) = slow.split();
    let mut end = [0];
    let dripping = async {
        while writing.write_all(b"E").await.is_ok() {
            tokio::time::sleep(SOON / 8).await;
        }
    };
    tokio::select! {
        () = dripping => {}
        read = reading.read(&mut end) => assert!(matches!(read, Ok(0) | Err(_)), "no answer"),
    }
    assert_answered(&web).await;
}

#[tokio::test]
async fn a_partial_body_is_a_408_and_the_connection_is_closed() {
    let web = start(HttpLimits {
        body: SOON,
        ..LONG_LIMITS
    })
    .await;
    let head = "POST /body HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n";
    // The handler of /task reads in a separate task, which goes on after the 408 unless the body ends.
    let in_task = head.replace("/body", "/task");
    for half in [head.to_owned(), format!("{head}12345"), in_task] {
        let answer = until_closed(connect(&web, &half).await).await;
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        assert!(
            answer.contains("application/problem+json") && answer.contains("x-request-id: "),
            "{answer}"
        );
    }
    let whole = format!("{head}1234567890{head}1234567890");
    let mut answer = connect(&web, &whole).await;
    let mut twice = String::new();
    while twice.matches("HTTP/1.1 200").count() < 2 {
        let mut bytes = [0; 1024];
        let read = answer.read(&mut bytes).await.expect("two answers");
        assert_ne!(read, 0, "{twice}");
        twice += &String::from_utf8_lossy(&bytes[..read]);
    }
    // A handler that reads no body still answers. The rest of the request is not awaited.
    let unread = connect(
        &web,
        "POST /unread HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n1",
    )
    .await;
    assert!(until_closed(unread).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_request_has_a_limit_that_a_route_may_lift() {
    let web = start(HttpLimits {
        request: SOON,
        body: SOON,
        header: SOON,
        ..LONG_LIMITS
    })
    .await;
    let ask = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n");
    let stuck = until_closed(connect(&web, &ask("/stuck")).await).await;
    assert!(
        stuck.starts_with("HTTP/1.1 503") && stuck.contains("retry-after"),
        "{stuck}"
    );
    let named = "POST /stuck HTTP/1.1\r\nhost: a\r\nx-request-id: nsu-1\r\n\r\n";
    let write = until_closed(connect(&web, named).await).await;
    assert!(
        write.starts_with("HTTP/1.1 503") && write.contains("Não sabemos"),
        "whether it was recorded is unknown: {write}"
    );
    assert!(
        write.contains("x-request-id: nsu-1") && write.contains("\"request_id\":\"nsu-1\""),
        "{write}"
    );
    let endless = until_closed(connect(&web, &ask("/endless")).await).await;
    assert!(
        endless.starts_with("HTTP/1.1 200") && !endless.ends_with("0\r\n\r\n"),
        "the answer is cut off"
    );
    let mut events = connect(&web, &ask("/events")).await;
    // Only four chunks arrive within the limit that this route lifts.
    let (mut reported, mut bytes) = (0, [0; 1024]);
    while reported < 20 {
        let read = events.read(&mut bytes).await.expect("an event");
        assert_ne!(read, 0, "the stream goes on");
        reported += bytes[..read].iter().filter(|byte| **byte == b'.').count();
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_cut_off() {
    let web = start(HttpLimits {
        request: SOON,
        body: SOON,
        header: SOON,
        ..LONG_LIMITS
    })
    .await;
    let mut deaf = connect(&web, "GET /large HTTP/1.1\r\nhost: a\r\n\r\n").await;
    tokio::time::sleep(SOON * 4).await;
    let mut answer = vec![];
    let _ = deaf.read_to_end(&mut answer).await;
    assert!(answer.len() < LARGE_BYTES, "the answer was cut off");
}

#[tokio::test]
async fn connections_beyond_the_cap_are_served_when_a_place_is_free() {
    let limits = HttpLimits {
        idle: SOON,
        connections: 2,
        ..LONG_LIMITS
    };
    let web = start(limits).await;
    let idle = [connect(&web, "").await, connect(&web, "").await];
    // Both idle connections are accepted before the next one.
    assert_answered(&web).await;
    let mut closed = 0;
    for mut stream in idle {
        let mut byte = [0];
        closed += usize::from(matches!(stream.try_read(&mut byte), Ok(0)));
        drop(stream.shutdown().await);
    }
    assert!(closed > 0, "no idle connection was closed");
}

#[tokio::test]
async fn a_stop_answers_open_requests_and_closes_other_connections() {
    let go_on = Arc::new(Notify::new());
    let held = Arc::clone(&go_on);
    let request_started = Arc::new(Notify::new());
    let starting = Arc::clone(&request_started);
    let slow = get(move || {
        let (held, starting) = (Arc::clone(&held), Arc::clone(&starting));
        async move {
            starting.notify_one();
            held.notified().await;
            "answered"
        }
    });
    let web = start_with(LONG_LIMITS, routes().route("/slow", slow)).await;
    let silent = connect(&web, "").await;
    let half = connect(&web, "GET / HT").await;
    let used = connect(&web, "GET / HTTP/1.1\r\nhost: a\r\n\r\n").await;
    let slow = connect(&web, "GET /slow HTTP/1.1\r\nhost: a\r\n\r\n").await;
    request_started.notified().await;
    let addr = web.addr;
    let stopping = spawn_once("stop", web.stop(Instant::now() + Duration::from_secs(10)));
    assert_eq!(until_closed(silent).await, "");
    assert_eq!(until_closed(half).await, "");
    assert!(until_closed(used).await.starts_with("HTTP/1.1 200"));
    assert!(TcpStream::connect(addr).await.is_err(), "no new connection");
    go_on.notify_one();
    let answer = until_closed(slow).await;
    assert!(answer.ends_with("answered"), "{answer}");
    stopping.await.expect("the server stops");
}
