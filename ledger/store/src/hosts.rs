//! One of several hosts of a database: the one that accepts writes. Another one can take its place at any time, and the
//! former one may not even close its connections: its machine is silent, or its network is cut.
//!
//! The driver tries the hosts one after another, and waits without a limit for the answer of one that accepts a
//! connection and then says nothing. Here a host that is slow to answer does not hold the others up.

use std::collections::VecDeque;
use std::future::{Future, Ready, ready};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_postgres::config::{Host, TargetSessionAttrs};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres::{Client, Config, Connection, Error, Socket};

/// A host that has not opened the session by then counts as failed.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// The next host is asked if one has not answered by then.
const NEXT_HOST_AFTER: Duration = Duration::from_millis(250);
/// A host that refused is asked again after this time as long as another one is silent: it may be about to take over.
const AGAIN_AFTER: Duration = Duration::from_millis(500);
/// The pause between two questions to the host in use, and the time that it has to answer one.
const WATCH_INTERVAL: Duration = Duration::from_secs(2);

/// The host that accepted a session last, by its place in the options. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct CurrentHost(Arc<watch::Sender<usize>>);

impl Default for CurrentHost {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }
}

impl CurrentHost {
    fn get(&self) -> usize {
        *self.0.borrow()
    }

    fn set(&self, host: usize) {
        self.0.send_if_modified(|current| {
            let moved = *current != host;
            if moved {
                tracing::warn!(
                    from = *current,
                    to = host,
                    "another host of the database accepts writes"
                );
            }
            *current = host;
            moved
        });
    }

    /// Waits until another host is the current one.
    async fn moved_from(&self, host: usize) {
        // The sender lives in `self`.
        let _ = self.0.subscribe().wait_for(|current| *current != host).await;
    }
}

/// Whether the options name several hosts of which one accepts writes.
pub(crate) fn has_standbys(options: &Config) -> bool {
    options.get_target_session_attrs() == TargetSessionAttrs::ReadWrite && host_count(options) > 1
}

fn host_count(options: &Config) -> usize {
    options.get_hosts().len().max(options.get_hostaddrs().len())
}

/// The half of a connection that does its input and output. It also ends, with an error, once another host accepts
/// writes: then this one has been replaced, and its answers may never come.
pub type ServerConnection = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

pub(crate) async fn connect<T>(
    options: &Config,
    tls: &T,
    current: &CurrentHost,
) -> Result<(Client, ServerConnection), Error>
where
    T: MakeTlsConnect<Socket> + Clone + Send,
    T::Stream: Send + 'static,
    T::TlsConnect: Send,
    <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
{
    if !has_standbys(options) {
        let (client, connection) = within_limit(options.connect(tls.clone())).await?;
        return Ok((client, Box::pin(connection)));
    }
    let (host, client, connection) = first_to_accept(options, tls, current.get()).await?;
    current.set(host);
    let current = current.clone();
    let connection = Box::pin(async move {
        tokio::select! {
            ended = connection => ended,
            () = current.moved_from(host) => Err(failure("another host accepts writes now").await),
        }
    });
    Ok((client, connection))
}

/// Notices that another host has taken over, also while every session waits for the answer of a silent one.
pub(crate) async fn watch<T>(options: &Config, tls: &T, current: &CurrentHost) -> Result<(), Error>
where
    T: MakeTlsConnect<Socket> + Clone + Send,
    T::Stream: Send + 'static,
    T::TlsConnect: Send,
    <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
{
    let (client, connection) = connect(options, tls, current).await?;
    let answering = async {
        loop {
            sleep(WATCH_INTERVAL).await;
            let answered = timeout(
                WATCH_INTERVAL,
                client.query_one("SHOW transaction_read_only", &[]),
            )
            .await;
            if !answered.is_ok_and(|row| row.is_ok_and(|row| row.get::<_, String>(0) == "off")) {
                return;
            }
        }
    };
    tokio::select! {
        _ = connection => {}
        () = answering => {}
    }
    Ok(())
}

type Accepted<T> = (
    usize,
    Client,
    Connection<Socket, <T as MakeTlsConnect<Socket>>::Stream>,
);

/// Asks the host at `first` and then the others, and returns the session of the first one that accepts writes.
async fn first_to_accept<T>(options: &Config, tls: &T, first: usize) -> Result<Accepted<T>, Error>
where
    T: MakeTlsConnect<Socket> + Clone,
{
    let count = host_count(options);
    let attempt = async |host: usize, after: Duration, again: bool| {
        sleep(after).await;
        let opened = within_limit(of_host(options, host).connect(tls.clone())).await;
        (host, again, opened)
    };
    let mut waiting: VecDeque<usize> = (0..count).map(|place| (first + place) % count).collect();
    let mut asked = FuturesUnordered::new();
    let mut unanswered = 0;
    let mut start_next = true;
    loop {
        if start_next && let Some(host) = waiting.pop_front() {
            asked.push(attempt(host, Duration::ZERO, false));
            unanswered += 1;
        }
        let (host, again, opened) = tokio::select! {
            Some(answer) = asked.next() => answer,
            () = sleep(NEXT_HOST_AFTER), if !waiting.is_empty() => {
                start_next = true;
                continue;
            }
        };
        start_next = !again;
        unanswered -= usize::from(!again);
        match opened {
            Ok((client, connection)) => return Ok((host, client, connection)),
            Err(error) if unanswered == 0 && waiting.is_empty() => return Err(error),
            Err(_) => asked.push(attempt(host, AGAIN_AFTER, true)),
        }
    }
}

