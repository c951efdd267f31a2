//! Sends commands to other processes: one connection to each, opened at the first need and again after a loss.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use ledger_store::lane::Work;
use ledger_store::peers::{PROTOCOL, Peers, Reply};
use ledger_store::supervisor::spawn_once;
use rustls::pki_types::ServerName;
use serde_json::value::RawValue;
use tokio::io::{AsyncWriteExt, BufReader, BufWriter, split};
use tokio::net::TcpStream;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use tokio_rustls::TlsConnector;

use crate::frames::{Hello, Request, Response, answer_of, read_frame, text_of, write_frame};
use crate::identity::Identity;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// Between two questions whether the other end lives.
const PING_EVERY: Duration = Duration::from_millis(500);
/// A process from which nothing came for so long counts as lost.
const SILENT_FOR: Duration = Duration::from_secs(2);
/// The commands that may wait for a connection. When it is full, their senders wait.
const QUEUE: usize = 1_024;
/// The commands of one frame.
const FRAME_COMMANDS: usize = 256;

/// The connections of this process to the others.
pub struct PeerConnections {
    identity: Identity,
    process: String,
    connections: Mutex<HashMap<Arc<str>, Connection>>,
    lost: Arc<Notify>,
}

#[derive(Clone)]
struct Connection {
    orders: mpsc::Sender<Order>,
    fault: Arc<Mutex<Option<String>>>,
}

enum Order {
    Ask(Ask),
    Announce,
}

struct Ask {
    work: Box<RawValue>,
    reply: oneshot::Sender<Reply>,
}

impl PeerConnections {
    pub fn new(identity: Identity, process: impl Into<String>) -> Self {
        Self {
            identity,
            process: process.into(),
            connections: Mutex::default(),
            lost: Arc::default(),
        }
    }

    fn connections(&self) -> MutexGuard<'_, HashMap<Arc<str>, Connection>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connection(&self, address: &str) -> Connection {
        let mut connections = self.connections();
        if let Some(known) = connections.get(address) {
            return known.clone();
        }
        let (orders, queue) = mpsc::channel(QUEUE);
        let connection = Connection {
            orders,
            fault: Arc::default(),
        };
        let caller = Caller {
            address: address.into(),
            connector: TlsConnector::from(Arc::clone(&self.identity.client)),
            hello: Hello::of(&self.process),
            fault: Arc::clone(&connection.fault),
            lost: Arc::clone(&self.lost),
        };
        spawn_once("connection to another process", caller.run(queue));
        connections.insert(address.into(), connection.clone());
        connection
    }
}

#[async_trait]
impl Peers for PeerConnections {
    async fn ask(&self, address: &str, work: &Work) -> Reply {
        let connection = self.connection(address);
        let (reply, replied) = oneshot::channel();
        let ask = Ask {
            work: text_of(work),
            reply,
        };
        if connection.orders.send(Order::Ask(ask)).await.is_err() {
            return Reply::NotSent;
        }
        metrics::counter!("razao_ledger_commands_forwarded_total").increment(1);
        // Its task ended while it had the command.
        replied.await.unwrap_or(Reply::Lost)
    }

    fn announce(&self, addresses: Vec<Arc<str>>) {
        // Connections to processes that are gone end with their senders.
        self.connections()
            .retain(|address, _| addresses.contains(address));
        for address in addresses {
            // If its queue is full, the process is asked for so much that it looks by itself.
            let _ = self.connection(&address).orders.try_send(Order::Announce);
        }
    }

    async fn connection_lost(&self) {
        self.lost.notified().await;
    }

