//! Serves one connection: its requests one after another, each within its limits. Closes the connection when it is
//! overdue.

use std::convert::Infallible;
use std::future::{Future, pending, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::BoxError;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Method, Request, Response, StatusCode, header};
use futures::task::AtomicWaker;
use gateway_environment::config::HttpLimits;
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout_at};
use tower::Service;

use super::connection_state::ConnectionState;
use crate::Problem;
use crate::edge::request_context;
use crate::edge::time_limit::TimeLimit;

/// How much of a body is discarded that its handler did not read, and how long after the request began. Several times
/// the largest body that a call takes.
const REST_BYTES_MAX: usize = 64 * 1024 * 1024;
const REST_TIME_MAX: Duration = Duration::from_secs(15);

const OVERDUE: &str = "razao_http_connections_overdue_total";

/// Runs until the connection is closed. When the server stops, it ends after the current request is answered.
pub async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    limits: HttpLimits,
    mut stopping: watch::Receiver<bool>,
) {
    let state = Arc::new(ConnectionState::new(limits));
    let io = TokioIo::new(ReportingStream {
        stream,
        state: Arc::clone(&state),
    });
    let service = ReportingService {
        router,
        peer,
        state: Arc::clone(&state),
    };
    let mut connection = pin!(http1::Builder::new().serve_connection(io, service));
    let mut timer = pin!(sleep_until(Instant::now() + limits.idle));
    let mut stopped = pin!(async move {
        // A dropped sender also means stop.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    });
    let mut stop_requested = false;
    poll_fn(|context| {
        if !stop_requested && stopped.as_mut().poll(context).is_ready() {
            stop_requested = true;
            connection.as_mut().graceful_shutdown();
            state.stop();
        }
        // Errors are not logged: a client may leave or send invalid HTTP at any time.
        if connection.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        let Some(deadline) = state.deadline() else {
            return Poll::Pending;
        };
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        if timer.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        let phase = state.phase().as_str();
        tracing::debug!(%peer, phase, "closed an overdue connection");
        metrics::counter!(OVERDUE, "phase" => phase).increment(1);
        Poll::Ready(())
    })
    .await;
}

/// Reports to `ConnectionState` when bytes arrive and when all bytes are sent.
struct ReportingStream {
    stream: TcpStream,
    state: Arc<ConnectionState>,
}

impl AsyncRead for ReportingStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.state.received();
        }
        read
    }
}

impl AsyncWrite for ReportingStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    /// Called only after all buffered bytes are written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        if flushed.is_ready() {
            self.state.flushed();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// Answers the requests of the connection within their limits, and reports their phases to `ConnectionState`.
struct ReportingService {
    router: Router,
    peer: SocketAddr,
    state: Arc<ConnectionState>,
}

impl hyper::service::Service<Request<Incoming>> for ReportingService {
    type Response = Response<AnswerBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let state = Arc::clone(&self.state);
        state.serving();
        let started = Instant::now();
        let limit = TimeLimit::new(started, state.limits.body, state.limits.request);
        let limits_of_rest = state.limits.body.min(REST_TIME_MAX);
        let arrival = Arc::new(BodyArrival::new(request.body().is_end_stream()));
        // A client that waits for permission sends no body after the answer, and reading it would give permission.
        let waits = request.headers().contains_key(header::EXPECT);
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        // The handler and the late answer use the same id.
        let id = request_context::id_of(request.headers());
        let mut request = request.map(|body| {
            Body::new(RequestBody {
                body: Some(body),
                // Nothing is left to discard of a body that the client has not begun to send.
                is_sent: !waits,
                arrival: Arc::clone(&arrival),
            })
        });
        if let Ok(value) = HeaderValue::from_str(&id) {
            request.headers_mut().insert(request_context::HEADER, value);
        }
        request.extensions_mut().insert(ConnectInfo(self.peer));
        request.extensions_mut().insert(limit.clone());
        let answer = self.router.clone().call(request);
        Box::pin(async move {
            let response = tokio::select! {
                biased;
                response = answer => response.unwrap_or_else(|never| match never {}),
                problem = late(&arrival, &limit, &method) => {
                    arrival.give_up();
                    let mut response = request_context::answer_late(id, &method, &path, problem);
                    // The rest of a late request cannot be told apart from a next request.
                    let close = HeaderValue::from_static("close");
                    response.headers_mut().insert(header::CONNECTION, close);
                    response
                }
            };
            arrival.discard_rest(started + limits_of_rest).await;
            state.answering(&limit);
            Ok(response.map(|body| AnswerBody { body, state }))
        })
    }
}