async fn within_limit<R>(opening: impl Future<Output = Result<R, Error>>) -> Result<R, Error> {
    match timeout(ANSWER_TIMEOUT, opening).await {
        Ok(opened) => opened,
        Err(_) => Err(failure("the server did not open a session in time").await),
    }
}

/// The options of each host by itself.
pub(crate) fn each(options: &Config) -> impl Iterator<Item = Config> {
    (0..host_count(options)).map(|host| of_host(options, host))
}

/// Opens a session and ends it, whatever the host answers.
pub(crate) async fn open<T>(host: Config, tls: T)
where
    T: MakeTlsConnect<Socket>,
{
    // Who asks learns from the handshake.
    let _ = within_limit(host.connect(tls)).await;
}

/// The same options with one of the hosts.
fn of_host(options: &Config, host: usize) -> Config {
    let mut one = Config::new();
    match options.get_hosts().get(host) {
        Some(Host::Tcp(name)) => {
            one.host(name);
        }
        #[cfg(unix)]
        Some(Host::Unix(folder)) => {
            one.host_path(folder);
        }
        None => {}
    }
    if let Some(address) = options.get_hostaddrs().get(host) {
        one.hostaddr(*address);
    }
    let ports = options.get_ports();
    if let Some(port) = ports.get(host).or_else(|| ports.first()) {
        one.port(*port);
    }
    if let Some(user) = options.get_user() {
        one.user(user);
    }
    if let Some(password) = options.get_password() {
        one.password(password);
    }
    if let Some(name) = options.get_dbname() {
        one.dbname(name);
    }
    if let Some(session) = options.get_options() {
        one.options(session);
    }
    if let Some(name) = options.get_application_name() {
        one.application_name(name);
    }
    if let Some(limit) = options.get_connect_timeout() {
        one.connect_timeout(*limit);
    }
    if let Some(limit) = options.get_tcp_user_timeout() {
        one.tcp_user_timeout(*limit);
    }
    if let Some(interval) = options.get_keepalives_interval() {
        one.keepalives_interval(interval);
    }
    if let Some(retries) = options.get_keepalives_retries() {
        one.keepalives_retries(retries);
    }
    one.keepalives(options.get_keepalives())
        .keepalives_idle(options.get_keepalives_idle())
        .ssl_mode(options.get_ssl_mode())
        .ssl_negotiation(options.get_ssl_negotiation())
        .channel_binding(options.get_channel_binding())
        .target_session_attrs(options.get_target_session_attrs())
        .load_balance_hosts(options.get_load_balance_hosts());
    one
}

/// An error of the driver with this reason. It makes its errors itself, so it gets a connection that fails for it.
async fn failure(reason: &'static str) -> Error {
    let failed = Config::new()
        .user("")
        .connect_raw(Failing(reason), FailingTls)
        .await;
    failed.err().expect("a connection over which nothing is sent")
}

struct Failing(&'static str);

struct FailingTls;

impl TlsConnect<Failing> for FailingTls {
    type Stream = Failing;
    type Error = io::Error;
    type Future = Ready<io::Result<Failing>>;

    fn connect(self, stream: Failing) -> Self::Future {
        ready(Err(stream.error()))
    }
}

impl TlsStream for Failing {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl Failing {
    fn error(&self) -> io::Error {
        io::Error::new(io::ErrorKind::TimedOut, self.0)
    }
}

impl AsyncRead for Failing {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, _: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Err(self.error()))
    }
}

impl AsyncWrite for Failing {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(self.error()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Err(self.error()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Err(self.error()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;
    use crate::Connector;
    use crate::connector::Verification;

    #[test]
    fn the_options_of_one_host_keep_all_others() {
        let all: Config = "host=a,b hostaddr=10.0.0.1,10.0.0.2 port=1,2 user=u password=p dbname=d options=o \
             application_name=n sslmode=require sslnegotiation=direct connect_timeout=3 tcp_user_timeout=4 keepalives=0 \
             keepalives_idle=5 keepalives_interval=6 keepalives_retries=7 target_session_attrs=read-write \
             channel_binding=require load_balance_hosts=random"
            .parse()
            .expect("options");
        let second: Config = "host=b hostaddr=10.0.0.2 port=2 user=u password=p dbname=d options=o \
             application_name=n sslmode=require sslnegotiation=direct connect_timeout=3 tcp_user_timeout=4 keepalives=0 \
             keepalives_idle=5 keepalives_interval=6 keepalives_retries=7 target_session_attrs=read-write \
             channel_binding=require load_balance_hosts=random"
            .parse()
            .expect("options");
        assert_eq!(of_host(&all, 1), second);
    }

    #[tokio::test]
    async fn a_host_that_accepts_and_says_nothing_is_an_error() {
        let silent = TcpListener::bind("127.0.0.1:0").await.expect("a listener");
        let port = silent.local_addr().expect("an address").port();
        let address = format!("host=127.0.0.1,127.0.0.1 port={port} user=u target_session_attrs=read-write");
        let options: Config = address.parse().expect("options");
        let connector = Connector::new(options, Verification::Nothing);
        let failed = connector.connect().await;
        let error = failed.err().expect("no session");
        let reason = crate::Causes(&error).to_string();
        assert!(reason.contains("did not open a session in time"), "{reason}");
    }
}