    fn fault(&self, address: &str) -> Option<String> {
        let connections = self.connections();
        let fault = &connections.get(address)?.fault;
        fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The task of one connection.
struct Caller {
    address: Arc<str>,
    connector: TlsConnector,
    hello: Hello,
    fault: Arc<Mutex<Option<String>>>,
    lost: Arc<Notify>,
}

type Stream = tokio_rustls::client::TlsStream<TcpStream>;
/// The commands that were sent, by their number.
type Sent = HashMap<u64, oneshot::Sender<Reply>>;

impl Caller {
    async fn run(self, mut queue: mpsc::Receiver<Order>) {
        while let Some(first) = queue.recv().await {
            match timeout(CONNECT_TIMEOUT, self.connect()).await {
                Ok(Ok(stream)) => {
                    self.set_fault(None);
                    let mut sent = Sent::new();
                    let ended = self.converse(stream, first, &mut queue, &mut sent).await;
                    for (_, reply) in sent {
                        // The caller may be gone.
                        let _ = reply.send(Reply::Lost);
                    }
                    match ended {
                        Ok(()) => return,
                        Err(error) => self.failed("the connection was lost", &error),
                    }
                    self.lost.notify_one();
                }
                Ok(Err(error)) => self.refuse(first, &mut queue, &error),
                Err(_) => self.refuse(first, &mut queue, &io::ErrorKind::TimedOut.into()),
            }
        }
    }

    async fn connect(&self) -> io::Result<(Hello, Stream)> {
        let stream = TcpStream::connect(&*self.address).await?;
        stream.set_nodelay(true)?;
        // The key is what is checked, and the name plays no part.
        let name = ServerName::try_from("razao-peer").map_err(io::Error::other)?;
        let mut stream = self.connector.connect(name, stream).await?;
        write_frame(&mut stream, &self.hello).await?;
        stream.flush().await?;
        let theirs: Hello = read_frame(&mut stream).await?;
        if theirs.protocol != PROTOCOL {
            return Err(io::Error::other(format!(
                "it speaks protocol {}, and this process {PROTOCOL}",
                theirs.protocol
            )));
        }
        Ok((theirs, stream))
    }

    /// Sends the orders and passes the answers on. `Ok` when nobody can send orders any more.
    async fn converse(
        &self,
        (theirs, stream): (Hello, Stream),
        first: Order,
        queue: &mut mpsc::Receiver<Order>,
        sent: &mut Sent,
    ) -> io::Result<()> {
        tracing::info!(address = %self.address, process = theirs.process, "connected to another process");
        let (reading, writing) = split(stream);
        let mut writing = BufWriter::new(writing);
        let (responses, mut received) = mpsc::channel::<Response>(64);
        // A frame is read to its end, so its reader is not cancelled with each order.
        let read = async move {
            let mut reading = BufReader::new(reading);
            loop {
                let response = read_frame(&mut reading).await?;
                if responses.send(response).await.is_err() {
                    return Ok::<(), io::Error>(());
                }
            }
        };
        let talk = async {
            let mut number = 0;
            let mut orders = vec![first];
            let mut heard = Instant::now();
            let mut ping = interval(PING_EVERY);
            ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut open = true;
            while open || !sent.is_empty() {
                send(&mut writing, orders.drain(..), &mut number, sent).await?;
                tokio::select! {
                    biased;
                    response = received.recv() => {
                        heard = Instant::now();
                        match response {
                            Some(Response::Answers(answers)) => self.pass_on(answers, sent),
                            Some(Response::Pong) => {}
                            None => return Err(io::ErrorKind::UnexpectedEof.into()),
                        }
                    }
                    taken = queue.recv_many(&mut orders, FRAME_COMMANDS), if open => open = taken > 0,
                    _ = ping.tick() => {
                        if heard.elapsed() > SILENT_FOR {
                            return Err(io::Error::new(io::ErrorKind::TimedOut, "it did not answer"));
                        }
                        write_frame(&mut writing, &Request::Ping).await?;
                        writing.flush().await?;
                    }
                }
            }
            Ok(())
        };
        tokio::select! {
            ended = read => ended.and(Err(io::ErrorKind::UnexpectedEof.into())),
            ended = talk => ended,
        }
    }

    fn pass_on(&self, answers: Vec<(u64, Box<RawValue>)>, sent: &mut Sent) {
        for (number, text) in answers {
            let Some(reply) = sent.remove(&number) else {
                continue;
            };
            let answer = match answer_of(&text) {
                Ok(answer) => Reply::Answered(answer),
                Err(error) => {
                    tracing::error!(code = "peer_answer_unreadable", %error, "an answer of another process cannot be read");
                    Reply::Lost
                }
            };
            let _ = reply.send(answer);
        }
    }

    /// No connection: nothing was sent.
    fn refuse(&self, first: Order, queue: &mut mpsc::Receiver<Order>, error: &io::Error) {
        self.failed("no connection", error);
        let mut refused = Some(first);
        while let Some(order) = refused {
            if let Order::Ask(ask) = order {
                let _ = ask.reply.send(Reply::NotSent);
            }
            refused = queue.try_recv().ok();
        }
    }

    fn failed(&self, what: &str, error: &io::Error) {
        tracing::warn!(address = %self.address, %error, "another process cannot be reached: {what}");
        self.set_fault(Some(format!("{what}: {error}")));
    }

    fn set_fault(&self, fault: Option<String>) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }
}

async fn send(
    writing: &mut (impl tokio::io::AsyncWrite + Unpin),
    orders: impl Iterator<Item = Order>,
    number: &mut u64,
    sent: &mut Sent,
) -> io::Result<()> {
    let (mut commands, mut announces) = (vec![], false);
    for order in orders {
        match order {
            Order::Ask(Ask { work, reply }) => {
                *number += 1;
                // From here on it may arrive.
                sent.insert(*number, reply);
                commands.push((*number, work));
            }
            Order::Announce => announces = true,
        }
    }
    if announces {
        write_frame(writing, &Request::Changed).await?;
    }
    if !commands.is_empty() {
        write_frame(writing, &Request::Commands(commands)).await?;
    }
    writing.flush().await
}