/// Ends when the request is overdue and returns the problem for it.
async fn late(arrival: &BodyArrival, limit: &TimeLimit, method: &Method) -> Problem {
    // The configuration refuses a limit of the request that is shorter than that of the body. Either may be extended
    // while this sleeps.
    loop {
        let deadline = limit.body_deadline();
        sleep_until(deadline).await;
        if arrival.arrived.load(Ordering::Relaxed) {
            break;
        }
        if limit.body_deadline() <= deadline {
            let message = "A conexão está lenta e os dados não chegaram. Tente de novo.";
            return Problem::new(StatusCode::REQUEST_TIMEOUT, message);
        }
    }
    while let Some(deadline) = limit.deadline() {
        if deadline <= Instant::now() {
            return match method.is_safe() {
                true => Problem::unavailable(),
                // The request continues in its own task and may still record something.
                false => Problem::outcome_unknown(),
            };
        }
        sleep_until(deadline).await;
    }
    pending().await
}

/// The state of a request's body. The handler's side records its arrival. A late answer gives the body up.
struct BodyArrival {
    /// The body is complete, or its reader has dropped it.
    arrived: AtomicBool,
    given_up: AtomicBool,
    reader: AtomicWaker,
    /// What the handler did not read, such as of a body that is too large.
    rest: Mutex<Option<Incoming>>,
}

impl BodyArrival {
    fn new(arrived: bool) -> Self {
        Self {
            arrived: AtomicBool::new(arrived),
            given_up: AtomicBool::new(false),
            reader: AtomicWaker::new(),
            rest: Mutex::new(None),
        }
    }

    /// Reads what the handler left of the body. Most clients send the whole body before they read the answer: a
    /// connection that is closed with unread bytes is reset, and the client never sees why it was refused.
    async fn discard_rest(&self, deadline: Instant) {
        let rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut rest) = rest else { return };
        let mut left = REST_BYTES_MAX;
        let read_all = async {
            while let Some(Ok(frame)) = rest.frame().await {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                let Some(remaining) = left.checked_sub(bytes) else {
                    return;
                };
                left = remaining;
            }
        };
        // A client that sends too much or too slowly is cut off, as if nothing had been read.
        let _ = timeout_at(deadline, read_all).await;
    }

    /// Ends the body for a handler that reads it in a separate task and still waits for it. Otherwise the task would
    /// hold its slots, such as that of an upload, and the connection until the client leaves.
    fn give_up(&self) {
        self.given_up.store(true, Ordering::Release);
        self.reader.wake();
    }
}

/// The body as the handler reads it.
struct RequestBody {
    /// `None` once the body is given up. Dropping hyper's body makes hyper close the connection.
    body: Option<Incoming>,
    /// Whether the client sends it without being asked, or was asked by a read.
    is_sent: bool,
    arrival: Arc<BodyArrival>,
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        // Registered before the flag is read, so that a wake-up between the two is not lost.
        self.arrival.reader.register(context.waker());
        if self.arrival.given_up.load(Ordering::Acquire) {
            self.body = None;
        }
        let Some(body) = self.body.as_mut() else {
            let message = "the body did not arrive within its limit";
            return Poll::Ready(Some(Err(io::Error::new(io::ErrorKind::TimedOut, message).into())));
        };
        let polled = Pin::new(&mut *body).poll_frame(context);
        let is_complete = matches!(polled, Poll::Ready(None)) || body.is_end_stream();
        self.is_sent = true;
        if is_complete {
            self.arrival.arrived.store(true, Ordering::Relaxed);
        }
        polled.map_err(BoxError::from)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_some_and(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        self.arrival.arrived.store(true, Ordering::Relaxed);
        if let Some(body) = self
            .body
            .take()
            .filter(|body| self.is_sent && !body.is_end_stream())
        {
            *self.arrival.rest.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
        }
    }
}

/// The body of an answer. Hyper drops it after the last part, and the drop is reported to `ConnectionState`.
pub struct AnswerBody {
    body: Body,
    state: Arc<ConnectionState>,
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for AnswerBody {
    fn drop(&mut self) {
        self.state.handed_over();
    }
}
